// SPDX-License-Identifier: Apache-2.0
// What hands feel of contact in a world: the law made after a step says what the next step does, whatever the dynamics;
// a robot's hand on a wall feels the wall; asking changes nothing.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/vectors.h"
#include "sinew/load.h"
#include "support/world_scene.h"

static const double G = 9.81;

/// A record and a law; both are large.
typedef struct feeling {
    sn_coupling_contacts contacts;
    sn_coupling_law law;
} feeling;

static feeling* feel(sn_world* world, const sn_body_wrench* hands, int count) {
    feeling* f = calloc(1, sizeof *f);
    CHECK_STATUS(sn_world_coupling(world, hands, count, &f->contacts, &f->law), SN_OK);
    return f;
}

/// Acceleration of body i of the law, gravity included, body axes.
static void by_law(const sn_coupling_law* law, const sn_wrench* f_u, int i, double a[6]) {
    const double* f = &f_u[0].n.x;
    int n = 6 * law->count;
    sn_vec3 g = law->hand[i].gravity;
    for (int r = 0; r < 6; r++) {
        a[r] = law->a0[6 * i + r];
        for (int c = 0; c < n; c++) a[r] += law->Lambda[(6 * i + r) * n + c] * f[c];
    }
    a[3] += g.x, a[4] += g.y, a[5] += g.z;
}

static sn_world* copy_of(const sn_model* model, const sn_world_def* def, sn_world* from) {
    sn_world* world = NULL;
    CHECK_STATUS(sn_world_create(model, def, &world, NULL), SN_OK);
    CHECK_STATUS(sn_world_set_state(world, sn_world_q(from), sn_world_v(from)), SN_OK);
    return world;
}

/// (v+ - v)/h of a body in a step of a world that begins where another is, with these wrenches.
static void by_step(const sn_world_def* def, sn_world* from, const sn_body_wrench* hands, int count,
                    int i, double a[6]) {
    sn_world* world = copy_of(sn_world_model(from), def, from);
    for (int k = 0; k < count; k++)
        CHECK_STATUS(sn_world_set_wrench(world, hands[k].body, SN_AXES_BODY, hands[k].wrench),
                     SN_OK);
    sn_twist before = sn_dynamics_velocity(sn_world_dynamics(world), hands[i].body);
    CHECK_STATUS(sn_world_step(world, NULL), SN_OK);
    sn_twist after = sn_dynamics_velocity(sn_world_dynamics(world), hands[i].body);
    const double *v = &before.w.x, *v_plus = &after.w.x;
    for (int k = 0; k < 6; k++) a[k] = (v_plus[k] - v[k]) / def->step;
    sn_world_free(world);
}

static world_scene* box_scene(double mu) {
    world_scene* s = world_scene_create();
    s->material = world_scene_rubs(mu, 0);
    world_scene_floor(s, sn_pose_identity());
    world_scene_add(s, SN_SHAPE_BOX, sn_vec3_make(0.4, 0.3, 0.2), 2, at_height(0.1));
    world_scene_start(s);
    return s;
}

static sn_body_wrench pull(int body, double x, double y, double z) {
    return (sn_body_wrench){sn_body(body), sn_wrench_make(sn_vec3_zero(), sn_vec3_make(x, y, z))};
}

/// Law and step agree for hands that pull by `hand`, the law made for `before`.
static void check_step(world_scene* s, sn_body_wrench before, sn_body_wrench hand,
                       double tolerance) {
    double law[6], step[6];
    CHECK_STATUS(sn_world_set_wrench(s->world, before.body, SN_AXES_BODY, before.wrench), SN_OK);
    world_scene_step(s);
    feeling* f = feel(s->world, &before, 1);
    by_law(&f->law, &hand.wrench, 0, law);
    by_step(&s->def, s->world, &hand, 1, 0, step);
    for (int k = 0; k < 6; k++) CHECK_NEAR(law[k], step[k], tolerance, (uint64_t)k);
    free(f);
}

static void a_box_on_a_floor_feels_the_floor_and_sticks(void** state) {
    (void)state;
    world_scene* s = box_scene(0.5);
    world_scene_run(s, 0.2);
    sn_body_wrench hand = pull(0, 1, 0.5, -3);
    check_step(s, hand, pull(0, 2, 1, -40), 1e-5);
    feeling* f = feel(s->world, &hand, 1);
    CHECK(f->contacts.count == 4 && f->contacts.rows == 12 && f->contacts.dropped == 0, 0);
    for (int k = 0; k < 36; k++) CHECK_NEAR(f->law.Lambda[k], 0, 1e-9, (uint64_t)k);
    CHECK_NEAR(f->law.a0[5], G, 1e-6, 0);               // a' = a - g: at rest
    CHECK(f->contacts.free.Lambda[5 * 6 + 5] > 0.4, 0); // without the floor it is 1/m
    free(f);
    world_scene_free(s);
}

static void a_box_that_slides_is_braked_as_in_the_next_step(void** state) {
    (void)state;
    world_scene* s = box_scene(0.3);
    world_scene_run(s, 0.2);
    sn_body_wrench hand = pull(0, 12, 0, -3);
    CHECK_STATUS(sn_world_set_wrench(s->world, hand.body, SN_AXES_BODY, hand.wrench), SN_OK);
    world_scene_run(s, 0.05);
    check_step(s, hand, pull(0, 12.3, 0, -3.5),
               2e-3); // it slides 0.1 mm in a step: rows are so far off
    feeling* f = feel(s->world, &hand, 1);
    const double* L = f->law.Lambda;
    CHECK_NEAR(L[3 * 6 + 3], 0.5, 1e-3, 0);
    CHECK_NEAR(L[3 * 6 + 5], 0.3 * 0.5, 1e-3, 0); // F = n - mu t
    CHECK_NEAR(L[5 * 6 + 5], 0, 1e-9, 0);
    free(f);
    world_scene_free(s);
}

static void a_box_that_is_lifted_is_free_to_the_bit(void** state) {
    (void)state;
    world_scene* s = box_scene(0.3);
    world_scene_run(s, 0.1);
    sn_body_wrench hand = pull(0, 0, 0, 30);
    CHECK_STATUS(sn_world_set_wrench(s->world, hand.body, SN_AXES_BODY, hand.wrench), SN_OK);
    world_scene_run(s, 0.1);
    feeling* f = feel(s->world, &hand, 1);
    sn_coupling_law* free_law = calloc(1, sizeof *free_law);
    CHECK_STATUS(sn_dynamics_coupling(sn_world_dynamics(s->world), &hand, 1, free_law), SN_OK);
    CHECK(memcmp(f->law.Lambda, free_law->Lambda, 36 * sizeof(double)) == 0, 0);
    CHECK(memcmp(f->law.a0, free_law->a0, 6 * sizeof(double)) == 0, 0);
    CHECK(memcmp(f->law.K, free_law->K, 36 * sizeof(double)) == 0, 0);
    CHECK(f->law.step == sn_world_step_count(s->world), 0);
    free(free_law);
    free(f);
    world_scene_free(s);
}

static void two_hands_on_a_stack_feel_each_other_through_contact(void** state) {
    (void)state;
    world_scene* s = world_scene_create();
    s->material = world_scene_rubs(0.6, 0);
    world_scene_floor(s, sn_pose_identity());
    world_scene_add(s, SN_SHAPE_BOX, sn_vec3_make(0.4, 0.4, 0.2), 4, at_height(0.1));
    world_scene_add(s, SN_SHAPE_BOX, sn_vec3_make(0.2, 0.2, 0.2), 1, at_height(0.3));
    world_scene_add(s, SN_SHAPE_BOX, sn_vec3_make(0.2, 0.2, 0.2), 1,
                    sn_pose_make(sn_mat3_identity(), sn_vec3_make(2, 0, 0.1)));
    s->def.gravity = sn_vec3_make(0, 0, -G);
    world_scene_start(s);
    sn_body_wrench hands[2] = {pull(0, 34, 0, 0), pull(1, 0, 0, -1)};
    for (int i = 0; i < 2; i++)
        CHECK_STATUS(sn_world_set_wrench(s->world, hands[i].body, SN_AXES_BODY, hands[i].wrench),
                     SN_OK);
    world_scene_run(s, 0.05); // the lower slides on the floor, the upper rides on it
    feeling* f = feel(s->world, hands, 2);
    CHECK(f->contacts.count == 8, 0); // the third box is of another group
    double law[6], step[6];
    sn_wrench f_u[2] = {hands[0].wrench, hands[1].wrench};
    hands[0].wrench.f.x = f_u[0].f.x = 34.2;
    for (int i = 0; i < 2; i++) {
        by_law(&f->law, f_u, i, law);
        by_step(&s->def, s->world, hands, 2, i, step);
        for (int k = 0; k < 6; k++) CHECK_NEAR(law[k], step[k], 5e-3, (uint64_t)(10 * i + k));
        CHECK_NEAR(law[3], (34.2 - 0.6 * (5 * G + 1)) / 5, 5e-3, 0);
    }
    free(f);
    world_scene_free(s);
}

static void a_constraint_holds_between_steps(void** state) {
    (void)state;
    world_scene* s = world_scene_create();
    world_scene_add(s, SN_SHAPE_SPHERE, sn_vec3_make(0.1, 0.1, 0.1), 2, at_height(1));
    world_scene_start(s);
    sn_constraint ball = sn_constraint_default();
    ball.id = 5;
    ball.type = SN_CONSTRAINT_BALL;
    ball.a = sn_body(0);
    CHECK_STATUS(sn_world_hold(s->world, &ball, NULL), SN_OK);
    world_scene_run(s, 0.1);
    sn_body_wrench hand = pull(0, 0, 0, 0);
    feeling* f = feel(s->world, &hand, 1);
    CHECK(f->contacts.count == 1, 0);
    for (int r = 3; r < 6; r++) CHECK_NEAR(f->law.Lambda[7 * r], 0, 1e-12, (uint64_t)r);
    double I = 0.4 * 2 * 0.01;
    for (int r = 0; r < 3; r++) CHECK_RELATIVE(f->law.Lambda[7 * r], 1 / I, 1e-9, (uint64_t)r);
    // a spring gives as much as in a step
    CHECK_STATUS(sn_world_remove_constraint(s->world, 5), SN_OK);
    ball.stiffness = 500, ball.damping = 3;
    CHECK_STATUS(sn_world_hold(s->world, &ball, NULL), SN_OK);
    world_scene_run(s, 0.1);
    free(f);
    f = feel(s->world, &hand, 1);
    double h = sn_world_step_size(s->world);
    CHECK_RELATIVE(f->law.Lambda[7 * 5], 1 / (2 + h * 3 + h * h * 500), 1e-9, 0);
    double law[6], step[6], compliant = 0;
    by_law(&f->law, &hand.wrench, 0, law);
    sn_vec3 v0 = world_scene_velocity(s, 0);
    world_scene_step(s);
    step[5] = (world_scene_velocity(s, 0).z - v0.z) / h;
    compliant = fabs(law[5] - step[5]);
    CHECK_NEAR(compliant, 0, 1e-6, 0);
    free(f);
    world_scene_free(s);
}

// ---- joints ---------------------------------------------------------------------------------------------------------

/// A pendulum of two links about y, the first joint with a limit or dry friction.
static world_scene* pendulum(const char* dynamics, double upper, double friction) {
    world_scene* s = world_scene_create();
    s->def.dynamics = dynamics;
    for (int i = 0; i < 2; i++) {
        sn_body_def body = sn_body_def_default();
        body.name = i ? "o1" : "o0";
        body.parent = i ? "o0" : NULL;
        body.joint.type = SN_JOINT_REVOLUTE;
        body.joint.axis = sn_vec3_make(0, 1, 0);
        body.joint.placement.p = sn_vec3_make(i ? 0.5 : 0, 0, i ? 0 : 1);
        body.inertia = sn_inertia_box(1, sn_vec3_make(0.5, 0.05, 0.05));
        body.inertia.com = sn_vec3_make(0.25, 0, 0);
        if (i == 0) {
            body.joint.upper[0] = upper;
            body.joint.friction[0] = friction;
        }
        assert_int_equal(sn_model_builder_add_body(s->builder, &body), SN_OK);
    }
    s->objects = 2;
    world_scene_start(s);
    return s;
}

static void a_joint_at_its_limit_gives_no_way(void** state) {
    (void)state;
    static const char* const names[] = {"aba", "crba", "dca", "adaptive"};
    for (int k = 0; k < 4; k++) {
        world_scene* s = pendulum(names[k], 0.2, 0);
        world_scene_run(s, 0.5); // the first hangs in its limit, the second swings
        sn_body_wrench hand = pull(0, 0, 0, 0);
        hand.wrench.n.y = 0.1;
        check_step(s, hand, hand, 1e-4);
        feeling* f = feel(s->world, &hand, 1);
        CHECK(f->contacts.count == 1, (uint64_t)k);
        CHECK_NEAR(f->law.Lambda[7], 0, 1e-10, (uint64_t)k); // turning about y
        CHECK(f->contacts.free.Lambda[7] > 0.1, (uint64_t)k);
        free(f);
        world_scene_free(s);
    }
}

static void dry_friction_holds_and_gives_way_at_its_bound(void** state) {
    (void)state;
    world_scene* s = pendulum("aba", INFINITY, 100);
    world_scene_run(s, 0.1);
    sn_body_wrench hand = pull(0, 0, 0, 0);
    feeling* f = feel(s->world, &hand, 1);
    CHECK_NEAR(f->law.Lambda[7], 0, 1e-10, 0);
    free(f);
    world_scene_free(s);
    s = pendulum("aba", INFINITY, 0.5);
    world_scene_run(s, 0.1); // it turns against friction
    f = feel(s->world, &hand, 1);
    CHECK(memcmp(f->law.Lambda, f->contacts.free.Lambda, 36 * sizeof(double)) == 0, 0);
    CHECK(fabs(f->law.a0[1] - f->contacts.free.a0[1]) > 0.1, 0); // half a newton metre
    free(f);
    check_step(s, hand, hand, 1e-4);
    world_scene_free(s);
}

// ---- a chain on a floor: every dynamics ---------------------------------------------------------------------------------

enum { LINKS = 6 };

static void add_chain(world_scene* s) {
    char name[16], parent[16];
    for (int i = 0; i < LINKS; i++) {
        snprintf(name, sizeof name, "o%d", i);
        snprintf(parent, sizeof parent, "o%d", i - 1);
        sn_body_def body = sn_body_def_default();
        body.name = name;
        body.parent = i ? parent : NULL;
        body.joint.type = i ? SN_JOINT_REVOLUTE : SN_JOINT_FREE;
        body.joint.axis = sn_vec3_make(0, 1, 0);
        body.joint.placement.p = i ? sn_vec3_make(0.1, 0, 0) : sn_vec3_make(0, 0, 0.05);
        body.inertia = sn_inertia_sphere(0.05, 0.03);
        if (i) body.joint.damping[0] = 1e-2;
        assert_int_equal(sn_model_builder_add_body(s->builder, &body), SN_OK);
        sn_shape_def ball = sn_shape_def_default();
        ball.body = name;
        ball.size = sn_vec3_make(0.03, 0.03, 0.03);
        assert_int_equal(sn_model_builder_add_shape(s->builder, &ball), SN_OK);
    }
    s->objects += LINKS;
}

static void a_chain_on_a_floor_has_one_law_by_every_dynamics(void** state) {
    (void)state;
    static const char* const names[] = {"aba", "crba", "dca", "adaptive"};
    feeling* first = NULL;
    for (int k = 0; k < 4; k++) {
        world_scene* s = world_scene_create();
        s->def.dynamics = names[k];
        s->def.adaptivity.max_active = 100;
        world_scene_floor(s, sn_pose_identity());
        add_chain(s);
        world_scene_start(s);
        world_scene_run(s, 0.4);
        sn_body_wrench hands[2] = {pull(2, 0, 0, -0.2), pull(5, 0.01, 0, 0)};
        feeling* f = feel(s->world, hands, 2);
        CHECK(f->contacts.count == LINKS, 0);
        if (!first) {
            first = f;
            for (int c = 0; c < 12; c++) // down is blocked for both, wherever the other pushes
                for (int i = 0; i < 2; i++)
                    CHECK_NEAR(f->law.Lambda[(6 * i + 5) * 12 + c], 0, 1e-6, 0);
        } else {
            CHECK_VECTOR(f->contacts.free.Lambda, first->contacts.free.Lambda, 144, 1e-6, 0);
            CHECK_VECTOR(f->law.Lambda, first->law.Lambda, 144, 1e-4, (uint64_t)k);
            CHECK_VECTOR(f->law.a0, first->law.a0, 12, 1e-4, (uint64_t)k);
            free(f);
        }
        world_scene_free(s);
    }
    free(first);
}

// ---- more than there is room for ------------------------------------------------------------------------------------------

static void what_does_not_fit_is_counted_and_the_most_loaded_stay(void** state) {
    (void)state;
    world_scene* s = world_scene_create();
    world_scene_floor(s, sn_pose_identity());
    for (int i = 0; i < 24; i++)
        world_scene_add(s, SN_SHAPE_BOX, sn_vec3_make(0.2, 0.2, 0.1), 1 + i % 2,
                        at_height(0.05 + 0.1 * i));
    world_scene_start(s);
    world_scene_run(s, 0.1);
    sn_body_wrench hand = pull(0, 0, 0, 0);
    feeling* f = feel(s->world, &hand, 1);
    CHECK(f->contacts.rows <= SN_HELD_ROWS && f->contacts.count == SN_HELD_ROWS / 3, 0);
    CHECK(f->contacts.dropped == sn_world_contact_count(s->world) - f->contacts.count, 0);
    bool floor = false; // carries all
    for (int i = 0; i < f->contacts.count; i++)
        floor = floor || f->contacts.b[i].i < 0 || f->contacts.a[i].i < 0;
    CHECK(floor, 0);
    for (int k = 0; k < 36; k++) CHECK(isfinite(f->law.K[k]), 0);
    CHECK_NEAR(f->law.Lambda[35], 0, 1e-6, 0);
    free(f);
    world_scene_free(s);
}

static void asking_changes_no_step(void** state) {
    (void)state;
    static const char* const names[] = {"aba", "dca", "adaptive"};
    for (int k = 0; k < 3; k++) {
        uint64_t hash[2];
        for (int asked = 0; asked < 2; asked++) {
            world_scene* s = world_scene_create();
            s->def.dynamics = names[k];
            world_scene_floor(s, sn_pose_identity());
            add_chain(s);
            world_scene_start(s);
            feeling* f = calloc(1, sizeof *f);
            sn_body_wrench hand = pull(3, 0, 0, 0);
            for (int step = 0; step < 300; step++) {
                world_scene_step(s);
                if (asked)
                    CHECK_STATUS(sn_world_coupling(s->world, &hand, 1, &f->contacts, &f->law),
                                 SN_OK);
            }
            hash[asked] = sn_world_hash(s->world);
            free(f);
            world_scene_free(s);
        }
        CHECK(hash[0] == hash[1], (uint64_t)k);
    }
}

static void what_makes_no_sense_is_refused(void** state) {
    (void)state;
    world_scene* s = box_scene(0.5);
    feeling* f = calloc(1, sizeof *f);
    sn_body_wrench hand = pull(0, 0, 0, 0), none = pull(7, 0, 0, 0);
    CHECK_STATUS(sn_world_coupling(NULL, &hand, 1, &f->contacts, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_world_coupling(s->world, NULL, 1, &f->contacts, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_world_coupling(s->world, &hand, 0, &f->contacts, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_world_coupling(s->world, &none, 1, &f->contacts, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_world_coupling(s->world, &hand, SN_GRAB_MAX + 1, &f->contacts, NULL),
                 SN_ERR_CAPACITY);
    CHECK_STATUS(sn_world_coupling(s->world, &hand, 1, &f->contacts, NULL), SN_OK);
    CHECK(f->contacts.count == 0, 0); // no step was made yet
    free(f);
    world_scene_free(s);
}

static void a_world_without_contact_has_the_law_of_its_dynamics(void** state) {
    (void)state;
    world_scene* s = world_scene_create();
    s->def.contact.on = false;
    world_scene_add(s, SN_SHAPE_SPHERE, sn_vec3_make(0.1, 0.1, 0.1), 2, at_height(1));
    world_scene_start(s);
    world_scene_step(s);
    sn_body_wrench hand = pull(0, 0, 0, 0);
    feeling* f = feel(s->world, &hand, 1);
    CHECK(f->contacts.count == 0 && f->contacts.h == 0, 0);
    CHECK_RELATIVE(f->law.Lambda[35], 0.5, 1e-12, 0);
    free(f);
    world_scene_free(s);
}

// ---- a robot ----------------------------------------------------------------------------------------------------------------

/// hrp2 held at its waist without weight, a wall in front of its left hand, which a hand presses against it.
typedef struct robot {
    sn_model *alone, *model;
    sn_world_def def;
    sn_world* world;
    sn_body_id body;
    sn_body_wrench hand;
} robot;

static const double PRESS = 40;

/// A force along world axes on the palm.
static sn_wrench force_at(const robot* r, sn_vec3 f_w) {
    const sn_vec3 palm = {0, 0, -0.07};
    sn_pose X = sn_dynamics_pose(sn_world_dynamics(r->world), r->body);
    sn_vec3 f = sn_mat3_apply_transposed(X.R, f_w);
    return sn_wrench_make(sn_vec3_cross(palm, f), f);
}

/// In front of the palm and below the wrist.
static void add_wall(sn_model_builder* builder, sn_vec3 wrist, double mu) {
    sn_shape_def wall = sn_shape_def_default();
    wall.type = SN_SHAPE_BOX;
    wall.size = sn_vec3_make(0.1, 0.3, 0.2);
    wall.pose.p = sn_vec3_add(wrist, sn_vec3_make(0.0305 + 0.05, 0, -0.05 - 0.1));
    wall.material.mu = wall.material.mu_kinetic = mu * mu / 0.5; // combined with the robot's 0.5
    assert_int_equal(sn_model_builder_add_shape(builder, &wall), SN_OK);
}

static robot* robot_on_wall(const char* dynamics, double mu) {
    robot* r = calloc(1, sizeof *r);
    sn_load_def load = sn_load_def_default();
    CHECK_STATUS(sn_model_load(SN_TEST_MODELS_DIR "/hrp2.urdf", &load, &r->alone, NULL), SN_OK);
    sn_dynamics* d = NULL;
    CHECK_STATUS(sn_dynamics_create(r->alone, NULL, &d, NULL), SN_OK);
    double* q = calloc(2 * (size_t)sn_model_nq(r->alone), sizeof *q);
    sn_model_neutral(r->alone, q);
    CHECK_STATUS(sn_dynamics_kinematics(d, q, NULL), SN_OK);
    r->body = sn_model_find_body(r->alone, "l_wrist");
    sn_pose X = sn_dynamics_pose(d, r->body);
    sn_dynamics_free(d);
    free(q);
    sn_model_builder* builder = sn_model_builder_create("robot and wall");
    CHECK_STATUS(sn_model_builder_add_model(builder, r->alone, NULL, sn_pose_identity()), SN_OK);
    add_wall(builder, X.p, mu);
    CHECK_STATUS(sn_model_builder_compile(builder, NULL, &r->model, NULL), SN_OK);
    sn_model_builder_free(builder);
    r->body = sn_model_find_body(r->model, "l_wrist");
    r->def = sn_world_def_default();
    r->def.dynamics = dynamics;
    r->def.gravity = sn_vec3_zero();
    r->def.adaptivity.max_active = 1000;
    r->def.contact.on = true;
    r->def.contact.solve.tolerance = 1e-10;
    r->def.contact.solve.iterations = 5000;
    r->def.contact.rest_time = INFINITY;
    CHECK_STATUS(sn_world_create(r->model, &r->def, &r->world, NULL), SN_OK);
    return r;
}

static void robot_free(robot* r) {
    sn_world_free(r->world);
    sn_model_free(r->model);
    sn_model_free(r->alone);
    free(r);
}

static void press(robot* r, sn_vec3 f_w, int steps) {
    for (int k = 0; k < steps; k++) {
        r->hand = (sn_body_wrench){r->body, force_at(r, f_w)};
        CHECK_STATUS(sn_world_set_wrench(r->world, r->body, SN_AXES_BODY, r->hand.wrench), SN_OK);
        CHECK_STATUS(sn_world_step(r->world, NULL), SN_OK);
    }
}

/// Points of the hand on the wall, in the hand's axes; how many.
static int points_on_wall(const robot* r, sn_vec3* x, int most) {
    int count = 0;
    sn_pose X = sn_dynamics_pose(sn_world_dynamics(r->world), r->body);
    for (int i = 0; i < sn_world_contact_count(r->world) && count < most; i++) {
        const sn_contact* c = &sn_world_contacts(r->world)[i];
        bool there = (c->a.i == r->body.i && c->b.i < 0) || (c->b.i == r->body.i && c->a.i < 0);
        if (there && sn_vec3_norm(sn_world_contact_force(r->world, i).f) > 0.1)
            x[count++] = sn_mat3_apply_transposed(X.R, sn_vec3_sub(c->x, X.p));
    }
    return count;
}

/// Acceleration of a point of the hand per newton of a force there, both along d (world).
static double mobility(const robot* r, const sn_coupling_law* law, sn_vec3 x, sn_vec3 d) {
    sn_pose X = sn_dynamics_pose(sn_world_dynamics(r->world), r->body);
    sn_vec3 along = sn_mat3_apply_transposed(X.R, d);
    sn_wrench f = sn_wrench_make(sn_vec3_cross(x, along), along);
    const double* w = &f.n.x;
    double sum = 0;
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) sum += w[i] * law->Lambda[i * 6 + k] * w[k];
    return sum;
}

static void check_robot_step(robot* r, const sn_coupling_law* law, sn_vec3 change,
                             double tolerance) {
    double by[6], step[6];
    sn_body_wrench next = r->hand;
    next.wrench = sn_wrench_add(next.wrench, force_at(r, change));
    by_law(law, &next.wrench, 0, by);
    by_step(&r->def, r->world, &next, 1, 0, step);
    for (int k = 0; k < 6; k++) CHECK_NEAR(by[k], step[k], tolerance, (uint64_t)k);
}

static void a_robots_hand_on_a_wall_feels_the_wall(void** state) {
    (void)state;
    static const char* const names[] = {"aba", "dca", "adaptive"};
    for (int k = 0; k < 3; k++) {
        robot* r = robot_on_wall(names[k], 0.8);
        press(r, sn_vec3_make(PRESS, 0, 0), 300);
        feeling* f = feel(r->world, &r->hand, 1);
        sn_vec3 x[8];
        int points = points_on_wall(r, x, 8);
        CHECK(points >= 1, (uint64_t)k);
        for (int i = 0; i < points; i++) {
            // against the wall it is as heavy as the wall; without contact some kilograms
            double towards = mobility(r, &f->law, x[i], sn_vec3_make(1, 0, 0));
            double free_towards = mobility(r, &f->contacts.free, x[i], sn_vec3_make(1, 0, 0));
            double along = mobility(r, &f->law, x[i], sn_vec3_make(0, 0, 1));
            CHECK(free_towards > 0.05, (uint64_t)k);
            CHECK_NEAR(towards / free_towards, 0, 1e-6, (uint64_t)k);
            CHECK_NEAR(along / free_towards, 0, 1e-6, (uint64_t)k); // and it sticks
        }
        check_robot_step(r, &f->law, sn_vec3_make(3, 1, -2), 2e-2);
        // what is felt of 5 N more is 5 N more: the wall gives them back
        sn_wrench more = sn_wrench_add(r->hand.wrench, force_at(r, sn_vec3_make(5, 0, 0))), feed[2];
        CHECK_STATUS(sn_coupling_tick(&f->law, &r->hand.wrench, &feed[0]), SN_OK);
        CHECK_STATUS(sn_coupling_tick(&f->law, &more, &feed[1]), SN_OK);
        double back = sn_vec3_norm(sn_vec3_sub(feed[1].f, feed[0].f));
        CHECK(back > 3 && back < 6, (uint64_t)k);
        free(f);
        robot_free(r);
    }
}

static void a_robots_hand_slides_along_a_smooth_wall(void** state) {
    (void)state;
    robot* r = robot_on_wall("aba", 0.1);
    press(r, sn_vec3_make(PRESS, 0, 0), 200);
    press(r, sn_vec3_make(PRESS, 0, 10), 40);
    feeling* f = feel(r->world, &r->hand, 1);
    sn_vec3 x[8];
    int points = points_on_wall(r, x, 8);
    CHECK(points >= 1, 0);
    for (int i = 0; i < points; i++) {
        double scale = mobility(r, &f->contacts.free, x[i], sn_vec3_make(1, 0, 0));
        CHECK_NEAR(mobility(r, &f->law, x[i], sn_vec3_make(1, 0, 0)) / scale, 0, 1e-3, 0);
    }
    CHECK(mobility(r, &f->law, x[0], sn_vec3_make(0, 0, 1)) > 1e-2, 0); // upward it gives
    check_robot_step(r, &f->law, sn_vec3_make(0.5, 0, 0.5), 5e-2);
    free(f);
    robot_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_on_a_floor_feels_the_floor_and_sticks),
        cmocka_unit_test(a_box_that_slides_is_braked_as_in_the_next_step),
        cmocka_unit_test(a_box_that_is_lifted_is_free_to_the_bit),
        cmocka_unit_test(two_hands_on_a_stack_feel_each_other_through_contact),
        cmocka_unit_test(a_constraint_holds_between_steps),
        cmocka_unit_test(a_joint_at_its_limit_gives_no_way),
        cmocka_unit_test(dry_friction_holds_and_gives_way_at_its_bound),
        cmocka_unit_test(a_chain_on_a_floor_has_one_law_by_every_dynamics),
        cmocka_unit_test(what_does_not_fit_is_counted_and_the_most_loaded_stay),
        cmocka_unit_test(asking_changes_no_step),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(a_robots_hand_on_a_wall_feels_the_wall),
        cmocka_unit_test(a_robots_hand_slides_along_a_smooth_wall),
        cmocka_unit_test(a_world_without_contact_has_the_law_of_its_dynamics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
