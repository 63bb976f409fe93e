# SPDX-License-Identifier: Apache-2.0
"""Scenes and models come from files, texts, names and numbers; what is wrong with them is an exception with its place."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from conftest import BALL, ROOT

import sinew

URDF = """<robot name="arm">
  <link name="base"/>
  <link name="rod"><inertial><mass value="2"/><origin xyz="0 0 -0.5"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
</robot>
"""

SCENE = """version: 1
about: A ball on a floor.
duration: 0.25
floor: true
objects:
- {name: ball, sphere: 0.1, mass: 2, at: [0, 0, 0.5]}
"""


def test_a_scene_is_read_from_text():
    sim = sinew.load_text(SCENE, "mine.yaml")
    assert set(sim.items) == {"floor", "ball"}
    assert sim.model.mass == pytest.approx(2)
    assert sim.run().steps == round(0.25 / sim.step_size)
    assert sim.time == pytest.approx(0.25)


def test_a_scene_is_read_from_a_file_and_its_paths_are_relative_to_it(tmp_path):
    (tmp_path / "arm.urdf").write_text(URDF)
    (tmp_path / "scene.yaml").write_text("version: 1\nmodels:\n- {name: arm, file: arm.urdf, at: [0, 0, 2]}\n")
    sim = sinew.load(tmp_path / "scene.yaml")
    assert sim.model.joint_names == ["arm/hinge"]


def test_a_text_has_paths_relative_to_its_name(tmp_path):
    (tmp_path / "arm.urdf").write_text(URDF)
    text = "version: 1\nmodels:\n- {name: arm, file: arm.urdf}\n"
    sim = sinew.load_text(text, str(tmp_path / "nowhere.yaml"))
    assert sim.model.joint_names == ["arm/hinge"]


def test_a_scene_is_read_from_a_dict_with_numbers_of_numpy():
    sim = sinew.load({"version": 1, "objects": [{"name": "b", "sphere": np.float64(0.1), "mass": 1, "at": np.ones(3)}]})
    assert np.array_equal(sim.body("b").position, [1, 1, 1])


def test_a_dict_with_what_a_scene_cannot_hold_is_refused():
    with pytest.raises(TypeError, match="a scene cannot hold"):
        sinew.load({"version": 1, "objects": [{"name": object()}]})


def test_a_urdf_alone_is_a_scene_on_a_floor(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(URDF)
    sim = sinew.load(path)
    assert "floor" in sim.items
    sim.step(10)
    assert sim.step_count == 10


@pytest.mark.parametrize("name", sinew.shipped_models())
def test_every_model_that_is_shipped_loads_and_steps(name):
    sim = sinew.load(name)
    sim.step(5)
    assert np.isfinite(sim.q).all() and sim.step_count == 5


@pytest.mark.parametrize("name", sinew.shipped_scenes())
def test_every_scene_that_is_shipped_loads_by_name_and_steps(name):
    sim = sinew.load(name, recording=False)
    sim.step(5)
    assert np.isfinite(sim.q).all() and sim.step_count == 5


@pytest.mark.parametrize("name, bodies", [("chain:7", 7), ("tree:15", 15), ("stack:4", 4), ("cable:20", 20)])
def test_generated_models_have_as_many_bodies_as_asked_for(name, bodies):
    assert len(sinew.load(name).model.bodies) == bodies
    assert len(sinew.Model(name).bodies) == bodies


def test_a_model_of_ones_own_is_simulated_and_goes_on_belonging_to_its_owner():
    model = sinew.Model("chain:3")
    sim = sinew.load(model, contact=False)
    del model
    sim.step(10)
    assert len(sim.model.bodies) == 3


def test_options_take_the_place_of_the_scenes():
    sim = sinew.load(BALL, step=0.002, gravity=(0, 0, -1), contact=False, integrator="rk4", dynamics="crba")
    assert sim.step_size == 0.002
    assert np.array_equal(sim.gravity, [0, 0, -1])
    sim.step(100)
    assert sim.body("ball").position[2] == pytest.approx(0.1 - 0.5 * 0.2**2, abs=1e-12)


def test_an_option_that_does_not_exist_is_refused_with_those_that_do():
    with pytest.raises(sinew.Error, match="there is no option 'stpe'; there are step"):
        sinew.load(BALL, stpe=0.1)
    with pytest.raises(sinew.Error, match="there is no integrator 'magic'; there are euler, rk4, midpoint"):
        sinew.load(BALL, integrator="magic")


# ---- errors ---------------------------------------------------------------------------------------------------------


def test_an_error_in_a_scene_has_file_line_and_column():
    with pytest.raises(sinew.Error) as caught:
        sinew.load_text("version: 1\nmodels:\n- {name: a, modle: hrp2}\n", "my.yaml")
    error = caught.value
    assert (error.file, error.line, error.column, error.status) == ("my.yaml", 3, 13, "SN_ERR_FORMAT")
    assert "did you mean 'model'?" in error.text
    assert str(error).startswith("my.yaml:3:13: ")


def test_an_error_in_a_file_names_that_file(tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text("version: 1\nstep: fast\n")
    with pytest.raises(sinew.Error) as caught:
        sinew.load(path)
    assert (caught.value.file, caught.value.line) == (str(path), 2)
    assert caught.value.column > 0


def test_an_error_in_a_urdf_has_its_line(tmp_path):
    path = tmp_path / "bad.urdf"
    path.write_text(URDF.replace('type="continuous"', 'type="wobbly"'))
    for load in (sinew.load, sinew.Model):
        with pytest.raises(sinew.Error) as caught:
            load(path)
        assert (caught.value.file, caught.value.line) == (str(path), 5)
        assert "wobbly" in caught.value.text


@pytest.mark.parametrize("name", ["nosuch", "chain:0", "chain:-1", "/nowhere/robot.urdf", ""])
def test_what_is_not_there_is_an_error_of_a_file(name):
    for load in (sinew.load, sinew.Model):
        with pytest.raises(sinew.Error):
            load(name)


def test_a_missing_model_says_what_there_is():
    with pytest.raises(sinew.Error, match="hrp2") as caught:
        sinew.Model("nosuch")
    assert caught.value.status == "SN_ERR_FILE"


def test_warnings_of_the_library_go_to_logging(caplog):
    sinew.Model.from_text(URDF.replace("<link name=\"base\"/>", "<link name=\"base\"/><nonsense/>"), "odd.urdf")
    assert any("odd.urdf" in record.message and "nonsense" in record.message for record in caplog.records)


def test_a_library_that_is_not_there_is_an_import_error(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "SINEW_LIBRARY": str(tmp_path / "none.so")}
    done = subprocess.run([sys.executable, "-c", "import sinew"], env=environment, capture_output=True, text=True)
    assert done.returncode != 0
    assert "ImportError: sinew: SINEW_LIBRARY is" in done.stderr


# ---- models ---------------------------------------------------------------------------------------------------------


def test_a_model_survives_json_to_the_last_bit():
    model = sinew.Model("random:12:5")
    again = sinew.Model.from_json(model.to_json())
    assert again.to_json() == model.to_json()
    assert sinew.Model.from_json(json.loads(model.to_json())).to_json() == model.to_json()


def test_a_model_says_what_is_in_it():
    model = sinew.Model.from_text(URDF)
    hinge = model.body("hinge")
    assert (hinge.name, hinge.joint, hinge.type, hinge.parent) == ("rod", "hinge", "revolute", -1)
    assert np.array_equal(hinge.axis, [0, 1, 0])
    assert hinge.mass == 2 and np.array_equal(hinge.com, [0, 0, -0.5])
    assert model.find("rod") == model.find("hinge") == model.find(hinge) == model.find(0) == 0
    assert model.nq == model.nv == 1 and model.mass == 2


def test_a_name_that_is_not_there_is_refused_with_the_nearest():
    with pytest.raises(sinew.Error, match="there is no body or joint 'hinje' in 'arm'; did you mean 'hinge'?"):
        sinew.Model.from_text(URDF).find("hinje")
    for index in (-1, 1):
        with pytest.raises(sinew.Error, match="there is no body"):
            sinew.Model.from_text(URDF).find(index)
    with pytest.raises(IndexError):
        sinew.Model.from_text(URDF).bodies[1]
    with pytest.raises(sinew.Error, match="there is no frame 'hand'"):
        sinew.Model.from_text(URDF).find_frame("hand")


def test_joints_are_found_in_q_and_v_by_name():
    model = sinew.Model("hrp2")
    free = model.bodies[0]
    assert free.type == "free" and (free.nq, free.nv) == (7, 6)
    knee = model.body("l_knee")
    assert list(model.q_indices("l_knee")) == [knee.iq]
    assert list(model.v_indices(0, "l_knee")) == [0, 1, 2, 3, 4, 5, knee.iv]
    assert model.q_indices().shape == (0,)
    sim = sinew.load("hrp2")
    q = sim.q.copy()
    q[sim.model.q_indices("l_knee")] = 0.3
    sim.set_state(q)
    assert sim.body("l_knee").q[0] == 0.3


def test_lists_of_a_model_are_sequences():
    model = sinew.Model("chain:5")
    assert [body.index for body in model.bodies] == [0, 1, 2, 3, 4]
    assert [body.index for body in model.bodies[1:4]] == [1, 2, 3]
    assert model.bodies[-1].index == 4
    assert {shape.body for shape in model.shapes} <= set(range(-1, 5))


def test_loops_are_listed():
    loops = sinew.Model("four_bar").loops
    assert len(loops) == 1 and loops[0].type == "revolute"


def test_configurations_move_along_the_manifold(rng):
    model = sinew.Model("random:30:3")
    q0 = model.integrate(model.neutral(), rng.uniform(-1, 1, model.nv))
    dv = rng.uniform(-1, 1, model.nv)
    q1 = model.integrate(q0, dv)
    assert model.is_configuration(q1) and not model.is_configuration(np.full(model.nq, np.nan))
    assert np.allclose(model.difference(q0, q1), dv, atol=1e-12)
    out = np.empty(model.nq)
    assert model.integrate(q0, dv, out) is out and np.array_equal(out, q1)


def test_the_schema_of_scene_files_is_json():
    schema = sinew.schema()
    assert "models" in schema["$defs"]["scene"]["properties"]
