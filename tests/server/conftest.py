# SPDX-License-Identifier: Apache-2.0
"""A running `sinew run` for tests: $SINEW is the program."""
import os
import signal
import subprocess

import pytest
from viewer_client import connect

SINEW = os.environ.get("SINEW", "build/sinew")


class Program:
    """The program with its viewer, until it is told to end."""

    def __init__(self, words, folder):
        environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        self.process = subprocess.Popen(
            [SINEW, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder, env=environment
        )
        line = self.process.stdout.readline()
        assert "http://127.0.0.1:" in line, line + self.process.stderr.read()
        self.name, self.address = line.strip().split(": ", 1)
        self.folder = folder

    def connect(self, **more):
        return connect(self.address, **more)

    def runs(self):
        return self.process.poll() is None

    def end(self, status=0):
        """Ctrl-C; what it printed."""
        if self.runs():
            self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=60)
        assert self.process.returncode == status, (self.process.returncode, out, err)
        return out, err


@pytest.fixture
def start(tmp_path):
    """Starts programs; they end with the test, well."""
    programs = []

    def begin(*words, port="0"):
        command = [*words, "--no-open", "--port", port]
        programs.append(Program(command, tmp_path))
        return programs[-1]

    yield begin
    for program in programs:
        if program.process.returncode is None:
            program.end()


BOXES = """
version: 1
gravity: [0, 0, 0]
objects:
- {name: a, box: [0.1, 0.1, 0.1], mass: 0.5, at: [0, 0, 1]}
- {name: b, sphere: 0.05, mass: 0.5, at: [0.5, 0, 1]}
sensors:
- {name: where, type: pose, item: a}
"""

PENDULUM = """
version: 1
about: one that swings, and a chain
models:
- {name: arm, model: double_pendulum}
controllers:
- {name: hold, item: arm, kp: 20, kd: 1}
"""


@pytest.fixture
def boxes(tmp_path):
    path = tmp_path / "boxes.yaml"
    path.write_text(BOXES)
    return str(path)


@pytest.fixture
def pendulum(tmp_path):
    path = tmp_path / "arm.yaml"
    path.write_text(PENDULUM)
    return str(path)
