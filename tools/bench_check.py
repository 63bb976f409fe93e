#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the instructions of the core kernels and compares them with bench/baseline.json.

Times move with the machine and with what else it does; instructions do not. Each kernel of
BUILD/bench/sinew-kernels runs under valgrind's callgrind, once as often as it says and once not at
all; the difference, per joint, is what the kernel costs. A kernel that needs over 3 % more than the
baseline is named, and the exit status is 1.

The numbers belong to one compiler, its flags, a C library and the vector instructions of a processor.
Where these differ from the baseline's, the comparison is printed for information only: exit status 0.

usage: tools/bench_check.py [--build BUILD] [--baseline FILE] [--update] [NAME...]
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 0.03  # a change beyond this is named
CPU_FEATURES = ("avx2", "fma")  # what the kernels choose by


def cpu_features():
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return "unknown"
    flags = next((line.split(":")[1].split() for line in text.splitlines()
                  if line.startswith("flags")), [])
    return " ".join(name for name in CPU_FEATURES if name in flags) or "none"


def read_build(program):
    """What the numbers depend on: {"compiler": ..., "flags": ..., "libc": ..., "cpu": ...}."""
    text = subprocess.run([program, "--build"], check=True, capture_output=True, text=True).stdout
    build = dict(line.split(" ", 1) for line in text.splitlines())
    return {**build, "cpu": cpu_features()}


def list_kernels(program):
    """[(name, joints of one run, times)]"""
    text = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    return [(name, int(joints), int(times))
            for name, joints, times in (line.split() for line in text.splitlines())]


def count_instructions(program, name, times):
    out = program.with_name("callgrind.out")
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "-q", str(program), name,
               str(times)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"bench-check: {name}: {done.stderr.strip() or 'failed'}")
    for line in out.read_text().splitlines():
        if line.startswith(("summary:", "totals:")):
            return int(line.split()[1])
    raise SystemExit(f"bench-check: {name}: callgrind gave no total")


def measure(program, names):
    """Instructions per joint: {name: number}."""
    kernels = list_kernels(program)
    unknown = sorted(set(names) - {name for name, _, _ in kernels})
    if unknown:
        raise SystemExit(f"bench-check: no kernel {', '.join(unknown)}; `{program}` lists them")
    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        bare = Path(scratch) / program.name  # valgrind trips over debug data newer than itself
        subprocess.run(["strip", "-o", bare, program], check=True)
        for name, joints, times in kernels:
            if not names or name in names:
                whole, before = (count_instructions(bare, name, n) for n in (times, 0))
                found[name] = round((whole - before) / (times * joints), 2)
    return found


def compare(baseline, found):
    """[(name, before or None, now or None, verdict)]; a verdict in capitals is a failure."""
    rows = []
    for name in list(baseline) + [n for n in found if n not in baseline]:
        before, now = baseline.get(name), found.get(name)
        if now is None:
            rows.append((name, before, now, "GONE"))
        elif before is None:
            rows.append((name, before, now, "new"))
        else:
            change = now / before - 1
            verdict = ("REGRESSION" if change > LIMIT
                       else "improved" if change < -LIMIT else "")
            rows.append((name, before, now, f"{100 * change:+.1f} % {verdict}".strip()))
    return rows


def print_rows(rows):
    print(f"{'kernel':24}{'baseline':>12}{'now':>12}  instructions per joint")
    for name, before, now, verdict in rows:
        cells = ["-" if x is None else f"{x:.1f}" for x in (before, now)]
        print(f"{name:24}{cells[0]:>12}{cells[1]:>12}  {verdict}")


def differences(there, here):
    return [f"{key} is {here[key]}, the baseline's is {there.get(key, 'unknown')}"
            for key in here if here[key] != there.get(key)]


def judge(rows, differing):
    """Says what follows from the comparison; the exit status."""
    bad = [name for name, _, _, verdict in rows if "REGRESSION" in verdict or verdict == "GONE"]
    better = [name for name, _, _, verdict in rows if "improved" in verdict or verdict == "new"]
    if better:
        print(f"bench-check: --update takes over what improved or is new: {', '.join(better)}")
    for text in differing:
        print(f"bench-check: note: {text}")
    if differing:
        print("bench-check: another build than the baseline's: for information only")
        return 0
    if bad:
        print(f"bench-check: more than {100 * LIMIT:.0f} % worse, or gone: {', '.join(bad)}")
        return 1
    print("bench-check: no kernel needs more instructions than it did")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="build folder")
    parser.add_argument("--baseline", type=Path, default=ROOT / "bench" / "baseline.json")
    parser.add_argument("--update", action="store_true", help="rewrite the baseline")
    parser.add_argument("names", metavar="NAME", nargs="*", help="only these kernels")
    options = parser.parse_args()
    program = options.build / "bench" / "sinew-kernels"
    if not program.exists():
        raise SystemExit(f"bench-check: {program} is not there; `make` builds it")
    stored = {"kernels": {}}
    if options.baseline.exists():
        stored = json.loads(options.baseline.read_text())
    elif not options.update:
        raise SystemExit(f"bench-check: {options.baseline} is not there; --update writes it")
    build, found = read_build(program), measure(program, options.names)
    kept = {name: x for name, x in stored["kernels"].items()
            if not options.names or name in options.names}
    rows = compare(kept, found)
    print_rows(rows)
    if not options.update:
        return judge(rows, differences(stored, build))
    if options.names:  # the others keep their numbers
        found = {**stored["kernels"], **found}
    new = {"unit": "instructions per joint", **build, "kernels": found}
    options.baseline.write_text(json.dumps(new, indent=1) + "\n")
    print(f"bench-check: wrote {options.baseline}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
