// SPDX-License-Identifier: Apache-2.0
/// What every contact solver must do: one suite, run once for each that claims to converge.
///     int main(void) { return suite_contact_solver((suite){.solver = "admm", ...}); }
/// Solutions are not unique, not even their velocities, so answers are judged by the residual,
/// by cones and by energy; impulses are compared only where there is one contact.
#ifndef SINEW_TESTS_SUITE_CONTACT_SOLVER_H
#define SINEW_TESTS_SUITE_CONTACT_SOLVER_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/contact.h"
#include "support/check.h"
#include "support/contact_problems.h"

/// What a solver claims.
typedef struct suite {
    const char* solver;
    double share;   ///< of random problems that reach the tolerance of 1e-8
    double worst;   ///< residual of those that do not
    bool starts;    ///< better from a good start
    unsigned kinds; ///< 1 << kind of those it takes
    bool speed;     ///< takes friction that depends on speed: viscous, or kinetic mu
    int facets;     ///< its cones are pyramids of so many facets; 0: they are cones
    bool cycles;    ///< may go in circles where normal and tangents are strongly coupled
    const sn_solver_module* module; ///< that solves; NULL: `solver` does
} suite;

enum {
    SUITE_SINGLE = 1,
    SUITE_BOX,
    SUITE_PILE,
    SUITE_RANDOM,
    SUITE_FORMS,
    SUITE_BIAS,
    SUITE_MIXED,
    SUITE_EQUAL,
    SUITE_ORDER,
    SUITE_WARM,
    SUITE_LATE,
    SUITE_WORKERS,
    SUITE_FRICTION,
    SUITE_RATIO,
    SUITE_STILL,
    SUITE_AGAINST,
    SUITE_BAD,
    SUITE_LAWS,
    SUITE_VISCOUS,
    SUITE_OTHER,
    SUITE_USED,
    SUITE_ALL_KINDS = (1 << SN_CONTACT_KIND_COUNT) - 1,
};

// ---- one solve --------------------------------------------------------------------------------------------

/// Room for rounding beside a cone, relative to the impulse.
#define SUITE_EDGE 1e-12
/// Rounding of sums over a few hundred rows.
#define SUITE_ROUNDING 1e-13

static void suite_check_cone(const sn_contact_law* law, const double* r, double size,
                             uint64_t seed) {
    double slack = SUITE_EDGE * size;
    if (law->kind == SN_CONTACT_EQUAL) return;
    if (law->kind == SN_CONTACT_DRY) {
        CHECK(fabs(r[0]) <= law->bound + slack, seed);
        return;
    }
    CHECK(r[0] >= 0, seed);
    if (law->kind == SN_CONTACT_LIMIT) return;
    if (law->viscous > 0) return; // the cone is not of r
    CHECK(hypot(r[1], r[2]) <= law->mu * (r[0] + slack) + slack, seed);
    if (law->kind == SN_CONTACT_POINT) return;
    CHECK(fabs(r[3]) <= law->spin * r[0] + slack, seed);
    CHECK(hypot(r[4], r[5]) <= law->roll * r[0] + slack, seed);
}

static double suite_length(const double* x, int32_t n) {
    double sum = 0;
    for (int32_t k = 0; k < n; k++) sum += x[k] * x[k];
    return sqrt(sum);
}

static double suite_trace(const contact_case* c) {
    double *W = malloc(sizeof *W * (size_t)c->rows * (size_t)c->rows), sum = 0;
    sn_contact_dense(&c->p, W);
    for (int32_t k = 0; k < c->rows; k++) sum += W[(size_t)k * (size_t)(c->rows + 1)];
    free(W);
    return sum;
}

/// Solvers that keep velocities judge by them: the same but for the rounding of u = W r + q.
static void suite_check_verdict(const contact_case* c, const sn_contact_verdict* given,
                                const sn_contact_verdict* expected, double size) {
    double q = suite_length(c->q, c->rows), reach = q + suite_trace(c) * size;
    double most = SUITE_ROUNDING * (q > 0 ? reach / q : 1);
    CHECK_NEAR(given->residual, expected->residual, SUITE_ROUNDING * (1 + c->rows), c->seed);
    CHECK_NEAR(given->unmet, expected->unmet, most * fmax(1, expected->unmet), c->seed);
    CHECK_NEAR(given->error, expected->error, most * fmax(1, expected->error), c->seed);
    CHECK_NEAR(given->energy, expected->energy, SUITE_ROUNDING * size * reach, c->seed);
    CHECK_NEAR(given->penetration, expected->penetration, SUITE_ROUNDING * reach, c->seed);
}

/// Whatever was solved: finite, in the cones, and judged as anybody would judge it.
static void suite_check_answer(const contact_case* c, const sn_solve_options* options,
                               const sn_solve_report* report) {
    double size = suite_length(c->r, c->rows);
    CHECK(isfinite(size), c->seed);
    for (int32_t i = 0; i < c->count; i++)
        suite_check_cone(&c->law[i], c->r + c->first[i], size, c->seed);
    sn_contact_verdict verdict = sn_contact_judge(&c->p, c->r);
    suite_check_verdict(c, &report->verdict, &verdict, size);
    CHECK(report->contacts == c->count, c->seed);
    CHECK(report->converged == (report->verdict.residual <= options->tolerance &&
                                report->verdict.unmet <= sqrt(options->tolerance)),
          c->seed);
}

static sn_contact_solver* suite_create_for(const suite* s, const sn_contact_capacity* capacity,
                                           int workers) {
    sn_contact_solver* solver;
    sn_status status = s->module
                           ? sn_contact_solver_create_module(s->module, capacity, &solver, NULL)
                           : sn_contact_solver_create(s->solver, capacity, workers, &solver, NULL);
    CHECK_STATUS(status, SN_OK);
    return solver;
}

static sn_contact_solver* suite_create(const suite* s, const contact_case* c, int workers) {
    sn_contact_capacity capacity = sn_contact_capacity_of(&c->p);
    return suite_create_for(s, &capacity, workers);
}

static sn_solve_options suite_options(const suite* s) {
    sn_solve_options options = sn_solve_options_default();
    if (s->facets) options.facets = s->facets;
    return options;
}

/// Solves from c->r.
static sn_solve_report suite_solve(const suite* s, contact_case* c,
                                   const sn_solve_options* options) {
    sn_contact_solver* solver = suite_create(s, c, 0);
    sn_solve_report report;
    CHECK_STATUS(sn_contact_solve(solver, &c->p, options, c->r, &report, NULL), SN_OK);
    suite_check_answer(c, options, &report);
    sn_contact_solver_free(solver);
    return report;
}

// ---- many solves ------------------------------------------------------------------------------------------

typedef struct suite_tally {
    int cases, converged;
    double worst;
    uint64_t of; ///< seed of the worst
} suite_tally;

/// A pyramid is off the cone by 4 sin(pi / 2 facets) at most: its pushes are that of the edge nearest to
/// the sliding direction, 2 mu r_n sin(pi / 2 facets) from the right one, and the natural map doubles
/// distances at most.
static double suite_worst(const suite* s) {
    return s->facets ? 4 * sin(3.14159265358979323846 / (2 * s->facets)) : s->worst;
}

/// Solves with defaults, from zero. Impulses of a problem whose q no one has shifted take energy away.
static void suite_count(const suite* s, contact_case* c, bool shifted, suite_tally* tally) {
    sn_solve_options options = suite_options(s);
    sn_solve_report report = suite_solve(s, c, &options);
    tally->cases++;
    tally->converged += report.converged;
    if (!(report.verdict.residual <= tally->worst)) {
        tally->worst = report.verdict.residual;
        tally->of = c->seed;
    }
    if (!shifted && (report.converged || s->facets)) {
        double most = suite_length(c->r, c->rows) * suite_length(c->q, c->rows);
        CHECK(report.verdict.energy <= options.tolerance * most, c->seed);
    }
    contact_case_free(c);
}

static void suite_conclude(const suite* s, const suite_tally* tally, double worst,
                           const char* what) {
    print_message("%s: %d of %d reach 1e-8, worst residual %.1e\n", what, tally->converged,
                  tally->cases, tally->worst);
    if (!s->facets) CHECK(tally->converged >= s->share * tally->cases, 0);
    CHECK(tally->worst <= worst, tally->of);
}

static double suite_mu(int i) { return 0.2 + 0.1 * (i % 11); }

static void hyperstatic_boxes_are_solved(void** state) {
    const suite* s = *state;
    suite_tally tally = {0};
    for (int i = 0; i < 100; i++) {
        uint64_t seed = test_case_seed(SUITE_BOX, (uint64_t)i);
        suite_count(s, contact_box(seed, 4 + i % 9, suite_mu(i)), false, &tally);
    }
    suite_conclude(s, &tally, suite_worst(s), "boxes");
}

static void piles_are_solved(void** state) {
    const suite* s = *state;
    suite_tally tally = {0};
    for (int i = 0; i < 40; i++) {
        uint64_t seed = test_case_seed(SUITE_PILE, (uint64_t)i);
        suite_count(s, contact_pile(seed, 2 + i % 3, suite_mu(i), 1), false, &tally);
    }
    suite_conclude(s, &tally, suite_worst(s), "piles");
}

static void random_operators_are_solved(void** state) {
    const suite* s = *state;
    suite_tally tally = {0};
    for (int i = 0; i < 100; i++) {
        uint64_t seed = test_case_seed(SUITE_RANDOM, (uint64_t)i);
        suite_count(s, contact_random(seed, 1 + i % 7, 6 + i % 12, suite_mu(i)), false, &tally);
    }
    suite_conclude(s, &tally, suite_worst(s), "random operators");
}

static void restitution_and_gaps_are_another_q(void** state) {
    const suite* s = *state;
    suite_tally tally = {0};
    for (int i = 0; i < 60; i++) {
        uint64_t seed = test_case_seed(SUITE_BIAS, (uint64_t)i);
        contact_case* c = contact_box(seed, 3 + i % 6, suite_mu(i));
        for (int32_t k = 0; k < c->count; k++) // e u_n^- of a box that came down flat, or gap/h
            c->q[c->first[k]] += i % 2 ? -0.5 * 0.2 : 0.05 * k;
        suite_count(s, c, true, &tally);
    }
    suite_conclude(s, &tally, suite_worst(s), "restitution and gaps");
}

static void rows_of_all_kinds_are_solved_together(void** state) {
    const suite* s = *state;
    suite_tally tally = {0};
    for (int i = 0; i < 100; i++) {
        uint64_t seed = test_case_seed(SUITE_MIXED, (uint64_t)i);
        suite_count(s, contact_mixed(seed, 1 + i % 8, s->kinds), false, &tally);
    }
    for (int kind = 1; kind < SN_CONTACT_KIND_COUNT; kind++) {
        if (!(s->kinds >> kind & 1)) continue;
        for (int i = 0; i < 20; i++) {
            uint64_t seed = test_case_seed(SUITE_MIXED, (uint64_t)(1000 * kind + i));
            suite_count(s, contact_mixed(seed, 1 + i % 5, 1u << kind), false, &tally);
        }
    }
    suite_conclude(s, &tally, suite_worst(s), "rows of all kinds");
}

static void compliance_and_kinetic_friction_are_solved(void** state) {
    const suite* s = *state;
    suite_tally tally = {0};
    for (int i = 0; i < 60; i++) {
        uint64_t seed = test_case_seed(SUITE_LAWS, (uint64_t)i);
        contact_case* c = contact_box(seed, 3 + i % 4, suite_mu(i % 6));
        for (int32_t k = 0; k < c->count; k++) {
            if (i % 2 == 0) c->law[k].compliance = 0.05;
            if (i % 2 == 1 && s->speed) {
                c->law[k].mu_kinetic = 0.6 * c->law[k].mu;
                c->law[k].stribeck_speed = 0.3;
            }
        }
        suite_count(s, c, false, &tally);
    }
    suite_conclude(s, &tally, suite_worst(s), "compliance and kinetic friction");
}

static contact_case* suite_viscous(uint64_t seed, int32_t contacts, double mu, double viscous) {
    contact_case* c = contact_box(seed, contacts, mu);
    for (int32_t i = 0; i < c->count; i++) c->law[i].viscous = viscous;
    return c;
}

static void viscous_friction_is_solved(void** state) {
    const suite* s = *state;
    suite_tally tally = {0};
    for (int i = 0; s->speed && i < 60; i++) {
        uint64_t seed = test_case_seed(SUITE_VISCOUS, (uint64_t)i);
        suite_count(s, suite_viscous(seed, 1 + i % 9, suite_mu(i % 6), 0.1 + 0.1 * (i % 5)), true,
                    &tally);
    }
    suite_conclude(s, &tally, 1, "viscous friction");
}

// ---- against something else -------------------------------------------------------------------------------

static void a_single_contact_is_a_root_of_the_quartic(void** state) {
    const suite* s = *state;
    sn_solve_options options = suite_options(s);
    options.tolerance = 1e-11;
    if (s->facets || s->cycles) return; // its cone is another; not all can be had of it
    for (int i = 0; i < 300; i++) {
        uint64_t seed = test_case_seed(SUITE_SINGLE, (uint64_t)i);
        contact_case* c = contact_single(seed, suite_mu(i));
        real W[9], q[3], solution[ORACLE_CONTACT_ROOTS][3], slide[3];
        double W_given[9], nearest = INFINITY, size = 0;
        sn_contact_dense(&c->p, W_given);
        for (int k = 0; k < 9; k++) W[k] = W_given[k];
        for (int k = 0; k < 3; k++) q[k] = c->q[k];
        int count = oracle_contact_solutions(W, q, suite_mu(i), solution);
        bool slides = oracle_contact_slide(W, q, suite_mu(i), slide), listed = !slides;
        CHECK(suite_solve(s, c, &options).converged, seed);
        for (int n = 0; n < count; n++) {
            double distance = 0, from_slide = 0;
            for (int k = 0; k < 3; k++) {
                distance += pow(c->r[k] - (double)solution[n][k], 2);
                from_slide += pow((double)(slide[k] - solution[n][k]), 2);
            }
            nearest = fmin(nearest, sqrt(distance));
            if (slides && sqrt(from_slide) < 1e-9) listed = true;
        }
        size = suite_length(c->r, 3);
        CHECK(listed, seed);                 // the two oracles agree
        CHECK(nearest <= 1e-5 * size, seed); // near a double root the residual's square root, 3e-6
        contact_case_free(c);
    }
}

static void equalities_leave_the_velocity_nearest_to_the_free_one(void** state) {
    const suite* s = *state;
    sn_solve_options options = suite_options(s);
    options.tolerance = 1e-12;
    int converged = 0;
    for (int i = 0; i < 60; i++) {
        uint64_t seed = test_case_seed(SUITE_EQUAL, (uint64_t)i);
        contact_case* c = contact_mixed(seed, 1 + i % 4, 1u << SN_CONTACT_EQUAL);
        int32_t bodies = c->tree[c->p.bodies.tree_count], n = 6 * bodies, rows = c->rows;
        real *J = calloc((size_t)(rows * n), sizeof *J),
             *v_free = calloc((size_t)n, sizeof *v_free);
        real *response = calloc((size_t)(n * n), sizeof *J),
             *expected = calloc((size_t)n, sizeof *J);
        double *v = calloc((size_t)n, sizeof *v), *f = calloc((size_t)n, sizeof *f);
        for (int32_t t = 0; t < c->p.bodies.tree_count; t++) {
            int32_t first = 6 * c->tree[t], size = 6 * c->tree[t + 1] - first;
            for (int32_t k = 0; k < size * size; k++)
                response[(first + k / size) * n + first + k % size] =
                    c->response_value[c->response[t] + k];
        }
        for (int32_t k = 0; k < c->count; k++)
            for (int32_t l = 6 * c->first[k]; l < 6 * c->first[k + 1]; l++) {
                if (c->a[k] >= 0) J[l / 6 * n + 6 * c->a[k] + l % 6] += c->C_a[l];
                if (c->b[k] >= 0) J[l / 6 * n + 6 * c->b[k] + l % 6] += c->C_b[l];
            }
        for (int32_t k = 0; k < n; k++) v_free[k] = c->v_free[k];
        oracle_hold(n, response, rows, J, v_free, expected);
        bool solved = suite_solve(s, c, &options).converged;
        converged += solved;
        for (int32_t k = 0; k < n; k++)
            for (int32_t l = 0; l < rows; l++) f[k] += (double)J[l * n + k] * c->r[l];
        for (int32_t k = 0; k < n; k++) {
            v[k] = c->v_free[k];
            for (int32_t l = 0; l < n; l++) v[k] += (double)response[k * n + l] * f[l];
        }
        // What is left of u, 1e-12, over the smallest eigenvalues of W that rows in general position have.
        for (int32_t k = 0; solved && k < n; k++) CHECK_NEAR(v[k], expected[k], 1e-7, seed);
        free(J), free(v_free), free(response), free(expected), free(v), free(f);
        contact_case_free(c);
    }
    CHECK(converged >= (s->facets ? 1 : s->share) * 60, 0);
}

static void bodies_and_matrix_lead_to_the_same_verdict(void** state) {
    const suite* s = *state;
    sn_solve_options options = suite_options(s);
    for (int i = 0; i < 40; i++) {
        uint64_t seed = test_case_seed(SUITE_FORMS, (uint64_t)i);
        contact_case* c = i % 2 ? contact_box(seed, 4, 0.5) : contact_mixed(seed, 4, s->kinds);
        contact_case* m = contact_by_matrix(c);
        sn_solve_report by_bodies = suite_solve(s, c, &options);
        sn_solve_report by_matrix = suite_solve(s, m, &options);
        CHECK(by_bodies.groups == by_matrix.groups, seed);
        if (!s->facets) CHECK(by_bodies.converged == by_matrix.converged, seed);
        CHECK(by_bodies.verdict.residual <= suite_worst(s), seed);
        CHECK(by_matrix.verdict.residual <= suite_worst(s), seed);
        // the answer to one is an answer to the other
        CHECK_NEAR(sn_contact_judge(&m->p, c->r).residual, by_bodies.verdict.residual, TOL_CHAIN,
                   seed);
        contact_case_free(m);
        contact_case_free(c);
    }
}

static void the_order_of_contacts_does_not_matter(void** state) {
    const suite* s = *state;
    sn_solve_options options = suite_options(s);
    for (int i = 0; i < 40; i++) {
        uint64_t seed = test_case_seed(SUITE_ORDER, (uint64_t)i);
        contact_case* c = contact_mixed(seed, 5, s->kinds);
        int32_t order[5];
        contact_random_order(seed, c->count, order);
        contact_case* other = contact_in_order(c, order);
        sn_solve_report first = suite_solve(s, c, &options);
        sn_solve_report second = suite_solve(s, other, &options);
        CHECK(first.verdict.residual <= suite_worst(s), seed);
        CHECK(second.verdict.residual <= suite_worst(s), seed);
        if (!s->facets && !s->cycles) CHECK(first.converged == second.converged, seed);
        for (int32_t k = 0; k < c->count; k++)
            memcpy(other->r + other->first[k], c->r + c->first[order[k]],
                   (size_t)other->law[k].rows * sizeof *c->r);
        CHECK_NEAR(sn_contact_judge(&other->p, other->r).residual, first.verdict.residual,
                   TOL_CHAIN, seed);
        contact_case_free(other);
        contact_case_free(c);
    }
}

/// Solves from zero, by a solver that has solved others and by a new one; returns whether the bits are the same.
static bool suite_is_as_new(const suite* s, sn_contact_solver* used,
                            const sn_contact_capacity* capacity, contact_case* c) {
    sn_solve_options options = suite_options(s);
    options.iterations = 40;
    sn_contact_solver* fresh = suite_create_for(s, capacity, 0);
    memset(c->r, 0, (size_t)c->rows * sizeof *c->r);
    memset(c->u, 0, (size_t)c->rows * sizeof *c->u);
    CHECK_STATUS(sn_contact_solve(used, &c->p, &options, c->r, NULL, NULL), SN_OK);
    CHECK_STATUS(sn_contact_solve(fresh, &c->p, &options, c->u, NULL, NULL), SN_OK);
    sn_contact_solver_free(fresh);
    return memcmp(c->r, c->u, (size_t)c->rows * sizeof *c->r) == 0;
}

/// The next problem has the same contacts on the same bodies, as in a simulation, or others.
static void a_used_solver_gives_the_same_bits_as_a_new_one(void** state) {
    const suite* s = *state;
    for (int i = 0; i < 30; i++) {
        uint64_t seed = test_case_seed(SUITE_USED, (uint64_t)i);
        contact_case* c =
            i % 2 ? contact_mixed(seed, 6, s->kinds) : contact_heap(seed, 3, s->facets ? 0 : 0.5);
        int32_t order[128];
        contact_random_order(seed, c->count, order);
        contact_case* other = contact_in_order(c, order);
        sn_contact_capacity capacity = sn_contact_capacity_of(&c->p);
        sn_contact_solver* used = suite_create_for(s, &capacity, 0);
        for (int times = 0; times < 3; times++) { // the first is at rest
            for (int32_t k = 0; k < c->rows; k++) c->q[k] = 0.5 * times * other->q[k];
            CHECK(suite_is_as_new(s, used, &capacity, c), seed);
        }
        for (int32_t k = 0; s->speed && k < c->count; k += 2)
            if (c->law[k].kind == SN_CONTACT_POINT) c->law[k].viscous = 0.1;
        CHECK(suite_is_as_new(s, used, &capacity, c), seed);
        CHECK(suite_is_as_new(s, used, &capacity, other), seed);
        CHECK(suite_is_as_new(s, used, &capacity, c), seed);
        sn_contact_solver_free(used);
        contact_case_free(other);
        contact_case_free(c);
    }
}

static void the_figure_of_siconos_is_met_when_asked_for(void** state) {
    const suite* s = *state;
    for (int i = 0; i < 30; i++) {
        uint64_t seed = test_case_seed(SUITE_OTHER, (uint64_t)i);
        contact_case* c = contact_heap(seed, 3, s->facets ? 0 : 0.5);
        sn_contact_solver* solver = suite_create(s, c, 0);
        sn_solve_options options = suite_options(s);
        sn_solve_report report;
        options.siconos_error = true;
        options.tolerance = 1e-6;
        CHECK_STATUS(sn_contact_solve(solver, &c->p, &options, c->r, &report, NULL), SN_OK);
        CHECK(report.converged == (report.verdict.error <= 1e-6), seed);
        CHECK(report.verdict.error <= fmax(suite_worst(s), 1e-5), seed);
        sn_contact_solver_free(solver);
        contact_case_free(c);
    }
}

// ---- from one solve to the next ---------------------------------------------------------------------------

static void what_is_remembered_shortens_the_next_solve(void** state) {
    const suite* s = *state;
    sn_solve_options options = suite_options(s);
    int fewer = 0, more = 0;
    for (int i = 0; i < 30; i++) {
        uint64_t seed = test_case_seed(SUITE_WARM, (uint64_t)i);
        contact_case* c = contact_box(seed, 3, 0.5);
        sn_contact_solver* solver = suite_create(s, c, 0);
        sn_solve_report report;
        assert_int_equal(sn_contact_recall(solver, &c->p, c->r), 0);
        CHECK_STATUS(sn_contact_solve(solver, &c->p, &options, c->r, &report, NULL), SN_OK);
        sn_contact_remember(solver, &c->p, c->r);
        memcpy(c->u, c->r, (size_t)c->rows * sizeof *c->u);
        for (int32_t k = 0; k < c->rows; k++) c->q[k] *= 1 + 1e-4 * (k % 3);
        memset(c->r, 0, (size_t)c->rows * sizeof *c->r);
        CHECK_STATUS(sn_contact_solve(solver, &c->p, &options, c->r, &report, NULL), SN_OK);
        int64_t cold = report.iterations;
        CHECK(sn_contact_recall(solver, &c->p, c->r) == c->count, seed);
        CHECK(memcmp(c->u, c->r, (size_t)c->rows * sizeof *c->u) == 0, seed);
        CHECK_STATUS(sn_contact_solve(solver, &c->p, &options, c->r, &report, NULL), SN_OK);
        fewer += report.iterations < cold;
        more += report.iterations > cold;
        suite_check_answer(c, &options, &report);
        c->id[0] = 77, c->id[1] = 0; // one is new, one has no id
        CHECK(sn_contact_recall(solver, &c->p, c->r) == c->count - 2, seed);
        for (int32_t k = 0; k < 6; k++) CHECK(c->r[k] == 0, seed);
        sn_contact_solver_free(solver);
        contact_case_free(c);
    }
    print_message("a start took fewer iterations %d times, more %d times\n", fewer, more);
    if (s->starts) assert_true(fewer > 2 * more);
}

/// A clock that moves whenever somebody looks.
typedef struct suite_watch {
    int64_t now_ns;
} suite_watch;

static int64_t suite_look(void* context) {
    suite_watch* watch = context;
    return watch->now_ns += 1000;
}

static void a_late_solve_stops_and_its_iterations_replay_it_exactly(void** state) {
    const suite* s = *state;
    int late = 0;
    for (int i = 0; i < 30; i++) {
        uint64_t seed = test_case_seed(SUITE_LATE, (uint64_t)i);
        contact_case* c = contact_heap(seed, 3, 0.5);
        contact_case* again = contact_heap(seed, 3, 0.5);
        suite_watch watch = {0};
        sn_solve_options options = suite_options(s);
        options.tolerance = 0; // never enough
        options.clock = (sn_clock){.now_ns = suite_look, .context = &watch};
        options.deadline_ns = 1000 * (2 + i);
        sn_solve_report report = suite_solve(s, c, &options);
        late += report.late;
        CHECK(report.nanoseconds > 0 && report.nanoseconds % 1000 == 0, seed);
        sn_solve_options replay = options;
        replay.deadline_ns = 0;
        replay.clock = sn_clock_real();
        replay.iterations = report.iterations;
        sn_solve_report second = suite_solve(s, again, &replay);
        CHECK(!second.late, seed);
        CHECK(second.iterations == report.iterations, seed);
        CHECK(memcmp(c->r, again->r, (size_t)c->rows * sizeof *c->r) == 0, seed);
        contact_case_free(again);
        contact_case_free(c);
    }
    assert_true(late > 20);
}

static void any_number_of_workers_gives_the_same_bits(void** state) {
    const suite* s = *state;
    for (int i = 0; i < 10; i++) {
        uint64_t seed = test_case_seed(SUITE_WORKERS, (uint64_t)i);
        contact_case* c = contact_heap(seed, 5, 0.5);
        double first[36 * 5];
        for (int workers = 0; workers < 4; workers++) {
            sn_contact_solver* solver = suite_create(s, c, workers);
            sn_solve_options options = suite_options(s);
            sn_solve_report report;
            options.iterations = 200;
            memset(c->r, 0, (size_t)c->rows * sizeof *c->r);
            CHECK_STATUS(sn_contact_solve(solver, &c->p, &options, c->r, &report, NULL), SN_OK);
            if (workers == 0) memcpy(first, c->r, (size_t)c->rows * sizeof *first);
            CHECK(memcmp(first, c->r, (size_t)c->rows * sizeof *first) == 0, seed);
            CHECK(report.groups == 5, seed);
            sn_contact_solver_free(solver);
        }
        contact_case_free(c);
    }
}

// ---- bad input --------------------------------------------------------------------------------------------

static void no_friction_and_much_friction_end(void** state) {
    const suite* s = *state;
    sn_solve_options options = suite_options(s);
    options.iterations = 2000;
    suite_tally without = {0};
    for (int i = 0; i < 30; i++) {
        uint64_t seed = test_case_seed(SUITE_FRICTION, (uint64_t)i);
        contact_case* c = contact_box(seed, 3 + i % 6, 1e3);
        CHECK(suite_solve(s, c, &options).verdict.residual < 1, seed);
        contact_case_free(c);
        suite_count(s, contact_box(seed, 3 + i % 6, 0), false, &without);
    }
    suite_conclude(s, &without, suite_worst(s), "without friction");
}

static void masses_a_million_apart_end(void** state) {
    const suite* s = *state;
    sn_solve_options options = suite_options(s);
    options.iterations = 500;
    for (int i = 0; i < 20; i++) {
        uint64_t seed = test_case_seed(SUITE_RATIO, (uint64_t)i);
        contact_case* c = contact_pile(seed, 3, 0.5, i % 2 ? 1e6 : 1e-6);
        CHECK(suite_solve(s, c, &options).verdict.residual <= 1, seed);
        contact_case_free(c);
    }
}

static void contacts_of_what_does_not_move_are_left_alone(void** state) {
    const suite* s = *state;
    sn_solve_options options = suite_options(s);
    for (int i = 0; i < 20; i++) {
        uint64_t seed = test_case_seed(SUITE_STILL, (uint64_t)i);
        contact_case* c = contact_box(seed, 4, 0.5);
        c->a[2] = c->b[2] = -1;
        for (int k = 0; k < 3; k++) c->q[c->first[2] + k] = 0;
        sn_solve_report report = suite_solve(s, c, &options);
        CHECK(report.groups == 2, seed);
        if (!s->facets) CHECK(report.converged, seed);
        for (int k = 0; k < 3; k++) CHECK(c->r[c->first[2] + k] == 0, seed);
        c->q[c->first[2]] = -1; // approaches, and nothing can help it
        memset(c->r, 0, (size_t)c->rows * sizeof *c->r);
        CHECK(!suite_solve(s, c, &options).converged, seed);
        contact_case_free(c);
    }
}

static void contradictions_end_and_are_reported(void** state) {
    const suite* s = *state;
    sn_solve_options options = suite_options(s);
    options.iterations = 1000;
    for (int i = 0; i < 20; i++) {
        uint64_t seed = test_case_seed(SUITE_AGAINST, (uint64_t)i);
        contact_case* c = contact_mixed(seed, 2, 1u << SN_CONTACT_EQUAL);
        // The rows of contact 1 are those of contact 0, but are to have another velocity.
        if (c->law[0].rows == c->law[1].rows) {
            c->a[1] = c->a[0], c->b[1] = c->b[0];
            for (int32_t k = 0; k < 6 * c->law[0].rows; k++) {
                c->C_a[6 * c->first[1] + k] = c->C_a[k];
                c->C_b[6 * c->first[1] + k] = c->C_b[k];
            }
            for (int32_t k = 0; k < c->law[0].rows; k++) c->q[c->first[1] + k] = c->q[k] + 1;
            CHECK(!suite_solve(s, c, &options).converged, seed);
        }
        contact_case_free(c);
        // A contact that approaches along a row that must not move.
        contact_case* held = contact_box(seed, 2, 0.5);
        held->law[0] = sn_contact_law_make(SN_CONTACT_EQUAL);
        held->law[0].rows = 3;
        memcpy(held->C_a + 18, held->C_a, 18 * sizeof *held->C_a);
        for (int k = 0; k < 3; k++) held->q[k] = 0, held->q[3 + k] = -1;
        CHECK(!suite_solve(s, held, &options).converged, seed);
        contact_case_free(held);
    }
}

static void numbers_that_are_not_finite_are_refused(void** state) {
    const suite* s = *state;
    sn_solve_options options = suite_options(s);
    sn_solve_report report;
    contact_case* c = contact_box(test_case_seed(SUITE_BAD, 0), 4, 0.5);
    sn_contact_solver* solver = suite_create(s, c, 0);
    double* bad[] = {&c->q[5], &c->C_a[20], &c->response_value[7], &c->law[1].mu, &c->r[4]};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        double good = *bad[k], before[12];
        *bad[k] = NAN;
        memcpy(before, c->r, sizeof before);
        CHECK_STATUS(sn_contact_solve(solver, &c->p, &options, c->r, &report, NULL),
                     SN_ERR_NUMERIC);
        CHECK(memcmp(before, c->r, sizeof before) == 0, c->seed);
        *bad[k] = good;
    }
    CHECK_STATUS(sn_contact_solve(solver, &c->p, &options, c->r, NULL, NULL), SN_OK);
    sn_contact_solver_free(solver);
    contact_case_free(c);
}

static void what_does_not_fit_is_refused(void** state) {
    const suite* s = *state;
    sn_solve_options options = suite_options(s);
    sn_solve_report report;
    sn_error error = {0};
    contact_case* small = contact_box(test_case_seed(SUITE_BAD, 1), 4, 0.5);
    contact_case* large = contact_box(test_case_seed(SUITE_BAD, 2), 5, 0.5);
    contact_case* matrix = contact_by_matrix(small);
    sn_contact_solver* solver = suite_create(s, small, 0);
    sn_contact_solver* of_matrix = suite_create(s, matrix, 0);
    CHECK_STATUS(sn_contact_solve(solver, &large->p, &options, large->r, &report, &error),
                 SN_ERR_CAPACITY);
    assert_non_null(strstr(error.text, "5 contacts"));
    CHECK_STATUS(sn_contact_solve(of_matrix, &small->p, &options, small->r, &report, &error),
                 SN_ERR_CAPACITY);
    small->law[1].rows = 2;
    CHECK_STATUS(sn_contact_solve(solver, &small->p, &options, small->r, &report, NULL),
                 SN_ERR_ARGUMENT);
    small->law[1].rows = 3;
    options.tolerance = NAN;
    CHECK_STATUS(sn_contact_solve(solver, &small->p, &options, small->r, &report, NULL),
                 SN_ERR_ARGUMENT);
    options = suite_options(s);
    CHECK_STATUS(sn_contact_solve(solver, &small->p, NULL, small->r, &report, NULL),
                 SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_contact_solve(solver, NULL, &options, small->r, &report, NULL),
                 SN_ERR_ARGUMENT);
    sn_contact_solver_free(of_matrix);
    sn_contact_solver_free(solver);
    contact_case_free(matrix);
    contact_case_free(large);
    contact_case_free(small);
}

static void no_contacts_are_solved(void** state) {
    const suite* s = *state;
    const int32_t first[1] = {0};
    const sn_contact_problem none = {.first = first};
    const sn_contact_capacity capacity = {0};
    sn_contact_solver* solver = suite_create_for(s, &capacity, 0);
    sn_solve_options options = suite_options(s);
    sn_solve_report report;
    double r[1] = {0};
    CHECK_STATUS(sn_contact_solve(solver, &none, &options, r, &report, NULL), SN_OK);
    assert_true(report.converged && report.groups == 0);
    sn_contact_solver_free(solver);
}

// ---- running ----------------------------------------------------------------------------------------------

static int suite_contact_solver(suite claims) {
    (void)test_seed(); // print it first
    static suite s;
    s = claims;
#define SUITE_TEST(test)                                                                           \
    { #test, test, NULL, NULL, &s }
    const struct CMUnitTest tests[] = {
        SUITE_TEST(a_single_contact_is_a_root_of_the_quartic),
        SUITE_TEST(hyperstatic_boxes_are_solved),
        SUITE_TEST(piles_are_solved),
        SUITE_TEST(random_operators_are_solved),
        SUITE_TEST(restitution_and_gaps_are_another_q),
        SUITE_TEST(rows_of_all_kinds_are_solved_together),
        SUITE_TEST(compliance_and_kinetic_friction_are_solved),
        SUITE_TEST(viscous_friction_is_solved),
        SUITE_TEST(equalities_leave_the_velocity_nearest_to_the_free_one),
        SUITE_TEST(bodies_and_matrix_lead_to_the_same_verdict),
        SUITE_TEST(the_order_of_contacts_does_not_matter),
        SUITE_TEST(a_used_solver_gives_the_same_bits_as_a_new_one),
        SUITE_TEST(the_figure_of_siconos_is_met_when_asked_for),
        SUITE_TEST(what_is_remembered_shortens_the_next_solve),
        SUITE_TEST(a_late_solve_stops_and_its_iterations_replay_it_exactly),
        SUITE_TEST(any_number_of_workers_gives_the_same_bits),
        SUITE_TEST(no_friction_and_much_friction_end),
        SUITE_TEST(masses_a_million_apart_end),
        SUITE_TEST(contacts_of_what_does_not_move_are_left_alone),
        SUITE_TEST(contradictions_end_and_are_reported),
        SUITE_TEST(numbers_that_are_not_finite_are_refused),
        SUITE_TEST(what_does_not_fit_is_refused),
        SUITE_TEST(no_contacts_are_solved),
    };
#undef SUITE_TEST
    return cmocka_run_group_tests_name(claims.solver, tests, NULL, NULL);
}

#endif
