// SPDX-License-Identifier: Apache-2.0
// A point that a hand moves along surfaces: it stays outside of everything, where it is nearest to the device, held by
// friction within the cone, carried by what moves.
#include <math.h>
#include <string.h>

#include "sinew/touch.h"
#include "support/check.h"
#include "support/pieces.h"

enum { TEST_PROJECTION = 960, TEST_WALK, TEST_MOVING, TEST_MESH };
static const double TICK = 1e-3, SKIN = 20e-6;

typedef struct probe {
    sn_proxy proxy;
    sn_local_geometry local;
    sn_touch touch;
    sn_vec3 device;
} probe;

static probe* begin(void) {
    probe* p = calloc(1, sizeof *p);
    sn_touch_def def = sn_touch_def_default();
    def.damping = 0;
    CHECK_STATUS(sn_proxy_init(&p->proxy, &def), SN_OK);
    p->local = test_record();
    return p;
}

/// Takes the record in, and begins at x.
static void start(probe* p, sn_vec3 x) {
    sn_proxy_refresh(&p->proxy, &p->local);
    sn_proxy_start(&p->proxy, x);
    p->device = x;
}

static void tick(probe* p, sn_vec3 x) {
    sn_vec3 v = sn_vec3_scale(1 / TICK, sn_vec3_sub(x, p->device));
    CHECK_STATUS(sn_proxy_tick(&p->proxy, x, v, TICK, &p->touch), SN_OK);
    p->device = x;
}

/// Straight, in so many ticks.
static void move_to(probe* p, sn_vec3 x, int ticks) {
    sn_vec3 from = p->device;
    for (int k = 1; k <= ticks; k++)
        tick(p, sn_vec3_add(from, sn_vec3_scale((double)k / ticks, sn_vec3_sub(x, from))));
}

static void check_at(const probe* p, sn_vec3 x, double tolerance, uint64_t seed) {
    CHECK_NEAR(p->proxy.p.x, x.x, tolerance, seed);
    CHECK_NEAR(p->proxy.p.y, x.y, tolerance, seed);
    CHECK_NEAR(p->proxy.p.z, x.z, tolerance, seed);
}

/// It is outside of all pieces where they are now.
static void check_outside(const probe* p, double least, uint64_t seed) {
    for (int32_t k = 0; k < p->proxy.surfaces.count; k++)
        CHECK(test_piece_distance(&p->proxy.surfaces.piece[k], p->proxy.p) >= least, seed);
}

static sn_vec3 at(double x, double y, double z) { return sn_vec3_make(x, y, z); }

// ---- where it is ----------------------------------------------------------------------------------------------------

static void free_it_is_where_the_device_is_and_feels_nothing(void** state) {
    (void)state;
    probe* p = begin();
    test_add_piece(&p->local, SN_PIECE_PLANE, at(0, 0, 0), sn_pose_identity(), 0.5);
    start(p, at(0, 0, 0.1));
    move_to(p, at(0.3, -0.2, 0.01), 50);
    check_at(p, at(0.3, -0.2, 0.01), 1e-12, 0);
    CHECK(sn_vec3_norm(p->touch.force) == 0 && p->touch.count == 0 && !p->touch.beyond, 0);
    free(p);
}

static void on_a_plane_it_is_over_the_device(void** state) {
    (void)state;
    probe* p = begin();
    p->proxy.def.friction = 0;
    test_add_piece(&p->local, SN_PIECE_PLANE, at(0, 0, 0), sn_pose_identity(), 0.5);
    start(p, at(0, 0, 0.1));
    move_to(p, at(0.03, 0.02, -0.004), 40);
    move_to(p, at(0.08, -0.02, -0.006), 40);
    check_at(p, at(0.08, -0.02, SKIN), 1e-9, 0);
    CHECK_NEAR(p->touch.force.z, 800 * (0.006 + SKIN), 1e-6, 0);
    CHECK_NEAR(p->touch.force.x, 0, 1e-6, 0);
    CHECK(p->touch.count == 1 && p->touch.at[0].body.i == 0, 0);
    CHECK_NEAR(p->touch.at[0].force.z, -p->touch.force.z, 1e-9, 0);
    CHECK_NEAR(p->touch.at[0].x.z, 0, 1e-9, 0);
    free(p);
}

/// Pressed towards the middle of a convex body from a random side, it is at the nearest point of the surface.
static void on_primitives_it_is_at_the_nearest_point(void** state) {
    (void)state;
    static const sn_piece_type types[] = {SN_PIECE_SPHERE, SN_PIECE_CAPSULE, SN_PIECE_CYLINDER,
                                          SN_PIECE_BOX};
    for (int k = 0; k < 80; k++) {
        uint64_t seed = test_case_seed(TEST_PROJECTION, (uint64_t)k);
        test_rng rng = test_rng_make(seed);
        probe* p = begin();
        p->proxy.def.friction = 0;
        sn_pose X = sn_pose_make(test_rotation(&rng), test_vec3(&rng, 0.1));
        test_add_piece(&p->local, types[k % 4], at(0.05, k % 4 == 3 ? 0.06 : 0.05, 0.08), X, 0.5);
        const sn_piece* piece = &p->local.piece[0];
        sn_vec3 d = test_direction(&rng), out = sn_vec3_add(X.p, sn_vec3_scale(0.2, d));
        start(p, out);
        // in until it is 2 mm deep
        double s = 0.2;
        while (test_piece_distance(piece, sn_vec3_add(X.p, sn_vec3_scale(s, d))) > -2e-3) s -= 1e-4;
        sn_vec3 deep = sn_vec3_add(X.p, sn_vec3_scale(s, d));
        move_to(p, deep, 100);
        for (int i = 0; i < 50; i++) tick(p, deep); // around edges it takes several legs
        double depth = -test_piece_distance(piece, deep);
        double away = sn_vec3_norm(sn_vec3_sub(p->proxy.p, deep));
        CHECK_NEAR(test_piece_distance(piece, p->proxy.p), SKIN, 1e-8, seed);
        CHECK_NEAR(away, depth + SKIN, 1e-6, seed);
        CHECK_NEAR(sn_vec3_norm(p->touch.force), 800 * away, 1e-9, seed);
        free(p);
    }
}

static void it_slides_over_a_mesh_as_over_a_plane(void** state) {
    (void)state;
    probe* p = begin();
    p->proxy.def.friction = 0;
    test_add_mesh_box(&p->local, 3, at(0.1, 0.1, 0.02), 2, 0.5); // 48 triangles
    start(p, at(-0.08, 0.03, 0.05));
    move_to(p, at(-0.08, 0.03, 0.018), 50);
    for (int k = 0; k < 300; k++) { // over inner edges without a bump
        sn_vec3 x = at(-0.08 + 0.16 * k / 300, 0.03 * cos(0.02 * k), 0.018);
        tick(p, x);
        check_at(p, at(x.x, x.y, 0.02 + SKIN), 1e-7, (uint64_t)k);
        CHECK_NEAR(p->touch.force.x, 0, 1e-4, (uint64_t)k);
        CHECK_NEAR(p->touch.force.z, 800 * (0.002 + SKIN), 1e-4, (uint64_t)k);
        CHECK(p->touch.at[0].body.i == 3 && p->touch.at[0].triangle >= 0, (uint64_t)k);
    }
    // over its rim, and down the side
    move_to(p, at(0.105, 0.02, 0.018), 50);
    move_to(p, at(0.098, 0.02, 0), 50);
    for (int k = 0; k < 20; k++) tick(p, at(0.098, 0.02, 0));
    check_at(p, at(0.1 + SKIN, 0.02, 0), 1e-7, 0);
    free(p);
}

static void in_a_corner_it_touches_all_walls(void** state) {
    (void)state;
    probe* p = begin();
    p->proxy.def.friction = 0;
    double quarter = acos(0.0);
    test_add_piece(&p->local, SN_PIECE_PLANE, at(0, 0, 0), sn_pose_identity(), 0.5);
    test_add_piece(&p->local, SN_PIECE_PLANE, at(0, 0, 0),
                   sn_pose_make(sn_quat_matrix(sn_quat_exp(at(0, quarter, 0))), at(0, 0, 0)), 0.5);
    test_add_piece(&p->local, SN_PIECE_PLANE, at(0, 0, 0),
                   sn_pose_make(sn_quat_matrix(sn_quat_exp(at(-quarter, 0, 0))), at(0, 0, 0)), 0.5);
    start(p, at(0.02, 0.02, 0.02));
    move_to(p, at(-0.001, 0.01, -0.002), 60);
    check_at(p, at(SKIN, 0.01, SKIN), 1e-8, 0);
    CHECK(p->touch.count == 2, 0);
    move_to(p, at(-0.001, -0.003, -0.002), 60);
    check_at(p, at(SKIN, SKIN, SKIN), 1e-8, 0);
    CHECK(p->touch.count == 3, 0);
    sn_vec3 sum = sn_vec3_zero();
    for (int k = 0; k < 3; k++) {
        sum = sn_vec3_add(sum, p->touch.at[k].force);
        double depth[3] = {0.002, 0.001, 0.003};
        CHECK_NEAR(sn_vec3_norm(p->touch.at[k].force), 800 * (depth[p->touch.at[k].body.i] + SKIN),
                   1e-6, (uint64_t)k);
    }
    CHECK_NEAR(sn_vec3_norm(sn_vec3_add(sum, p->touch.force)), 0, 1e-9, 0);
    // a hundred jumps about: it never leaves
    test_rng rng = test_rng_make(1);
    for (int k = 0; k < 100; k++) {
        tick(p, test_vec3(&rng, 0.05));
        check_outside(p, 0.9 * SKIN, (uint64_t)k);
    }
    free(p);
}

// ---- friction -----------------------------------------------------------------------------------------------------------

static void it_sticks_within_the_cone_and_slips_at_it(void** state) {
    (void)state;
    probe* p = begin();
    sn_piece* plane =
        test_add_piece(&p->local, SN_PIECE_PLANE, at(0, 0, 0), sn_pose_identity(), 0.5);
    plane->material.mu_kinetic = 0.3;
    plane->material.stribeck_speed = 1e-3;
    start(p, at(0, 0, 0.01));
    move_to(p, at(0, 0, -0.004), 30);
    double depth = 0.004 + SKIN;
    move_to(p, at(0.49 * depth, 0, -0.004), 30); // below mu times depth
    check_at(p, at(0, 0, SKIN), 1e-9, 0);
    CHECK(!p->touch.slips, 0);
    CHECK_NEAR(p->touch.force.x, -800 * 0.49 * depth, 1e-6, 0);
    for (int k = 0; k < 100; k++) {
        tick(p, at(0.003 + 1e-4 * k, 0, -0.004));
        double ratio = fabs(p->touch.force.x) / p->touch.force.z;
        CHECK(ratio <= 0.5 + 1e-9, (uint64_t)k);
        if (k > 0) CHECK_NEAR(ratio, 0.3, 1e-6, (uint64_t)k); // slides: kinetic
        CHECK(p->touch.slips || k == 0, (uint64_t)k);
    }
    // back a little: it sticks again
    double x = p->proxy.p.x;
    tick(p, at(x + 0.1 * depth, 0, -0.004));
    CHECK_NEAR(p->proxy.p.x, x, 1e-9, 0);
    CHECK(!p->touch.slips, 0);
    free(p);
}

static void friction_on_a_ball_stays_within_the_cone(void** state) {
    (void)state;
    probe* p = begin();
    test_add_piece(&p->local, SN_PIECE_SPHERE, at(0.05, 0, 0), sn_pose_identity(), 0.4);
    start(p, at(0, 0, 0.07));
    move_to(p, at(0, 0, 0.048), 50);
    int slips = 0;
    for (int k = 0; k < 400; k++) { // half around, 2 mm deep
        double angle = 0.004 * k;
        tick(p, at(0.048 * sin(angle), 0, 0.048 * cos(angle)));
        sn_vec3 n = sn_vec3_scale(1 / sn_vec3_norm(p->proxy.p), p->proxy.p);
        double f_n = sn_vec3_dot(n, p->touch.force);
        double f_t = sn_vec3_norm(sn_vec3_sub(p->touch.force, sn_vec3_scale(f_n, n)));
        CHECK(f_n > 0 && f_t <= 0.4 * f_n * 1.05, (uint64_t)k);
        if (k > 50) CHECK_NEAR(f_t / f_n, 0.4, 0.02, (uint64_t)k);
        check_outside(p, 0.9 * SKIN, (uint64_t)k);
        slips += p->touch.slips;
    }
    CHECK(slips > 300, 0);
    free(p);
}

static void without_friction_closed_paths_do_no_work(void** state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        probe* p = begin();
        p->proxy.def.friction = 0;
        if (kind == 0)
            test_add_piece(&p->local, SN_PIECE_SPHERE, at(0.05, 0, 0), sn_pose_identity(), 0.5);
        else if (kind == 1)
            test_add_piece(&p->local, SN_PIECE_BOX, at(0.08, 0.08, 0.08), sn_pose_identity(), 0.5);
        else
            test_add_mesh_box(&p->local, 0, at(0.04, 0.04, 0.04), 2, 0.5);
        double work = 0, traded = 0;
        start(p, at(0, 0.002, 0.06));
        move_to(p, at(0, 0.002, 0.045), 20);
        for (int k = 0; k <= 4000; k++) { // a flat circle that dips in on top, twice
            double angle = 2 * 2 * acos(-1.0) * k / 4000;
            sn_vec3 before = p->device, f = p->touch.force;
            tick(p, at(0.02 * sin(angle), 0.002, 0.045 - 0.008 * (1 - cos(angle))));
            // mean force over the tick: the sum over a closed path has no error of first order
            sn_vec3 mean = sn_vec3_scale(0.5, sn_vec3_add(f, p->touch.force));
            double part = sn_vec3_dot(mean, sn_vec3_sub(p->device, before));
            if (k == 0) continue;
            work += part;
            traded += fabs(part);
        }
        CHECK(traded > 1e-3, (uint64_t)kind);
        CHECK_NEAR(work / traded, 0, 2e-3, (uint64_t)kind);
        free(p);
    }
}

static void friction_takes_work_and_never_gives_it(void** state) {
    (void)state;
    probe* p = begin();
    test_add_piece(&p->local, SN_PIECE_PLANE, at(0, 0, 0), sn_pose_identity(), 0.5);
    start(p, at(0, 0, 0.01));
    move_to(p, at(0, 0, -0.003), 30);
    double work = 0;
    for (int k = 0; k < 4000; k++) {
        double angle = 2 * acos(-1.0) * k / 1000;
        sn_vec3 before = p->device, f = p->touch.force;
        tick(p, at(0.01 * sin(angle), 0.01 * (1 - cos(angle)), -0.003));
        sn_vec3 mean = sn_vec3_scale(0.5, sn_vec3_add(f, p->touch.force));
        work += sn_vec3_dot(mean, sn_vec3_sub(p->device, before));
    }
    double expected = -4 * 2 * acos(-1.0) * 0.01 * 0.5 * 800 * 0.003;
    CHECK_RELATIVE(work, expected, 0.05, 0);
    free(p);
}

// ---- never through --------------------------------------------------------------------------------------------------------

static void random_walks_never_bring_it_inside(void** state) {
    (void)state;
    static const sn_piece_type types[] = {SN_PIECE_PLANE, SN_PIECE_SPHERE, SN_PIECE_CAPSULE,
                                          SN_PIECE_CYLINDER, SN_PIECE_BOX};
    int touched = 0;
    for (int k = 0; k < 30; k++) {
        uint64_t seed = test_case_seed(TEST_WALK, (uint64_t)k);
        test_rng rng = test_rng_make(seed);
        probe* p = begin();
        p->proxy.def.friction = k % 2;
        p->proxy.def.radius = k % 3 == 0 ? 0.005 : 0;
        for (int i = 0; i < 12; i++) {
            sn_piece_type type = types[i == 0 ? 0 : 1 + test_index(&rng, 4)];
            sn_vec3 where = test_vec3(&rng, 0.08);
            if (sn_vec3_norm(where) < 0.08) where.x += 0.16; // the middle stays free
            if (i == 0) where = at(0, 0, -0.06);
            sn_pose X = sn_pose_make(i ? test_rotation(&rng) : sn_mat3_identity(), where);
            test_add_piece(&p->local, type, at(0.02, 0.03, 0.05), X, test_uniform(&rng, 0, 0.8));
        }
        start(p, at(0, 0, 0));
        sn_vec3 x = at(0, 0, 0);
        double least = p->proxy.def.radius + 0.9 * SKIN;
        for (int step = 0; step < 600; step++) {
            x = sn_vec3_add(sn_vec3_scale(0.98, x), test_vec3(&rng, step % 50 ? 0.004 : 0.08));
            tick(p, x);
            check_outside(p, least, seed);
            touched += p->touch.count > 0;
        }
        free(p);
    }
    CHECK(touched > 1000, 0);
}

static void a_thin_plate_is_not_passed_however_fast(void** state) {
    (void)state;
    probe* p = begin();
    p->proxy.def.friction = 0;
    test_add_piece(&p->local, SN_PIECE_BOX, at(0.2, 0.2, 0.0003), sn_pose_identity(), 0.5);
    start(p, at(0, 0, 0.03));
    tick(p, at(0.01, 0, -0.04)); // 70 mm in a tick
    check_at(p, at(0.01, 0, 0.00015 + SKIN), 1e-8, 0);
    CHECK(p->touch.force.z > 30, 0);
    for (int k = 0; k < 40; k++) { // records come late, the plate shakes in them
        p->local.piece[0].X_wp.p.z = 0.002 * sin(k);
        sn_proxy_refresh(&p->proxy, &p->local);
        for (int i = 0; i < 7; i++) tick(p, at(0.01, 0, -0.03 + 0.001 * i));
        CHECK(p->proxy.p.z > p->local.piece[0].X_wp.p.z + 0.00015, (uint64_t)k);
        check_outside(p, 0.9 * SKIN, (uint64_t)k);
    }
    free(p);
}

static void a_mesh_is_not_passed_by_random_walks(void** state) {
    (void)state;
    for (int k = 0; k < 10; k++) {
        uint64_t seed = test_case_seed(TEST_MESH, (uint64_t)k);
        test_rng rng = test_rng_make(seed);
        probe* p = begin();
        p->proxy.def.friction = k % 2;
        sn_vec3 half = at(0.05, 0.04, 0.001);
        test_add_mesh_box(&p->local, 0, half, 2, 0.5);
        start(p, at(0, 0, 0.02));
        sn_piece box = {.type = SN_PIECE_BOX, .X_wp = sn_pose_identity()};
        box.size = sn_vec3_scale(2, half);
        for (int step = 0; step < 2000; step++) {
            tick(p, sn_vec3_add(at(0.06 * sin(0.01 * step), 0, 0), test_vec3(&rng, 0.02)));
            CHECK(test_piece_distance(&box, p->proxy.p) >= 0.9 * SKIN, seed);
        }
        free(p);
    }
}

// ---- what moves -------------------------------------------------------------------------------------------------------------

static void a_box_that_moves_pushes_it_and_is_pushed(void** state) {
    (void)state;
    probe* p = begin();
    p->proxy.def.push_gain = 3;
    sn_piece* box = test_add_piece(&p->local, SN_PIECE_BOX, at(0.02, 0.02, 0.02),
                                   sn_pose_make(sn_mat3_identity(), at(-0.02, 0, 0)), 0.5);
    box->velocity.v.x = 0.4;
    start(p, at(0, 0, 0));
    for (int k = 0; k < 40; k++) tick(p, at(0, 0, 0)); // reaches it after 25 ms
    check_at(p, at(-0.01 + 0.4 * 0.04 + SKIN, 0, 0), 1e-8, 0);
    CHECK_NEAR(p->touch.force.x, 800 * (0.006 + SKIN), 1e-5, 0);
    CHECK_NEAR(p->touch.at[0].force.x, -3 * p->touch.force.x, 1e-9, 0);
    // the record is too old after 50 ms: it stands
    for (int k = 0; k < 40; k++) tick(p, at(0, 0, 0));
    CHECK(p->proxy.p.x <= -0.01 + 0.4 * 0.05 + 2 * SKIN, 0);
    free(p);
}

static void what_moves_sideways_carries_it_by_friction(void** state) {
    (void)state;
    for (int rubs = 0; rubs < 2; rubs++) {
        probe* p = begin();
        p->proxy.def.friction = rubs;
        sn_piece* plane =
            test_add_piece(&p->local, SN_PIECE_PLANE, at(0, 0, 0), sn_pose_identity(), 0.5);
        plane->velocity.v.x = 0.02;
        plane->velocity.w.z = 0.1;
        start(p, at(0, 0, 0.001));
        move_to(p, at(0, 0, -0.002), 10);
        double from = p->proxy.p.x;
        for (int k = 0; k < 30; k++) tick(p, at(0, 0, -0.002));
        CHECK_NEAR(p->proxy.p.x - from, rubs ? 0.02 * 0.03 : 0, 1e-6, (uint64_t)rubs);
        free(p);
    }
}

static void fast_thin_things_do_not_jump_over_it(void** state) {
    (void)state;
    for (int k = 0; k < 60; k++) {
        uint64_t seed = test_case_seed(TEST_MOVING, (uint64_t)k);
        test_rng rng = test_rng_make(seed);
        probe* p = begin();
        // a plate that comes 2 to 20 mm in a tick, and turns
        sn_mat3 R = test_rotation(&rng);
        sn_vec3 n = sn_mat3_column(R, 2);
        sn_piece* plate = test_add_piece(&p->local, SN_PIECE_BOX, at(0.3, 0.3, 0.0005),
                                         sn_pose_make(R, sn_vec3_scale(-0.05, n)), 0.5);
        plate->velocity.v = sn_vec3_scale(test_uniform(&rng, 2, 20), n);
        plate->velocity.w = test_vec3(&rng, 3);
        start(p, at(0, 0, 0));
        for (int i = 0; i < 30; i++) {
            tick(p, at(0, 0, 0));
            const sn_piece* now = &p->proxy.surfaces.piece[0];
            sn_vec3 r = sn_mat3_apply_transposed(now->X_wp.R, sn_vec3_sub(p->proxy.p, now->X_wp.p));
            if (fabs(r.x) < 0.14 && fabs(r.y) < 0.14) CHECK(r.z > 0.00025, seed);
            check_outside(p, 0.9 * SKIN, seed);
        }
        free(p);
    }
}

static void between_walls_that_close_it_says_so(void** state) {
    (void)state;
    probe* p = begin();
    for (int k = 0; k < 2; k++) {
        double sign = k ? 1 : -1;
        sn_piece* wall =
            test_add_piece(&p->local, SN_PIECE_BOX, at(0.02, 0.2, 0.2),
                           sn_pose_make(sn_mat3_identity(), at(0.02 * sign, 0, 0)), 0.5);
        wall->velocity.v.x = -sign;
    }
    start(p, at(0, 0, 0));
    bool squeezed = false;
    for (int k = 0; k < 20; k++) {
        tick(p, at(0, 0, 0));
        squeezed = squeezed || p->touch.squeezed;
        if (k < 12)
            CHECK(fabs(p->proxy.p.x) < 1e-3, (uint64_t)k); // about the middle, until they cross
        CHECK(isfinite(sn_vec3_norm(p->touch.force)), (uint64_t)k);
    }
    CHECK(squeezed, 0);
    free(p);
}

// ---- the rest -----------------------------------------------------------------------------------------------------------------

static void damping_resists_going_in_and_never_pulls(void** state) {
    (void)state;
    probe* p = begin();
    p->proxy.def.damping = 5;
    test_add_piece(&p->local, SN_PIECE_PLANE, at(0, 0, 0), sn_pose_identity(), 0);
    start(p, at(0, 0, 0.001));
    tick(p, at(0, 0, -0.001));
    CHECK_NEAR(p->touch.force.z, 800 * (0.001 + SKIN) + 5 * 2, 1e-6, 0);
    tick(p, at(0, 0, -0.0005)); // out at 0.5 m/s: 2.5 N against 0.4 N
    CHECK_NEAR(p->touch.force.z, 0, 1e-9, 0);
    free(p);
}

static void beyond_the_record_it_waits_without_force(void** state) {
    (void)state;
    probe* p = begin();
    p->local.radius = 0.05;
    start(p, at(0, 0, 0));
    move_to(p, at(0.2, 0, 0), 10);
    CHECK(p->touch.beyond, 0);
    CHECK_NEAR(p->proxy.p.x, 0.05 - SKIN, 1e-9, 0);
    CHECK(sn_vec3_norm(p->touch.force) == 0, 0);
    // then a wall is seen between the two: it is not passed
    p->local.centre = at(0.1, 0, 0);
    p->local.radius = 0.15;
    test_add_piece(&p->local, SN_PIECE_BOX, at(0.002, 0.1, 0.1),
                   sn_pose_make(sn_mat3_identity(), at(0.1, 0, 0)), 0);
    sn_proxy_refresh(&p->proxy, &p->local);
    tick(p, at(0.2, 0, 0));
    CHECK_NEAR(p->proxy.p.x, 0.099 - SKIN, 1e-8, 0);
    // a record without room for all knows less
    p->local.complete = false;
    sn_proxy_refresh(&p->proxy, &p->local);
    CHECK(p->proxy.surfaces.reach <= 0.15, 0);
    free(p);
}

static void inside_something_it_starts_outside(void** state) {
    (void)state;
    probe* p = begin();
    test_add_piece(&p->local, SN_PIECE_BOX, at(0.1, 0.1, 0.1), sn_pose_identity(), 0.5);
    start(p, at(0.045, 0.01, 0));
    check_at(p, at(0.05 + SKIN, 0.01, 0), 1e-9, 0);
    free(p);
}

static void what_is_not_finite_gives_no_force(void** state) {
    (void)state;
    probe* p = begin();
    test_add_piece(&p->local, SN_PIECE_PLANE, at(0, 0, 0), sn_pose_identity(), 0.5);
    start(p, at(0, 0, 0.001));
    tick(p, at(0, 0, -0.002));
    sn_vec3 was = p->proxy.p;
    CHECK_STATUS(sn_proxy_tick(&p->proxy, at(NAN, 0, 0), at(0, 0, 0), TICK, &p->touch),
                 SN_ERR_NUMERIC);
    CHECK(sn_vec3_norm(p->touch.force) == 0 && memcmp(&was, &p->proxy.p, sizeof was) == 0, 0);
    CHECK_STATUS(sn_proxy_tick(&p->proxy, at(0, 0, 0), at(0, INFINITY, 0), TICK, &p->touch),
                 SN_ERR_NUMERIC);
    CHECK_STATUS(sn_proxy_tick(&p->proxy, at(0, 0, 0), at(0, 0, 0), 0, &p->touch), SN_ERR_ARGUMENT);
    tick(p, at(0, 0, -0.002));
    CHECK(p->touch.force.z > 1, 0);
    free(p);
}

static void options_that_make_no_sense_are_refused(void** state) {
    (void)state;
    sn_proxy* proxy = calloc(1, sizeof *proxy);
    sn_touch_def good = sn_touch_def_default();
    CHECK(sn_touch_def_trouble(&good) == NULL, 0);
    CHECK_STATUS(sn_proxy_init(NULL, &good), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_proxy_init(proxy, NULL), SN_ERR_ARGUMENT);
    for (int k = 0; k < 9; k++) {
        sn_touch_def def = good;
        double* field[] = {&def.stiffness,    &def.damping,   &def.turn_stiffness,
                           &def.turn_damping, &def.radius,    &def.skin,
                           &def.friction,     &def.push_gain, &def.horizon};
        *field[k] = k % 2 ? NAN : -1;
        CHECK(sn_touch_def_trouble(&def) != NULL, (uint64_t)k);
        CHECK_STATUS(sn_proxy_init(proxy, &def), SN_ERR_ARGUMENT);
    }
    free(proxy);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_it_is_where_the_device_is_and_feels_nothing),
        cmocka_unit_test(on_a_plane_it_is_over_the_device),
        cmocka_unit_test(on_primitives_it_is_at_the_nearest_point),
        cmocka_unit_test(it_slides_over_a_mesh_as_over_a_plane),
        cmocka_unit_test(in_a_corner_it_touches_all_walls),
        cmocka_unit_test(it_sticks_within_the_cone_and_slips_at_it),
        cmocka_unit_test(friction_on_a_ball_stays_within_the_cone),
        cmocka_unit_test(without_friction_closed_paths_do_no_work),
        cmocka_unit_test(friction_takes_work_and_never_gives_it),
        cmocka_unit_test(random_walks_never_bring_it_inside),
        cmocka_unit_test(a_thin_plate_is_not_passed_however_fast),
        cmocka_unit_test(a_mesh_is_not_passed_by_random_walks),
        cmocka_unit_test(a_box_that_moves_pushes_it_and_is_pushed),
        cmocka_unit_test(what_moves_sideways_carries_it_by_friction),
        cmocka_unit_test(fast_thin_things_do_not_jump_over_it),
        cmocka_unit_test(between_walls_that_close_it_says_so),
        cmocka_unit_test(damping_resists_going_in_and_never_pulls),
        cmocka_unit_test(beyond_the_record_it_waits_without_force),
        cmocka_unit_test(inside_something_it_starts_outside),
        cmocka_unit_test(what_is_not_finite_gives_no_force),
        cmocka_unit_test(options_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
