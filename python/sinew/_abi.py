# SPDX-License-Identifier: Apache-2.0
"""Structs and numbers of include/sinew, as ctypes sees them. tests/python_abi.c prints what a C compiler makes of
the same; a test compares the two."""

from __future__ import annotations

from ctypes import Structure, c_bool, c_char, c_char_p, c_double, c_int, c_int32, c_int64, c_uint, c_uint32, c_uint64, c_void_p

# ---- numbers ---------------------------------------------------------------------------------------------------------

STATUSES = (
    "SN_OK",
    "SN_ERR_ARGUMENT",
    "SN_ERR_MEMORY",
    "SN_ERR_FILE",
    "SN_ERR_FORMAT",
    "SN_ERR_MODEL",
    "SN_ERR_CAPACITY",
    "SN_ERR_NUMERIC",
    "SN_ERR_FAULT",
)
STATUS_NAMES = dict(enumerate(STATUSES))
SN_OK, SN_ERR_ARGUMENT, SN_ERR_CAPACITY, SN_ERR_NUMERIC, SN_ERR_FAULT = 0, 1, 6, 7, 8
SN_LOG_NOTE, SN_LOG_WARNING = 0, 1
SN_STAGE_MAX = 9
SN_JITTER_BINS = 24
SN_SAFETY_ELEMENTS = 10
SN_PLUGIN_VERSION = 1

JOINTS = ("fixed", "revolute", "prismatic", "helical", "cylindrical", "planar", "universal", "spherical", "free")
SHAPES = ("sphere", "box", "cylinder", "capsule", "plane", "mesh", "hull")
INTEGRATORS = ("euler", "rk4", "midpoint", "quasistatic")
SENSORS = ("position", "velocity", "control", "pose", "twist", "contact", "centre", "energy", "force", "imu")
BASES = {"file": 0, "free": 1}
MESHES = {"skip": 0, "hull": 1, "triangles": 2}
AXES = {"body": 0, "world": 1}
METRICS = {"inertia": 0, "unit": 1, "given": 2}
CONSTRAINTS = {"weld": 0, "ball": 1, "hinge": 2, "distance": 3}
RECORDER_STATES = ("runs", "gap", "stopped")
DIELECTRICS = {"vacuum": 0, "distance": 1}
PRECISIONS = {"mixed": 0, "double": 1}
UNITS = {"SI": 0, "molecular": 1}
EVENTS = {
    "not_finite": 1,
    "no_converge": 2,
    "bad_command": 4,
    "region": 8,
    "replaced": 16,
    "full": 32,
    "lost": 64,
    "unsolved": 128,
    "late": 256,
    "no_contact": 512,
    "control": 1024,
}

# ---- structs ---------------------------------------------------------------------------------------------------------


class sn_place(Structure):
    _fields_ = [("file", c_char_p), ("line", c_int), ("column", c_int)]


class sn_error(Structure):
    _fields_ = [("status", c_int), ("file", c_char * 256), ("line", c_int), ("column", c_int), ("text", c_char * 512)]


class sn_log(Structure):
    _fields_ = [("write", c_void_p), ("context", c_void_p)]


class sn_clock(Structure):
    _fields_ = [("now_ns", c_void_p), ("context", c_void_p), ("wait_ns", c_void_p)]


class sn_vec3(Structure):
    _fields_ = [("x", c_double), ("y", c_double), ("z", c_double)]


class sn_mat3(Structure):
    _fields_ = [("m", (c_double * 3) * 3)]


class sn_pose(Structure):
    _fields_ = [("R", sn_mat3), ("p", sn_vec3)]


class sn_twist(Structure):
    _fields_ = [("w", sn_vec3), ("v", sn_vec3)]


class sn_wrench(Structure):
    _fields_ = [("n", sn_vec3), ("f", sn_vec3)]


class sn_body_id(Structure):
    _fields_ = [("i", c_int32)]


class sn_frame_id(Structure):
    _fields_ = [("i", c_int32)]


class sn_inertia(Structure):
    _fields_ = [("mass", c_double), ("com", sn_vec3), ("I", sn_mat3)]


class sn_material(Structure):
    _fields_ = [
        ("mu", c_double),
        ("mu_kinetic", c_double),
        ("stribeck_speed", c_double),
        ("viscous", c_double),
        ("restitution", c_double),
        ("spin", c_double),
        ("roll", c_double),
        ("stiffness", c_double),
        ("damping", c_double),
    ]


class sn_body_info(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("joint_name", c_char_p),
        ("parent", sn_body_id),
        ("type", c_int),
        ("iq", c_int),
        ("nq", c_int),
        ("iv", c_int),
        ("nv", c_int),
        ("placement", sn_pose),
        ("axis", sn_vec3),
        ("axis2", sn_vec3),
        ("pitch", c_double),
        ("inertia", sn_inertia),
        ("armature", c_void_p),
        ("damping", c_void_p),
        ("stiffness", c_void_p),
        ("rest", c_void_p),
        ("friction", c_void_p),
        ("lower", c_void_p),
        ("upper", c_void_p),
        ("velocity", c_void_p),
        ("effort", c_void_p),
    ]


class sn_frame_info(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("body", sn_body_id),
        ("X_bf", sn_pose),
        ("joint_name", c_char_p),
        ("folded", c_bool),
    ]


class sn_shape_info(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("body", sn_body_id),
        ("frame", sn_frame_id),
        ("type", c_int),
        ("use", c_int),
        ("X_bs", sn_pose),
        ("X_fs", sn_pose),
        ("size", sn_vec3),
        ("mesh", c_char_p),
        ("vertices", c_void_p),
        ("vertex_count", c_int32),
        ("triangles", c_void_p),
        ("triangle_count", c_int32),
        ("material", sn_material),
        ("group", c_uint32),
        ("mask", c_uint32),
        ("color", c_double * 4),
    ]


class sn_exclusion(Structure):
    _fields_ = [("a", sn_body_id), ("b", sn_body_id)]


class sn_loop_end(Structure):
    _fields_ = [("body", sn_body_id), ("frame", sn_frame_id), ("X_bc", sn_pose), ("X_fc", sn_pose)]


class sn_loop_info(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("type", c_int),
        ("a", sn_loop_end),
        ("b", sn_loop_end),
        ("axis", sn_vec3),
        ("axis2", sn_vec3),
        ("pitch", c_double),
        ("length", c_double),
        ("rows", c_int),
        ("t_s", c_double),
    ]


class sn_load_def(Structure):
    _fields_ = [
        ("base", c_int),
        ("package_paths", c_void_p),
        ("check_meshes", c_bool),
        ("meshes", c_int),
        ("visual_meshes", c_bool),
        ("srdf", c_char_p),
        ("flexible", c_void_p),
        ("flexible_count", c_int),
        ("log", sn_log),
    ]


class sn_generate_def(Structure):
    _fields_ = [
        ("shape", c_int),
        ("count", c_int),
        ("seed", c_uint64),
        ("free_base", c_bool),
        ("passive", c_bool),
        ("mass_unit", c_double),
        ("length_unit", c_double),
        ("time_unit", c_double),
    ]


class sn_pile_def(Structure):
    _fields_ = [("kind", c_int), ("count", c_int), ("columns", c_int), ("seed", c_uint64), ("floor", c_bool)]


class sn_body_wrench(Structure):
    _fields_ = [("body", sn_body_id), ("wrench", sn_wrench)]


class sn_adaptivity(Structure):
    _fields_ = [
        ("max_active", c_int),
        ("threshold", c_double),
        ("settling_time", c_double),
        ("period", c_int),
        ("metric", c_int),
    ]


class sn_region_report(Structure):
    _fields_ = [("active", c_int), ("rigid", c_int), ("error", c_double), ("total", c_double), ("updates", c_uint64)]


class sn_loop_error(Structure):
    _fields_ = [("pose", sn_twist), ("velocity", sn_twist)]


class sn_energy(Structure):
    _fields_ = [("kinetic", c_double), ("potential", c_double), ("spring", c_double)]


class sn_momentum(Structure):
    _fields_ = [("mass", c_double), ("com", sn_vec3), ("linear", sn_vec3), ("angular", sn_vec3)]


class sn_collider_def(Structure):
    _fields_ = [
        ("contacts", c_int32),
        ("pairs", c_int32),
        ("margin", c_double),
        ("patch_points", c_int32),
        ("skip_joined", c_bool),
    ]


class sn_collision_report(Structure):
    _fields_ = [
        ("shapes", c_int32),
        ("near", c_int32),
        ("touching", c_int32),
        ("contacts", c_int32),
        ("dropped_contacts", c_int32),
        ("dropped_pairs", c_int32),
        ("lost", c_int32),
        ("deepest", c_double),
    ]


class sn_contact_options(Structure):
    _fields_ = [
        ("restitution_threshold", c_double),
        ("penetration_factor", c_double),
        ("constraint_factor", c_double),
        ("position_factor", c_double),
        ("slop", c_double),
        ("push_speed", c_double),
        ("limit_margin", c_double),
        ("limits", c_bool),
        ("dry_friction", c_bool),
    ]


class sn_solve_options(Structure):
    _fields_ = [
        ("tolerance", c_double),
        ("siconos_error", c_bool),
        ("iterations", c_int64),
        ("deadline_ns", c_int64),
        ("clock", sn_clock),
        ("workers", c_int),
        ("space", c_int),
        ("local", c_int),
        ("relaxation", c_double),
        ("accelerate", c_bool),
        ("newton", c_bool),
        ("alternate", c_bool),
        ("facets", c_int),
    ]


class sn_world_contact(Structure):
    _fields_ = [
        ("on", c_bool),
        ("collider", sn_collider_def),
        ("skip_overlapping", c_bool),
        ("detector", c_char_p),
        ("options", sn_contact_options),
        ("solver", c_char_p),
        ("solve", sn_solve_options),
        ("solve_time", c_double),
        ("workers", c_int),
        ("constraints", c_int32),
        ("servos", c_int32),
        ("rest_speed", c_double),
        ("rest_time", c_double),
    ]


class sn_relaxation(Structure):
    _fields_ = [("evaluations", c_int), ("tolerance", c_double)]


class sn_world_def(Structure):
    _fields_ = [
        ("step", c_double),
        ("gravity", sn_vec3),
        ("dynamics", c_char_p),
        ("adaptivity", sn_adaptivity),
        ("integrator", c_int),
        ("relaxation", sn_relaxation),
        ("contact", sn_world_contact),
        ("units", c_int),
        ("field", c_bool),
        ("simulator", c_char_p),
        ("modules", c_void_p),
        ("log", c_void_p),
        ("command_capacity", c_int),
        ("clock", sn_clock),
    ]


class sn_contact_summary(Structure):
    _fields_ = [
        ("found", sn_collision_report),
        ("points", c_int32),
        ("groups", c_int32),
        ("resting", c_int32),
        ("bounces", c_int32),
        ("calmed", c_int32),
        ("iterations", c_int64),
        ("position_iterations", c_int64),
        ("residual", c_double),
        ("energy", c_double),
        ("push", c_double),
    ]


class sn_step_report(Structure):
    _fields_ = [
        ("step", c_uint64),
        ("time", c_double),
        ("events", c_uint),
        ("commands", c_int),
        ("sweeps", c_int),
        ("unbalanced", c_double),
        ("active", c_int),
        ("region_error", c_double),
        ("contact", sn_contact_summary),
        ("stage_count", c_int),
        ("stage_ns", c_int64 * 9),
    ]


class sn_contact_view(Structure):
    _fields_ = [
        ("a", sn_body_id),
        ("b", sn_body_id),
        ("x", sn_vec3),
        ("n", sn_vec3),
        ("gap", c_double),
        ("mu", c_double),
        ("force", sn_vec3),
    ]


class sn_constraint(Structure):
    _fields_ = [
        ("id", c_uint64),
        ("type", c_int),
        ("a", sn_body_id),
        ("b", sn_body_id),
        ("X_ac", sn_pose),
        ("X_bc", sn_pose),
        ("length", c_double),
        ("stiffness", c_double),
        ("damping", c_double),
        ("turn_stiffness", c_double),
        ("turn_damping", c_double),
    ]


class sn_scene_load_def(Structure):
    _fields_ = [
        ("model_paths", c_void_p),
        ("scene_paths", c_void_p),
        ("package_paths", c_void_p),
        ("foreign_modules", c_bool),
        ("no_files", c_bool),
        ("visual_meshes", c_bool),
        ("most_bodies", c_int),
        ("log", sn_log),
    ]


class sn_item(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("prefix", c_char_p),
        ("model", c_void_p),
        ("pose", sn_pose),
        ("q", c_void_p),
        ("v", c_void_p),
        ("locked", c_void_p),
        ("place", sn_place),
    ]


class sn_controller_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("item", c_int),
        ("kp", c_void_p),
        ("kd", c_void_p),
        ("target", c_void_p),
        ("limit", c_void_p),
        ("driven", c_void_p),
        ("motion", c_void_p),
        ("follow", c_void_p),
        ("look", c_void_p),
        ("grip", c_void_p),
        ("balance", c_void_p),
        ("rate", c_double),
        ("place", sn_place),
    ]


class sn_sensor_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("type", c_int),
        ("item", c_int),
        ("body", sn_body_id),
        ("frame", sn_frame_id),
        ("numbers", c_int),
        ("noise", c_double),
        ("bias", c_double * 7),
        ("delay", c_double),
        ("rate", c_double),
        ("seed", c_uint64),
        ("calibration", c_void_p),
        ("place", sn_place),
    ]


class sn_simulation_def(Structure):
    _fields_ = [
        ("load", sn_scene_load_def),
        ("world", c_void_p),
        ("plugins", c_void_p),
        ("edits_come_from_host", c_bool),
        ("ignore_recording", c_bool),
        ("keep_replaced", c_bool),
        ("log", sn_log),
    ]


class sn_run_def(Structure):
    _fields_ = [("steps", c_uint64), ("pace", c_double), ("go_on", c_void_p), ("context", c_void_p)]


class sn_run_report(Structure):
    _fields_ = [
        ("steps", c_uint64),
        ("seconds", c_double),
        ("late", c_uint64),
        ("worst", c_double),
        ("caught_up", c_uint64),
        ("events", c_uint),
        ("stage_ns", c_int64 * 9),
    ]


class sn_item_id(Structure):
    _fields_ = [("i", c_int32), ("generation", c_uint32)]


class sn_hold_id(Structure):
    _fields_ = [("i", c_int32), ("generation", c_uint32)]


class sn_plugin(Structure):
    _fields_ = [
        ("version", c_uint32),
        ("size", c_uint32),
        ("name", c_char_p),
        ("about", c_char_p),
        ("provide", c_void_p),
        ("init", c_void_p),
        ("step", c_void_p),
        ("cleanup", c_void_p),
        ("control", c_void_p),
        ("command", c_void_p),
        ("draw", c_void_p),
    ]


class sn_stroke(Structure):
    _fields_ = [("from", sn_vec3), ("to", sn_vec3), ("text", c_char * 48), ("color", c_double * 4)]


class sn_recorder_status(Structure):
    _fields_ = [
        ("state", c_int),
        ("steps", c_uint64),
        ("lost", c_uint64),
        ("bytes", c_uint64),
        ("text", c_char * 256),
    ]


class sn_recording_info(Structure):
    _fields_ = [
        ("scene", c_char_p),
        ("build", c_char_p),
        ("step", c_double),
        ("first_step", c_uint64),
        ("steps", c_uint64),
        ("samples", c_uint64),
        ("inputs", c_uint64),
        ("meters", c_uint64),
        ("blocks", c_uint64),
        ("lost", c_uint64),
        ("closed", c_bool),
        ("damaged", c_bool),
        ("exact", c_bool),
        ("sensors", c_int),
    ]


class sn_sample(Structure):
    _fields_ = [
        ("step", c_uint64),
        ("time", c_double),
        ("model", c_void_p),
        ("q", c_void_p),
        ("v", c_void_p),
        ("events", c_uint),
        ("contacts", c_int32),
        ("deepest", c_double),
        ("residual", c_double),
        ("hash", c_uint64),
        ("sensors", c_void_p),
    ]


class sn_loop_meter(Structure):
    _fields_ = [
        ("ticks", c_uint64),
        ("late", c_uint64),
        ("first_ns", c_int64),
        ("last_ns", c_int64),
        ("worst_ns", c_int64),
        ("jitter", c_uint64 * SN_JITTER_BINS),
    ]


class sn_latency_meter(Structure):
    _fields_ = [
        ("count", c_uint64),
        ("sum_ns", c_int64),
        ("worst_ns", c_int64),
        ("below", c_uint64 * SN_JITTER_BINS),
    ]


class sn_safety_report(Structure):
    _fields_ = [
        ("acted", c_uint32),
        ("count", c_uint64 * SN_SAFETY_ELEMENTS),
        ("ticks", c_uint64),
        ("cause", c_int),
        ("latched", c_bool),
        ("trips", c_uint64),
        ("last_trip", c_int),
        ("gain", c_double),
        ("energy", c_double),
        ("energy_least", c_double),
        ("tank", c_double),
        ("heat", c_double),
        ("max_force_step", c_double),
        ("max_torque_step", c_double),
        ("max_force", c_double),
        ("max_torque", c_double),
    ]


class sn_meters(Structure):
    _fields_ = [
        ("step", c_uint64),
        ("time", c_double),
        ("loop", c_int),
        ("hand", c_char_p),
        ("meter", sn_loop_meter),
        ("latency", sn_latency_meter),
        ("safety", sn_safety_report),
    ]


class sn_atom_info(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("element", c_char_p),
        ("residue", c_int),
        ("known", c_bool),
        ("p", sn_vec3),
        ("mass", c_double),
        ("charge", c_double),
        ("line", c_int),
    ]


class sn_residue_info(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("form", c_char_p),
        ("number", c_int),
        ("insertion", c_char),
        ("chain", c_int),
        ("first_atom", c_int),
        ("atom_count", c_int),
        ("after_gap", c_bool),
    ]


class sn_chain_info(Structure):
    _fields_ = [
        ("label", c_char_p),
        ("first_residue", c_int),
        ("residue_count", c_int),
    ]


class sn_bond_info(Structure):
    _fields_ = [
        ("a", c_int),
        ("b", c_int),
        ("disulfide", c_bool),
    ]


class sn_molecule_read_def(Structure):
    _fields_ = [
        ("hetero", c_bool),
        ("log", sn_log),
    ]


class sn_molecule_build_def(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("sequence", c_char_p),
        ("structure", c_char_p),
        ("capped", c_bool),
    ]


class sn_forcefield_def(Structure):
    _fields_ = [
        ("cutoff", c_double),
        ("skin", c_double),
        ("soften", c_double),
        ("dielectric", c_int),
        ("permittivity", c_double),
        ("precision", c_int),
        ("terms", c_int),
    ]


class sn_forcefield_energy(Structure):
    _fields_ = [
        ("bond", c_double),
        ("angle", c_double),
        ("torsion", c_double),
        ("lj_nonbonded", c_double),
        ("lj_14", c_double),
        ("coulomb_nonbonded", c_double),
        ("coulomb_14", c_double),
        ("total", c_double),
    ]


class sn_forcefield_report(Structure):
    _fields_ = [
        ("energy", sn_forcefield_energy),
        ("overlaps", c_int32),
        ("rebuilt", c_bool),
        ("listed_pairs", c_int64),
    ]


class sn_molecule_forces_def(Structure):
    _fields_ = [
        ("field", sn_forcefield_def),
        ("friction", c_double),
        ("temperature", c_double),
        ("step", c_double),
        ("seed", c_uint64),
    ]


class sn_world_molecule(Structure):
    _fields_ = [
        ("prefix", c_char_p),
        ("tree", c_void_p),
        ("pose", sn_pose),
        ("forces", sn_molecule_forces_def),
    ]


class sn_scene_molecule(Structure):
    _fields_ = [
        ("item", c_int),
        ("molecule", c_void_p),
        ("tree", c_void_p),
        ("forces", sn_molecule_forces_def),
    ]
