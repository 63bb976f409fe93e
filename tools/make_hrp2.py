#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write models/hrp2.urdf, an HRP-2-class humanoid, from published figures.

Lengths, joint ranges, height, width and mass are the published ones [KAN04] where one is
known; the rest is our estimate and the file says so. No file of the robot's maker is used.
Shapes carry the mass: each link is a few boxes, cylinders and spheres of uniform density.
"""

import math
import sys

from urdf_writer import (Joint, Link, Robot, argument_parser, box, cylinder, sphere,
                         write_or_check)

MASS = 58.0            # kg with batteries                       [KAN04]
HEIGHT = 1.54          # m                                       [KAN04]
WIDTH = 0.62           # m                                       [KAN04]
HIPS = 0.12            # m between the hip centres               [KAN04]
THIGH = SHANK = 0.30   # m                                       [KAN04]
ANKLE = 0.105          # m, ankle axes above the sole            [KAN04]
SOLE = (0.24, 0.14)    # m, length and width of the sole         [KAN04]
UPPER_ARM = FOREARM = 0.25  # m                                  [KAN04]
STANDING = ANKLE + SHANK + THIGH  # m, pelvis above the sole with straight legs

# Below: our estimates.
LEG_OFFSET = 0.035     # m outwards from hip to knee, so that soles 0.14 m wide stand clear
SOLE_X = 0.02          # m, centre of the sole ahead of the ankle
BUSH = 0.075           # m, rubber bush below the ankle axes
WAIST_YAW, WAIST_PITCH = 0.16, 0.03     # m, up from pelvis, up from waist yaw
SHOULDER = (0.0, 0.25, 0.29)            # m, in the chest's frame
HEAD_YAW, HEAD_PITCH = 0.37, 0.05       # m, up from chest, up from head yaw


HEADER = f"""
HRP-2-class humanoid: 32 joints (legs 2 x 6, waist 2, head 2, arms 2 x 7, grippers 2) and a
free base. 58.0 kg, 1.54 m tall, 0.62 m wide.

Sources. [KAN04]: Kaneko et al., "Humanoid robot HRP-2", ICRA 2004, and papers using the
robot. A number without [KAN04] beside it is our estimate: how the mass is shared among the
links (each leg 15 % of the total), the shapes, the third wrist joint, all effort and velocity
limits, damping and friction. No file of the robot's maker is used.

Frames: x forward, y left, z up, all parallel when every joint is zero: standing upright, legs
straight, arms down. The origin of `pelvis` is midway between the hip centres. Standing height:
with the pelvis at z = {STANDING:.3f} m (ankle 0.105 + shank 0.30 + thigh 0.30 [KAN04]) and all
joints zero the soles are at z = 0 and the top of the head is at z = 1.54 m.
Yaw turns about +z, pitch about +y, roll about +x on both sides; mirrored joints have mirrored
ranges. The grippers alone have mirrored axes: positive opens both.

Inertias are those of uniform boxes, cylinders and spheres, so they obey the triangle
inequality. Each sole is four boxes inside the 0.24 m x 0.14 m outline: 16 corners in the sole
plane per foot, 32 contact points standing.

Fixed frames: l_/r_wrist_sensor and l_/r_ankle_sensor (six-axis force sensors: everything
beyond the frame is measured), l_/r_ankle_bush (rubber bush: everything below it may be made
elastic), l_/r_sole (centre of the sole), l_/r_grasp (between the jaws), l_/r_hand_tip,
head_camera, gaze (x is the line of sight), imu.

Written by tools/make_hrp2.py; change that, not this file.
"""

MATERIALS = {
    "shell": (0.86, 0.88, 0.90, 1),
    "frame": (0.32, 0.36, 0.44, 1),
    "accent": (0.16, 0.36, 0.66, 1),
    "rubber": (0.12, 0.12, 0.13, 1),
}

KAN04, OURS = "[KAN04]", "our estimate"

# range of the left side [deg], source, effort [N m], velocity [rad/s], damping [N m s/rad],
# dry friction [N m]. Damping lets a hanging robot come to rest in some seconds.
JOINTS = {
    "hip_yaw":        ((-30, 45), OURS, 120, 5.0, 1.0, 0.5),
    "hip_roll":       ((-20, 35), OURS, 240, 5.0, 3.0, 0.5),
    "hip_pitch":      ((-125, 42), KAN04, 240, 6.0, 3.0, 0.5),
    "knee":           ((0, 150), KAN04, 260, 7.0, 1.0, 0.5),
    "ankle_pitch":    ((-75, 42), KAN04, 180, 6.0, 0.5, 0.3),
    "ankle_roll":     ((-35, 20), OURS, 120, 6.0, 0.5, 0.3),
    "waist_yaw":      ((-45, 45), KAN04, 150, 4.0, 2.0, 0.5),
    "waist_pitch":    ((-5, 60), KAN04, 240, 4.0, 10.0, 0.5),
    "head_yaw":       ((-45, 45), OURS, 12, 5.0, 0.1, 0.05),
    "head_pitch":     ((-30, 45), OURS, 12, 5.0, 0.1, 0.05),
    "shoulder_pitch": ((-180, 180), KAN04, 110, 6.0, 0.7, 0.2),
    "shoulder_roll":  ((-10, 95), OURS, 110, 6.0, 0.7, 0.2),
    "shoulder_yaw":   ((-90, 90), OURS, 60, 6.0, 0.3, 0.1),
    "elbow":          ((-137, 2), KAN04, 90, 7.0, 0.3, 0.1),
    "wrist_yaw":      ((-90, 90), OURS, 25, 7.0, 0.05, 0.03),
    "wrist_pitch":    ((-90, 90), OURS, 25, 7.0, 0.05, 0.03),
    "wrist_roll":     ((-45, 45), OURS, 25, 7.0, 0.05, 0.03),
    "gripper":        ((-20, 60), OURS, 15, 5.0, 0.05, 0.03),
}

AXES = {"yaw": (0, 0, 1), "pitch": (0, 1, 0), "roll": (1, 0, 0),
        "knee": (0, 1, 0), "elbow": (0, 1, 0)}


def hinge(kind, side, parent, child, at, note=""):
    """A revolute joint of the table; the right side is the mirror image of the left."""
    (low, high), source, effort, velocity, damping, friction = JOINTS[kind]
    axis = AXES.get(kind.rsplit("_", 1)[-1])
    if kind == "gripper":
        axis = (-1, 0, 0) if side == "l_" else (1, 0, 0)
    elif side == "r_" and axis != (0, 1, 0):
        low, high = -high, -low
    return Joint(side + kind, "revolute", parent, child, at, axis,
                 (math.radians(low), math.radians(high), effort, velocity), damping, friction,
                 note, f"{low}..{high} deg {source}; effort, velocity, damping, friction {OURS}")


def add_leg(robot, side):
    s = 1 if side == "l_" else -1
    robot.section(f"{'left' if s > 0 else 'right'} leg, 8.7 kg = 15 % of the total ({OURS})")

    def link(name, shapes, material="shell"):
        return Link(side + name, shapes, material=material)

    robot.add(hinge("hip_yaw", side, "pelvis", side + "hip_yaw_link", (0, s * HIPS / 2, 0),
                    "hips 0.12 m apart [KAN04]"),
              link("hip_yaw_link", [cylinder(0.045, 0.05, (0, 0, 0.03), 0.7)], "frame"))
    robot.add(hinge("hip_roll", side, side + "hip_yaw_link", side + "hip_roll_link", (0, 0, 0)),
              link("hip_roll_link", [box((0.10, 0.10, 0.07), (0, s * 0.018, -0.01), 1.0)], "frame"))
    robot.add(hinge("hip_pitch", side, side + "hip_roll_link", side + "thigh", (0, 0, 0)),
              link("thigh", [box((0.13, 0.11, 0.25), (0.005, s * LEG_OFFSET, -0.15), 3.2)]))
    robot.add(hinge("knee", side, side + "thigh", side + "shank", (0, s * LEG_OFFSET, -THIGH),
                    f"thigh 0.30 m [KAN04]; 0.035 m outwards to keep the soles apart, {OURS}"),
              link("shank", [cylinder(0.055, 0.10, mass=0.6, axis="y", material="accent"),
                             box((0.11, 0.10, 0.23), (0, 0, -0.145), 1.4)]))
    robot.add(hinge("ankle_pitch", side, side + "shank", side + "ankle_pitch_link",
                    (0, 0, -SHANK), "shank 0.30 m [KAN04]"),
              link("ankle_pitch_link", [cylinder(0.035, 0.08, mass=0.4, axis="y")], "frame"))
    robot.add(hinge("ankle_roll", side, side + "ankle_pitch_link", side + "ankle", (0, 0, 0)),
              link("ankle", [box((0.09, 0.08, 0.035), (0, 0, -0.0425), 0.5)], "frame"))
    robot.frame(side + "ankle_sensor", side + "ankle", (0, 0, -0.06),
                "force sensor between ankle and bush [KAN04]; place " + OURS)
    robot.frame(side + "ankle_bush", side + "ankle_sensor", (0, 0, 0.06 - BUSH),
                "rubber bush between ankle and foot [KAN04]; place " + OURS)
    below = ANKLE - BUSH
    length, width = SOLE
    foot = [box((length - 0.01, width - 0.01, 0.02), (SOLE_X, 0, -0.01), 0.6)]
    for fore in (1, -1):
        for out in (1, -1):  # four pads with 4 mm between them fill the outline of the sole
            foot.append(box((length / 2 - 0.002, width / 2 - 0.002, below - 0.02),
                            (SOLE_X + fore * (length / 4 + 0.001), out * s * (width / 4 + 0.001),
                             -(below + 0.02) / 2), 0.075, material="rubber"))
    robot.add(Joint(side + "foot_mount", "fixed", side + "ankle_bush", side + "foot",
                    note="sole 0.24 m x 0.14 m, 0.105 m below the ankle axes [KAN04]"),
              link("foot", foot))
    robot.frame(side + "sole", side + "foot", (SOLE_X, 0, -below), "centre of the sole")


def add_arm(robot, side):
    s = 1 if side == "l_" else -1
    robot.section(f"{'left' if s > 0 else 'right'} arm and gripper, 5.4 kg ({OURS})")

    def link(name, shapes, material="shell"):
        return Link(side + name, shapes, material=material)

    x, y, z = SHOULDER
    robot.add(hinge("shoulder_pitch", side, "chest", side + "shoulder_pitch_link", (x, s * y, z),
                    f"shoulder 1.185 m above the sole, {OURS}; half width 0.31 m [KAN04]"
                    " = 0.25 m + the shoulder's radius"),
              link("shoulder_pitch_link",
                   [cylinder(0.05, 0.06, (0, s * -0.04, 0), 0.9, axis="y")], "frame"))
    robot.add(hinge("shoulder_roll", side, side + "shoulder_pitch_link",
                    side + "shoulder_roll_link", (0, 0, 0)),
              link("shoulder_roll_link", [sphere(WIDTH / 2 - y, mass=0.7)], "accent"))
    robot.add(hinge("shoulder_yaw", side, side + "shoulder_roll_link", side + "upper_arm",
                    (0, 0, 0)),
              link("upper_arm", [cylinder(0.045, 0.18, (0, 0, -0.13), 1.4)]))
    robot.add(hinge("elbow", side, side + "upper_arm", side + "forearm", (0, 0, -UPPER_ARM),
                    "upper arm 0.25 m [KAN04]"),
              link("forearm", [cylinder(0.042, 0.07, mass=0.35, axis="y", material="accent"),
                               cylinder(0.038, 0.08, (0, 0, -0.085), 0.45)]))
    robot.add(hinge("wrist_yaw", side, side + "forearm", side + "wrist_yaw_link", (0, 0, -0.13)),
              link("wrist_yaw_link", [cylinder(0.036, 0.09, (0, 0, -0.05), 0.7)]))
    robot.add(hinge("wrist_pitch", side, side + "wrist_yaw_link", side + "wrist_pitch_link",
                    (0, 0, 0.13 - FOREARM), "forearm 0.25 m [KAN04]"),
              link("wrist_pitch_link", [sphere(0.03, mass=0.2)], "frame"))
    robot.add(hinge("wrist_roll", side, side + "wrist_pitch_link", side + "wrist", (0, 0, 0),
                    f"third wrist joint: research versions of the robot [KAN04]; place {OURS}"),
              link("wrist", [cylinder(0.03, 0.03, (0, 0, -0.03), 0.15)], "frame"))
    robot.frame(side + "wrist_sensor", side + "wrist", (0, 0, -0.045),
                "force sensor between wrist and hand [KAN04]; place " + OURS)
    robot.add(Joint(side + "hand_mount", "fixed", side + "wrist_sensor", side + "hand",
                    note="palm and fixed outer jaw"),
              link("hand", [box((0.06, 0.08, 0.05), (0, 0, -0.025), 0.33),
                            box((0.04, 0.015, 0.085), (0, s * 0.0225, -0.0925), 0.12,
                                material="frame")]))
    robot.frame(side + "grasp", side + "hand", (0, 0, -0.095), "between the jaws")
    robot.frame(side + "hand_tip", side + "hand", (0, 0, -0.135))
    robot.add(hinge("gripper", side, side + "hand", side + "finger", (0, s * -0.0225, -0.055),
                    "moving inner jaw: at 0 the jaws are parallel and 30 mm apart"),
              link("finger", [box((0.04, 0.015, 0.08), (0, 0, -0.04), 0.1)], "frame"))


def build():
    robot = Robot("hrp2", HEADER, Link("world"), MATERIALS)
    robot.add(Joint("root", "floating", "world", "pelvis",
                    note=f"free base; stands with the pelvis at z = {STANDING:.3f} m"),
              Link("pelvis", [box((0.20, 0.26, 0.12), (0.02, 0, 0.10), 9.0)], material="shell"))
    robot.section(f"trunk and head, 20.8 kg above the pelvis ({OURS})")
    robot.add(hinge("waist_yaw", "", "pelvis", "waist", (0, 0, WAIST_YAW)),
              Link("waist", [cylinder(0.08, 0.06, (0, 0, 0.03), 1.8)], material="frame"))
    robot.add(hinge("waist_pitch", "", "waist", "chest", (0, 0, WAIST_PITCH)),
              Link("chest", [box((0.20, 0.34, 0.30), (0.04, 0, 0.19), 13.0),
                             box((0.12, 0.30, 0.32), (-0.12, 0, 0.18), 4.0, material="accent")],
                   material="shell", note=f"trunk, and backpack with batteries: {OURS}"))
    robot.frame("imu", "chest", (0, 0, 0.10), "inertial unit in the chest; place " + OURS)
    robot.add(hinge("head_yaw", "", "chest", "neck", (0, 0, HEAD_YAW)),
              Link("neck", [cylinder(0.045, 0.09, (0, 0, 0.015), 0.4)], material="frame"))
    top = HEIGHT - STANDING - WAIST_YAW - WAIST_PITCH - HEAD_YAW - HEAD_PITCH
    robot.add(hinge("head_pitch", "", "neck", "head", (0, 0, HEAD_PITCH)),
              Link("head", [box((0.18, 0.16, top - 0.015), (0.01, 0, (top + 0.015) / 2), 1.6),
                            box((0.01, 0.13, 0.05), (0.103, 0, 0.13), collision=False,
                                material="rubber")],
                   material="shell", note="top of the head at 1.54 m [KAN04]"))
    robot.frame("head_camera", "head", (0.10, 0, 0.13), "x is the optical axis; place " + OURS)
    robot.frame("gaze", "head_camera", (0, 0, 0), "line of sight along x")
    for side in ("l_", "r_"):
        add_leg(robot, side)
    for side in ("l_", "r_"):
        add_arm(robot, side)
    verify(robot)
    return robot


def verify(robot):
    """The published totals, and the right side as the mirror image of the left."""
    assert abs(robot.mass() - MASS) < 1e-12 * MASS, robot.mass()
    assert sum(joint.kind == "revolute" for joint in robot.joints()) == 32
    links = {link.name: link for link in robot.links()}
    at = robot.origins()
    for name, link in links.items():
        if name.startswith("l_"):
            twin = "r_" + name[2:]
            assert all(abs(a - b) < 1e-12 for a, b in
                       zip(at[name], (at[twin][0], -at[twin][1], at[twin][2]))), name
            left, right = link.mass_properties(), links[twin].mass_properties()
            if left:
                xx, yy, zz, xy, xz, yz = right.inertia
                assert all(abs(a - b) < 1e-12 for a, b in
                           zip(left.inertia, (xx, yy, zz, -xy, xz, -yz))), name
    assert abs(at["l_sole"][2] + STANDING) < 1e-12
    tops = (at[n][2] + s.at[2] + s.half_extents()[2] for n in links for s in links[n].shapes)
    assert abs(max(tops) + STANDING - HEIGHT) < 1e-12


def main():
    args = argument_parser(__doc__.split("\n")[0]).parse_args()
    files = {"hrp2.urdf": build().text()}
    return write_or_check(files, args.check, "make_hrp2.py")


if __name__ == "__main__":
    sys.exit(main())
