// SPDX-License-Identifier: Apache-2.0
// Wrenches of the user and of hands on one body: every forward dynamics sees their sum.
#include <math.h>

#include "support/fixture.h"

enum { MODELS = 40, TEST_SUM = 900, TEST_BAD };

static const double TOL_SUM = 1e-9; // of two ways to add, through a forward dynamics

static sn_wrench in_world(const sn_dynamics* d, sn_body_id body, sn_wrench f) {
    sn_mat3 R = sn_dynamics_pose(d, body).R;
    return sn_wrench_make(sn_mat3_apply(R, f.n), sn_mat3_apply(R, f.f));
}

/// Accelerations with a wrench and a pull, and with their sum as one wrench, in the fixture's x.
static void pull_and_wrench_act_as_their_sum(void** state) {
    const char* algorithm = *state;
    for (int index = 0; index < MODELS; index++) {
        uint64_t seed = test_case_seed(TEST_SUM, (uint64_t)index);
        fixture* f = fixture_of_list(index, test_units_si(), seed);
        sn_dynamics* d = test_dynamics(f->model, algorithm);
        double* once = malloc((size_t)f->nv * sizeof *once);
        sn_dynamics_set_gravity(d, f->gravity);
        sn_body_id body = sn_body(test_index(&f->rng, f->n));
        sn_wrench w = test_random_wrench(&f->rng, test_units_si());
        sn_wrench pull = test_random_wrench(&f->rng, test_units_si());
        for (int axes = SN_AXES_BODY; axes <= SN_AXES_WORLD; axes++) {
            CHECK_STATUS(sn_dynamics_set_pull(d, body, pull), SN_OK);
            CHECK_STATUS(sn_dynamics_set_wrench(d, body, (sn_axes)axes, w), SN_OK);
            CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, once), SN_OK);
            sn_wrench add = axes == SN_AXES_WORLD ? in_world(d, body, pull) : pull;
            CHECK_STATUS(sn_dynamics_set_pull(d, body, sn_wrench_zero()), SN_OK);
            CHECK_STATUS(sn_dynamics_set_wrench(d, body, (sn_axes)axes, sn_wrench_add(w, add)),
                         SN_OK);
            CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, f->x), SN_OK);
            double most = 0;
            for (int k = 0; k < f->nv; k++) most = fmax(most, fabs(f->x[k]));
            for (int k = 0; k < f->nv; k++) CHECK_NEAR(once[k], f->x[k], TOL_SUM * most, seed);
        }
        // each is taken away alone, in either order
        CHECK_STATUS(sn_dynamics_set_pull(d, body, pull), SN_OK);
        CHECK_STATUS(sn_dynamics_set_wrench(d, body, SN_AXES_BODY, sn_wrench_zero()), SN_OK);
        CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, once), SN_OK);
        CHECK_STATUS(sn_dynamics_set_pull(d, body, sn_wrench_zero()), SN_OK);
        CHECK_STATUS(sn_dynamics_set_wrench(d, body, SN_AXES_BODY, pull), SN_OK);
        CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, f->x), SN_OK);
        for (int k = 0; k < f->nv; k++) CHECK(once[k] == f->x[k], seed);
        CHECK_STATUS(sn_dynamics_set_pull(d, body, pull), SN_OK);
        sn_dynamics_clear_wrenches(d); // takes both away
        CHECK_STATUS(sn_dynamics_set_wrench(d, body, SN_AXES_BODY, pull), SN_OK);
        CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, once), SN_OK);
        for (int k = 0; k < f->nv; k++) CHECK(once[k] == f->x[k], seed);
        free(once);
        sn_dynamics_free(d);
        fixture_free(f);
    }
}

static void a_pull_that_makes_no_sense_is_refused(void** state) {
    (void)state;
    fixture* f = fixture_of_list(0, test_units_si(), test_case_seed(TEST_BAD, 0));
    sn_dynamics* d = test_dynamics(f->model, "aba");
    sn_wrench bad = sn_wrench_zero();
    bad.f.x = NAN;
    CHECK_STATUS(sn_dynamics_set_pull(d, sn_body(0), bad), SN_ERR_NUMERIC);
    CHECK_STATUS(sn_dynamics_set_pull(d, sn_body(-1), sn_wrench_zero()), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_set_pull(d, sn_body(f->n), sn_wrench_zero()), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_set_pull(NULL, sn_body(0), sn_wrench_zero()), SN_ERR_ARGUMENT);
    sn_dynamics_free(d);
    fixture_free(f);
}

#define SUM(algorithm)                                                                             \
    {                                                                                              \
        "pull_and_wrench_act_as_their_sum: " algorithm, pull_and_wrench_act_as_their_sum, NULL,    \
            NULL, (void*)(uintptr_t)algorithm                                                      \
    }

int main(void) {
    const struct CMUnitTest tests[] = {
        SUM("aba"), SUM("crba"),     SUM("reference"),
        SUM("dca"), SUM("adaptive"), cmocka_unit_test(a_pull_that_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests_name("dynamics_wrenches", tests, NULL, NULL);
}
