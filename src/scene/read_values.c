// SPDX-License-Identifier: Apache-2.0
// Values that several parts of a scene have: poses, materials, joints, names of items.
#include <math.h>
#include <string.h>

#include "base/nearest.h"
#include "scene/read.h"

sn_status sni_fail_memory(const sni_reader* reader) {
    return sni_fail(reader->source.error, SN_ERR_MEMORY, sni_nowhere(),
                    "not enough memory for the scene");
}

// ---- poses ------------------------------------------------------------------------------------------

static sn_mat3 turn(int axis, double angle) {
    sn_vec3 phi = sn_vec3_make(axis == 0 ? angle : 0, axis == 1 ? angle : 0, axis == 2 ? angle : 0);
    return sn_quat_matrix(sn_quat_exp(phi));
}

static sn_status read_quaternion(const sni_reader* reader, const sni_value* value, sn_quat q,
                                 sn_mat3* R) {
    static const double TOLERANCE = 1e-3; // three digits; it is made unit
    double norm = sn_quat_norm(q);
    if (!(fabs(norm - 1) <= TOLERANCE))
        return sni_node_fail(&reader->source, value->at,
                             "a quaternion of length %.4g; it must be 1", norm);
    *R = sn_quat_matrix(sn_quat_normalized(q));
    return SN_OK;
}

sn_status sni_read_pose(const sni_reader* reader, const sni_value* keys, sn_pose* pose) {
    const sni_pose_keys* k = (const sni_pose_keys*)(const void*)keys;
    *pose = sn_pose_identity();
    pose->p = sni_vec3_or(&k->at, sn_vec3_zero());
    if (k->rpy.at) { // R = R_z(yaw) R_y(pitch) R_x(roll)
        const double* a = k->rpy.number;
        pose->R = sn_mat3_mul(sn_mat3_mul(turn(2, a[2]), turn(1, a[1])), turn(0, a[0]));
    }
    const double *wxyz = k->quat_wxyz.number, *xyzw = k->quat_xyzw.number;
    if (k->quat_wxyz.at)
        return read_quaternion(reader, &k->quat_wxyz,
                               sn_quat_make(wxyz[0], wxyz[1], wxyz[2], wxyz[3]), &pose->R);
    if (k->quat_xyzw.at)
        return read_quaternion(reader, &k->quat_xyzw,
                               sn_quat_make(xyzw[3], xyzw[0], xyzw[1], xyzw[2]), &pose->R);
    if (k->axis.at) {
        sn_vec3 axis = sni_vec3_or(&k->axis, sn_vec3_zero());
        double length = sn_vec3_norm(axis);
        if (!(length > 0))
            return sni_node_fail(&reader->source, k->axis.at, "the axis has no direction");
        sn_vec3 phi = sn_vec3_scale(k->angle.number[0] / length, axis);
        pose->R = sn_quat_matrix(sn_quat_exp(phi));
    }
    return SN_OK;
}

// ---- materials --------------------------------------------------------------------------------------

static sn_status read_material_map(const sni_reader* reader, const sni_node* node,
                                   sn_material* material) {
    sni_material_keys k;
    sn_status status = SN_MAP_READ(&reader->source, node, &sni_material_map, &k);
    if (status) return status;
    *material = sn_material_default();
    material->mu = sni_number_or(&k.mu, material->mu);
    material->mu_kinetic = sni_number_or(&k.mu_kinetic, material->mu);
    material->stribeck_speed = sni_number_or(&k.stribeck_speed, material->stribeck_speed);
    material->restitution = sni_number_or(&k.restitution, material->restitution);
    material->roll = sni_number_or(&k.roll, material->roll);
    material->spin = sni_number_or(&k.spin, material->spin);
    material->viscous = sni_number_or(&k.viscous, material->viscous);
    material->stiffness = sni_number_or(&k.stiffness, material->stiffness);
    material->damping = sni_number_or(&k.damping, material->damping);
    const char* trouble = sn_material_trouble(material);
    if (trouble) return sni_node_fail(&reader->source, node, "a material: %s", trouble);
    return SN_OK;
}

static void layout_materials(sni_reader* reader, int32_t count) {
    sni_name_map_layout(&reader->material_names, &reader->arena, count);
    reader->material = SN_ARENA_ARRAY(&reader->arena, sn_material, count);
}

sn_status sni_read_materials(sni_reader* reader, const sni_value* materials) {
    if (!materials->at) return SN_OK;
    const sni_yaml* yaml = reader->source.yaml;
    int32_t count = materials->at->count;
    layout_materials(reader, count);
    if (!sni_arena_allocate(&reader->arena)) return sni_fail_memory(reader);
    layout_materials(reader, count);
    const sni_node* at = sni_node_first(materials->at);
    for (int32_t i = 0; i < count; i++) {
        const sni_node *name = at, *value = sni_node_next(yaml, name);
        at = sni_node_next(yaml, value);
        if (name->kind != SN_NODE_WORD || name->count == 0)
            return sni_node_fail(&reader->source, name, "a material needs a name");
        const char* text = sni_node_text(yaml, name);
        if (sni_name_map_add(&reader->material_names, text, i) >= 0)
            return sni_node_fail(&reader->source, name, "the material '%.60s' is given twice",
                                 text);
        sn_status status = read_material_map(reader, value, &reader->material[i]);
        if (status) return status;
    }
    return SN_OK;
}

static sn_status fail_material(const sni_reader* reader, const sni_value* value) {
    sni_nearest near = {.wanted = value->text};
    for (uint32_t s = 0; s < reader->material_names.slots; s++)
        if (reader->material_names.names[s])
            sni_nearest_offer(&near, reader->material_names.names[s]);
    if (near.best)
        return sni_node_fail(&reader->source, value->at,
                             "there is no material '%.60s'; did you mean '%s'?", value->text,
                             near.best);
    return sni_node_fail(&reader->source, value->at,
                         "there is no material '%.60s'; name it under 'materials' of the scene, or "
                         "write a mapping such as {mu: 0.8}",
                         value->text);
}

sn_status sni_read_material(sni_reader* reader, const sni_value* value, sn_material* material) {
    if (!value->at) return SN_OK;
    if (value->is == SN_ACCEPT_MAP) return read_material_map(reader, value->at, material);
    int32_t i = sni_name_map_find(&reader->material_names, value->text);
    if (i < 0) return fail_material(reader, value);
    *material = reader->material[i];
    return SN_OK;
}

// ---- adaptivity -------------------------------------------------------------------------------------

sn_status sni_read_adaptive(sni_reader* reader, const sni_value* value, sn_adaptivity* options) {
    if (!value->at) return SN_OK;
    sni_adaptive_keys k;
    sn_status status = SN_MAP_READ(&reader->source, value->at, &sni_adaptive_map, &k);
    if (status) return status;
    if (k.max_active.at) options->max_active = (int)k.max_active.number[0];
    options->threshold = sni_number_or(&k.threshold, options->threshold);
    options->settling_time = sni_number_or(&k.settling_time, options->settling_time);
    if (k.period.at) options->period = (int)k.period.number[0];
    if (k.metric.at) options->metric = (sn_metric)k.metric.word;
    return SN_OK;
}

// ---- joints -----------------------------------------------------------------------------------------

static sn_status fail_joint(const sni_reader* reader, const sni_node* node, const sn_model* model) {
    const char* name = sni_node_text(reader->source.yaml, node);
    sni_nearest near = {.wanted = name};
    for (int i = 0; i < sn_model_body_count(model); i++)
        sni_nearest_offer(&near, sn_model_body(model, sn_body(i)).joint_name);
    if (near.best)
        return sni_node_fail(&reader->source, node,
                             "there is no joint '%.60s' that moves in %.60s; did you mean '%s'?",
                             name, sn_model_name(model), near.best);
    return sni_node_fail(&reader->source, node,
                         "there is no joint '%.60s' that moves in %.60s; `sinew info` lists them",
                         name, sn_model_name(model));
}

static sn_status read_joint(sni_reader* reader, const sni_node* node, const char* name,
                            const sn_body_info* joint, bool speeds, double* numbers) {
    double read[SN_JOINT_MAX_NQ];
    int count, wanted = speeds ? joint->nv : joint->nq;
    bool degrees;
    sn_status status =
        sni_numbers_read(&reader->source, node, name, SN_JOINT_MAX_NQ, read, &count, &degrees);
    if (status) return status;
    if (count != wanted)
        return sni_node_fail(&reader->source, node, "joint '%.60s' (%s) has %d number%s, not %d",
                             name, sn_joint_type_name(joint->type), wanted, wanted == 1 ? "" : "s",
                             count);
    if (degrees && joint->type == SN_JOINT_PRISMATIC)
        return sni_node_fail(&reader->source, node, "joint '%.60s' slides: give metres", name);
    int at = speeds                              ? -1
             : joint->type == SN_JOINT_SPHERICAL ? 0
             : joint->type == SN_JOINT_FREE      ? 3
                                                 : -1;
    if (at >= 0) {
        sn_mat3 R;
        sn_quat quat = sn_quat_make(read[at], read[at + 1], read[at + 2], read[at + 3]);
        sni_value value = {.at = node};
        status = read_quaternion(reader, &value, quat, &R);
        if (status) return status;
        quat = sn_quat_normalized(quat);
        memcpy(read + at, &quat.w, 4 * sizeof *read);
    }
    memcpy(numbers + (speeds ? joint->iv : joint->iq), read, (size_t)wanted * sizeof *read);
    return SN_OK;
}

sn_status sni_read_joints(sni_reader* reader, const sni_value* value, const sn_model* model,
                          bool speeds, double* numbers) {
    if (!value->at) return SN_OK;
    const sni_yaml* yaml = reader->source.yaml;
    bool* given = sni_memory_take(reader->memory, (size_t)sn_model_body_count(model) + 1);
    if (!given) return sni_fail_memory(reader);
    const sni_node* at = sni_node_first(value->at);
    for (int32_t i = 0; i < value->at->count; i++) {
        const sni_node *name = at, *node = sni_node_next(yaml, name);
        at = sni_node_next(yaml, node);
        const char* text = sni_node_text(yaml, name);
        sn_body_id joint = sn_model_find_joint(model, text);
        if (joint.i < 0) return fail_joint(reader, name, model);
        if (given[joint.i])
            return sni_node_fail(&reader->source, name, "the joint '%.60s' is given twice", text);
        given[joint.i] = true;
        sn_body_info info = sn_model_body(model, joint);
        sn_status status = read_joint(reader, node, text, &info, speeds, numbers);
        if (status) return status;
    }
    return SN_OK;
}

sn_status sni_read_joint_names(sni_reader* reader, const sni_value* value, const sn_model* model,
                               bool* marked) {
    int bodies = sn_model_body_count(model);
    if (value->is == SN_ACCEPT_WORD || !value->at) {
        for (int i = 0; i < bodies; i++)
            marked[i] = sn_model_body(model, sn_body(i)).type != SN_JOINT_FREE;
        return SN_OK;
    }
    const sni_node* at = sni_node_first(value->at);
    for (int32_t k = 0; k < value->at->count; k++, at = sni_node_next(reader->source.yaml, at)) {
        sn_body_id joint = sn_model_find_joint(model, sni_node_text(reader->source.yaml, at));
        if (joint.i < 0) return fail_joint(reader, at, model);
        marked[joint.i] = true;
    }
    return SN_OK;
}

// ---- names of items and bodies ------------------------------------------------------------------------

sn_status sni_read_item_name(sni_reader* reader, const sni_value* value, int* item) {
    *item = -1;
    if (!value->at) return SN_OK;
    const sn_scene* scene = reader->scene;
    *item = sni_scene_find(scene, value->text);
    if (*item >= 0) return SN_OK;
    sni_nearest near = {.wanted = value->text};
    for (int i = 0; i < scene->item_count; i++) sni_nearest_offer(&near, scene->item[i].name);
    if (near.best)
        return sni_node_fail(&reader->source, value->at,
                             "there is no item '%.60s'; did you mean '%s'?", value->text,
                             near.best);
    return sni_node_fail(&reader->source, value->at,
                         "there is no item '%.60s'; name one of 'models' or 'objects'",
                         value->text);
}

sn_status sni_read_joint_name(sni_reader* reader, const sni_value* value, int item,
                              sn_body_id* joint) {
    const sn_model* model = reader->scene->item[item].model;
    *joint = sn_model_find_joint(model, value->text);
    return joint->i >= 0 ? SN_OK : fail_joint(reader, value->at, model);
}

sn_status sni_read_body_name(sni_reader* reader, const sni_node* node, const sni_value* value,
                             int item, sn_body_id* body) {
    const sn_model* model = reader->scene->item[item].model;
    const char* item_name = reader->scene->item[item].name;
    *body = sn_body(sn_model_body_count(model) > 0 ? 0 : -1);
    if (value->at) *body = sn_model_find_body(model, value->text);
    if (body->i >= 0) return SN_OK;
    if (!value->at)
        return sni_node_fail(&reader->source, node, "'%.60s' has no body that moves", item_name);
    sni_nearest near = {.wanted = value->text};
    for (int i = 0; i < sn_model_body_count(model); i++)
        sni_nearest_offer(&near, sn_model_body(model, sn_body(i)).name);
    if (near.best)
        return sni_node_fail(&reader->source, value->at,
                             "there is no body '%.60s' that moves in '%s'; did you mean '%s'?",
                             value->text, item_name, near.best);
    return sni_node_fail(&reader->source, value->at,
                         "there is no body '%.60s' that moves in '%s'; `sinew info` lists them",
                         value->text, item_name);
}

// ---- lists ------------------------------------------------------------------------------------------

sni_walk sni_walk_list(const sni_value* list) {
    return (sni_walk){list->at ? sni_node_first(list->at) : NULL, list->at ? list->at->count : 0};
}

const sni_node* sni_walk_on(const sni_reader* reader, sni_walk* w) {
    if (w->left-- <= 0) return NULL;
    const sni_node* node = w->at;
    w->at = sni_node_next(reader->source.yaml, node);
    return node;
}

sn_status sni_read_new_name(sni_reader* reader, const sni_value* value, const void* others,
                            int count, size_t size, const char** name) {
    for (int i = 0; i < count; i++) {
        const char* const* other = (const void*)((const char*)others + (size_t)i * size);
        if (strcmp(*other, value->text) == 0)
            return sni_node_fail(&reader->source, value->at, "the name '%.60s' is taken",
                                 value->text);
    }
    *name = sni_memory_text(reader->memory, value->text);
    return *name ? SN_OK : sni_fail_memory(reader);
}
