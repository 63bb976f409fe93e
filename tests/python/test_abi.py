# SPDX-License-Identifier: Apache-2.0
"""Structs and numbers that the module repeats are those of the C headers, as a C compiler sees them."""

import ctypes
import os
import re
import subprocess

import numpy as np
import pytest
from conftest import ROOT

import sinew
from sinew import _abi as abi
from sinew import _library


@pytest.fixture(scope="module")
def c_says():
    """What tests/python_abi.c prints: {kind: [words]}."""
    program = os.environ.get("SINEW_PYTHON_ABI", str(ROOT / "build" / "tests" / "python_abi"))
    lines = [line.split() for line in subprocess.check_output([program], text=True).splitlines()]
    return {kind: [line[1:] for line in lines if line[0] == kind] for kind in ("struct", "field", "number", "name")}


def structs():
    return {
        name: value
        for name, value in vars(abi).items()
        if isinstance(value, type) and issubclass(value, ctypes.Structure) and value is not ctypes.Structure
    }


def test_every_struct_has_the_size_it_has_in_c(c_says):
    in_c = {name: int(size) for name, size in c_says["struct"]}
    assert in_c == {name: ctypes.sizeof(struct) for name, struct in structs().items()}


def test_every_field_is_where_it_is_in_c(c_says):
    in_c = {(struct, field): (int(at), int(size)) for struct, field, at, size in c_says["field"]}
    here = {}
    for name, struct in structs().items():
        for field in struct._fields_:
            place = getattr(struct, field[0])
            here[name, field[0]] = place.offset, place.size
    assert here == in_c


def test_python_abi_knows_every_field_of_the_headers(c_says):
    """A field that is new in a header and known to neither of the two would shift nothing, and yet be missed."""
    known = {(struct, field) for struct, field, _, _ in c_says["field"]}
    headers = "\n".join(path.read_text() for path in (ROOT / "include" / "sinew").glob("*.h"))
    headers = re.sub(r"//.*", "", headers)
    missed = []
    for name in structs():
        found = re.search(r"typedef struct (?:%s )?\{([^{}]*)\} %s;" % (name, name), headers)
        assert found, name
        for declaration in found.group(1).split(";"):
            declaration = re.sub(r"\(\*(\w+)\)\s*\(.*\)", r"\1", declaration.strip(), flags=re.DOTALL)
            if not declaration:
                continue
            for part in declaration.split(","):
                field = re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$", part).group(1)
                if (name, field) not in known:
                    missed.append((name, field))
    assert not missed


NUMBERS = {
    **{name: getattr(abi, name) for name in ("SN_LOG_NOTE", "SN_LOG_WARNING", "SN_STAGE_MAX", "SN_PLUGIN_VERSION")},
    **{name: getattr(abi, name) for name in ("SN_JITTER_BINS", "SN_SAFETY_ELEMENTS")},
    "SN_BASE_AS_FILE": abi.BASES["file"],
    "SN_BASE_FREE": abi.BASES["free"],
    **{f"SN_MESH_{name.upper()}": value for name, value in abi.MESHES.items()},
    **{f"SN_AXES_{name.upper()}": value for name, value in abi.AXES.items()},
    **{f"SN_METRIC_{name.upper()}": value for name, value in abi.METRICS.items()},
    "SN_METRIC_COUNT": len(abi.METRICS),
    **{f"SN_CONSTRAINT_{name.upper()}": value for name, value in abi.CONSTRAINTS.items()},
    **{f"SN_RECORDER_{name.upper()}": i for i, name in enumerate(abi.RECORDER_STATES)},
    **{f"SN_SHAPE_{name.upper()}": i for i, name in enumerate(abi.SHAPES)},
    **{f"SN_EVENT_{name.upper()}": value for name, value in abi.EVENTS.items()},
}


def test_every_number_is_that_of_c(c_says):
    assert {name: int(value) for name, value in c_says["number"]} == NUMBERS


def test_every_event_of_the_header_has_a_name():
    text = (ROOT / "include" / "sinew" / "world.h").read_text()
    assert set(re.findall(r"SN_EVENT_\w+(?=\s*=)", text)) == {f"SN_EVENT_{name.upper()}" for name in abi.EVENTS}


@pytest.mark.parametrize(
    "kind, here",
    [
        ("status", abi.STATUSES),
        ("joint", abi.JOINTS),
        ("integrator", abi.INTEGRATORS),
        ("sensor", abi.SENSORS),
    ],
)
def test_lists_of_names_are_those_of_c(c_says, kind, here):
    in_c = sorted((int(value), name) for list_, value, name in c_says["name"] if list_ == kind)
    assert [name for _, name in in_c] == list(here)


def test_statuses_that_are_named_have_their_numbers():
    for name in ("SN_OK", "SN_ERR_ARGUMENT", "SN_ERR_CAPACITY", "SN_ERR_NUMERIC", "SN_ERR_FAULT"):
        assert abi.STATUSES[getattr(abi, name)] == name


def test_a_contact_is_laid_out_as_in_c():
    contact = np.dtype(sinew.CONTACT)
    assert contact.itemsize == ctypes.sizeof(abi.sn_contact_view)
    for field, _ in abi.sn_contact_view._fields_:
        assert contact.fields[field][1] == getattr(abi.sn_contact_view, field).offset


def test_functions_take_as_many_arguments_as_the_headers_say():
    headers = "\n".join(path.read_text() for path in (ROOT / "include" / "sinew").glob("*.h"))
    headers = re.sub(r"//.*", "", headers)
    for name, (_, arguments) in _library._FUNCTIONS.items():
        found = re.search(r"\b%s\(((?:[^()]|\([^()]*\))*)\);" % name, headers)
        assert found, f"{name} is in no header"
        flat = re.sub(r"\([^()]*\)", "", found.group(1))
        in_c = 0 if flat.strip() in ("", "void") else flat.count(",") + 1
        assert in_c == len(arguments), name


def test_the_version_is_that_of_the_library():
    project = re.search(r"project\(sinew VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert sinew.__version__ == project.group(1)
