# SPDX-License-Identifier: Apache-2.0
"""Every example runs, and comes to what it promises: its exit status says so."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

import sinew

EXAMPLES = sorted((ROOT / "examples" / "python").glob("*.py"))
WITHOUT_MATPLOTLIB = "import sys; sys.modules['matplotlib'] = None; import runpy; sys.argv = sys.argv[1:]; "
WITHOUT_MATPLOTLIB += "runpy.run_path(sys.argv[0], run_name='__main__')"


def run(folder, *command):
    environment = {**os.environ, "PYTHONPATH": str(Path(sinew.__file__).resolve().parents[1])}
    return subprocess.run([sys.executable, "-B", *command], cwd=folder, env=environment, capture_output=True, text=True)


def test_there_are_five():
    names = ["adaptive_cable", "cart_pole", "contact_forces", "push_humanoid", "rollouts"]
    assert [path.stem for path in EXAMPLES] == names


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_an_example_comes_to_what_it_promises(path, tmp_path):
    done = run(tmp_path, str(path), "--quick")
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(done.stdout.splitlines()) >= 3 and done.stderr == ""


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_an_example_says_what_it_is(path):
    done = run(ROOT, str(path), "--help")
    assert done.returncode == 0 and "--quick" in done.stdout


@pytest.mark.parametrize("plotted", ["by whatever there is", "by hand"])
def test_contact_forces_are_plotted_with_and_without_matplotlib(plotted, tmp_path):
    script = str(ROOT / "examples" / "python" / "contact_forces.py")
    command = [script] if plotted != "by hand" else ["-c", WITHOUT_MATPLOTLIB, script]
    done = run(tmp_path, *command, "--quick", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert plotted != "by hand" or "(by hand)" in done.stdout
    assert (tmp_path / "contact_forces.svg").read_text().rstrip().endswith("</svg>")
    table = np.loadtxt(tmp_path / "contact_forces.csv", delimiter=",", skiprows=1)
    assert table.shape == (1000, 4)
    assert np.allclose(table[-1, 1:], np.array([4, 3, 2]) * 9.81, rtol=1e-3)
