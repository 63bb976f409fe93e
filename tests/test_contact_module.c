// SPDX-License-Identifier: Apache-2.0
// Contact solvers by a user's functions. That of examples/plugins/pgs_solver.c runs in the suite of our own; those
// here misbehave.
#include "../examples/plugins/pgs_solver.c"

#include "suite_contact_solver.h"

// It changes one row at a time: loads that many points share take it longer than it is given, and much friction with
// oblique inertia turns it in circles. It knows one coefficient of friction.
static const suite claims = {.solver = "pgs",
                             .module = &pgs_solver,
                             .share = 0.5,
                             .worst = 0.2,
                             .cycles = true,
                             .starts = true,
                             .kinds = SUITE_ALL_KINDS};

// ---- a module that does what it is told to ------------------------------------------------------------

typedef struct rogue {
    sn_status create, solve;                 ///< what it returns
    const char* says;                        ///< when it cannot be created
    void (*spoil)(double* r, int32_t count); ///< last
    int alive, freed;
} rogue;

static sn_status rogue_create(void* context, const sn_contact_capacity* capacity, void** memory,
                              sn_error* error) {
    rogue* r = context;
    if (r->create && r->says && error) memcpy(error->text, r->says, strlen(r->says) + 1);
    if (r->create) return r->create;
    r->alive++;
    return pgs_create(NULL, capacity, memory, error);
}

static void rogue_free(void* context, void* memory) {
    rogue* r = context;
    r->alive--;
    r->freed++;
    pgs_free(NULL, memory);
}

static sn_status rogue_solve(void* context, void* memory, const sn_contact_problem* problem,
                             const sn_solve_options* options, double* r, int64_t* iterations) {
    const rogue* at = context;
    sn_status status = pgs_solve(NULL, memory, problem, options, r, iterations);
    if (at->spoil) at->spoil(r, sn_contact_rows(problem));
    return status ? status : at->solve;
}

static sn_solver_module rogue_table(rogue* r) {
    return (sn_solver_module){.name = "rogue",
                              .about = "for tests",
                              .context = r,
                              .create = rogue_create,
                              .free = rogue_free,
                              .solve = rogue_solve};
}

static sn_contact_solver* create_rogue(rogue* r, const contact_case* c) {
    sn_contact_solver* solver = NULL;
    sn_solver_module table = rogue_table(r);
    sn_contact_capacity capacity = sn_contact_capacity_of(&c->p);
    CHECK_STATUS(sn_contact_solver_create_module(&table, &capacity, &solver, NULL), SN_OK);
    memset(&table, 0, sizeof table); // it was copied
    return solver;
}

static void free_rogue(rogue* r, sn_contact_solver* solver) {
    sn_contact_solver_free(solver);
    CHECK(r->alive == 0 && r->freed == 1, 0);
}

// ---- creation -----------------------------------------------------------------------------------------

static void expect_refused(const sn_solver_module* table, const sn_contact_capacity* capacity,
                           const char* reason) {
    sn_error error;
    sn_contact_solver* solver = (sn_contact_solver*)&error; // anything but NULL
    CHECK_STATUS(sn_contact_solver_create_module(table, capacity, &solver, &error),
                 SN_ERR_ARGUMENT);
    CHECK(!solver && strstr(error.text, reason), 0);
    CHECK_STATUS(sn_contact_solver_create_module(table, capacity, &solver, NULL), SN_ERR_ARGUMENT);
}

static void a_table_that_is_not_complete_is_refused_with_what_it_lacks(void** state) {
    (void)state;
    rogue r = {0};
    const sn_contact_capacity capacity = {.contacts = 1, .rows = 3}, negative = {.rows = -1};
    sn_solver_module table = rogue_table(&r);
    table.create = NULL;
    expect_refused(&table, &capacity, "solver 'rogue' has no function 'create'");
    table = rogue_table(&r);
    table.free = NULL;
    expect_refused(&table, &capacity, "'free'");
    table = rogue_table(&r);
    table.solve = NULL;
    expect_refused(&table, &capacity, "'solve'");
    table = rogue_table(&r);
    table.name = NULL;
    expect_refused(&table, &capacity, "name");
    table = rogue_table(&r);
    expect_refused(NULL, &capacity, "no solver module");
    expect_refused(&table, NULL, "capacity");
    expect_refused(&table, &negative, "capacity");
    CHECK_STATUS(sn_contact_solver_create_module(&table, &capacity, NULL, NULL), SN_ERR_ARGUMENT);
    CHECK(r.alive == 0 && r.freed == 0, 0);
}

static void a_module_that_cannot_be_created_is_named_with_its_reason(void** state) {
    (void)state;
    rogue r = {.create = SN_ERR_CAPACITY, .says = "only three contacts, please"};
    const sn_contact_capacity capacity = {.contacts = 4, .rows = 12};
    sn_solver_module table = rogue_table(&r);
    sn_contact_solver* solver = NULL;
    sn_error error;
    CHECK_STATUS(sn_contact_solver_create_module(&table, &capacity, &solver, &error),
                 SN_ERR_CAPACITY);
    CHECK(!solver && strstr(error.text, "'rogue'") && strstr(error.text, "only three"), 0);
    r.says = NULL;
    CHECK_STATUS(sn_contact_solver_create_module(&table, &capacity, &solver, &error),
                 SN_ERR_CAPACITY);
    CHECK(strstr(error.text, sn_status_text(SN_ERR_CAPACITY)), 0);
    CHECK(r.alive == 0 && r.freed == 0, 0);
}

// ---- what it returns is looked at ------------------------------------------------------------------------

static void one_is_not_a_number(double* r, int32_t count) { r[count / 2] = NAN; }
static void one_is_infinite(double* r, int32_t count) { r[count - 1] = -INFINITY; }
static void all_pull(double* r, int32_t count) {
    for (int32_t k = 0; k < count; k++) r[k] = k % 3 == 0 ? -1 : 5;
}

static void impulses_that_are_not_finite_become_zero_and_count_as_unsolved(void** state) {
    (void)state;
    void (*const spoil[])(double*, int32_t) = {one_is_not_a_number, one_is_infinite};
    for (uint64_t i = 0; i < 2; i++) {
        rogue r = {.spoil = spoil[i]};
        contact_case* c = contact_box(test_case_seed(SUITE_OTHER, i), 4, 0.5);
        for (int k = 0; k < 4; k++) c->q[3 * k] = -1; // all are hit: zero is no solution
        sn_contact_solver* solver = create_rogue(&r, c);
        sn_solve_options options = sn_solve_options_default();
        options.tolerance = 1e-3; // which it always reaches
        sn_solve_report report;
        CHECK_STATUS(sn_contact_solve(solver, &c->p, &options, c->r, &report, NULL), SN_OK);
        CHECK(!report.converged, c->seed);
        CHECK(suite_length(c->r, sn_contact_rows(&c->p)) == 0, c->seed);
        CHECK(report.verdict.residual > options.tolerance, c->seed); // of zero, as of any
        r.spoil = NULL;
        CHECK_STATUS(sn_contact_solve(solver, &c->p, &options, c->r, &report, NULL), SN_OK);
        CHECK(report.converged, c->seed);
        free_rogue(&r, solver);
        contact_case_free(c);
    }
}

static void what_is_outside_the_cones_is_brought_into_them(void** state) {
    (void)state;
    rogue r = {.spoil = all_pull};
    for (uint64_t i = 0; i < 20; i++) {
        contact_case* c = contact_box(test_case_seed(SUITE_OTHER, 100 + i), 4, 0.5);
        sn_contact_solver* solver = create_rogue(&r, c);
        sn_solve_options options = sn_solve_options_default();
        sn_solve_report report;
        CHECK_STATUS(sn_contact_solve(solver, &c->p, &options, c->r, &report, NULL), SN_OK);
        double given[3] = {-1, 5, 5}, nearest[3];
        for (int32_t k = 0; k < c->p.count; k++) {
            sn_contact_project(&c->law[k], 0, given, nearest);
            CHECK_VECTOR(c->r + c->p.first[k], nearest, 3, TOL_ROUNDOFF, c->seed);
            suite_check_cone(&c->law[k], c->r + c->p.first[k], 5, c->seed);
        }
        // judged as anybody's impulses are
        sn_contact_verdict verdict = sn_contact_judge(&c->p, c->r);
        CHECK_RELATIVE(report.verdict.residual, verdict.residual, TOL_CHAIN, c->seed);
        CHECK(!report.converged, c->seed);
        free_rogue(&r, solver);
        r = (rogue){.spoil = all_pull};
        contact_case_free(c);
    }
}

static void a_status_is_that_of_the_solve_and_leaves_the_impulses_alone(void** state) {
    (void)state;
    rogue r = {.solve = SN_ERR_FILE};
    contact_case* c = contact_box(test_case_seed(SUITE_OTHER, 200), 4, 0.5);
    sn_contact_solver* solver = create_rogue(&r, c);
    sn_solve_options options = sn_solve_options_default();
    sn_solve_report report;
    sn_error error;
    for (int k = 0; k < 12; k++) c->r[k] = k;
    CHECK_STATUS(sn_contact_solve(solver, &c->p, &options, c->r, &report, &error), SN_ERR_FILE);
    CHECK(strstr(error.text, "solver 'rogue' returned"), c->seed);
    for (int k = 0; k < 12; k++) CHECK(c->r[k] == k, c->seed);
    free_rogue(&r, solver);
    contact_case_free(c);
}

int main(void) {
    int failed = suite_contact_solver(claims);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_that_is_not_complete_is_refused_with_what_it_lacks),
        cmocka_unit_test(a_module_that_cannot_be_created_is_named_with_its_reason),
        cmocka_unit_test(impulses_that_are_not_finite_become_zero_and_count_as_unsolved),
        cmocka_unit_test(what_is_outside_the_cones_is_brought_into_them),
        cmocka_unit_test(a_status_is_that_of_the_solve_and_leaves_the_impulses_alone),
    };
    return failed + cmocka_run_group_tests_name("modules", tests, NULL, NULL);
}
