#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: check-docs.py schema.c counters.md
#
# Documentation/counters.md describes each column that schema.c declares, with its
# unit, in its order, and no other. Columns named lt_* stand for all with that start.
import re
import sys


def declared(path):
    """{file: [(column, unit)]} of the schema's COL lines."""
    text = open(path, encoding="utf-8").read()
    files = {}
    pattern = r'COL\("(\w+)", "(\w+)", "(label|counter|gauge)", "([^"]*)", \w+,\s*"([^"]*)"\)'
    for file, name, _, unit, _ in re.findall(pattern, text):
        name = re.sub(r"^lt_\d+$", "lt_*", name)
        columns = files.setdefault(file, [])
        if (name, unit) not in columns:
            columns.append((name, unit))
    if text.count("\tCOL(") != len(re.findall(pattern, text)):
        sys.exit(f"check-docs: {path} holds a COL that this check cannot read")
    return files


def documented(path):
    """The same of the page: '## file' headings, then '| column | unit | ...' rows."""
    files, file, in_table = {}, None, False
    for line in open(path, encoding="utf-8"):
        heading = re.match(r"## (\w+)\s*$", line)
        if heading:
            file, in_table = heading.group(1), False
            continue
        if line.startswith("## "):
            file = None
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if file and line.startswith("|"):
            if cells[0] == "column" and not in_table:
                in_table = True
            elif in_table and not cells[0].startswith("--"):
                files.setdefault(file, []).append((cells[0].strip("`"), cells[1]))
        else:
            in_table = False
    return files


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: check-docs.py schema.c counters.md")
    code, page = declared(sys.argv[1]), documented(sys.argv[2])
    problems = []
    for file in sorted(set(code) | set(page)):
        ours, theirs = code.get(file, []), page.get(file, [])
        for column in ours:
            if column not in theirs:
                problems.append(f"{file}: column {column[0]} ({column[1]}) is not described")
        for column in theirs:
            if column not in ours:
                problems.append(f"{file}: {column[0]} ({column[1]}) is described and does not exist")
        if not problems and ours != theirs:
            problems.append(f"{file}: the order differs")
    for problem in problems:
        print(f"check-docs: {problem}", file=sys.stderr)
    if not code or problems:
        sys.exit(1)
    print(f"check-docs: {sum(map(len, code.values()))} columns of {len(code)} files agree")


main()
