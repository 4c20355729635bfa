#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Cut the pure functions of the load balancer out of a patched fair.c.

usage: extract.py <kernel/sched/fair.c> <output directory>

Writes types.h (enums, structures, limits) and functions.c (the functions, each
verbatim). Fails when a name is missing or a function reads anything that a pure
function may not.
"""

import re
import sys
from pathlib import Path

TYPES = [
    "enum group_type",
    "enum migration_kind",
    "struct sg_lb_stats",
    "struct sd_lb_stats",
    "struct lb_decision",
]
DEFINES = ["NUMA_NR_PAIR"]
FUNCTIONS = [
    "group_has_capacity",
    "group_is_overloaded",
    "group_classify",
    "group_is_busier",
    "half_excess",
    "nr_to_spread",
    "util_to_fill",
    "load_to_level",
    "decide_migration",
    "size_after_failures",
    "group_is_idler",
    "local_is_idle_enough",
]
IMPURE = re.compile(r"\b(env|rq|cpu_rq|jiffies|sched_clock\w*|rcu_\w+|READ_ONCE)\b")


def cut_type(source: str, name: str) -> str:
    match = re.search(r"^%s \{\n.*?^\};\n" % re.escape(name), source, re.M | re.S)
    if not match:
        raise SystemExit(f"extract.py: no definition of {name}")
    return match.group(0)


def cut_function(source: str, name: str) -> str:
    # The head of a definition starts in column 0; its return type may be on the
    # line above.
    head = re.compile(r"^static [^;{}#]*?\b%s\([^;{}]*\)\n\{\n.*?^\}\n" % name,
                      re.M | re.S)
    match = head.search(source)
    if not match:
        raise SystemExit(f"extract.py: no definition of {name}()")
    text = match.group(0)
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    impure = IMPURE.search(code)
    if impure:
        raise SystemExit(f"extract.py: {name}() is not pure: {impure.group(0)}")
    return text


def main() -> None:
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    source = Path(sys.argv[1]).read_text(encoding="utf-8")
    out = Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)

    parts = [cut_type(source, name) for name in TYPES]
    for name in DEFINES:
        match = re.search(r"^#define %s\b.*\n" % name, source, re.M)
        if not match:
            raise SystemExit(f"extract.py: no definition of {name}")
        parts.append(match.group(0))
    (out / "types.h").write_text("\n".join(parts), encoding="utf-8")

    functions = [cut_function(source, name) for name in FUNCTIONS]
    (out / "functions.c").write_text("\n".join(functions), encoding="utf-8")


if __name__ == "__main__":
    main()
