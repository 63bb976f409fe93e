# SPDX-License-Identifier: Apache-2.0
"""Actuators, sensors, controllers that move and behaviours, as a Python program sees them."""

import numpy as np
import pytest

import sinew

ARM = {
    "version": 1,
    "gravity": [0, 0, 0],
    "models": [{"name": "arm", "generate": "chain:3"}],
}


def test_a_motor_does_no_more_than_it_can():
    scene = {
        **ARM,
        "actuators": [{"item": "arm", "torque": 0.5}],
        "controllers": [{"item": "arm", "kp": 1e6, "kd": 1e3, "target": {"b000001": 1.0}}],
    }
    with sinew.load(scene) as sim:
        for _ in range(50):
            sim.step()
            assert np.abs(sim.control).max() <= 0.5 * (1 + 1e-6)
        assert np.abs(sim.control).max() > 0.49


def test_sensors_are_views_by_name():
    scene = {
        **ARM,
        "gravity": [0, 0, -9.81],
        "contact": False,
        "controllers": [{"item": "arm", "kp": 1e7, "kd": 1e6}],
        "sensors": [
            {"name": "force", "type": "force", "item": "arm", "body": "b000002"},
            {"name": "imu", "type": "imu", "item": "arm", "body": "b000002"},
        ],
    }
    with sinew.load(scene) as sim:
        sim.step(300)
        assert np.linalg.norm(sim.sensors["force"][3:]) == pytest.approx(9.81, rel=1e-3)  # a link of 1 kg
        assert np.linalg.norm(sim.sensors["imu"][3:]) == pytest.approx(9.81, rel=1e-3)


def test_a_behaviour_hears_signals():
    scene = {
        **ARM,
        "controllers": [
            {"name": "rest", "item": "arm", "kp": 1e4, "kd": 1e3},
            {
                "name": "go",
                "item": "arm",
                "kp": 1e5,
                "kd": 1e3,
                "motion": [{"at": 0, "q": {"b000002": 0}}, {"at": 0.2, "q": {"b000002": 0.5}}],
            },
        ],
        "behaviours": [
            {
                "item": "arm",
                "states": [
                    {"name": "waits", "controllers": ["rest"], "on": [{"signal": "start", "go": "moves"}]},
                    {"name": "moves", "controllers": ["go"]},
                ],
            }
        ],
    }
    with sinew.load(scene) as sim:
        sim.step(100)
        assert sim.behaviours == {"arm": "waits"}
        assert np.allclose(sim.q, 0, atol=1e-6)
        sim.command("signal: start")
        sim.step(400)
        assert sim.behaviours == {"arm": "moves"}
        assert sim.q[2] == pytest.approx(0.5, abs=1e-3)
