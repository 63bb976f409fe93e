// SPDX-License-Identifier: Apache-2.0
/// Front door of `scene`: from a YAML text to the description of a scene (sinew/scene.h).
///
/// yaml.c makes a tree of nodes of the text; tables.h has every key there is; keys.c reads mappings by these
/// tables and says what is wrong; schema.c writes the same tables as JSON schema. read.c goes through the parts
/// of a scene: read_world.c, read_item.c (models, objects, environment; solid.c makes their bodies),
/// read_molecule.c, read_actuator.c, read_controller.c (with gains.c and read_balance.c), read_sensor.c, read_hand.c, read_edit.c (holds, script, commands). scene.c holds what was
/// read and puts it together as one model; floor.c has what stands on a floor, by_hand.c what programs change.
/// A file is never trusted: size, depth, numbers, names and counts are checked. Nothing here runs inside a step.
#ifndef SN_SCENE_SN_SCENE_H
#define SN_SCENE_SN_SCENE_H

#include "base/arena.h"
#include "base/name_map.h"
#include "control/sn_control.h"
#include "scene/memory.h"
#include "sinew/scene.h"

struct sn_scene {
    sni_memory memory; ///< of all strings and numbers
    const char *name, *about, *text;
    sn_item* item;
    int item_count, item_capacity;
    sni_arena name_arena;
    sni_name_map names; ///< of items
    sn_model** model;   ///< that the scene owns, each once
    int model_count, model_capacity;
    int moving_shapes, body_count;
    sn_scene_molecule* molecule;
    int molecule_count, molecule_capacity;
    sn_world_def world;
    char step_reason[256]; ///< why its step is what it is, where it was chosen
    bool contacts_given;   ///< else by the number of shapes
    sn_scene_plugin* plugin;
    int plugin_count, plugin_capacity;
    sn_behaviour_def* behaviour;
    int behaviour_count, behaviour_capacity;
    sn_actuator_def* actuator;
    int actuator_count, actuator_capacity;
    sn_controller_def* controller;
    int controller_count, controller_capacity;
    sn_sensor_def* sensor;
    int sensor_count, sensor_capacity;
    sn_device_def* device;
    int device_count, device_capacity;
    sn_hand_def* hand;
    int hand_count, hand_capacity;
    sn_edit* edit;
    int edit_count, edit_capacity;
    sn_camera_def camera;
    sn_recording_def recording;
    double duration;
};

/// The item with this name, -1: none.
int sni_scene_find(const sn_scene* scene, const char* name);
/// Takes a model over; SN_ERR_MEMORY: it did not.
sn_status sni_scene_own(sn_scene* scene, sn_model* model);
/// Adds an item whose model the scene owns already.
sn_status sni_scene_put(sn_scene* scene, const sn_item* item, sn_error* error);
/// SN_ERR_ARGUMENT: its pose or state is not finite, or a quaternion of q has not unit length.
sn_status sni_item_check_numbers(const sn_item* item, sn_error* error);
/// Velocities of the free roots of an item that moves as a whole, at q; [nv] numbers of which only those are
/// written. False: it has no free root.
bool sni_item_throw(const sn_item* item, sn_vec3 v, sn_vec3 w, double* numbers);

/// Lowest z of the collision shapes of a model's bodies when what it hangs on is at X_w; INFINITY when there are
/// none. False without memory.
bool sni_lowest(const sn_model* model, sn_pose X_w, const double* q, double* lowest);
/// How hard a spring and a damper at each joint of an item push in steps of h: above 4 they blow it up, whose forces
/// are those of the beginning of a step. 0 when it cannot be said, NAN without memory.
double sni_gain_stiffness(const sn_item* item, const double* q, double h, const double* kp,
                          const double* kd);
/// Diagonal of the joint-space inertia at q, armature included; nv numbers. False without memory.
bool sni_inertia_diagonal(const sn_model* model, const double* q, double* diagonal);

#endif
