#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An arm finds a motion by trying: hundreds of rollouts at once, the best of them narrow down where to try next.

An arm of four joints sags under its weight. Its hand is to be at a place at a given time, at rest: what goals must the
springs of its joints be given meanwhile? The cross-entropy method samples sequences of goals; sinew.Batch steps all samples
together. The winner is then played in a simulation.

    python3 rollouts.py [--quick]
"""

import argparse
import time

import numpy as np

import sinew

JOINTS, STEP, STEPS, KNOTS = 4, 0.005, 160, 4
FREQUENCY = 10.0  # rad/s of the joints' springs, critically damped
SEED = 7


def spread(knots):
    """Goals at every step: straight lines between knots, samples x steps x joints."""
    at = np.linspace(0, KNOTS - 1, STEPS)
    low = np.minimum(at.astype(int), KNOTS - 2)
    part = (at - low)[:, None]
    return knots[:, low] * (1 - part) + knots[:, low + 1] * part


def springs(model):
    """tau(goal, q, v) for one state or many; as stiff as the joints' inertia needs."""
    inertia = np.diag(sinew.Dynamics(model).mass_matrix(model.neutral()))
    return lambda goal, q, v: inertia * (FREQUENCY**2 * (goal - q) - 2 * FREQUENCY * v)


def roll_out(batch, model, goals):
    """States at the end of all samples: semi-implicit Euler, as a world without contact steps."""
    q, v = np.zeros((2, len(goals), model.nv))
    force = springs(model)
    for k in range(STEPS):
        v += STEP * batch.forward(q, v, force(goals[:, k], q, v))
        q += STEP * v
    return q, v


def search(model, target, samples, rounds, rng):
    """The best knots, and what is left of the distance."""
    batch = sinew.Batch(model)
    mean, width = np.tile(target, (KNOTS, 1)), np.full((KNOTS, model.nv), 0.5)
    for turn in range(rounds):
        knots = mean + width * rng.standard_normal((samples, KNOTS, model.nv))
        q, v = roll_out(batch, model, spread(knots))
        cost = np.sqrt(((q - target) ** 2).sum(axis=1) + 0.01 * (v**2).sum(axis=1))
        best = np.argsort(cost)[: samples // 12]
        mean, width = knots[best].mean(axis=0), knots[best].std(axis=0)
        print(f"  round {turn + 1:2}: best {cost[best[0]]:.4f}, median {np.median(cost):.4f}")
    return knots[best[0]], cost[best[0]]


def play(model, knots):
    """The same goals in a simulation of the model."""
    sim = sinew.load(model, step=STEP, contact=False)
    goals, force = spread(knots[None])[0], springs(model)

    @sim.controller
    def follow(sim, tau):
        tau[:] = force(goals[sim.step_count], sim.q, sim.v)

    sim.step(STEPS)
    return sim


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer samples and rounds")
    samples, rounds = (240, 15) if parser.parse_args().quick else (1000, 30)
    model = sinew.Model(f"chain:{JOINTS}")
    rng = np.random.default_rng(SEED)
    print(f"seed {SEED}: {rounds} rounds of {samples} rollouts of {STEPS} steps")
    target = np.array([0.6, -0.4, 0.5, -0.3])
    begin = time.perf_counter()
    knots, cost = search(model, target, samples, rounds, rng)
    seconds = time.perf_counter() - begin
    print(f"{samples * rounds * STEPS / seconds / 1e6:.2f} million steps a second")
    sim = play(model, knots)
    q, v = roll_out(sinew.Batch(model), model, spread(knots[None]))
    print("joints in the simulation:", np.array2string(sim.q, precision=3), "wanted:", target)
    print(f"simulation and rollout differ by {np.abs(sim.q - q[0]).max():.1e}")
    return 0 if cost < 0.02 and np.allclose(sim.q, q[0], atol=1e-8) else 1


if __name__ == "__main__":
    raise SystemExit(main())
