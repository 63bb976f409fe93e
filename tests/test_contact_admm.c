// SPDX-License-Identifier: Apache-2.0
#include "suite_contact_solver.h"

static const suite claims = {.solver = "admm",
                             .share = 0.9,
                             .worst = 1e-3,
                             .starts = true,
                             .kinds = SUITE_ALL_KINDS,
                             .speed = true};

// The half of W that points forward is off by a thousandth, as in files of other programs.
static void an_asymmetric_operator_is_made_symmetric_and_reported(void** state) {
    (void)state;
    for (int i = 0; i < 20; i++) {
        contact_case* c = contact_random(test_case_seed(SUITE_RANDOM, (uint64_t)i), 4, 9, 0.5);
        sn_solve_options options = suite_options(&claims);
        double largest = 0, off = 0;
        CHECK(suite_solve(&claims, c, &options).asymmetry < 1e-15, c->seed);
        for (int32_t at = 0; at < c->start[c->count]; at++) {
            bool forward = c->column[at] > at / c->count;
            for (int k = 0; k < 9; k++) {
                double* value = &c->value[c->offset[at] + k];
                if (forward) off = fmax(off, fabs(1e-3 * *value));
                if (forward) *value *= 1.001;
                largest = fmax(largest, fabs(*value));
            }
        }
        memset(c->r, 0, (size_t)c->rows * sizeof *c->r);
        sn_solve_report report = suite_solve(&claims, c, &options);
        CHECK_RELATIVE(report.asymmetry, off / largest, 1e-2, c->seed);
        CHECK(report.verdict.residual < 0.05, c->seed); // of W as given
        contact_case_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_asymmetric_operator_is_made_symmetric_and_reported),
    };
    int failed = suite_contact_solver(claims);
    return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
