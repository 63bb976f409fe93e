// SPDX-License-Identifier: Apache-2.0
// Controllers, sensors, devices, hands, plugins.
#include <math.h>
#include <string.h>

#include "base/nearest.h"
#include "scene/read.h"

/// Goes through a list of mappings: the next one, or NULL.
typedef struct walk {
    const sni_node* at;
    int left;
} walk;

static walk walk_list(const sni_value* list) {
    return (walk){list->at ? sni_node_first(list->at) : NULL, list->at ? list->at->count : 0};
}

static const sni_node* step(const sni_reader* reader, walk* w) {
    if (w->left-- <= 0) return NULL;
    const sni_node* node = w->at;
    w->at = sni_node_next(reader->source.yaml, node);
    return node;
}

/// A name that must be new among `count` structs of `size` bytes which begin with their name.
static sn_status read_new_name(sni_reader* reader, const sni_value* value, const void* others,
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

// ---- controllers ------------------------------------------------------------------------------------

/// Gains of one joint's degrees of freedom.
static void set_gains(const sni_controller_keys* k, const sn_body_info* joint,
                      const double* inertia, double* kp, double* kd) {
    double w = 2 * acos(-1) * sni_number_or(&k->frequency, 0); // rad/s
    double ratio = sni_number_or(&k->damping_ratio, 1);
    for (int i = joint->iv; i < joint->iv + joint->nv; i++) {
        kp[i] = k->frequency.at ? inertia[i] * w * w : k->kp.number[0];
        kd[i] = k->frequency.at ? 2 * ratio * inertia[i] * w : sni_number_or(&k->kd, 0);
    }
}

/// Gains of 'frequency' stay at what joints can follow in a step; others are the user's.
static sn_status settle_gains(sni_reader* reader, const sni_controller_keys* k,
                              const sn_controller_def* c, double* kp, double* kd) {
    static const double MOST = 2, TOO_MUCH = 4; // other postures have other inertias
    const sn_item* item = &reader->scene->item[c->item];
    double h = reader->scene->world.step;
    double stiffness = sni_gain_stiffness(item, c->target, h, kp, kd);
    if (isnan(stiffness)) return sni_fail_memory(reader);
    if (!k->frequency.at && stiffness > TOO_MUCH)
        sni_say(&reader->def.log, SN_LOG_WARNING, c->place,
                "kp and kd are %.2g times what the joints can follow in steps of %g s: they will "
                "be thrown about; take smaller ones, or a smaller step",
                stiffness / MOST, h);
    if (!k->frequency.at || stiffness <= MOST) return SN_OK;
    sni_say(&reader->def.log, SN_LOG_WARNING, c->place,
            "gains are %.2g of what %g Hz ask for: more the joints cannot follow in steps of %g s",
            MOST / stiffness, k->frequency.number[0], h);
    for (int i = 0; i < sn_model_nv(item->model); i++) {
        kp[i] *= MOST / stiffness;
        kd[i] *= MOST / stiffness;
    }
    return SN_OK;
}

static sn_status fill_controller(sni_reader* reader, const sni_controller_keys* k,
                                 sn_controller_def* c) {
    const sn_item* item = &reader->scene->item[c->item];
    const sn_model* model = item->model;
    size_t nq = (size_t)sn_model_nq(model), nv = (size_t)sn_model_nv(model);
    int bodies = sn_model_body_count(model);
    double* numbers = sni_memory_take(reader->memory, (nq + 4 * nv + 1) * sizeof *numbers);
    bool* marked = sni_memory_take(reader->memory, (size_t)bodies + 1);
    if (!numbers || !marked) return sni_fail_memory(reader);
    double *target = numbers, *kp = target + nq, *kd = kp + nv, *limit = kd + nv;
    double* inertia = limit + nv;
    if (item->q)
        memcpy(target, item->q, nq * sizeof *target);
    else
        sn_model_neutral(model, target);
    if (!sni_inertia_diagonal(model, target, inertia)) return sni_fail_memory(reader);
    sn_status status = sni_read_joint_names(reader, &k->joints, model, marked);
    if (!status) status = sni_read_joints(reader, &k->target, model, false, target);
    if (status) return status;
    for (int i = 0; i < bodies; i++) {
        sn_body_info joint = sn_model_body(model, sn_body(i));
        bool number = k->limit.at && k->limit.is == SN_ACCEPT_NUMBER;
        for (int d = 0; d < joint.nv; d++)
            limit[joint.iv + d] = number ? k->limit.number[0] : joint.effort[d];
        if (marked[i]) set_gains(k, &joint, inertia, kp, kd);
    }
    c->kp = kp, c->kd = kd, c->target = target, c->limit = limit;
    return settle_gains(reader, k, c, kp, kd);
}

static sn_status read_controller(sni_reader* reader, const sni_node* node) {
    sni_controller_keys k;
    sn_scene* scene = reader->scene;
    sn_controller_def* list = sni_grow(scene->controller, scene->controller_count,
                                       &scene->controller_capacity, sizeof *list);
    if (!list) return sni_fail_memory(reader);
    scene->controller = list;
    sn_controller_def c = {.place = sni_node_place(&reader->source, node)};
    sn_status status = SN_MAP_READ(&reader->source, node, &sni_controller_map, &k);
    if (!status) status = sni_read_item_name(reader, &k.item, &c.item);
    if (!status)
        status = read_new_name(reader, k.name.at ? &k.name : &k.item, list, scene->controller_count,
                               sizeof *list, &c.name);
    if (!status) status = fill_controller(reader, &k, &c);
    if (!status) list[scene->controller_count++] = c;
    return status;
}

sn_status sni_read_controllers(sni_reader* reader, const sni_value* list) {
    walk w = walk_list(list);
    sn_status status = SN_OK;
    for (const sni_node* node; !status && (node = step(reader, &w));)
        status = read_controller(reader, node);
    return status;
}

// ---- sensors ----------------------------------------------------------------------------------------

typedef enum place_of { OF_JOINT, OF_BODY_OR_FRAME, OF_BODY, OF_ITEM, OF_WORLD } place_of;

static const place_of sensor_places[] = {
    [SN_SENSOR_POSITION] = OF_JOINT,      [SN_SENSOR_VELOCITY] = OF_JOINT,
    [SN_SENSOR_CONTROL] = OF_JOINT,       [SN_SENSOR_POSE] = OF_BODY_OR_FRAME,
    [SN_SENSOR_TWIST] = OF_BODY_OR_FRAME, [SN_SENSOR_CONTACT] = OF_BODY,
    [SN_SENSOR_CENTRE] = OF_ITEM,         [SN_SENSOR_ENERGY] = OF_WORLD,
};
static const int sensor_numbers[] = {
#define NUMBERS(code, name, numbers, text) numbers,
    SN_SENSOR_LIST(NUMBERS)
#undef NUMBERS
};

/// Keys that a kind of sensor has no use for, or lacks.
static sn_status check_sensor(const sni_reader* reader, const sni_node* node,
                              const sni_sensor_keys* k, place_of of) {
    const char* type = k->type.text;
    bool joint = of == OF_JOINT, body = of == OF_BODY || of == OF_BODY_OR_FRAME;
    if (of != OF_WORLD && !k->item.at)
        return sni_node_fail(&reader->source, node, "a sensor of type %s needs the key 'item'",
                             type);
    if (joint && !k->joint.at)
        return sni_node_fail(&reader->source, node, "a sensor of type %s needs the key 'joint'",
                             type);
    const sni_value* idle = k->joint.at && !joint                   ? &k->joint
                            : k->body.at && !body                   ? &k->body
                            : k->frame.at && of != OF_BODY_OR_FRAME ? &k->frame
                            : k->item.at && of == OF_WORLD          ? &k->item
                                                                    : NULL;
    if (!idle) return SN_OK;
    return sni_node_fail(&reader->source, idle->at, "a sensor of type %s has no use for this",
                         type);
}

/// The frame that a key names, and the body that carries it.
static sn_status read_frame(sni_reader* reader, const sni_value* value, sn_sensor_def* sensor) {
    const sn_model* model = reader->scene->item[sensor->item].model;
    sensor->frame = sn_model_find_frame(model, value->text);
    if (sensor->frame.i >= 0) {
        sensor->body = sn_model_frame(model, sensor->frame).body;
        return SN_OK;
    }
    sni_nearest near = {.wanted = value->text};
    for (int i = 0; i < sn_model_frame_count(model); i++)
        sni_nearest_offer(&near, sn_model_frame(model, (sn_frame_id){i}).name);
    if (near.best)
        return sni_node_fail(&reader->source, value->at,
                             "there is no frame '%.60s'; did you mean '%s'?", value->text,
                             near.best);
    return sni_node_fail(&reader->source, value->at, "there is no frame '%.60s'", value->text);
}

static sn_status place_sensor(sni_reader* reader, const sni_node* node, const sni_sensor_keys* k,
                              sn_sensor_def* s) {
    place_of of = sensor_places[s->type];
    sn_status status = sni_read_item_name(reader, &k->item, &s->item);
    if (status) return status;
    if (of == OF_JOINT) status = sni_read_joint_name(reader, &k->joint, s->item, &s->body);
    if (of == OF_BODY || of == OF_ITEM || (of == OF_BODY_OR_FRAME && !k->frame.at))
        status = sni_read_body_name(reader, node, &k->body, s->item, &s->body);
    if (of == OF_ITEM) s->body = sn_body_world(); // all of them
    if (k->frame.at) status = read_frame(reader, &k->frame, s);
    s->numbers = sensor_numbers[s->type];
    if (status || of != OF_JOINT) return status;
    sn_body_info joint = sn_model_body(reader->scene->item[s->item].model, s->body);
    s->numbers = s->type == SN_SENSOR_POSITION ? joint.nq : joint.nv;
    return SN_OK;
}

static sn_status read_sensor(sni_reader* reader, const sni_node* node) {
    sni_sensor_keys k;
    sn_scene* scene = reader->scene;
    sn_sensor_def* list =
        sni_grow(scene->sensor, scene->sensor_count, &scene->sensor_capacity, sizeof *list);
    if (!list) return sni_fail_memory(reader);
    scene->sensor = list;
    sn_sensor_def s = {.item = -1,
                       .body = sn_body_world(),
                       .frame = {-1},
                       .place = sni_node_place(&reader->source, node)};
    sn_status status = SN_MAP_READ(&reader->source, node, &sni_sensor_map, &k);
    if (status) return status;
    s.type = (sn_sensor_type)k.type.word;
    status = check_sensor(reader, node, &k, sensor_places[s.type]);
    if (!status)
        status = read_new_name(reader, &k.name, list, scene->sensor_count, sizeof *list, &s.name);
    if (!status) status = place_sensor(reader, node, &k, &s);
    if (!status) list[scene->sensor_count++] = s;
    return status;
}

sn_status sni_read_sensors(sni_reader* reader, const sni_value* list) {
    walk w = walk_list(list);
    sn_status status = SN_OK;
    for (const sni_node* node; !status && (node = step(reader, &w));)
        status = read_sensor(reader, node);
    return status;
}

// ---- devices and hands ------------------------------------------------------------------------------

sn_status sni_read_devices(sni_reader* reader, const sni_value* value) {
    walk w = walk_list(value);
    sn_scene* scene = reader->scene;
    for (const sni_node* node; (node = step(reader, &w));) {
        sni_device_keys k;
        sn_device_def* list =
            sni_grow(scene->device, scene->device_count, &scene->device_capacity, sizeof *list);
        if (!list) return sni_fail_memory(reader);
        scene->device = list;
        sn_device_def d = {.place = sni_node_place(&reader->source, node)};
        sn_status status = SN_MAP_READ(&reader->source, node, &sni_device_map, &k);
        if (!status)
            status =
                read_new_name(reader, &k.name, list, scene->device_count, sizeof *list, &d.name);
        if (status) return status;
        d.driver = sni_memory_text(reader->memory, k.driver.text);
        d.profile = sni_memory_text(reader->memory, sni_text_or(&k.profile, ""));
        if (!d.driver || !d.profile) return sni_fail_memory(reader);
        list[scene->device_count++] = d;
    }
    return SN_OK;
}

static sn_status find_device(sni_reader* reader, const sni_value* value, int* device) {
    const sn_scene* scene = reader->scene;
    sni_nearest near = {.wanted = value->text};
    for (*device = 0; *device < scene->device_count; *device += 1) {
        if (strcmp(scene->device[*device].name, value->text) == 0) return SN_OK;
        sni_nearest_offer(&near, scene->device[*device].name);
    }
    if (near.best)
        return sni_node_fail(&reader->source, value->at,
                             "there is no device '%.60s'; did you mean '%s'?", value->text,
                             near.best);
    return sni_node_fail(&reader->source, value->at,
                         "there is no device '%.60s'; name it under 'devices'", value->text);
}

static sn_status read_buttons(sni_reader* reader, const sni_value* value, sn_hand_def* hand) {
    if (!value->at) return SN_OK;
    const sni_node* at = sni_node_first(value->at);
    if (value->at->count > SN_HAND_BUTTONS)
        return sni_node_fail(&reader->source, value->at, "more than %d buttons", SN_HAND_BUTTONS);
    for (int i = 0; i < value->at->count; i++, at = sni_node_next(reader->source.yaml, at)) {
        const char* action =
            sni_memory_text(reader->memory, sni_node_text(reader->source.yaml, at));
        if (!action) return sni_fail_memory(reader);
        hand->button[hand->button_count++] = (sn_button_def){i, action};
    }
    return SN_OK;
}

static sn_status fill_hand(sni_reader* reader, const sni_node* node, const sni_hand_keys* k,
                           sn_hand_def* h) {
    sn_status status = find_device(reader, &k->device, &h->device);
    if (!status) status = sni_read_item_name(reader, &k->item, &h->item);
    if (!status && h->item >= 0)
        status = sni_read_body_name(reader, node, &k->body, h->item, &h->body);
    if (!status) status = sni_read_pose(reader, &k->at, &h->place_in);
    if (!status) status = read_buttons(reader, &k->buttons, h);
    if (status) return status;
    h->mode = k->mode.at ? (sn_hand_mode)k->mode.word : SN_HAND_ATTACH;
    h->law = k->law.at ? (sn_feedback_law)k->law.word : SN_FEEDBACK_SPRING;
    h->point = sni_vec3_or(&k->point, sn_vec3_zero());
    h->six = sni_truth_or(&k->six, false);
    h->stiffness = sni_number_or(&k->stiffness, 500);
    h->damping = sni_number_or(&k->damping, 2);
    h->turn_stiffness = sni_number_or(&k->turn_stiffness, 2);
    h->turn_damping = sni_number_or(&k->turn_damping, 0.02);
    h->scale = sni_number_or(&k->scale, 1);
    h->weight = sni_truth_or(&k->weight, true);
    return SN_OK;
}

sn_status sni_read_hands(sni_reader* reader, const sni_value* value) {
    walk w = walk_list(value);
    sn_scene* scene = reader->scene;
    for (const sni_node* node; (node = step(reader, &w));) {
        sni_hand_keys k;
        sn_hand_def* list =
            sni_grow(scene->hand, scene->hand_count, &scene->hand_capacity, sizeof *list);
        if (!list) return sni_fail_memory(reader);
        scene->hand = list;
        sn_hand_def h = {.body = sn_body_world(), .place = sni_node_place(&reader->source, node)};
        sn_status status = SN_MAP_READ(&reader->source, node, &sni_hand_map, &k);
        if (!status)
            status = read_new_name(reader, &k.name, list, scene->hand_count, sizeof *list, &h.name);
        if (!status) status = fill_hand(reader, node, &k, &h);
        if (status) return status;
        list[scene->hand_count++] = h;
    }
    return SN_OK;
}

// ---- plugins ----------------------------------------------------------------------------------------

sn_status sni_read_plugins(sni_reader* reader, const sni_value* value) {
    walk w = walk_list(value);
    sn_scene* scene = reader->scene;
    for (const sni_node* node; (node = step(reader, &w));) {
        sni_plugin_keys k;
        sn_scene_plugin* list =
            sni_grow(scene->plugin, scene->plugin_count, &scene->plugin_capacity, sizeof *list);
        if (!list) return sni_fail_memory(reader);
        scene->plugin = list;
        sn_scene_plugin p = {.place = sni_node_place(&reader->source, node)};
        sn_status status = SN_MAP_READ(&reader->source, node, &sni_plugin_map, &k);
        if (!status) status = sni_read_path(reader, &k.file, &p.path);
        if (status) return status;
        p.options = sni_memory_text(reader->memory, sni_text_or(&k.options, ""));
        if (!p.options) return sni_fail_memory(reader);
        list[scene->plugin_count++] = p;
    }
    return SN_OK;
}
