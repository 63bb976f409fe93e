// SPDX-License-Identifier: Apache-2.0
#include "support/world_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

world_scene* world_scene_create(void) {
    world_scene* s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->builder = sn_model_builder_create("scene");
    s->material = sn_material_default();
    s->def = sn_world_def_default();
    s->def.contact.on = true;
    s->def.contact.solve.tolerance = 1e-10;
    s->def.contact.solve.iterations = 0;
    s->def.contact.rest_time = INFINITY;
    return s;
}

void world_scene_free(world_scene* s) {
    sn_world_free(s->world);
    sn_model_free(s->model);
    sn_model_builder_free(s->builder);
    free(s);
}

sn_material world_scene_rubs(double mu, double restitution) {
    sn_material m = sn_material_default();
    m.mu = m.mu_kinetic = mu;
    m.restitution = restitution;
    return m;
}

static void add_shape(world_scene* s, const char* body, sn_shape_type type, sn_vec3 size,
                      sn_pose X) {
    sn_shape_def shape = sn_shape_def_default();
    shape.body = body;
    shape.type = type;
    shape.size = size;
    shape.pose = X;
    shape.material = s->material;
    assert_int_equal(sn_model_builder_add_shape(s->builder, &shape), SN_OK);
}

void world_scene_floor(world_scene* s, sn_pose X_w) {
    add_shape(s, NULL, SN_SHAPE_PLANE, sn_vec3_make(1, 1, 1), X_w);
}

void world_scene_add_fixed(world_scene* s, sn_shape_type type, sn_vec3 size, sn_pose X_w) {
    add_shape(s, NULL, type, size, X_w);
}

static sn_inertia inertia_of(sn_shape_type type, sn_vec3 size, double mass) {
    if (type == SN_SHAPE_SPHERE) return sn_inertia_sphere(mass, size.x);
    if (type == SN_SHAPE_BOX) return sn_inertia_box(mass, size);
    return sn_inertia_cylinder(mass, size.x, size.z);
}

int world_scene_add(world_scene* s, sn_shape_type type, sn_vec3 size, double mass, sn_pose X_w) {
    char name[32];
    snprintf(name, sizeof name, "o%d", s->objects);
    sn_body_def body = sn_body_def_default();
    body.name = name;
    body.joint.type = SN_JOINT_FREE;
    body.joint.placement = X_w;
    body.inertia = inertia_of(type, size, mass);
    assert_int_equal(sn_model_builder_add_body(s->builder, &body), SN_OK);
    add_shape(s, name, type, size, sn_pose_identity());
    return s->objects++;
}

void world_scene_start(world_scene* s) {
    sn_error error;
    if (sn_model_builder_compile(s->builder, NULL, &s->model, &error) ||
        sn_world_create(s->model, &s->def, &s->world, &error))
        fail_msg("%s", error.text);
}

void world_scene_step(world_scene* s) {
    assert_int_equal(sn_world_step(s->world, &s->report), SN_OK);
}

void world_scene_run(world_scene* s, double seconds) {
    int steps = (int)lround(seconds / s->def.step);
    for (int k = 0; k < steps; k++) world_scene_step(s);
}

sn_pose world_scene_pose(const world_scene* s, int object) {
    return sn_snapshot_pose(sn_world_snapshot(s->world), sn_body(object));
}

static const double* velocity_of(const world_scene* s, int object) {
    return sn_world_v(s->world) + sn_model_body(s->model, sn_body(object)).iv;
}

sn_vec3 world_scene_velocity(const world_scene* s, int object) {
    const double* v = velocity_of(s, object);
    return sn_mat3_apply(world_scene_pose(s, object).R, sn_vec3_make(v[3], v[4], v[5]));
}

sn_vec3 world_scene_spin(const world_scene* s, int object) {
    const double* v = velocity_of(s, object);
    return sn_mat3_apply(world_scene_pose(s, object).R, sn_vec3_make(v[0], v[1], v[2]));
}

void world_scene_set_velocity(world_scene* s, int object, sn_vec3 v_w, sn_vec3 w_w) {
    int nv = sn_model_nv(s->model);
    double* v = malloc((size_t)nv * sizeof *v);
    assert_non_null(v);
    memcpy(v, sn_world_v(s->world), (size_t)nv * sizeof *v);
    sn_mat3 R = world_scene_pose(s, object).R;
    sn_vec3 v_b = sn_mat3_apply_transposed(R, v_w), w_b = sn_mat3_apply_transposed(R, w_w);
    double* at = v + sn_model_body(s->model, sn_body(object)).iv;
    at[0] = w_b.x, at[1] = w_b.y, at[2] = w_b.z;
    at[3] = v_b.x, at[4] = v_b.y, at[5] = v_b.z;
    assert_int_equal(sn_world_set_state(s->world, NULL, v), SN_OK);
    free(v);
}

sn_vec3 world_scene_force(const world_scene* s, int object) {
    sn_vec3 sum = sn_vec3_zero();
    const sn_snapshot* shot = sn_world_snapshot(s->world);
    for (int32_t i = 0; i < sn_snapshot_contact_count(shot); i++) {
        sn_contact_view c = sn_snapshot_contacts(shot)[i];
        if (c.a.i == object) sum = sn_vec3_add(sum, c.force);
        if (c.b.i == object) sum = sn_vec3_sub(sum, c.force);
    }
    return sum;
}

double world_scene_energy(const world_scene* s) {
    sn_energy e = sn_world_energy(s->world);
    return e.kinetic + e.potential;
}
