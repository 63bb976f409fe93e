# SPDX-License-Identifier: Apache-2.0
"""Controllers and plugins in Python: called in each step; what they raise comes out of the call that led to them."""

import gc
import logging
import weakref

import numpy as np
import pytest
from conftest import BALL, PENDULUM

import sinew


def notes(caught):
    return " ".join(getattr(caught.value, "__notes__", []))


# ---- controllers --------------------------------------------------------------------------------------------------------


def test_a_controller_adds_joint_forces_in_each_step(pendulum):
    seen = []

    @pendulum.controller
    def hold(sim, tau):
        seen.append((sim.time, tau.copy()))
        tau[:] = sinew.Dynamics(sim.model).inverse(sim.q)  # against gravity

    pendulum.set_state([1.0, 0.5])
    pendulum.step(20)
    assert np.allclose(pendulum.q, [1.0, 0.5], atol=1e-12)
    assert [time for time, _ in seen] == pytest.approx([k * pendulum.step_size for k in range(20)])
    assert all((tau == 0).all() for _, tau in seen)
    assert np.allclose(pendulum.control, sinew.Dynamics(pendulum.model).inverse([1.0, 0.5]))


def test_controllers_add_up_and_go_one_by_one(pendulum):
    pendulum.gravity = (0, 0, 0)

    def one(sim, tau):
        tau[0] += 1

    def two(sim, tau):
        tau[0] += 2

    pendulum.controller(one)
    pendulum.controller(two)
    pendulum.step()
    assert pendulum.control[0] == 3
    pendulum.remove_controller(one)
    pendulum.step()
    assert pendulum.control[0] == 2
    pendulum.remove_controller("two")
    pendulum.step()
    assert pendulum.control[0] == 0
    with pytest.raises(sinew.Error, match="there is no controller 'two'"):
        pendulum.remove_controller("two")


def test_a_second_controller_of_a_name_takes_the_place_of_the_first(pendulum):
    for force in (1, 5):

        def push(sim, tau, force=force):
            tau[0] = force

        pendulum.controller(push)
    pendulum.step()
    assert pendulum.control[0] == 5


def test_an_exception_comes_out_of_step_names_the_controller_and_removes_it(pendulum):
    calls = []

    @pendulum.controller
    def clumsy(sim, tau):
        calls.append(sim.step_count)
        tau[0] = 100
        if sim.step_count == 3:
            raise ValueError("I fell over")

    @pendulum.controller
    def steady(sim, tau):
        tau[1] = 1

    with pytest.raises(ValueError, match="I fell over") as caught:
        pendulum.step(10)
    assert "controller 'clumsy'" in notes(caught) and "step 4" in notes(caught)
    assert pendulum.step_count == 4, "the step it happened in is done"
    assert list(pendulum.control) == [0, 1], "without its force, with that of others"
    pendulum.step(5)
    assert calls == [0, 1, 2, 3]


def test_a_controller_that_gives_nan_is_stopped_and_named(pendulum):
    @pendulum.controller
    def broken(sim, tau):
        tau[0] = np.nan

    for _ in range(2):
        with pytest.raises(sinew.Error, match="controller 'broken' gave a force that is not finite") as caught:
            pendulum.step()
        assert caught.value.status == "SN_ERR_NUMERIC"
        pendulum.step(3)
        assert np.isfinite(pendulum.q).all()
        pendulum.controller(broken)


def test_when_the_last_controller_is_stopped_steps_are_quick_again(pendulum):
    @pendulum.controller
    def broken(sim, tau):
        raise KeyError

    with pytest.raises(KeyError):
        pendulum.step()
    assert pendulum._attention == 0


def test_two_that_raise_in_one_step_are_both_told(pendulum, caplog):
    def one(sim, tau):
        raise ValueError("first")

    def two(sim, tau):
        raise ValueError("second")

    pendulum.controller(one)
    pendulum.controller(two)
    with pytest.raises(ValueError, match="first"):
        pendulum.step()
    assert any("controller 'two'" in record.message and "second" in record.message for record in caplog.records)


def test_inside_a_controller_a_simulation_neither_steps_nor_changes(pendulum):
    refused = []

    @pendulum.controller
    def curious(sim, tau):
        for change in (
            lambda: sim.step(),
            lambda: sim.set_state([0, 0]),
            lambda: sim.add("x", sphere=0.1, mass=1),
            lambda: sim.reset(),
            lambda: sim.close(),
            lambda: sim.push(0, (1, 0, 0)),
        ):
            with pytest.raises(sinew.Error, match=r"inside control\(\)"):
                change()
            refused.append(change)
        assert np.isfinite(sim.q).all() and sim.energy.total < 1e9

    pendulum.step()
    assert len(refused) == 6


def test_a_kept_tau_is_ones_own(pendulum):
    kept = []

    @pendulum.controller
    def keep(sim, tau):
        tau[0] = sim.step_count
        kept.append(tau)

    pendulum.step(3)
    pendulum.close()
    gc.collect()
    assert [tau[0] for tau in kept] == [0, 1, 2]


def test_a_simulation_with_a_controller_that_knows_it_is_collected():
    sim = sinew.load(PENDULUM)

    @sim.controller
    def knows(_, tau):
        tau[0] = sim.q[0]

    sim.step(3)
    handle = weakref.ref(sim._handle)
    del sim, knows
    gc.collect()
    assert handle() is None


def test_a_pd_controller_of_the_scene_and_one_in_python_do_the_same():
    explicit = {**PENDULUM, "integrator": "rk4"}  # with euler the scene's are those of the end of the step
    scene = {
        **explicit,
        "controllers": [{"name": "pd", "item": "pendulum", "kp": 50, "kd": 5, "target": {"upper_hinge": 0.5, "lower_hinge": -0.25}}],
    }
    by_scene, by_python = sinew.load(scene), sinew.load(explicit)

    @by_python.controller
    def pd(sim, tau):
        tau += 50 * (np.array([0.5, -0.25]) - sim.q) - 5 * sim.v

    for sim in (by_scene, by_python):
        sim.step(300)
    assert np.allclose(by_scene.q, by_python.q, rtol=0, atol=1e-12)


# ---- plugins ------------------------------------------------------------------------------------------------------------


class Everything(sinew.Plugin):
    name = "everything"
    about = "does all that a plugin can"

    def __init__(self):
        self.said = []

    def init(self, sim, options):
        self.said.append(("init", sim.step_count, options))

    def step(self, sim):
        self.said.append(("step", sim.step_count))

    def control(self, sim, tau):
        tau[0] += 2

    def command(self, sim, words):
        self.said.append(("command", words))
        return words.upper()

    def draw(self, sim, drawing):
        drawing.line((0, 0, 0), (1, 2, 3), (0, 1, 0, 1))
        drawing.text((0, 0, 1), "hello")

    def cleanup(self):
        self.said.append(("cleanup",))


def test_a_plugin_is_told_everything_in_order(pendulum):
    plugin = Everything()
    pendulum.add_plugin(plugin, "gain: 3")
    assert pendulum.plugins == {"everything": None}
    pendulum.step(2)
    assert pendulum.control[0] == 2
    assert pendulum.command({"plugin": {"name": "everything", "words": "go left"}}) == "GO LEFT"
    lines = pendulum.draw()
    assert np.array_equal(lines[0].end, [1, 2, 3]) and lines[0].color == (0, 1, 0, 1) and lines[0].text == ""
    assert lines[1].text == "hello" and np.array_equal(lines[1].start, lines[1].end)
    pendulum.close()
    assert plugin.said == [("init", 0, "gain: 3"), ("step", 1), ("step", 2), ("command", "go left"), ("cleanup",)]


def test_a_plugin_is_cleaned_up_once_also_when_views_keep_the_memory(pendulum):
    plugin = Everything()
    pendulum.add_plugin(plugin)
    q = pendulum.q
    pendulum.close()
    assert plugin.said[-1] == ("cleanup",)
    del q, pendulum
    gc.collect()
    assert plugin.said.count(("cleanup",)) == 1


def test_a_plugin_is_cleaned_up_when_nobody_closes():
    plugin = Everything()
    sinew.load(PENDULUM).add_plugin(plugin)
    gc.collect()
    assert plugin.said[-1] == ("cleanup",)


def test_a_plugin_may_edit_after_a_step(ball):
    class Rain:
        def step(self, sim):
            if sim.step_count % 10 == 0:
                sim.add(f"drop{sim.step_count}", sphere=0.02, mass=0.1, at=[1, 0, 1])
            if sim.step_count == 25:
                sim.remove("drop10")

    ball.add_plugin(Rain())
    ball.step(31)
    assert set(ball.items) == {"floor", "ball", "drop20", "drop30"}
    assert ball.plugins == {"Rain": None}


@pytest.mark.parametrize("method", ["step", "control"])
def test_a_plugin_that_raises_is_stopped_and_named_and_the_simulation_goes_on(pendulum, method, caplog):
    class Faulty:
        def init(self, sim, options):
            pass

    def fail(self, *_):
        raise RuntimeError("no more")

    setattr(Faulty, method, fail)
    pendulum.add_plugin(Faulty())
    with caplog.at_level(logging.WARNING, "sinew"), pytest.raises(RuntimeError, match="no more") as caught:
        pendulum.step(5)
    assert "plugin 'Faulty'" in notes(caught)
    assert pendulum.step_count == 1
    assert pendulum.plugins["Faulty"] is not None
    assert any("Faulty" in record.message for record in caplog.records)
    pendulum.step(5)
    assert pendulum.step_count == 6


@pytest.mark.parametrize("method", ["init", "step", "control", "command", "draw"])
def test_inside_a_plugin_a_simulation_is_neither_stepped_nor_closed(pendulum, method):
    refused = []

    class Curious:
        def init(self, sim, options):
            pass

    def ask(self, sim, *_):
        for change in (sim.step, lambda: sim.step(5), sim.close, lambda: sim.add_plugin(Everything())):
            with pytest.raises(sinew.Error, match=rf"inside {method}\(\)"):
                change()
            refused.append(change)

    setattr(Curious, method, ask)
    pendulum.add_plugin(Curious())
    pendulum.step()
    if method == "command":
        pendulum.command({"plugin": {"name": "Curious", "words": "hear"}})
    pendulum.draw()
    assert len(refused) == 4
    assert pendulum.step_count == 1 and pendulum.plugins == {"Curious": None}


def test_a_plugin_that_gives_nan_is_stopped_and_named(pendulum):
    class Broken:
        def control(self, sim, tau):
            tau[1] = np.inf

    pendulum.add_plugin(Broken())
    with pytest.raises(sinew.Error, match="plugin 'Broken' gave a force that is not finite"):
        pendulum.step()
    assert pendulum.plugins["Broken"] is not None
    pendulum.step(5)
    assert np.isfinite(pendulum.q).all()


def test_a_plugin_whose_init_raises_is_not_added(pendulum):
    class Never:
        def init(self, sim, options):
            raise OSError("no device")

    with pytest.raises(OSError, match="no device"):
        pendulum.add_plugin(Never())
    assert pendulum.plugins == {}
    assert pendulum._attention == 0, "steps are quick"
    pendulum.step(3)


def test_what_is_no_plugin_is_refused_and_a_name_is_taken_once(pendulum):
    with pytest.raises(sinew.Error, match="is no plugin: it has none of init, step"):
        pendulum.add_plugin(object())
    pendulum.add_plugin(Everything())
    with pytest.raises(sinew.Error, match="everything"):
        pendulum.add_plugin(Everything())
    pendulum.step()


def test_a_cleanup_that_raises_is_logged(caplog):
    class Untidy:
        def step(self, sim):
            pass

        def cleanup(self):
            raise ValueError("mess")

    sim = sinew.load(PENDULUM)
    sim.add_plugin(Untidy())
    sim.close()
    assert any("Untidy" in record.message for record in caplog.records)


def test_words_for_a_plugin_that_raises_come_out_of_command(pendulum):
    class Deaf:
        def command(self, sim, words):
            raise ValueError(f"what is {words}?")

    pendulum.add_plugin(Deaf())
    with pytest.raises(ValueError, match="what is up?"):
        pendulum.command({"plugin": {"name": "Deaf", "words": "up"}})
    with pytest.raises(sinew.Error):
        pendulum.command({"plugin": {"name": "nobody", "words": "up"}})


def test_a_plugin_of_an_interrupted_step_lets_the_interrupt_through(ball):
    class Stop:
        def step(self, sim):
            raise KeyboardInterrupt

    ball.add_plugin(Stop())
    with pytest.raises(KeyboardInterrupt):
        ball.step(100)
    assert ball.step_count == 1


def test_a_shared_library_that_is_no_plugin_is_refused(tmp_path):
    path = tmp_path / "none.so"
    path.write_bytes(b"not a library")
    with pytest.raises(sinew.Error, match="none.so"):
        sinew.load(BALL, plugins=[path])
