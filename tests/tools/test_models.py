# SPDX-License-Identifier: Apache-2.0
"""The shipped models against published figures and against their own promises.

Reads the URDF files with its own small parser, independent of tools/urdf_writer.py.
Run: python3 -m unittest discover -s tests/tools
"""

import csv
import itertools
import json
import math
import subprocess
import sys
import unittest
import xml.etree.ElementTree as xml
from decimal import Decimal
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODELS = ("hrp2", "human", "human_female", "double_pendulum", "snake", "cable")
AVATARS = ("hrp2", "human", "human_female")
TOOLS = ("make_hrp2.py", "make_human.py", "make_chains.py", "make_linkages.py", "draw_models.py")

DOF = {"fixed": 0, "floating": 6, "revolute": 1, "continuous": 1, "spherical": 3}
# kg; joint degrees of freedom without a free base; free base
FIGURES = {
    "hrp2": ("58", 32, True),
    "human": ("73", 41, True),
    "human_female": ("58", 41, True),
    "double_pendulum": ("2.4", 2, False),
    "snake": ("6", 19, True),
    "cable": ("1.7", 150, False),
}
HEIGHT = {"hrp2": 1.54, "human": 1.74, "human_female": 1.65}
STANDARD = {  # elements of the URDF specification that our models may use, and their parents
    "robot": {None}, "link": {"robot"}, "joint": {"robot"}, "material": {"robot", "visual"},
    "inertial": {"link"}, "visual": {"link"}, "collision": {"link"}, "color": {"material"},
    "origin": {"inertial", "visual", "collision", "joint"}, "mass": {"inertial"},
    "inertia": {"inertial"}, "geometry": {"visual", "collision"}, "box": {"geometry"},
    "cylinder": {"geometry"}, "sphere": {"geometry"}, "parent": {"joint"}, "child": {"joint"},
    "axis": {"joint"}, "limit": {"joint"}, "dynamics": {"joint"},
}

TOL_PRINT = 2e-9     # m; lengths are printed with nine significant digits
TOL_INERTIA = 1e-6   # relative; inertias are printed with seven


def vector(text):
    return tuple(float(v) for v in text.split())


def xyz(element):
    origin = element.find("origin")
    return vector(origin.get("xyz", "0 0 0")) if origin is not None else (0.0, 0.0, 0.0)


def half_extents(element):
    """Half sizes along x, y, z of a visual or collision shape; turned by quarters at most."""
    shape = element.find("geometry")[0]
    if shape.tag == "box":
        return tuple(s / 2 for s in vector(shape.get("size")))
    if shape.tag == "sphere":
        return (float(shape.get("radius")),) * 3
    roll, pitch, _ = vector(element.find("origin").get("rpy", "0 0 0"))
    axis = 1 if roll else 0 if pitch else 2
    half = [float(shape.get("radius"))] * 3
    half[axis] = float(shape.get("length")) / 2
    return tuple(half)


class Model:
    """One parsed file; `at` holds the link frames with all joints zero and the root at 0."""

    def __init__(self, name):
        self.path = ROOT / "models" / (name + ".urdf")
        self.tree = xml.parse(self.path).getroot()
        self.links = {e.get("name"): e for e in self.tree.findall("link")}
        self.joints = {e.get("name"): e for e in self.tree.findall("joint")}
        self.parent = {j.find("child").get("link"): j for j in self.joints.values()}
        self.at = {}
        for link in self.links:
            self.place(link)

    def place(self, link):
        if link not in self.at:
            joint = self.parent.get(link)
            base = self.place(joint.find("parent").get("link")) if joint is not None else (0,) * 3
            step = xyz(joint) if joint is not None else (0,) * 3
            self.at[link] = tuple(a + b for a, b in zip(base, step))
        return self.at[link]

    def root(self):
        return [name for name in self.links if name not in self.parent]

    def inertial(self, link):
        """(mass, com in the link's frame, 3x3 inertia about it) or None."""
        e = self.links[link].find("inertial")
        if e is None:
            return None
        i = {k: float(v) for k, v in e.find("inertia").attrib.items()}
        matrix = [[i["ixx"], i["ixy"], i["ixz"]], [i["ixy"], i["iyy"], i["iyz"]],
                  [i["ixz"], i["iyz"], i["izz"]]]
        return float(e.find("mass").get("value")), xyz(e), matrix

    def bodies(self):
        return {name: i for name in self.links if (i := self.inertial(name))}

    def shapes(self, link, tag="collision"):
        """[(centre in the root's frame, half extents)]"""
        return [(tuple(a + b for a, b in zip(self.at[link], xyz(e))), half_extents(e))
                for e in self.links[link].findall(tag)]

    def all_shapes(self):
        return [shape for link in self.links for shape in self.shapes(link)]

    def com(self):
        total, sums = 0.0, [0.0] * 3
        for name, (mass, com, _) in self.bodies().items():
            total += mass
            for k in range(3):
                sums[k] += mass * (self.at[name][k] + com[k])
        return tuple(s / total for s in sums)

    def standing(self):
        """Height of the root link's child above the sole."""
        return -self.at["l_sole"][2]


def eigenvalues(m):
    """Of a symmetric 3x3 matrix, ascending, by Jacobi rotations."""
    a = [row[:] for row in m]
    for _ in range(20):
        for p, q in ((0, 1), (0, 2), (1, 2)):
            angle = 0.5 * math.atan2(2 * a[p][q], a[q][q] - a[p][p])
            c, s = math.cos(angle), math.sin(angle)
            r = [[float(i == j) for j in range(3)] for i in range(3)]
            r[p][p] = r[q][q] = c
            r[p][q], r[q][p] = s, -s
            ra = [[sum(r[k][i] * a[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
            a = [[sum(ra[i][k] * r[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    return sorted(a[k][k] for k in range(3))


def loaded():
    return {name: Model(name) for name in MODELS}


class EveryModel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.models = loaded()

    def test_total_mass_is_exact(self):
        for name, (mass, _, _) in FIGURES.items():
            with self.subTest(name):
                values = (e.get("value") for e in self.models[name].tree.iter("mass"))
                self.assertEqual(sum(map(Decimal, values)), Decimal(mass))

    def test_degrees_of_freedom(self):
        for name, (_, dof, free) in FIGURES.items():
            with self.subTest(name):
                kinds = [j.get("type") for j in self.models[name].joints.values()]
                self.assertEqual(sum(DOF[k] for k in kinds), dof + 6 * free)
                self.assertEqual(kinds.count("floating"), int(free))

    def test_only_standard_elements(self):
        def walk(element, parent):
            self.assertIn(parent, STANDARD[element.tag], element.tag)
            for child in element:
                walk(child, element.tag)
        for name, model in self.models.items():
            with self.subTest(name):
                walk(model.tree, None)

    def test_names_are_unique(self):
        for name, model in self.models.items():
            with self.subTest(name):
                names = [e.get("name") for e in model.tree if e.tag in ("link", "joint")]
                self.assertEqual(len(names), len(set(names)))

    def test_tree_is_connected_with_one_root(self):
        for name, model in self.models.items():
            with self.subTest(name):
                self.assertEqual(len(model.root()), 1)
                self.assertEqual(len(model.joints), len(model.links) - 1)
                self.assertEqual(len(model.parent), len(model.joints), "a link has two parents")
                for joint in model.joints.values():
                    self.assertIn(joint.find("parent").get("link"), model.links)
                    self.assertIn(joint.find("child").get("link"), model.links)

    def test_free_base_is_world_root(self):
        for name, (_, _, free) in FIGURES.items():
            if free:
                model = self.models[name]
                self.assertEqual(model.joints["root"].get("type"), "floating")
                self.assertEqual(model.root(), ["world"])

    def test_inertias_are_positive_definite_and_obey_the_triangle_inequality(self):
        for name, model in self.models.items():
            for link, (mass, _, inertia) in model.bodies().items():
                with self.subTest(f"{name}:{link}"):
                    self.assertGreater(mass, 0)
                    a, b, c = eigenvalues(inertia)
                    self.assertGreater(a, 0)
                    self.assertLessEqual(c, (a + b) * (1 + TOL_INERTIA))

    def test_every_moving_body_has_mass(self):
        """No body between two moving joints is massless."""
        for name, model in self.models.items():
            for child, joint in model.parent.items():
                if joint.get("type") != "fixed":
                    self.assertIsNotNone(model.inertial(child), f"{name}:{child}")

    def test_limits_are_ordered_and_contain_zero(self):
        for name, model in self.models.items():
            for joint_name, joint in model.joints.items():
                limit = joint.find("limit")
                with self.subTest(f"{name}:{joint_name}"):
                    self.assertEqual(limit is not None, joint.get("type") == "revolute")
                    if limit is not None:
                        lower, upper = float(limit.get("lower")), float(limit.get("upper"))
                        self.assertLessEqual(lower, 0)
                        self.assertGreaterEqual(upper, 0)
                        self.assertLess(lower, upper)
                        self.assertGreater(float(limit.get("effort")), 0)
                        self.assertGreater(float(limit.get("velocity")), 0)

    def test_axes_are_unit_vectors(self):
        for name, model in self.models.items():
            for joint_name, joint in model.joints.items():
                axis = joint.find("axis")
                if axis is not None:
                    length = math.hypot(*vector(axis.get("xyz")))
                    self.assertAlmostEqual(length, 1, 12, f"{name}:{joint_name}")

    def test_files_are_small_text(self):
        for name, model in self.models.items():
            with self.subTest(name):
                text = model.path.read_bytes()
                self.assertLess(len(text), 100_000)
                text.decode("ascii")

    def test_generated_files_are_up_to_date(self):
        for tool in TOOLS:
            with self.subTest(tool):
                run = subprocess.run([sys.executable, "-B", ROOT / "tools" / tool, "--check"],
                                     capture_output=True, text=True, check=False)
                self.assertEqual(run.returncode, 0, run.stderr)


class Avatars(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.models = {name: Model(name) for name in AVATARS}

    def test_stands_at_its_height_on_its_soles(self):
        for name, model in self.models.items():
            with self.subTest(name):
                lift = model.standing()
                low = min(c[2] - h[2] for c, h in model.all_shapes())
                high = max(c[2] + h[2] for c, h in model.all_shapes())
                self.assertAlmostEqual(low + lift, 0, delta=TOL_PRINT)
                self.assertAlmostEqual(high + lift, HEIGHT[name], delta=2e-6)
                self.assertEqual(model.at["l_sole"][2], model.at["r_sole"][2])

    def test_standing_height_is_stated(self):
        for name, model in self.models.items():
            with self.subTest(name):
                lift = format(model.standing(), ".6g")
                self.assertRegex(model.path.read_text(), f"pelvis at\n? *z = {lift}0* m")

    def test_right_side_mirrors_left(self):
        def mirror(p):
            return (p[0], -p[1], p[2])

        def close(a, b, message):
            self.assertEqual(len(a), len(b), message)
            for u, v in zip(a, b):
                self.assertAlmostEqual(u, v, delta=TOL_PRINT, msg=message)

        for name, model in self.models.items():
            sides = [link for link in model.links if link[:2] in ("l_", "r_")]
            self.assertGreater(len(sides), 0)
            for link in model.links:
                twin = "r_" + link[2:] if link in sides and link[0] == "l" else link
                if link[:2] == "r_":
                    self.assertIn("l_" + link[2:], model.links)
                    continue
                close(model.at[twin], mirror(model.at[link]), f"{name}:{link} frame")
                left, right = model.inertial(link), model.inertial(twin)
                self.assertEqual(left is None, right is None)
                if left:
                    self.assertEqual(left[0], right[0])
                    close(right[1], mirror(left[1]), f"{name}:{link} com")
                    sign = mirror((1, 1, 1))
                    for i, j in itertools.product(range(3), repeat=2):
                        self.assertAlmostEqual(right[2][i][j], sign[i] * sign[j] * left[2][i][j],
                                               delta=TOL_INERTIA * left[2][i][i])
                for tag in ("visual", "collision"):
                    a = sorted((mirror(c), h) for c, h in model.shapes(link, tag))
                    b = sorted(model.shapes(twin, tag))
                    self.assertEqual(len(a), len(b))
                    unmatched = list(b)
                    for centre, half in a:
                        match = next((s for s in unmatched if all(
                            abs(u - v) < TOL_PRINT for u, v in
                            zip(centre + half, s[0] + s[1]))), None)
                        self.assertIsNotNone(match, f"{name}:{link} {tag} at {centre}")
                        unmatched.remove(match)

    def test_right_joints_mirror_left(self):
        """An axis is a pseudovector: in the mirror of y it becomes (-x, y, -z)."""
        for name, model in self.models.items():
            for joint_name, left in model.joints.items():
                if joint_name[:2] != "l_":
                    continue
                with self.subTest(f"{name}:{joint_name}"):
                    right = model.joints["r_" + joint_name[2:]]
                    self.assertEqual(left.get("type"), right.get("type"))
                    dynamics = [e.find("dynamics") for e in (left, right)]
                    if dynamics[0] is not None:
                        self.assertEqual(dynamics[0].attrib, dynamics[1].attrib)
                    if left.find("axis") is None:
                        continue
                    x, y, z = vector(left.find("axis").get("xyz"))
                    axis = vector(right.find("axis").get("xyz"))
                    low, high = (float(left.find("limit").get(k)) for k in ("lower", "upper"))
                    if axis == (x, -y, z) and axis != (-x, y, -z):
                        low, high = -high, -low
                    else:
                        self.assertEqual(axis, (-x, y, -z))
                    limit = right.find("limit")
                    self.assertEqual((low, high), (float(limit.get("lower")),
                                                   float(limit.get("upper"))))
                    for key in ("effort", "velocity"):
                        self.assertEqual(limit.get(key), left.find("limit").get(key))

    def corners_in_plane(self, model, link, axis, value):
        """Distinct corners of the link's collision boxes in the plane coordinate = value."""
        corners = set()
        for e in model.links[link].findall("collision"):
            if e.find("geometry")[0].tag != "box":
                continue
            c, h = xyz(e), half_extents(e)
            for signs in itertools.product((-1, 1), repeat=3):
                corner = tuple(c[k] + signs[k] * h[k] + model.at[link][k] for k in range(3))
                if abs(corner[axis] - value) < TOL_PRINT:
                    corners.add(tuple(round(v, 6) for v in corner))
        return corners

    def test_contact_corners_of_the_soles(self):
        for name, per_foot in (("hrp2", 16), ("human", 56), ("human_female", 56)):
            for side in ("l_", "r_"):
                with self.subTest(name + " " + side):
                    model = self.models[name]
                    corners = self.corners_in_plane(model, side + "foot", 2, -model.standing())
                    self.assertEqual(len(corners), per_foot)

    def test_contact_corners_of_the_palms(self):
        for name in ("human", "human_female"):
            model = self.models[name]
            for side in ("l_", "r_"):
                plane = model.at[side + "palm"][1]
                corners = self.corners_in_plane(model, side + "hand", 1, plane)
                self.assertEqual(len(corners), 48, name)

    def test_centre_of_mass_is_above_the_soles(self):
        for name, model in self.models.items():
            with self.subTest(name):
                x, y, _ = model.com()
                corners = self.corners_in_plane(model, "l_foot", 2, -model.standing())
                self.assertAlmostEqual(y, 0, delta=TOL_PRINT)
                self.assertGreater(x, min(c[0] for c in corners) + 0.04)
                self.assertLess(x, max(c[0] for c in corners) - 0.04)

    def test_frames_the_scenes_need(self):
        common = ["gaze"] + [s + f for s in ("l_", "r_") for f in ("sole",)]
        frames = {
            "hrp2": common + ["head_camera", "imu"] + [s + f for s in ("l_", "r_") for f in (
                "wrist_sensor", "ankle_sensor", "ankle_bush", "grasp", "hand_tip")],
            "human": common + ["l_palm", "r_palm", "head_top"],
            "human_female": common + ["l_palm", "r_palm", "head_top"],
        }
        for name, names in frames.items():
            for frame in names:
                model = self.models[name]
                self.assertIn(frame, model.links)
                self.assertEqual(model.parent[frame].get("type"), "fixed")
                self.assertIsNone(model.inertial(frame))


class Hrp2(unittest.TestCase):
    """Against the published figures of the robot [KAN04]."""

    @classmethod
    def setUpClass(cls):
        cls.model = Model("hrp2")

    def below(self, top):
        """Mass of a link and everything it carries."""
        parent_of = {c: j.find("parent").get("link") for c, j in self.model.parent.items()}
        def carried(link):
            return link == top or (link in parent_of and carried(parent_of[link]))
        return sum(i[0] for link, i in self.model.bodies().items() if carried(link))

    def test_each_leg_is_about_15_percent(self):
        for side in ("l_", "r_"):
            self.assertAlmostEqual(self.below(side + "hip_yaw_link") / 58.0, 0.15, delta=0.01)

    def test_lengths(self):
        at = self.model.at
        def apart(a, b, k):
            return abs(at[a][k] - at[b][k])
        published = [
            (apart("l_hip_yaw_link", "r_hip_yaw_link", 1), 0.12),
            (apart("l_thigh", "l_shank", 2), 0.30),
            (apart("l_shank", "l_ankle_pitch_link", 2), 0.30),
            (apart("l_ankle", "l_sole", 2), 0.105),
            (apart("l_upper_arm", "l_forearm", 2), 0.25),
            (apart("l_forearm", "l_wrist_pitch_link", 2), 0.25),
        ]
        for ours, theirs in published:
            self.assertAlmostEqual(ours, theirs, delta=TOL_PRINT)

    def test_width_and_sole(self):
        shapes = self.model.all_shapes()
        width = max(c[1] + h[1] for c, h in shapes) - min(c[1] - h[1] for c, h in shapes)
        self.assertAlmostEqual(width, 0.62, delta=TOL_PRINT)
        foot = self.model.shapes("l_foot")
        for k, size in ((0, 0.24), (1, 0.14)):
            span = max(c[k] + h[k] for c, h in foot) - min(c[k] - h[k] for c, h in foot)
            self.assertAlmostEqual(span, size, delta=TOL_PRINT)

    def test_soles_do_not_overlap(self):
        inner = min(c[1] - h[1] for c, h in self.model.shapes("l_foot"))
        self.assertGreater(inner, 0)

    def test_published_ranges(self):
        published = {"l_hip_pitch": (-125, 42), "l_knee": (0, 150), "l_ankle_pitch": (-75, 42),
                     "waist_yaw": (-45, 45), "waist_pitch": (-5, 60),
                     "l_shoulder_pitch": (-180, 180), "l_elbow": (-137, 2)}
        for joint, degrees in published.items():
            limit = self.model.joints[joint].find("limit")
            for key, value in zip(("lower", "upper"), degrees):
                self.assertAlmostEqual(float(limit.get(key)), math.radians(value), delta=1e-6)

    def test_sensors_carry_hands_and_feet(self):
        for side in ("l_", "r_"):
            self.assertAlmostEqual(self.below(side + "wrist_sensor"), 0.55, delta=1e-12)
            self.assertAlmostEqual(self.below(side + "ankle_sensor"), 0.9, delta=1e-12)
            self.assertEqual(self.below(side + "ankle_bush"), self.below(side + "ankle_sensor"))


class Human(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.models = {name: Model(name) for name in ("human", "human_female")}
        lines = (ROOT / "tools" / "anthropometry.csv").read_text().splitlines()
        cls.table = list(csv.DictReader(l for l in lines if not l.startswith("#")))

    def test_centre_of_mass_height_is_as_published(self):
        """0.54 to 0.58 of body height above the sole, standing."""
        for name, model in self.models.items():
            fraction = (model.com()[2] + model.standing()) / HEIGHT[name]
            self.assertGreater(fraction, 0.54, name)
            self.assertLess(fraction, 0.58, name)

    def test_joint_heights_agree_with_another_author(self):
        """Heights of [dL96] bodies against fractions of body height of [WIN09 fig 4.1]."""
        winter = {"l_foot": 0.039, "l_shank": 0.285, "l_thigh": 0.530, "l_upper_arm": 0.818,
                  "l_forearm": 0.630, "l_hand": 0.485, "gaze": 0.936}
        for name, model in self.models.items():
            for link, fraction in winter.items():
                height = (model.at[link][2] + model.standing()) / HEIGHT[name]
                self.assertAlmostEqual(height, fraction, delta=0.03, msg=f"{name}:{link}")

    def test_knee_is_a_hinge_and_the_rest_are_spherical(self):
        for model in self.models.values():
            kinds = {n: j.get("type") for n, j in model.joints.items() if j.get("type") != "fixed"}
            del kinds["root"]
            for name, kind in kinds.items():
                self.assertEqual(kind, "revolute" if name[2:] == "knee" else "spherical", name)

    def test_table_lengths_give_one_centre_of_mass_from_every_pair_of_endpoints(self):
        """Witness of the lengths: they are not in the source of the other columns."""
        tolerance = 0.15  # mm; com is given to 1e-4 of lengths up to 615 mm
        for sex in ("m", "f"):
            by_end = {}
            for row in self.table:
                length, com = float(row["length_" + sex]), float(row["com_" + sex])
                by_end.setdefault((row["segment"], row["from"]), []).append(length * com)
                by_end.setdefault((row["segment"], row["to"]), []).append(length * (1 - com))
            pairs = [v for v in by_end.values() if len(v) > 1]
            self.assertGreaterEqual(len(pairs), 6)
            for distances in pairs:
                self.assertLess(max(distances) - min(distances), tolerance)

    def test_table_parts_of_the_trunk_add_up(self):
        for sex in ("m", "f"):
            def value(column, segment, use=None):
                return next(float(r[f"{column}_{sex}"]) for r in self.table
                            if r["segment"] == segment and (use is None or r["use"] == use))
            parts = ("upper_trunk", "middle_trunk", "lower_trunk")
            self.assertAlmostEqual(sum(value("length", p, "m") for p in parts),
                                   value("length", "trunk"), delta=0.05)
            self.assertAlmostEqual(sum(value("mass", p, "m") for p in parts),
                                   value("mass", "trunk"), delta=5e-5)

    def test_inertia_follows_the_table(self):
        """Male thigh by hand: 73 kg * 0.1416, 0.329 of 0.4222 m * 1.74/1.741 * stretch."""
        mass, com, inertia = self.models["human"].inertial("l_thigh")
        length = self.models["human"].at["l_thigh"][2] - self.models["human"].at["l_shank"][2]
        self.assertAlmostEqual(mass, 73 * 0.1416, delta=1e-5)
        self.assertAlmostEqual(com[2], -0.4095 * length, delta=1e-6)
        self.assertAlmostEqual(inertia[0][0] / (mass * (0.329 * length) ** 2), 1, delta=1e-5)
        self.assertAlmostEqual(inertia[2][2] / (mass * (0.149 * length) ** 2), 1, delta=1e-5)
        self.assertAlmostEqual(length / (0.4222 * 1.74 / 1.741), 1, delta=0.02)

    def generate(self, *arguments):
        return subprocess.run([sys.executable, "-B", ROOT / "tools" / "make_human.py", *arguments],
                              capture_output=True, text=True, check=False)

    def test_any_height_and_mass_adds_up(self):
        for sex, height, mass in (("male", "1.93", "101.3"), ("female", "1.52", "44.7")):
            run = self.generate("--sex", sex, "--height", height, "--mass", mass)
            self.assertEqual(run.returncode, 0, run.stderr)
            robot = xml.fromstring(run.stdout)
            masses = (Decimal(e.get("value")) for e in robot.iter("mass"))
            self.assertEqual(sum(masses), Decimal(mass))

    def test_impossible_bodies_are_refused(self):
        for arguments in (("--height", "3"), ("--height", "0"), ("--height", "nan"),
                          ("--mass", "-5"), ("--mass", "inf"), ("--sex", "robot"),
                          ("--check", "--height", "1.8")):
            run = self.generate(*arguments)
            self.assertEqual(run.returncode, 2, arguments)
            self.assertIn("error:", run.stderr)


class Chains(unittest.TestCase):
    def test_double_pendulum_inertia_is_the_formula(self):
        for link in ("upper_rod", "lower_rod"):
            mass, com, inertia = Model("double_pendulum").inertial(link)
            self.assertEqual((mass, com), (1.2, (0, 0, -0.5)))
            self.assertAlmostEqual(inertia[0][0], 1.2 * (3 * 0.02 ** 2 + 1) / 12, delta=1e-15)
            self.assertAlmostEqual(inertia[2][2], 1.2 * 0.02 ** 2 / 2, delta=1e-15)

    def test_snake_alternates_yaw_and_pitch(self):
        model = Model("snake")
        axes = [vector(j.find("axis").get("xyz")) for n, j in model.joints.items() if n != "root"]
        self.assertEqual(axes, [(0, 0, 1) if i % 2 == 0 else (0, 1, 0) for i in range(19)])
        self.assertEqual(len(model.bodies()), 20)

    def test_cable_hangs_two_metres(self):
        model = Model("cable")
        kinds = [j.get("type") for j in model.joints.values()]
        self.assertEqual(kinds.count("spherical"), 50)
        self.assertAlmostEqual(model.at["weight"][2], -2.0, delta=TOL_PRINT)


class FourBar(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        path = ROOT / "models" / "four_bar.json"
        cls.model = json.loads(path.read_text(encoding="utf-8"))
        cls.bodies = {b["name"]: b for b in cls.model["bodies"]}
        cls.ends = {link["name"]: link["p"] for link in cls.model["links"]}

    def rod_lengths(self):
        """Crank, coupler, rocker and the distance of the pivots on the ground, from the file."""
        return (math.hypot(*self.bodies["coupler"]["placement"]["p"]),
                math.hypot(*self.ends["coupler_end"]), math.hypot(*self.ends["rocker_end"]),
                math.dist(self.bodies["crank"]["placement"]["p"],
                          self.bodies["rocker"]["placement"]["p"]))

    def test_the_loop_is_closed_with_all_joints_zero(self):
        pin = self.model["loops"][0]
        self.assertEqual((pin["link_a"], pin["link_b"]), ("coupler_end", "rocker_end"))
        crank, coupler, rocker = (self.bodies[n]["placement"]["p"]
                                  for n in ("crank", "coupler", "rocker"))
        a = [sum(v) for v in zip(crank, coupler, self.ends["coupler_end"])]
        b = [sum(v) for v in zip(rocker, self.ends["rocker_end"])]
        self.assertLess(math.dist(a, b), 1e-15)

    def test_the_crank_turns_fully(self):
        lengths = sorted(self.rod_lengths())
        self.assertAlmostEqual(lengths[0], 0.2, delta=TOL_PRINT)
        self.assertLess(lengths[0] + lengths[3], lengths[1] + lengths[2])   # Grashof

    def test_rods_are_uniform(self):
        for name, length in zip(("crank", "coupler", "rocker"), self.rod_lengths()):
            with self.subTest(body=name):
                body = self.bodies[name]
                self.assertAlmostEqual(body["mass"], 1.5 * length, delta=TOL_PRINT)
                self.assertAlmostEqual(math.hypot(*body["com"]), length / 2, delta=TOL_PRINT)
                xx, xy, xz, yy, yz, zz = body["inertia_com"]
                across = body["mass"] * (3e-4 + length**2) / 12
                self.assertAlmostEqual(yy, across, delta=TOL_INERTIA * across)
                self.assertAlmostEqual(xx + zz - across, body["mass"] * 5e-5, delta=TOL_INERTIA * across)
                self.assertEqual((xy, yz), (0, 0))


if __name__ == "__main__":
    unittest.main()
