// SPDX-License-Identifier: Apache-2.0
// Balance of the shipped humanoids at random postures and speeds: forward dynamics under its joint forces and sole
// forces gives the motion it means; soles are used as they can be; bad options are refused.
#include <math.h>
#include <string.h>

#include "control/balance.h"
#include "oracle/oracle.h"
#include "sinew/load.h"
#include "support/check.h"
#include "support/random_state.h"

enum { CASES = 40 };
static const char* const MODELS[] = {SN_TEST_MODELS_DIR "/hrp2.urdf",
                                     SN_TEST_MODELS_DIR "/human.urdf"};

typedef struct rig {
    sn_model* model;
    sn_balance_def def;
    sn_balance* balance;
    sn_dynamics* dynamics;
    double *q, *v, *posture, *tau, *qdd;
} rig;

static rig make(const char* path) {
    rig r = {.def = sn_balance_def_default()};
    CHECK_STATUS(sn_model_load(path, NULL, &r.model, NULL), SN_OK);
    static const char* const SOLES[] = {"l_sole", "r_sole"};
    for (int i = 0; i < 2; i++) {
        sn_frame_id frame = sn_model_find_frame(r.model, SOLES[i]);
        CHECK(sn_sole_measure(r.model, frame, 0.005, &r.def.foot[i]), 0);
    }
    r.def.foot_count = 2;
    CHECK_STATUS(sn_balance_create(r.model, &r.def, &r.balance, NULL), SN_OK);
    CHECK_STATUS(sn_dynamics_create(r.model, "crba", &r.dynamics, NULL), SN_OK);
    size_t nq = (size_t)sn_model_nq(r.model), nv = (size_t)sn_model_nv(r.model);
    r.q = calloc(nq, sizeof *r.q), r.posture = calloc(nq, sizeof *r.q);
    r.v = calloc(nv, sizeof *r.v), r.tau = calloc(nv, sizeof *r.v), r.qdd = calloc(nv, sizeof *r.v);
    CHECK(r.q && r.posture && r.v && r.tau && r.qdd, 0);
    sn_model_neutral(r.model, r.posture);
    return r;
}

static void drop(rig* r) {
    sn_balance_free(r->balance);
    sn_dynamics_free(r->dynamics);
    sn_model_free(r->model);
    free(r->q), free(r->posture), free(r->v), free(r->tau), free(r->qdd);
}

/// A posture with bent knees and some bend everywhere, and a state near it; at rest when speed is 0.
static void disturb(rig* r, test_rng* rng, double bend, double turn, double speed) {
    int nv = sn_model_nv(r->model);
    for (int k = 0; k < nv; k++) r->v[k] = bend * test_normal(rng);
    for (int i = 0; i < sn_model_body_count(r->model); i++) { // knees bent, trunk and soles upright
        sn_body_info joint = sn_model_body(r->model, sn_body(i));
        const char* name = joint.joint_name;
        int about_y = joint.iv + (joint.type == SN_JOINT_SPHERICAL ? 1 : 0);
        bool pitch = joint.type == SN_JOINT_SPHERICAL || strstr(name, "pitch");
        if (strstr(name, "knee")) r->v[about_y] += 0.5;
        if (pitch && (strstr(name, "hip") || strstr(name, "ankle"))) r->v[about_y] -= 0.25;
    }
    sn_model_neutral(r->model, r->q);
    sn_model_integrate(r->model, r->q, r->v, r->posture);
    for (int k = 0; k < nv; k++) r->v[k] = turn * test_normal(rng);
    sn_model_integrate(r->model, r->posture, r->v, r->q);
    for (int k = 0; k < nv; k++) r->v[k] = speed * test_normal(rng);
}

/// Accelerations under tau, springs and dampers of the joints, and the wrenches of the soles.
static void respond(rig* r, const sn_balance_report* report, sn_vec3 gravity) {
    int nv = sn_model_nv(r->model);
    double* tau = calloc((size_t)nv, sizeof *tau);
    CHECK(tau, 0);
    sn_dynamics_set_gravity(r->dynamics, gravity);
    sn_dynamics_passive_force(r->dynamics, r->q, r->v, tau);
    for (int k = 0; k < nv; k++) tau[k] += r->tau[k];
    for (int i = 0; i < 2; i++) {
        sn_frame_info frame = sn_model_frame(r->model, r->def.foot[i].frame);
        sn_wrench on_body = sn_pose_wrench(frame.X_bf, report->foot[i]);
        CHECK_STATUS(sn_dynamics_set_wrench(r->dynamics, frame.body, SN_AXES_BODY, on_body), SN_OK);
    }
    CHECK_STATUS(sn_dynamics_forward(r->dynamics, r->q, r->v, tau, r->qdd), SN_OK);
    free(tau);
}

static void feet_come_to_rest_and_forces_move_the_centre_of_mass(void** state) {
    (void)state;
    for (int m = 0; m < 2; m++) {
        rig r = make(MODELS[m]);
        for (uint64_t c = 0; c < CASES; c++) {
            uint64_t seed = test_case_seed(820 + (uint64_t)m, c);
            test_rng rng = test_rng_make(seed);
            sn_balance_report report;
            sn_vec3 gravity = {test_normal(&rng), test_normal(&rng), -9.81};
            disturb(&r, &rng, 0.1, 0.05, 0.1);
            CHECK_STATUS(
                sn_balance_compute(r.balance, r.q, r.v, gravity, r.posture, r.tau, &report), SN_OK);
            respond(&r, &report, gravity);
            for (int i = 0; i < 2; i++) { // -40/s times what is left of their speed
                sn_body_id foot = sn_model_frame(r.model, r.def.foot[i].frame).body;
                sn_twist a = sn_dynamics_acceleration(r.dynamics, foot);
                sn_twist v = sn_dynamics_velocity(r.dynamics, foot);
                double size = 40 * (sn_vec3_norm(v.v) + sn_vec3_norm(v.w)) + 1;
                sn_twist off = sn_twist_add(a, sn_twist_scale(40, v));
                CHECK(sn_vec3_norm(off.w) <= 1e-8 * size, seed);
                CHECK(sn_vec3_norm(off.v) <= 1e-8 * size, seed);
            }
            // the base's own forces are zero, so all momentum comes from the soles: as the report says
            for (int k = 0; k < 6; k++) CHECK(r.tau[k] == 0, seed);
        }
        drop(&r);
    }
}

/// A push, inside the friction cone, the centre of pressure on the sole.
static void check_sole(const sn_balance_def* def, int i, sn_wrench f, uint64_t seed) {
    const sn_sole* s = &def->foot[i];
    CHECK(f.f.z >= 0, seed);
    CHECK(hypot(f.f.x, f.f.y) <= def->mu * f.f.z + 1e-9, seed);
    if (f.f.z < 1) return;
    double x = -f.n.y / f.f.z, y = f.n.x / f.f.z;
    CHECK(x >= s->x0 + def->margin - 1e-9 && x <= s->x1 - def->margin + 1e-9, seed);
    CHECK(y >= s->y0 + def->margin - 1e-9 && y <= s->y1 - def->margin + 1e-9, seed);
}

static void soles_are_asked_for_what_they_can_give(void** state) {
    (void)state;
    for (int m = 0; m < 2; m++) {
        rig r = make(MODELS[m]);
        for (uint64_t c = 0; c < CASES; c++) {
            uint64_t seed = test_case_seed(830 + (uint64_t)m, c);
            test_rng rng = test_rng_make(seed);
            sn_balance_report report;
            disturb(&r, &rng, 0.1, 0.1, 1); // a fall that nobody stops
            CHECK_STATUS(sn_balance_compute(r.balance, r.q, r.v, sn_vec3_make(0, 0, -9.81),
                                            r.posture, r.tau, &report),
                         SN_OK);
            for (int i = 0; i < 2; i++) check_sole(&r.def, i, report.foot[i], seed);
            for (int k = 0; k < sn_model_nv(r.model); k++) CHECK(isfinite(r.tau[k]), seed);
        }
        drop(&r);
    }
}

static void at_rest_in_its_posture_the_soles_carry_the_weight(void** state) {
    (void)state;
    for (int m = 0; m < 2; m++) {
        rig r = make(MODELS[m]);
        for (uint64_t c = 0; c < CASES; c++) {
            uint64_t seed = test_case_seed(835 + (uint64_t)m, c);
            test_rng rng = test_rng_make(seed);
            sn_balance_report report;
            const sn_vec3 gravity = {0, 0, -9.81};
            disturb(&r, &rng, 0.01, 0, 0);
            CHECK_STATUS(
                sn_balance_compute(r.balance, r.q, r.v, gravity, r.posture, r.tau, &report), SN_OK);
            sn_vec3 carried = sn_vec3_zero();
            for (int i = 0; i < 2; i++) {
                sn_frame_id frame = r.def.foot[i].frame;
                CHECK_STATUS(sn_dynamics_kinematics(r.dynamics, r.q, r.v), SN_OK);
                sn_mat3 R = sn_dynamics_frame_pose(r.dynamics, frame).R;
                carried = sn_vec3_add(carried, sn_mat3_apply(R, report.foot[i].f));
            }
            double weight = 9.81 * sn_model_mass(r.model), away = carried.z - weight;
            CHECK_NEAR(away, -report.missing.f.z, 1e-6 * weight, seed);
            // the ease of the forces takes a little, and soles that lean give up more
            CHECK(fabs(away) < 0.02 * weight, seed);
        }
        drop(&r);
    }
}

/// The nearest acceleration by the dense optimality system [W C'; C 0] [x; -y] = [W wish; d], where knees are bent.
static void the_nearest_acceleration_solves_the_dense_system(void** state) {
    (void)state;
    rig r = make(MODELS[0]);
    int nv = sn_model_nv(r.model), rows = 18, n = nv + rows;
    real *A = calloc((size_t)(n * n), sizeof *A), *right = calloc((size_t)n, sizeof *right);
    CHECK(A && right, 0);
    for (uint64_t c = 0; c < 10; c++) {
        uint64_t seed = test_case_seed(840, c);
        test_rng rng = test_rng_make(seed);
        sn_balance* b = r.balance;
        disturb(&r, &rng, 0.1, 0.05, 0.1);
        CHECK_STATUS(
            sn_balance_compute(b, r.q, r.v, sn_vec3_make(0, 0, -9.81), r.posture, r.tau, NULL),
            SN_OK);
        memset(A, 0, (size_t)(n * n) * sizeof *A);
        for (int k = 0; k < nv; k++) {
            A[k * n + k] = 1 / b->ease[k];
            right[k] = b->wish[k] / b->ease[k];
            for (int i = 0; i < rows; i++)
                A[k * n + nv + i] = A[(nv + i) * n + k] = b->rows[(size_t)i * b->wide + (size_t)k];
        }
        for (int i = 0; i < rows; i++) right[nv + i] = b->given[i];
        CHECK(oracle_solve(n, A, right), seed);
        for (int k = 0; k < nv; k++) r.qdd[k] = (double)right[k];
        CHECK_VECTOR(b->qdd, r.qdd, nv, 1e-6, seed); // normal equations square the condition
    }
    free(A);
    free(right);
    drop(&r);
}

static void what_makes_no_sense_is_refused(void** state) {
    (void)state;
    rig r = make(MODELS[0]);
    sn_balance* none = NULL;
    sn_error error;
    sn_balance_def def = r.def;
    def.mu = -1;
    CHECK_STATUS(sn_balance_create(r.model, &def, &none, &error), SN_ERR_ARGUMENT);
    def = r.def, def.foot_count = 0;
    CHECK_STATUS(sn_balance_create(r.model, &def, &none, &error), SN_ERR_ARGUMENT);
    def = r.def, def.foot[1].frame.i = 10000;
    CHECK_STATUS(sn_balance_create(r.model, &def, &none, &error), SN_ERR_ARGUMENT);
    def = r.def, def.frequency = NAN;
    CHECK_STATUS(sn_balance_create(r.model, &def, &none, &error), SN_ERR_ARGUMENT);
    sn_model* pendulum = NULL;
    CHECK_STATUS(sn_model_load(SN_TEST_MODELS_DIR "/double_pendulum.urdf", NULL, &pendulum, NULL),
                 SN_OK);
    CHECK_STATUS(sn_balance_create(pendulum, &r.def, &none, &error), SN_ERR_ARGUMENT);
    CHECK(!none && strstr(error.text, "floats"), 0);
    sn_model_free(pendulum);
    sn_frame_id gaze = sn_model_find_frame(r.model, "gaze");
    sn_sole sole;
    CHECK(!sn_sole_measure(r.model, gaze, 1e-4, &sole), 0);
    drop(&r);
}

static void soles_are_measured_from_their_shapes(void** state) {
    (void)state;
    rig r = make(MODELS[0]);
    for (int i = 0; i < 2; i++) { // 0.24 m x 0.14 m [KAN04]
        CHECK_NEAR(r.def.foot[i].x0, -0.12, 1e-9, 0);
        CHECK_NEAR(r.def.foot[i].x1, 0.12, 1e-9, 0);
        CHECK_NEAR(r.def.foot[i].y0, -0.07, 1e-9, 0);
        CHECK_NEAR(r.def.foot[i].y1, 0.07, 1e-9, 0);
    }
    drop(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feet_come_to_rest_and_forces_move_the_centre_of_mass),
        cmocka_unit_test(soles_are_asked_for_what_they_can_give),
        cmocka_unit_test(at_rest_in_its_posture_the_soles_carry_the_weight),
        cmocka_unit_test(the_nearest_acceleration_solves_the_dense_system),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(soles_are_measured_from_their_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
