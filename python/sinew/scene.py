# SPDX-License-Identifier: Apache-2.0
"""Scenes on their way into a simulation."""

from __future__ import annotations

import ctypes
import json
import math
import os
from collections.abc import Mapping
from ctypes import c_void_p
from typing import Any, NamedTuple, Union

import numpy as np

from . import _abi as abi
from ._error import Error, check
from ._library import data_folder, library
from ._values import choose, paths, to_pose, vec3
from .model import Model, shipped

Path = Union[str, "os.PathLike[str]"]


class SceneText(NamedTuple):
    """A scene file that is no file."""

    text: str
    name: str  #: stands for the file in messages


#: What a simulation can be made of, see sinew.load.
Source = Union[Path, Mapping[str, Any], Model, SceneText]


def _plain(value: Any) -> Any:
    """numpy's numbers as Python's, for JSON."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"a scene cannot hold {value!r}")


def as_yaml(value: Mapping[str, Any]) -> str:
    return json.dumps(dict(value), default=_plain)  # JSON is YAML


def set_paths(definition: abi.sn_simulation_def, options: dict[str, Any], keep: list[Any]) -> None:
    def give(owner: Any, field: str, folders: Any) -> None:
        made = paths(folders)
        keep.append(made)
        setattr(owner, field, ctypes.cast(made, c_void_p) if made else None)

    give(definition.load, "model_paths", [*options.pop("model_paths", ()), data_folder("models")])
    scenes = data_folder("scenes")
    give(definition.load, "scene_paths", [*options.pop("scene_paths", ()), scenes, scenes / "papers"])
    give(definition.load, "package_paths", options.pop("package_paths", ()))
    give(definition, "plugins", options.pop("plugins", ()))
    definition.ignore_recording = not options.pop("recording", True)


def load_scene(source: Source, definition: abi.sn_simulation_def) -> int:
    scene, error = c_void_p(), abi.sn_error()
    if isinstance(source, Model):
        return _scene_of(source)
    if isinstance(source, Mapping):
        source = SceneText(as_yaml(source), "scene")
    if isinstance(source, SceneText):
        text, name = source.text.encode(), os.fsencode(source.name)
        check(library.sn_scene_load_memory(text, len(text), name, definition.load, scene, error), error)
    else:
        check(library.sn_scene_load(os.fsencode(source), definition.load, scene, error), error)
    assert scene.value
    return scene.value


def _scene_of(model: Model) -> int:
    scene, error, item = library.sn_scene_create(model.name.encode()), abi.sn_error(), abi.sn_item()
    item.name, item.prefix, item.pose = model.name.encode() or b"model", b"", to_pose(None)
    item.model = model._copy()
    try:
        check(library.sn_scene_add(scene, item, error), error)
    except Error:
        library.sn_model_free(item.model)
        library.sn_scene_free(scene)
        raise
    return int(scene)


_WORLD_OPTIONS = (
    "step gravity dynamics integrator simulator max_active threshold settling_time period metric contact solver detector "
    "tolerance iterations solve_time workers sleep contacts"
).split()


def set_options(world: abi.sn_world_def, options: dict[str, Any], keep: list[Any]) -> bool:
    """Options of load that take the place of the scene's. False: there are none."""
    for name in options:
        if name not in _WORLD_OPTIONS:
            raise Error(f"there is no option '{name}'; there are {', '.join(_WORLD_OPTIONS)}")

    def text(name: str) -> bytes:
        keep.append(str(options[name]).encode())
        return keep[-1]  # type: ignore[no-any-return]

    contact, adaptivity = world.contact, world.adaptivity
    for name, value in options.items():
        if name == "step":
            world.step = value
        elif name == "gravity":
            world.gravity = vec3(value, "gravity")
        elif name in ("dynamics", "simulator"):
            setattr(world, name, text(name))
        elif name == "integrator":
            world.integrator = choose(abi.INTEGRATORS, value, "integrator")
        elif name == "metric":
            adaptivity.metric = choose(abi.METRICS, value, "metric")
        elif name in ("max_active", "threshold", "settling_time", "period"):
            setattr(adaptivity, name, value)
        elif name == "contact":
            contact.on = bool(value)
        elif name in ("solver", "detector"):
            setattr(contact, name, text(name))
        elif name in ("tolerance", "iterations"):
            setattr(contact.solve, name, value)
        elif name in ("solve_time", "workers"):
            setattr(contact, name, value)
        elif name == "contacts":
            contact.collider.contacts = value
        elif name == "sleep":
            contact.rest_time = (0.5 if value is True else math.inf) if isinstance(value, bool) else value
    return bool(options)


def shipped_scenes() -> list[str]:
    """Names of the scenes that come with Sinew."""
    return shipped("scenes", ".yaml")


def schema() -> dict[str, Any]:
    """JSON Schema of scene files."""
    text, error = c_void_p(), abi.sn_error()
    check(library.sn_scene_schema(text, error), error)
    assert text.value
    try:
        found: dict[str, Any] = json.loads(ctypes.string_at(text.value))
        return found
    finally:
        library.sn_text_free(text)
