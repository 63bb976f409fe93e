// SPDX-License-Identifier: Apache-2.0
// "projection": projected Gauss-Seidel, the plainest method that solves the exact problem.
//
// Contacts are visited in turn; each takes one gradient step of its own and projects it on its cone,
//     r_i <- proj_K( r_i - rho u^_i ),   rho = omega / lambda_max(W_ii)
// with the u that the impulses before it in the sweep have left. It never fails and a visit costs next to
// nothing, but many are needed where contacts share loads in more than one way. Rows that are equal to
// zero have no cone, so their step is exact: r_i <- r_i - omega W_ii^-1 u_i. Every iterate lies in the
// cones, so it can be stopped at any time.
#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/dense.h"
#include "contact/rounds.h"
#include "math/pivoted.h"

enum { ROWS = SN_CONTACT_ROWS_MAX, SWEEPS_MOST = 20000 };

/// What a visit needs of W_ii.
typedef struct visit {
    double rho;                 ///< 1 / lambda_max; 0: nothing moves along the normal
    double factor[ROWS * ROWS]; ///< EQUAL: pivoted Cholesky of W_ii
    int32_t order[ROWS], rank;
} visit;

typedef struct projection {
    sni_dense dense;
    visit* visit; // [contacts] by group, one after the other
    int32_t* at;  // [contacts] first visit of a group
} projection;

static void* projection_layout(const sn_contact_capacity* capacity, int workers, sni_arena* arena) {
    (void)workers; // one thread: it is here to be compared with
    projection measured;
    projection* memory = SN_ARENA_ARRAY(arena, projection, 1);
    projection* p = memory ? memory : &measured;
    sni_dense_layout(&p->dense, capacity, arena);
    p->visit = SN_ARENA_ARRAY(arena, visit, capacity->contacts);
    p->at = SN_ARENA_ARRAY(arena, int32_t, capacity->contacts);
    return memory;
}

/// Largest eigenvalue of a symmetric positive semi-definite matrix by the power method. Even steps twice
/// too long would converge, so a few digits are plenty.
static double largest_eigenvalue(int32_t n, const double* A) {
    enum { STEPS = 40 };
    double x[ROWS], y[ROWS], value = 0;
    for (int32_t k = 0; k < n; k++) x[k] = 1 + 0.1 * k; // no symmetry to be orthogonal by
    for (int step = 0; step < STEPS; step++) {
        double length = 0;
        for (int32_t k = 0; k < n; k++) {
            y[k] = 0;
            for (int32_t l = 0; l < n; l++) y[k] += A[k * n + l] * x[l];
            length += y[k] * y[k];
        }
        value = sqrt(length);
        if (!(value > 0)) return 0;
        for (int32_t k = 0; k < n; k++) x[k] = y[k] / value;
    }
    return value;
}

static void prepare_visit(const sni_group* from, const sni_dense_group* group, int32_t i,
                          visit* v) {
    int32_t rows = sni_group_law(from, i)->rows, first = from->first[i];
    double block[ROWS * ROWS], trace = 0;
    for (int32_t k = 0; k < rows; k++)
        for (int32_t l = 0; l < rows; l++)
            block[k * rows + l] = (group->W[(ptrdiff_t)(first + k) * group->n + first + l] +
                                   group->W[(ptrdiff_t)(first + l) * group->n + first + k]) /
                                  2;
    for (int32_t k = 0; k < rows; k++) trace += block[k * rows + k];
    double largest = largest_eigenvalue(rows, block);
    bool moves = block[0] > DBL_EPSILON * trace;
    v->rho = moves && largest > 0 ? 1 / largest : 0;
    if (sni_group_law(from, i)->kind != SN_CONTACT_EQUAL) return;
    memcpy(v->factor, block, sizeof block);
    v->rank = sni_pivoted_cholesky(rows, v->factor, rows * DBL_EPSILON * trace, v->order);
}

static void visit_contact(const sn_contact_law* law, double omega, const visit* v, const double* u,
                          double* r) {
    double x[ROWS], next[ROWS];
    if (law->kind == SN_CONTACT_EQUAL) {
        memcpy(x, u, (size_t)law->rows * sizeof *x);
        sni_pivoted_solve(law->rows, v->factor, v->rank, v->order, x);
        for (int32_t k = 0; k < law->rows; k++) r[k] -= omega * x[k];
    } else if (v->rho > 0) {
        double rho = omega * v->rho;
        bool rubs = law->kind == SN_CONTACT_POINT || law->kind == SN_CONTACT_PATCH;
        for (int32_t k = 0; k < law->rows; k++) x[k] = r[k] - rho * u[k];
        x[0] -= rho * sni_law_shift(law, u);
        sni_law_answer(law, rubs ? hypot(u[1], u[2]) : 0, 1 / rho, x, next);
        memcpy(r, next, (size_t)law->rows * sizeof *r);
    } else {
        memset(r, 0, (size_t)law->rows * sizeof *r);
    }
}

static bool sweep(void* memory, const sni_solve* solve, int32_t g, int64_t round) {
    projection* p = memory;
    const sni_group* from = &solve->group[g];
    sni_dense_group* group = &p->dense.group[g];
    if (sni_round_is_checked(round) && sni_dense_offer(&p->dense, solve, g, group->r)) return true;
    bool backward = solve->options->alternate && round % 2;
    for (int32_t step = 0; step < from->count; step++) {
        int32_t i = backward ? from->count - 1 - step : step, first = from->first[i];
        double u[ROWS];
        sni_dense_rows(group, group->r, first, from->first[i + 1], u);
        visit_contact(sni_group_law(from, i), solve->options->relaxation, &p->visit[p->at[g] + i],
                      u, group->r + first);
    }
    return false;
}

static void projection_solve(void* memory, sni_solve* solve) {
    projection* p = memory;
    int32_t visits = 0;
    sni_dense_open(&p->dense, solve);
    for (int32_t g = 0; g < solve->group_count; g++) {
        const sni_group* from = &solve->group[g];
        p->at[g] = visits;
        for (int32_t i = 0; i < from->count; i++)
            prepare_visit(from, &p->dense.group[g], i, &p->visit[visits++]);
    }
    sni_rounds_run(solve, SWEEPS_MOST, p->dense.done, sweep, p);
    for (int32_t g = 0; g < solve->group_count; g++)
        (void)sni_dense_offer(&p->dense, solve, g, p->dense.group[g].r); // the last sweep's
    sni_dense_close(&p->dense, solve);
}

const sni_solver_ops sni_solver_projection = {
    .name = "projection",
    .about = "projected Gauss-Seidel: one gradient step per visit; simple and slow",
    .layout = projection_layout,
    .solve = projection_solve,
};
