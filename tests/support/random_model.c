// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>

#include "support/check.h"
#include "support/random_state.h"

sn_model* test_compile(sn_model_builder* builder) {
    sn_model* model = NULL;
    sn_error error;
    sn_status status = sn_model_builder_compile(builder, NULL, &model, &error);
    if (status != SN_OK) print_error("%s\n", error.text);
    CHECK_STATUS(status, SN_OK);
    sn_model_builder_free(builder);
    return model;
}

sn_model* test_generate(sn_generate_shape shape, int count, uint64_t seed, bool free_base,
                        bool passive, test_units u) {
    sn_generate_def def = sn_generate_def_default();
    def.shape = shape;
    def.count = count;
    def.seed = seed;
    def.free_base = free_base;
    def.passive = passive;
    def.mass_unit = u.mass;
    def.length_unit = u.length;
    def.time_unit = u.time;
    sn_model_builder* builder = sn_model_builder_create("generated");
    CHECK_STATUS(sn_generate(&def, builder), SN_OK);
    return test_compile(builder);
}

/// Any body that can exist: principal inertias of a box with random edges, turned.
static sn_inertia random_inertia(test_rng* rng) {
    double mass = test_uniform(rng, 0.5, 2);
    double a = test_uniform(rng, 0.2, 0.6), b = test_uniform(rng, 0.2, 0.6),
           c = test_uniform(rng, 0.2, 0.6);
    sn_mat3 R = test_rotation(rng);
    sn_mat3 principal = sn_mat3_diagonal(mass * (b * b + c * c) / 12, mass * (a * a + c * c) / 12,
                                         mass * (a * a + b * b) / 12);
    sn_inertia I;
    I.mass = mass;
    I.com = test_vec3(rng, 0.2);
    I.I = sn_mat3_mul(sn_mat3_mul(R, principal), sn_mat3_transpose(R));
    for (int r = 0; r < 3; r++) // symmetric to the last bit
        for (int k = 0; k < r; k++) I.I.m[r][k] = I.I.m[k][r];
    return I;
}

sn_body_def test_random_body(test_rng* rng, const char* name, const char* parent,
                             sn_joint_type type) {
    sn_body_def def = sn_body_def_default();
    def.name = name;
    def.parent = parent;
    def.joint.type = type;
    def.joint.placement = test_pose(rng, 0.3);
    def.joint.axis = sn_vec3_scale(test_uniform(rng, 0.5, 2), test_direction(rng));
    sn_vec3 across = sn_vec3_cross(def.joint.axis, test_direction(rng));
    def.joint.axis2 = sn_vec3_scale(1 / sn_vec3_norm(across), across);
    def.joint.pitch = test_uniform(rng, -0.5, 0.5);
    def.inertia = random_inertia(rng);
    return def;
}

/// Springs equal over the rotations and over the translations, rest anywhere.
static void add_passive(test_rng* rng, sn_joint_def* joint) {
    double turn = test_uniform(rng, 1, 5), move = test_uniform(rng, 1, 5);
    for (int k = 0; k < sn_joint_type_nv(joint->type); k++) {
        joint->armature[k] = test_uniform(rng, 0, 0.1);
        joint->damping[k] = test_uniform(rng, 0, 0.2);
        joint->stiffness[k] = test_is_translation(joint->type, k) ? move : turn;
    }
    for (int k = 0; k < sn_joint_type_nq(joint->type); k++)
        joint->rest[k] = test_uniform(rng, -1, 1);
    if (joint->type != SN_JOINT_SPHERICAL && joint->type != SN_JOINT_FREE) return;
    sn_quat r = test_quat(rng);
    double* at = joint->rest + (joint->type == SN_JOINT_FREE ? 3 : 0);
    at[0] = r.w, at[1] = r.x, at[2] = r.y, at[3] = r.z;
}

sn_model* test_all_joints(test_rng* rng, bool free_base, bool passive) {
    sn_joint_type order[SN_JOINT_TYPE_COUNT];
    int count = 0;
    for (int t = SN_JOINT_FIXED + 1; t < SN_JOINT_TYPE_COUNT; t++)
        order[count++] = (sn_joint_type)t;
    for (int i = count - 1; i > 0; i--) { // shuffle
        int j = test_index(rng, i + 1);
        sn_joint_type t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
    sn_model_builder* builder = sn_model_builder_create("all joints");
    char parent[16] = "", name[16];
    for (int i = -1; i < count; i++) {
        sn_joint_type type = i >= 0 ? order[i] : free_base ? SN_JOINT_FREE : SN_JOINT_REVOLUTE;
        (void)snprintf(name, sizeof name, "b%d", i + 1); // cannot be too long
        sn_body_def def = test_random_body(rng, name, *parent ? parent : NULL, type);
        if (passive) add_passive(rng, &def.joint);
        CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
        (void)snprintf(parent, sizeof parent, "%s", name); // same size
    }
    return test_compile(builder);
}

sn_model* test_one_joint_on_free_body(test_rng* rng, sn_joint_type type) {
    sn_model_builder* builder = sn_model_builder_create("one joint on a free body");
    sn_body_def base = test_random_body(rng, "base", NULL, SN_JOINT_FREE);
    CHECK_STATUS(sn_model_builder_add_body(builder, &base), SN_OK);
    sn_body_def def = test_random_body(rng, "child", "base", type);
    CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
    return test_compile(builder);
}

sn_model* test_one_joint(test_rng* rng, sn_joint_type type) {
    sn_model_builder* builder = sn_model_builder_create("one joint");
    sn_body_def def = test_random_body(rng, "body", NULL, type);
    CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
    return test_compile(builder);
}
