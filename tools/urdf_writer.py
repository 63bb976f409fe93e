# SPDX-License-Identifier: Apache-2.0
"""Write small, readable URDF files from tables of links and joints.

Shared by make_hrp2.py, make_human.py and make_chains.py. A model is a list of (joint, link)
pairs in tree order; a link is a list of primitive shapes, each of uniform density, and its
mass, centre of mass and inertia are the sums over those shapes unless given explicitly.
SI units and radians; x forward, y left, z up. All frames are parallel when every joint is 0.
"""

import argparse
import math
import sys
from dataclasses import dataclass, field
from pathlib import Path

MODELS = Path(__file__).resolve().parent.parent / "models"

# Rotation that carries the z axis of a URDF cylinder to the named axis.
CYLINDER_RPY = {"x": (0, math.pi / 2, 0), "y": (math.pi / 2, 0, 0), "z": (0, 0, 0)}


@dataclass
class Shape:
    """A box, cylinder or sphere with its centre at `at` in the link's frame."""
    kind: str
    size: tuple            # box: x, y, z; cylinder: radius, length; sphere: radius
    at: tuple = (0, 0, 0)
    mass: float = 0.0
    axis: str = "z"        # of a cylinder
    collision: bool = True
    material: str = ""     # empty: the link's material

    def half_extents(self):
        if self.kind == "box":
            return tuple(s / 2 for s in self.size)
        if self.kind == "sphere":
            return self.size * 3
        radius, length = self.size
        return tuple(length / 2 if a == self.axis else radius for a in "xyz")

    def moments(self):
        """Principal moments about the shape's centre, along x, y, z."""
        if self.kind == "box":
            x, y, z = self.size
            return tuple(self.mass * s / 12 for s in (y * y + z * z, x * x + z * z, x * x + y * y))
        if self.kind == "sphere":
            return (self.mass * self.size[0] ** 2 * 2 / 5,) * 3
        radius, length = self.size
        along = self.mass * radius ** 2 / 2
        across = self.mass * (3 * radius ** 2 + length ** 2) / 12
        return tuple(along if a == self.axis else across for a in "xyz")


def box(size, at=(0, 0, 0), mass=0.0, **more):
    return Shape("box", tuple(size), tuple(at), mass, **more)


def cylinder(radius, length, at=(0, 0, 0), mass=0.0, **more):
    return Shape("cylinder", (radius, length), tuple(at), mass, **more)


def sphere(radius, at=(0, 0, 0), mass=0.0, **more):
    return Shape("sphere", (radius,), tuple(at), mass, **more)


@dataclass
class Inertial:
    """Mass, centre of mass, and inertia about it: (xx, yy, zz, xy, xz, yz)."""
    mass: float
    com: tuple
    inertia: tuple


@dataclass
class Link:
    name: str
    shapes: list = field(default_factory=list)
    inertial: Inertial = None   # None: from the shapes; a link without mass is a frame
    material: str = ""
    note: str = ""              # comment of the inertial element

    def mass_properties(self):
        """Inertial of the link, or None for a massless frame."""
        if self.inertial:
            return self.inertial
        mass = math.fsum(s.mass for s in self.shapes)
        if mass == 0:
            return None
        com = tuple(math.fsum(s.mass * s.at[k] for s in self.shapes) / mass for k in range(3))
        total = [0.0] * 6
        for s in self.shapes:   # parallel axes: I + m (d.d 1 - d d')
            x, y, z = (s.at[k] - com[k] for k in range(3))
            steiner = (y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z)
            for k, moment in enumerate(s.moments() + (0, 0, 0)):
                total[k] += moment + s.mass * steiner[k]
        return Inertial(mass, com, tuple(total))


@dataclass
class Joint:
    name: str
    kind: str                   # fixed, floating, revolute, continuous, spherical
    parent: str
    child: str
    at: tuple = (0, 0, 0)
    axis: tuple = None
    limit: tuple = None         # lower, upper [rad], effort [N m], velocity [rad/s]
    damping: float = None       # N m s/rad
    friction: float = None      # N m
    note: str = ""              # comment before the joint
    limit_note: str = ""        # comment before the limit


class Robot:
    """Links and joints in file order, written as one URDF document."""

    def __init__(self, name, header, root, materials=None):
        self.name = name
        self.header = header
        self.materials = materials or {}
        self.root = root
        self.items = []         # strings (section titles) and (Joint, Link) pairs

    def section(self, title):
        self.items.append(title)

    def add(self, joint, link):
        assert joint.child == link.name, joint.child
        self.items.append((joint, link))

    def frame(self, name, parent, at, note=""):
        """A massless link fixed to parent, addressable by name."""
        self.add(Joint(name + "_mount", "fixed", parent, name, at, note=note), Link(name))

    def pairs(self):
        return [item for item in self.items if not isinstance(item, str)]

    def links(self):
        return [self.root] + [link for _, link in self.pairs()]

    def joints(self):
        return [joint for joint, _ in self.pairs()]

    def mass(self):
        inertials = (link.mass_properties() for link in self.links())
        return math.fsum(i.mass for i in inertials if i)

    def origins(self):
        """Position of each link's frame when all joints are zero and the root is at 0."""
        at = {self.root.name: (0.0, 0.0, 0.0)}
        for joint in self.joints():
            at[joint.child] = tuple(p + d for p, d in zip(at[joint.parent], joint.at))
        return at

    def text(self):
        out = ['<?xml version="1.0"?>', "<!-- SPDX-License-Identifier: Apache-2.0 -->"]
        out += ["<!--"] + ["  " + line if line else "" for line in self.header.strip().split("\n")]
        out += ["-->", f'<robot name="{self.name}">']
        for name, rgba in self.materials.items():
            out.append(f'  <material name="{name}"><color rgba="{numbers(rgba)}"/></material>')
        out += link_lines(self.root)
        for item in self.items:
            out.append("")
            if isinstance(item, str):
                out.append(f"  <!-- {item} -->")
            else:
                out += joint_lines(item[0]) + link_lines(item[1])
        for line in out:  # XML forbids two hyphens in a row inside a comment
            assert "--" not in line.replace("<!--", "").replace("-->", ""), line
        return "\n".join(out + ["</robot>"]) + "\n"


def number(value, digits=9):
    """Shortest decimal with that many significant digits; nanometres and less are zero."""
    text = format(0.0 if abs(value) < 1e-12 else value, f".{digits}g")
    return "0" if text == "-0" else text


def numbers(values):
    return " ".join(number(0.0 if abs(v) < 1e-10 else v) for v in values)


def origin(at, rpy=(0, 0, 0)):
    turn = f' rpy="{numbers(rpy)}"' if any(rpy) else ""
    return f'<origin xyz="{numbers(at)}"{turn}/>'


def geometry(shape):
    if shape.kind == "box":
        body = f'<box size="{numbers(shape.size)}"/>'
    elif shape.kind == "sphere":
        body = f'<sphere radius="{number(shape.size[0])}"/>'
    else:
        radius, length = shape.size
        body = f'<cylinder radius="{number(radius)}" length="{number(length)}"/>'
    rpy = CYLINDER_RPY[shape.axis] if shape.kind == "cylinder" else (0, 0, 0)
    return f"{origin(shape.at, rpy)}<geometry>{body}</geometry>"


def link_lines(link):
    inertial = link.mass_properties()
    if not inertial and not link.shapes:
        return [f'  <link name="{link.name}"/>']
    out = [f'  <link name="{link.name}">']
    if inertial:
        if link.note:
            out.append(f"    <!-- {link.note} -->")
        xx, yy, zz, xy, xz, yz = (number(v, 7) for v in inertial.inertia)
        out += [
            "    <inertial>",
            f"      {origin(inertial.com)}",
            f'      <mass value="{number(inertial.mass)}"/>',
            f'      <inertia ixx="{xx}" ixy="{xy}" ixz="{xz}" iyy="{yy}" iyz="{yz}" izz="{zz}"/>',
            "    </inertial>",
        ]
    for shape in link.shapes:
        material = shape.material or link.material
        colour = f'<material name="{material}"/>' if material else ""
        out.append(f"    <visual>{geometry(shape)}{colour}</visual>")
    for shape in link.shapes:
        if shape.collision:
            out.append(f"    <collision>{geometry(shape)}</collision>")
    return out + ["  </link>"]


def joint_lines(joint):
    out = [f"  <!-- {joint.note} -->"] if joint.note else []
    out += [
        f'  <joint name="{joint.name}" type="{joint.kind}">',
        f'    <parent link="{joint.parent}"/>',
        f'    <child link="{joint.child}"/>',
        f"    {origin(joint.at)}",
    ]
    if joint.axis:
        out.append(f'    <axis xyz="{numbers(joint.axis)}"/>')
    if joint.limit_note:
        out.append(f"    <!-- {joint.limit_note} -->")
    if joint.limit:
        lower, upper, effort, velocity = joint.limit
        out.append(f'    <limit lower="{number(lower, 7)}" upper="{number(upper, 7)}"'
                   f' effort="{number(effort)}" velocity="{number(velocity)}"/>')
    if joint.damping is not None:
        friction = f' friction="{number(joint.friction)}"' if joint.friction is not None else ""
        out.append(f'    <dynamics damping="{number(joint.damping)}"{friction}/>')
    return out + ["  </joint>"]


def argument_parser(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--check", action="store_true",
                        help="write nothing; fail if a shipped file is out of date")
    return parser


def write_or_check(files, check, tool):
    """files: {name in models/: text}. Returns the exit status of the tool."""
    stale = 0
    for name, text in files.items():
        path = MODELS / name
        if not check:
            path.write_text(text, encoding="utf-8")
            print(f"models/{name}: written, {len(text.encode())} bytes")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            print(f"models/{name}: out of date; run tools/{tool}", file=sys.stderr)
            stale = 1
    return stale
