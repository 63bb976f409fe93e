// SPDX-License-Identifier: Apache-2.0
// Responses of bodies and joints together against the dense oracle: random models with every type of joint, states, locks,
// handles; on both kernels, in SI and in molecular units.
#include <math.h>
#include <string.h>

#include "dynamics/sn_dynamics.h"
#include "support/fixture.h"

enum { MODELS = 160, HANDLES = 950 };

/// Relative to the largest entry, numbers in natural units.
#define TOL_AGREE 1e-11

typedef struct question {
    sn_body_id body[64];
    int32_t dof[6 * 64];
    sni_handles handles;
    int rows;
} question;

/// Some bodies, and degrees of freedom in any order, with gaps between them.
static void ask_at_random(fixture* f, question* x) {
    int order[128], bodies = 0, places = 0;
    for (int i = 0; i < f->n; i++)
        if (test_chance(&f->rng, 0.4)) x->body[bodies++] = sn_body(i);
    for (int k = 0; k < f->nv; k++) order[k] = k;
    for (int k = f->nv - 1; k > 0; k--) {
        int other = test_index(&f->rng, k + 1), kept = order[k];
        order[k] = order[other], order[other] = kept;
    }
    for (int k = 0; k < f->nv; k++) {
        if (test_chance(&f->rng, 0.3)) x->dof[places++] = -1;
        if (test_chance(&f->rng, 0.7)) x->dof[places++] = order[k];
    }
    while (places % 6) x->dof[places++] = -1;
    x->handles = (sni_handles){bodies, places / 6, x->body, x->dof};
    x->rows = 6 * bodies + places;
}

/// Rows of J, each with the unit of its velocity.
static real* oracle_rows(const fixture* f, const question* x, real* unit) {
    real *J = calloc((size_t)(x->rows + 1) * (size_t)f->nv, sizeof *J), *row = J;
    double joint_unit[128], twist_unit[6];
    test_unit_velocity(f->model, f->u, joint_unit);
    test_unit_twist(f->u, 1, twist_unit);
    for (int b = 0; b < x->handles.body_count; b++, row += 6 * f->nv) {
        oracle_jacobian_body(f->o, x->body[b].i, row);
        for (int i = 0; i < 6; i++) unit[6 * b + i] = (real)twist_unit[i];
    }
    for (int k = 0; k < 6 * x->handles.joint_count; k++, row += f->nv) {
        unit[6 * x->handles.body_count + k] = x->dof[k] < 0 ? 1 : (real)joint_unit[x->dof[k]];
        if (x->dof[k] >= 0) row[x->dof[k]] = 1;
    }
    return J;
}

/// Lambda in natural units: row r over its unit, column c times the impulse that has unit power with it.
static void check_response(fixture* f, sn_dynamics* d, const question* x) {
    size_t rows = (size_t)x->rows;
    real *unit = calloc(rows + 1, sizeof *unit), *J = oracle_rows(f, x, unit);
    real *expected = calloc(rows * rows + 1, sizeof *expected), most = 0;
    real* Y = calloc((size_t)f->nv * rows + 1, sizeof *Y); // M^-1 J', nv x rows
    double* Lambda = calloc(rows * rows + 1, sizeof *Lambda);
    double energy = f->u.mass * f->u.length * f->u.length / (f->u.time * f->u.time);
    memset(Lambda, 0x7f, rows * rows * sizeof *Lambda); // every number is to be written
    size_t nv = (size_t)f->nv;
    for (size_t c = 0; c < rows; c++)
        for (size_t k = 0; k < nv; k++) Y[k * rows + c] = J[c * nv + k];
    CHECK(oracle_solve_mass(f->o, Y, x->rows), f->seed);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < rows; c++) {
            real sum = 0;
            for (size_t k = 0; k < nv; k++) sum += J[r * nv + k] * Y[k * rows + c];
            expected[r * rows + c] = sum * (real)energy / (unit[r] * unit[c]);
            most = fmaxl(most, fabsl(expected[r * rows + c]));
        }
    CHECK(sni_has_handles(d), f->seed);
    sni_handles_response(d, &x->handles, Lambda);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < rows; c++) {
            CHECK(Lambda[r * rows + c] == Lambda[c * rows + r], f->seed);
            CHECK_NEAR(Lambda[r * rows + c] * energy / (double)(unit[r] * unit[c]),
                       expected[r * rows + c], TOL_AGREE * (double)(most > 0 ? most : 1), f->seed);
        }
    free(unit), free(J), free(expected), free(Y), free(Lambda);
}

static void responses_of_handles_are_those_of_the_oracle(void** state) {
    static const char* const algorithms[] = {"aba", "aba-scalar"};
    const test_units* u = *state;
    for (int m = 0; m < MODELS; m++) {
        fixture* f = fixture_of_list(m, *u, test_case_seed(HANDLES, (uint64_t)m));
        question x = {0};
        for (int a = 0; a < 2; a++) {
            sn_dynamics* d = test_dynamics(f->model, algorithms[a]);
            if (a == 0 && m % 3 == 0) fixture_random_locks(f, d, 0.3);
            for (int i = 0; i < f->n; i++)
                CHECK_STATUS(sn_dynamics_lock(d, sn_body(i), f->o->body[i].locked), SN_OK);
            CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, f->x), SN_OK);
            for (int times = 0; times < 2; times++) { // nothing is left of the first question
                ask_at_random(f, &x);
                check_response(f, d, &x);
            }
            fixture_random_locks(f, d, 0.3); // the same question when other joints are locked
            CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, f->x), SN_OK);
            check_response(f, d, &x);
            sn_dynamics_free(d);
        }
        fixture_free(f);
    }
}

static test_units si, molecular;

int main(void) {
    si = test_units_si();
    molecular = test_units_molecular();
    const struct CMUnitTest tests[] = {
        TEST_IN_BOTH_UNITS(responses_of_handles_are_those_of_the_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
