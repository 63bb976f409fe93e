#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write models/human.urdf and models/human_female.urdf, or a human of any height and mass.

Masses, centres of mass and radii of gyration come from tools/anthropometry.csv [dL96]; so do
the lengths, scaled by height. Shapes are ours; they carry no mass and decide only how the
body looks and what it touches.
"""

import csv
import math
import sys
from pathlib import Path

from urdf_writer import (Inertial, Joint, Link, Robot, argument_parser, box, cylinder, number,
                         sphere, write_or_check)

SHIPPED = {"human.urdf": ("male", 1.74, 73.0), "human_female.urdf": ("female", 1.65, 58.0)}

MEAN_HEIGHT = {"male": 1.741, "female": 1.735}  # m, subjects of the table [dL96]

# Fractions of body height [WIN09 fig 4.1, after Drillis and Contini].
ANKLE_HEIGHT, FOOT_BREADTH, EYE_HEIGHT = 0.039, 0.055, 0.936

# Fractions of body height, our estimates.
HIPS = 0.100           # between the hip centres
SHOULDERS = 0.230      # between the shoulder centres
CHEST = (0.115, 0.174)   # depth and width of the boxes of the trunk
WAIST = (0.110, 0.160)
PELVIS = (0.115, 0.178)
HEAD_RADIUS, JAW_RADIUS, NECK_RADIUS, HEAD_HEIGHT = 0.055, 0.038, 0.030, 0.130
HAND_BREADTH, HAND_DEPTH = 0.048, 0.016
HEEL = 0.24            # of the foot's length: ankle ahead of the heel
DENSITY = 1050.0       # kg/m^3, limbs as cylinders of this density

# N m s/rad about each axis, our estimates: a limp body comes to rest in some seconds.
DAMPING = {"spine_lower": 10.0, "spine_upper": 10.0, "neck": 1.0, "shoulder": 1.0, "elbow": 0.3,
           "wrist": 0.05, "hip": 5.0, "knee": 1.0, "ankle": 0.5}

MATERIALS = {
    "skin": (0.87, 0.69, 0.56, 1),
    "shirt": (0.30, 0.46, 0.58, 1),
    "trousers": (0.28, 0.29, 0.34, 1),
    "dark": (0.17, 0.15, 0.14, 1),
}

# Boxes of the foot that stand on the ground. Fractions: x of the foot's length from the heel,
# y of half its breadth from the lateral edge (-1) to the medial edge (1), height of the ankle's.
# The medial midfoot is left out: that is the arch.
SOLE_BOXES = [
    #  x from, to     y from, to     height    part
    (0.000, 0.230, -0.62, -0.02, 0.75),  # heel, lateral
    (0.000, 0.230,  0.02,  0.62, 0.75),  # heel, medial
    (0.240, 0.410, -0.82, -0.20, 0.65),  # lateral midfoot, rear
    (0.420, 0.590, -0.90, -0.20, 0.60),  # lateral midfoot, front
    (0.600, 0.740, -1.00, -0.62, 0.50),  # ball under the fifth toe
    (0.600, 0.750, -0.60, -0.24, 0.50),
    (0.600, 0.755, -0.22,  0.14, 0.50),
    (0.600, 0.760,  0.16,  0.52, 0.50),
    (0.600, 0.760,  0.54,  1.00, 0.50),  # ball under the big toe
    (0.750, 0.880, -0.96, -0.64, 0.28),  # fifth toe
    (0.760, 0.920, -0.58, -0.26, 0.28),
    (0.765, 0.955, -0.20,  0.12, 0.28),
    (0.770, 0.985,  0.18,  0.50, 0.28),
    (0.770, 1.000,  0.56,  0.98, 0.34),  # big toe
]

# Boxes of the hand that lie on its palmar plane. Fractions: z along the hand from the wrist,
# in metacarpal lengths up to 1 and finger lengths beyond; x of half its breadth, -1 the edge
# of the little finger; depth of the hand's.
PALM_BOXES = [
    #  z from, to      x from, to     depth
    (0.04, 0.98, -1.00, -0.02, 1.00),   # palm
    (0.04, 0.98,  0.02,  1.00, 1.00),
    (1.00, 1.50,  0.54,  0.98, 0.75),   # index
    (1.52, 1.91,  0.56,  0.96, 0.65),
    (1.00, 1.54,  0.03,  0.50, 0.75),   # middle
    (1.56, 2.00,  0.05,  0.48, 0.65),
    (1.00, 1.51, -0.48, -0.03, 0.75),   # ring
    (1.53, 1.93, -0.46, -0.05, 0.65),
    (1.00, 1.40, -0.98, -0.54, 0.75),   # little
    (1.42, 1.74, -0.96, -0.56, 0.65),
    (0.30, 0.70,  1.04,  1.52, 0.80),   # thumb
    (0.72, 1.15,  1.10,  1.52, 0.70),
]

HEADER = """
Human, {sex}, {height} m, {mass} kg: 13 spherical joints (two in the spine, neck, shoulders,
elbows, wrists, hips, ankles), hinges at the knees: 41 degrees of freedom, and a free base.

Sources. [dL96]: de Leva, "Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters",
J. Biomechanics 29 (1996): mass fractions, centres of mass and three radii of gyration of each
segment, and the mean lengths, scaled by height / {mean} m. The table, with source and licence
(BMClab/BMC, CC-BY-4.0), is tools/anthropometry.csv. [WIN09]: Winter, Biomechanics and Motor
Control of Human Movement: heights of ankle and eyes, breadth of the foot, as fractions of body
height. Everything else is our estimate: the shapes, the places of hips and shoulders sideways,
the ankle ahead of the heel, damping, and the limits of the knees.
Departures from the table: the fractions of mass are divided by their sum ({sum}) so that the
total is exactly {mass} kg; the vertical lengths (head, trunk, thigh, shank) are multiplied by
{stretch} so that ankle height and lengths add up to the body height.

Frames: x forward, y left, z up, all parallel when every joint is zero: standing upright, arms
down, palms towards the thighs. The origin of `pelvis` is midway between the hip centres.
Standing height: with the pelvis at z = {standing} m and all joints zero the soles are at z = 0
and the top of the head is at z = {height} m. Spherical joints (type="spherical", as Bullet
writes them) have no limits here: URDF cannot express them.

Contact: each sole is {sole_boxes} boxes with their lower faces in the sole plane: {sole} corners per
foot, {soles} standing. Each hand has {palm_boxes} boxes on its palmar plane: {palm} corners.

Fixed frames: l_/r_sole (centre of the sole), l_/r_palm (centre of the palm, on its surface; the
left palm faces -y, the right +y), gaze (between the eyes, x is the line of sight), head_top.

Written by tools/make_human.py; change that, not this file.
"""


def load_table(sex):
    """{(segment, from, to): row} with lengths in metres, for one sex."""
    column = "_" + sex[0]
    path = Path(__file__).resolve().parent / "anthropometry.csv"
    lines = [line for line in path.read_text(encoding="utf-8").splitlines()
             if line and not line.startswith("#")]
    table = {}
    for row in csv.DictReader(lines):
        values = {key[:-2]: float(value) for key, value in row.items() if key.endswith(column)}
        values["length"] /= 1000.0
        values["use"] = row["use"]
        table[row["segment"], row["from"], row["to"]] = values
    return table


class Body:
    """Lengths and inertias of one person; positions are heights above the sole."""

    VERTICAL = ("head", "upper_trunk", "middle_trunk", "lower_trunk", "thigh", "shank")
    PAIRED = ("upper_arm", "forearm", "hand", "thigh", "shank", "foot")

    def __init__(self, sex, height, mass):
        self.sex, self.height, self.mass = sex, height, mass
        table = load_table(sex)
        self.rows = {key[0]: row for key, row in table.items() if row["use"] == "m"}
        scale = height / MEAN_HEIGHT[sex]
        self.ankle = ANKLE_HEIGHT * height
        stack = sum(self.rows[s]["length"] for s in self.VERTICAL) * scale
        self.stretch = (height - self.ankle) / stack
        tall = {s: scale * (self.stretch if s in self.VERTICAL else 1) for s in self.rows}
        self.length = {s: round(row["length"] * tall[s], 5) for s, row in self.rows.items()}
        self.shoulder = table["trunk", "MIDS", "MIDH"]["length"] * scale * self.stretch
        self.fingertip = table["hand", "WJC", "DAC3"]["length"] * scale
        self.fraction_sum = sum(row["mass"] * (2 if s in self.PAIRED else 1)
                                for s, row in self.rows.items())
        self.masses = {s: round(row["mass"] / self.fraction_sum * mass, 5)
                       for s, row in self.rows.items()}
        # What rounding leaves over goes to the pelvis, so that the total is exact.
        rest = sum(m * (2 if s in self.PAIRED else 1)
                   for s, m in self.masses.items() if s != "lower_trunk")
        self.masses["lower_trunk"] = round(mass - rest, 5)
        self.ankle = round(height - sum(self.length[s] for s in self.VERTICAL), 5)
        self.standing = self.ankle + self.length["shank"] + self.length["thigh"]

    def inertial(self, segment, start, direction, axes=("rs", "rt", "rl")):
        """Inertial of a segment whose first endpoint is at `start`; `direction` is the unit
        vector to the other endpoint, `axes` the radii of gyration about x, y, z."""
        row, length, mass = self.rows[segment], self.length[segment], self.masses[segment]
        com = tuple(round(p + d * row["com"] * length, 6) for p, d in zip(start, direction))
        moments = tuple(mass * (row[a] * length) ** 2 for a in axes)
        return Inertial(mass, com, moments + (0, 0, 0))

    def radius(self, segment):
        """Radius of the cylinder of the segment's mass and length."""
        return math.sqrt(self.masses[segment] / (DENSITY * math.pi * self.length[segment]))


def span_box(x, y, z):
    """Box between two corners given as (from, to) per axis, rounded to 0.01 mm."""
    lo, hi = zip(*((round(min(a), 5), round(max(a), 5)) for a in (x, y, z)))
    return box([h - l for l, h in zip(lo, hi)], [(l + h) / 2 for l, h in zip(lo, hi)])


def foot_shapes(body, s):
    """Boxes of the foot in the ankle's frame; s = 1 left, -1 right."""
    length, half, ankle = body.length["foot"], FOOT_BREADTH * body.height / 2, body.ankle
    shapes = []
    for x0, x1, y0, y1, tall in SOLE_BOXES:  # medial is -y on the left
        shapes.append(span_box([(x - HEEL) * length for x in (x0, x1)],
                               [-s * y * half for y in (y0, y1)],
                               [-ankle, -ankle * (1 - tall)]))
    # Instep, above the arch: touches nothing while the sole is flat.
    shapes.append(span_box([(x - HEEL) * length for x in (0.10, 0.60)],
                           [-s * y * half for y in (-0.60, 0.70)],
                           [-ankle * 0.75, -ankle * 0.25]))
    return shapes + [sphere(round(0.6 * ankle, 5))]


def hand_shapes(body, s):
    """Boxes of the hand in the wrist's frame, palm facing the body; s = 1 left, -1 right."""
    palm, finger = body.length["hand"], body.fingertip - body.length["hand"]
    half, depth = HAND_BREADTH * body.height / 2, HAND_DEPTH * body.height
    def along(z):
        return -(min(z, 1) * palm + max(z - 1, 0) * finger)
    return [span_box([x0 * half, x1 * half], [-s * depth / 2, s * (deep - 0.5) * depth],
                     [along(z0), along(z1)])
            for z0, z1, x0, x1, deep in PALM_BOXES]


def limb_shapes(body, segment, share=1.0, radius=None):
    """Round limb hanging from its joint: a sphere there and two cylinders, the lower thinner."""
    r, half = radius or body.radius(segment), round(body.length[segment] * share / 2, 5)
    thick, thin = round(r, 5), round(0.82 * r, 5)
    return [sphere(thick), cylinder(thick, half, (0, 0, -half / 2)),
            cylinder(thin, half, (0, 0, -half * 1.5))]


def ball(body, name, parent, child, at, note=""):
    kind = name[2:] if name[:2] in ("l_", "r_") else name
    return Joint(name, "spherical", parent, child, tuple(round(v, 6) for v in at),
                 damping=DAMPING[kind], note=note)


def add_trunk(robot, body):
    h, length = body.height, body.length
    up, down = (0, 0, 1), (0, 0, -1)

    def trunk_box(size, low, high):
        return box((round(size[0] * h, 5), round(size[1] * h, 5), round(high - low, 5)),
                   (0, 0, round((low + high) / 2, 5)))

    lower, middle, upper = (length[s + "_trunk"] for s in ("lower", "middle", "upper"))
    robot.add(Joint("root", "floating", "world", "pelvis",
                    note=f"free base; stands with the pelvis at z = {number(body.standing)} m"),
              Link("pelvis", [trunk_box(PELVIS, -0.3 * lower, lower)],
                   body.inertial("lower_trunk", (0, 0, lower), down), "trousers",
                   "lower trunk, navel to hip centres [dL96]"))
    robot.section("spine, neck and head")
    robot.add(ball(body, "spine_lower", "pelvis", "abdomen", (0, 0, lower), "at the navel"),
              Link("abdomen", [trunk_box(WAIST, 0, middle)],
                   body.inertial("middle_trunk", (0, 0, middle), down), "shirt",
                   "middle trunk, xiphion to navel [dL96]"))
    shoulder = body.shoulder - lower - middle
    chest = shoulder + 0.02 * h
    robot.add(ball(body, "spine_upper", "abdomen", "chest", (0, 0, middle), "at the xiphion"),
              Link("chest", [trunk_box(CHEST, 0, chest)],
                   body.inertial("upper_trunk", (0, 0, upper), down), "shirt",
                   "upper trunk, cervicale to xiphion [dL96]"))
    head, r = length["head"], round(HEAD_RADIUS * h, 5)
    neck_low, neck_high, jaw = chest - upper, head - r, round(JAW_RADIUS * h, 5)
    robot.add(ball(body, "neck", "chest", "head", (0, 0, upper), "at the cervicale"),
              Link("head", [sphere(r, (0, 0, round(head - r, 6))),
                            sphere(jaw, (round(0.012 * h, 5), 0,
                                         round(head - HEAD_HEIGHT * h + jaw, 5))),
                            cylinder(round(NECK_RADIUS * h, 5), round(neck_high - neck_low, 5),
                                     (0, 0, round((neck_high + neck_low) / 2, 5))),
                            box((0.015, 0.02, 0.03), (r, 0, round(head - 0.085 * h, 5)),
                                collision=False)],
                   body.inertial("head", (0, 0, head), down), "skin",
                   "head and neck, vertex to cervicale [dL96]"))
    eyes = head - (1 - EYE_HEIGHT) * h
    robot.frame("gaze", "head", (r, 0, round(eyes, 5)), "eyes at 0.936 of body height [WIN09]")
    robot.frame("head_top", "head", (0, 0, head))
    return shoulder


def add_arm(robot, body, side, shoulder):
    s, length, down = (1 if side == "l_" else -1), body.length, (0, 0, -1)
    robot.section(f"{'left' if s > 0 else 'right'} arm")
    robot.add(ball(body, side + "shoulder", "chest", side + "upper_arm",
                   (0, s * SHOULDERS * body.height / 2, shoulder)),
              Link(side + "upper_arm", limb_shapes(body, "upper_arm"),
                   body.inertial("upper_arm", (0, 0, 0), down), "shirt",
                   "shoulder to elbow centre [dL96]"))
    robot.add(ball(body, side + "elbow", side + "upper_arm", side + "forearm",
                   (0, 0, -length["upper_arm"])),
              Link(side + "forearm", limb_shapes(body, "forearm"),
                   body.inertial("forearm", (0, 0, 0), down), "skin",
                   "elbow to wrist centre [dL96]"))
    # The table's hand has its palm forwards; ours faces the thigh: sagittal is y here.
    robot.add(ball(body, side + "wrist", side + "forearm", side + "hand",
                   (0, 0, -length["forearm"])),
              Link(side + "hand", hand_shapes(body, s),
                   body.inertial("hand", (0, 0, 0), down, ("rt", "rs", "rl")), "skin",
                   "wrist to third knuckle, fingers included in the mass [dL96]"))
    robot.frame(side + "palm", side + "hand",
                (0, round(-s * HAND_DEPTH * body.height / 2, 5), round(-length["hand"] / 2, 6)))


def add_leg(robot, body, side):
    s, length, down = (1 if side == "l_" else -1), body.length, (0, 0, -1)
    robot.section(f"{'left' if s > 0 else 'right'} leg")
    hip = HIPS * body.height / 2
    robot.add(ball(body, side + "hip", "pelvis", side + "thigh", (0, s * hip, 0)),
              Link(side + "thigh",
                   limb_shapes(body, "thigh", radius=min(body.radius("thigh"), 0.92 * hip)),
                   body.inertial("thigh", (0, 0, 0), down), "trousers",
                   "hip to knee centre [dL96]"))
    robot.add(Joint(side + "knee", "revolute", side + "thigh", side + "shank",
                    (0, 0, -length["thigh"]), (0, 1, 0), (0.0, 2.5, 300, 15), DAMPING["knee"],
                    limit_note="0..143 deg, effort, velocity, damping: our estimate"),
              Link(side + "shank", limb_shapes(body, "shank", 0.96),
                   body.inertial("shank", (0, 0, 0), down), "trousers",
                   "knee to ankle centre [dL96]"))
    # The foot's long axis is x; its sagittal axis, in line with the shank's, is then z.
    robot.add(ball(body, side + "ankle", side + "shank", side + "foot", (0, 0, -length["shank"]),
                   f"{4 * len(SOLE_BOXES)} corners in the sole plane"),
              Link(side + "foot", foot_shapes(body, s),
                   body.inertial("foot", (-HEEL * length["foot"], 0, -body.ankle / 2), (1, 0, 0),
                                 ("rl", "rt", "rs")), "dark",
                   "heel to tip of the toes [dL96]; height of the centre of mass our estimate"))
    robot.frame(side + "sole", side + "foot",
                (round((0.5 - HEEL) * length["foot"], 6), 0, -body.ankle))


def build(sex, height, mass):
    body = Body(sex, height, mass)
    header = HEADER.format(
        sex=sex, height=number(height), mass=number(mass), mean=MEAN_HEIGHT[sex],
        sum=number(body.fraction_sum), stretch=number(body.stretch, 5),
        standing=number(body.standing), sole_boxes=len(SOLE_BOXES), sole=4 * len(SOLE_BOXES),
        soles=8 * len(SOLE_BOXES), palm_boxes=len(PALM_BOXES), palm=4 * len(PALM_BOXES))
    robot = Robot("human" if sex == "male" else "human_female", header, Link("world"), MATERIALS)
    shoulder = add_trunk(robot, body)
    for side in ("l_", "r_"):
        add_arm(robot, body, side, shoulder)
    for side in ("l_", "r_"):
        add_leg(robot, body, side)
    assert abs(robot.mass() - mass) < 1e-12 * mass, robot.mass()
    return robot


def main():
    parser = argument_parser(__doc__.split("\n")[0])
    parser.add_argument("--sex", choices=("male", "female"))
    parser.add_argument("--height", type=float, metavar="M", help="body height in metres")
    parser.add_argument("--mass", type=float, metavar="KG", help="body mass in kilograms")
    parser.add_argument("-o", "--output", metavar="FILE",
                        help="where to write a human of your own (default: standard output)")
    args = parser.parse_args()
    if (args.sex, args.height, args.mass, args.output) == (None,) * 4:
        files = {name: build(*person).text() for name, person in SHIPPED.items()}
        return write_or_check(files, args.check, "make_human.py")
    if args.check:
        parser.error("--check compares the shipped models; give no other option with it")
    sex = args.sex or "male"
    _, height, mass = next(person for person in SHIPPED.values() if person[0] == sex)
    height = height if args.height is None else args.height
    mass = mass if args.mass is None else args.mass
    if not 1.2 <= height <= 2.3:
        parser.error(f"height {height} m is outside 1.2..2.3 m; the table describes adults")
    if not 30 <= mass <= 200:
        parser.error(f"mass {mass} kg is outside 30..200 kg; the table describes adults")
    mass = round(mass, 5)
    text = build(sex, height, mass).text()
    if args.output:
        Path(args.output).write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
