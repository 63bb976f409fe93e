// SPDX-License-Identifier: Apache-2.0
// Boxes that shapes stay in within a step: whatever will be in contact is found, also with planes, whose boxes have an end
// only when they face along an axis.
#include <math.h>
#include <stdio.h>

#include "collision/sn_collision.h"
#include "support/check.h"
#include "support/random_state.h"

enum {
    PLANES = 990, // first argument of test_case_seed
    CASES = 300,
    BODIES = 8,
    SHAPES = 2 * BODIES + 2, // two of a body, two of the world
    TOUCHES = SHAPES * 16
};

/// Shapes on bodies that move.
typedef struct scene {
    uint64_t seed;
    test_rng rng;
    sn_model* model;
    sn_pose X_wb[BODIES + 1];      ///< the world first
    sn_twist velocity[BODIES + 1]; ///< world axes
    double gap[SHAPES][SHAPES];    ///< sum over the contacts of two shapes
    int32_t points[SHAPES][SHAPES];
} scene;

static sn_twist turned(sn_mat3 R, sn_twist t) {
    return sn_twist_make(sn_mat3_apply(R, t.w), sn_mat3_apply(R, t.v));
}

/// One of the 24 that take axes to axes, as quaternions have it, with what rounding makes of them; or exactly.
static sn_mat3 quarter_turns(test_rng* rng) {
    sn_quat q = sn_quat_exp(sn_vec3_zero());
    for (int k = 0; k < 3; k++) {
        double angle = M_PI / 2 * test_index(rng, 4);
        int axis = test_index(rng, 3);
        q = sn_quat_mul(q, sn_quat_exp(sn_vec3_make(axis == 0 ? angle : 0, axis == 1 ? angle : 0,
                                                    axis == 2 ? angle : 0)));
    }
    sn_mat3 R = sn_quat_matrix(q);
    bool exact = test_chance(rng, 0.5);
    for (int r = 0; r < 3; r++)
        for (int c = 0; exact && c < 3; c++) R.m[r][c] = round(R.m[r][c]);
    return R;
}

static sn_mat3 some_axes(test_rng* rng) {
    return test_chance(rng, 0.3)   ? sn_mat3_identity()
           : test_chance(rng, 0.6) ? quarter_turns(rng)
                                   : test_rotation(rng);
}

static void add_shape(scene* s, sn_model_builder* b, const char* body, sn_shape_type type) {
    sn_shape_def shape = sn_shape_def_default();
    shape.body = body;
    shape.type = type;
    double r = test_uniform(&s->rng, 0.05, 0.2), z = test_uniform(&s->rng, 0.1, 0.6);
    shape.size = type == SN_SHAPE_BOX ? sn_vec3_make(r, 2 * r, z) : sn_vec3_make(r, r, z);
    shape.pose = sn_pose_make(some_axes(&s->rng), test_vec3(&s->rng, 0.3));
    assert_int_equal(sn_model_builder_add_shape(b, &shape), SN_OK);
}

static void make(scene* s) {
    static const sn_shape_type types[] = {SN_SHAPE_SPHERE, SN_SHAPE_SPHERE, SN_SHAPE_BOX,
                                          SN_SHAPE_CAPSULE, SN_SHAPE_CYLINDER};
    sn_model_builder* b = sn_model_builder_create("shapes");
    add_shape(s, b, NULL, SN_SHAPE_PLANE);
    add_shape(s, b, NULL, SN_SHAPE_SPHERE);
    for (int i = 0; i < BODIES; i++) {
        char name[8];
        snprintf(name, sizeof name, "b%d", i);
        sn_body_def body = sn_body_def_default();
        body.name = name;
        body.joint.type = SN_JOINT_FREE;
        assert_int_equal(sn_model_builder_add_body(b, &body), SN_OK);
        add_shape(s, b, name, types[test_index(&s->rng, 5)]);
        add_shape(s, b, name, i == 0 ? SN_SHAPE_PLANE : types[test_index(&s->rng, 5)]);
    }
    s->model = test_compile(b);
}

/// Half of the bodies turn; some are fast, some are far below everything.
static void move(scene* s, sn_collider* collider) {
    s->X_wb[0] = sn_pose_identity();
    for (int i = 1; i <= BODIES; i++) {
        sn_twist v = sn_twist_make(
            test_chance(&s->rng, 0.5) ? test_vec3(&s->rng, 5) : sn_vec3_zero(),
            test_chance(&s->rng, 0.7) ? test_vec3(&s->rng, test_chance(&s->rng, 0.5) ? 1 : 100)
                                      : sn_vec3_zero());
        s->X_wb[i] = sn_pose_make(some_axes(&s->rng),
                                  test_vec3(&s->rng, test_chance(&s->rng, 0.8) ? 0.5 : 50));
        s->velocity[i] = turned(s->X_wb[i].R, v);
        sn_collider_move(collider, sn_body(i - 1), s->X_wb[i], v);
    }
}

// ---- all pairs ------------------------------------------------------------------------------------------

static sn_vec3 velocity_at(const scene* s, int carrier, sn_vec3 x) {
    return sn_vec3_add(s->velocity[carrier].v,
                       sn_vec3_cross(s->velocity[carrier].w, sn_vec3_sub(x, s->X_wb[carrier].p)));
}

/// A plane and a solid: what passes by a plane meets it, so gap and speed say all.
static bool is_compared(const sni_placed* a, const sni_placed* b) {
    bool plane_a = a->solid.type == SN_SHAPE_PLANE, plane_b = b->solid.type == SN_SHAPE_PLANE;
    return a->body != b->body && plane_a != plane_b;
}

/// What is nearer than the margin, or will be within h, of all pairs with planes.
static void compare_all(scene* s, const sn_collider* collider, double h) {
    static const double FAR = 1e4;
    sni_touch room[TOUCHES];
    double margin = collider->def.margin;
    for (int i = 0; i < collider->shape_count; i++)
        for (int j = i + 1; j < collider->shape_count; j++) {
            const sni_placed *a = &collider->shape[i], *b = &collider->shape[j];
            if (!is_compared(a, b)) continue;
            sn_pose X_a = sn_pose_mul(s->X_wb[a->body + 1], a->X_bs),
                    X_b = sn_pose_mul(s->X_wb[b->body + 1], b->X_bs);
            sni_touches touches = {room, 0, TOUCHES, 0};
            sni_pair_memory memory = {0};
            sni_touch_pair(&a->solid, &X_a, &b->solid, &X_b, FAR, &memory, &touches);
            for (int k = 0; k < touches.count; k++) {
                const sni_touch* at = &touches.at[k];
                sn_vec3 v = sn_vec3_sub(velocity_at(s, a->body + 1, at->x),
                                        velocity_at(s, b->body + 1, at->x));
                double later = at->gap + h * sn_vec3_dot(at->n, v);
                if (!(at->gap <= margin || later <= margin)) continue;
                s->points[a->shape][b->shape]++;
                s->gap[a->shape][b->shape] += at->gap;
            }
        }
}

static void take_away_found(scene* s, sn_collider* collider, double h) {
    const sn_contact* contacts;
    int32_t count = sn_collider_collide(collider, h, &contacts, NULL);
    for (int32_t k = 0; k < count; k++) {
        int a, b;
        sn_collider_contact_shapes(collider, k, &a, &b);
        s->points[a][b]--;
        s->gap[a][b] -= contacts[k].gap;
    }
}

static void what_will_touch_a_plane_is_what_all_pairs_say(void** state) {
    (void)state;
    const double h = 0.01;
    int32_t touched = 0;
    for (int k = 0; k < CASES; k++) {
        scene s = {.seed = test_case_seed(PLANES, (uint64_t)k)};
        s.rng = test_rng_make(s.seed);
        make(&s);
        sn_collider* collider;
        assert_int_equal(sn_collider_create(s.model, NULL, NULL, &collider, NULL), SN_OK);
        for (int step = 0; step < 4; step++) {
            move(&s, collider);
            for (int i = 0; i < SHAPES; i++)
                for (int j = 0; j < SHAPES; j++) s.points[i][j] = 0, s.gap[i][j] = 0;
            compare_all(&s, collider, h);
            for (int i = 0; i < SHAPES; i++)
                for (int j = 0; j < SHAPES; j++) touched += s.points[i][j];
            take_away_found(&s, collider, h);
            for (int i = 0; i < collider->shape_count; i++)
                for (int j = i + 1; j < collider->shape_count; j++) {
                    const sni_placed *a = &collider->shape[i], *b = &collider->shape[j];
                    if (!is_compared(a, b)) continue;
                    CHECK(s.points[a->shape][b->shape] == 0, s.seed);
                    CHECK_NEAR(s.gap[a->shape][b->shape], 0, 1e-9, s.seed);
                }
        }
        sn_collider_free(collider);
        sn_model_free(s.model);
    }
    assert_true(touched > 10 * CASES); // there was something to find
}

/// Of bodies high above a floor and far below, only those below are looked at with it; of a tilted one all.
static void what_is_above_a_level_floor_is_not_near_it(void** state) {
    (void)state;
    for (int tilted = 0; tilted < 2; tilted++) {
        sn_model_builder* b = sn_model_builder_create("floor");
        sn_shape_def shape = sn_shape_def_default();
        shape.type = SN_SHAPE_PLANE;
        shape.pose.R = sn_quat_matrix(sn_quat_exp(sn_vec3_make(tilted * 1e-9, 0, 0)));
        assert_int_equal(sn_model_builder_add_shape(b, &shape), SN_OK);
        for (int i = 0; i < 2; i++) {
            sn_body_def body = sn_body_def_default();
            body.name = shape.body = i ? "below" : "above";
            body.joint.type = SN_JOINT_FREE;
            assert_int_equal(sn_model_builder_add_body(b, &body), SN_OK);
            shape.type = SN_SHAPE_SPHERE;
            shape.size = sn_vec3_make(0.1, 0.1, 0.1);
            assert_int_equal(sn_model_builder_add_shape(b, &shape), SN_OK);
        }
        sn_model* model = test_compile(b);
        sn_collider* collider;
        assert_int_equal(sn_collider_create(model, NULL, NULL, &collider, NULL), SN_OK);
        for (int i = 0; i < 2; i++)
            sn_collider_move(collider, sn_body(i),
                             sn_pose_make(sn_mat3_identity(), sn_vec3_make(0, 0, i ? -1e6 : 0.5)),
                             sn_twist_zero());
        const sn_contact* contact;
        sn_collision_report report;
        assert_int_equal(sn_collider_collide(collider, 1e-3, &contact, &report), 1);
        assert_int_equal(report.near, tilted ? 2 : 1);
        CHECK_NEAR(contact[0].gap, -1e6 - 0.1, 1e-3, 0);
        sn_collider_free(collider);
        sn_model_free(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_will_touch_a_plane_is_what_all_pairs_say),
        cmocka_unit_test(what_is_above_a_level_floor_is_not_near_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
