# SPDX-License-Identifier: Apache-2.0
"""What the tests of the Python module share. By hand, from the build tree: PYTHONPATH=python pytest tests/python"""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
if "PYTHONPATH" not in os.environ:
    sys.path.insert(0, str(ROOT / "python"))
SEED = int(os.environ.get("SINEW_SEED", "20260117"))

PENDULUM = {
    "version": 1,
    "contact": False,
    "models": [{"name": "pendulum", "model": "double_pendulum", "at": [0, 0, 3]}],
}
BALL = {
    "version": 1,
    "floor": True,
    "objects": [{"name": "ball", "sphere": 0.1, "mass": 2, "at": [0, 0, 0.1]}],
}


@pytest.fixture
def rng():
    print(f"seed {SEED}")
    return np.random.default_rng(SEED)


@pytest.fixture
def pendulum():
    import sinew

    return sinew.load(PENDULUM)


@pytest.fixture
def ball():
    import sinew

    return sinew.load(BALL, sleep=False)
