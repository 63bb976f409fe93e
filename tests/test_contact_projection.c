// SPDX-License-Identifier: Apache-2.0
#include "suite_contact_solver.h"

// Its sweeps are limited, and hyperstatic loads take it more than that now and then.
static const suite claims = {.solver = "projection",
                             .share = 0.75,
                             .worst = 1e-3,
                             .starts = true,
                             .kinds = SUITE_ALL_KINDS,
                             .speed = true};

static void longer_steps_take_fewer_sweeps(void** state) {
    (void)state;
    int64_t sweeps[2] = {0};
    for (int i = 0; i < 40; i++) {
        for (int relaxed = 0; relaxed < 2; relaxed++) {
            contact_case* c = contact_pile(test_case_seed(SUITE_PILE, (uint64_t)i), 2, 0.5, 1);
            sn_solve_options options = suite_options(&claims);
            options.alternate = false;
            options.tolerance = 1e-6;
            if (relaxed) options.relaxation = 1.3;
            sweeps[relaxed] += suite_solve(&claims, c, &options).iterations;
            contact_case_free(c);
        }
    }
    print_message("sweeps %lld, over-relaxed %lld\n", (long long)sweeps[0], (long long)sweeps[1]);
    assert_true(sweeps[1] < sweeps[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(longer_steps_take_fewer_sweeps),
    };
    int failed = suite_contact_solver(claims);
    return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
