# SPDX-License-Identifier: Apache-2.0
"""State and sensors are views of the library's memory: never copied, never freed while somebody looks."""

import gc
import weakref

import numpy as np
import pytest
from conftest import BALL, PENDULUM

import sinew

SENSED = {
    **PENDULUM,
    "sensors": [
        {"name": "angle", "type": "position", "item": "pendulum", "joint": "upper_hinge"},
        {"name": "energy", "type": "energy"},
    ],
}


def start(sim, upper=1.0):
    q = sim.model.neutral()
    q[0] = upper
    sim.set_state(q)


def place(array):
    return array.__array_interface__["data"][0]


# ---- stepping ---------------------------------------------------------------------------------------------------------


def test_one_step_after_the_other_and_many_at_once_give_the_same_bits(pendulum):
    other = sinew.load(PENDULUM)
    for sim in (pendulum, other):
        start(sim)
    for _ in range(500):
        pendulum.step()
    other.step(500)
    assert pendulum.hash == other.hash
    assert pendulum.step_count == other.step_count == 500
    assert pendulum.time == pytest.approx(500 * pendulum.step_size)


def test_no_steps_are_no_steps_and_fewer_are_refused(pendulum):
    pendulum.step(0)
    assert pendulum.step_count == 0
    with pytest.raises(sinew.Error, match="not negative"):
        pendulum.step(-1)


def test_a_run_lasts_as_long_as_told_or_until_a_question_is_answered_yes(pendulum):
    start(pendulum)
    report = pendulum.run(0.1)
    assert report.steps == round(0.1 / pendulum.step_size)
    report = pendulum.run(5.0, until=lambda sim: sim.time >= 0.2)
    assert pendulum.time == pytest.approx(0.2, abs=1.5 * pendulum.step_size)
    assert report.steps == pytest.approx(0.1 / pendulum.step_size, abs=2)
    with pytest.raises(sinew.Error, match="how long"):
        pendulum.run()


def test_what_a_question_raises_comes_out_of_run(pendulum):
    def until(sim):
        if sim.step_count == 7:
            raise LookupError("seven")
        return False

    with pytest.raises(LookupError, match="seven"):
        pendulum.run(1.0, until=until)
    assert pendulum.step_count == 7
    pendulum.step()


def test_a_paced_run_counts_what_it_steps(pendulum):
    report = pendulum.run(0.02, pace=1.0)
    assert report.steps == round(0.02 / pendulum.step_size)
    assert report.seconds > 0


def test_a_state_that_stops_being_finite_is_an_error_and_latches_until_it_is_set(pendulum):
    pendulum.set_state(v=[1e200, 1e200])
    with pytest.raises(sinew.Error) as caught:
        pendulum.step(100)
    assert caught.value.status == "SN_ERR_NUMERIC"
    assert np.isfinite(pendulum.q).all()
    with pytest.raises(sinew.Error) as caught:
        pendulum.step()
    assert caught.value.status == "SN_ERR_FAULT"
    pendulum.set_state(v=[0, 0])
    pendulum.step()


def test_a_step_tells_events_stages_and_residual(ball):
    ball.step(3)
    assert isinstance(ball.events, set) and "not_finite" not in ball.events
    assert len(ball.stage_times) == 9 and all(seconds >= 0 for seconds in ball.stage_times.values())
    assert 0 <= ball.residual < 1e-3


# ---- views ------------------------------------------------------------------------------------------------------------


def test_state_is_one_view_of_the_same_memory_through_all_steps(pendulum):
    start(pendulum)
    views = {name: getattr(pendulum, name) for name in ("q", "v", "control")}
    places = {name: place(array) for name, array in views.items()}
    before = views["q"].copy()
    for n in (1, 1, 100):
        pendulum.step(n)
        for name, array in views.items():
            assert getattr(pendulum, name) is array
            assert place(array) == places[name]
    assert not np.array_equal(views["q"], before)


def test_views_cannot_be_written_into(pendulum):
    for name in ("q", "v", "control"):
        array = getattr(pendulum, name)
        assert not array.flags.writeable and not array.flags.owndata
        with pytest.raises(ValueError):
            array[0] = 1
        with pytest.raises(ValueError):
            array.flags.writeable = True


def test_a_joints_view_shares_memory_with_the_whole(pendulum):
    lower = pendulum.body("pendulum/lower_hinge")
    assert np.shares_memory(lower.q, pendulum.q) and np.shares_memory(lower.v, pendulum.v)
    pendulum.set_state([0.1, 0.2], [0.3, 0.4])
    assert lower.q[0] == 0.2 and lower.v[0] == 0.4


def test_sensors_are_views_of_one_memory_that_follow_the_steps():
    sim = sinew.load(SENSED)
    angle, energy = sim.sensors["angle"], sim.sensors["energy"]
    assert set(sim.sensors) == {"angle", "energy"} and len(sim.sensors) == 2
    assert not angle.flags.writeable and not angle.flags.owndata
    start(sim)
    places = place(angle), place(energy)
    sim.step(50)
    assert sim.sensors["angle"] is angle
    assert (place(angle), place(energy)) == places
    assert angle[0] == sim.q[0]
    assert energy.sum() == pytest.approx(sim.energy.total, rel=1e-12)
    with pytest.raises(KeyError):
        sim.sensors["none"]


def test_a_sensor_whose_item_is_gone_shows_nan_and_its_view_stays():
    sim = sinew.load(SENSED)
    angle = sim.sensors["angle"]
    where = place(angle)
    sim.remove("pendulum")
    sim.step()
    assert np.isnan(angle).all() and place(sim.sensors["angle"]) == where


# ---- lifetimes --------------------------------------------------------------------------------------------------------


def test_a_view_outlives_the_simulation():
    sim = sinew.load(PENDULUM)
    start(sim, 0.75)
    q, sensors = sim.q, sinew.load(SENSED).sensors["energy"]
    del sim
    gc.collect()
    for _ in range(20):  # so that memory that was freed would be written over
        sinew.load("chain:40").step(3)
    assert q[0] == 0.75 and sensors.shape == (3,)


def test_a_view_outlives_the_edits_and_shows_the_last_state_it_had(ball):
    ball.step(10)
    q, before = ball.q, ball.q.copy()
    for k in range(30):
        ball.add(f"b{k}", sphere=0.05, mass=1, at=[1 + k, 0, 1])
        ball.step(2)
    assert ball.q is not q and len(ball.q) == len(q) + 30 * 7
    assert np.array_equal(q, before)
    assert not np.shares_memory(q, ball.q)


def test_memory_of_models_before_is_freed_when_nobody_looks(ball):
    seat = weakref.ref(ball._seat)
    q, model = ball.q, ball.model
    body = ball.body("ball")  # looks at nothing until it is asked
    ball.add("second", sphere=0.05, mass=1, at=[1, 0, 1])
    ball.step(10)
    gc.collect()
    assert seat() is not None and ball._old_seats
    del q
    ball.step(10)
    assert seat() is not None, "the old model looks, too"
    assert len(model.bodies) == 1
    del model
    ball.step(10)
    gc.collect()
    assert seat() is None and not ball._old_seats
    assert ball._attention == 0, "steps are quick again"
    assert body.index == 0


def test_a_model_outlives_its_simulation():
    model = sinew.load(PENDULUM).model
    gc.collect()
    assert model.joint_names == ["pendulum/upper_hinge", "pendulum/lower_hinge"]
    assert sinew.Dynamics(model).forward(model.neutral()).shape == (2,)


def test_a_closed_simulation_refuses_everything_and_its_views_stay(pendulum):
    start(pendulum, 0.5)
    q, body, item = pendulum.q, pendulum.body("pendulum/upper_hinge"), pendulum.item("pendulum")
    pendulum.close()
    pendulum.close()
    gc.collect()
    assert q[0] == 0.5
    assert repr(pendulum) == "<sinew.Simulation, closed>"
    for ask in (
        lambda: pendulum.step(),
        lambda: pendulum.step(5),
        lambda: pendulum.q,
        lambda: pendulum.time,
        lambda: pendulum.contacts,
        lambda: pendulum.sensors,
        lambda: pendulum.energy,
        lambda: pendulum.save(),
        lambda: pendulum.reset(),
        lambda: pendulum.items,
        lambda: body.pose,
        lambda: item.bodies,
        lambda: pendulum.force,
        lambda: pendulum.record("x.rec"),
    ):
        with pytest.raises(sinew.Error, match="closed"):
            ask()


def test_with_closes():
    with sinew.load(PENDULUM) as sim:
        sim.step()
    with pytest.raises(sinew.Error, match="closed"):
        sim.step()


def test_simulations_come_and_go_without_a_trace():
    alive = []
    for _ in range(50):
        sim = sinew.load(BALL)
        sim.step(2)
        alive.append(weakref.ref(sim._handle))
    del sim
    gc.collect()
    assert not any(handle() for handle in alive)


def test_a_simulation_that_failed_to_load_can_be_collected():
    with pytest.raises(sinew.Error):
        sinew.load("nosuch")
    gc.collect()


# ---- setting, saving, restoring ---------------------------------------------------------------------------------------


def test_a_state_is_set_in_part_or_refused_whole(pendulum):
    pendulum.set_state([0.1, 0.2], [0.3, 0.4])
    pendulum.set_state(v=[1, 2])
    assert list(pendulum.q) == [0.1, 0.2] and list(pendulum.v) == [1, 2]
    with pytest.raises(sinew.Error) as caught:
        pendulum.set_state([np.nan, 0])
    assert caught.value.status == "SN_ERR_NUMERIC"
    with pytest.raises(sinew.Error, match=r"q has the shape \(3,\); it must be \(2,\)"):
        pendulum.set_state([0, 0, 0])
    assert list(pendulum.q) == [0.1, 0.2]


def test_a_restored_state_goes_the_same_way_again_bit_for_bit(pendulum):
    start(pendulum)
    pendulum.force[:] = [0.5, 0]
    pendulum.step(20)
    saved = pendulum.save()
    pendulum.step(100)
    went = pendulum.q.copy()
    pendulum.force[:] = 3
    pendulum.restore(saved)
    pendulum.step(100)
    assert np.array_equal(pendulum.q, went)
    assert pendulum.step_count == 220, "time goes on"
    assert not np.shares_memory(saved.q, pendulum.q)


def test_with_contact_a_state_restored_after_a_reset_goes_the_same_way_bit_for_bit():
    sim = sinew.load("stack:3")
    sim.step(40)
    saved = sim.save()
    ways = []
    for _ in range(3):
        sim.reset()
        sim.restore(saved)
        sim.step(60)
        ways.append(sim.q.copy())
    assert np.array_equal(ways[0], ways[1]) and np.array_equal(ways[1], ways[2])


def test_a_state_of_other_bodies_is_not_restored(pendulum, ball):
    with pytest.raises(sinew.Error, match="shape"):
        pendulum.restore(ball.save())


# ---- questions --------------------------------------------------------------------------------------------------------


def test_pose_and_velocity_of_a_body_are_those_of_its_joints(pendulum):
    pendulum.set_state([0.3, 0], [2.0, 0])
    upper = pendulum.body("pendulum/upper_hinge")
    axis = pendulum.model.body("pendulum/upper_hinge").axis
    assert np.allclose(upper.position, [0, 0, 3])
    assert np.allclose(upper.velocity[:3], 2.0 * axis)
    c, s = np.cos(0.3), np.sin(0.3)
    turned = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) if abs(axis[1]) == 1 else np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    assert np.allclose(upper.pose.R, turned if axis.sum() > 0 else turned.T)
    assert np.allclose(upper.pose.quaternion, [np.cos(0.15), *(np.sin(0.15) * axis)])
    assert np.allclose(upper.pose.matrix[:3, 3], upper.position)


def test_bodies_are_a_mapping_by_name(pendulum):
    assert list(pendulum.bodies) == pendulum.model.body_names and len(pendulum.bodies) == 2
    assert pendulum.bodies["pendulum/upper_hinge"].index == 0
    with pytest.raises(KeyError):
        pendulum.bodies["none"]
    with pytest.raises(sinew.Error, match="there is no body or joint"):
        pendulum.body("none")


def test_energy_is_kept_by_the_midpoint_rule_and_is_that_of_dynamics():
    sim = sinew.load(PENDULUM, integrator="midpoint")
    start(sim, 2.0)
    begin = sim.energy.total
    sim.step(2000)
    assert sim.energy.total == pytest.approx(begin, rel=1e-6)
    dynamics = sinew.Dynamics(sim.model)
    dynamics.kinematics(sim.q, sim.v)
    assert dynamics.energy() == pytest.approx(sim.energy, rel=1e-12)
    assert np.allclose(dynamics.momentum().linear, sim.momentum.linear, rtol=1e-12)


def test_two_simulations_never_meet():
    one, two = sinew.load("hrp2"), sinew.load("hrp2")
    alone = sinew.load("hrp2")
    for _ in range(20):
        one.step()
        two.step(3)
        two.push(0, (0, 0, 100))
    alone.step(20)
    assert one.hash == alone.hash
    assert not np.shares_memory(one.q, two.q)


# ---- contacts and forces ----------------------------------------------------------------------------------------------


def test_contact_carries_the_weight(ball):
    ball.step(5)
    contacts = ball.contacts
    assert contacts.dtype == sinew.CONTACT and len(contacts) == 1
    assert {contacts["a"][0], contacts["b"][0]} == {-1, 0}
    mine = ball.body("ball").contacts
    assert mine["a"][0] == 0 and mine["b"][0] == -1
    assert np.allclose(mine["n"][0], [0, 0, 1])
    assert np.allclose(mine["x"][0], [0, 0, 0], atol=1e-9)
    assert np.allclose(mine["force"][0], [0, 0, 2 * 9.81], rtol=1e-6)
    assert np.allclose(ball.body("ball").contact_force, [0, 0, 2 * 9.81], rtol=1e-6)


def test_contacts_stay_as_they_were_when_they_were_asked_for(ball):
    ball.step(5)
    kept = ball.contacts
    before = kept.copy()
    ball.push("ball", (0, 0, 40))
    ball.step(200)
    assert np.array_equal(kept, before)
    assert len(ball.contacts) == 0 and np.array_equal(ball.body("ball").contact_force, np.zeros(3))


def test_a_push_accelerates_by_force_over_mass_until_it_ends(ball):
    ball.gravity = (0, 0, 0)
    ball.set_state([0, 0, 1, 1, 0, 0, 0])
    ball.body("ball").push((4, 0, 0))
    ball.step(100)
    t = 100 * ball.step_size
    assert ball.body("ball").velocity[3] == pytest.approx(4 / 2 * t, rel=1e-9)
    ball.push("ball")
    ball.step(100)
    assert ball.body("ball").velocity[3] == pytest.approx(4 / 2 * t, rel=1e-9)


def test_a_push_beside_the_centre_turns_as_its_moment_does():
    one, two = sinew.load(BALL), sinew.load(BALL)
    for sim in (one, two):
        sim.gravity = (0, 0, 0)
        sim.set_state([0, 0, 1, 1, 0, 0, 0])
    one.body("ball").push((4, 0, 0), at=one.body("ball").position + (0, 0, 0.1))
    two.body("ball").push((4, 0, 0), moment=np.cross([0, 0, 0.1], [4, 0, 0]))
    for sim in (one, two):
        sim.step(50)
    assert np.allclose(one.body("ball").velocity, two.body("ball").velocity, rtol=1e-12, atol=1e-15)
    inertia = 0.4 * 2 * 0.1**2
    assert one.body("ball").velocity[1] == pytest.approx(0.4 / inertia * 50 * one.step_size, rel=1e-3)


def test_joint_forces_are_written_into_an_array_and_stay(pendulum):
    force = pendulum.force
    assert force.flags.writeable and force.shape == (2,)
    force[0] = 1.5
    assert pendulum.force is force
    M = sinew.Dynamics(pendulum.model).mass_matrix(pendulum.q)
    pendulum.step()
    expected = np.linalg.solve(M, [1.5, 0]) * pendulum.step_size
    assert np.allclose(pendulum.v, expected, rtol=1e-9)
    pendulum.force = [0, 0]
    assert np.array_equal(force, [0, 0])
    pendulum.command("force: {joint: pendulum/upper_hinge, value: 2}")
    assert list(pendulum.force) == [2, 0]


def test_a_force_that_is_not_finite_is_refused_and_no_step_is_made(pendulum):
    pendulum.force[0] = np.nan
    for n in (1, 5):
        with pytest.raises(sinew.Error) as caught:
            pendulum.step(n)
        assert caught.value.status == "SN_ERR_NUMERIC"
    assert pendulum.step_count == 0
    pendulum.force[0] = 0
    pendulum.step()


def test_wrong_shapes_and_names_are_refused(ball):
    for wrong in (lambda: ball.push("ball", (1, 2)), lambda: ball.push("bal"), lambda: ball.push("ball", (np.inf, 0, 0))):
        with pytest.raises(sinew.Error):
            wrong()
    with pytest.raises(ValueError):
        ball.force = [1, 2]
    ball.step()


def test_a_lock_stops_a_joint_and_an_unlock_frees_it(pendulum):
    start(pendulum)
    pendulum.step(50)
    pendulum.lock("pendulum/upper_hinge")
    at = pendulum.q[0]
    pendulum.step(50)
    assert pendulum.q[0] == at and pendulum.v[0] == 0
    pendulum.body("pendulum/upper_hinge").unlock()
    pendulum.step(50)
    assert pendulum.q[0] != at


def test_gravity_is_asked_and_set(pendulum):
    assert np.allclose(pendulum.gravity, [0, 0, -9.81])
    pendulum.gravity = (0, 0, 0)
    start(pendulum)
    pendulum.step(10)
    assert np.array_equal(pendulum.v, [0, 0])
    with pytest.raises(sinew.Error):
        pendulum.gravity = (0, 0, np.nan)
