#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Usage: check_output.py CFSLBSTAT ROOT

Reads the module's files in ROOT by itself, and compares what cfslbstat makes of
them: OpenMetrics, as another program's parser reads it, and JSON. Exit code 0, 1, or
4 (skipped) if that parser is missing (Debian package python3-prometheus-client).
"""
import json
import subprocess
import sys

try:
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
except ImportError:
    print("skipped: no prometheus_client: apt-get install python3-prometheus-client")
    sys.exit(4)


def rows_of(root, name):
    with open(f"{root}/{name}", encoding="ascii") as file:
        lines = file.read().splitlines()[1:]
    names = lines[0].split("\t")
    return [dict(zip(names, line.split("\t"))) for line in lines[1:]]


def total(rows, columns):
    """Sum of the columns; None if a part is absent."""
    cells = [row[column] for row in rows for column in columns]
    return None if "-" in cells else sum(map(int, cells))


def run(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


class Checker:
    def __init__(self, program, root):
        self.root = root
        self.bad = 0
        text = run(program, "--root", root, "--openmetrics")
        families = list(text_string_to_metric_families(text))
        self.types = {family.name: (family.type, family.unit) for family in families}
        self.samples = [sample for family in families for sample in family.samples]
        self.json = json.loads(run(program, "--root", root, "--json", "--rows"))

    def equal(self, what, got, wanted):
        if got != wanted:
            self.bad += 1
            print(f"{what}: {got}, expected {wanted}")

    def metric(self, name):
        """Sum of the samples; None if there is none."""
        values = [sample.value for sample in self.samples if sample.name == name]
        return sum(values) if values else None

    def migrations(self):
        rows = rows_of(self.root, "migrate")
        reasons = [name for name in rows[0] if name not in ("cpu", "node")]
        wanted = total(rows, reasons)
        self.equal("migrations", self.metric("cfslb_migrations_total"), wanted)
        for row in rows:
            for reason in reasons:
                labels = {"cpu": row["cpu"], "node": row["node"], "reason": reason}
                got = [s.value for s in self.samples
                       if s.name == "cfslb_migrations_total" and s.labels == labels]
                self.equal(f"migrations {labels}", got, [int(row[reason])])
        rows = rows_of(self.root, "distance")
        distances = [name for name in rows[0] if name != "reason"]
        wanted = total(rows, distances)
        self.equal("by distance", self.metric("cfslb_migrations_by_distance_total"), wanted)
        self.equal("JSON tasks", sum(row["tasks"] for row in self.json["migrations"]), wanted)
        wanted = total(rows_of(self.root, "matrix"), ["tasks"])
        self.equal("between nodes", self.metric("cfslb_migrations_between_nodes_total"), wanted)

    def columns(self, name, prefix):
        rows = rows_of(self.root, name)
        kinds = {row["column"]: row for row in rows_of(self.root, "schema") if row["file"] == name}
        for column in rows[0]:
            if kinds[column]["kind"] != "counter":
                continue
            cells = [row[column] for row in rows]
            present = [int(cell) for cell in cells if cell != "-"]
            metric = prefix if column == "total" else f"{prefix}_{column}"
            wanted = sum(present) if present else None
            if kinds[column]["unit"] in ("ns", "CPU ns"):
                metric = metric[:-3] + "_seconds"
                if present:
                    self.equal(f"type of {metric}", self.types.get(metric), ("counter", "seconds"))
                    wanted = round(wanted / 1e9, 9)
            got = self.metric(metric + "_total")
            self.equal(metric, got if got is None else round(got, 9), wanted)

    def waits(self):
        rows = rows_of(self.root, "waitlat")
        buckets = [name for name in rows[0] if name not in ("placement", "distance")]
        wanted = total(rows, buckets)
        got = [s.value for s in self.samples
               if s.name == "cfslb_wait_seconds_bucket" and s.labels["le"] == "+Inf"]
        self.equal("waits", sum(got) if got else None, wanted)
        self.equal("JSON waits", self.json["wait"]["all"]["tasks"], wanted)

    def json_rows(self):
        for name, rows in self.json["files"].items():
            for got, wanted in zip(rows, rows_of(self.root, name), strict=True):
                cells = {key: "-" if value is None else str(value) for key, value in got.items()}
                self.equal(f"JSON row of {name}", cells, wanted)

    def waste(self):
        rows = {row["node"]: row for row in rows_of(self.root, "waste")}
        for node, row in rows.items():
            cell = row["idle_with_queue_ns"]
            wanted = [] if cell == "-" else [int(cell) / 1e9]
            name = "cfslb_waste_machine" if node == "all" else "cfslb_waste"
            labels = {} if node == "all" else {"node": node}
            got = [s.value for s in self.samples
                   if s.name == f"{name}_idle_with_queue_seconds_total" and s.labels == labels]
            self.equal(f"waste of {node}", got, wanted)

    def run(self):
        self.migrations()
        for name in ("place", "lb", "newidle", "nohz", "numa"):
            self.columns(name, f"cfslb_{name}")
        self.waits()
        self.waste()
        self.json_rows()
        print(f"{len(self.samples)} samples of {len(self.types)} families, {self.bad} differ")
        return 1 if self.bad else 0


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    return Checker(sys.argv[1], sys.argv[2]).run()


if __name__ == "__main__":
    sys.exit(main())
