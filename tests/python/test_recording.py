# SPDX-License-Identifier: Apache-2.0
"""What is recorded is what happened, and happens again."""

import numpy as np
import pytest
from conftest import BALL, PENDULUM, ROOT

import sinew

SENSED = {**PENDULUM, "sensors": [{"name": "energy", "type": "energy"}]}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.rec"


def test_samples_are_the_states_that_were(path):
    sim = sinew.load(SENSED)
    sim.set_state([1.0, 0.5])
    times, states, energies, hashes = [], [], [], []
    with sim.record(path):
        assert sim.is_recording
        for _ in range(50):
            sim.step()
            times.append(sim.time)
            states.append(sim.q.copy())
            energies.append(sim.sensors["energy"].copy())
            hashes.append(sim.hash)
    assert not sim.is_recording
    recording = sinew.Recording(path)
    assert (recording.steps, recording.samples, len(recording)) == (50, 50, 50)
    assert recording.closed and not recording.damaged and recording.lost == 0
    assert recording.sensors == {"energy": 3} and recording.step_size == sim.step_size
    assert recording.model.to_json() == sim.model.to_json()
    arrays = recording.arrays()
    assert np.array_equal(arrays["time"], times)
    assert np.array_equal(arrays["q"], states)
    assert np.array_equal(arrays["sensors"]["energy"], energies)
    assert np.array_equal(arrays["hash"], np.array(hashes, np.uint64))
    assert arrays["v"].shape == (50, 2) and arrays["bodies"] == sim.model.body_names
    kept = list(recording)
    assert np.array_equal(kept[7].q, states[7]) and kept[7].step == 8


def test_every_nth_step_is_sampled(path):
    sim = sinew.load(PENDULUM)
    with sim.record(path, every=10):
        sim.step(100)
    assert list(sinew.Recording(path).arrays()["step"]) == list(range(10, 101, 10))


def test_a_replay_gives_the_same_bits_with_all_that_python_did(path):
    sim = sinew.load(BALL, sleep=False)

    @sim.controller
    def wind(sim, tau):
        tau[3] += np.sin(20 * sim.time)

    with sim.record(path):
        sim.step(50)
        sim.add("cube", box=[0.2, 0.2, 0.2], mass=3, at=[0.5, 0, 0.5])
        sim.push("cube", (0, 3, 0))
        sim.step(100)
        sim.force[0] = 0.1
        sim.step(20)
        sim.remove("ball")
        sim.step(30)
    seen = []
    recording = sinew.Recording(path)
    assert recording.exact
    verdict = recording.verify(lambda done, of: seen.append((done, of)))
    assert verdict == (True, 200, None, None)
    assert seen == [(200, 200)]
    parts = recording.parts()
    assert [len(part["time"]) for part in parts] == [50, 120, 30]
    assert [part["bodies"] for part in parts] == [["ball"], ["ball", "cube"], ["cube"]]
    with pytest.raises(sinew.Error, match="3 parts"):
        recording.arrays()


def test_a_step_that_differs_is_found_with_its_block(path):
    """Begun in the middle of things that touch, where a replay cannot know what the solver remembers."""
    sim = sinew.load("heap:10")
    sim.step(400)
    with sim.record(path):
        sim.step(100)
    recording = sinew.Recording(path)
    assert not recording.exact and recording.first_step == 400
    verdict = recording.verify()
    assert not verdict.same and 1 <= verdict.steps <= 100
    assert 0 < verdict.block < recording.blocks and 0 < verdict.offset < path.stat().st_size


def test_a_recording_that_was_cut_opens_up_to_the_cut(path, caplog):
    sim = sinew.load(PENDULUM)
    with sim.record(path):
        sim.step(100)
    data = path.read_bytes()
    path.write_bytes(data[:-1])
    cut = sinew.Recording(path)
    assert not cut.closed and cut.steps == 100
    assert any("in the middle of block" in record.message for record in caplog.records)


def test_what_is_no_recording_is_an_error(path):
    with pytest.raises(sinew.Error) as caught:
        sinew.Recording(path)
    assert caught.value.status == "SN_ERR_FILE"
    path.write_bytes(b"no recording at all" * 100)
    with pytest.raises(sinew.Error) as caught:
        sinew.Recording(path)
    assert caught.value.status == "SN_ERR_FORMAT"


def test_a_recording_that_cannot_be_written_is_refused(pendulum, tmp_path):
    with pytest.raises(sinew.Error, match="nowhere") as caught:
        pendulum.record(tmp_path / "nowhere" / "x.rec")
    assert caught.value.status == "SN_ERR_FILE"
    pendulum.step()


def test_there_is_one_recording_at_a_time(pendulum, path, tmp_path):
    with pendulum.record(path):
        with pytest.raises(sinew.Error, match="a recording runs already"):
            pendulum.record(tmp_path / "second.rec")
        pendulum.step(3)
    assert sinew.Recording(path).steps == 3


def test_closing_the_simulation_ends_its_recording(path):
    with sinew.load(PENDULUM) as sim:
        sim.record(path)
        sim.step(5)
    assert sinew.Recording(path).closed


def test_a_full_disk_stops_the_recording_and_not_the_simulation(pendulum, path):
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    pendulum.record(path)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, before[1]))  # a file of more is as bad as a full disk
    try:
        pendulum.step(40000)
        with pytest.raises(sinew.Error) as caught:
            pendulum.end_recording()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert caught.value.status == "SN_ERR_FILE"
    assert pendulum.step_count == 40000
    recording = sinew.Recording(path)
    assert not recording.closed and 0 < recording.steps < 40000, "what was written stays readable"


def test_a_closed_recording_refuses_and_a_loop_over_it_ends(path):
    sim = sinew.load(PENDULUM)
    with sim.record(path):
        sim.step(5)
    with sinew.Recording(path) as recording:
        samples = iter(recording)
        assert next(samples).step == 1
    with pytest.raises(sinew.Error, match="closed"):
        next(samples)
    with pytest.raises(sinew.Error, match="closed"):
        recording.verify()
    recording.close()


def test_the_model_of_a_recording_outlives_it(path):
    sim = sinew.load(PENDULUM)
    with sim.record(path):
        sim.step(5)
    model = sinew.Recording(path).model
    assert model.joint_names == sim.model.joint_names


def test_meters_of_a_session_are_read(path):
    recording = sinew.Recording(ROOT / "tests/fuzz/corpus/recording/metered.sinew")
    found = list(recording.meters())
    assert [(one.loop, one.hand) for one in found[-2:]] == [("coupling", ""), ("haptics", "left")]
    for one in found:
        assert list(one.jitter) == list(range(24)) and one.ticks == one.step  # as the file was made
        assert one.rate > 0 and one.worst >= 0
    assert found[-2].safety is None and np.isnan(found[-2].latency_mean)
    left = found[-1]
    assert (left.latency_mean, left.latency_worst) == pytest.approx((7.5e-7, 1.1e-8))
    assert left.safety.max_force == 3 and left.safety.energy_least == -0.125 and left.safety.trips == 2
    assert left.safety.last_trip == "the enable button is not held"
    assert list(left.safety.acted)[0] == "finite check" and len(left.safety.acted) == 10
    assert list(recording.meters()) and recording.samples == len(list(recording))  # again, and beside samples
    sim = sinew.load(PENDULUM)
    with sim.record(path):
        sim.step(10)
    assert list(sinew.Recording(path).meters()) == []  # no session, no meters
