// SPDX-License-Identifier: Apache-2.0
#include "suite_contact_solver.h"

static const suite claims = {
    .solver = "lcp",
    .kinds = SUITE_ALL_KINDS & ~(1u << SN_CONTACT_PATCH),
    .facets = 8,
};

static void more_facets_are_nearer_to_the_cone(void** state) {
    (void)state;
    const int facets[] = {4, 8, 16};
    double mean[3] = {0};
    for (int n = 0; n < 3; n++) {
        for (int i = 0; i < 60; i++) {
            contact_case* c = contact_box(test_case_seed(SUITE_BOX, (uint64_t)i), 4, suite_mu(i));
            sn_solve_options options = suite_options(&claims);
            options.facets = facets[n];
            mean[n] += suite_solve(&claims, c, &options).verdict.residual / 60;
            contact_case_free(c);
        }
        print_message("%d facets: mean residual %.2e\n", facets[n], mean[n]);
    }
    assert_true(mean[0] > 1.5 * mean[1] && mean[1] > 1.5 * mean[2]);
}

static void what_is_not_linear_is_refused_with_the_reason(void** state) {
    (void)state;
    contact_case* c = contact_mixed(1, 3, 1u << SN_CONTACT_PATCH);
    contact_case* box = contact_box(2, 4, 0.5);
    sn_contact_solver* solver = suite_create(&claims, c, 0);
    sn_contact_solver* of_box = suite_create(&claims, box, 0);
    sn_solve_options options = suite_options(&claims);
    sn_error error;
    CHECK_STATUS(sn_contact_solve(solver, &c->p, &options, c->r, NULL, &error), SN_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "contact 0: a patch"));
    box->law[2].mu_kinetic = 0.3, box->law[2].stribeck_speed = 0.1;
    CHECK_STATUS(sn_contact_solve(of_box, &box->p, &options, box->r, NULL, &error),
                 SN_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "contact 2"));
    box->law[2] = box->law[1];
    options.facets = 5;
    CHECK_STATUS(sn_contact_solve(of_box, &box->p, &options, box->r, NULL, &error),
                 SN_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "5 facets"));
    sn_contact_solver_free(of_box);
    sn_contact_solver_free(solver);
    contact_case_free(box);
    contact_case_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_facets_are_nearer_to_the_cone),
        cmocka_unit_test(what_is_not_linear_is_refused_with_the_reason),
    };
    int failed = suite_contact_solver(claims);
    return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
