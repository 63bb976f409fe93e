// SPDX-License-Identifier: Apache-2.0
// Laws of spatial vectors, poses, inertias and quaternions (MATH 12, item 1).
#include <math.h>
#include <string.h>

#include "sinew/model.h"
#include "support/check.h"
#include "support/random_state.h"

enum { CASES = 300, TEST_TWIST = 600, TEST_INERTIA, TEST_QUAT };

static const double PI = 3.14159265358979323846;

typedef struct sample {
    uint64_t seed;
    test_rng rng;
    sn_pose X, Y;
    sn_twist a, b;
    sn_wrench f;
} sample;

static sn_twist random_twist(test_rng* rng) {
    sn_vec3 w = test_vec3(rng, 1);
    return sn_twist_make(w, test_vec3(rng, 1));
}

static sample make_sample(int test, int i) {
    sample s;
    s.seed = test_case_seed((uint64_t)test, (uint64_t)i);
    s.rng = test_rng_make(s.seed);
    s.X = test_pose(&s.rng, 1);
    s.Y = test_pose(&s.rng, 1);
    s.a = random_twist(&s.rng);
    s.b = random_twist(&s.rng);
    sn_twist t = random_twist(&s.rng);
    s.f = sn_wrench_make(t.w, t.v);
    return s;
}

static void check_vec3(sn_vec3 a, sn_vec3 b, double tolerance, uint64_t seed) {
    CHECK_NEAR(a.x, b.x, tolerance, seed);
    CHECK_NEAR(a.y, b.y, tolerance, seed);
    CHECK_NEAR(a.z, b.z, tolerance, seed);
}

/// Relative to the larger half: lever arms bring the one into the other.
static void check_twist(sn_twist a, sn_twist b, uint64_t seed) {
    double size = fmax(1, fmax(sn_vec3_norm(b.w), sn_vec3_norm(b.v)));
    check_vec3(a.w, b.w, TOL_ROUNDOFF * size, seed);
    check_vec3(a.v, b.v, TOL_ROUNDOFF * size, seed);
}

static void check_mat3(sn_mat3 a, sn_mat3 b, double tolerance, uint64_t seed) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) CHECK_NEAR(a.m[i][j], b.m[i][j], tolerance, seed);
}

// ---- twists and wrenches -------------------------------------------------------------------------

static void power_is_the_same_in_every_frame(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        sample s = make_sample(TEST_TWIST, i);
        double p = sn_power(s.f, s.a);
        double size = 10 + fabs(p);
        CHECK_NEAR(sn_power(sn_pose_wrench(s.X, s.f), sn_pose_twist(s.X, s.a)), p,
                   TOL_ROUNDOFF * size, s.seed);
        CHECK_NEAR(sn_power(sn_pose_wrench_inverse(s.X, s.f), sn_pose_twist_inverse(s.X, s.a)), p,
                   TOL_ROUNDOFF * size, s.seed);
    }
}

static void transforms_of_twists_and_wrenches_can_be_undone(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        sample s = make_sample(TEST_TWIST, 1000 + i);
        check_twist(sn_pose_twist_inverse(s.X, sn_pose_twist(s.X, s.a)), s.a, s.seed);
        check_twist(sn_pose_twist(sn_pose_inverse(s.X), s.a), sn_pose_twist_inverse(s.X, s.a),
                    s.seed);
        sn_wrench back = sn_pose_wrench_inverse(s.X, sn_pose_wrench(s.X, s.f));
        check_twist(sn_twist_make(back.n, back.f), sn_twist_make(s.f.n, s.f.f), s.seed);
    }
}

static void transforms_compose_as_poses_do(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        sample s = make_sample(TEST_TWIST, 2000 + i);
        sn_pose XY = sn_pose_mul(s.X, s.Y);
        check_twist(sn_pose_twist(XY, s.a), sn_pose_twist(s.X, sn_pose_twist(s.Y, s.a)), s.seed);
        sn_wrench one = sn_pose_wrench(XY, s.f),
                  two = sn_pose_wrench(s.X, sn_pose_wrench(s.Y, s.f));
        check_twist(sn_twist_make(one.n, one.f), sn_twist_make(two.n, two.f), s.seed);
        sn_vec3 p = s.a.v;
        check_vec3(sn_pose_apply(XY, p), sn_pose_apply(s.X, sn_pose_apply(s.Y, p)), TOL_ROUNDOFF,
                   s.seed);
        check_vec3(sn_pose_apply(sn_pose_inverse(s.X), sn_pose_apply(s.X, p)), p, TOL_ROUNDOFF,
                   s.seed);
    }
}

static void a_twist_moves_the_points_of_its_body(void** state) {
    (void)state;
    // velocity of a body point r is v + w x r, in whatever frame it is computed
    for (int i = 0; i < CASES; i++) {
        sample s = make_sample(TEST_TWIST, 3000 + i);
        sn_vec3 r_b = test_vec3(&s.rng, 1), r_a = sn_pose_apply(s.X, r_b);
        sn_twist t = sn_pose_twist(s.X, s.a);
        sn_vec3 in_b = sn_vec3_add(s.a.v, sn_vec3_cross(s.a.w, r_b));
        sn_vec3 in_a = sn_vec3_add(t.v, sn_vec3_cross(t.w, r_a));
        check_vec3(in_a, sn_mat3_apply(s.X.R, in_b), 10 * TOL_ROUNDOFF, s.seed);
    }
}

static void the_cross_product_commutes_with_transforms(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        sample s = make_sample(TEST_TWIST, 4000 + i);
        sn_twist one = sn_pose_twist(s.X, sn_twist_cross(s.a, s.b));
        sn_twist two = sn_twist_cross(sn_pose_twist(s.X, s.a), sn_pose_twist(s.X, s.b));
        check_vec3(one.w, two.w, 10 * TOL_ROUNDOFF, s.seed); // products of several numbers near 3
        check_vec3(one.v, two.v, 10 * TOL_ROUNDOFF, s.seed);
        check_twist(sn_twist_cross(s.a, s.b), sn_twist_scale(-1, sn_twist_cross(s.b, s.a)), s.seed);
    }
}

static void the_force_cross_product_is_minus_the_transpose_of_the_motion_one(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        sample s = make_sample(TEST_TWIST, 5000 + i);
        double one = sn_power(sn_twist_cross_wrench(s.a, s.f), s.b);
        double two = -sn_power(s.f, sn_twist_cross(s.a, s.b));
        CHECK_NEAR(one, two, 10 * TOL_ROUNDOFF, s.seed);
    }
}

static void the_cross_product_is_the_rate_of_a_carried_vector(void** state) {
    (void)state;
    const double h = 1e-5; // see TOL_DIFFERENCES
    for (int i = 0; i < CASES; i++) {
        sample s = make_sample(TEST_TWIST, 6000 + i);
        sn_pose ends[2];
        for (int side = 0; side < 2; side++) { // to second order the pose after moving with a
            double t = side ? h : -h;
            ends[side] = sn_pose_make(sn_quat_matrix(sn_quat_exp(sn_vec3_scale(t, s.a.w))),
                                      sn_vec3_scale(t, s.a.v));
        }
        sn_twist d = sn_twist_scale(
            1 / (2 * h), sn_twist_sub(sn_pose_twist(ends[1], s.b), sn_pose_twist(ends[0], s.b)));
        sn_twist cross = sn_twist_cross(s.a, s.b);
        check_vec3(d.w, cross.w, TOL_DIFFERENCES, s.seed);
        check_vec3(d.v, cross.v, TOL_DIFFERENCES, s.seed);
        sn_wrench f = sn_wrench_scale(
            1 / (2 * h), sn_wrench_sub(sn_pose_wrench(ends[1], s.f), sn_pose_wrench(ends[0], s.f)));
        sn_wrench force_cross = sn_twist_cross_wrench(s.a, s.f);
        check_vec3(f.n, force_cross.n, TOL_DIFFERENCES, s.seed);
        check_vec3(f.f, force_cross.f, TOL_DIFFERENCES, s.seed);
    }
}

static void matrix_products_are_what_they_do_to_vectors(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        sample s = make_sample(TEST_TWIST, 7000 + i);
        sn_mat3 A = sn_mat3_add(s.X.R, sn_mat3_skew(s.a.w)),
                B = sn_mat3_sub(s.Y.R, sn_mat3_skew(s.b.v));
        sn_vec3 x = s.b.w;
        check_vec3(sn_mat3_apply(sn_mat3_mul(A, B), x), sn_mat3_apply(A, sn_mat3_apply(B, x)),
                   10 * TOL_ROUNDOFF, s.seed);
        check_vec3(sn_mat3_apply_transposed(A, x), sn_mat3_apply(sn_mat3_transpose(A), x),
                   TOL_ROUNDOFF, s.seed);
        check_vec3(sn_mat3_apply(sn_mat3_skew(s.a.w), x), sn_vec3_cross(s.a.w, x), TOL_ROUNDOFF,
                   s.seed);
        check_mat3(sn_mat3_mul(s.X.R, sn_mat3_transpose(s.X.R)), sn_mat3_identity(), TOL_ROUNDOFF,
                   s.seed);
    }
}

// ---- inertia -------------------------------------------------------------------------------------

static sn_inertia random_inertia(test_rng* rng) {
    sn_inertia I = sn_inertia_box(test_uniform(rng, 0.5, 2),
                                  sn_vec3_make(test_uniform(rng, 0.2, 1), test_uniform(rng, 0.2, 1),
                                               test_uniform(rng, 0.2, 1)));
    return sn_inertia_moved(test_pose(rng, 0.5), I);
}

/// Kinetic energy of a body moving with twist v, all in one frame: of its centre, and about it.
static double kinetic(sn_inertia I, sn_twist v) {
    sn_vec3 c = sn_vec3_add(v.v, sn_vec3_cross(v.w, I.com));
    return (I.mass * sn_vec3_dot(c, c) + sn_vec3_dot(v.w, sn_mat3_apply(I.I, v.w))) / 2;
}

static void kinetic_energy_is_the_same_in_every_frame(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        sample s = make_sample(TEST_INERTIA, i);
        sn_inertia I = random_inertia(&s.rng);
        double expected = kinetic(I, s.a);
        CHECK_NEAR(kinetic(sn_inertia_moved(s.X, I), sn_pose_twist(s.X, s.a)), expected,
                   100 * TOL_ROUNDOFF, s.seed); // squares of speeds near 5
    }
}

static void welded_bodies_have_the_energy_of_both(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        sample s = make_sample(TEST_INERTIA, 1000 + i);
        sn_inertia a = random_inertia(&s.rng), b = random_inertia(&s.rng);
        sn_inertia sum = sn_inertia_sum(a, b);
        double expected = kinetic(a, s.a) + kinetic(b, s.a);
        CHECK_RELATIVE(kinetic(sum, s.a), expected, TOL_ROUNDOFF, s.seed);
        check_mat3(sum.I, sn_mat3_transpose(sum.I), TOL_ROUNDOFF, s.seed);
    }
}

static void inertias_of_solids_are_the_integrals_over_them(void** state) {
    (void)state;
    // eight corner masses at distance edge / (2 sqrt 3) have the moments of a homogeneous box
    sn_inertia box = sn_inertia_box(2, sn_vec3_make(0.3, 0.5, 0.7));
    CHECK_RELATIVE(box.I.m[0][0], 2 * (0.5 * 0.5 + 0.7 * 0.7) / 12, TOL_ROUNDOFF, 0);
    CHECK_RELATIVE(box.I.m[1][1], 2 * (0.3 * 0.3 + 0.7 * 0.7) / 12, TOL_ROUNDOFF, 0);
    CHECK_RELATIVE(box.I.m[2][2], 2 * (0.3 * 0.3 + 0.5 * 0.5) / 12, TOL_ROUNDOFF, 0);
    sn_inertia ball = sn_inertia_sphere(2, 0.3);
    CHECK_RELATIVE(ball.I.m[1][1], 0.4 * 2 * 0.3 * 0.3, TOL_ROUNDOFF, 0);
    sn_inertia rod = sn_inertia_cylinder(2, 0.1, 0.8);
    CHECK_RELATIVE(rod.I.m[2][2], 2 * 0.1 * 0.1 / 2, TOL_ROUNDOFF, 0);
    CHECK_RELATIVE(rod.I.m[0][0], 2 * (3 * 0.1 * 0.1 + 0.8 * 0.8) / 12, TOL_ROUNDOFF, 0);
    // a cylinder cut in half lengthwise and welded again is the cylinder
    sn_inertia half = sn_inertia_cylinder(1, 0.1, 0.4);
    sn_pose up = sn_pose_make(sn_mat3_identity(), sn_vec3_make(0, 0, 0.2));
    sn_pose down = sn_pose_make(sn_mat3_identity(), sn_vec3_make(0, 0, -0.2));
    sn_inertia whole = sn_inertia_sum(sn_inertia_moved(up, half), sn_inertia_moved(down, half));
    CHECK_RELATIVE(whole.mass, 2, TOL_ROUNDOFF, 0);
    check_vec3(whole.com, sn_vec3_zero(), TOL_ROUNDOFF, 0);
    check_mat3(whole.I, rod.I, TOL_ROUNDOFF, 0);
}

// ---- quaternions ---------------------------------------------------------------------------------

static void quaternions_multiply_as_their_rotations(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        sample s = make_sample(TEST_QUAT, i);
        sn_quat a = test_quat(&s.rng), b = test_quat(&s.rng);
        check_mat3(sn_quat_matrix(sn_quat_mul(a, b)),
                   sn_mat3_mul(sn_quat_matrix(a), sn_quat_matrix(b)), TOL_ROUNDOFF, s.seed);
        check_mat3(sn_quat_matrix(sn_quat_conj(a)), sn_mat3_transpose(sn_quat_matrix(a)),
                   TOL_ROUNDOFF, s.seed);
        sn_quat big = sn_quat_make(7 * a.w, 7 * a.x, 7 * a.y, 7 * a.z);
        CHECK_NEAR(sn_quat_norm(sn_quat_normalized(big)), 1, TOL_ROUNDOFF, s.seed);
    }
}

static void check_same_rotation(sn_quat a, sn_quat b, double tolerance, uint64_t seed) {
    double sign = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0 ? -1 : 1;
    CHECK_NEAR(a.w, sign * b.w, tolerance, seed);
    CHECK_NEAR(a.x, sign * b.x, tolerance, seed);
    CHECK_NEAR(a.y, sign * b.y, tolerance, seed);
    CHECK_NEAR(a.z, sign * b.z, tolerance, seed);
}

static void the_quaternion_of_a_matrix_gives_it_back_at_any_angle(void** state) {
    (void)state;
    const double angles[] = {0, 1e-12, 1e-7, 1e-3, 1, 2, 3, PI - 1e-3, PI - 1e-7, PI - 1e-12, PI};
    for (int i = 0; i < CASES; i++) {
        sample s = make_sample(TEST_QUAT, 1000 + i);
        for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
            sn_vec3 axis = test_direction(&s.rng);
            if (i < 3) // turns about the axes themselves, where three of the four numbers vanish
                axis = sn_vec3_make(i == 0, i == 1, i == 2);
            double half = angles[k] / 2;
            sn_quat q =
                sn_quat_make(cos(half), sin(half) * axis.x, sin(half) * axis.y, sin(half) * axis.z);
            sn_quat back = sn_quat_from_matrix(sn_quat_matrix(q));
            check_same_rotation(back, q, TOL_ROUNDOFF, s.seed);
            CHECK(back.w >= 0, s.seed);
            CHECK_NEAR(sn_quat_norm(back), 1, TOL_ROUNDOFF, s.seed);
        }
    }
}

static void exp_is_the_rotation_about_the_axis(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        sample s = make_sample(TEST_QUAT, 2000 + i);
        double angle = test_uniform(&s.rng, 0, 6);
        sn_vec3 a = test_direction(&s.rng);
        sn_mat3 K = sn_mat3_skew(a), R = sn_quat_matrix(sn_quat_exp(sn_vec3_scale(angle, a)));
        sn_mat3 K2 = sn_mat3_mul(K, K), rodrigues = sn_mat3_identity();
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                rodrigues.m[r][c] += sin(angle) * K.m[r][c] + (1 - cos(angle)) * K2.m[r][c];
        check_mat3(R, rodrigues, TOL_ROUNDOFF, s.seed);
    }
}

static void log_undoes_exp_from_the_smallest_angle_to_pi(void** state) {
    (void)state;
    // relative even where the square of the angle underflows
    const double angles[] = {1e-300, 1e-160, 1e-20, 1e-9,      0.99e-4,  1.01e-4,
                             1e-2,   1,      3,     PI - 1e-3, PI - 1e-9};
    for (int i = 0; i < CASES; i++) {
        sample s = make_sample(TEST_QUAT, 3000 + i);
        sn_vec3 axis = test_direction(&s.rng);
        for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
            sn_vec3 phi = sn_vec3_scale(angles[k], axis);
            sn_quat q = sn_quat_exp(phi);
            check_vec3(sn_quat_log(q), phi, TOL_ROUNDOFF * angles[k], s.seed);
            sn_quat minus = sn_quat_make(-q.w, -q.x, -q.y, -q.z); // the same rotation
            check_vec3(sn_quat_log(minus), phi, TOL_ROUNDOFF * angles[k], s.seed);
        }
    }
    sn_vec3 none = sn_quat_log(sn_quat_identity());
    CHECK(none.x == 0 && none.y == 0 && none.z == 0, 0);
}

static void log_of_half_a_turn_has_length_pi(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        sample s = make_sample(TEST_QUAT, 4000 + i);
        sn_vec3 a = test_direction(&s.rng);
        sn_vec3 phi = sn_quat_log(sn_quat_make(0, a.x, a.y, a.z));
        CHECK_NEAR(sn_vec3_norm(phi), PI, TOL_ROUNDOFF, s.seed);
        CHECK_NEAR(sn_vec3_norm(sn_vec3_cross(phi, a)), 0, TOL_ROUNDOFF, s.seed);
        // past half a turn the way round the other side is shorter
        sn_vec3 past = sn_quat_log(sn_quat_exp(sn_vec3_scale(PI + 0.1, a)));
        check_vec3(past, sn_vec3_scale(-(PI - 0.1), a), 10 * TOL_ROUNDOFF, s.seed);
    }
}

static void series_of_exp_and_log_continue_the_closed_form(void** state) {
    (void)state;
    // angles on a fine grid across 0.2, where one hands over to the other, against long double
    for (int i = 1; i <= 4000; i++) {
        double angle = i * 1e-4;
        sn_quat q = sn_quat_exp(sn_vec3_make(0, angle, 0));
        CHECK_NEAR(q.w, cosl((long double)angle / 2), 2e-16, 0);     // one ulp of one
        CHECK_RELATIVE(q.y, sinl((long double)angle / 2), 4e-16, 0); // two ulps
        CHECK(q.x == 0 && q.z == 0, 0);
        CHECK_RELATIVE(sn_quat_log(q).y, 2 * atan2l(q.y, q.w), 6e-16, 0); // three ulps
    }
}

static void the_rate_of_a_quaternion_is_half_its_product_with_angular_velocity(void** state) {
    (void)state;
    const double h = 1e-5; // see TOL_DIFFERENCES
    for (int i = 0; i < CASES; i++) {
        sample s = make_sample(TEST_QUAT, 5000 + i);
        sn_quat q = test_quat(&s.rng);
        sn_vec3 w = s.a.w; // in the child's axes
        sn_quat after = sn_quat_mul(q, sn_quat_exp(sn_vec3_scale(h, w)));
        sn_quat before = sn_quat_mul(q, sn_quat_exp(sn_vec3_scale(-h, w)));
        sn_quat rate = sn_quat_mul(q, sn_quat_make(0, w.x / 2, w.y / 2, w.z / 2));
        CHECK_NEAR((after.w - before.w) / (2 * h), rate.w, TOL_DIFFERENCES, s.seed);
        CHECK_NEAR((after.x - before.x) / (2 * h), rate.x, TOL_DIFFERENCES, s.seed);
        CHECK_NEAR((after.y - before.y) / (2 * h), rate.y, TOL_DIFFERENCES, s.seed);
        CHECK_NEAR((after.z - before.z) / (2 * h), rate.z, TOL_DIFFERENCES, s.seed);
    }
}

int main(void) {
    (void)test_seed(); // print it first
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(power_is_the_same_in_every_frame),
        cmocka_unit_test(transforms_of_twists_and_wrenches_can_be_undone),
        cmocka_unit_test(transforms_compose_as_poses_do),
        cmocka_unit_test(a_twist_moves_the_points_of_its_body),
        cmocka_unit_test(the_cross_product_commutes_with_transforms),
        cmocka_unit_test(the_force_cross_product_is_minus_the_transpose_of_the_motion_one),
        cmocka_unit_test(the_cross_product_is_the_rate_of_a_carried_vector),
        cmocka_unit_test(matrix_products_are_what_they_do_to_vectors),
        cmocka_unit_test(kinetic_energy_is_the_same_in_every_frame),
        cmocka_unit_test(welded_bodies_have_the_energy_of_both),
        cmocka_unit_test(inertias_of_solids_are_the_integrals_over_them),
        cmocka_unit_test(quaternions_multiply_as_their_rotations),
        cmocka_unit_test(the_quaternion_of_a_matrix_gives_it_back_at_any_angle),
        cmocka_unit_test(exp_is_the_rotation_about_the_axis),
        cmocka_unit_test(log_undoes_exp_from_the_smallest_angle_to_pi),
        cmocka_unit_test(log_of_half_a_turn_has_length_pi),
        cmocka_unit_test(series_of_exp_and_log_continue_the_closed_form),
        cmocka_unit_test(the_rate_of_a_quaternion_is_half_its_product_with_angular_velocity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
