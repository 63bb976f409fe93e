#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A box falls onto a stack of three: what the floor and each box of the stack carry, as a plot and as numbers.

Before, each carries the weight of what is above it; then the blow goes down the stack; then each carries one box more.

    python3 contact_forces.py [--quick] [--out FOLDER]

Writes contact_forces.csv, and contact_forces.svg by matplotlib where it is installed, else by a few lines of our own.
"""

import argparse
from pathlib import Path

import numpy as np

import sinew

EDGE, MASS, DROP, G = 0.2, 1.0, 0.3, 9.81
NAMES = ["low", "middle", "high"]
SCENE = {
    "version": 1,
    "floor": True,
    "objects": [
        {"name": name, "box": [EDGE] * 3, "mass": MASS, "at": [0, 0, EDGE / 2 + k * EDGE + (DROP if k == 3 else 0)]}
        for k, name in enumerate([*NAMES, "falling"])
    ],
}


def measure(seconds):
    """Times, and for each box of the stack the force from below it (N), step by step."""
    sim = sinew.load(SCENE, sleep=False)
    boxes = [sim.body(name) for name in NAMES]
    times, forces = [], []
    while sim.time < seconds:
        sim.step()
        below = []
        for k, box in enumerate(boxes):
            contacts = box.contacts
            below.append(contacts["force"][contacts["b"] == (boxes[k - 1].index if k else -1), 2].sum())
        times.append(sim.time)
        forces.append(below)
    return np.array(times), np.array(forces)


def plot(path, times, forces):
    """A line for each box."""
    labels = ["floor on low", "low on middle", "middle on high"]
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        plot_by_hand(path, times, forces, labels)
        return "by hand"
    figure, axes = pyplot.subplots(figsize=(8, 4))
    for column, label in zip(forces.T, labels):
        axes.plot(times, column, label=label, linewidth=1)
    for k in range(1, 5):
        axes.axhline(k * MASS * G, color="lightgrey", linewidth=0.8, zorder=0)
    axes.set(xlabel="time [s]", ylabel="force [N]", title=f"A box falls onto a stack of three; the blow, {forces.max():.0f} N, is cut off")
    axes.set_ylim(0, 8 * MASS * G)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path)
    return "by matplotlib"


def plot_by_hand(path, times, forces, labels, width=800, height=400, top=8 * MASS * G):
    """The same without matplotlib."""
    x = 50 + (width - 70) * times / times[-1]
    y = height - 40 - (height - 60) * np.clip(forces, 0, top) / top
    colors = ["#1f77b4", "#ff7f0e", "#2ca02c"]
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">']
    parts.append(f'<rect width="{width}" height="{height}" fill="white"/>')
    for k in range(9):
        at = height - 40 - (height - 60) * k / 8
        parts.append(f'<path d="M50 {at:.1f}H{width - 20}" stroke="#ddd"/>')
        parts.append(f'<text x="44" y="{at + 4:.1f}" text-anchor="end">{k * MASS * G:.0f}</text>')
    for t in np.arange(0, times[-1] + 1e-9, 0.1):
        parts.append(f'<text x="{50 + (width - 70) * t / times[-1]:.1f}" y="{height - 22}" text-anchor="middle">{t:.1f}</text>')
    parts.append(f'<text x="{width / 2}" y="{height - 6}" text-anchor="middle">time [s]</text><text x="52" y="14">force [N]</text>')
    for k, (label, color) in enumerate(zip(labels, colors)):
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y[:, k]))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}"/>')
        parts.append(f'<text x="{width - 140}" y="{40 + 16 * k}" fill="{color}">{label}</text>')
    path.write_text("\n".join([*parts, "</svg>\n"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="1 s instead of 2")
    parser.add_argument("--out", type=Path, default=Path("."), help="where files are written")
    given = parser.parse_args()
    times, forces = measure(1.0 if given.quick else 2.0)
    header = "time," + ",".join(NAMES)
    np.savetxt(given.out / "contact_forces.csv", np.column_stack((times, forces)), "%.6g", ",", header=header, comments="")
    how = plot(given.out / "contact_forces.svg", times, forces)
    before, after = forces[times < 0.2][20:].mean(axis=0), forces[-100:].mean(axis=0)
    print("              ", *(f"{name:>8}" for name in NAMES))
    for label, row in (("before", before), ("at most", forces.max(axis=0)), ("after", after)):
        print(f"{label:>8} [N]   ", *(f"{force:8.2f}" for force in row))
    print(f"contact_forces.svg ({how}) and contact_forces.csv are in {given.out}")
    boxes_above = np.array([3, 2, 1])
    right = np.allclose(before, boxes_above * MASS * G, rtol=0.01) and np.allclose(after, (boxes_above + 1) * MASS * G, rtol=0.01)
    return 0 if right else 1


if __name__ == "__main__":
    raise SystemExit(main())
