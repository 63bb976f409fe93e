// SPDX-License-Identifier: Apache-2.0
// What moves the target of a controller: a motion; giving way; looking; gripping. Motions of files: motion_table.c.
#include <stdlib.h>
#include <string.h>

#include "load/sn_load.h"
#include "scene/motion_table.h"

sn_motion* sni_motion_make(sni_reader* reader, const sni_controller_keys* k, size_t nq,
                           size_t count, double** time, double** q) {
    sn_motion* motion = sni_memory_take(reader->memory, sizeof *motion);
    *time = sni_memory_take(reader->memory, (count + 1) * sizeof **time);
    *q = sni_memory_take(reader->memory, (count * nq + 1) * sizeof **q);
    if (!motion || !*time || !*q) return NULL;
    *motion =
        (sn_motion){.count = (int)count,
                    .time = *time,
                    .q = *q,
                    .smooth = k->smooth.at ? (sn_smooth)k->smooth.word : SN_SMOOTH_MINIMUM_JERK,
                    .repeat = sni_truth_or(&k->repeat, false)};
    return motion;
}

/// Postures of the scene file; each begins as the one before.
static sn_status read_motion(sni_reader* reader, const sni_controller_keys* k,
                             sn_controller_def* c) {
    const sn_model* model = reader->scene->item[c->item].model;
    size_t nq = (size_t)sn_model_nq(model), count = (size_t)k->motion.at->count;
    double *time, *q;
    if (count == 0) return sni_node_fail(&reader->source, k->motion.at, "a motion has postures");
    sn_motion* motion = sni_motion_make(reader, k, nq, count, &time, &q);
    if (!motion) return sni_fail_memory(reader);
    sni_walk w = sni_walk_list(&k->motion);
    const double* before = c->target;
    int i = 0;
    for (const sni_node* node; (node = sni_walk_on(reader, &w)); i++) {
        sni_motion_keys m;
        sn_status status = SN_MAP_READ(&reader->source, node, &sni_motion_map, &m);
        if (status) return status;
        time[i] = m.at.number[0];
        if (i > 0 && !(time[i] > time[i - 1]))
            return sni_node_fail(&reader->source, m.at.at, "postures come in the order of time");
        memcpy(q + (size_t)i * nq, before, nq * sizeof *q);
        before = q + (size_t)i * nq;
        status = sni_read_joints(reader, &m.q, model, false, q + (size_t)i * nq);
        if (status) return status;
    }
    c->motion = motion;
    return SN_OK;
}

static sn_status read_file(sni_reader* reader, const sni_controller_keys* k, sn_controller_def* c) {
    const char* path;
    char* text = NULL;
    size_t length;
    if (reader->def.no_files)
        return sni_node_fail(&reader->source, k->file.at, "files are not opened here");
    sn_status status = sni_read_path(reader, &k->file, &path);
    if (status) return status;
    sn_error why = {0};
    status = sni_file_read(path, &text, &length, &why);
    if (status) return sni_node_fail(&reader->source, k->file.at, "%.200s: %.200s", path, why.text);
    char* ended = sni_memory_take(reader->memory, length + 1); // what was read has no end
    if (ended) memcpy(ended, text, length);
    free(text);
    if (!ended) return sni_fail_memory(reader);
    ended[length] = '\0';
    return sni_motion_read_table(reader, k, path, ended, c);
}

static sn_status read_follow(sni_reader* reader, const sni_node* node, const sni_value* value,
                             sn_controller_def* c) {
    sni_follow_keys k = {0};
    sn_status status = SN_OK;
    if (value->is == SN_ACCEPT_BOOL && !value->truth) return SN_OK;
    if (value->is == SN_ACCEPT_MAP)
        status = SN_MAP_READ(&reader->source, value->at, &sni_follow_map, &k);
    sn_follow_def* f = sni_memory_take(reader->memory, sizeof *f);
    if (!f) return sni_fail_memory(reader);
    if (!status) status = sni_read_body_name(reader, node, &k.waist, c->item, &f->waist);
    f->mass = sni_number_or(&k.mass, 1);
    f->damping = sni_number_or(&k.damping, 4);
    f->stiffness = sni_number_or(&k.stiffness, 0);
    c->follow = f;
    return status;
}

/// A frame of the item, or a body.
static sn_status read_eye(sni_reader* reader, const sni_node* node, const sni_value* name, int item,
                          sn_look_def* l, sn_pose* X_be) {
    const sn_model* model = reader->scene->item[item].model;
    sn_frame_id frame = sn_model_find_frame(model, name->text);
    *X_be = sn_pose_identity();
    if (frame.i < 0 || sn_model_frame(model, frame).body.i < 0)
        return sni_read_body_name(reader, node, name, item, &l->eye);
    l->eye = sn_model_frame(model, frame).body;
    *X_be = sn_model_frame(model, frame).X_bf;
    return SN_OK;
}

static sn_status read_look(sni_reader* reader, const sni_node* node, const sni_value* value,
                           sn_controller_def* c) {
    sni_look_keys k;
    sn_look_def* l = sni_memory_take(reader->memory, sizeof *l);
    if (!l) return sni_fail_memory(reader);
    sn_status status = SN_MAP_READ(&reader->source, value->at, &sni_look_map, &k);
    sn_pose X_be;
    if (!status) status = read_eye(reader, node, &k.eye, c->item, l, &X_be);
    if (!status) status = sni_read_item_name(reader, &k.item, &l->item);
    if (!status && l->item >= 0)
        status = sni_read_body_name(reader, node, &k.body, l->item, &l->body);
    if (status) return status;
    l->axis = sni_vec3_or(&k.axis, sn_vec3_make(1, 0, 0));
    double length = sn_vec3_norm(l->axis);
    if (!(length > 0)) return sni_node_fail(&reader->source, k.axis.at, "'axis' has no direction");
    l->axis = sn_mat3_apply(X_be.R, sn_vec3_scale(1 / length, l->axis));
    l->at = X_be.p;
    l->speed = sni_number_or(&k.speed, 3);
    c->look = l;
    return SN_OK;
}

static sn_status read_grip(sni_reader* reader, const sni_value* value, sn_controller_def* c) {
    sni_grip_keys k;
    const sn_model* model = reader->scene->item[c->item].model;
    size_t nq = (size_t)sn_model_nq(model);
    sn_grip_def* g = sni_memory_take(reader->memory, sizeof *g);
    double* closed = sni_memory_take(reader->memory, (nq + 1) * sizeof *closed);
    if (!g || !closed) return sni_fail_memory(reader);
    sn_status status = SN_MAP_READ(&reader->source, value->at, &sni_grip_map, &k);
    memcpy(closed, c->target, nq * sizeof *closed);
    if (!status) status = sni_read_joints(reader, &k.closed, model, false, closed);
    if (status) return status;
    if (!reader->scene->world.contact.on)
        return sni_node_fail(&reader->source, value->at, "a grip needs contact, which is off");
    g->closed = closed;
    g->force = sni_number_or(&k.force, 2);
    c->grip = g;
    return SN_OK;
}

sn_status sni_read_mover(sni_reader* reader, const sni_node* node, const sni_controller_keys* k,
                         sn_controller_def* c) {
    bool moves = k->motion.at || k->file.at;
    const sni_value* idle = k->smooth.at && !moves   ? &k->smooth
                            : k->repeat.at && !moves ? &k->repeat
                                                     : NULL;
    if (idle) return sni_node_fail(&reader->source, idle->at, "this needs a 'motion' or a 'file'");
    if (c->balance && (k->follow.at || k->look.at || k->grip.at))
        return sni_node_fail(&reader->source, node, "give this to a controller without 'balance'");
    if (k->motion.at) return read_motion(reader, k, c);
    if (k->file.at) return read_file(reader, k, c);
    if (k->follow.at) return read_follow(reader, node, &k->follow, c);
    if (k->look.at) return read_look(reader, node, &k->look, c);
    if (k->grip.at) return read_grip(reader, &k->grip, c);
    return SN_OK;
}
