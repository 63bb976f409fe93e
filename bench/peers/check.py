#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every engine we compare with computes the qdd of the dynamics vectors.

Each program BUILD/peers/sinew-peer-* gets every model of VECTORS/models and every case that belongs
to it. A case with external forces, of which the programs know nothing, is asked without them; its
qdd is then M^-1 (tau - nle), from the M and nle of the file. A model that a program refuses as
unsupported is listed, and not an error.

usage: check.py BUILD VECTORS [-v]
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

# Of max |qdd - expected| over max |expected|. MuJoCo factors the joint-space inertia, whose condition
# grows as the fourth power of the length of a chain: 6e-11 at 64 straight links, 2e-8 at 256.
TOLERANCE = 1e-9
TOLERANCES = {"mujoco": 1e-6}
OTHER = {"sinew-peer-siconos"}  # solves contact problems, knows no models


class Peer:
    """A running helper program."""

    def __init__(self, program):
        self.name = program.name.removeprefix("sinew-peer-")
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split(maxsplit=1)
        if not answer:
            raise SystemExit(f"{self.name}: ended at: {command}")
        return answer[0], answer[1].strip() if len(answer) > 1 else ""

    def close(self):
        self.process.stdin.write("quit\n")
        self.process.stdin.close()
        return self.process.wait()


def solve(matrix, right):
    """x of M x = b, M symmetric positive definite: elimination without pivots."""
    n = len(right)
    rows = [list(row) + [b] for row, b in zip(matrix, right)]
    for i in range(n):
        for k in range(i + 1, n):
            factor = rows[k][i] / rows[i][i]
            if factor:
                for j in range(i, n + 1):
                    rows[k][j] -= factor * rows[i][j]
    x = [0.0] * n
    for i in reversed(range(n)):
        known = sum(rows[i][j] * x[j] for j in range(i + 1, n))
        x[i] = (rows[i][n] - known) / rows[i][i]
    return x


def expected_qdd(case):
    if not case.get("fext"):
        return case["qdd"]
    if "M" not in case:
        return None
    return solve(case["M"], [t - n for t, n in zip(case["tau"], case["nle"])])


def read_cases(vectors):
    """The cases of each model: {model: [(name, state, expected qdd)]}."""
    cases = {}
    for path in sorted(vectors.glob("*__*.json")):
        case = json.loads(path.read_text())
        qdd = expected_qdd(case)
        if qdd is not None:
            state = {key: case[key] for key in ("q", "v", "tau", "gravity")}
            cases.setdefault(case["model"], []).append((path.stem, state, qdd))
    return cases


def relative_error(answer, expected):
    got = [float(x) for x in answer.split()]
    if len(got) != len(expected):
        return float("inf")
    worst = 0.0
    for x, y in zip(got, expected):
        error = abs(x - y)
        if not error <= worst:  # so that a NaN stays
            worst = error
    return worst / max(map(abs, expected))


def check_model(peer, model, cases, state_file, verbose):
    """Worst error over the cases of a model, or why there is none."""
    word, text = peer.ask(f"model {model}")
    if word != "ok":
        return text
    worst = 0.0
    for name, state, expected in cases:
        state_file.write_text(json.dumps(state))
        for command in (f"state {state_file}", "time 2"):  # leave the nudged state behind
            word, text = peer.ask(command)
            if word == "error":
                return text
        word, text = peer.ask("qdd")
        error = relative_error(text, expected) if word == "qdd" else float("inf")
        if verbose:
            print(f"    {name:40} {error:.1e}")
        if not error <= worst:
            worst = error
    return worst


def check_peer(program, vectors, cases, state_file, verbose):
    """Checks one program on all models; True when all that it can do is right."""
    peer = Peer(program)
    worst, right, count, refused = ("-", 0.0), True, 0, []
    for model, of_model in cases.items():
        path = vectors / "models" / f"{model}.json"
        result = check_model(peer, path, of_model, state_file, verbose)
        if isinstance(result, str):
            refused.append(f"{model}: {result}")
            right = right and "unsupported" in result
            continue
        count += len(of_model)
        if not result <= worst[1]:
            worst = (model, result)
        if not result <= TOLERANCES.get(peer.name, TOLERANCE):
            right = False
            print(f"{peer.name}: {model}: off by {result:.1e}")
    right = peer.close() == 0 and right and count > 0
    print(f"{peer.name:8} {count} cases, worst {worst[1]:.1e} ({worst[0]})  "
          f"{'ok' if right else 'FAILED'}")
    for line in refused:
        print(f"         without {line}")
    return right


def main():
    arguments = [a for a in sys.argv[1:] if a != "-v"]
    if len(arguments) != 2:
        raise SystemExit(__doc__.split("\n\n")[-1].strip())
    build, vectors = Path(arguments[0]), Path(arguments[1])
    programs = sorted(p for p in (build / "peers").glob("sinew-peer-*") if p.name not in OTHER)
    if not programs:
        raise SystemExit(f"{build}/peers: no helper programs; `make peers` builds them")
    cases = read_cases(vectors)
    with tempfile.TemporaryDirectory() as scratch:
        state_file = Path(scratch) / "state.json"
        results = [check_peer(program, vectors, cases, state_file, "-v" in sys.argv)
                   for program in programs]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
