// SPDX-License-Identifier: Apache-2.0
// The coupling law with contact, on records of random systems: M, rows of contacts and of hands are random matrices, so
// everything can be computed another way. With everything sticking, the law is that of the constrained equations of
// motion; with contacts that slide, roll, open, and joints at their bounds, it is the derivative of the solution.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "oracle/oracle.h"
#include "sinew/coupling_contact.h"
#include "support/check.h"
#include "support/random_state.h"

enum { MOST_NV = 24, CASES = 60, TEST_STICK = 940, TEST_MIXED, TEST_REACH, TEST_SLIDE };

/// A system of nv coordinates with its record.
typedef struct system_case {
    int nv, hands;
    real M[MOST_NV * MOST_NV];
    real J_c[SN_HELD_ROWS * MOST_NV];
    real J_g[SN_GRAB_ROWS * MOST_NV];
    real qdd[MOST_NV], v[MOST_NV]; ///< without hands and contacts; now
    sn_coupling_contacts* c;
    sn_coupling_solver* solver;
    sn_coupling_law* law;
    sn_coupling_bounds* bounds;
    sn_refresh_report report;
    sn_refresh_options options;
    sn_wrench f_u[SN_GRAB_MAX];
    uint64_t seed;
    test_rng rng;
} system_case;

/// x = A^-1 b for columns of b, Gauss with the largest pivot of all; unknowns without a pivot are zero.
static void solve_any(int n, int columns, real* A, real* b, real* x) {
    int row[64 + SN_HELD_ROWS], column[64 + SN_HELD_ROWS], rank = 0;
    for (int i = 0; i < n; i++) row[i] = column[i] = i;
    real largest = 0;
    for (; rank < n; rank++) {
        int p = rank, c = rank;
        for (int i = rank; i < n; i++)
            for (int j = rank; j < n; j++)
                if (fabsl(A[row[i] * n + column[j]]) > fabsl(A[row[p] * n + column[c]]))
                    p = i, c = j;
        int keep = row[p];
        row[p] = row[rank], row[rank] = keep;
        keep = column[c];
        column[c] = column[rank], column[rank] = keep;
        real pivot = A[row[rank] * n + column[rank]];
        if (rank == 0) largest = fabsl(pivot);
        if (!(fabsl(pivot) > 1e-12L * largest)) break;
        for (int i = rank + 1; i < n; i++) {
            real times = A[row[i] * n + column[rank]] / pivot;
            for (int j = rank; j < n; j++)
                A[row[i] * n + column[j]] -= times * A[row[rank] * n + column[j]];
            for (int k = 0; k < columns; k++)
                b[row[i] * columns + k] -= times * b[row[rank] * columns + k];
        }
    }
    for (int k = 0; k < columns; k++) {
        for (int i = 0; i < n; i++) x[column[i] * columns + k] = 0;
        for (int i = rank - 1; i >= 0; i--) {
            real sum = b[row[i] * columns + k];
            for (int j = i + 1; j < rank; j++)
                sum -= A[row[i] * n + column[j]] * x[column[j] * columns + k];
            x[column[i] * columns + k] = sum / A[row[i] * n + column[i]];
        }
    }
}

static real dot_row(const system_case* s, const real* row, const real* x) {
    real sum = 0;
    for (int k = 0; k < s->nv; k++) sum += row[k] * x[k];
    return sum;
}

/// out[i][j] = row i of A times M^-1 times row j of B.
static void respond(const system_case* s, const real* A, int a, const real* B, int b, double* out) {
    real copy[MOST_NV * MOST_NV], rhs[MOST_NV * SN_HELD_ROWS], x[MOST_NV * SN_HELD_ROWS];
    memcpy(copy, s->M, sizeof copy);
    for (int j = 0; j < b; j++)
        for (int k = 0; k < s->nv; k++) rhs[k * b + j] = B[j * s->nv + k];
    solve_any(s->nv, b, copy, rhs, x);
    for (int i = 0; i < a; i++) {
        for (int j = 0; j < b; j++) {
            real sum = 0;
            for (int k = 0; k < s->nv; k++) sum += A[i * s->nv + k] * x[k * b + j];
            out[i * b + j] = (double)sum;
        }
    }
}

static system_case* begin(int test, int index) {
    system_case* s = calloc(1, sizeof *s);
    s->seed = test_case_seed((uint64_t)test, (uint64_t)index);
    s->rng = test_rng_make(s->seed);
    s->nv = 7 + test_index(&s->rng, MOST_NV - 6);
    s->hands = 1 + test_index(&s->rng, 3);
    s->c = calloc(1, sizeof *s->c);
    s->law = calloc(1, sizeof *s->law);
    s->bounds = calloc(1, sizeof *s->bounds);
    CHECK_STATUS(sn_coupling_solver_create(&s->solver, NULL), SN_OK);
    s->options = sn_refresh_options_default();
    s->options.solve.tolerance = 1e-12;
    s->options.solve.iterations = 20000;
    real A[MOST_NV * MOST_NV];
    for (int k = 0; k < s->nv * s->nv; k++) A[k] = test_normal(&s->rng);
    for (int i = 0; i < s->nv; i++)
        for (int j = 0; j < s->nv; j++) {
            s->M[i * s->nv + j] = i == j;
            for (int k = 0; k < s->nv; k++)
                s->M[i * s->nv + j] += A[i * s->nv + k] * A[j * s->nv + k] / s->nv;
        }
    for (int k = 0; k < 6 * s->hands * s->nv; k++) s->J_g[k] = test_normal(&s->rng);
    for (int k = 0; k < s->nv; k++) {
        s->qdd[k] = 10 * test_normal(&s->rng);
        s->v[k] = 0.01 * test_normal(&s->rng);
    }
    s->c->h = 0.01;
    for (int i = 0; i < s->hands; i++) {
        s->c->free.hand[i] = (sn_grabbed){.body = sn_body(i), .pose = sn_pose_identity()};
        s->c->free.hand[i].inertia = sn_inertia_sphere(1.5, 0.2);
        s->f_u[i] = sn_wrench_make(test_vec3(&s->rng, 5), test_vec3(&s->rng, 5));
    }
    return s;
}

static void end(system_case* s) {
    sn_coupling_solver_free(s->solver);
    free(s->bounds);
    free(s->law);
    free(s->c);
    free(s);
}

static void add_entry(system_case* s, sn_contact_law law) {
    sn_coupling_contacts* c = s->c;
    int first = c->first[c->count];
    for (int k = 0; k < law.rows * s->nv; k++)
        s->J_c[first * s->nv + k] = test_normal(&s->rng) / sqrt(s->nv);
    c->id[c->count] = (uint64_t)c->count + 1;
    c->law[c->count++] = law;
    c->rows = c->first[c->count] = first + law.rows;
}

/// The record of what was added.
static void finish(system_case* s) {
    sn_coupling_contacts* c = s->c;
    int n = 6 * s->hands;
    c->free.count = s->hands;
    respond(s, s->J_c, c->rows, s->J_c, c->rows, c->W);
    respond(s, s->J_c, c->rows, s->J_g, n, c->G);
    respond(s, s->J_g, n, s->J_g, n, c->free.Lambda);
    for (int r = 0; r < n; r++)
        for (int k = 0; k < r; k++) c->free.Lambda[r * n + k] = c->free.Lambda[k * n + r];
    for (int r = 0; r < n; r++) c->free.a0[r] = (double)dot_row(s, s->J_g + r * s->nv, s->qdd);
    for (int k = 0; k < c->rows; k++) {
        c->start[k] += (double)dot_row(s, s->J_c + k * s->nv, s->v);
        c->q[k] = c->start[k] + c->h * (double)dot_row(s, s->J_c + k * s->nv, s->qdd);
    }
}

static void refresh(system_case* s, const sn_wrench* f_u) {
    CHECK_STATUS(
        sn_coupling_refresh(s->solver, s->c, f_u, &s->options, s->law, s->bounds, &s->report),
        SN_OK);
}

/// a' of the grabbed bodies by the impulses of the last refresh.
static void accelerate(const system_case* s, const sn_wrench* f_u, double* a) {
    const sn_coupling_contacts* c = s->c;
    const double *f = &f_u[0].n.x, *r = sn_coupling_impulses(s->solver);
    int n = 6 * s->hands;
    for (int i = 0; i < n; i++) {
        a[i] = c->free.a0[i];
        for (int k = 0; k < n; k++) a[i] += c->free.Lambda[i * n + k] * f[k];
        for (int k = 0; k < c->rows; k++) a[i] += c->G[k * n + i] * r[k] / c->h;
    }
}

static void by_law(const system_case* s, const sn_wrench* f_u, double* a) {
    const double* f = &f_u[0].n.x;
    int n = 6 * s->hands;
    for (int i = 0; i < n; i++) {
        a[i] = s->law->a0[i];
        for (int k = 0; k < n; k++) a[i] += s->law->Lambda[i * n + k] * f[k];
    }
}

// ---- everything holds -----------------------------------------------------------------------------------------------

// [M -J'; J -compliance/h] [a; f_c] = [M qdd + J_g' f_u; -J v/h]
static void check_constrained(system_case* s, double compliance) {
    int nv = s->nv, m = s->c->rows, n = 6 * s->hands, size = nv + m;
    real* A = calloc((size_t)size * (size_t)size, sizeof *A);
    real* b = calloc((size_t)size * (size_t)(n + 1), sizeof *b);
    real* x = calloc((size_t)size * (size_t)(n + 1), sizeof *x);
    for (int i = 0; i < nv; i++) {
        for (int k = 0; k < nv; k++) A[i * size + k] = s->M[i * nv + k];
        for (int k = 0; k < m; k++)
            A[i * size + nv + k] = -(A[(nv + k) * size + i] = s->J_c[k * nv + i]);
        b[i * (n + 1)] = dot_row(s, s->M + i * nv, s->qdd);
        for (int k = 0; k < n; k++) b[i * (n + 1) + 1 + k] = s->J_g[k * nv + i];
    }
    for (int k = 0; k < m; k++) {
        A[(nv + k) * size + nv + k] = (real)compliance;
        b[(nv + k) * (n + 1)] = -(real)s->c->start[k] / (real)s->c->h;
    }
    solve_any(size, n + 1, A, b, x);
    double Lambda[SN_GRAB_ROWS * SN_GRAB_ROWS], a0[SN_GRAB_ROWS];
    for (int r = 0; r < n; r++) {
        for (int k = 0; k <= n; k++) {
            real sum = 0;
            for (int i = 0; i < nv; i++) sum += s->J_g[r * nv + i] * x[i * (n + 1) + k];
            if (k == 0)
                a0[r] = (double)sum;
            else
                Lambda[r * n + k - 1] = (double)sum;
        }
    }
    // rounding over the smallest pivot that counts, of numbers of the order of one and ten without contact
    const double tolerance = 2e-16 / 1e-9;
    for (int k = 0; k < n * n; k++) CHECK_NEAR(s->law->Lambda[k], Lambda[k], tolerance, s->seed);
    for (int k = 0; k < n; k++) CHECK_NEAR(s->law->a0[k], a0[k], 10 * tolerance, s->seed);
    free(x);
    free(b);
    free(A);
}

static void what_holds_gives_the_law_of_the_constrained_equations(void** state) {
    (void)state;
    int redundant = 0;
    for (int k = 0; k < CASES; k++) {
        system_case* s = begin(TEST_STICK, k);
        double compliance = k % 3 == 2 ? 0.3 : 0;
        int entries = 1 + test_index(&s->rng, 6);
        for (int i = 0; i < entries; i++) {
            sn_contact_law law = sn_contact_law_make(SN_CONTACT_EQUAL);
            law.rows = 1 + test_index(&s->rng, 3);
            law.compliance = compliance;
            add_entry(s, law);
        }
        if (k % 2) { // the first again, and once more: as feet have more points than they need
            for (int twice = 0; twice < 2; twice++) {
                int first = s->c->rows, rows = s->c->law[0].rows;
                add_entry(s, s->c->law[0]);
                memcpy(s->J_c + first * s->nv, s->J_c, (size_t)(rows * s->nv) * sizeof *s->J_c);
            }
        }
        finish(s);
        refresh(s, s->f_u);
        CHECK(s->report.rank + s->report.redundant == s->c->rows, s->seed);
        CHECK(s->report.rank <= s->nv || compliance > 0, s->seed);
        redundant += s->report.redundant > 0;
        check_constrained(s, compliance);
        end(s);
    }
    CHECK(redundant > 10, 0);
}

static void what_is_left_of_speeds_is_forgotten_once_it_has_settled(void** state) {
    (void)state;
    system_case* s = begin(TEST_STICK, 1000);
    sn_contact_law law = sn_contact_law_make(SN_CONTACT_EQUAL);
    law.rows = 3;
    add_entry(s, law);
    finish(s);
    s->options.settled = true;
    refresh(s, s->f_u);
    memset(s->c->start, 0, sizeof s->c->start); // constraints J a = 0
    check_constrained(s, 0);
    end(s);
}

// ---- a mix ------------------------------------------------------------------------------------------------------------

static sn_contact_law random_law(test_rng* rng) {
    static const sn_contact_kind kinds[] = {SN_CONTACT_POINT, SN_CONTACT_POINT, SN_CONTACT_PATCH,
                                            SN_CONTACT_LIMIT, SN_CONTACT_DRY,   SN_CONTACT_EQUAL};
    sn_contact_law law = sn_contact_law_make(kinds[test_index(rng, 6)]);
    law.mu = law.mu_kinetic = test_chance(rng, 0.2) ? 0 : test_uniform(rng, 0.1, 0.6);
    if (law.kind == SN_CONTACT_POINT && test_chance(rng, 0.3)) law.viscous = 0.3;
    if (law.kind == SN_CONTACT_PATCH) law.spin = law.roll = 0.1;
    if (law.kind == SN_CONTACT_DRY) law.bound = test_uniform(rng, 0.01, 0.2);
    if (test_chance(rng, 0.2)) law.compliance = 0.2;
    return law;
}

static void make_mixed(system_case* s) {
    int entries = 1 + test_index(&s->rng, 5);
    for (int i = 0; i < entries; i++) add_entry(s, random_law(&s->rng));
    for (int k = 0; k < s->nv; k++) s->v[k] *= 10;
    finish(s);
}

/// How far a' by the law is from that of a new solution, in shares of what changes.
static double error_of_law(system_case* s, double step, const sn_wrench* way) {
    double a[SN_GRAB_ROWS], law[SN_GRAB_ROWS], base[SN_GRAB_ROWS], worst = 0, size = 0;
    int n = 6 * s->hands;
    sn_wrench f[SN_GRAB_MAX];
    for (int i = 0; i < s->hands; i++)
        f[i] = sn_wrench_add(s->f_u[i], sn_wrench_scale(step, way[i]));
    by_law(s, s->f_u, base);
    by_law(s, f, law);
    sn_coupling_law* keep = malloc(sizeof *keep);
    sn_coupling_bounds* bounds = malloc(sizeof *bounds);
    *keep = *s->law;
    *bounds = *s->bounds;
    refresh(s, f);
    accelerate(s, f, a);
    *s->law = *keep;
    *s->bounds = *bounds;
    free(bounds);
    free(keep);
    for (int i = 0; i < n; i++) {
        worst = fmax(worst, fabs(a[i] - law[i]));
        size = fmax(size, fabs(law[i] - base[i]));
    }
    return worst / size;
}

/// Whether the solver found a solution, and nothing is on the edge between two states.
static bool is_regular(const system_case* s, const sn_wrench* way, double step) {
    sn_wrench f[SN_GRAB_MAX];
    for (int i = 0; i < s->hands; i++)
        f[i] = sn_wrench_add(s->f_u[i], sn_wrench_scale(10 * step, way[i]));
    return s->report.solve.converged && sn_coupling_reach(s->bounds, f, NULL) == 1;
}

static void the_law_is_the_derivative_of_the_solution(void** state) {
    (void)state;
    int looked = 0, sliding = 0;
    for (int k = 0; k < 4 * CASES; k++) {
        system_case* s = begin(TEST_MIXED, k);
        make_mixed(s);
        refresh(s, s->f_u);
        sn_wrench way[SN_GRAB_MAX];
        for (int i = 0; i < s->hands; i++)
            way[i] = sn_wrench_make(test_vec3(&s->rng, 1), test_vec3(&s->rng, 1));
        double a[SN_GRAB_ROWS], law[SN_GRAB_ROWS];
        accelerate(s, s->f_u, a);
        by_law(s, s->f_u, law);
        if (is_regular(s, way, 1e-3)) {
            looked++;
            sliding += s->report.sliding > 0;
            CHECK_VECTOR(law, a, 6 * s->hands, 1e-6, s->seed);
            // what slides turns with its direction: second order, so a tenth of the way has a tenth of the error, down
            // to the solver's tolerance over that way
            double near = error_of_law(s, 1e-4, way), far = error_of_law(s, 1e-3, way);
            CHECK(near <= fmax(1e-4, 0.2 * far), s->seed);
            CHECK(far <= 0.05, s->seed);
        }
        end(s);
    }
    printf("         %d of %d looked at, %d with something that slides\n", looked, 4 * CASES,
           sliding);
    CHECK(looked > 2 * CASES && sliding > CASES, 0);
}

static void a_frozen_law_is_symmetric_and_right_where_it_was_made(void** state) {
    (void)state;
    int sliding = 0;
    for (int k = 0; k < CASES; k++) {
        system_case* s = begin(TEST_MIXED, k);
        make_mixed(s);
        s->options.sliding = SN_SLIDING_FROZEN;
        refresh(s, s->f_u);
        int n = 6 * s->hands;
        double a[SN_GRAB_ROWS], law[SN_GRAB_ROWS];
        accelerate(s, s->f_u, a);
        by_law(s, s->f_u, law);
        if (s->report.solve.converged) CHECK_VECTOR(law, a, n, 1e-6, s->seed);
        sliding += s->report.sliding > 0;
        for (int r = 0; r < n; r++)
            for (int c = 0; c < r; c++)
                CHECK(s->law->Lambda[r * n + c] == s->law->Lambda[c * n + r], s->seed);
        for (int test = 0; test < 20; test++) { // nor negative
            double f[SN_GRAB_ROWS], power = 0, free = 0;
            for (int r = 0; r < n; r++) f[r] = test_normal(&s->rng);
            for (int r = 0; r < n; r++)
                for (int c = 0; c < n; c++) {
                    power += f[r] * s->law->Lambda[r * n + c] * f[c];
                    free += f[r] * s->c->free.Lambda[r * n + c] * f[c];
                }
            CHECK(power >= -1e-10 * free && power <= free * (1 + 1e-10), s->seed);
        }
        end(s);
    }
    CHECK(sliding > 10, 0);
}

/// Entries that are closed and parts that slide, as one number.
static int standing(const system_case* s) { return 1000 * s->report.closed + s->report.sliding; }

static void bounds_end_where_something_opens_closes_sticks_or_slides(void** state) {
    (void)state;
    int looked = 0, changed = 0;
    for (int k = 0; k < 4 * CASES; k++) {
        system_case* s = begin(TEST_REACH, k);
        make_mixed(s);
        refresh(s, s->f_u);
        sn_wrench far[SN_GRAB_MAX], before[SN_GRAB_MAX], beyond[SN_GRAB_MAX];
        for (int i = 0; i < s->hands; i++)
            far[i] = sn_wrench_add(s->f_u[i],
                                   sn_wrench_make(test_vec3(&s->rng, 40), test_vec3(&s->rng, 40)));
        int32_t broken;
        double reach = sn_coupling_reach(s->bounds, far, &broken);
        CHECK(reach >= 0 && reach <= 1 && (broken < 0) == (reach == 1), s->seed);
        // what turns its slip on the way is not affine
        if (s->report.solve.converged && s->report.sliding == 0 && reach > 0.01 && reach < 0.9) {
            int was = standing(s);
            for (int i = 0; i < s->hands; i++) {
                sn_wrench way = sn_wrench_sub(far[i], s->f_u[i]);
                before[i] = sn_wrench_add(s->f_u[i], sn_wrench_scale(0.99 * reach, way));
                beyond[i] = sn_wrench_add(s->f_u[i], sn_wrench_scale(1.05 * reach, way));
            }
            looked++;
            refresh(s, before);
            CHECK(standing(s) == was || !s->report.solve.converged, s->seed);
            refresh(s, beyond);
            changed += standing(s) != was;
        }
        end(s);
    }
    printf("         %d looked at, %d changed\n", looked, changed);
    CHECK(looked > 20 && changed == looked, 0);
}

// ---- one contact ------------------------------------------------------------------------------------------------------

/// A mass of 2 kg on a floor, x along t1, z along n; the hand holds it.
static system_case* mass_on_floor(double mu, double speed) {
    system_case* s = begin(TEST_SLIDE, 0);
    s->nv = 6;
    s->hands = 1;
    memset(s->M, 0, sizeof s->M);
    memset(s->J_g, 0, sizeof s->J_g);
    for (int i = 0; i < 6; i++) {
        s->M[i * 7] = i < 3 ? 0.1L : 2;
        s->J_g[i * 7] = 1;
        s->v[i] = i == 3 ? (real)speed : 0;
        s->qdd[i] = i == 5 ? -10 : 0;
    }
    s->c->free.hand[0].inertia = sn_inertia_sphere(2, 0.2);
    sn_contact_law law = sn_contact_law_make(SN_CONTACT_POINT);
    law.mu = law.mu_kinetic = mu;
    add_entry(s, law);
    memset(s->J_c, 0, sizeof s->J_c);
    s->J_c[5] = s->J_c[6 + 3] = s->J_c[12 + 4] = 1;
    finish(s);
    s->f_u[0] = sn_wrench_zero();
    return s;
}

static void a_mass_that_slides_is_braked_by_what_presses_it(void** state) {
    (void)state;
    system_case* s = mass_on_floor(0.3, 1);
    refresh(s, s->f_u);
    CHECK(s->report.closed == 1 && s->report.sliding == 1, 0);
    const double* L = s->law->Lambda; // x, y, z are 3, 4, 5
    CHECK_NEAR(s->law->a0[3], -0.3 * 10, 1e-9, 0);
    CHECK_NEAR(s->law->a0[5], 0, 1e-9, 0);
    CHECK_NEAR(L[3 * 6 + 3], 1 / 2.0, 1e-12, 0);            // along: free
    CHECK_NEAR(L[3 * 6 + 5], 0.3 / 2.0, 1e-12, 0);          // lifting it unloads: F = n - mu t
    CHECK_NEAR(L[5 * 6 + 3], 0, 1e-12, 0);                  // but pulling does not lift
    CHECK_NEAR(L[5 * 6 + 5], 0, 1e-12, 0);                  // into the floor: not at all
    double speed = 1 - 0.3 * 10 * s->c->h, load = 0.3 * 20; // across: as a damper of mu f_n/speed
    CHECK_NEAR(L[4 * 6 + 4], 1 / (2 + s->c->h * load / speed), 1e-9, 0);
    end(s);
}

static void a_mass_that_sticks_does_not_move_until_it_slides_or_is_lifted(void** state) {
    (void)state;
    system_case* s = mass_on_floor(0.3, 0);
    refresh(s, s->f_u);
    CHECK(s->report.closed == 1 && s->report.sliding == 0, 0);
    for (int r = 3; r < 6; r++)
        for (int c = 3; c < 6; c++) CHECK_NEAR(s->law->Lambda[r * 6 + c], 0, 1e-12, 0);
    sn_wrench pull = sn_wrench_zero(), feed, expected;
    pull.f.x = 12; // 6 N is the limit
    int32_t broken;
    CHECK_NEAR(sn_coupling_reach(s->bounds, &pull, &broken), 0.5, 1e-9, 0);
    CHECK(s->bounds->bound[broken].kind == SN_BOUND_CONE, 0);
    double reach;
    CHECK_STATUS(sn_coupling_contact_tick(s->law, &s->c->free, s->bounds, &pull, &feed, &reach),
                 SN_OK);
    CHECK_NEAR(feed.f.x, -6, 1e-9, 0); // friction at its limit, and no more
    CHECK_NEAR(feed.f.z, 0, 1e-9, 0);  // the floor holds what presses it down
    sn_wrench lift = sn_wrench_zero();
    lift.f.z = 40;
    CHECK_NEAR(sn_coupling_reach(s->bounds, &lift, &broken), 0.5, 1e-9, 0);
    CHECK(s->bounds->bound[broken].kind == SN_BOUND_POSITIVE ||
              s->bounds->bound[broken].kind == SN_BOUND_CONE,
          0);
    CHECK_STATUS(sn_coupling_contact_tick(s->law, &s->c->free, s->bounds, &lift, &feed, NULL),
                 SN_OK);
    CHECK_NEAR(feed.f.z, -20, 1e-9, 0); // off the floor: only what pressed it down is felt
    pull.f.x = 3;
    CHECK_STATUS(sn_coupling_contact_tick(s->law, &s->c->free, s->bounds, &pull, &feed, &reach),
                 SN_OK);
    CHECK_STATUS(sn_coupling_tick(s->law, &pull, &expected), SN_OK);
    CHECK(reach == 1 && memcmp(&feed, &expected, sizeof feed) == 0, 0);
    pull.f.x = NAN;
    CHECK_STATUS(sn_coupling_contact_tick(s->law, &s->c->free, s->bounds, &pull, &feed, NULL),
                 SN_ERR_NUMERIC);
    CHECK(feed.f.x == 0, 0);
    end(s);
}

static void the_coupling_loop_notices_what_opens_and_closes(void** state) {
    (void)state;
    system_case* s = mass_on_floor(0.3, 0);
    sn_wrench lift = sn_wrench_zero(), rest = sn_wrench_zero();
    lift.f.z = 30;
    refresh(s, &rest);
    CHECK(s->report.closed == 1, 0);
    refresh(s, &lift);
    CHECK(s->report.closed == 0, 0);
    CHECK(memcmp(s->law->Lambda, s->c->free.Lambda, 36 * sizeof(double)) == 0, 0);
    int32_t broken; // 20 N hold it in the air
    CHECK_NEAR(sn_coupling_reach(s->bounds, &rest, &broken), 1.0 / 3, 1e-9, 0);
    refresh(s, &rest);
    CHECK(s->report.closed == 1, 0);
    end(s);
}

// ---- the rest -----------------------------------------------------------------------------------------------------------

static void without_contacts_it_is_the_free_law_to_the_bit(void** state) {
    (void)state;
    system_case* s = begin(TEST_STICK, 2000);
    finish(s);
    refresh(s, s->f_u);
    size_t n = 6 * (size_t)s->hands;
    CHECK(memcmp(s->law->Lambda, s->c->free.Lambda, n * n * sizeof(double)) == 0, 0);
    CHECK(memcmp(s->law->a0, s->c->free.a0, n * sizeof(double)) == 0, 0);
    CHECK(s->bounds->count == 0, 0);
    end(s);
}

static void a_copy_gives_the_same_law(void** state) {
    (void)state;
    system_case* s = begin(TEST_MIXED, 3);
    make_mixed(s);
    refresh(s, s->f_u);
    sn_coupling_contacts* copy = malloc(sizeof *copy);
    sn_coupling_law* law = calloc(1, sizeof *law);
    memset(copy, 0xff, sizeof *copy);
    sn_coupling_contacts_copy(s->c, copy);
    sn_coupling_contacts_copy(copy, copy);
    sn_coupling_solver* other = NULL;
    CHECK_STATUS(sn_coupling_solver_create(&other, NULL), SN_OK);
    CHECK_STATUS(sn_coupling_refresh(other, copy, s->f_u, &s->options, law, NULL, NULL), SN_OK);
    size_t n = 6 * (size_t)s->hands;
    CHECK(memcmp(law->K, s->law->K, n * n * sizeof(double)) == 0, 0);
    sn_coupling_solver_free(other);
    free(law);
    free(copy);
    end(s);
}

static void what_makes_no_sense_is_refused(void** state) {
    (void)state;
    system_case* s = begin(TEST_MIXED, 5);
    make_mixed(s);
    CHECK_STATUS(sn_coupling_solver_create(NULL, NULL), SN_ERR_ARGUMENT);
    sn_coupling_solver_free(NULL);
    CHECK_STATUS(sn_coupling_refresh(NULL, s->c, s->f_u, &s->options, s->law, NULL, NULL),
                 SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_coupling_refresh(s->solver, s->c, NULL, &s->options, s->law, NULL, NULL),
                 SN_ERR_ARGUMENT);
    s->c->rows++;
    CHECK_STATUS(sn_coupling_refresh(s->solver, s->c, s->f_u, &s->options, s->law, NULL, NULL),
                 SN_ERR_ARGUMENT);
    s->c->rows--;
    s->f_u[0].f.x = NAN;
    CHECK_STATUS(sn_coupling_refresh(s->solver, s->c, s->f_u, &s->options, s->law, NULL, NULL),
                 SN_ERR_NUMERIC);
    s->f_u[0].f.x = 0;
    s->c->free.a0[0] = INFINITY;
    CHECK_STATUS(sn_coupling_refresh(s->solver, s->c, s->f_u, &s->options, s->law, NULL, NULL),
                 SN_ERR_NUMERIC);
    end(s);
}

static int64_t at_time(void* context) { return *(int64_t*)context; }

static void a_refresh_ends_at_its_deadline(void** state) {
    (void)state;
    system_case* s = begin(TEST_MIXED, 7);
    make_mixed(s);
    int64_t now = 1000;
    s->options.solve.clock = (sn_clock){.now_ns = at_time, .context = &now};
    s->options.solve.deadline_ns = 1;
    refresh(s, s->f_u);
    CHECK(s->report.solve.late || s->report.solve.converged, 0);
    for (int k = 0; k < 36; k++) CHECK(isfinite(s->law->K[k]), 0);
    end(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_holds_gives_the_law_of_the_constrained_equations),
        cmocka_unit_test(what_is_left_of_speeds_is_forgotten_once_it_has_settled),
        cmocka_unit_test(the_law_is_the_derivative_of_the_solution),
        cmocka_unit_test(a_frozen_law_is_symmetric_and_right_where_it_was_made),
        cmocka_unit_test(bounds_end_where_something_opens_closes_sticks_or_slides),
        cmocka_unit_test(a_mass_that_slides_is_braked_by_what_presses_it),
        cmocka_unit_test(a_mass_that_sticks_does_not_move_until_it_slides_or_is_lifted),
        cmocka_unit_test(the_coupling_loop_notices_what_opens_and_closes),
        cmocka_unit_test(without_contacts_it_is_the_free_law_to_the_bit),
        cmocka_unit_test(a_copy_gives_the_same_law),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(a_refresh_ends_at_its_deadline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
