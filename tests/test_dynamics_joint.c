// SPDX-License-Identifier: Apache-2.0
// Every type of joint with any axis, on the world and on a moving parent: poses, velocities and
// accelerations fit together, forces do the work they should, and (+) can be undone.
#include <math.h>
#include <string.h>

#include "support/fixture.h"

enum { MODELS = 12, TEST_VELOCITY = 200, TEST_ACCELERATION, TEST_POWER, TEST_PLUS, TEST_MINUS };

static const double PI = 3.14159265358979323846;

/// Step of the central differences below; see TOL_DIFFERENCES.
static const double STEP = 1e-5;

typedef void (*joint_test)(fixture* f, sn_dynamics* dynamics, int body);

/// Runs a test for every joint type, on the world and on a free body.
static void for_every_joint(int test, joint_test run) {
    for (int t = SN_JOINT_FIXED + 1; t < SN_JOINT_TYPE_COUNT; t++) {
        for (int m = 0; m < 2 * MODELS; m++) {
            uint64_t seed = test_case_seed((uint64_t)test, (uint64_t)(100 * t + m));
            test_rng rng = test_rng_make(seed);
            sn_model* model = m % 2 == 0 ? test_one_joint(&rng, (sn_joint_type)t)
                                         : test_one_joint_on_free_body(&rng, (sn_joint_type)t);
            fixture* f = fixture_create(model, test_units_si(), seed);
            sn_dynamics* dynamics = test_dynamics(model, NULL);
            sn_dynamics_set_gravity(dynamics, f->gravity);
            run(f, dynamics, f->n - 1);
            sn_dynamics_free(dynamics);
            fixture_free(f);
        }
    }
}

/// Pose of a body at q (+) h v.
static sn_pose pose_along(fixture* f, sn_dynamics* dynamics, int body, double h) {
    double q[2 * SN_JOINT_MAX_NQ];
    for (int k = 0; k < f->nv; k++) f->x[k] = h * f->v[k];
    sn_model_integrate(f->model, f->q, f->x, q);
    CHECK_STATUS(sn_dynamics_kinematics(dynamics, q, f->v), SN_OK);
    return sn_dynamics_pose(dynamics, sn_body(body));
}

static void check_velocity(fixture* f, sn_dynamics* dynamics, int body) {
    sn_pose before = pose_along(f, dynamics, body, -STEP),
            after = pose_along(f, dynamics, body, STEP);
    CHECK_STATUS(sn_dynamics_kinematics(dynamics, f->q, f->v), SN_OK);
    sn_pose now = sn_dynamics_pose(dynamics, sn_body(body));
    // (R' dR/dt)  is the skew matrix of w, R' dp/dt the velocity of the origin, in body axes
    sn_mat3 rate = sn_mat3_mul(sn_mat3_transpose(now.R), sn_mat3_sub(after.R, before.R));
    sn_vec3 moved = sn_mat3_apply_transposed(now.R, sn_vec3_sub(after.p, before.p));
    double s = 1 / (2 * STEP), actual[6];
    const double expected[6] = {s * (rate.m[2][1] - rate.m[1][2]) / 2,
                                s * (rate.m[0][2] - rate.m[2][0]) / 2,
                                s * (rate.m[1][0] - rate.m[0][1]) / 2,
                                s * moved.x,
                                s * moved.y,
                                s * moved.z};
    twist_numbers(sn_dynamics_velocity(dynamics, sn_body(body)), actual);
    for (int k = 0; k < 6; k++) CHECK_NEAR(actual[k], expected[k], TOL_DIFFERENCES, f->seed);
    fixture_check_motion(f, dynamics); // and what the user's axis and placement say
}

static void velocity_is_the_rate_of_the_pose(void** state) {
    (void)state;
    for_every_joint(TEST_VELOCITY, check_velocity);
}

static void check_acceleration(fixture* f, sn_dynamics* dynamics, int body) {
    double q[2 * SN_JOINT_MAX_NQ], ends[2][6], actual[6];
    for (int side = 0; side < 2; side++) { // q(t) = q (+) (t v + t^2 qdd / 2), v(t) = v + t qdd
        double t = side ? STEP : -STEP;
        for (int k = 0; k < f->nv; k++) {
            f->x[k] = t * f->v[k] + t * t / 2 * f->qdd[k];
            f->y[k] = f->v[k] + t * f->qdd[k];
        }
        sn_model_integrate(f->model, f->q, f->x, q);
        CHECK_STATUS(sn_dynamics_kinematics(dynamics, q, f->y), SN_OK);
        twist_numbers(sn_dynamics_velocity(dynamics, sn_body(body)), ends[side]);
    }
    CHECK_STATUS(sn_dynamics_inverse(dynamics, f->q, f->v, f->qdd, f->x), SN_OK);
    twist_numbers(sn_dynamics_acceleration(dynamics, sn_body(body)), actual);
    for (int k = 0; k < 6; k++)
        CHECK_NEAR(actual[k], (ends[1][k] - ends[0][k]) / (2 * STEP), TOL_DIFFERENCES, f->seed);
}

static void acceleration_is_the_rate_of_the_velocity(void** state) {
    (void)state;
    for_every_joint(TEST_ACCELERATION, check_acceleration);
}

static void check_power(fixture* f, sn_dynamics* dynamics, int body) {
    sn_wrench w = test_random_wrench(&f->rng, f->u);
    CHECK_STATUS(sn_dynamics_inverse(dynamics, f->q, f->v, f->qdd, f->x), SN_OK);
    CHECK_STATUS(sn_dynamics_set_wrench(dynamics, sn_body(body), SN_AXES_BODY, w), SN_OK);
    CHECK_STATUS(sn_dynamics_inverse(dynamics, f->q, f->v, f->qdd, f->y), SN_OK);
    double power = 0, size = 1; // of J' w along v; each sum carries the rounding of its terms
    for (int k = 0; k < f->nv; k++) {
        power += (f->x[k] - f->y[k]) * f->v[k];
        size += fabs(f->x[k] * f->v[k]);
    }
    double expected = sn_power(w, sn_dynamics_velocity(dynamics, sn_body(body)));
    CHECK_NEAR(power, expected, TOL_CHAIN * size, f->seed);
}

static void joint_forces_of_a_wrench_have_its_power(void** state) {
    (void)state;
    for_every_joint(TEST_POWER, check_power);
}

// ---- (+) and (-) -----------------------------------------------------------------------------------

static void check_plus(fixture* f, sn_dynamics* dynamics, int body) {
    (void)dynamics, (void)body;
    static const double sizes[] = {0,      1e-300, 1e-12, 1e-8, 1e-5, 0.9e-4, 1.1e-4,
                                   0.9e-3, 1.1e-3, 1e-2,  0.3,  1,    3};
    double q[2 * SN_JOINT_MAX_NQ];
    real expected[2 * SN_JOINT_MAX_NQ];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int k = 0; k < f->nv; k++) {
            f->x[k] = sizes[i] * f->v[k];
            f->x_l[k] = f->x[k];
        }
        sn_model_integrate(f->model, f->q, f->x, q);
        oracle_integrate(f->o, f->q_l, f->x_l, expected);
        for (int k = 0; k < f->nq; k++) CHECK_NEAR(q[k], expected[k], TOL_ROUNDOFF, f->seed);
        memcpy(f->A, f->q, (size_t)f->nq * sizeof(double)); // in place; nv * nv >= nq
        sn_model_integrate(f->model, f->A, f->x, f->A);
        CHECK(memcmp(f->A, q, (size_t)f->nq * sizeof(double)) == 0, f->seed);
    }
}

static void moving_along_the_manifold_equals_the_oracle(void** state) {
    (void)state;
    // in-place results go to an array of nv * nv numbers: only fixtures on a free body have room
    for (int t = SN_JOINT_FIXED + 1; t < SN_JOINT_TYPE_COUNT; t++) {
        for (int m = 0; m < MODELS; m++) {
            uint64_t seed = test_case_seed(TEST_PLUS, (uint64_t)(100 * t + m));
            test_rng rng = test_rng_make(seed);
            fixture* f = fixture_create(test_one_joint_on_free_body(&rng, (sn_joint_type)t),
                                        test_units_si(), seed);
            check_plus(f, NULL, 1);
            fixture_free(f);
        }
    }
}

/// Scales the rotation of a tangent vector of one joint to the given angle.
static void set_angle(sn_body_info b, double angle, double* dv) {
    double* x = dv + b.iv;
    if (b.type == SN_JOINT_SPHERICAL || b.type == SN_JOINT_FREE) {
        double s = angle / sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        for (int k = 0; k < 3; k++) x[k] *= s;
    } else if (b.type == SN_JOINT_PLANAR) {
        x[0] = x[0] < 0 ? -angle : angle;
    }
}

static void check_minus(fixture* f, sn_dynamics* dynamics, int body) {
    (void)dynamics;
    // near pi the screw that joins two poses is long: V(w)^-1 is finite, w is known to rounding
    const double angles[] = {0,      1e-300, 1e-150, 1e-9, 0.9e-4,    1.1e-4,    0.9e-3,
                             1.1e-3, 0.1,    2,      3,    PI - 1e-3, PI - 1e-6, PI - 1e-9};
    double q[2 * SN_JOINT_MAX_NQ], back[2 * SN_JOINT_MAX_NQ];
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        test_random_v(&f->rng, f->model, f->u, f->x);
        for (int b = 0; b <= body; b++)
            set_angle(sn_model_body(f->model, sn_body(b)), angles[i], f->x);
        sn_model_integrate(f->model, f->q, f->x, q);
        sn_model_difference(f->model, f->q, q, f->y);
        for (int k = 0; k < f->nv; k++) CHECK_NEAR(f->y[k], f->x[k], 10 * TOL_ROUNDOFF, f->seed);
        sn_model_integrate(f->model, f->q, f->y, back);
        for (int k = 0; k < f->nq; k++) CHECK_NEAR(back[k], q[k], 10 * TOL_ROUNDOFF, f->seed);
    }
}

static void the_difference_of_configurations_undoes_moving(void** state) {
    (void)state;
    for_every_joint(TEST_MINUS, check_minus);
}

static void check_minus_any(fixture* f, sn_dynamics* dynamics, int body) {
    (void)dynamics;
    double other[2 * SN_JOINT_MAX_NQ], q[2 * SN_JOINT_MAX_NQ];
    test_random_q(&f->rng, f->model, f->u, other);
    sn_model_difference(f->model, f->q, other, f->x);
    sn_model_integrate(f->model, f->q, f->x, q);
    sn_body_info b = sn_model_body(f->model, sn_body(body));
    bool turns = b.type == SN_JOINT_SPHERICAL || b.type == SN_JOINT_FREE;
    int at = b.iq + (b.type == SN_JOINT_FREE ? 3 : 0);
    if (turns) { // the shortest way, and q and -q are the same place
        const double* w = f->x + b.iv;
        CHECK(sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) <= PI + TOL_ROUNDOFF, f->seed);
        for (int k = 0; k < 4; k++) other[at + k] = -other[at + k];
        sn_model_difference(f->model, f->q, other, f->y);
        for (int k = 0; k < f->nv; k++) CHECK_NEAR(f->y[k], f->x[k], TOL_ROUNDOFF, f->seed);
        double dot = 0;
        for (int k = 0; k < 4; k++) dot += q[at + k] * other[at + k];
        for (int k = 0; k < 4 && dot < 0; k++) q[at + k] = -q[at + k];
    }
    for (int k = b.iq; k < b.iq + b.nq; k++) CHECK_NEAR(q[k], other[k], 10 * TOL_ROUNDOFF, f->seed);
}

static void the_difference_leads_from_any_configuration_to_any_other(void** state) {
    (void)state;
    for_every_joint(TEST_MINUS, check_minus_any);
}

static void quaternions_stay_unit_over_many_small_moves(void** state) {
    (void)state;
    uint64_t seed = test_case_seed(TEST_PLUS, 9999);
    test_rng rng = test_rng_make(seed);
    fixture* f = fixture_create(test_one_joint(&rng, SN_JOINT_SPHERICAL), test_units_si(), seed);
    for (int k = 0; k < 3; k++) f->v[k] *= 0.01;
    for (int step = 0; step < 100000; step++) sn_model_integrate(f->model, f->q, f->v, f->q);
    double norm = 0;
    for (int k = 0; k < 4; k++) norm += f->q[k] * f->q[k];
    CHECK_NEAR(norm, 1, TOL_ROUNDOFF, seed);
    fixture_free(f);
}

static void configurations_that_are_none_are_found(void** state) {
    (void)state;
    uint64_t seed = test_case_seed(TEST_PLUS, 8888);
    test_rng rng = test_rng_make(seed);
    fixture* f = fixture_create(test_all_joints(&rng, true, false), test_units_si(), seed);
    sn_body_id body = sn_body(-5);
    CHECK(sn_model_check_q(f->model, f->q, &body), seed);
    for (int i = 0; i < f->n; i++) {
        sn_body_info b = sn_model_body(f->model, sn_body(i));
        double good = f->q[b.iq + b.nq - 1];
        const double bad[] = {NAN, INFINITY, -INFINITY};
        for (int k = 0; k < 3; k++) {
            f->q[b.iq + b.nq - 1] = bad[k];
            CHECK(!sn_model_check_q(f->model, f->q, &body) && body.i == i, seed);
        }
        f->q[b.iq + b.nq - 1] = good + 0.5;
        bool quaternion = b.type == SN_JOINT_SPHERICAL || b.type == SN_JOINT_FREE;
        CHECK(sn_model_check_q(f->model, f->q, &body) == !quaternion, seed);
        f->q[b.iq + b.nq - 1] = good;
    }
    sn_model_neutral(f->model, f->q);
    CHECK(sn_model_check_q(f->model, f->q, &body), seed);
    fixture_free(f);
}

int main(void) {
    (void)test_seed(); // print it first
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocity_is_the_rate_of_the_pose),
        cmocka_unit_test(acceleration_is_the_rate_of_the_velocity),
        cmocka_unit_test(joint_forces_of_a_wrench_have_its_power),
        cmocka_unit_test(moving_along_the_manifold_equals_the_oracle),
        cmocka_unit_test(the_difference_of_configurations_undoes_moving),
        cmocka_unit_test(the_difference_leads_from_any_configuration_to_any_other),
        cmocka_unit_test(quaternions_stay_unit_over_many_small_moves),
        cmocka_unit_test(configurations_that_are_none_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
