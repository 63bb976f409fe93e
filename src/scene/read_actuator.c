// SPDX-License-Identifier: Apache-2.0
// Motors of a scene file: they become part of the joints they drive, so their item gets a model of its own.
#include <math.h>

#include "scene/read.h"

static sn_actuator motor_of(const sni_actuator_keys* k) {
    sn_actuator motor = sn_actuator_default();
    motor.gear = sni_number_or(&k->gear, motor.gear);
    motor.rotor = sni_number_or(&k->rotor, motor.rotor);
    motor.viscous = sni_number_or(&k->viscous, motor.viscous);
    motor.friction = sni_number_or(&k->friction, motor.friction);
    motor.torque = sni_number_or(&k->torque, motor.torque);
    motor.speed = sni_number_or(&k->speed, motor.speed);
    return motor;
}

/// The model with motors in its joints.
static sn_status with_motors(const sn_model* model, const sn_actuator_def* a, sn_model** out,
                             sn_error* error) {
    sn_model_builder* builder = sn_model_builder_create(sn_model_name(model));
    sn_status status = builder
                           ? sn_model_builder_add_model(builder, model, NULL, sn_pose_identity())
                           : SN_ERR_MEMORY;
    for (int i = 0; !status && i < sn_model_body_count(model); i++) {
        if (!a->driven[i]) continue;
        int at = sn_model_builder_find_joint(builder, sn_model_body(model, sn_body(i)).joint_name);
        sn_joint_def joint = sn_model_builder_joint(builder, at);
        sn_actuator_join(&a->motor, &joint);
        sn_model_builder_set_joint(builder, at, &joint);
    }
    if (!status) status = sn_model_builder_compile(builder, NULL, out, error);
    sn_model_builder_free(builder);
    return status;
}

static sn_status join(sni_reader* reader, const sn_actuator_def* a) {
    sn_item* item = &reader->scene->item[a->item];
    sn_model* model = NULL;
    sn_status status = with_motors(item->model, a, &model, reader->source.error);
    if (status) return status == SN_ERR_MEMORY ? sni_fail_memory(reader) : status;
    if (sni_scene_own(reader->scene, model)) {
        sn_model_free(model);
        return sni_fail_memory(reader);
    }
    item->model = model;
    return SN_OK;
}

/// One joint has one motor: the torque of two is not that of either.
static sn_status check_free(sni_reader* reader, const sni_node* node, const sn_actuator_def* a) {
    const sn_model* model = reader->scene->item[a->item].model;
    for (int i = 0; i < reader->scene->actuator_count; i++) {
        const sn_actuator_def* other = &reader->scene->actuator[i];
        for (int b = 0; other->item == a->item && b < sn_model_body_count(model); b++)
            if (other->driven[b] && a->driven[b])
                return sni_node_fail(&reader->source, node, "joint '%.60s' has the motor '%.60s'",
                                     sn_model_body(model, sn_body(b)).joint_name, other->name);
    }
    return SN_OK;
}

static sn_status read_actuator(sni_reader* reader, const sni_node* node) {
    sni_actuator_keys k;
    sn_scene* scene = reader->scene;
    sn_actuator_def* list =
        sni_grow(scene->actuator, scene->actuator_count, &scene->actuator_capacity, sizeof *list);
    if (!list) return sni_fail_memory(reader);
    scene->actuator = list;
    sn_actuator_def a = {.place = sni_node_place(&reader->source, node)};
    sn_status status = SN_MAP_READ(&reader->source, node, &sni_actuator_map, &k);
    if (!status) status = sni_read_item_name(reader, &k.item, &a.item);
    if (!status)
        status = sni_read_new_name(reader, k.name.at ? &k.name : &k.item, list,
                                   scene->actuator_count, sizeof *list, &a.name);
    if (status) return status;
    const sn_model* model = scene->item[a.item].model;
    bool* driven = sni_memory_take(reader->memory, (size_t)sn_model_body_count(model) + 1);
    if (!driven) return sni_fail_memory(reader);
    a.driven = driven;
    a.motor = motor_of(&k);
    const char* trouble = sn_actuator_trouble(&a.motor);
    if (trouble) return sni_node_fail(&reader->source, node, "%s", trouble);
    status = sni_read_joint_names(reader, &k.joints, model, driven);
    if (!status) status = check_free(reader, node, &a);
    if (!status) status = join(reader, &a);
    if (!status) list[scene->actuator_count++] = a;
    return status;
}

sn_status sni_read_actuators(sni_reader* reader, const sni_value* list) {
    sni_walk w = sni_walk_list(list);
    sn_status status = SN_OK;
    for (const sni_node* node; !status && (node = sni_walk_on(reader, &w));)
        status = read_actuator(reader, node);
    return status;
}
