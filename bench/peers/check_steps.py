#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the helper programs sinew-step-* build the scenes they are given.

usage: check_steps.py BUILD_DIRECTORY

Each engine, in all its variants, steps two boxes whose origin is not their centre of mass: one falls
freely while it turns, one lies on a plane. The first must go where Newton has it, to the order of the
integrator; the second must stay, on points that are there.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

STEP, STEPS, G = 1e-3, 200, 9.81
HALF = 0.1
COM = [0.02, 0.0, -0.01]  # of the shape, too: the box is around it
FAR = 5.0


def body(index):
    return {
        "parent": -1, "type": "free", "iq": 7 * index, "iv": 6 * index,
        "placement": {"R": [1, 0, 0, 0, 1, 0, 0, 0, 1], "p": [0, 0, 0]},
        "mass": 2, "com": COM, "inertia_com": [0.0133, 0, 0, 0.0133, 0, 0.0133],
    }


def shape(index, kind, place):
    return {
        "body": index, "type": kind, "pose": {"R": [1, 0, 0, 0, 1, 0, 0, 0, 1], "p": place},
        "size": [2 * HALF] * 3, "group": 1, "mask": 1,
    }


def write_scene(folder):
    falling = [0, 0, FAR, 0, 0, 0, 1, 1, 0.5, 2, 0.3, 0, 1]
    lying = [3, 0, HALF - COM[2], 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    scene = {
        "step": STEP, "gravity": [0, 0, -G], "mu": 0.5, "restitution": 0, "stiffness": 0,
        "damping": 0, "roots": falling + lying,
        "shapes": [shape(-1, "plane", [0, 0, 0]), shape(0, "box", COM), shape(1, "box", COM)],
    }
    (folder / "model.json").write_text(json.dumps({"bodies": [body(0), body(1)]}))
    (folder / "scene.json").write_text(json.dumps(scene))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def centre(root):
    """Of mass, and its velocity."""
    x, y, z, w = root[3:7]
    u = [x, y, z]
    t = [2 * k for k in cross(u, COM)]
    r = [COM[k] + w * t[k] + c for k, c in enumerate(cross(u, t))]
    spin = cross(root[10:13], r)
    return [root[k] + r[k] for k in range(3)], [root[7 + k] + spin[k] for k in range(3)]


def judge(look):
    time = STEP * STEPS
    start, speed = centre([0, 0, FAR, 0, 0, 0, 1, 1, 0.5, 2, 0.3, 0, 1])
    where, motion = centre(look["roots"][:13])
    for k in range(3):
        g = -G if k == 2 else 0
        slack = G * time * STEP + 1e-9  # of an integrator of order 1
        assert math.isclose(motion[k], speed[k] + g * time, abs_tol=slack), ("velocity", motion)
        wanted = start[k] + speed[k] * time + 0.5 * g * time * time
        assert math.isclose(where[k], wanted, abs_tol=slack), ("position", where)
    lying = look["roots"][13:]
    moved = max(abs(lying[0] - 3), abs(lying[1]), abs(lying[2] - (HALF - COM[2])))
    assert moved < 2e-3, ("lying box moved", lying)
    assert 3 <= look["contacts"] <= 16, ("contacts", look["contacts"])
    assert 0 <= look["depth"] < 2e-3, ("depth", look["depth"])


def check(program, folder):
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True) as child:
        def ask(line):
            child.stdin.write(line + "\n")
            child.stdin.flush()
            return child.stdout.readline().strip()

        assert ask("advance 1 1") == "error no scene"
        assert ask("dance").startswith("error ")
        assert ask("scene x nowhere nowhere").startswith("error ")
        for variant in ask("variants").split()[1:]:
            told = ask(f"scene {variant} {folder}/model.json {folder}/scene.json")
            assert told.startswith("ok "), told
            first = json.loads(ask(f"advance {STEPS - 1} {STEPS}"))
            last = json.loads(ask(f"advance 1 {STEPS}"))
            assert len(first["us"]) == STEPS - 1 and not first["looks"], "looks too early"
            assert len(last["us"]) == 1 and len(last["looks"]) == 1, "no look"
            judge(last["looks"][0])
            print(program.name, variant, "good")
        child.stdin.close()


def main():
    programs = sorted((pathlib.Path(sys.argv[1]) / "peers").glob("sinew-step-*"))
    bad = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_scene(folder)
        for program in programs:
            try:
                check(program, folder)
            except (AssertionError, ValueError) as error:
                print(program.name, "BAD", error)
                bad = 1
    return bad if programs else 77


sys.exit(main())
