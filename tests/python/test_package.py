# SPDX-License-Identifier: Apache-2.0
"""Everything public is documented, listed and typed."""

import inspect
import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

import sinew


def public():
    for name in sinew.__all__:
        yield name, getattr(sinew, name)


def test_everything_that_is_listed_is_there_and_the_list_is_sorted():
    assert sorted(sinew.__all__) == sinew.__all__
    assert all(value is not None for _, value in public())


def test_everything_public_has_a_docstring():
    missing = []
    for name, value in public():
        if not (inspect.isclass(value) or inspect.isroutine(value)):
            continue
        if not inspect.getdoc(value):
            missing.append(name)
        if not inspect.isclass(value):
            continue
        generated = ("Create new instance of", "Alias for field number")
        if (value.__doc__ or "").startswith(f"{name}("):
            missing.append(f"{name}: no more than what its fields are")
        for member, what in vars(value).items():
            if member.startswith("_") or not (inspect.isroutine(what) or isinstance(what, (property, classmethod))):
                continue
            text = inspect.getdoc(getattr(value, member)) if not isinstance(what, property) else inspect.getdoc(what)
            if (not text or text.startswith(generated)) and member not in getattr(value, "_fields", ()):
                missing.append(f"{name}.{member}")
    assert missing == []


def test_everything_public_is_annotated():
    missing = []
    for name, value in public():
        functions = [(name, value)] if inspect.isfunction(value) else []
        if inspect.isclass(value):
            for member, what in vars(value).items():
                what = getattr(what, "fget", None) or getattr(what, "__func__", what)
                if inspect.isfunction(what) and what.__module__.startswith("sinew") and not member.startswith("_"):
                    functions.append((f"{name}.{member}", what))
        for where, function in functions:
            hints = function.__annotations__
            arguments = [a for a in inspect.signature(function).parameters if a not in ("self", "cls")]
            if "return" not in hints or any(a not in hints for a in arguments):
                missing.append(where)
    assert missing == []


def test_types_are_strict():
    if not shutil.which("mypy"):
        pytest.skip("there is no mypy")
    done = subprocess.run([str(ROOT / "tools" / "check_python.sh")], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_importing_takes_nothing_but_numpy():
    code = "import sys; import sinew; print([m for m in sys.modules if m.split('.')[0] in ('scipy', 'matplotlib', 'pytest')])"
    environment_is_inherited = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert environment_is_inherited.stdout.strip() == "[]", environment_is_inherited.stderr


PRELUDE = """
import numpy as np
import sinew
model = sinew.Model("hrp2")
q, v, tau = model.neutral(), np.zeros(model.nv), np.zeros(model.nv)
many_q, many_v, many_tau = (np.tile(part, (10, 1)) for part in (q, v, tau))
sim = sinew.load("chain:3", contact=False)
goal = np.zeros(3)
policy = lambda episode: np.zeros((2, 2))
"""


def test_every_piece_of_code_in_the_manual_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "protein.pdb").write_text(sinew.Molecule("ala:3").to_pdb())
    pieces = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "python.md").read_text(), re.DOTALL)
    assert len(pieces) >= 7
    for piece in pieces:
        exec(compile(PRELUDE + piece, piece, "exec"), {})


def test_the_manual_names_everything_public():
    text = (ROOT / "docs" / "python.md").read_text()
    for name in ("load", "load_text", "Model", "Dynamics", "Batch", "Recording", "Plugin", "Error", "CONTACT", "algorithms"):
        assert re.search(rf"\b{name}\b", text), name
