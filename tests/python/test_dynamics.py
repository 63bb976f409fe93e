# SPDX-License-Identifier: Apache-2.0
"""Dynamics of a model against formulas written in numpy: closed forms, Jacobians by differences, balances of energy."""

import numpy as np
import pytest

import sinew

G = 9.81
DIFFERENCE = 1e-6  # step of central differences; errors are near its square, and rounding over it
TOL_DIFFERENCE = 2e-7
TOL_ROUNDOFF = 1e-9

MODELS = ["random:12:5", "chain:8", "tree:15", "random:25:9"]


def random_state(model, rng):
    q = model.integrate(model.neutral(), rng.uniform(-1, 1, model.nv))
    return q, rng.uniform(-1, 1, model.nv), rng.uniform(-5, 5, model.nv)


def near(a, b, tolerance):
    a, b = np.asarray(a), np.asarray(b)
    return np.abs(a - b).max() <= tolerance * max(1.0, np.abs(b).max())


def derivative(model, q, function):
    """Columns: how a function of q changes along each coordinate of the tangent space."""
    columns = []
    for k in range(model.nv):
        e = np.zeros(model.nv)
        e[k] = DIFFERENCE
        columns.append((function(model.integrate(q, e)) - function(model.integrate(q, -e))) / (2 * DIFFERENCE))
    return np.stack(columns, axis=-1)


def poses_at(dynamics, q):
    dynamics.kinematics(q)
    return dynamics.poses()


def jacobians(model, q):
    """Of every body, 6 x nv, body axes at the origin, by differences of poses."""
    dynamics = sinew.Dynamics(model)
    X = poses_at(dynamics, q)
    dX = derivative(model, q, lambda p: poses_at(dynamics, p))
    found = []
    for i in range(len(X)):
        R = X[i, :3, :3]
        J = np.empty((6, model.nv))
        for k in range(model.nv):
            W = R.T @ dX[i, :3, :3, k]
            J[:3, k] = (W[2, 1] - W[1, 2]) / 2, (W[0, 2] - W[2, 0]) / 2, (W[1, 0] - W[0, 1]) / 2
            J[3:, k] = R.T @ dX[i, :3, 3, k]
        found.append(J)
    return found


def cross(p):
    return np.array([[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]])


def spatial_inertia(body):
    C = cross(body.com)
    I = np.empty((6, 6))
    I[:3, :3] = body.inertia + body.mass * C @ C.T
    I[:3, 3:], I[3:, :3] = body.mass * C, body.mass * C.T
    I[3:, 3:] = body.mass * np.eye(3)
    return I


# ---- closed form --------------------------------------------------------------------------------------------------------

M1, M2, L1, LC1, LC2, I1, I2 = 1.3, 0.7, 0.9, 0.4, 0.35, 0.08, 0.03

TWO_LINKS = f"""<robot name="two_links">
  <link name="base"/>
  <link name="one"><inertial><mass value="{M1}"/><origin xyz="0 0 {-LC1}"/>
    <inertia ixx="{I1}" iyy="{I1}" izz="{I1}" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="two"><inertial><mass value="{M2}"/><origin xyz="0 0 {-LC2}"/>
    <inertia ixx="{I2}" iyy="{I2}" izz="{I2}" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="j1" type="continuous"><parent link="base"/><child link="one"/><axis xyz="0 1 0"/></joint>
  <joint name="j2" type="continuous"><parent link="one"/><child link="two"/><origin xyz="0 0 {-L1}"/><axis xyz="0 1 0"/></joint>
</robot>"""


def two_links(q, v):
    """M and h of a pendulum of two links, angles from hanging, the second relative to the first."""
    c2, s2 = np.cos(q[1]), np.sin(q[1])
    coupling = M2 * L1 * LC2
    m22 = I2 + M2 * LC2**2
    m12 = m22 + coupling * c2
    m11 = I1 + M1 * LC1**2 + M2 * L1**2 + m22 + 2 * coupling * c2
    h = coupling * s2 * np.array([-2 * v[0] * v[1] - v[1] ** 2, v[0] ** 2])
    g1 = (M1 * LC1 + M2 * L1) * G * np.sin(q[0])
    g12 = M2 * LC2 * G * np.sin(q[0] + q[1])
    return np.array([[m11, m12], [m12, m22]]), h + [g1 + g12, g12]


@pytest.mark.parametrize("algorithm", sinew.algorithms())
def test_a_pendulum_of_two_links_moves_as_its_closed_form_says(algorithm, rng):
    dynamics = sinew.Dynamics(sinew.Model.from_text(TWO_LINKS), algorithm)
    assert dynamics.algorithm == algorithm and dynamics.advice == ""
    for _ in range(50):
        q, v, tau = rng.uniform(-3, 3, (3, 2))
        M, h = two_links(q, v)
        assert near(dynamics.forward(q, v, tau), np.linalg.solve(M, tau - h), TOL_ROUNDOFF)
        assert near(dynamics.mass_matrix(q), M, TOL_ROUNDOFF)
        assert near(dynamics.inverse(q, v), h, TOL_ROUNDOFF)


def test_poses_of_two_links_are_turns_and_shifts(rng):
    dynamics = sinew.Dynamics(sinew.Model.from_text(TWO_LINKS))
    q = rng.uniform(-3, 3, 2)
    dynamics.kinematics(q)

    def turn(a):
        return np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])

    assert near(dynamics.pose("one").R, turn(q[0]), TOL_ROUNDOFF)
    assert near(dynamics.pose("two").R, turn(q.sum()), TOL_ROUNDOFF)
    assert near(dynamics.pose("j2").p, turn(q[0]) @ [0, 0, -L1], TOL_ROUNDOFF)
    assert near(dynamics.poses()[1][:3, 3], dynamics.pose(1).p, TOL_ROUNDOFF)
    com = (M1 * turn(q[0]) @ [0, 0, -LC1] + M2 * (turn(q[0]) @ [0, 0, -L1] + turn(q.sum()) @ [0, 0, -LC2])) / (M1 + M2)
    assert near(dynamics.momentum().com, com, TOL_ROUNDOFF)
    assert dynamics.energy().potential == pytest.approx((M1 + M2) * G * com[2])


# ---- any model ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("algorithm", sinew.algorithms())
def test_inertia_times_acceleration_plus_bias_is_force(name, algorithm, rng):
    model = sinew.Model(name)
    dynamics = sinew.Dynamics(model, algorithm)
    q, v, tau = random_state(model, rng)
    qdd, M, h = dynamics.forward(q, v, tau), dynamics.mass_matrix(q), dynamics.inverse(q, v)
    assert near(M @ qdd + h, tau, 1e-8)
    assert near(dynamics.inverse(q, v, qdd), tau, 1e-8)
    assert near(M, M.T, TOL_ROUNDOFF) and np.linalg.eigvalsh(M).min() > 0


@pytest.mark.parametrize("name", MODELS)
def test_the_inertia_matrix_is_that_of_the_bodies_through_their_jacobians(name, rng):
    model = sinew.Model(name)
    q, _, _ = random_state(model, rng)
    M = np.diag(np.concatenate([body.armature for body in model.bodies]))
    for J, body in zip(jacobians(model, q), model.bodies):
        M = M + J.T @ spatial_inertia(body) @ J
    assert near(sinew.Dynamics(model).mass_matrix(q), M, TOL_DIFFERENCE)


@pytest.mark.parametrize("name", MODELS)
def test_velocities_energy_and_momentum_are_those_of_the_jacobians(name, rng):
    model = sinew.Model(name)
    q, v, _ = random_state(model, rng)
    dynamics = sinew.Dynamics(model)
    M = dynamics.mass_matrix(q)
    J = jacobians(model, q)
    dynamics.kinematics(q, v)
    for i in range(len(model.bodies)):
        assert near(dynamics.velocity(i), J[i] @ v, TOL_DIFFERENCE)
    assert dynamics.energy().kinetic == pytest.approx(v @ M @ v / 2, rel=TOL_ROUNDOFF)
    linear, about_origin = np.zeros(3), np.zeros(3)
    for i, body in enumerate(model.bodies):
        X, momentum = dynamics.pose(i), spatial_inertia(body) @ dynamics.velocity(i)
        linear += X.R @ momentum[3:]
        about_origin += X.R @ momentum[:3] + np.cross(X.p, X.R @ momentum[3:])
    said = dynamics.momentum()
    assert said.mass == pytest.approx(sum(body.mass for body in model.bodies))
    assert near(said.linear, linear, TOL_ROUNDOFF)
    assert near(said.angular, about_origin - np.cross(said.com, linear), 1e-8)


@pytest.mark.parametrize("name", MODELS)
def test_the_bias_at_rest_is_the_slope_of_the_potential(name, rng):
    model = sinew.Model(name)
    q, _, _ = random_state(model, rng)
    dynamics = sinew.Dynamics(model)
    bias = dynamics.inverse(q)

    def potential(p):
        dynamics.kinematics(p)
        return np.array(dynamics.energy().potential)

    assert near(bias, derivative(model, q, potential), TOL_DIFFERENCE)


@pytest.mark.parametrize("name", MODELS)
def test_energy_grows_by_the_power_of_the_forces(name, rng):
    model = sinew.Model(name)
    q, v, tau = random_state(model, rng)
    dynamics = sinew.Dynamics(model)
    qdd = dynamics.forward(q, v, tau)

    def total(dt):
        dynamics.kinematics(model.integrate(q, dt * v + dt * dt / 2 * qdd), v + dt * qdd)
        energy = dynamics.energy()
        return energy.kinetic + energy.potential

    power = (total(DIFFERENCE) - total(-DIFFERENCE)) / (2 * DIFFERENCE)
    scale = np.abs(tau * v).sum() + np.abs(total(0)) / 1e3
    assert power == pytest.approx(tau @ v, abs=1e-6 * max(scale, 1))


@pytest.mark.parametrize("axes", ["world", "body"])
def test_a_wrench_acts_through_the_jacobian_of_its_body(axes, rng):
    model = sinew.Model("random:12:5")
    q, v, tau = random_state(model, rng)
    dynamics = sinew.Dynamics(model)
    without = dynamics.forward(q, v, tau)
    force, moment = rng.uniform(-5, 5, (2, 3))
    dynamics.set_wrench(7, force, moment, axes)
    with_it = dynamics.forward(q, v, tau)
    R = dynamics.pose(7).R if axes == "world" else np.eye(3)
    wrench = np.concatenate((R.T @ moment, R.T @ force))
    assert near(dynamics.mass_matrix(q) @ (with_it - without), jacobians(model, q)[7].T @ wrench, 1e-6)
    dynamics.clear_wrenches()
    assert np.array_equal(dynamics.forward(q, v, tau), without)


def test_impulses_and_responses_go_through_the_inverse_inertia(rng):
    model = sinew.Model("random:12:5")
    q, v, tau = random_state(model, rng)
    dynamics = sinew.Dynamics(model)
    M, J = dynamics.mass_matrix(q), jacobians(model, q)
    dynamics.forward(q, v, tau)
    wrench = rng.uniform(-1, 1, 6)
    dv = dynamics.impulse(tau, {4: wrench})
    assert near(M @ dv, tau + J[4].T @ wrench, 1e-6)
    Lambda = dynamics.response([4, 9])
    stacked = np.vstack((J[4], J[9]))
    assert near(Lambda, stacked @ np.linalg.solve(M, stacked.T), 1e-6)
    assert near(dynamics.impulse(tau), np.linalg.solve(M, tau), 1e-8)
    dynamics.kinematics(q)
    for refused in (lambda: dynamics.impulse(tau), lambda: dynamics.response([1])):
        with pytest.raises(sinew.Error, match="needs a forward before"):
            refused()


def test_a_locked_joint_does_not_accelerate_and_the_rest_feels_it(rng):
    model = sinew.Model.from_text(TWO_LINKS)
    dynamics = sinew.Dynamics(model)
    q, tau = rng.uniform(-1, 1, (2, 2))
    dynamics.lock("j2")
    assert dynamics.is_locked("j2") and not dynamics.is_locked("j1")
    M, h = two_links(q, np.zeros(2))
    assert near(dynamics.forward(q, None, tau), [(tau[0] - h[0]) / M[0, 0], 0], TOL_ROUNDOFF)
    dynamics.lock("j2", False)
    assert near(dynamics.forward(q, None, tau), np.linalg.solve(M, tau - h), TOL_ROUNDOFF)


def test_springs_and_dampers_are_linear(rng):
    model = sinew.Model("cable:10")
    q, v, _ = random_state(model, rng)
    dynamics = sinew.Dynamics(model)
    still = dynamics.passive_force(q, np.zeros(model.nv))
    damping = np.concatenate([body.damping for body in model.bodies])
    assert damping.max() > 0
    assert near(dynamics.passive_force(q, v) - still, -damping * v, TOL_ROUNDOFF)


def test_gravity_is_asked_set_and_felt():
    model = sinew.Model.from_text(TWO_LINKS)
    dynamics = sinew.Dynamics(model)
    assert np.array_equal(dynamics.gravity, [0, 0, -G])
    dynamics.gravity = (0, 0, 0)
    assert np.array_equal(dynamics.forward([1, 1]), [0, 0])


def test_accelerations_of_bodies_are_those_of_their_velocities(rng):
    model = sinew.Model("chain:6")
    q, v, tau = random_state(model, rng)
    dynamics = sinew.Dynamics(model)
    qdd = dynamics.forward(q, v, tau)
    said = dynamics.acceleration(5)

    def velocity(dt):
        dynamics.kinematics(model.integrate(q, dt * v + dt * dt / 2 * qdd), v + dt * qdd)
        return dynamics.velocity(5)

    assert near(said, (velocity(DIFFERENCE) - velocity(-DIFFERENCE)) / (2 * DIFFERENCE), 1e-6)


def test_frames_move_with_their_bodies():
    model = sinew.Model("hrp2")
    dynamics = sinew.Dynamics(model)
    dynamics.kinematics(model.neutral())
    for frame in model.frames[:20]:
        if frame.body >= 0:
            body = dynamics.pose(frame.body)
            assert np.allclose(dynamics.frame_pose(frame.name).p, body.R @ frame.pose.p + body.p)


def test_results_go_where_they_are_told_and_arguments_are_not_copied(rng):
    model = sinew.Model("chain:4")
    dynamics = sinew.Dynamics(model)
    q, v, tau = random_state(model, rng)
    out, M = np.empty(4), np.empty((4, 4))
    assert dynamics.forward(q, v, tau, out) is out and dynamics.mass_matrix(q, M) is M
    assert np.array_equal(out, dynamics.forward(list(q), tuple(v), tau.tolist()))
    for wrong in (np.empty(3), np.empty(4, np.float32), np.empty(8)[::2]):
        with pytest.raises(sinew.Error, match="out must be"):
            dynamics.forward(q, v, tau, wrong)
    frozen = np.empty(4)
    frozen.flags.writeable = False
    with pytest.raises(sinew.Error, match="out must be"):
        dynamics.forward(q, v, tau, frozen)


def test_wrong_arguments_are_refused_and_say_why():
    model = sinew.Model("chain:4")
    dynamics = sinew.Dynamics(model)
    with pytest.raises(sinew.Error, match=r"q has the shape \(3,\); it must be \(4,\)"):
        dynamics.forward([0, 0, 0])
    with pytest.raises(sinew.Error) as caught:
        dynamics.forward([0, 0, 0, np.nan])
    assert caught.value.status == "SN_ERR_NUMERIC"
    with pytest.raises(sinew.Error, match="there is no axes 'moon'; there are body, world"):
        dynamics.set_wrench(0, axes="moon")
    with pytest.raises(sinew.Error, match="magic"):
        sinew.Dynamics(model, "magic")
    with pytest.raises(sinew.Error, match="of the algorithm 'adaptive'"):
        dynamics.set_adaptivity(max_active=2)


# ---- batch --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*MODELS, "hrp2"])
@pytest.mark.parametrize("rows", [1, 3, 4, 37])
def test_a_batch_gives_what_one_by_one_gives(name, rows, rng):
    model = sinew.Model(name)
    states = [random_state(model, rng) for _ in range(rows)]
    q, v, tau = (np.array(part) for part in zip(*states))
    batch, single = sinew.Batch(model), sinew.Dynamics(model)
    together = batch.forward(q, v, tau)
    assert together.shape == (rows, model.nv)
    for k in range(rows):
        assert near(together[k], single.forward(q[k], v[k], tau[k]), 1e-8)
    at_rest = batch.forward(q)
    assert near(at_rest[-1], single.forward(q[-1]), 1e-8)


def test_a_batch_has_its_gravity(rng):
    model = sinew.Model("chain:4")
    batch = sinew.Batch(model, gravity=(0, 0, 0))
    assert np.array_equal(batch.forward(np.ones((5, 4))), np.zeros((5, 4)))
    batch.set_gravity((1, 0, -3))
    single = sinew.Dynamics(model)
    single.gravity = (1, 0, -3)
    assert near(batch.forward(np.ones((5, 4)))[2], single.forward(np.ones(4)), TOL_ROUNDOFF)


def test_a_batch_names_the_first_state_that_is_not_finite(rng):
    model = sinew.Model("chain:4")
    q = rng.uniform(-1, 1, (10, 4))
    right = sinew.Batch(model).forward(q)
    q[6, 2] = np.nan
    out = np.empty((10, 4))
    with pytest.raises(sinew.Error, match="state 6") as caught:
        sinew.Batch(model).forward(q, out=out)
    assert caught.value.status == "SN_ERR_NUMERIC"
    assert np.array_equal(np.delete(out, 6, 0), np.delete(right, 6, 0)), "the others are right"


def test_a_batch_takes_any_number_of_rows_and_no_other_shape():
    model = sinew.Model("chain:4")
    batch = sinew.Batch(model)
    assert batch.forward(np.empty((0, 4))).shape == (0, 4)
    for wrong in (lambda: batch.forward(np.zeros(4)), lambda: batch.forward(np.zeros((2, 3)))):
        with pytest.raises(sinew.Error, match="q has the shape"):
            wrong()
    with pytest.raises(sinew.Error, match=r"tau has the shape \(1, 4\); it must be \(2, 4\)"):
        batch.forward(np.zeros((2, 4)), tau=np.zeros((1, 4)))
    with pytest.raises(sinew.Error, match="loop"):
        sinew.Batch(sinew.Model("four_bar"))


# ---- adaptive -----------------------------------------------------------------------------------------------------------


def test_with_all_joints_active_adaptive_dynamics_are_the_exact_ones(rng):
    model = sinew.Model("chain:30")
    adaptive, exact = sinew.Dynamics(model, "adaptive"), sinew.Dynamics(model)
    q, v, tau = random_state(model, rng)
    assert near(adaptive.forward(q, v, tau), exact.forward(q, v, tau), 1e-8)
    assert adaptive.region.active == 30 and all(adaptive.is_active(i) for i in range(30))


def test_a_budget_of_active_joints_is_kept_and_the_others_do_not_accelerate(rng):
    model = sinew.Model("chain:30")
    adaptive = sinew.Dynamics(model, "adaptive")
    adaptive.set_adaptivity(max_active=8)
    adaptive.keep_active(29)
    q, _, tau = random_state(model, rng)
    qdd = adaptive.forward(q, None, tau)
    region = adaptive.region
    active = np.array([adaptive.is_active(i) for i in range(30)])
    assert active.sum() == region.active == 8 and active[29]
    assert region.rigid == (8 if active[0] else 9), "what is before the first active joint is one with the world"
    assert (qdd[~active] == 0).all() and np.abs(qdd[active]).max() > 0
    assert 0 < region.error < region.total


def test_an_adaptive_world_is_asked_and_told():
    sim = sinew.load("chain:50", dynamics="adaptive", max_active=8, contact=False)
    q = np.zeros(50)
    q[:] = 0.1
    sim.set_state(q)
    sim.step(20)
    assert 0 < sim.region.active <= 8
    tip = sim.body(sim.model.body_names[-1])
    tip.keep_active()
    sim.step(5)
    assert tip.is_active
    sim.set_adaptivity(max_active=-1)
    sim.step(5)
    assert sim.region.active == 50
    with pytest.raises(sinew.Error, match="of dynamics 'adaptive'"):
        sinew.load("chain:5").set_adaptivity(max_active=2)
    with pytest.raises(sinew.Error, match="there is no metric 'x'; there are inertia, unit, given"):
        sim.set_adaptivity(metric="x")
