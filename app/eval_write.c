// SPDX-License-Identifier: Apache-2.0
#include "eval_answer.h"

static void write_field(json_writer* w, const char* key, const double* values, int count) {
    jw_key(w, key);
    jw_numbers(w, values, count);
}

static void write_ordered(json_writer* w, const char* key, const double* api, const int* order,
                          int count) {
    jw_key(w, key);
    jw_array_line(w);
    for (int k = 0; k < count; k++) jw_number(w, api[order[k]]);
    jw_array_end(w);
}

static void write_model_name(json_writer* w, const eval_case* c, const sn_model* model) {
    const char* named = json_string_value(json_object_get(c->object, "model"));
    jw_key(w, "model");
    jw_text(w, named ? named : sn_model_name(model));
}

static void write_wrenches(json_writer* w, const char* key, const sn_body_wrench* list, int count) {
    jw_key(w, key);
    jw_array(w);
    for (int i = 0; i < count; i++) {
        sn_wrench x = list[i].wrench;
        double wrench[6] = {x.f.x, x.f.y, x.f.z, x.n.x, x.n.y, x.n.z};
        jw_object_line(w);
        jw_key(w, "body");
        jw_integer(w, list[i].body.i);
        write_field(w, "wrench", wrench, 6);
        jw_object_end(w);
    }
    jw_array_end(w);
}

static void write_case(json_writer* w, const eval_case* c, const sn_model* model,
                       const int* q_order, const int* v_order) {
    double gravity[3] = {c->gravity.x, c->gravity.y, c->gravity.z};
    write_model_name(w, c, model);
    jw_key(w, "case");
    jw_text(w, c->name);
    jw_key(w, "nq");
    jw_integer(w, sn_model_nq(model));
    jw_key(w, "nv");
    jw_integer(w, sn_model_nv(model));
    write_field(w, "gravity", gravity, 3);
    write_ordered(w, "q", c->q, q_order, sn_model_nq(model));
    write_ordered(w, "v", c->v, v_order, sn_model_nv(model));
    write_ordered(w, "tau", c->tau, v_order, sn_model_nv(model));
    write_wrenches(w, "fext", c->fext, c->fext_count);
    if (c->grab_count > 0) write_wrenches(w, "grab", c->grab, c->grab_count);
}

static void write_poses(json_writer* w, const eval_answer* a) {
    jw_key(w, "body_pose");
    jw_array(w);
    for (int i = 0; i < a->bodies; i++) {
        jw_object_line(w);
        write_field(w, "p", a->body_p + 3 * i, 3);
        write_field(w, "R", a->body_R + 9 * i, 9);
        jw_object_end(w);
    }
    jw_array_end(w);
}

static void write_delassus(json_writer* w, const char* key, body_list list, const double* matrix) {
    jw_key(w, key);
    jw_object(w);
    jw_key(w, "bodies");
    jw_array_line(w);
    for (int i = 0; i < list.count; i++) jw_integer(w, list.at[i].i);
    jw_array_end(w);
    jw_key(w, "matrix");
    jw_matrix(w, matrix, 6 * list.count, 6 * list.count);
    jw_object_end(w);
}

static void write_coupling(json_writer* w, const eval_answer* a, int rows) {
    jw_key(w, "Lambda");
    jw_matrix(w, a->Lambda, rows, rows);
    write_field(w, "a0", a->a0, rows);
    jw_key(w, "K");
    jw_matrix(w, a->K, rows, rows);
    write_field(w, "f0", a->f0, rows);
    write_field(w, "weight", a->weight, rows);
    write_field(w, "f_feed", a->f_feed, rows);
}

static void write_region(json_writer* w, const eval_answer* a) {
    jw_key(w, "active_joints");
    jw_integer(w, a->region.active);
    write_field(w, "active", a->active, a->region.active);
    jw_key(w, "remaining_error");
    jw_number(w, a->region.error);
    jw_key(w, "total_metric");
    jw_number(w, a->region.total);
}

void eval_answer_write(json_writer* w, const eval_case* c, const sn_model* model,
                       const int* q_order, const int* v_order, const eval_answer* a,
                       const char* error) {
    jw_object(w);
    write_case(w, c, model, q_order, v_order);
    if (error) {
        jw_key(w, "error");
        jw_text(w, error);
        jw_object_end(w);
        return;
    }
    write_field(w, "qdd", a->qdd, a->nv);
    write_field(w, "nle", a->nle, a->nv);
    write_field(w, "gravity_torque", a->gravity_torque, a->nv);
    write_poses(w, a);
    jw_key(w, "body_vel");
    jw_matrix(w, a->body_vel, a->bodies, 6);
    jw_key(w, "body_acc");
    jw_matrix(w, a->body_acc, a->bodies, 6);
    jw_key(w, "kinetic_energy");
    jw_number(w, a->kinetic_energy);
    jw_key(w, "potential_energy");
    jw_number(w, a->potential_energy);
    write_field(w, "com", a->com, 3);
    write_field(w, "centroidal_momentum", a->centroidal_momentum, 6);
    if (a->M) {
        jw_key(w, "M");
        jw_matrix(w, a->M, a->nv, a->nv);
    }
    if (a->delassus_local) write_delassus(w, "delassus_local", c->local, a->delassus_local);
    if (a->delassus_world_aligned) {
        write_delassus(w, "delassus_world_aligned", c->world, a->delassus_world_aligned);
    }
    if (a->Lambda) write_coupling(w, a, 6 * c->grab_count);
    if (a->active) write_region(w, a);
    jw_object_end(w);
}

void eval_answer_write_qdd(json_writer* w, const eval_case* c, const sn_model* model,
                           const eval_answer* a, const char* error) {
    jw_object(w);
    jw_key(w, "case");
    jw_text(w, c->name);
    write_model_name(w, c, model);
    if (error) {
        jw_key(w, "error");
        jw_text(w, error);
    } else {
        write_field(w, "qdd", a->qdd, a->nv);
    }
    jw_object_end(w);
}
