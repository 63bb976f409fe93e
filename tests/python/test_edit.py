# SPDX-License-Identifier: Apache-2.0
"""Items come and go while a simulation runs; the state of all others goes on."""

import resource

import numpy as np
import pytest
from conftest import BALL

import sinew


def test_an_item_is_added_by_keys_of_a_scene_and_the_rest_goes_on(ball):
    ball.push("ball", (1, 0, 0))
    ball.step(20)
    q, v = ball.q.copy(), ball.v.copy()
    item = ball.add("cube", box=[0.2, 0.2, 0.2], mass=3, at=[2, 0, 0.5])
    assert item.exists and item.bodies == ["cube"] and item.name == "cube"
    assert np.array_equal(ball.q[:7], q) and np.array_equal(ball.v[:6], v)
    assert np.allclose(ball.body("cube").position, [2, 0, 0.5])
    ball.step(20)
    assert ball.body("cube").position[2] < 0.5 and ball.v[3] > v[3]
    assert "replaced" not in ball.events


def test_an_item_is_added_from_a_model_at_a_pose(ball):
    turn = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    model = sinew.Model("chain:3")
    ball.add("arm", model, pose=sinew.Pose(turn, np.array([0, 0, 2.0])))
    assert len(ball.item("arm").bodies) == 3 and ball.item("arm").bodies[0].startswith("arm/")
    dynamics = sinew.Dynamics(model)
    dynamics.kinematics(model.neutral())
    assert np.allclose(ball.body(ball.item("arm").bodies[2]).position, turn @ dynamics.pose(2).p + [0, 0, 2])
    ball.step(10)


def test_an_item_that_does_not_fit_is_refused_and_nothing_changes(ball):
    for wrong, words in (
        (lambda: ball.add("ball", sphere=0.1), "ball"),
        (lambda: ball.add("x", spere=0.1), "did you mean 'sphere'"),
        (lambda: ball.add("x", model="nosuch"), "nosuch"),
        (lambda: ball.add("x", sinew.Model("chain:2"), sphere=1), "with a Model there is only"),
        (lambda: ball.add("ball", sinew.Model("chain:2")), "ball"),
        (lambda: ball.add("x", sphere=0.1, mass=1, pose=sinew.Pose(np.eye(3), np.zeros(3))), "pose is for a Model"),
        (lambda: ball.add("x", sinew.Model("chain:2"), pose=(np.eye(2), np.zeros(3))), "3 x 3"),
    ):
        with pytest.raises(sinew.Error, match=words):
            wrong()
    assert set(ball.items) == {"floor", "ball"}
    ball.step()


def test_an_item_that_is_gone_is_never_taken_for_another(ball):
    first = ball.add("cube", box=[0.2, 0.2, 0.2], mass=3, at=[2, 0, 0.5])
    body = ball.body("cube")
    first.remove()
    assert not first.exists and set(ball.items) == {"floor", "ball"}
    with pytest.raises(sinew.Error, match="gone"):
        _ = first.bodies
    with pytest.raises(sinew.Error, match="no body or joint 'cube'"):
        _ = body.position
    second = ball.add("cube", box=[0.1, 0.1, 0.1], mass=1, at=[3, 0, 0.5])
    assert second.exists and not first.exists
    assert body.position[0] == 3, "a body is known by its name"
    with pytest.raises(sinew.Error):
        first.remove()
    with pytest.raises(sinew.Error, match="there is no item 'none'; there are"):
        ball.remove("none")
    assert second.exists


def test_a_body_that_is_held_hangs_until_it_is_released(ball):
    ball.add("lamp", sphere=0.1, mass=1, at=[1, 0, 2])
    hold = ball.hold("lamp")
    ball.step(200)
    assert ball.body("lamp").position[2] == pytest.approx(2, abs=1e-3)
    hold.release()
    ball.step(100)
    t = 100 * ball.step_size
    assert ball.body("lamp").position[2] == pytest.approx(2 - 0.5 * 9.81 * t * t, abs=2e-3)
    with pytest.raises(sinew.Error):
        hold.release()
    with pytest.raises(sinew.Error):
        ball.release("none")


def test_two_bodies_held_together_keep_their_distance(ball):
    ball.add("a", sphere=0.1, mass=1, at=[1, 0, 2])
    ball.add("b", sphere=0.1, mass=5, at=[1.5, 0, 2])
    ball.hold("a", "b", name="grasp")
    ball.push("b", (0, 30, 0))
    ball.step(100)
    apart = ball.body("a").position - ball.body("b").position
    assert np.linalg.norm(apart) == pytest.approx(0.5, abs=1e-3)
    ball.release("grasp")
    with pytest.raises(sinew.Error, match="there is no constraint 'glue'; there are weld"):
        ball.hold("a", "b", type="glue")


@pytest.mark.parametrize("mu, slides", [(0.9, False), (0.1, True)])
def test_a_surface_decides_whether_a_box_slides(mu, slides):
    sim = sinew.load({"version": 1, "floor": True, "objects": [{"name": "box", "box": [0.2, 0.2, 0.2], "mass": 1, "at": [0, 0, 0.1]}]})
    for name in ("box", "floor"):
        sim.set_surface(name, mu=mu)
    sim.push("box", (5, 0, 0))  # 0.51 of its weight
    sim.step(300)
    assert (sim.body("box").position[0] > 0.05) == slides


def test_a_surface_has_no_other_numbers_than_it_has(ball):
    with pytest.raises(sinew.Error, match="a surface has no 'grip'; it has mu"):
        ball.set_surface("ball", grip=1)
    with pytest.raises(sinew.Error):
        ball.set_surface("ball", mu=-1)


def test_a_reset_is_the_scene_as_it_was_loaded_and_time_goes_on(ball):
    q = ball.q.copy()
    ball.add("cube", box=[0.2, 0.2, 0.2], mass=3, at=[2, 0, 0.5])
    ball.push("ball", (10, 0, 30))
    ball.step(100)
    ball.reset()
    assert set(ball.items) == {"floor", "ball"} and np.array_equal(ball.q, q)
    assert ball.step_count == 100
    fresh = sinew.load(BALL, sleep=False)
    ball.step(50)
    fresh.step(50)
    assert np.array_equal(ball.q, fresh.q), "and what pushed it is gone"


def test_commands_are_texts_or_dicts(ball):
    ball.command("gravity: [0, 0, -1.6]")
    assert np.array_equal(ball.gravity, [0, 0, -1.6])
    ball.command({"add": {"name": "cube", "box": [0.2, 0.2, 0.2], "mass": 3, "at": np.array([2, 0, 0.5])}})
    ball.command({"remove": "ball"})
    assert set(ball.items) == {"floor", "cube"}
    with pytest.raises(sinew.Error, match="did you mean 'gravity'") as caught:
        ball.command("gravty: [0, 0, -1.6]")
    assert caught.value.line == 1


def test_memory_of_items_that_came_and_went_comes_back(ball):
    def megabytes():
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * resource.getpagesize() / 1e6

    def come_and_go(times):
        for _ in range(times):
            ball.add("chain", chain, at=[1, 0, 5])
            ball.step(3)
            assert len(ball.contacts) >= 1
            ball.remove("chain")
            ball.step(3)

    chain = sinew.Model("chain:200")
    come_and_go(5)
    before = megabytes()
    q = ball.q
    come_and_go(10)
    kept = megabytes() - before
    assert kept > 5
    del q
    come_and_go(5)
    before = megabytes()
    come_and_go(10)
    assert megabytes() - before < 0.2 * kept, "what a view kept is much more than what is left without"


def test_contacts_of_before_are_not_shown_for_bodies_of_after(ball):
    ball.step(5)
    assert len(ball.contacts) == 1
    ball.add("cube", box=[0.2, 0.2, 0.2], mass=3, at=[2, 0, 0.5])
    assert len(ball.contacts) == 0
    ball.step()
    assert len(ball.contacts) == 1


def test_forces_follow_their_bodies_when_others_come_and_go(ball):
    ball.add("cube", box=[0.2, 0.2, 0.2], mass=3, at=[2, 0, 0.5])
    ball.force[ball.model.v_indices("cube")[3]] = 6.0
    ball.step()
    ball.remove("ball")
    assert ball.force[ball.model.v_indices("cube")[3]] == 6.0 and len(ball.force) == 6
    v = ball.v[3]
    ball.step(10)
    assert ball.v[3] > v


def test_the_script_of_a_scene_edits_in_the_middle_of_many_steps():
    sim = sinew.load(
        {**BALL, "script": [{"at": 0.05, "add": {"name": "late", "sphere": 0.1, "mass": 1, "at": [1, 0, 0.1]}}, {"at": 0.1, "remove": "ball"}]}
    )
    before = sim.q
    sim.step(60)
    assert set(sim.items) == {"floor", "ball", "late"} and len(sim.q) == 14
    sim.step(100)
    assert set(sim.items) == {"floor", "late"} and len(sim.q) == 7 and len(before) == 7
