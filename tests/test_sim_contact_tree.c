// SPDX-License-Identifier: Apache-2.0
// Contact of articulated bodies: the same motion by every forward dynamics; rigid parts of adaptive bodies touch as one body,
// contact wakes their joints; joint limits and dry friction hold.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/world_scene.h"

enum { LINKS = 12 };
static const double LENGTH = 0.1, RADIUS = 0.02, G = 9.81;

/// A chain of balls on sticks, the first link free, the others on universal joints with some damping.
static void add_chain(world_scene* s, double height) {
    char name[16], parent[16];
    for (int i = 0; i < LINKS; i++) {
        snprintf(name, sizeof name, "o%d", i);
        snprintf(parent, sizeof parent, "o%d", i - 1);
        sn_body_def body = sn_body_def_default();
        body.name = name;
        body.parent = i ? parent : NULL;
        body.joint.type = i ? SN_JOINT_UNIVERSAL : SN_JOINT_FREE;
        body.joint.axis = sn_vec3_make(0, 1, 0);
        body.joint.axis2 = sn_vec3_make(0, 0, 1);
        body.joint.placement = sn_pose_make(sn_mat3_identity(), i ? sn_vec3_make(LENGTH, 0, 0)
                                                                  : sn_vec3_make(0, 0, height));
        for (int k = 0; i && k < 2; k++) body.joint.damping[k] = 2e-3;
        body.inertia = sn_inertia_sphere(0.05, RADIUS);
        assert_int_equal(sn_model_builder_add_body(s->builder, &body), SN_OK);
        sn_shape_def ball = sn_shape_def_default();
        ball.body = name;
        ball.size = sn_vec3_make(RADIUS, RADIUS, RADIUS);
        assert_int_equal(sn_model_builder_add_shape(s->builder, &ball), SN_OK);
    }
    s->objects += LINKS;
}

static world_scene* chain_scene(const char* dynamics, int max_active, double height) {
    world_scene* s = world_scene_create();
    s->def.dynamics = dynamics;
    s->def.adaptivity.max_active = max_active;
    s->def.contact.solve.tolerance = 1e-9;
    s->def.contact.solve.iterations = 5000;
    world_scene_floor(
        s, sn_pose_make(sn_quat_matrix(sn_quat_exp(sn_vec3_make(0, 0.2, 0))), sn_vec3_zero()));
    add_chain(s, height);
    world_scene_start(s);
    return s;
}

/// The solutions of a contact problem are not unique and small differences grow; a few contacts in they are small.
static void a_falling_chain_moves_the_same_by_every_dynamics(void** state) {
    (void)state;
    static const char* const names[] = {"aba", "crba", "dca", "adaptive"};
    world_scene* s[4];
    for (int k = 0; k < 4; k++) s[k] = chain_scene(names[k], 1000, 0.3);
    int points = 0;
    for (int step = 0; step < 260; step++) {
        for (int k = 0; k < 4; k++) world_scene_step(s[k]);
        points = points > s[0]->report.contact.points ? points : s[0]->report.contact.points;
        for (int k = 1; k < 4; k++)
            for (int i = 0; i < LINKS; i++) {
                sn_vec3 d = sn_vec3_sub(world_scene_pose(s[k], i).p, world_scene_pose(s[0], i).p);
                CHECK_NEAR(sn_vec3_norm(d), 0, 1e-6, (uint64_t)(1000 * k + step));
            }
    }
    CHECK(points >= 2, 0);
    for (int k = 0; k < 4; k++) world_scene_free(s[k]);
}

static void a_rigid_part_touches_as_one_body_and_contact_wakes_its_joints(void** state) {
    (void)state;
    world_scene* s = chain_scene("adaptive", 7, 0.6);
    int before = 0, after = 0;
    for (int step = 0; step < 1500; step++) {
        world_scene_step(s);
        if (s->report.contact.points == 0 && after == 0) before = s->report.active;
        if (s->report.contact.points > 0 && s->report.active > after) after = s->report.active;
        CHECK(s->report.active <= 7, (uint64_t)step);
        for (int i = 0; i < LINKS; i++) {
            sn_vec3 n = sn_vec3_make(sin(0.2), 0, cos(0.2));
            double height = sn_vec3_dot(world_scene_pose(s, i).p, n) - RADIUS;
            CHECK(height > -2e-3, (uint64_t)step);
        }
    }
    // in free fall all parts fall alike: no joint but the free one has a reason to move
    CHECK(before <= 1, 0);
    CHECK(after > 1, 0);
    world_scene_free(s);
}

/// A rod on a hinge at one end falls onto its limit: it stays there, and the hinge carries the weight's moment.
static void a_joint_stops_at_its_limit(void** state) {
    (void)state;
    world_scene* s = world_scene_create();
    sn_body_def body = sn_body_def_default();
    body.name = "o0";
    body.joint.type = SN_JOINT_REVOLUTE;
    body.joint.axis = sn_vec3_make(0, 1, 0);
    body.joint.upper[0] = 0.5;
    body.joint.lower[0] = -1;
    body.inertia = sn_inertia_moved(sn_pose_make(sn_mat3_identity(), sn_vec3_make(0.5, 0, 0)),
                                    sn_inertia_box(1, sn_vec3_make(1, 0.1, 0.1)));
    assert_int_equal(sn_model_builder_add_body(s->builder, &body), SN_OK);
    s->objects = 1;
    world_scene_start(s);
    for (int step = 0; step < 2000; step++) {
        world_scene_step(s);
        CHECK(sn_world_q(s->world)[0] <= 0.5 + 1e-4, (uint64_t)step);
    }
    CHECK_NEAR(sn_world_q(s->world)[0], 0.5, 2e-4, 0);
    CHECK_NEAR(sn_world_v(s->world)[0], 0, 1e-9, 0);
    world_scene_free(s);
}

/// A slide with dry friction moves only beyond it.
static void dry_friction_holds_up_to_its_force(void** state) {
    (void)state;
    for (int above = 0; above < 2; above++) {
        world_scene* s = world_scene_create();
        sn_body_def body = sn_body_def_default();
        body.name = "o0";
        body.joint.type = SN_JOINT_PRISMATIC;
        body.joint.axis = sn_vec3_make(0, 0, 1);
        body.joint.friction[0] = above ? 0.9 * 2 * G : 1.1 * 2 * G;
        body.inertia = sn_inertia_sphere(2, 0.1);
        assert_int_equal(sn_model_builder_add_body(s->builder, &body), SN_OK);
        s->objects = 1;
        world_scene_start(s);
        world_scene_run(s, 0.5);
        CHECK_NEAR(sn_world_v(s->world)[0], above ? -0.1 * G * 0.5 : 0, 1e-7, (uint64_t)above);
        world_scene_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_falling_chain_moves_the_same_by_every_dynamics),
        cmocka_unit_test(a_rigid_part_touches_as_one_body_and_contact_wakes_its_joints),
        cmocka_unit_test(a_joint_stops_at_its_limit),
        cmocka_unit_test(dry_friction_holds_up_to_its_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
