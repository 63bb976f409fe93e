#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write models/double_pendulum.urdf, models/snake.urdf and models/cable.urdf.

Round numbers of our own choice; each file says what they are and which formula gives the
inertias.
"""

import math
import sys

from urdf_writer import (Joint, Link, Robot, argument_parser, box, cylinder, sphere,
                         write_or_check)

CYLINDER = """Inertia of a uniform cylinder of mass m, radius r, length l about its centre:
across m (3 r^2 + l^2) / 12, along its axis m r^2 / 2."""

PENDULUM_HEADER = f"""
Double pendulum: two equal rods on frictionless hinges about y, hanging from a fixed base.
m = 1.2 kg, l = 1 m, r = 0.02 m each.

{CYLINDER}
Here, exactly: across 1.2 (0.0012 + 1) / 12 = 0.10012 kg m^2, along 0.00024 kg m^2.
At q = 0 it hangs straight down, the lower end at z = -2 m; positive q swings a rod towards -x.

Written by tools/make_chains.py; change that, not this file.
"""

SNAKE_HEADER = f"""
Snake robot: 20 links on 19 hinges, alternating yaw (about z) and pitch (about y), free base.
Each link m = 0.3 kg, l = 0.1 m along x, r = 0.03 m: 6 kg, 2 m. Sizes, masses, ranges, effort,
velocity, damping and friction are our estimates for a robot of small servo modules.

{CYLINDER}
At q = 0 it lies straight along x, its head (link_01) in front; the origin of a link is the
hinge at its front end, of link_01 its front face. It lies on the floor with the base at
z = 0.03 m.

Written by tools/make_chains.py; change that, not this file.
"""

CABLE_HEADER = f"""
Hanging cable: 50 links on 50 spherical joints (type="spherical", as Bullet writes them) below a
fixed base, with a weight fixed to the last link. Each link m = 0.016 kg, l = 0.04 m,
r = 0.005 m: 2 m of steel rope at 0.4 kg/m. Weight: a steel ball of 0.9 kg, r = 0.03 m.
Total 1.7 kg. Masses and damping are our estimates.

{CYLINDER}
Of a ball: 2 m r^2 / 5.
At q = 0 it hangs straight down; the centre of the ball is at z = -2.03 m.

Written by tools/make_chains.py; change that, not this file.
"""

MATERIALS = {"metal": (0.62, 0.65, 0.69, 1), "dark": (0.25, 0.28, 0.33, 1),
             "accent": (0.80, 0.45, 0.18, 1)}


def double_pendulum(mass=1.2, length=1.0, radius=0.02):
    robot = Robot("double_pendulum", PENDULUM_HEADER,
                  Link("base", [box((0.1, 0.1, 0.1), collision=False)], material="dark"), MATERIALS)
    parent, at = "base", (0, 0, 0)
    for name in ("upper", "lower"):
        robot.add(Joint(f"{name}_hinge", "continuous", parent, f"{name}_rod", at, (0, 1, 0),
                        damping=0, friction=0, note="a hinge without limits"),
                  Link(f"{name}_rod", [cylinder(radius, length, (0, 0, -length / 2), mass)],
                       material="metal"))
        parent, at = f"{name}_rod", (0, 0, -length)
    return robot


def snake(links=20, mass=0.3, length=0.1, radius=0.03):
    robot = Robot("snake", SNAKE_HEADER, Link("world"), MATERIALS)
    limit = (-math.pi / 2, math.pi / 2, 8, 5)
    for i in range(1, links + 1):
        name = f"link_{i:02}"
        yaw = i % 2 == 0
        if i == 1:
            joint = Joint("root", "floating", "world", name, note="free base")
        else:
            joint = Joint(f"{'yaw' if yaw else 'pitch'}_{i - 1:02}", "revolute",
                          f"link_{i - 1:02}", name, (-length, 0, 0),
                          (0, 0, 1) if yaw else (0, 1, 0), limit, 0.05, 0.02)
        robot.add(joint, Link(name, [cylinder(radius, length, (-length / 2, 0, 0), mass, axis="x")],
                              material="accent" if i == 1 else "metal" if yaw else "dark"))
    return robot


def cable(links=50, mass=0.016, length=0.04, radius=0.005):
    robot = Robot("cable", CABLE_HEADER,
                  Link("base", [box((0.1, 0.1, 0.02), (0, 0, 0.01), collision=False)],
                       material="dark"), MATERIALS)
    parent, at = "base", (0, 0, 0)
    for i in range(1, links + 1):
        name = f"link_{i:02}"
        robot.add(Joint(f"ball_{i:02}", "spherical", parent, name, at, damping=5e-5),
                  Link(name, [cylinder(radius, length, (0, 0, -length / 2), mass)],
                       material="metal"))
        parent, at = name, (0, 0, -length)
    robot.add(Joint("weight_mount", "fixed", parent, "weight", at),
              Link("weight", [sphere(0.03, (0, 0, -0.03), 0.9)], material="accent"))
    return robot


def main():
    args = argument_parser(__doc__.split("\n")[0]).parse_args()
    files = {robot.name + ".urdf": robot.text() for robot in (double_pendulum(), snake(), cable())}
    return write_or_check(files, args.check, "make_chains.py")


if __name__ == "__main__":
    sys.exit(main())
