// SPDX-License-Identifier: Apache-2.0
#include "scene/tables.h"

#include "sinew/contact.h"
#include "sinew/control.h"
#include "sinew/dynamics.h"
#include "sinew/scene.h"
#include "sinew/torsion_tree.h"

// Words in the order of the enums they stand for.
static const char* const sni_base_words[] = {"as_file", "free", "fixed", NULL};
static const char* const sni_all_words[] = {"all", NULL};
static const char* const sni_mesh_words[] = {"skip", "hull", "triangles", NULL};
static const char* const sni_metric_words[] = {"inertia", "unit", NULL};
static const char* const sni_hold_words[] = {"weld", "ball", "hinge", "distance", NULL};
static const char* const sni_effort_words[] = {"effort", NULL};
static const char* const sni_mode_words[] = {"attach", "touch", NULL};
static const char* const sni_auto_words[] = {"auto", NULL};
static const char* const sni_law_words[] = {"spring", "reaction", NULL};
static const char* const sni_own_words[] = {"sinew", NULL};
static const char* const sni_integrator_words[] = {
#define NAME(code, name, text) name,
    SN_INTEGRATOR_LIST(NAME)
#undef NAME
        NULL};
static const char* const sni_gain_words[] = {
#define NAME(code, name, text) name,
    SN_GAIN_SIDE_LIST(NAME)
#undef NAME
        NULL};
static const char* const sni_smooth_words[] = {
#define NAME(code, name, text) name,
    SN_SMOOTH_LIST(NAME)
#undef NAME
        NULL};
static const char* const sni_pattern_words[] = {
#define NAME(code, name) name,
    SN_PATTERN_LIST(NAME)
#undef NAME
        NULL};
static const char* const sni_policy_words[] = {
#define NAME(code, name, text) name,
    SN_TORSION_POLICY_LIST(NAME)
#undef NAME
        NULL};
static const char* const sni_disulfide_words[] = {
#define NAME(code, name, text) name,
    SN_DISULFIDE_LIST(NAME)
#undef NAME
        NULL};
static const char* const sni_molecule_base_words[] = {"fixed", "free", NULL};
static const char* const sni_dielectric_words[] = {"vacuum", "distance", NULL};
static const char* const sni_sensor_words[] = {
#define NAME(code, name, numbers, text) name,
    SN_SENSOR_LIST(NAME)
#undef NAME
        NULL};

#define KEY(field, text, ...) {.name = #field, .about = text, __VA_ARGS__},
#define TABLE(list, LIST)                                                                          \
    static const sni_key list[] = {LIST(KEY)};                                                     \
    enum { list##_count = sizeof list / sizeof list[0] };

TABLE(frame_keys, SN_FRAME_KEYS)
TABLE(material_keys, SN_MATERIAL_KEYS)
TABLE(item_keys, SN_ITEM_KEYS)
TABLE(repeat_keys, SN_REPEAT_KEYS)
TABLE(flexible_keys, SN_FLEXIBLE_KEYS)
TABLE(floor_keys, SN_FLOOR_KEYS)
TABLE(adaptive_keys, SN_ADAPTIVE_KEYS)
TABLE(relaxation_keys, SN_RELAXATION_KEYS)
TABLE(sleep_keys, SN_SLEEP_KEYS)
TABLE(contact_keys, SN_CONTACT_KEYS)
TABLE(hold_keys, SN_HOLD_KEYS)
TABLE(actuator_keys, SN_ACTUATOR_KEYS)
TABLE(controller_keys, SN_CONTROLLER_KEYS)
TABLE(balance_keys, SN_BALANCE_KEYS)
TABLE(motion_keys, SN_MOTION_KEYS)
TABLE(follow_keys, SN_FOLLOW_KEYS)
TABLE(look_keys, SN_LOOK_KEYS)
TABLE(grip_keys, SN_GRIP_KEYS)
TABLE(behaviour_keys, SN_BEHAVIOUR_KEYS)
TABLE(behaviour_state_keys, SN_BEHAVIOUR_STATE_KEYS)
TABLE(transition_keys, SN_TRANSITION_KEYS)
TABLE(sensor_keys, SN_SENSOR_KEYS)
TABLE(device_keys, SN_DEVICE_KEYS)
TABLE(hand_keys, SN_HAND_KEYS)
TABLE(recording_keys, SN_RECORDING_KEYS)
TABLE(camera_keys, SN_CAMERA_KEYS)
TABLE(plugin_keys, SN_PLUGIN_KEYS)
TABLE(push_keys, SN_PUSH_KEYS)
TABLE(joint_value_keys, SN_JOINT_VALUE_KEYS)
TABLE(surface_keys, SN_SURFACE_KEYS)
TABLE(target_keys, SN_TARGET_KEYS)
TABLE(command_keys, SN_COMMAND_KEYS)
TABLE(script_keys, SN_SCRIPT_KEYS)
TABLE(molecule_keys, SN_MOLECULE_KEYS)
TABLE(scene_keys, SN_SCENE_KEYS)

#define MAP(name, text, list, use_)                                                                \
    const sni_map sni_##name##_map = {#name, text, list, list##_count, use_};

MAP(scene, "a scene", scene_keys, 0)
MAP(material, "a material", material_keys, 0)
MAP(floor, "a floor", floor_keys, 0)
MAP(environment, "a shape of the environment", item_keys, SN_USE_ENVIRONMENT)
MAP(model, "a model", item_keys, SN_USE_MODEL)
MAP(object, "an object", item_keys, SN_USE_OBJECT)
MAP(molecule, "a molecule", molecule_keys, 0)
MAP(add, "what is added", item_keys, SN_USE_ADD)
MAP(repeat, "a repeat", repeat_keys, 0)
MAP(flexible, "a flexible joint", flexible_keys, 0)
MAP(adaptive, "'adaptive'", adaptive_keys, 0)
MAP(relaxation, "'relaxation'", relaxation_keys, 0)
MAP(contact, "'contact'", contact_keys, 0)
MAP(sleep, "'sleep'", sleep_keys, 0)
MAP(frame, "a frame", frame_keys, 0)
MAP(hold, "a hold", hold_keys, 0)
MAP(actuator, "an actuator", actuator_keys, 0)
MAP(controller, "a controller", controller_keys, 0)
MAP(balance, "'balance'", balance_keys, 0)
MAP(motion, "a posture of 'motion'", motion_keys, 0)
MAP(follow, "'follow'", follow_keys, 0)
MAP(look, "'look'", look_keys, 0)
MAP(grip, "'grip'", grip_keys, 0)
MAP(behaviour, "a behaviour", behaviour_keys, 0)
MAP(behaviour_state, "a state of a behaviour", behaviour_state_keys, 0)
MAP(transition, "a transition", transition_keys, 0)
MAP(sensor, "a sensor", sensor_keys, 0)
MAP(device, "a device", device_keys, 0)
MAP(hand, "a hand", hand_keys, 0)
MAP(recording, "'recording'", recording_keys, 0)
MAP(camera, "'camera'", camera_keys, 0)
MAP(plugin, "a plugin", plugin_keys, 0)
MAP(script, "an entry of the script", script_keys, SN_USE_SCRIPT)
MAP(edit, "an edit", script_keys, SN_USE_COMMAND)
MAP(push, "a push", push_keys, 0)
MAP(joint_value, "a joint's value", joint_value_keys, 0)
MAP(surface, "'surface'", surface_keys, 0)
MAP(target, "'target'", target_keys, 0)
MAP(command, "a command for a plugin", command_keys, 0)
