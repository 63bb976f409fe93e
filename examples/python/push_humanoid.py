#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A humanoid stands on a floor, its joints held by springs and dampers in Python; how hard a push does it take?

    python3 push_humanoid.py [--quick]
"""

import argparse
import re

import numpy as np

import sinew

POSTURE = {  # rad: knees bent
    "l_hip_pitch": -0.35, "l_knee": 0.7, "l_ankle_pitch": -0.35,
    "r_hip_pitch": -0.35, "r_knee": 0.7, "r_ankle_pitch": -0.35,
    "l_elbow": -0.5, "r_elbow": -0.5,
}  # fmt: skip
SCENE = {
    "version": 1,
    "floor": {"mu": 0.8},
    "models": [{"name": "robot", "model": "hrp2", "stand": True, "q": POSTURE}],
}
SECONDS_PUSHED, SECONDS_WATCHED = 0.2, 2.0


def gains(joint, inertia):
    """kp (N m/rad), kd (N m s/rad) of a joint: legs as stiff as they need to be to stand, the rest by the inertia that the
    joint carries, so that it swings back at 4 Hz."""
    for pattern, kp, kd in (("ankle", 1200, 8), ("hip_pitch|hip_roll|knee", 2000, 40)):
        if re.search(pattern, joint):
            return kp, kd
    w = 2 * np.pi * 4
    return w * w * inertia, 2 * w * inertia


def hold_posture(sim):
    """A controller that drives every joint but the floating one to where it is now."""
    joints = [body for body in sim.model.bodies if body.type == "revolute"]
    iq, iv = sim.model.q_indices(*joints), sim.model.v_indices(*joints)
    carried = sinew.Dynamics(sim.model).mass_matrix(sim.q)[iv, iv]
    kp, kd = np.array([gains(body.joint, inertia) for body, inertia in zip(joints, carried)]).T
    limit = np.array([body.effort[0] for body in joints])
    target = sim.q[iq].copy()

    @sim.controller
    def posture(sim, tau):
        tau[iv] = np.clip(kp * (target - sim.q[iq]) - kd * sim.v[iv], -limit, limit)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer pushes")
    pushes = (20.0, 300.0) if parser.parse_args().quick else (20.0, 40.0, 60.0, 80.0, 120.0, 160.0, 300.0)
    sim = sinew.load(SCENE, sleep=False)
    hold_posture(sim)
    sim.step(round(0.5 / sim.step_size))
    standing = sim.save()
    feet = [sim.body("robot/l_ankle"), sim.body("robot/r_ankle")]
    weight = sim.model.mass * 9.81
    carried = sum(foot.contact_force[2] for foot in feet)
    print(f"{sim.model.mass:.1f} kg on {len(sim.contacts)} contact points; the feet carry {carried:.0f} of {weight:.0f} N")
    print(f"pushed forward at the chest for {SECONDS_PUSHED:g} s:")
    stood = []
    for push in pushes:
        sim.restore(standing)
        chest = sim.body("robot/chest")
        chest.push((push, 0, 0))
        sim.step(round(SECONDS_PUSHED / sim.step_size))
        chest.push()
        farthest, height = 0.0, sim.momentum.com[2]
        for _ in range(20):
            sim.step(round(SECONDS_WATCHED / 20 / sim.step_size))
            farthest = max(farthest, abs(sim.momentum.com[0]))
        stood.append(sim.momentum.com[2] > 0.8 * height)
        print(f"  {push:4.0f} N: {'stands' if stood[-1] else 'falls'}, centre of mass off by {100 * farthest:.0f} cm at most")
    return 0 if stood[0] and not stood[-1] else 1


if __name__ == "__main__":
    raise SystemExit(main())
