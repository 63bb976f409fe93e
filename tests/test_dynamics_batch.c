// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "sinew/batch.h"
#include "support/fixture.h"

enum { STATES = 11 }; // not a multiple of the lanes

/// Eleven random states of a model.
typedef struct states {
    double *q, *v, *tau, *qdd, *expected;
} states;

static states random_states(fixture* f) {
    size_t nq = (size_t)f->nq, nv = (size_t)f->nv;
    states s = {calloc(STATES * nq, sizeof(double)), calloc(STATES * nv, sizeof(double)),
                calloc(STATES * nv, sizeof(double)), calloc(STATES * nv, sizeof(double)),
                calloc(STATES * nv, sizeof(double))};
    for (size_t i = 0; i < STATES; i++) {
        fixture_random_state(f);
        memcpy(s.q + i * nq, f->q, nq * sizeof(double));
        memcpy(s.v + i * nv, f->v, nv * sizeof(double));
        memcpy(s.tau + i * nv, f->tau, nv * sizeof(double));
    }
    return s;
}

static void free_states(states s) {
    free(s.q);
    free(s.v);
    free(s.tau);
    free(s.qdd);
    free(s.expected);
}

static sn_batch* make_batch(const fixture* f, sn_vec3 gravity) {
    sn_batch* batch;
    CHECK_STATUS(sn_batch_create(f->model, &batch, NULL), SN_OK);
    sn_batch_set_gravity(batch, gravity);
    return batch;
}

/// The oracle's answers for all states, as doubles, in s.expected.
static void ask_oracle(fixture* f, states s) {
    size_t nq = (size_t)f->nq, nv = (size_t)f->nv;
    for (size_t i = 0; i < STATES; i++) {
        memcpy(f->q, s.q + i * nq, nq * sizeof(double));
        memcpy(f->v, s.v + i * nv, nv * sizeof(double));
        memcpy(f->tau, s.tau + i * nv, nv * sizeof(double));
        fixture_update(f);
        CHECK(oracle_forward(f->o, f->tau_l, f->x_l, NULL), f->seed);
        for (size_t k = 0; k < nv; k++) s.expected[i * nv + k] = (double)f->x_l[k];
    }
}

/// Compares batches of every size from 1 with the oracle. Not with another algorithm of ours: the
/// reference itself is off by 1.3e-10 at one of these states, where the batch has 8e-14.
static void check_batch(test_units u, uint64_t list) {
    for (int m = 0; m < 60; m++) {
        fixture* f = fixture_of_list(m, u, test_case_seed(list, (uint64_t)m));
        states s = random_states(f);
        sn_batch* batch = make_batch(f, f->gravity);
        size_t nv = (size_t)f->nv;
        ask_oracle(f, s);
        for (int count = 1; count <= STATES; count++) {
            int bad = -1;
            CHECK_STATUS(sn_dynamics_batch(batch, count, s.q, s.v, s.tau, s.qdd, &bad), SN_OK);
            CHECK(bad == count, f->seed);
            for (size_t i = 0; i < (size_t)count; i++)
                CHECK_SCALED(s.qdd + i * nv, s.expected + i * nv, f->unit_qdd, f->nv, TOL_CHAIN,
                             f->seed);
        }
        sn_batch_free(batch);
        free_states(s);
        fixture_free(f);
    }
}

static void a_batch_gives_what_its_states_give_one_by_one(void** state) {
    (void)state;
    check_batch(test_units_si(), 900);
}

static void a_batch_works_in_molecular_units(void** state) {
    (void)state;
    check_batch(test_units_molecular(), 901);
}

static void missing_velocities_and_forces_are_zero(void** state) {
    (void)state;
    fixture* f = fixture_of_list(5, test_units_si(), test_case_seed(902, 0));
    states s = random_states(f);
    sn_batch* batch = make_batch(f, f->gravity);
    size_t size = STATES * (size_t)f->nv * sizeof(double);
    CHECK_STATUS(sn_dynamics_batch(batch, STATES, s.q, s.v, s.tau, s.qdd, NULL), SN_OK);
    memset(s.v, 0, size);
    memset(s.tau, 0, size);
    CHECK_STATUS(sn_dynamics_batch(batch, STATES, s.q, s.v, s.tau, s.expected, NULL), SN_OK);
    CHECK_STATUS(sn_dynamics_batch(batch, STATES, s.q, NULL, NULL, s.qdd, NULL), SN_OK);
    CHECK(memcmp(s.qdd, s.expected, size) == 0, f->seed);
    sn_batch_free(batch);
    free_states(s);
    fixture_free(f);
}

static void a_bad_state_is_named_and_the_others_are_right(void** state) {
    (void)state;
    fixture* f = fixture_of_list(3, test_units_si(), test_case_seed(903, 0));
    states s = random_states(f);
    sn_batch* batch = make_batch(f, f->gravity);
    size_t nv = (size_t)f->nv;
    CHECK_STATUS(sn_dynamics_batch(batch, STATES, s.q, s.v, s.tau, s.expected, NULL), SN_OK);
    s.tau[6 * nv] = NAN;
    s.tau[9 * nv] = INFINITY;
    int bad = -1;
    CHECK_STATUS(sn_dynamics_batch(batch, STATES, s.q, s.v, s.tau, s.qdd, &bad), SN_ERR_NUMERIC);
    CHECK(bad == 6, f->seed);
    for (size_t i = 0; i < STATES; i++)
        if (i != 6 && i != 9)
            CHECK(memcmp(s.qdd + i * nv, s.expected + i * nv, nv * sizeof(double)) == 0, f->seed);
    CHECK_STATUS(sn_dynamics_batch(batch, 0, NULL, NULL, NULL, NULL, &bad), SN_OK);
    CHECK_STATUS(sn_dynamics_batch(batch, 1, NULL, s.v, s.tau, s.qdd, &bad), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_batch(NULL, 1, s.q, s.v, s.tau, s.qdd, &bad), SN_ERR_ARGUMENT);
    sn_batch_free(batch);
    free_states(s);
    fixture_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_gives_what_its_states_give_one_by_one),
        cmocka_unit_test(a_batch_works_in_molecular_units),
        cmocka_unit_test(missing_velocities_and_forces_are_zero),
        cmocka_unit_test(a_bad_state_is_named_and_the_others_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
