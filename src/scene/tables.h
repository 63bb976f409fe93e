// SPDX-License-Identifier: Apache-2.0
/// Every key of a scene file. K(field, what it means, ...) is one key: the field of the struct it is read into, and
/// the rest of its sni_key. The structs are arrays of sni_value in the order of the table.
#ifndef SN_SCENE_TABLES_H
#define SN_SCENE_TABLES_H

#include "scene/keys.h"

#define SN_POSE_KEYS(K)                                                                            \
    K(at, "where its origin is", .accept = SN_ACCEPT_NUMBERS, .unit = "m")                         \
    K(rpy, "turned about x, then y, then z of the world, as in URDF",                              \
      .accept = SN_ACCEPT_NUMBERS | SN_ACCEPT_ANGLE, .unit = "rad", .group = 'o')                  \
    K(quat_wxyz, "turned by a quaternion w, x, y, z", .accept = SN_ACCEPT_NUMBERS, .least = 4,     \
      .group = 'o')                                                                                \
    K(quat_xyzw, "turned by a quaternion x, y, z, w", .accept = SN_ACCEPT_NUMBERS, .least = 4,     \
      .group = 'o')                                                                                \
    K(axis, "turned about this axis by 'angle'", .accept = SN_ACCEPT_NUMBERS, .group = 'o',        \
      .needs = "angle")                                                                            \
    K(angle, "by which it is turned about 'axis'", .accept = SN_ACCEPT_ANGLE, .unit = "rad",       \
      .needs = "axis")

#define SN_MATERIAL_KEYS(K)                                                                        \
    K(mu, "friction at rest; 0.5 if not given", .accept = SN_ACCEPT_NUMBER,                        \
      .range = SN_RANGE_LEAST_0)                                                                   \
    K(mu_kinetic, "friction while sliding far above stribeck_speed; mu if not given",              \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_LEAST_0, .needs = "stribeck_speed")            \
    K(stribeck_speed, "speed at which friction goes over from mu to mu_kinetic",                   \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_POSITIVE, .unit = "m/s")                       \
    K(restitution, "part of the normal speed that comes back after an impact; 0 if not given",     \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_0_TO_1)                                        \
    K(roll, "moment against rolling over the normal force", .accept = SN_ACCEPT_NUMBER,            \
      .range = SN_RANGE_LEAST_0, .unit = "m")                                                      \
    K(spin, "friction moment about the normal over the normal force", .accept = SN_ACCEPT_NUMBER,  \
      .range = SN_RANGE_LEAST_0, .unit = "m")                                                      \
    K(viscous, "tangential force per speed besides dry friction", .accept = SN_ACCEPT_NUMBER,      \
      .range = SN_RANGE_LEAST_0, .unit = "N s/m")                                                  \
    K(stiffness, "of a soft skin; rigid if not given", .accept = SN_ACCEPT_NUMBER,                 \
      .range = SN_RANGE_POSITIVE, .unit = "N/m")                                                   \
    K(damping, "of a soft skin", .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_LEAST_0,            \
      .unit = "N s/m", .needs = "stiffness")

/// Who uses a key of an item.
enum { SN_USE_MODEL = 1, SN_USE_OBJECT = 2, SN_USE_ENVIRONMENT = 4, SN_USE_ADD = 8 };
#define SN_USE_SHAPE (SN_USE_OBJECT | SN_USE_ENVIRONMENT | SN_USE_ADD)
#define SN_USE_THING (SN_USE_OBJECT | SN_USE_ADD)
#define SN_USE_ROBOT (SN_USE_MODEL | SN_USE_ADD)

#define SN_ITEM_KEYS(K)                                                                            \
    K(name, "unique in the scene; made from the kind and a number if not given",                   \
      .accept = SN_ACCEPT_TEXT)                                                                    \
    K(file, "a model file: URDF, or JSON as `sinew info --json` prints", .accept = SN_ACCEPT_TEXT, \
      .group = 'K', .used = SN_USE_ROBOT)                                                          \
    K(model, "a model that comes with sinew, by name, such as hrp2", .accept = SN_ACCEPT_TEXT,     \
      .group = 'K', .used = SN_USE_ROBOT)                                                          \
    K(box, "edge lengths along x, y, z", .accept = SN_ACCEPT_NUMBERS, .range = SN_RANGE_POSITIVE,  \
      .unit = "m", .group = 'K', .used = SN_USE_SHAPE)                                             \
    K(sphere, "radius", .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_POSITIVE, .unit = "m",       \
      .group = 'K', .used = SN_USE_SHAPE)                                                          \
    K(cylinder, "radius, length along z", .accept = SN_ACCEPT_NUMBERS, .least = 2,                 \
      .range = SN_RANGE_POSITIVE, .unit = "m", .group = 'K', .used = SN_USE_SHAPE)                 \
    K(capsule, "radius, length of the cylindrical part along z", .accept = SN_ACCEPT_NUMBERS,      \
      .least = 2, .range = SN_RANGE_POSITIVE, .unit = "m", .group = 'K', .used = SN_USE_SHAPE)     \
    K(hull, "a convex body: its corners, or a mesh file to take the convex hull of",               \
      .accept = SN_ACCEPT_POINTS | SN_ACCEPT_TEXT, .unit = "m", .group = 'K',                      \
      .used = SN_USE_SHAPE)                                                                        \
    K(mesh, "a mesh file, its triangles as they are", .accept = SN_ACCEPT_TEXT, .group = 'K',      \
      .used = SN_USE_SHAPE)                                                                        \
    K(plane, "true: the half space below the plane through 'at', normal along its z",              \
      .accept = SN_ACCEPT_BOOL, .group = 'K', .used = SN_USE_ENVIRONMENT)                          \
    K(generate,                                                                                    \
      "made from a word: chain:10, tree:15, pendulum:30, cable:50, random:12:7; free bodies: "     \
      "stack:5, wall:6x8, heap:50, pyramid:4, dominoes:9, cards:3",                                \
      .accept = SN_ACCEPT_TEXT, .group = 'K', .used = SN_USE_MODEL | SN_USE_OBJECT | SN_USE_ADD)   \
    SN_POSE_KEYS(K)                                                                                \
    K(stand, "true: z is that of its lowest point above the floor", .accept = SN_ACCEPT_BOOL,      \
      .used = SN_USE_MODEL | SN_USE_OBJECT | SN_USE_ADD)                                           \
    K(base,                                                                                        \
      "what holds its root: as_file (the default), free: it floats, fixed: it is held where it "   \
      "is",                                                                                        \
      .accept = SN_ACCEPT_WORD, .words = sni_base_words, .used = SN_USE_ROBOT)                     \
    K(q, "where joints begin: a number each, or as many as the joint has", .unit = "rad or m",     \
      .accept = SN_ACCEPT_JOINTS, .used = SN_USE_ROBOT)                                            \
    K(qd, "how fast joints begin", .unit = "rad/s or m/s", .accept = SN_ACCEPT_JOINTS,             \
      .used = SN_USE_ROBOT)                                                                        \
    K(lock, "joints that are locked, by name, or all", .accept = SN_ACCEPT_WORD | SN_ACCEPT_NAMES, \
      .words = sni_all_words, .used = SN_USE_ROBOT)                                                \
    K(meshes, "of the model's collision shapes: hull (the default), triangles, or skip",           \
      .accept = SN_ACCEPT_WORD, .words = sni_mesh_words, .used = SN_USE_ROBOT)                     \
    K(srdf, "a file with pairs of links that never touch", .accept = SN_ACCEPT_TEXT,               \
      .needs = "file", .used = SN_USE_MODEL)                                                       \
    K(flexible, "fixed joints of a URDF that give way in truth, such as rubber bushes",            \
      .accept = SN_ACCEPT_MAPS, .map = &sni_flexible_map, .used = SN_USE_MODEL)                    \
    K(mass, "of one body", .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_POSITIVE, .unit = "kg",   \
      .group = 'm', .used = SN_USE_THING)                                                          \
    K(density, "500 if neither mass nor density is given", .accept = SN_ACCEPT_NUMBER,             \
      .range = SN_RANGE_POSITIVE, .unit = "kg/m^3", .group = 'm', .used = SN_USE_THING)            \
    K(v, "velocity of its free root to begin with, world axes", .accept = SN_ACCEPT_NUMBERS,       \
      .unit = "m/s", .used = SN_USE_MODEL | SN_USE_OBJECT | SN_USE_ADD)                            \
    K(w, "spin of its free root to begin with, world axes", .accept = SN_ACCEPT_NUMBERS,           \
      .unit = "rad/s", .used = SN_USE_MODEL | SN_USE_OBJECT | SN_USE_ADD)                          \
    K(scale, "by which a mesh or hull file is multiplied, one number or three",                    \
      .accept = SN_ACCEPT_NUMBER | SN_ACCEPT_NUMBERS, .range = SN_RANGE_POSITIVE,                  \
      .used = SN_USE_SHAPE)                                                                        \
    K(material, "of all its surfaces: a name of 'materials', or a mapping",                        \
      .accept = SN_ACCEPT_TEXT | SN_ACCEPT_MAP, .map = &sni_material_map)                          \
    K(color, "red, green, blue and perhaps opacity, 0 to 1", .accept = SN_ACCEPT_NUMBERS,          \
      .least = 3, .most = 4, .range = SN_RANGE_0_TO_1, .used = SN_USE_SHAPE)                       \
    K(repeat, "many of it in a grid, named NAME_1, NAME_2, ...", .accept = SN_ACCEPT_MAP,          \
      .map = &sni_repeat_map, .used = SN_USE_MODEL | SN_USE_OBJECT | SN_USE_ENVIRONMENT)

#define SN_FLEXIBLE_KEYS(K)                                                                        \
    K(joint, "that becomes a ball joint, held by a spring and a damper", .accept = SN_ACCEPT_TEXT, \
      .required = true)                                                                            \
    K(stiffness, "of the spring", .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_POSITIVE,          \
      .unit = "N m/rad", .required = true)                                                         \
    K(damping, "of the damper; 0 if not given", .accept = SN_ACCEPT_NUMBER,                        \
      .range = SN_RANGE_LEAST_0, .unit = "N m s/rad")

#define SN_REPEAT_KEYS(K)                                                                          \
    K(count, "how many along x, y, z; the first counts fastest", .accept = SN_ACCEPT_NUMBERS,      \
      .range = SN_RANGE_POSITIVE, .required = true)                                                \
    K(spacing, "between two, along x, y, z of the world", .accept = SN_ACCEPT_NUMBERS,             \
      .unit = "m", .required = true)

#define SN_FLOOR_KEYS(K)                                                                           \
    K(height, "z of the floor; 0 if not given", .accept = SN_ACCEPT_NUMBER, .unit = "m")           \
    K(mu, "friction; 0.5 if not given", .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_LEAST_0,     \
      .group = 'm')                                                                                \
    K(material, "a name of 'materials', or a mapping", .accept = SN_ACCEPT_TEXT | SN_ACCEPT_MAP,   \
      .map = &sni_material_map, .group = 'm')                                                      \
    K(color, "red, green, blue and perhaps opacity, 0 to 1", .accept = SN_ACCEPT_NUMBERS,          \
      .least = 3, .most = 4, .range = SN_RANGE_0_TO_1)

#define SN_ADAPTIVE_KEYS(K)                                                                        \
    K(max_active, "most joints that are active", .accept = SN_ACCEPT_WHOLE,                        \
      .range = SN_RANGE_LEAST_0)                                                                   \
    K(threshold, "metric of the accelerations that may be left out, square root",                  \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_LEAST_0)                                       \
    K(settling_time, "an active joint is kept while stopping it in this time would matter",        \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_POSITIVE, .unit = "s")                         \
    K(period, "steps between two choices", .accept = SN_ACCEPT_WHOLE, .range = SN_RANGE_POSITIVE)  \
    K(metric, "weights of accelerations: inertia (the default) or unit", .accept = SN_ACCEPT_WORD, \
      .words = sni_metric_words)

#define SN_RELAXATION_KEYS(K)                                                                      \
    K(evaluations, "of all forces, at most, in a step; 12 if not given",                           \
      .accept = SN_ACCEPT_WHOLE, .range = SN_RANGE_POSITIVE)                                       \
    K(tolerance,                                                                                   \
      "forces balance when no joint feels more; 0.001 if not given, 0.1 in scenes with molecules", \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_LEAST_0, .unit = "N m or N")

#define SN_SLEEP_KEYS(K)                                                                           \
    K(speed, "bodies that touch and are all slower fall asleep", .accept = SN_ACCEPT_NUMBER,       \
      .range = SN_RANGE_LEAST_0, .unit = "m/s")                                                    \
    K(time, "after so long", .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_LEAST_0, .unit = "s")

#define SN_CONTACT_KEYS(K)                                                                         \
    K(solver, "of contact problems", .accept = SN_ACCEPT_WORD, .word = sn_contact_solver_name,     \
      .open = true)                                                                                \
    K(detector, "of collisions", .accept = SN_ACCEPT_WORD, .words = sni_own_words, .open = true)   \
    K(tolerance, "residual at which solving ends; 1e-4 if not given", .accept = SN_ACCEPT_NUMBER,  \
      .range = SN_RANGE_POSITIVE)                                                                  \
    K(sweeps, "most iterations of a step's solve; 100 if not given", .accept = SN_ACCEPT_WHOLE,    \
      .range = SN_RANGE_POSITIVE)                                                                  \
    K(solve_time, "solving a step ends after so long, with what it has",                           \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_POSITIVE, .unit = "s")                         \
    K(workers, "threads that help to solve; 0 if not given", .accept = SN_ACCEPT_WHOLE,            \
      .range = SN_RANGE_LEAST_0)                                                                   \
    K(contacts, "most contact points at once; by the number of shapes if not given",               \
      .accept = SN_ACCEPT_WHOLE, .range = SN_RANGE_POSITIVE)                                       \
    K(constraints, "most holds at once; what the file asks for and 16 more if not given",          \
      .accept = SN_ACCEPT_WHOLE, .range = SN_RANGE_POSITIVE)                                       \
    K(margin, "surfaces nearer than this are in contact; 0.001 if not given",                      \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_LEAST_0, .unit = "m")                          \
    K(patch_points, "of flat contact between two bodies keep so many points, at least 4",          \
      .accept = SN_ACCEPT_WHOLE, .range = SN_RANGE_POSITIVE)                                       \
    K(skip_overlapping,                                                                            \
      "links of one model that overlap at the start never touch; true if not "                     \
      "given",                                                                                     \
      .accept = SN_ACCEPT_BOOL)                                                                    \
    K(sleep, "false: bodies at rest do not fall asleep; or when they do",                          \
      .accept = SN_ACCEPT_BOOL | SN_ACCEPT_MAP, .map = &sni_sleep_map)

#define SN_FRAME_KEYS(K) SN_POSE_KEYS(K)

#define SN_HOLD_KEYS(K)                                                                            \
    K(name, "to release it by", .accept = SN_ACCEPT_TEXT, .required = true)                        \
    K(type, "weld: all six motions, ball: a point, hinge: a point and the z axis, distance",       \
      .accept = SN_ACCEPT_WORD, .words = sni_hold_words, .required = true)                         \
    K(body, "an object, or a body as ITEM/BODY", .accept = SN_ACCEPT_TEXT, .required = true)       \
    K(other, "what it is held to; the world if not given", .accept = SN_ACCEPT_TEXT)               \
    K(frame, "where it is held, in 'body'; without any frame: as the two are at that time",        \
      .accept = SN_ACCEPT_MAP, .map = &sni_frame_map)                                              \
    K(other_frame, "the same place in 'other'", .accept = SN_ACCEPT_MAP, .map = &sni_frame_map)    \
    K(length, "distance: how far apart the two origins stay", .accept = SN_ACCEPT_NUMBER,          \
      .range = SN_RANGE_POSITIVE, .unit = "m")                                                     \
    K(stiffness, "rigid if not given", .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_POSITIVE,     \
      .unit = "N/m")                                                                               \
    K(damping, "of 'stiffness'", .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_LEAST_0,            \
      .unit = "N s/m", .needs = "stiffness")                                                       \
    K(turn_stiffness, "weld and hinge, against turning; rigid if not given",                       \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_POSITIVE, .unit = "N m/rad")                   \
    K(turn_damping, "of 'turn_stiffness'", .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_LEAST_0,  \
      .unit = "N m s/rad", .needs = "turn_stiffness")

#define SN_ACTUATOR_KEYS(K)                                                                        \
    K(item, "the model whose joints it drives, by its name", .accept = SN_ACCEPT_TEXT,             \
      .required = true)                                                                            \
    K(name, "the item's name if not given", .accept = SN_ACCEPT_TEXT)                              \
    K(joints, "which joints have such a motor, by name, or all (the default): all but free ones",  \
      .accept = SN_ACCEPT_WORD | SN_ACCEPT_NAMES, .words = sni_all_words)                          \
    K(gear, "angle of the motor over that of the joint; 1 if not given",                           \
      .accept = SN_ACCEPT_NUMBER)                                                                  \
    K(rotor, "inertia of the rotor; the joint feels gear^2 times that",                            \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_LEAST_0, .unit = "kg m^2 or kg")               \
    K(viscous, "friction at the joint that grows with speed", .accept = SN_ACCEPT_NUMBER,          \
      .range = SN_RANGE_LEAST_0, .unit = "N m s/rad or N s/m")                                     \
    K(friction, "dry friction at the joint; holds where contact is on",                            \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_LEAST_0, .unit = "N m or N")                   \
    K(torque, "most that all controllers together can do to the joint, at rest",                   \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_POSITIVE, .unit = "N m or N")                  \
    K(speed, "of the joint, at which the motor cannot pull any more", .accept = SN_ACCEPT_NUMBER,  \
      .range = SN_RANGE_POSITIVE, .unit = "rad/s or m/s", .needs = "torque")

#define SN_CONTROLLER_KEYS(K)                                                                      \
    K(name, "the item's name if not given", .accept = SN_ACCEPT_TEXT)                              \
    K(item, "the model it drives, by its name", .accept = SN_ACCEPT_TEXT, .required = true)        \
    K(joints, "which joints, by name, or all (the default): all but free ones",                    \
      .accept = SN_ACCEPT_WORD | SN_ACCEPT_NAMES, .words = sni_all_words)                          \
    K(frequency,                                                                                   \
      "how fast each joint swings to its target; gains from the inertia it carries at the start",  \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_POSITIVE, .unit = "Hz", .group = 'G')          \
    K(damping_ratio, "with 'frequency': 1 does not overshoot; 1 if not given",                     \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_LEAST_0, .needs = "frequency")                 \
    K(kp, "stiffness of each joint", .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_LEAST_0,        \
      .unit = "N m/rad or N/m", .group = 'G')                                                      \
    K(kd, "damping of each joint", .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_LEAST_0,          \
      .unit = "N m s/rad or N s/m", .needs = "kp")                                                 \
    K(gains,                                                                                       \
      "what kp and kd are: joint (the default), of torque and angle of the joint; motor, of "      \
      "torque and angle of the motor; mixed, of the motor's torque and the joint's angle",         \
      .accept = SN_ACCEPT_WORD, .words = sni_gain_words, .needs = "kp")                            \
    K(balance,                                                                                     \
      "true, or how: keeps a model with a free base on its feet, all joints together; 'target' "   \
      "is its posture",                                                                            \
      .accept = SN_ACCEPT_BOOL | SN_ACCEPT_MAP, .map = &sni_balance_map, .group = 'G')             \
    K(target, "posture; where the joints begin if not given", .unit = "rad or m",                  \
      .accept = SN_ACCEPT_JOINTS)                                                                  \
    K(motion, "postures in time, instead of one", .accept = SN_ACCEPT_MAPS,                        \
      .map = &sni_motion_map, .group = 'm')                                                        \
    K(file, "the same of a file: a table with a column 'time' and one for each joint (CSV)",       \
      .accept = SN_ACCEPT_TEXT, .group = 'm')                                                      \
    K(smooth, "from a posture to the next: minimum_jerk (the default), cubic, spline, linear",     \
      .accept = SN_ACCEPT_WORD, .words = sni_smooth_words)                                         \
    K(repeat, "true: the motion again and again", .accept = SN_ACCEPT_BOOL)                        \
    K(follow, "true, or how: the target gives way to forces on the model",                         \
      .accept = SN_ACCEPT_BOOL | SN_ACCEPT_MAP, .map = &sni_follow_map, .group = 'm')              \
    K(look, "turns the joints until an eye sees something", .accept = SN_ACCEPT_MAP,               \
      .map = &sni_look_map, .group = 'm')                                                          \
    K(grip, "closes the fingers and holds what is between them", .accept = SN_ACCEPT_MAP,          \
      .map = &sni_grip_map, .group = 'm')                                                          \
    K(limit, "largest force of a joint: effort (the default) as the model says, or a number",      \
      .accept = SN_ACCEPT_WORD | SN_ACCEPT_NUMBER, .words = sni_effort_words,                      \
      .range = SN_RANGE_POSITIVE, .unit = "N m or N")

#define SN_BALANCE_KEYS(K)                                                                         \
    K(feet, "frames in the middle of its soles; l_sole and r_sole if not given",                   \
      .accept = SN_ACCEPT_NAMES)                                                                   \
    K(mu, "friction that it relies on; 0.5 if not given", .accept = SN_ACCEPT_NUMBER,              \
      .range = SN_RANGE_POSITIVE)                                                                  \
    K(margin, "that the centre of pressure keeps from edges of soles; 0.01 if not given",          \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_LEAST_0, .unit = "m")                          \
    K(frequency, "how fast the centre of mass comes back; 0.8 if not given",                       \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_POSITIVE, .unit = "Hz")                        \
    K(posture_frequency, "how fast the joints come back; 1.5 if not given",                        \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_POSITIVE, .unit = "Hz")                        \
    K(rate, "computes forces so often, which stay in between; in every step if not given",         \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_POSITIVE, .unit = "Hz")

#define SN_MOTION_KEYS(K)                                                                          \
    K(at, "when, from the time that the controller becomes active", .accept = SN_ACCEPT_NUMBER,    \
      .range = SN_RANGE_LEAST_0, .unit = "s", .required = true)                                    \
    K(q, "posture; joints that are not mentioned are where they were", .unit = "rad or m",         \
      .accept = SN_ACCEPT_JOINTS, .required = true)

#define SN_FOLLOW_KEYS(K)                                                                          \
    K(mass, "of each joint's motion; 1 if not given", .accept = SN_ACCEPT_NUMBER,                  \
      .range = SN_RANGE_POSITIVE, .unit = "kg m^2 or kg")                                          \
    K(damping, "of each joint's motion; 4 if not given", .accept = SN_ACCEPT_NUMBER,               \
      .range = SN_RANGE_LEAST_0, .unit = "N m s/rad or N s/m")                                     \
    K(stiffness, "back to where it was; 0 if not given", .accept = SN_ACCEPT_NUMBER,               \
      .range = SN_RANGE_LEAST_0, .unit = "N m/rad or N/m")                                         \
    K(waist, "body beyond which joints give way; the item's first if not given",                   \
      .accept = SN_ACCEPT_TEXT)

#define SN_LOOK_KEYS(K)                                                                            \
    K(eye, "body or frame that looks", .accept = SN_ACCEPT_TEXT, .required = true)                 \
    K(axis, "that it looks along, its axes; [1, 0, 0] if not given", .accept = SN_ACCEPT_NUMBERS)  \
    K(item, "what it looks at; the body that was pushed last if not given",                        \
      .accept = SN_ACCEPT_TEXT)                                                                    \
    K(body, "of that item; its first if not given", .accept = SN_ACCEPT_TEXT, .needs = "item")     \
    K(speed, "of a joint, at most; 3 if not given", .accept = SN_ACCEPT_NUMBER,                    \
      .range = SN_RANGE_POSITIVE, .unit = "rad/s")

#define SN_GRIP_KEYS(K)                                                                            \
    K(closed, "where the fingers go to close", .unit = "rad or m", .accept = SN_ACCEPT_JOINTS,     \
      .required = true)                                                                            \
    K(force, "with which a thing must be touched to be held; 2 if not given",                      \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_POSITIVE, .unit = "N")

#define SN_BEHAVIOUR_KEYS(K)                                                                       \
    K(name, "the item's name if not given", .accept = SN_ACCEPT_TEXT)                              \
    K(item, "the model that feels", .accept = SN_ACCEPT_TEXT, .required = true)                    \
    K(states, "the first is where it begins", .accept = SN_ACCEPT_MAPS,                            \
      .map = &sni_behaviour_state_map, .required = true)                                           \
    K(sensor, "a force sensor that it feels by; by all that pushes the item if not given",         \
      .accept = SN_ACCEPT_TEXT)                                                                    \
    K(threshold, "weaker forces are not felt; 2 if not given", .accept = SN_ACCEPT_NUMBER,         \
      .range = SN_RANGE_POSITIVE, .unit = "N")

#define SN_BEHAVIOUR_STATE_KEYS(K)                                                                 \
    K(name, "unique in the behaviour", .accept = SN_ACCEPT_TEXT, .required = true)                 \
    K(controllers, "that are active; those of other states are not", .accept = SN_ACCEPT_NAMES)    \
    K(on, "what ends the state; the first that happens counts", .accept = SN_ACCEPT_MAPS,          \
      .map = &sni_transition_map)

#define SN_TRANSITION_KEYS(K)                                                                      \
    K(feel, "a force on the item: a tap, push, pull or shake", .accept = SN_ACCEPT_WORD,           \
      .words = sni_pattern_words, .group = 'T')                                                    \
    K(after, "so long in the state", .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_POSITIVE,       \
      .unit = "s", .group = 'T')                                                                   \
    K(touch, "a body of the item touches something", .accept = SN_ACCEPT_TEXT, .group = 'T')       \
    K(signal, "a word: of the edit 'signal', such as a button gives", .accept = SN_ACCEPT_TEXT,    \
      .group = 'T')                                                                                \
    K(go, "to this state", .accept = SN_ACCEPT_TEXT, .required = true)

#define SN_SENSOR_KEYS(K)                                                                          \
    K(name, "unique among the sensors", .accept = SN_ACCEPT_TEXT, .required = true)                \
    K(type, "what it gives", .accept = SN_ACCEPT_WORD, .words = sni_sensor_words,                  \
      .required = true)                                                                            \
    K(item, "the model or object it looks at", .accept = SN_ACCEPT_TEXT)                           \
    K(joint, "position, velocity, control: joint of the item", .accept = SN_ACCEPT_TEXT,           \
      .group = 'j', .needs = "item")                                                               \
    K(body, "pose, twist, contact, force, imu: body of the item; its first if not given",          \
      .accept = SN_ACCEPT_TEXT, .group = 'j', .needs = "item")                                     \
    K(frame, "pose, twist, force, imu: a frame of the item", .accept = SN_ACCEPT_TEXT,             \
      .group = 'j', .needs = "item")                                                               \
    K(noise, "standard deviation of each number", .accept = SN_ACCEPT_NUMBER,                      \
      .range = SN_RANGE_LEAST_0)                                                                   \
    K(bias, "added to each number: one for all, or as many as there are",                          \
      .accept = SN_ACCEPT_NUMBER | SN_ACCEPT_NUMBERS, .least = 1, .most = SN_VALUE_NUMBERS)        \
    K(delay, "shows what was so long ago", .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_LEAST_0,  \
      .unit = "s")                                                                                 \
    K(rate, "measures so often; in every step if not given", .accept = SN_ACCEPT_NUMBER,           \
      .range = SN_RANGE_POSITIVE, .unit = "Hz")                                                    \
    K(seed, "of the noise; from its place in the file if not given", .accept = SN_ACCEPT_WHOLE,    \
      .range = SN_RANGE_LEAST_0)                                                                   \
    K(matrix, "force: calibration G, six rows of six; shows G^-1 f - offset",                      \
      .accept = SN_ACCEPT_POINTS)                                                                  \
    K(offset, "force: taken off what it shows", .accept = SN_ACCEPT_NUMBERS, .least = 6)

#define SN_DEVICE_KEYS(K)                                                                          \
    K(name, "unique among the devices", .accept = SN_ACCEPT_TEXT, .required = true)                \
    K(driver, "simulated, pointer, or a vendor's", .accept = SN_ACCEPT_TEXT, .required = true)     \
    K(profile, "of its limits; the driver's own if not given", .accept = SN_ACCEPT_TEXT)

#define SN_HAND_KEYS(K)                                                                            \
    K(name, "unique among the hands", .accept = SN_ACCEPT_TEXT, .required = true)                  \
    K(device, "that moves it, by its name", .accept = SN_ACCEPT_TEXT, .required = true)            \
    K(mode, "attach (the default): holds a body; touch: feels surfaces", .accept = SN_ACCEPT_WORD, \
      .words = sni_mode_words)                                                                     \
    K(law, "of force: spring (the default), or reaction", .accept = SN_ACCEPT_WORD,                \
      .words = sni_law_words)                                                                      \
    K(item, "the item it holds from the start", .accept = SN_ACCEPT_TEXT)                          \
    K(body,                                                                                        \
      "of the item; its first if not given. Of a molecule also an atom, A/12 CA; a residue, "      \
      "A/12; "                                                                                     \
      "a run of them, A/10-15: these move as one piece while they are held",                       \
      .accept = SN_ACCEPT_TEXT, .needs = "item")                                                   \
    K(point, "where it holds, in the body", .accept = SN_ACCEPT_NUMBERS, .unit = "m",              \
      .needs = "item")                                                                             \
    K(six, "true: holds the orientation, too", .accept = SN_ACCEPT_BOOL)                           \
    K(stiffness,                                                                                   \
      "of the coupling; 500 if not given, in scenes with molecules the most that the device can "  \
      "render; auto: all four gains fit what is held",                                             \
      .accept = SN_ACCEPT_NUMBER | SN_ACCEPT_WORD, .words = sni_auto_words,                        \
      .range = SN_RANGE_POSITIVE, .unit = "N/m")                                                   \
    K(damping, "of the coupling; 2 if not given", .accept = SN_ACCEPT_NUMBER,                      \
      .range = SN_RANGE_LEAST_0, .unit = "N s/m")                                                  \
    K(turn_stiffness, "of the coupling; 2 if not given", .accept = SN_ACCEPT_NUMBER,               \
      .range = SN_RANGE_POSITIVE, .unit = "N m/rad")                                               \
    K(turn_damping, "of the coupling; 0.02 if not given", .accept = SN_ACCEPT_NUMBER,              \
      .range = SN_RANGE_LEAST_0, .unit = "N m s/rad")                                              \
    K(scale,                                                                                       \
      "metres of the scene for a metre of the device; 1 if not given; auto, and the default with " \
      "molecules: so that the workspace holds them",                                               \
      .accept = SN_ACCEPT_NUMBER | SN_ACCEPT_WORD, .words = sni_auto_words,                        \
      .range = SN_RANGE_POSITIVE)                                                                  \
    K(force_scale,                                                                                 \
      "newtons of the scene for a newton of the device; 1 if not given, with molecules so that "   \
      "the strongest force of the device is 1200 pN",                                              \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_POSITIVE)                                      \
    K(strength, "times the device's peak force that it pulls with at most; no limit if not given", \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_POSITIVE)                                      \
    K(rate_from, "from the middle of the device, beyond which the hand drifts on outward",         \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_POSITIVE, .unit = "m")                         \
    K(rate, "of drift for each metre beyond; 5 if not given", .accept = SN_ACCEPT_NUMBER,          \
      .range = SN_RANGE_POSITIVE, .unit = "1/s", .needs = "rate_from")                             \
    K(tool, "touch: edges of a box about the handle that it touches with; a point if not given",   \
      .accept = SN_ACCEPT_NUMBERS, .range = SN_RANGE_POSITIVE, .unit = "m")                        \
    K(enable,                                                                                      \
      "button that must be held for force, counted from 1; false: none; the device's own "         \
      "if not given",                                                                              \
      .accept = SN_ACCEPT_WHOLE | SN_ACCEPT_BOOL, .range = SN_RANGE_POSITIVE)                      \
    K(weight, "whether the weight of what is held is felt; true if not given",                     \
      .accept = SN_ACCEPT_BOOL)                                                                    \
    K(buttons,                                                                                     \
      "what the other buttons of the device do, in their order: grab, clutch, gripper, "           \
      "or an edit",                                                                                \
      .accept = SN_ACCEPT_NAMES)                                                                   \
    SN_POSE_KEYS(K)

#define SN_RECORDING_KEYS(K)                                                                       \
    K(file, "where it is written, from the folder the program runs in", .accept = SN_ACCEPT_TEXT,  \
      .required = true)                                                                            \
    K(every, "steps between two samples of the outputs; 1 if not given",                           \
      .accept = SN_ACCEPT_WHOLE, .range = SN_RANGE_POSITIVE)

#define SN_CAMERA_KEYS(K)                                                                          \
    K(eye, "where it is", .accept = SN_ACCEPT_NUMBERS, .unit = "m", .required = true)              \
    K(target, "what it looks at; the origin if not given", .accept = SN_ACCEPT_NUMBERS,            \
      .unit = "m")                                                                                 \
    K(fov, "vertical field of view; 45deg if not given", .accept = SN_ACCEPT_ANGLE,                \
      .range = SN_RANGE_POSITIVE, .unit = "rad")

#define SN_PLUGIN_KEYS(K)                                                                          \
    K(file, "the shared library", .accept = SN_ACCEPT_TEXT, .required = true)                      \
    K(options, "text for its init", .accept = SN_ACCEPT_TEXT)

// ---- edits ------------------------------------------------------------------------------------------

#define SN_PUSH_KEYS(K)                                                                            \
    K(body, "an object, or a body as ITEM/BODY", .accept = SN_ACCEPT_TEXT, .required = true)       \
    K(force, "at the body's origin, world axes; until changed", .accept = SN_ACCEPT_NUMBERS,       \
      .unit = "N")                                                                                 \
    K(moment, "about the body's origin, world axes", .accept = SN_ACCEPT_NUMBERS, .unit = "N m")

#define SN_JOINT_VALUE_KEYS(K)                                                                     \
    K(joint, "as ITEM/JOINT", .accept = SN_ACCEPT_TEXT, .required = true)                          \
    K(value, "a number, or as many as the joint has",                                              \
      .accept = SN_ACCEPT_NUMBER | SN_ACCEPT_ANGLE | SN_ACCEPT_NUMBERS, .least = 1,                \
      .most = SN_VALUE_NUMBERS, .required = true)

#define SN_SURFACE_KEYS(K)                                                                         \
    K(item, "whose surfaces change", .accept = SN_ACCEPT_TEXT, .required = true)                   \
    K(material, "a name of 'materials', or a mapping", .accept = SN_ACCEPT_TEXT | SN_ACCEPT_MAP,   \
      .map = &sni_material_map, .required = true)

#define SN_TARGET_KEYS(K)                                                                          \
    K(controller, "by its name", .accept = SN_ACCEPT_TEXT, .required = true)                       \
    SN_JOINT_VALUE_KEYS(K)

#define SN_COMMAND_KEYS(K)                                                                         \
    K(name, "of the plugin", .accept = SN_ACCEPT_TEXT, .required = true)                           \
    K(words, "for it to understand", .accept = SN_ACCEPT_TEXT)

#define SN_EDIT_KEYS(K)                                                                            \
    K(add, "puts a model or an object in", .accept = SN_ACCEPT_MAP, .map = &sni_add_map,           \
      .group = 'E')                                                                                \
    K(remove, "takes an item out, by its name", .accept = SN_ACCEPT_TEXT, .group = 'E')            \
    K(hold, "holds two bodies together", .accept = SN_ACCEPT_MAP, .map = &sni_hold_map,            \
      .group = 'E')                                                                                \
    K(release, "ends a hold, by its name", .accept = SN_ACCEPT_TEXT, .group = 'E')                 \
    K(push, "a force on a body, until changed; zero ends it", .accept = SN_ACCEPT_MAP,             \
      .map = &sni_push_map, .group = 'E')                                                          \
    K(force, "forces of a joint, until changed", .accept = SN_ACCEPT_MAP,                          \
      .map = &sni_joint_value_map, .group = 'E')                                                   \
    K(move, "puts a joint somewhere, at rest", .accept = SN_ACCEPT_MAP,                            \
      .map = &sni_joint_value_map, .group = 'E')                                                   \
    K(lock, "locks a joint, ITEM/JOINT", .accept = SN_ACCEPT_TEXT, .group = 'E')                   \
    K(unlock, "frees it again", .accept = SN_ACCEPT_TEXT, .group = 'E')                            \
    K(surface, "changes the surfaces of an item", .accept = SN_ACCEPT_MAP,                         \
      .map = &sni_surface_map, .group = 'E')                                                       \
    K(gravity, "changes gravity", .accept = SN_ACCEPT_NUMBERS, .unit = "m/s^2", .group = 'E')      \
    K(active, "changes the options of adaptive dynamics", .accept = SN_ACCEPT_MAP,                 \
      .map = &sni_adaptive_map, .group = 'E')                                                      \
    K(target, "gives a controller a new target for a joint", .accept = SN_ACCEPT_MAP,              \
      .map = &sni_target_map, .group = 'E')                                                        \
    K(signal, "a word that behaviours wait for", .accept = SN_ACCEPT_TEXT, .group = 'E')           \
    K(plugin, "a command for a plugin", .accept = SN_ACCEPT_MAP, .map = &sni_command_map,          \
      .group = 'E')                                                                                \
    K(reset, "true: back to the beginning", .accept = SN_ACCEPT_BOOL, .group = 'E')

/// An edit of a script; a command of a stream is the same without its time.
#define SN_SCRIPT_KEYS(K)                                                                          \
    SN_EDIT_KEYS(K)                                                                                \
    K(at, "when it happens", .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_LEAST_0, .unit = "s",   \
      .required = true, .used = SN_USE_SCRIPT)

enum { SN_USE_COMMAND = 1, SN_USE_SCRIPT = 2 };

// ---- the scene --------------------------------------------------------------------------------------

#define SN_MOLECULE_KEYS(K)                                                                        \
    K(name, "unique in the scene; made from the kind and a number if not given",                   \
      .accept = SN_ACCEPT_TEXT)                                                                    \
    K(file, "a PDB or mmCIF file", .accept = SN_ACCEPT_TEXT, .group = 'K')                         \
    K(build, "a molecule that is built: ala:20, ala:20:strand, bacteriorhodopsin",                 \
      .accept = SN_ACCEPT_TEXT, .group = 'K')                                                      \
    K(sequence, "a chain that is built between caps, one letter for each residue",                 \
      .accept = SN_ACCEPT_TEXT, .group = 'K')                                                      \
    K(structure,                                                                                   \
      "shape of that chain: a name, or a letter for each residue, as `sinew build` has it; helix " \
      "if not given",                                                                              \
      .accept = SN_ACCEPT_TEXT, .needs = "sequence")                                               \
    SN_POSE_KEYS(K)                                                                                \
    K(policy, "bonds that turn, A to F as `sinew info` explains; B if not given",                  \
      .accept = SN_ACCEPT_WORD, .words = sni_policy_words)                                         \
    K(base, "free: the first group of each chain floats; fixed if not given",                      \
      .accept = SN_ACCEPT_WORD, .words = sni_molecule_base_words)                                  \
    K(disulfides,                                                                                  \
      "what holds them: spring, that of the force field, or bilateral, a constraint, which "       \
      "allows "                                                                                    \
      "longer steps; spring if not given",                                                         \
      .accept = SN_ACCEPT_WORD, .words = sni_disulfide_words)                                      \
    K(soften, "fraction of an atom's size below which forces stop growing; 0.5 if not given",      \
      .accept = SN_ACCEPT_NUMBER, .range = SN_RANGE_0_TO_1)                                        \
    K(hetero, "false: leaves out what the force field does not know", .accept = SN_ACCEPT_BOOL)    \
    K(friction, "of the solvent; 5 if not given", .accept = SN_ACCEPT_NUMBER,                      \
      .range = SN_RANGE_LEAST_0, .unit = "1/ps")                                                   \
    K(temperature, "of the solvent; 0, no knocks, if not given", .accept = SN_ACCEPT_NUMBER,       \
      .range = SN_RANGE_LEAST_0, .unit = "K")                                                      \
    K(seed, "of the solvent's knocks", .accept = SN_ACCEPT_WHOLE, .range = SN_RANGE_LEAST_0)       \
    K(cutoff, "of forces between atoms; 1 if not given", .accept = SN_ACCEPT_NUMBER,               \
      .range = SN_RANGE_POSITIVE, .unit = "nm")                                                    \
    K(dielectric, "vacuum, or distance: a crude solvent, 4 times the distance in Angstrom",        \
      .accept = SN_ACCEPT_WORD, .words = sni_dielectric_words)

#define SN_SCENE_KEYS(K)                                                                           \
    K(version, "of this format: 1", .accept = SN_ACCEPT_WHOLE, .required = true)                   \
    K(name, "of the scene; the file's if not given", .accept = SN_ACCEPT_TEXT)                     \
    K(about, "what it shows, for people", .accept = SN_ACCEPT_TEXT)                                \
    K(duration, "that a batch run takes unless told otherwise", .accept = SN_ACCEPT_NUMBER,        \
      .range = SN_RANGE_POSITIVE, .unit = "s")                                                     \
    K(step,                                                                                        \
      "of time; 0.001 if not given; auto: what molecules are stable with, and the default of "     \
      "scenes with some",                                                                          \
      .accept = SN_ACCEPT_NUMBER | SN_ACCEPT_WORD, .words = sni_auto_words,                        \
      .range = SN_RANGE_POSITIVE, .unit = "s")                                                     \
    K(gravity, "acceleration; [0, 0, -9.81] if not given", .accept = SN_ACCEPT_NUMBERS,            \
      .unit = "m/s^2")                                                                             \
    K(dynamics, "algorithm of forward dynamics; aba if not given", .accept = SN_ACCEPT_WORD,       \
      .word = sn_dynamics_algorithm, .open = true)                                                 \
    K(adaptive, "options of dynamics: adaptive", .accept = SN_ACCEPT_MAP,                          \
      .map = &sni_adaptive_map)                                                                    \
    K(integrator,                                                                                  \
      "how positions follow velocities; euler if not given; quasistatic: without inertia, "        \
      "downhill to where forces balance",                                                          \
      .accept = SN_ACCEPT_WORD, .words = sni_integrator_words)                                     \
    K(relaxation, "what a step of the integrator quasistatic does", .accept = SN_ACCEPT_MAP,       \
      .map = &sni_relaxation_map)                                                                  \
    K(simulator, "what takes the place of the whole step", .accept = SN_ACCEPT_WORD,               \
      .words = sni_own_words, .open = true)                                                        \
    K(contact, "false: nothing touches; or how it does. True if not given",                        \
      .accept = SN_ACCEPT_BOOL | SN_ACCEPT_MAP, .map = &sni_contact_map)                           \
    K(materials, "surfaces by name", .accept = SN_ACCEPT_NAMED, .map = &sni_material_map)          \
    K(floor, "true, or what kind of floor; none if not given",                                     \
      .accept = SN_ACCEPT_BOOL | SN_ACCEPT_MAP, .map = &sni_floor_map)                             \
    K(environment, "shapes that stand still", .accept = SN_ACCEPT_MAPS,                            \
      .map = &sni_environment_map)                                                                 \
    K(models, "robots and other models", .accept = SN_ACCEPT_MAPS, .map = &sni_model_map)          \
    K(objects, "free bodies", .accept = SN_ACCEPT_MAPS, .map = &sni_object_map)                    \
    K(molecules, "proteins; then lengths are nm, times ps and masses u everywhere in the scene",   \
      .accept = SN_ACCEPT_MAPS, .map = &sni_molecule_map)                                          \
    K(holds, "bodies held together from the start", .accept = SN_ACCEPT_MAPS,                      \
      .map = &sni_hold_map)                                                                        \
    K(actuators, "motors at joints", .accept = SN_ACCEPT_MAPS, .map = &sni_actuator_map)           \
    K(controllers, "what drives joints", .accept = SN_ACCEPT_MAPS, .map = &sni_controller_map)     \
    K(behaviours, "which controllers are active when", .accept = SN_ACCEPT_MAPS,                   \
      .map = &sni_behaviour_map)                                                                   \
    K(sensors, "what is measured", .accept = SN_ACCEPT_MAPS, .map = &sni_sensor_map)               \
    K(devices, "haptic devices", .accept = SN_ACCEPT_MAPS, .map = &sni_device_map)                 \
    K(hands, "hands in the scene, each moved by a device", .accept = SN_ACCEPT_MAPS,               \
      .map = &sni_hand_map)                                                                        \
    K(plugins, "shared libraries to load", .accept = SN_ACCEPT_MAPS, .map = &sni_plugin_map)       \
    K(recording, "of the simulation", .accept = SN_ACCEPT_MAP, .map = &sni_recording_map)          \
    K(camera, "from where one looks", .accept = SN_ACCEPT_MAP, .map = &sni_camera_map)             \
    K(script, "what happens when", .accept = SN_ACCEPT_MAPS, .map = &sni_script_map)

// ---- structs and tables -----------------------------------------------------------------------------

#define SN_VALUE_FIELD(field, text, ...) sni_value field;
#define SN_KEYS_STRUCT(name, LIST)                                                                 \
    typedef struct sni_##name##_keys {                                                             \
        LIST(SN_VALUE_FIELD)                                                                       \
    } sni_##name##_keys;

SN_KEYS_STRUCT(pose, SN_POSE_KEYS)
SN_KEYS_STRUCT(material, SN_MATERIAL_KEYS)
SN_KEYS_STRUCT(item, SN_ITEM_KEYS)
SN_KEYS_STRUCT(repeat, SN_REPEAT_KEYS)
SN_KEYS_STRUCT(floor, SN_FLOOR_KEYS)
SN_KEYS_STRUCT(adaptive, SN_ADAPTIVE_KEYS)
SN_KEYS_STRUCT(relaxation, SN_RELAXATION_KEYS)
SN_KEYS_STRUCT(sleep, SN_SLEEP_KEYS)
SN_KEYS_STRUCT(contact, SN_CONTACT_KEYS)
SN_KEYS_STRUCT(frame, SN_FRAME_KEYS)
SN_KEYS_STRUCT(hold, SN_HOLD_KEYS)
SN_KEYS_STRUCT(actuator, SN_ACTUATOR_KEYS)
SN_KEYS_STRUCT(controller, SN_CONTROLLER_KEYS)
SN_KEYS_STRUCT(flexible, SN_FLEXIBLE_KEYS)
SN_KEYS_STRUCT(balance, SN_BALANCE_KEYS)
SN_KEYS_STRUCT(motion, SN_MOTION_KEYS)
SN_KEYS_STRUCT(follow, SN_FOLLOW_KEYS)
SN_KEYS_STRUCT(look, SN_LOOK_KEYS)
SN_KEYS_STRUCT(grip, SN_GRIP_KEYS)
SN_KEYS_STRUCT(behaviour, SN_BEHAVIOUR_KEYS)
SN_KEYS_STRUCT(behaviour_state, SN_BEHAVIOUR_STATE_KEYS)
SN_KEYS_STRUCT(transition, SN_TRANSITION_KEYS)
SN_KEYS_STRUCT(sensor, SN_SENSOR_KEYS)
SN_KEYS_STRUCT(device, SN_DEVICE_KEYS)
SN_KEYS_STRUCT(hand, SN_HAND_KEYS)
SN_KEYS_STRUCT(recording, SN_RECORDING_KEYS)
SN_KEYS_STRUCT(camera, SN_CAMERA_KEYS)
SN_KEYS_STRUCT(plugin, SN_PLUGIN_KEYS)
SN_KEYS_STRUCT(push, SN_PUSH_KEYS)
SN_KEYS_STRUCT(joint_value, SN_JOINT_VALUE_KEYS)
SN_KEYS_STRUCT(surface, SN_SURFACE_KEYS)
SN_KEYS_STRUCT(target, SN_TARGET_KEYS)
SN_KEYS_STRUCT(command, SN_COMMAND_KEYS)
SN_KEYS_STRUCT(script, SN_SCRIPT_KEYS)
SN_KEYS_STRUCT(molecule, SN_MOLECULE_KEYS)
SN_KEYS_STRUCT(scene, SN_SCENE_KEYS)

/// X(map): every kind of mapping, the scene first.
#define SN_MAP_LIST(X)                                                                             \
    X(scene)                                                                                       \
    X(material)                                                                                    \
    X(floor)                                                                                       \
    X(environment)                                                                                 \
    X(model)                                                                                       \
    X(object)                                                                                      \
    X(molecule)                                                                                    \
    X(repeat)                                                                                      \
    X(flexible)                                                                                    \
    X(adaptive)                                                                                    \
    X(relaxation)                                                                                  \
    X(contact)                                                                                     \
    X(sleep)                                                                                       \
    X(hold)                                                                                        \
    X(frame)                                                                                       \
    X(actuator)                                                                                    \
    X(controller)                                                                                  \
    X(balance)                                                                                     \
    X(motion)                                                                                      \
    X(follow)                                                                                      \
    X(look)                                                                                        \
    X(grip)                                                                                        \
    X(behaviour)                                                                                   \
    X(behaviour_state)                                                                             \
    X(transition)                                                                                  \
    X(sensor)                                                                                      \
    X(device)                                                                                      \
    X(hand)                                                                                        \
    X(plugin)                                                                                      \
    X(recording)                                                                                   \
    X(camera) X(script) X(edit) X(add) X(push) X(joint_value) X(surface) X(target) X(command)

#define SN_MAP_DECLARE(name) extern const sni_map sni_##name##_map;
SN_MAP_LIST(SN_MAP_DECLARE)

/// Reads a mapping into its struct.
#define SN_MAP_READ(source, node, map, keys) sni_map_read(source, node, map, (sni_value*)(keys))

#endif
