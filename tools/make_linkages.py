#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write models/four_bar.json, a mechanism with a closed loop.

Round numbers of our own choice. URDF has no loops, so this is a JSON model (docs/eval.md).
"""

import json
import sys

from urdf_writer import argument_parser, write_or_check

SOURCE = """Four-bar linkage, a crank-rocker: crank 0.2 m, coupler 0.6 m, rocker 0.7 m, ground 0.9 m between its
pivots (0.2 + 0.9 < 0.6 + 0.7: the crank turns fully, the rocker swings). Uniform steel rods, r = 0.01 m,
1.5 kg/m, frictionless hinges about y. The pin between coupler and rocker closes the loop; at q = 0 it is
closed, crank upright: its ends are at (0, 0, 0) and (0, 0, 0.2), the pin at (0.48, 0, 0.56), the rocker's
pivot at (0.9, 0, 0). Inertia of a rod of mass m, length l: across m (3 r^2 + l^2) / 12, along m r^2 / 2.
Written by tools/make_linkages.py; change that, not this file."""

IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1]
RADIUS = 0.01    # m
DENSITY = 1.5    # kg/m

# Pivot in the parent, then from the pivot to the far end, both at q = 0 where all frames are parallel.
RODS = [
    ("crank", -1, (0, 0, 0), (0, 0, 0.2)),
    ("coupler", 0, (0, 0, 0.2), (0.48, 0, 0.36)),
    ("rocker", -1, (0.9, 0, 0), (-0.42, 0, 0.56)),
]
COLORS = [(0.80, 0.45, 0.18, 1), (0.62, 0.65, 0.69, 1), (0.25, 0.28, 0.33, 1)]


def rounded(values):
    """Without the rounding of binary fractions, and integers as such."""
    values = [round(v, 12) for v in values]
    return [int(v) if v == int(v) else v for v in values]


def length(v):
    return sum(x * x for x in v) ** 0.5


def inertia(mass, reach):
    """xx, xy, xz, yy, yz, zz about the middle of a rod from the origin to `reach`."""
    l = length(reach)
    u = [x / l for x in reach]
    across, along = mass * (3 * RADIUS**2 + l**2) / 12, mass * RADIUS**2 / 2
    return rounded((across if i == j else 0) + (along - across) * u[i] * u[j]
                   for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)))


def body(name, parent, at, reach):
    mass = DENSITY * length(reach)
    return {"name": name, "joint": name + "_hinge", "parent": parent, "type": "revolute",
            "axis": [0, 1, 0], "placement": {"R": IDENTITY, "p": rounded(at)},
            "mass": rounded([mass])[0], "com": rounded(x / 2 for x in reach),
            "inertia_com": inertia(mass, reach)}


def shape(index, reach, color):
    l = length(reach)
    x, z = reach[0] / l, reach[2] / l   # turned about y so that its axis lies along the rod
    return {"body": index, "type": "cylinder", "use": "both",
            "pose": {"R": rounded([z, 0, x, 0, 1, 0, -x, 0, z]), "p": rounded(v / 2 for v in reach)},
            "size": rounded([RADIUS, RADIUS, l]), "color": rounded(color)}


def four_bar():
    ends = [("coupler_end", 1), ("rocker_end", 2)]
    return {
        "format": "sinew-model", "version": 1, "name": "four_bar", "source": SOURCE,
        "nq": 3, "nv": 3,
        "bodies": [body(*rod) for rod in RODS],
        "links": [{"name": name, "body": i, "R": IDENTITY, "p": rounded(RODS[i][3])}
                  for name, i in ends],
        "shapes": [shape(i, rod[3], COLORS[i]) for i, rod in enumerate(RODS)],
        "loops": [{"name": "pin", "type": "revolute", "axis": [0, 1, 0], "t_s": 0.02,
                   "body_a": 1, "link_a": "coupler_end", "body_b": 2, "link_b": "rocker_end"}],
    }


def text_of(model):
    """One line a key, one line an element of a list."""
    lines = []
    for key, value in model.items():
        if isinstance(value, list):
            elements = ",\n".join("    " + json.dumps(v) for v in value)
            lines.append(f"{json.dumps(key)}: [\n{elements}\n]")
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main():
    args = argument_parser(__doc__.split("\n")[0]).parse_args()
    return write_or_check({"four_bar.json": text_of(four_bar())}, args.check, "make_linkages.py")


if __name__ == "__main__":
    sys.exit(main())
