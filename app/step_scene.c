// SPDX-License-Identifier: Apache-2.0
#include "step_scene.h"

#include <stdlib.h>

#include "json_writer.h"
#include "message.h"
#include "sinew/load.h"

void step_scene_free(step_scene* scene) {
    if (!scene) return;
    sn_model_free(scene->model);
    free(scene->root_body);
    free(scene->roots);
    free(scene);
}

// ---- roots ------------------------------------------------------------------------------------------

void step_roots_put(const step_scene* scene, const step_root* roots, double* q, double* v) {
    for (int i = 0; i < scene->root_count; i++) {
        const step_root* r = &roots[i];
        sn_body_info body = sn_model_body(scene->model, sn_body(scene->root_body[i]));
        sn_mat3 R = sn_quat_matrix(r->rotation);
        sn_vec3 w_b = sn_mat3_apply_transposed(R, r->omega);
        sn_vec3 v_b = sn_mat3_apply_transposed(R, r->velocity);
        const double at[7] = {r->position.x, r->position.y, r->position.z, r->rotation.w,
                              r->rotation.x, r->rotation.y, r->rotation.z};
        const double motion[6] = {w_b.x, w_b.y, w_b.z, v_b.x, v_b.y, v_b.z};
        for (int k = 0; k < 7; k++) q[body.iq + k] = at[k];
        for (int k = 0; k < 6; k++) v[body.iv + k] = motion[k];
    }
}

void step_roots_get(const step_scene* scene, const double* q, const double* v, step_root* roots) {
    for (int i = 0; i < scene->root_count; i++) {
        sn_body_info body = sn_model_body(scene->model, sn_body(scene->root_body[i]));
        const double *at = q + body.iq, *motion = v + body.iv;
        sn_quat turn = sn_quat_make(at[3], at[4], at[5], at[6]);
        sn_mat3 R = sn_quat_matrix(turn);
        roots[i] = (step_root){
            .position = sn_vec3_make(at[0], at[1], at[2]),
            .rotation = turn,
            .velocity = sn_mat3_apply(R, sn_vec3_make(motion[3], motion[4], motion[5])),
            .omega = sn_mat3_apply(R, sn_vec3_make(motion[0], motion[1], motion[2])),
        };
    }
}

// ---- files for helper programs ------------------------------------------------------------------------

bool step_scene_write_model(const step_scene* scene, FILE* out) {
    char* text;
    sn_error error;
    if (sn_model_to_json(scene->model, &text, &error) != SN_OK) {
        message_error_from(&error);
        return false;
    }
    bool good = fputs(text, out) >= 0 && fflush(out) == 0;
    sn_text_free(text);
    return good;
}

static void write_number(json_writer* w, const char* key, double value) {
    jw_key(w, key);
    jw_number(w, value);
}

static void write_vector(json_writer* w, const char* key, sn_vec3 value) {
    const double numbers[3] = {value.x, value.y, value.z};
    jw_key(w, key);
    jw_numbers(w, numbers, 3);
}

static void write_shape(json_writer* w, const sn_shape_info* shape) {
    jw_object_line(w);
    jw_key(w, "body");
    jw_integer(w, shape->body.i);
    jw_key(w, "type");
    jw_text(w, sn_shape_type_name(shape->type));
    jw_key(w, "pose");
    jw_object_line(w);
    jw_key(w, "R");
    jw_numbers(w, &shape->X_bs.R.m[0][0], 9);
    write_vector(w, "p", shape->X_bs.p);
    jw_object_end(w);
    write_vector(w, "size", shape->size);
    jw_key(w, "group");
    jw_integer(w, shape->group);
    jw_key(w, "mask");
    jw_integer(w, shape->mask);
    jw_object_end(w);
}

static void write_root(json_writer* w, const step_root* root) {
    const double numbers[STEP_ROOT] = {
        root->position.x, root->position.y, root->position.z, root->rotation.x, root->rotation.y,
        root->rotation.z, root->rotation.w, root->velocity.x, root->velocity.y, root->velocity.z,
        root->omega.x,    root->omega.y,    root->omega.z};
    for (int k = 0; k < STEP_ROOT; k++) jw_number(w, numbers[k]);
}

bool step_scene_write(const step_scene* scene, FILE* out) {
    json_writer w = jw_start(out);
    jw_object(&w);
    write_number(&w, "step", scene->step);
    write_vector(&w, "gravity", scene->gravity);
    write_number(&w, "mu", scene->mu);
    write_number(&w, "restitution", scene->restitution);
    write_number(&w, "stiffness", scene->stiffness);
    write_number(&w, "damping", scene->damping);
    jw_key(&w, "shapes");
    jw_array(&w);
    for (int i = 0; i < sn_model_shape_count(scene->model); i++) {
        sn_shape_info shape = sn_model_shape(scene->model, i);
        if (shape.use & SN_SHAPE_COLLISION) write_shape(&w, &shape);
    }
    jw_array_end(&w);
    jw_key(&w, "roots");
    jw_array_line(&w);
    for (int i = 0; i < scene->root_count; i++) write_root(&w, &scene->roots[i]);
    jw_array_end(&w);
    jw_object_end(&w);
    jw_finish(&w);
    return fflush(out) == 0 && !ferror(out);
}
