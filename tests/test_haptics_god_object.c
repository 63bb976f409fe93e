// SPDX-License-Identifier: Apache-2.0
// A tool that a hand moves and turns among surfaces: no ball of it enters anything, and what the hand feels is in balance
// with what the surfaces do.
#include <math.h>
#include <string.h>

#include "sinew/touch.h"
#include "support/check.h"
#include "support/pieces.h"

enum { TEST_WALK = 980 };
static const double TICK = 1e-3, SKIN = 20e-6;

typedef struct holder {
    sn_god_object object;
    sn_local_geometry local;
    sn_tool_touch touch;
    sn_hand device;
} holder;

static sn_vec3 at(double x, double y, double z) { return sn_vec3_make(x, y, z); }

static holder* begin(sn_vec3 edges, int divisions) {
    holder* h = calloc(1, sizeof *h);
    sn_touch_def def = sn_touch_def_default();
    def.damping = def.turn_damping = 0;
    sn_tool tool = sn_tool_box(sn_pose_identity(), edges, divisions);
    CHECK_STATUS(sn_god_object_init(&h->object, &def, &tool), SN_OK);
    h->local = test_record();
    return h;
}

static void start(holder* h, sn_pose X) {
    sn_god_object_refresh(&h->object, &h->local);
    sn_god_object_start(&h->object, X);
    h->device.pose = X;
}

static void tick(holder* h, sn_pose X) {
    h->device.pose = X;
    CHECK_STATUS(sn_god_object_tick(&h->object, &h->device, TICK, &h->touch), SN_OK);
}

static sn_pose turned(sn_vec3 turn, sn_vec3 p) {
    return sn_pose_make(sn_quat_matrix(sn_quat_exp(turn)), p);
}

static void move_to(holder* h, sn_vec3 turn, sn_vec3 p, int ticks) {
    sn_pose from = h->device.pose;
    sn_vec3 all = sn_quat_log(sn_quat_from_matrix(
        sn_mat3_mul(sn_quat_matrix(sn_quat_exp(turn)), sn_mat3_transpose(from.R))));
    for (int k = 1; k <= ticks; k++) {
        double part = (double)k / ticks;
        sn_mat3 R = sn_quat_matrix(sn_quat_exp(sn_vec3_scale(part, all)));
        tick(h, sn_pose_make(sn_mat3_mul(R, from.R),
                             sn_vec3_add(from.p, sn_vec3_scale(part, sn_vec3_sub(p, from.p)))));
    }
    for (int k = 0; k < 20; k++) tick(h, h->device.pose);
}

/// No ball is inside of anything.
static void check_outside(const holder* h, uint64_t seed) {
    for (int32_t j = 0; j < h->object.tool.count; j++) {
        sn_vec3 p = sn_pose_apply(h->object.X, h->object.tool.point[j]);
        for (int32_t k = 0; k < h->object.surfaces.count; k++)
            CHECK(test_piece_distance(&h->object.surfaces.piece[k], p) >
                      h->object.tool.radius[j] + 0.1 * SKIN,
                  seed);
    }
}

/// What the surfaces get is the opposite of what the hand feels, moments about the handle.
static void check_balance(const holder* h, double tolerance, uint64_t seed) {
    sn_vec3 f = h->touch.wrench.f, n = h->touch.wrench.n;
    CHECK(h->touch.listed == h->touch.count, seed);
    for (int32_t k = 0; k < h->touch.listed; k++) {
        const sn_touched* t = &h->touch.at[k];
        // forces act where the ball's middle is, through the skin
        f = sn_vec3_add(f, t->force);
        n = sn_vec3_add(n, sn_vec3_cross(sn_vec3_sub(t->x, h->object.X.p), t->force));
    }
    CHECK_NEAR(sn_vec3_norm(f), 0, tolerance, seed);
    CHECK_NEAR(sn_vec3_norm(n), 0, tolerance, seed);
}

static void free_it_is_where_the_device_is(void** state) {
    (void)state;
    holder* h = begin(at(0.04, 0.02, 0.06), 2);
    CHECK(h->object.tool.count == 26, 0);
    test_add_piece(&h->local, SN_PIECE_PLANE, at(0, 0, 0), sn_pose_identity(), 0.5);
    start(h, turned(at(0, 0, 0), at(0, 0, 0.2)));
    move_to(h, at(0.4, -1, 0.3), at(0.05, 0.02, 0.1), 50);
    CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(h->object.X.p, h->device.pose.p)), 0, 1e-9, 0);
    CHECK(h->touch.count == 0 && sn_vec3_norm(h->touch.wrench.f) == 0, 0);
    free(h);
}

static void a_box_lies_flat_on_a_plane(void** state) {
    (void)state;
    holder* h = begin(at(0.04, 0.04, 0.02), 1);
    test_add_piece(&h->local, SN_PIECE_PLANE, at(0, 0, 0), sn_pose_identity(), 0.5);
    start(h, turned(at(0, 0, 0), at(0, 0, 0.05)));
    // pressed 5 mm deep with 4 N, and turned by less than 4 N can hold at its corners: it stays flat
    move_to(h, at(0.005, 0.008, 0), at(0.01, 0, 0.005), 100);
    CHECK_NEAR(h->object.X.p.z, 0.01 + SKIN, 1e-5, 0);
    CHECK_NEAR(h->object.X.p.x, 0.01, 1e-5, 0);
    CHECK_NEAR(h->object.X.R.m[2][2], 1, 1e-6, 0);
    CHECK_NEAR(h->touch.wrench.f.z, 800 * 0.005, 0.02, 0);
    CHECK_NEAR(hypot(h->touch.wrench.n.x, h->touch.wrench.n.y), 4 * hypot(0.005, 0.008), 1e-3, 0);
    move_to(h, at(0, 0, 0.3), at(0.01, 0, 0.005), 100);
    CHECK_NEAR(h->touch.wrench.n.z, 0, 1e-3, 0); // about the normal it turns freely
    CHECK_NEAR(h->object.X.R.m[0][1], -sin(0.3), 1e-4, 0);
    check_balance(h, 1e-3, 0);
    check_outside(h, 0);
    free(h);
}

static void turned_far_it_stands_on_an_edge(void** state) {
    (void)state;
    holder* h = begin(at(0.04, 0.04, 0.02), 1);
    test_add_piece(&h->local, SN_PIECE_PLANE, at(0, 0, 0), sn_pose_identity(), 0.5);
    start(h, turned(at(0, 0, 0), at(0, 0, 0.05)));
    move_to(h, at(0.5, 0, 0), at(0, 0, 0.017), 200);
    check_outside(h, 0);
    check_balance(h, 1e-3, 0);
    CHECK(h->touch.count == 2, 0); // two corners
    // the moment of the floor about the handle is what the turned-back spring gives
    double lever = 0.02 * cos(0.5) - 0.01 * sin(0.5); // of the edge, if it stood at 0.5 rad
    CHECK(h->touch.wrench.f.z > 0.5 &&
              fabs(h->touch.wrench.n.x) > 0.2 * lever * h->touch.wrench.f.z,
          0);
    free(h);
}

static void in_a_corner_it_touches_two_walls(void** state) {
    (void)state;
    holder* h = begin(at(0.04, 0.04, 0.04), 1);
    double quarter = acos(0.0);
    test_add_piece(&h->local, SN_PIECE_PLANE, at(0, 0, 0), sn_pose_identity(), 0.5);
    test_add_piece(&h->local, SN_PIECE_PLANE, at(0, 0, 0), turned(at(0, quarter, 0), at(0, 0, 0)),
                   0.5);
    start(h, turned(at(0, 0, 0), at(0.1, 0, 0.1)));
    move_to(h, at(0, 0, 0), at(0.016, 0.01, 0.014), 100);
    CHECK_NEAR(h->object.X.p.x, 0.02 + SKIN, 1e-5, 0);
    CHECK_NEAR(h->object.X.p.y, 0.01, 1e-5, 0);
    CHECK_NEAR(h->object.X.p.z, 0.02 + SKIN, 1e-5, 0);
    CHECK_NEAR(h->touch.wrench.f.x, 800 * 0.004, 0.03, 0);
    CHECK_NEAR(h->touch.wrench.f.z, 800 * 0.006, 0.03, 0);
    check_balance(h, 1e-3, 0);
    check_outside(h, 0);
    free(h);
}

/// A peg of balls, upright, pushed from above beside a hole between two plates, then over it.
static void a_peg_stops_on_a_plate_and_goes_into_a_gap(void** state) {
    (void)state;
    holder* h = begin(at(0.02, 0.02, 0.1), 3);
    CHECK(h->object.tool.count == 56, 0);
    for (int k = 0; k < 2; k++)
        test_add_piece(&h->local, SN_PIECE_BOX, at(0.1, 0.2, 0.05),
                       turned(at(0, 0, 0), at(k ? 0.062 : -0.062, 0, 0)), 0.5); // 24 mm apart
    start(h, turned(at(0, 0, 0), at(0.05, 0, 0.1)));
    move_to(h, at(0, 0, 0), at(0.05, 0, 0.065), 100);
    CHECK_NEAR(h->object.X.p.z, 0.075 + SKIN, 2e-5, 0);
    CHECK(h->touch.wrench.f.z > 7, 0);
    check_balance(h, 5e-3, 0);
    move_to(h, at(0, 0, 0), at(0.03, 0, 0.07), 200); // slides along
    CHECK_NEAR(h->object.X.p.x, 0.03, 1e-4, 0);
    move_to(h, at(0, 0, 0), at(0.03, 0, 0.08), 50);
    move_to(h, at(0, 0, 0), at(0.001, 0, 0.08), 50);  // over the gap
    move_to(h, at(0, 0, 0), at(0.001, 0, 0.01), 200); // and in
    CHECK_NEAR(h->object.X.p.z, 0.01, 1e-4, 0);
    check_outside(h, 0);
    // turned in the gap it meets both sides: a pair of forces against the turn
    move_to(h, at(0, 0.5, 0), at(0, 0, 0), 100);
    CHECK(h->touch.wrench.n.y < -0.5, 0);
    check_balance(h, 5e-3, 0);
    check_outside(h, 0);
    free(h);
}

static void random_walks_bring_no_ball_inside(void** state) {
    (void)state;
    int touched = 0;
    for (int k = 0; k < 8; k++) {
        uint64_t seed = test_case_seed(TEST_WALK, (uint64_t)k);
        test_rng rng = test_rng_make(seed);
        holder* h = begin(at(0.04, 0.03, 0.05), 1 + k % 2);
        test_add_piece(&h->local, SN_PIECE_PLANE, at(0, 0, 0), turned(at(0, 0, 0), at(0, 0, -0.08)),
                       0.5);
        for (int i = 0; i < 6; i++) {
            static const sn_piece_type types[] = {SN_PIECE_SPHERE, SN_PIECE_BOX, SN_PIECE_CYLINDER};
            sn_vec3 where = sn_vec3_scale(0.12, test_direction(&rng));
            test_add_piece(&h->local, types[i % 3], at(0.03, 0.03, 0.04),
                           sn_pose_make(test_rotation(&rng), where), 0.5);
        }
        start(h, sn_pose_identity());
        sn_vec3 x = at(0, 0, 0), r = at(0, 0, 0);
        for (int step = 0; step < 400; step++) {
            x = sn_vec3_add(sn_vec3_scale(0.98, x), test_vec3(&rng, step % 40 ? 0.004 : 0.05));
            r = sn_vec3_add(sn_vec3_scale(0.98, r), test_vec3(&rng, step % 40 ? 0.03 : 0.5));
            tick(h, turned(r, x));
            check_outside(h, seed);
            touched += h->touch.count > 0;
        }
        free(h);
    }
    CHECK(touched > 300, 0);
}

static void a_wall_that_moves_pushes_it(void** state) {
    (void)state;
    holder* h = begin(at(0.02, 0.02, 0.02), 1);
    sn_piece* wall = test_add_piece(&h->local, SN_PIECE_BOX, at(0.001, 0.2, 0.2),
                                    turned(at(0, 0, 0), at(-0.05, 0, 0)), 0.5);
    wall->velocity.v.x = 2; // twice its thickness in a tick
    wall->body = sn_body(7);
    start(h, sn_pose_identity());
    for (int k = 0; k < 25; k++) tick(h, sn_pose_identity());
    CHECK_NEAR(h->object.X.p.x, -0.05 + 0.05 + 0.0005 + 0.01 + SKIN, 1e-5, 0);
    CHECK_NEAR(h->touch.wrench.f.x, 800 * 0.0105, 0.05, 0);
    CHECK(h->touch.listed >= 2 && h->touch.at[0].body.i == 7, 0);
    check_balance(h, 1e-2, 0);
    // the next record has it farther on than was thought
    h->local.piece[0].X_wp.p.x = 0.01;
    h->local.piece[0].velocity.v.x = 0;
    sn_god_object_refresh(&h->object, &h->local);
    for (int k = 0; k < 5; k++) tick(h, sn_pose_identity());
    CHECK_NEAR(h->object.X.p.x, 0.01 + 0.0005 + 0.01 + SKIN, 1e-5, 0);
    free(h);
}

static void what_it_starts_in_does_not_hold_it(void** state) {
    (void)state;
    holder* h = begin(at(0.02, 0.02, 0.02), 1);
    test_add_piece(&h->local, SN_PIECE_BOX, at(0.1, 0.1, 0.1), sn_pose_identity(), 0.5);
    start(h, turned(at(0, 0, 0), at(0, 0, 0.045))); // its lower corners are inside
    tick(h, turned(at(0, 0, 0), at(0, 0, 0.046)));
    CHECK(h->touch.count == 0 && sn_vec3_norm(h->touch.wrench.f) == 0, 0);
    move_to(h, at(0, 0, 0), at(0, 0, 0.08), 50); // out
    move_to(h, at(0, 0, 0), at(0, 0, 0.05), 50); // and back: now it does
    CHECK_NEAR(h->object.X.p.z, 0.06 + SKIN, 1e-5, 0);
    free(h);
}

static void dampers_never_pull(void** state) {
    (void)state;
    holder* h = begin(at(0.02, 0.02, 0.02), 1);
    h->object.def.damping = 50;
    test_add_piece(&h->local, SN_PIECE_PLANE, at(0, 0, 0), sn_pose_identity(), 0.5);
    start(h, turned(at(0, 0, 0), at(0, 0, 0.011)));
    move_to(h, at(0, 0, 0), at(0, 0, 0.008), 10);
    double still = h->touch.wrench.f.z;
    h->device.velocity.v.z = -0.01;
    tick(h, h->device.pose);
    CHECK_NEAR(h->touch.wrench.f.z, still + 0.5, 1e-6, 0);
    h->device.velocity.v.z = 1;
    tick(h, h->device.pose);
    CHECK_NEAR(h->touch.wrench.f.z, 0, 1e-9, 0);
    free(h);
}

static void what_makes_no_sense_is_refused(void** state) {
    (void)state;
    holder* h = begin(at(0.02, 0.02, 0.02), 1);
    sn_touch_def def = sn_touch_def_default();
    sn_tool tool = sn_tool_box(sn_pose_identity(), at(1, 1, 1), 9), none = {0};
    CHECK(tool.count == 56, 0);
    CHECK_STATUS(sn_god_object_init(NULL, &def, &tool), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_god_object_init(&h->object, &def, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_god_object_init(&h->object, &def, &none), SN_ERR_ARGUMENT);
    tool.point[3].x = NAN;
    CHECK_STATUS(sn_god_object_init(&h->object, &def, &tool), SN_ERR_ARGUMENT);
    tool.point[3].x = 0, tool.radius[0] = -1;
    CHECK_STATUS(sn_god_object_init(&h->object, &def, &tool), SN_ERR_ARGUMENT);
    tool.radius[0] = 0, def.turn_stiffness = 0;
    CHECK_STATUS(sn_god_object_init(&h->object, &def, &tool), SN_ERR_ARGUMENT);
    start(h, sn_pose_identity());
    h->device.pose.p.x = NAN;
    CHECK_STATUS(sn_god_object_tick(&h->object, &h->device, TICK, &h->touch), SN_ERR_NUMERIC);
    CHECK(sn_vec3_norm(h->touch.wrench.f) == 0, 0);
    h->device.pose.p.x = 0;
    CHECK_STATUS(sn_god_object_tick(&h->object, &h->device, -1, &h->touch), SN_ERR_ARGUMENT);
    free(h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_it_is_where_the_device_is),
        cmocka_unit_test(a_box_lies_flat_on_a_plane),
        cmocka_unit_test(turned_far_it_stands_on_an_edge),
        cmocka_unit_test(in_a_corner_it_touches_two_walls),
        cmocka_unit_test(a_peg_stops_on_a_plate_and_goes_into_a_gap),
        cmocka_unit_test(random_walks_bring_no_ball_inside),
        cmocka_unit_test(a_wall_that_moves_pushes_it),
        cmocka_unit_test(what_it_starts_in_does_not_hold_it),
        cmocka_unit_test(dampers_never_pull),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
