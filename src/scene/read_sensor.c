// SPDX-License-Identifier: Apache-2.0
// Sensors of a scene file.
#include <string.h>

#include "base/nearest.h"
#include "scene/read.h"

enum { DELAY_MOST = 100000 }; // steps

typedef enum place_of { OF_JOINT, OF_BODY_OR_FRAME, OF_ANY, OF_BODY, OF_ITEM, OF_WORLD } place_of;

static const place_of sensor_places[] = {
    [SN_SENSOR_POSITION] = OF_JOINT,      [SN_SENSOR_VELOCITY] = OF_JOINT,
    [SN_SENSOR_CONTROL] = OF_JOINT,       [SN_SENSOR_POSE] = OF_BODY_OR_FRAME,
    [SN_SENSOR_TWIST] = OF_BODY_OR_FRAME, [SN_SENSOR_CONTACT] = OF_BODY,
    [SN_SENSOR_CENTRE] = OF_ITEM,         [SN_SENSOR_ENERGY] = OF_WORLD,
    [SN_SENSOR_FORCE] = OF_ANY,           [SN_SENSOR_IMU] = OF_BODY_OR_FRAME,
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
    bool frame = of == OF_BODY_OR_FRAME || of == OF_ANY, body = of == OF_BODY || frame;
    bool joint = of == OF_JOINT, force = k->type.word == SN_SENSOR_FORCE;
    if (of != OF_WORLD && !k->item.at)
        return sni_node_fail(&reader->source, node, "a sensor of type %s needs the key 'item'",
                             type);
    if (joint && !k->joint.at)
        return sni_node_fail(&reader->source, node, "a sensor of type %s needs the key 'joint'",
                             type);
    const sni_value* idle = k->joint.at && !joint && of != OF_ANY ? &k->joint
                            : k->body.at && !body                 ? &k->body
                            : k->frame.at && !frame               ? &k->frame
                            : k->item.at && of == OF_WORLD        ? &k->item
                            : k->matrix.at && !force              ? &k->matrix
                            : k->offset.at && !force              ? &k->offset
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
    bool named = of == OF_BODY_OR_FRAME || of == OF_ANY;
    if (k->joint.at) status = sni_read_joint_name(reader, &k->joint, s->item, &s->body);
    if (of == OF_BODY || of == OF_ITEM || (named && !k->frame.at && !k->joint.at))
        status = sni_read_body_name(reader, node, &k->body, s->item, &s->body);
    if (of == OF_ITEM) s->body = sn_body_world(); // all of them
    if (k->frame.at) status = read_frame(reader, &k->frame, s);
    s->numbers = sensor_numbers[s->type];
    if (status || of != OF_JOINT) return status;
    sn_body_info joint = sn_model_body(reader->scene->item[s->item].model, s->body);
    s->numbers = s->type == SN_SENSOR_POSITION ? joint.nq : joint.nv;
    return SN_OK;
}

static sn_status read_calibration(sni_reader* reader, const sni_node* node,
                                  const sni_sensor_keys* k, sn_sensor_def* s) {
    if (!k->matrix.at && !k->offset.at) return SN_OK;
    double G[36] = {0};
    for (int i = 0; i < 6; i++) G[7 * i] = 1;
    const sni_node* row = k->matrix.at ? sni_node_first(k->matrix.at) : NULL;
    if (row && k->matrix.at->count != 6)
        return sni_node_fail(&reader->source, k->matrix.at, "'matrix' has six rows");
    for (int i = 0; row && i < 6; i++, row = sni_node_next(reader->source.yaml, row)) {
        int count;
        bool degrees;
        sn_status status = sni_numbers_read(&reader->source, row, "a row of 'matrix'", 6, G + 6 * i,
                                            &count, &degrees);
        if (status) return status;
        if (count != 6 || degrees)
            return sni_node_fail(&reader->source, row, "a row of 'matrix' has six numbers");
    }
    sn_force_sensor* made = sni_memory_take(reader->memory, sizeof *made);
    if (!made) return sni_fail_memory(reader);
    if (!sn_force_sensor_make(G, k->offset.at ? k->offset.number : NULL, made))
        return sni_node_fail(&reader->source, k->matrix.at ? k->matrix.at : node,
                             "'matrix' has no inverse");
    s->calibration = made;
    return SN_OK;
}

/// Noise, bias, delay, rate.
static sn_status read_errors(sni_reader* reader, const sni_sensor_keys* k, sn_sensor_def* s) {
    s->noise = sni_number_or(&k->noise, 0);
    s->delay = sni_number_or(&k->delay, 0);
    s->rate = sni_number_or(&k->rate, 0);
    s->seed = k->seed.at ? (uint64_t)k->seed.number[0] : (uint64_t)reader->scene->sensor_count + 1;
    if (s->delay > DELAY_MOST * reader->scene->world.step)
        return sni_node_fail(&reader->source, k->delay.at, "'delay' is more than %d steps",
                             DELAY_MOST);
    bool one = k->bias.at && k->bias.is == SN_ACCEPT_NUMBER;
    if (k->bias.at && !one && k->bias.count != s->numbers)
        return sni_node_fail(&reader->source, k->bias.at, "the sensor has %d numbers, not %d",
                             s->numbers, k->bias.count);
    for (int i = 0; k->bias.at && i < s->numbers; i++) s->bias[i] = k->bias.number[one ? 0 : i];
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
        status =
            sni_read_new_name(reader, &k.name, list, scene->sensor_count, sizeof *list, &s.name);
    if (!status) status = place_sensor(reader, node, &k, &s);
    if (!status) status = read_errors(reader, &k, &s);
    if (!status) status = read_calibration(reader, node, &k, &s);
    if (!status) list[scene->sensor_count++] = s;
    return status;
}

sn_status sni_read_sensors(sni_reader* reader, const sni_value* list) {
    sni_walk w = sni_walk_list(list);
    sn_status status = SN_OK;
    for (const sni_node* node; !status && (node = sni_walk_on(reader, &w));)
        status = read_sensor(reader, node);
    return status;
}
