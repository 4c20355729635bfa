#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Usage: expand.py DUMP DIR CPUS NODES

Writes to DIR the files of a machine of CPUS and NODES, with figures of the dump."""
import os
import sys


def by_cpu(rows, cpus, nodes, has_node):
    """The rows of CPU 0 for every CPU."""
    mine = [row for row in rows if row[0] == "0"]
    per_node = -(-cpus // nodes)
    for cpu in range(cpus):
        for row in mine:
            node = [str(cpu // per_node)] if has_node else [row[1]]
            yield [str(cpu)] + node + row[2:]


def by_nodes(rows, nodes):
    """The rows from node 0 to node 0 for every pair of nodes."""
    mine = [row for row in rows if row[:2] == ["0", "0"]]
    for source in range(nodes):
        for target in range(nodes):
            for row in mine:
                yield [str(source), str(target)] + row[2:]


def expanded(name, rows, cpus, nodes):
    if name in ("migrate", "place", "lb", "newidle", "nohz"):
        return by_cpu(rows, cpus, nodes, name == "migrate")
    if name in ("matrix", "numa"):
        return by_nodes(rows, nodes)
    if name == "waste":
        return [[str(node)] + rows[0][1:] for node in range(nodes)] + rows[-1:]
    if name == "info":
        return [rows[0][:5] + [str(cpus), str(nodes)] + rows[0][7:]]
    return rows


def main():
    if len(sys.argv) != 5:
        print(__doc__, file=sys.stderr)
        return 2
    dump, to = sys.argv[1:3]
    cpus, nodes = map(int, sys.argv[3:])
    os.makedirs(to)
    for name in os.listdir(dump):
        with open(f"{dump}/{name}", encoding="ascii") as file:
            lines = file.read().splitlines()
        rows = [line.split("\t") for line in lines[2:]]
        with open(f"{to}/{name}", "w", encoding="ascii") as file:
            file.write("\n".join(lines[:2]) + "\n")
            for row in expanded(name, rows, cpus, nodes):
                file.write("\t".join(row) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
