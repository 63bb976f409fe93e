// SPDX-License-Identifier: Apache-2.0
#include "scene/tables.h"

#include "sinew/contact.h"
#include "sinew/dynamics.h"
#include "sinew/scene.h"

// Words in the order of the enums they stand for.
static const char* const sni_base_words[] = {"as_file", "free", "fixed", NULL};
static const char* const sni_all_words[] = {"all", NULL};
static const char* const sni_mesh_words[] = {"skip", "hull", "triangles", NULL};
static const char* const sni_metric_words[] = {"inertia", "unit", NULL};
static const char* const sni_hold_words[] = {"weld", "ball", "hinge", "distance", NULL};
static const char* const sni_effort_words[] = {"effort", NULL};
static const char* const sni_mode_words[] = {"attach", "touch", NULL};
static const char* const sni_law_words[] = {"spring", "reaction", NULL};
static const char* const sni_own_words[] = {"sinew", NULL};
static const char* const sni_integrator_words[] = {
#define NAME(code, name, text) name,
    SN_INTEGRATOR_LIST(NAME)
#undef NAME
        NULL};
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
TABLE(floor_keys, SN_FLOOR_KEYS)
TABLE(adaptive_keys, SN_ADAPTIVE_KEYS)
TABLE(sleep_keys, SN_SLEEP_KEYS)
TABLE(contact_keys, SN_CONTACT_KEYS)
TABLE(hold_keys, SN_HOLD_KEYS)
TABLE(controller_keys, SN_CONTROLLER_KEYS)
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
TABLE(scene_keys, SN_SCENE_KEYS)

#define MAP(name, text, list, use_)                                                                \
    const sni_map sni_##name##_map = {#name, text, list, list##_count, use_};

MAP(scene, "a scene", scene_keys, 0)
MAP(material, "a material", material_keys, 0)
MAP(floor, "a floor", floor_keys, 0)
MAP(environment, "a shape of the environment", item_keys, SN_USE_ENVIRONMENT)
MAP(model, "a model", item_keys, SN_USE_MODEL)
MAP(object, "an object", item_keys, SN_USE_OBJECT)
MAP(add, "what is added", item_keys, SN_USE_ADD)
MAP(repeat, "a repeat", repeat_keys, 0)
MAP(adaptive, "'adaptive'", adaptive_keys, 0)
MAP(contact, "'contact'", contact_keys, 0)
MAP(sleep, "'sleep'", sleep_keys, 0)
MAP(frame, "a frame", frame_keys, 0)
MAP(hold, "a hold", hold_keys, 0)
MAP(controller, "a controller", controller_keys, 0)
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
