#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A cart swings up the pole that hangs on it, and balances it.

The swing pumps energy into the pole [AF00]; near the top a linear-quadratic regulator takes over. Its gain
comes from the model alone: derivatives of the step by differences of sinew.Dynamics, and the Riccati equation iterated.

    python3 cart_pole.py [--quick]
"""

import argparse

import numpy as np

import sinew

CART, POLE, HALF = 1.0, 0.2, 0.4  # kg, kg, m from the hinge to the pole's centre
STEP, FORCE, TRACK = 0.002, 5.0, 2.0  # s, N, m
G = 9.81

URDF = f"""<robot name="cart_pole">
  <link name="rail"/>
  <link name="cart"><inertial><mass value="{CART}"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="pole"><inertial><origin xyz="0 0 {HALF}"/><mass value="{POLE}"/>
    <inertia ixx="{POLE * HALF**2 / 3}" iyy="{POLE * HALF**2 / 3}" izz="1e-5" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="slide" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
    <limit lower="-10" upper="10" effort="{FORCE}" velocity="20"/></joint>
  <joint name="hinge" type="continuous"><parent link="cart"/><child link="pole"/><axis xyz="0 1 0"/></joint>
</robot>"""


def regulator(model):
    """Gain K of u = -K x, x = (slide, hinge, their rates), about the pole upright."""
    dynamics = sinew.Dynamics(model)

    def step(x, u):
        v = x[2:] + STEP * dynamics.forward(x[:2], x[2:], [u, 0.0])
        return np.concatenate((x[:2] + STEP * v, v))

    zero, d = np.zeros(4), 1e-5
    A = np.stack([(step(d * e, 0.0) - step(-d * e, 0.0)) / (2 * d) for e in np.eye(4)], axis=1)
    B = (step(zero, d) - step(zero, -d))[:, None] / (2 * d)
    Q, R = np.diag([10.0, 10.0, 1.0, 1.0]), np.array([[0.5]])
    P = Q
    for _ in range(20000):
        K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
        after = Q + A.T @ P @ (A - B @ K)
        if np.abs(after - P).max() < 1e-9 * np.abs(P).max():
            break
        P = after
    return K[0]


def swing_or_balance(sim, K):
    """A controller: forces on the cart only."""
    inertia = 4 / 3 * POLE * HALF**2  # about the hinge

    def control(sim, tau):
        x, angle = sim.q[0], np.remainder(sim.q[1] + np.pi, 2 * np.pi) - np.pi  # 0: upright
        dx, rate = sim.v
        if abs(angle) < 0.35 and abs(rate) < 3.0:
            u = -K @ [x, angle, dx, rate]
        else:
            missing = 0.5 * inertia * rate**2 - POLE * G * HALF * (1 - np.cos(angle))  # 0: enough to reach the top
            u = 20.0 * missing * rate * np.cos(angle) - 4.0 * x - 2.0 * dx
        tau[0] = np.clip(u, -FORCE, FORCE)

    return sim.controller(control)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="stop as soon as it balances")
    quick = parser.parse_args().quick
    sim = sinew.load(sinew.Model.from_text(URDF), step=STEP, contact=False)
    sim.set_state([0.0, np.pi - 0.05])  # it hangs, nearly
    K = regulator(sim.model)
    print("gain of the regulator:", np.array2string(K, precision=2))
    swing_or_balance(sim, K)
    upright, farthest = None, 0.0
    print("   time   cart    angle")
    while sim.time < (8.0 if quick else 15.0):
        sim.step(250)
        angle = np.degrees(np.remainder(sim.q[1] + np.pi, 2 * np.pi) - np.pi)
        farthest = max(farthest, abs(sim.q[0]))
        print(f"{sim.time:6.1f} s {sim.q[0]:+5.2f} m {angle:+7.1f} deg")
        if abs(angle) < 1.0 and abs(sim.v[1]) < 0.1:
            upright = upright or sim.time
            if quick:
                break
        else:
            upright = None
    print(f"balanced since {upright:.1f} s" if upright else "not balanced", f"; the cart went {farthest:.2f} m of {TRACK:g}", sep="")
    return 0 if upright and farthest < TRACK else 1


if __name__ == "__main__":
    raise SystemExit(main())
