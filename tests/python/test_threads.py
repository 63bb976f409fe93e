# SPDX-License-Identifier: Apache-2.0
"""Stepping releases the interpreter's lock; callbacks hold it; one simulation is for one thread at a time.

Nothing here measures time. The interpreter's switch interval is set so long that a thread never loses the lock unless it
gives it away: what another thread does meanwhile, it does because somebody gave it away.
"""

import sys
import threading
import time

import numpy as np
import pytest
from conftest import PENDULUM

import sinew

PATIENCE = 30.0  # s, until what should happen is given up


@pytest.fixture(autouse=True)
def only_given_away():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000.0)
    yield
    sys.setswitchinterval(before)


class Counter(threading.Thread):
    """Counts whenever it gets the lock, and gives it back after each count."""

    def __init__(self):
        super().__init__(daemon=True)
        self.count, self.stop = 0, False
        self.start()

    def run(self):
        while not self.stop:
            self.count += 1
            time.sleep(0)

    def __enter__(self):
        while self.count == 0:
            time.sleep(0.001)
        return self

    def __exit__(self, *_):
        self.stop = True
        self.join()


def test_other_threads_run_while_one_steps():
    sim = sinew.load("chain:200", contact=False)
    with Counter() as counter:
        before, tries = counter.count, 0
        while counter.count < before + 3 and tries < 200:
            tries += 1
            sim._advance(1000)  # two calls of the library: many steps, and the last
        assert counter.count >= before + 3


def test_other_threads_run_while_a_batch_is_computed():
    model = sinew.Model("chain:100")
    batch, q = sinew.Batch(model), np.zeros((2000, 100))
    with Counter() as counter:
        before, tries = counter.count, 0
        while counter.count < before + 3 and tries < 200:
            tries += 1
            batch.forward(q)
        assert counter.count >= before + 3


def test_no_other_thread_runs_inside_a_callback(pendulum):
    spans = []
    with Counter() as counter:

        @pendulum.controller
        def busy(sim, tau):
            before = counter.count
            total = 0
            for k in range(20000):
                total += k
            tau[0] = total * 0.0
            spans.append((before, counter.count))

        pendulum.step(50)
    assert len(spans) == 50
    assert all(before == after for before, after in spans)


def test_two_simulations_step_at_the_same_time_in_two_threads():
    """Each waits inside its step for the other to be inside its own."""
    meet = threading.Barrier(2, timeout=PATIENCE)
    failed = []

    def run():
        sim = sinew.load(PENDULUM)

        @sim.controller
        def wait(_, tau):
            meet.wait()

        try:
            sim.step(20)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert not failed and not any(thread.is_alive() for thread in threads)


def test_simulations_in_many_threads_give_the_bits_of_one_alone():
    def run(hashes, k):
        sim = sinew.load("stack:4")
        sim.push(k % 4, (1.0 + k // 4, 0, 0))
        for _ in range(10):
            sim.step(20)
        hashes[k] = sim.hash

    together, alone = [0] * 8, [0] * 8
    threads = [threading.Thread(target=run, args=(together, k)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k in range(8):
        run(alone, k)
    assert together == alone


def test_a_simulation_that_steps_in_one_thread_refuses_another():
    sim = sinew.load(PENDULUM)
    inside, go_on = threading.Event(), threading.Event()

    @sim.controller
    def wait(_, tau):
        inside.set()
        assert go_on.wait(PATIENCE)

    thread = threading.Thread(target=sim.step)
    thread.start()
    assert inside.wait(PATIENCE)
    for refused in (sim.step, sim.reset, sim.close, lambda: sim.set_state([0, 0]), lambda: sim.step(10)):
        with pytest.raises(sinew.Error) as caught:
            refused()
        assert caught.value.status == "SN_ERR_FAULT"
    go_on.set()
    thread.join()
    sim.remove_controller("wait")
    sim.step()
    assert sim.step_count == 2


def test_a_simulation_made_in_one_thread_is_freed_in_another():
    made = [sinew.load("chain:5") for _ in range(4)]
    thread = threading.Thread(target=made.clear)
    thread.start()
    thread.join()
    assert not made
