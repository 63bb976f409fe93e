# SPDX-License-Identifier: Apache-2.0
"""Finds the shared library and declares its functions, as include/sinew says them."""

from __future__ import annotations

import ctypes
import importlib
import os
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Callable

from . import _abi as abi

_PACKAGE = Path(__file__).resolve().parent
_ROOT = _PACKAGE.parent.parent  # of the source tree, where this is one

try:  # written by the installation: where things are, seen from here
    _location: Any = importlib.import_module("._location", __package__)
except ImportError:
    _location = None


def _library_path() -> Path:
    told = os.environ.get("SINEW_LIBRARY")
    if told:
        if not Path(told).exists():
            raise ImportError(f"sinew: SINEW_LIBRARY is {told}, but there is no such file; build it, or unset the variable")
        return Path(told)
    place = _PACKAGE / str(_location.LIBRARY) if _location else _ROOT / "build" / "libsinew.so"
    if not place.exists():
        raise ImportError(
            f"sinew: there is no {place.resolve()}; run `make` in the source tree, "
            "or say where libsinew.so is by the environment variable SINEW_LIBRARY"
        )
    return place.resolve()


def data_folder(name: str) -> Path:
    """Folder of what comes with Sinew: "models" or "scenes"."""
    return ((_PACKAGE / str(_location.DATA)).resolve() if _location else _ROOT) / name


# Global, so that plugins that are loaded later find the functions they call.
library = ctypes.CDLL(str(_library_path()), mode=ctypes.RTLD_GLOBAL)

_P = c_void_p  # of an opaque object or an array; arrays are checked before they are passed
_E = POINTER(abi.sn_error)
_B = abi.sn_body_id
_S = c_int  # sn_status

_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    # status
    "sn_status_text": (c_char_p, [_S]),
    # model
    "sn_model_builder_create": (_P, [c_char_p]),
    "sn_model_builder_free": (None, [_P]),
    "sn_model_builder_add_model": (_S, [_P, _P, c_char_p, abi.sn_pose]),
    "sn_model_builder_compile": (_S, [_P, _P, POINTER(_P), _E]),
    "sn_model_free": (None, [_P]),
    "sn_model_name": (c_char_p, [_P]),
    "sn_model_body_count": (c_int, [_P]),
    "sn_model_frame_count": (c_int, [_P]),
    "sn_model_shape_count": (c_int, [_P]),
    "sn_model_loop_count": (c_int, [_P]),
    "sn_model_nq": (c_int, [_P]),
    "sn_model_nv": (c_int, [_P]),
    "sn_model_mass": (c_double, [_P]),
    "sn_model_body": (abi.sn_body_info, [_P, _B]),
    "sn_model_frame": (abi.sn_frame_info, [_P, abi.sn_frame_id]),
    "sn_model_shape": (abi.sn_shape_info, [_P, c_int]),
    "sn_model_loop": (abi.sn_loop_info, [_P, c_int]),
    "sn_model_find_body": (_B, [_P, c_char_p]),
    "sn_model_find_joint": (_B, [_P, c_char_p]),
    "sn_model_find_frame": (abi.sn_frame_id, [_P, c_char_p]),
    "sn_model_find_loop": (c_int, [_P, c_char_p]),
    "sn_model_neutral": (None, [_P, _P]),
    "sn_model_integrate": (None, [_P, _P, _P, _P]),
    "sn_model_difference": (None, [_P, _P, _P, _P]),
    "sn_model_check_q": (c_bool, [_P, _P, POINTER(_B)]),
    # files and generated models
    "sn_load_def_default": (abi.sn_load_def, []),
    "sn_model_load": (_S, [c_char_p, POINTER(abi.sn_load_def), POINTER(_P), _E]),
    "sn_model_load_memory": (_S, [c_char_p, c_size_t, c_char_p, POINTER(abi.sn_load_def), POINTER(_P), _E]),
    "sn_model_to_json": (_S, [_P, POINTER(_P), _E]),
    "sn_text_free": (None, [_P]),
    "sn_generate_def_default": (abi.sn_generate_def, []),
    "sn_generate_parse": (c_bool, [c_char_p, POINTER(abi.sn_generate_def)]),
    "sn_generate": (_S, [POINTER(abi.sn_generate_def), _P]),
    "sn_pile_def_default": (abi.sn_pile_def, []),
    "sn_pile_parse": (c_bool, [c_char_p, POINTER(abi.sn_pile_def)]),
    "sn_generate_pile": (_S, [POINTER(abi.sn_pile_def), _P]),
    # dynamics
    "sn_dynamics_algorithm": (c_char_p, [c_int]),
    "sn_dynamics_create": (_S, [_P, c_char_p, POINTER(_P), _E]),
    "sn_dynamics_free": (None, [_P]),
    "sn_dynamics_name": (c_char_p, [_P]),
    "sn_dynamics_advice": (c_char_p, [_P]),
    "sn_dynamics_set_gravity": (None, [_P, abi.sn_vec3]),
    "sn_dynamics_gravity": (abi.sn_vec3, [_P]),
    "sn_dynamics_set_wrench": (_S, [_P, _B, c_int, abi.sn_wrench]),
    "sn_dynamics_clear_wrenches": (None, [_P]),
    "sn_dynamics_lock": (_S, [_P, _B, c_bool]),
    "sn_dynamics_is_locked": (c_bool, [_P, _B]),
    "sn_dynamics_kinematics": (_S, [_P, _P, _P]),
    "sn_dynamics_forward": (_S, [_P, _P, _P, _P, _P]),
    "sn_dynamics_inverse": (_S, [_P, _P, _P, _P, _P]),
    "sn_dynamics_mass_matrix": (_S, [_P, _P, _P]),
    "sn_dynamics_impulse": (_S, [_P, _P, _P, c_int, _P]),
    "sn_dynamics_response": (_S, [_P, _P, c_int, _P]),
    "sn_dynamics_twists": (_S, [_P, _P, _P, c_int, _P]),
    "sn_dynamics_pose": (abi.sn_pose, [_P, _B]),
    "sn_dynamics_velocity": (abi.sn_twist, [_P, _B]),
    "sn_dynamics_acceleration": (abi.sn_twist, [_P, _B]),
    "sn_dynamics_frame_pose": (abi.sn_pose, [_P, abi.sn_frame_id]),
    "sn_dynamics_passive_force": (None, [_P, _P, _P, _P]),
    "sn_dynamics_energy": (abi.sn_energy, [_P]),
    "sn_dynamics_momentum": (abi.sn_momentum, [_P]),
    "sn_dynamics_set_adaptivity": (_S, [_P, POINTER(abi.sn_adaptivity)]),
    "sn_dynamics_adaptivity": (_S, [_P, POINTER(abi.sn_adaptivity)]),
    "sn_dynamics_keep_active": (_S, [_P, _B, c_bool]),
    "sn_dynamics_region": (abi.sn_region_report, [_P]),
    "sn_dynamics_is_active": (c_bool, [_P, _B]),
    # batch
    "sn_batch_create": (_S, [_P, POINTER(_P), _E]),
    "sn_batch_free": (None, [_P]),
    "sn_batch_set_gravity": (None, [_P, abi.sn_vec3]),
    "sn_dynamics_batch": (_S, [_P, c_int, _P, _P, _P, _P, POINTER(c_int)]),
    # world
    "sn_world_model": (_P, [_P]),
    "sn_world_advice": (c_char_p, [_P]),
    "sn_world_fault": (c_char_p, [_P]),
    "sn_world_dynamics": (_P, [_P]),
    "sn_world_time": (c_double, [_P]),
    "sn_world_step_count": (c_uint64, [_P]),
    "sn_world_step_size": (c_double, [_P]),
    "sn_world_q": (_P, [_P]),
    "sn_world_v": (_P, [_P]),
    "sn_world_force": (_P, [_P]),
    "sn_world_control": (_P, [_P]),
    "sn_world_set_state": (_S, [_P, _P, _P]),
    "sn_world_set_force": (_S, [_P, _P]),
    "sn_world_set_wrench": (_S, [_P, _B, c_int, abi.sn_wrench]),
    "sn_world_lock": (_S, [_P, _B, c_bool]),
    "sn_world_set_adaptivity": (_S, [_P, POINTER(abi.sn_adaptivity)]),
    "sn_world_keep_active": (_S, [_P, _B, c_bool]),
    "sn_world_region": (abi.sn_region_report, [_P]),
    "sn_world_is_active": (c_bool, [_P, _B]),
    "sn_world_energy": (abi.sn_energy, [_P]),
    "sn_world_momentum": (abi.sn_momentum, [_P]),
    "sn_world_hash": (c_uint64, [_P]),
    "sn_world_gravity": (abi.sn_vec3, [_P]),
    "sn_world_set_gravity": (_S, [_P, abi.sn_vec3]),
    "sn_world_set_solve": (_S, [_P, c_double, c_int64]),
    "sn_world_is_resting": (c_bool, [_P, _B]),
    "sn_world_wake": (None, [_P, _B]),
    "sn_world_stage_name": (c_char_p, [c_int]),
    "sn_world_snapshot": (_P, [_P]),
    "sn_snapshot_contact_count": (c_int32, [_P]),
    "sn_snapshot_contacts": (_P, [_P]),
    # scene
    "sn_scene_load_def_default": (abi.sn_scene_load_def, []),
    "sn_scene_load": (_S, [c_char_p, POINTER(abi.sn_scene_load_def), POINTER(_P), _E]),
    "sn_scene_load_memory": (_S, [c_char_p, c_size_t, c_char_p, POINTER(abi.sn_scene_load_def), POINTER(_P), _E]),
    "sn_scene_create": (_P, [c_char_p]),
    "sn_scene_add": (_S, [_P, POINTER(abi.sn_item), _E]),
    "sn_scene_free": (None, [_P]),
    "sn_scene_name": (c_char_p, [_P]),
    "sn_scene_about": (c_char_p, [_P]),
    "sn_scene_text": (c_char_p, [_P]),
    "sn_scene_duration": (c_double, [_P]),
    "sn_scene_world": (POINTER(abi.sn_world_def), [_P]),
    "sn_scene_set_world": (None, [_P, POINTER(abi.sn_world_def)]),
    "sn_scene_schema": (_S, [POINTER(_P), _E]),
    # simulation
    "sn_simulation_def_default": (abi.sn_simulation_def, []),
    "sn_simulation_create": (_S, [_P, POINTER(abi.sn_simulation_def), POINTER(_P), _E]),
    "sn_simulation_free": (None, [_P]),
    "sn_simulation_world": (_P, [_P]),
    "sn_simulation_scene": (_P, [_P]),
    "sn_simulation_step": (_S, [_P, _P]),
    "sn_simulation_run": (_S, [_P, POINTER(abi.sn_run_def), POINTER(abi.sn_run_report)]),
    "sn_simulation_collect": (None, [_P]),
    "sn_simulation_item_count": (c_int, [_P]),
    "sn_simulation_item_at": (abi.sn_item_id, [_P, c_int]),
    "sn_simulation_find_item": (abi.sn_item_id, [_P, c_char_p]),
    "sn_simulation_item": (POINTER(abi.sn_item), [_P, abi.sn_item_id]),
    "sn_simulation_first_body": (c_int32, [_P, abi.sn_item_id]),
    "sn_simulation_add": (_S, [_P, POINTER(abi.sn_item), POINTER(abi.sn_item_id), _E]),
    "sn_simulation_remove": (_S, [_P, abi.sn_item_id, _E]),
    "sn_constraint_default": (abi.sn_constraint, []),
    "sn_simulation_hold": (_S, [_P, c_char_p, POINTER(abi.sn_constraint), c_bool, POINTER(abi.sn_hold_id), _E]),
    "sn_simulation_release": (_S, [_P, abi.sn_hold_id, _E]),
    "sn_simulation_find_hold": (abi.sn_hold_id, [_P, c_char_p]),
    "sn_material_default": (abi.sn_material, []),
    "sn_simulation_set_surface": (_S, [_P, abi.sn_item_id, POINTER(abi.sn_material), _E]),
    "sn_simulation_reset": (_S, [_P, _E]),
    "sn_simulation_command": (_S, [_P, c_char_p, c_char_p, c_size_t, _E]),
    "sn_simulation_sensor_count": (c_int, [_P]),
    "sn_simulation_sensor_def": (POINTER(abi.sn_sensor_def), [_P, c_int]),
    "sn_simulation_sensors": (_P, [_P, POINTER(c_int)]),
    "sn_simulation_sensor_first": (c_int, [_P, c_int]),
    "sn_simulation_behaviour_count": (c_int, [_P]),
    "sn_simulation_behaviour_name": (c_char_p, [_P, c_int]),
    "sn_simulation_behaviour_state": (c_char_p, [_P, c_int]),
    "sn_simulation_set_controller": (_S, [_P, c_char_p, _P, _P]),
    "sn_simulation_record": (_S, [_P, c_char_p, c_int, c_bool, _E]),
    "sn_simulation_end_recording": (None, [_P, POINTER(abi.sn_recorder_status)]),
    "sn_simulation_recording": (c_bool, [_P, POINTER(abi.sn_recorder_status)]),
    # plugins
    "sn_simulation_add_plugin": (_S, [_P, POINTER(abi.sn_plugin), c_char_p, _E]),
    "sn_simulation_plugin_count": (c_int, [_P]),
    "sn_simulation_plugin": (POINTER(abi.sn_plugin), [_P, c_int]),
    "sn_simulation_plugin_trouble": (c_char_p, [_P, c_int]),
    "sn_simulation_draw": (POINTER(abi.sn_stroke), [_P, POINTER(c_int)]),
    "sn_drawing_line": (None, [_P, abi.sn_vec3, abi.sn_vec3, POINTER(c_double)]),
    "sn_drawing_text": (None, [_P, abi.sn_vec3, c_char_p, POINTER(c_double)]),
    # recordings
    "sn_recording_open": (_S, [c_char_p, POINTER(abi.sn_log), POINTER(_P), _E]),
    "sn_recording_free": (None, [_P]),
    "sn_recording_ask": (abi.sn_recording_info, [_P]),
    "sn_recording_sensor_name": (c_char_p, [_P, c_int]),
    "sn_recording_sensor_numbers": (c_int, [_P, c_int]),
    "sn_recording_rewind": (None, [_P]),
    "sn_recording_next": (c_bool, [_P, POINTER(abi.sn_sample)]),
    "sn_recording_rewind_meters": (None, [_P]),
    "sn_recording_next_meters": (c_bool, [_P, POINTER(abi.sn_meters)]),
    "sn_loop_rate": (c_double, [POINTER(abi.sn_loop_meter)]),
    "sn_safety_cause_text": (c_char_p, [c_int]),
    "sn_safety_element_text": (c_char_p, [c_int]),
    "sn_replay_create": (_S, [_P, _P, POINTER(_P), _E]),
    "sn_replay_free": (None, [_P]),
    "sn_replay_world": (_P, [_P]),
    "sn_replay_step": (_S, [_P, _P, POINTER(c_bool)]),
    "sn_replay_block": (c_uint64, [_P, POINTER(c_uint64)]),
}


def _declare(name: str, result: Any, arguments: list[Any]) -> None:
    try:
        function: Callable[..., Any] = getattr(library, name)
    except AttributeError:
        raise ImportError(f"sinew: {library._name} has no {name}; it is of another version than this package") from None
    function.restype = result  # type: ignore[attr-defined]
    function.argtypes = arguments  # type: ignore[attr-defined]


for _name, (_result, _arguments) in _FUNCTIONS.items():
    _declare(_name, _result, _arguments)
