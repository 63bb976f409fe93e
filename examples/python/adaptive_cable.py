#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A cable of a thousand links is shaken at its end; only the joints that matter are simulated.

The same motion with all joints active, and with fewer and fewer: what a step costs, and how far the end is off.

    python3 adaptive_cable.py [--quick]
"""

import argparse
import time

import numpy as np

import sinew


def shake(links, seconds, **options):
    """Pulls the last link aside. Returns where it went, seconds a step took, and joints that were active."""
    sim = sinew.load(f"cable:{links}", contact=False, step=1e-3, gravity=(0, 0, 0), **options)
    end = sim.body(sim.model.body_names[-1])
    if options["dynamics"] == "adaptive":
        end.keep_active()
    end.push((0, 0, 0.3))
    path, active, spent = [], [], 0.0
    while sim.time < seconds - 1e-9:
        begin = time.perf_counter()
        sim.step(10)
        spent += time.perf_counter() - begin
        path.append(end.position)
        active.append(sim.region.active if options["dynamics"] == "adaptive" else links)
    return np.array(path), spent / sim.step_count, int(np.mean(active))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer links, half the time")
    quick = parser.parse_args().quick
    links, seconds = (300, 0.2) if quick else (1000, 0.5)
    exact, exact_cost, _ = shake(links, seconds, dynamics="aba")
    moved = np.linalg.norm(exact[-1] - exact[0])
    print(f"a cable of {links} links, its end pulled aside by {100 * moved:.1f} cm in {seconds:g} s")
    print("  active joints    us/step   end is off by")
    print(f"  {'all':>13} {1e6 * exact_cost:10.1f}")
    off = []
    for budget in (100, 30, 10):
        path, cost, active = shake(links, seconds, dynamics="adaptive", max_active=budget)
        off.append(np.linalg.norm(path - exact, axis=1).max())
        print(f"  {active:13} {1e6 * cost:10.1f} {1000 * off[-1]:12.2f} mm")
    return 0 if off[0] < 0.1 * moved else 1


if __name__ == "__main__":
    raise SystemExit(main())
