#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what `sinew bench NAME --json` found as Markdown, for docs/benchmarks.md.

usage: sinew bench adaptive --json | tools/bench_table.py     or     tools/bench_table.py report.json
"""
import json
import sys

FIRST = ["case", "n", "engine", "median_us", "min_us"]
LEFT_OUT = {"dof", "reps", "trouble"}


def cell(value):
    if value is None:
        return "-"
    return f"{value:.3g}" if isinstance(value, float) and value < 1000 else f"{value:.0f}" \
        if isinstance(value, float) else str(value)


def print_table(rows):
    """Rows that have the same numbers, one below the other."""
    columns = FIRST + [key for key in rows[0] if key not in FIRST and key not in LEFT_OUT]
    print("| " + " | ".join(columns) + " |")
    print("|" + "---|" * len(columns))
    for row in rows:
        print("| " + " | ".join(cell(row.get(key)) for key in columns) + " |")
    print()


def main():
    if len(sys.argv) > 2 or sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__)
        return 2
    with open(sys.argv[1]) if len(sys.argv) == 2 else sys.stdin as file:
        found = json.load(file)
    group = []
    for row in found["rows"]:
        if group and set(row) - LEFT_OUT != set(group[0]) - LEFT_OUT:
            print_table(group)
            group = []
        group.append(row)
    print_table(group)
    for name, value in found["ratios"].items():
        print(f"- `{name}`: {cell(value)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
