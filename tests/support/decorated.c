// SPDX-License-Identifier: Apache-2.0
#include "support/decorated.h"

#include <math.h>
#include <stdio.h>

#include "support/check.h"

enum { CORNERS = 4 };

/// A tetrahedron; nothing here asks whether it is convex, but it is.
static void add_corners(test_rng* rng, sn_vec3* corners, sn_shape_def* shape) {
    static const int32_t triangles[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    for (int k = 0; k < CORNERS; k++) corners[k] = test_vec3(rng, 1);
    shape->vertices = corners;
    shape->vertex_count = CORNERS;
    shape->triangles = triangles;
    shape->triangle_count = (int32_t)(sizeof triangles / sizeof triangles[0]) / 3;
}

static sn_material random_material(test_rng* rng) {
    sn_material m = sn_material_default();
    if (test_chance(rng, 0.8)) m.mu = m.mu_kinetic = test_uniform(rng, 0, 2);
    if (test_chance(rng, 0.3)) {
        m.mu_kinetic = 0.5 * m.mu;
        m.stribeck_speed = test_uniform(rng, 0.1, 1);
    }
    if (test_chance(rng, 0.3)) m.restitution = test_uniform(rng, 0, 1);
    if (test_chance(rng, 0.5)) m.viscous = test_uniform(rng, 0, 1);
    if (m.viscous == 0) m.spin = test_uniform(rng, 0, 1), m.roll = test_uniform(rng, 0, 1);
    if (test_chance(rng, 0.3)) {
        m.stiffness = test_uniform(rng, 1, 1e6);
        m.damping = test_uniform(rng, 0, 10);
    }
    return m;
}

static void add_springs(test_rng* rng, sn_joint_def* joint) {
    double stiffness = test_chance(rng, 0.5) ? test_uniform(rng, 1, 5) : 0;
    for (int k = 0; k < SN_JOINT_MAX_NV; k++) {
        joint->stiffness[k] = stiffness;
        joint->armature[k] = test_chance(rng, 0.3) ? test_uniform(rng, 0, 0.1) : 0;
        joint->damping[k] = test_chance(rng, 0.3) ? test_uniform(rng, 0, 0.2) : 0;
    }
    for (int k = 0; k < sn_joint_type_nq(joint->type); k++)
        joint->rest[k] = test_uniform(rng, -1, 1);
    if (joint->type != SN_JOINT_SPHERICAL && joint->type != SN_JOINT_FREE) return;
    sn_quat turn = test_quat(rng);
    double* at = joint->rest + (joint->type == SN_JOINT_FREE ? 3 : 0);
    at[0] = turn.w, at[1] = turn.x, at[2] = turn.y, at[3] = turn.z;
}

/// Loops of any type between random bodies, which need not be closed.
static void add_random_loops(test_rng* rng, sn_model_builder* builder, int bodies) {
    sn_model* model = NULL; // which bodies move with which
    CHECK_STATUS(sn_model_builder_compile(builder, NULL, &model, NULL), SN_OK);
    char name[32];
    for (int i = 0; i < 6; i++) {
        int frame[2] = {test_index(rng, bodies + 1) - 1, test_index(rng, bodies + 1) - 1};
        sn_frame_info info[2] = {{.body = {-1}}, {.body = {-1}}};
        for (int e = 0; e < 2; e++)
            if (frame[e] >= 0) info[e] = sn_model_frame(model, (sn_frame_id){frame[e]});
        if (info[0].body.i == info[1].body.i) continue;
        snprintf(name, sizeof name, "loop \"%d\"", i);
        sn_body_def like =
            test_random_body(rng, name, NULL, (sn_joint_type)test_index(rng, SN_JOINT_TYPE_COUNT));
        sn_loop_def def = sn_loop_def_default();
        def.name = name;
        def.body_a = info[0].name;
        def.body_b = info[1].name;
        def.type = like.joint.type;
        def.axis = like.joint.axis;
        def.axis2 = like.joint.axis2;
        def.pitch = like.joint.pitch;
        def.X_ac = test_pose(rng, 1);
        def.X_bc = test_pose(rng, 1);
        def.t_s = test_uniform(rng, 0, 1);
        def.length = test_uniform(rng, 0.1, 1);
        CHECK_STATUS(sn_model_builder_add_loop(builder, &def), SN_OK);
    }
    sn_model_free(model);
}

sn_model* test_decorated_model(uint64_t seed) {
    test_rng rng = test_rng_make(seed);
    sn_model_builder* builder = sn_model_builder_create("decor\"ated \\ \n\xc3\xbc");
    char name[32], parent[32], joint[32];
    int count = 1 + test_index(&rng, 12);
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "b%d", i);
        snprintf(parent, sizeof parent, "b%d", i ? test_index(&rng, i) : 0);
        snprintf(joint, sizeof joint, "j%d", i);
        sn_joint_type type = (sn_joint_type)test_index(&rng, SN_JOINT_TYPE_COUNT);
        sn_body_def body =
            test_random_body(&rng, name, i && test_chance(&rng, 0.8) ? parent : NULL, type);
        sn_joint_def* j = &body.joint;
        j->name = joint;
        for (int k = 0; k < SN_JOINT_MAX_NV; k++) {
            j->friction[k] = test_chance(&rng, 0.3) ? test_uniform(&rng, 0, 1) : 0;
            j->lower[k] = test_chance(&rng, 0.5) ? test_uniform(&rng, -2, 0) : -INFINITY;
            j->upper[k] = test_chance(&rng, 0.5) ? test_uniform(&rng, 0, 2) : INFINITY;
            j->velocity[k] = test_chance(&rng, 0.5) ? test_uniform(&rng, 0, 2) : INFINITY;
            j->effort[k] = test_chance(&rng, 0.5) ? test_uniform(&rng, 0, 2) : INFINITY;
        }
        add_springs(&rng, j);
        CHECK_STATUS(sn_model_builder_add_body(builder, &body), SN_OK);
        sn_shape_def shape = sn_shape_def_default();
        shape.body = test_chance(&rng, 0.9) ? name : NULL;
        shape.type = (sn_shape_type)test_index(&rng, SN_SHAPE_HULL + 1);
        shape.use = test_index(&rng, 4);
        shape.pose = test_pose(&rng, 1);
        shape.size = sn_vec3_make(0.1, test_uniform(&rng, 0.1, 1), 1 / 3.0);
        shape.name = test_chance(&rng, 0.5) ? "shape" : NULL;
        shape.mesh = shape.type == SN_SHAPE_MESH ? "a/\"b\".stl" : NULL;
        shape.color[test_index(&rng, 4)] = test_uniform(&rng, 0, 1);
        sn_vec3 corners[CORNERS];
        if (shape.type == SN_SHAPE_HULL || (shape.type == SN_SHAPE_MESH && test_chance(&rng, 0.5)))
            add_corners(&rng, corners, &shape);
        if (test_chance(&rng, 0.5)) shape.material = random_material(&rng);
        if (test_chance(&rng, 0.3)) shape.group = (uint32_t)test_rng_next(&rng);
        if (test_chance(&rng, 0.3)) shape.mask = (uint32_t)test_rng_next(&rng);
        CHECK_STATUS(sn_model_builder_add_shape(builder, &shape), SN_OK);
    }
    add_random_loops(&rng, builder, count);
    for (int i = test_index(&rng, 4); i > 0; i--) {
        snprintf(name, sizeof name, "b%d", test_index(&rng, count));
        snprintf(parent, sizeof parent, "b%d", test_index(&rng, count));
        sn_place place = {"", 0, 0};
        CHECK_STATUS(
            sn_model_builder_exclude(builder, test_chance(&rng, 0.2) ? NULL : name, parent, place),
            SN_OK);
    }
    return test_compile(builder);
}
