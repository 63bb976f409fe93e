// SPDX-License-Identifier: Apache-2.0
// "admm": alternating directions on De Saxce's fixed point.
//
// With the shift s frozen the problem is convex: minimise r'Wr/2 + (q + s)'r over the cones. It is split
// into a linear system and a projection, held together by a multiplier y, which comes to be u^:
//     r = (W + (rho + eta) 1)^-1 ( -(q + s) + eta r + rho z + y )
//     z = proj_K( r - y/rho ),   y -= rho (r - z),   s = shift of y
// One Cholesky for each rho, which is doubled or halved when one of the two residuals is ten times the
// other. Robust where W is singular or badly scaled; its cost is the dense factor. W must be symmetric and
// is made so: the report says by how much it was not.
#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/dense.h"
#include "contact/rounds.h"

enum {
    ROUNDS_MOST = 10000,
    ROUNDS_FIRST_LOOK =
        10, ///< rho is reconsidered after so many rounds, then after twice as many ...
    ROUNDS_LONGEST_LOOK = 160,
};

typedef struct split {
    double rho, eta;
    double* L;               // [n x n] lower factor of W + (rho + eta) 1
    double *x, *z, *y, *old; // [n] r of the linear system, of the projection; multiplier; z before
    int64_t look, pause; ///< round at which rho is reconsidered next, and how long after the last
    bool broken;         ///< W is not positive semi-definite at all
} split;

typedef struct admm {
    sni_dense dense;
    split* split;            // [contacts]
    double* L;               // [rows x rows]
    double *x, *z, *y, *old; // [rows]
} admm;

static void* admm_layout(const sn_contact_capacity* capacity, int workers, sni_arena* arena) {
    (void)workers; // one thread: it is here to be compared with
    admm measured;
    admm* memory = SN_ARENA_ARRAY(arena, admm, 1);
    admm* a = memory ? memory : &measured;
    size_t rows = (size_t)capacity->rows;
    sni_dense_layout(&a->dense, capacity, arena);
    a->split = SN_ARENA_ARRAY(arena, split, capacity->contacts);
    a->L = SN_ARENA_ARRAY(arena, double, rows* rows);
    a->x = SN_ARENA_ARRAY(arena, double, rows);
    a->z = SN_ARENA_ARRAY(arena, double, rows);
    a->y = SN_ARENA_ARRAY(arena, double, rows);
    a->old = SN_ARENA_ARRAY(arena, double, rows);
    return memory;
}

// ---- the linear system --------------------------------------------------------------------------------

/// L L' = W + shift 1. False: it is not positive.
static bool factor(int32_t n, const double* W, double shift, double* L) {
    for (int32_t i = 0; i < n; i++) {
        double* line = L + (ptrdiff_t)i * n;
        for (int32_t j = 0; j <= i; j++) {
            const double* other = L + (ptrdiff_t)j * n;
            double sum = W[(ptrdiff_t)i * n + j] + (i == j ? shift : 0);
            for (int32_t k = 0; k < j; k++) sum -= line[k] * other[k];
            if (i > j)
                line[j] = sum / other[j];
            else if (!(sum > 0))
                return false;
            else
                line[i] = sqrt(sum);
        }
    }
    return true;
}

static void solve_factored(int32_t n, const double* L, double* x) {
    for (int32_t i = 0; i < n; i++) {
        const double* line = L + (ptrdiff_t)i * n;
        double sum = x[i];
        for (int32_t k = 0; k < i; k++) sum -= line[k] * x[k];
        x[i] = sum / line[i];
    }
    for (int32_t i = n - 1; i >= 0; i--) { // by columns of L', which are rows of L
        const double* line = L + (ptrdiff_t)i * n;
        x[i] /= line[i];
        for (int32_t k = 0; k < i; k++) x[k] -= line[k] * x[i];
    }
}

/// Factors for the present rho, or for a larger one where W is not positive semi-definite.
static void refactor(const sni_dense_group* group, split* s) {
    enum { TRIES = 20 };
    for (int i = 0; i < TRIES; i++, s->rho *= 4)
        if (factor(group->n, group->W, s->rho + s->eta, s->L)) return;
    s->broken = true;
}

// ---- iterations ---------------------------------------------------------------------------------------

static double largest_eigenvalue(const sni_dense_group* group, double* x, double* y) {
    enum { STEPS = 20 };
    int32_t n = group->n;
    double value = 0;
    for (int32_t i = 0; i < n; i++) x[i] = 1 + 0.1 * (i % 7); // no symmetry to be orthogonal by
    for (int step = 0; step < STEPS; step++) {
        double length = 0;
        for (int32_t i = 0; i < n; i++) {
            const double* line = group->W + (ptrdiff_t)i * n;
            y[i] = 0;
            for (int32_t k = 0; k < n; k++) y[i] += line[k] * x[k];
            length += y[i] * y[i];
        }
        value = sqrt(length);
        if (!(value > 0)) return 0;
        for (int32_t i = 0; i < n; i++) x[i] = y[i] / value;
    }
    return value;
}

/// y = u^ of what it starts from.
static void start_split(const sni_group* from, const sni_dense_group* group, split* s) {
    // W of contacts is singular whenever they outnumber the freedoms, so its smallest eigenvalue tells
    // nothing: rho = sqrt(largest * 1e-4 largest).
    const double rho_over_largest = 1e-2, eta_over_largest = 1e-8;
    double largest = largest_eigenvalue(group, s->x, s->y);
    if (!(largest > 0)) largest = 1; // nothing moves; any rho will do
    s->rho = rho_over_largest * largest;
    s->eta = eta_over_largest * largest;
    s->look = s->pause = ROUNDS_FIRST_LOOK;
    s->broken = false;
    memcpy(s->x, group->r, (size_t)group->n * sizeof *s->x);
    memcpy(s->z, group->r, (size_t)group->n * sizeof *s->z);
    sni_dense_rows(group, group->r, 0, group->n, s->y);
    for (int32_t i = 0; i < from->count; i++)
        s->y[from->first[i]] += sni_law_shift(sni_group_law(from, i), s->y + from->first[i]);
    refactor(group, s);
}

static double distance(int32_t n, const double* a, const double* b) {
    double sum = 0;
    for (int32_t i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

static double length_of(int32_t n, const double* a) {
    double sum = 0;
    for (int32_t i = 0; i < n; i++) sum += a[i] * a[i];
    return sqrt(sum);
}

/// Residuals relative to what they are residuals of, so that impulses compare with velocities.
static void reconsider_rho(const sni_dense_group* group, split* s) {
    int32_t n = group->n;
    double impulse = fmax(length_of(n, s->x), length_of(n, s->z));
    double velocity = fmax(length_of(n, s->y), length_of(n, group->q));
    double primal = distance(n, s->x, s->z) * velocity;
    double dual = s->rho * distance(n, s->z, s->old) * impulse;
    if (primal > 10 * dual)
        s->rho *= 2;
    else if (dual > 10 * primal)
        s->rho /= 2;
    else
        return;
    refactor(group, s);
}

static void step(const sni_group* from, const sni_dense_group* group, split* s) {
    for (int32_t k = 0; k < group->n; k++)
        s->x[k] = -group->q[k] + s->eta * s->x[k] + s->rho * s->z[k] + s->y[k];
    for (int32_t i = 0; i < from->count; i++)
        s->x[from->first[i]] -= sni_law_shift(sni_group_law(from, i), s->y + from->first[i]);
    solve_factored(group->n, s->L, s->x);
    memcpy(s->old, s->z, (size_t)group->n * sizeof *s->z);
    for (int32_t i = 0; i < from->count; i++) {
        const sn_contact_law* law = sni_group_law(from, i);
        bool rubs = law->kind == SN_CONTACT_POINT || law->kind == SN_CONTACT_PATCH;
        double wanted[SN_CONTACT_ROWS_MAX];
        double *x = s->x + from->first[i], *y = s->y + from->first[i], *z = s->z + from->first[i];
        for (int32_t k = 0; k < law->rows; k++) wanted[k] = x[k] - y[k] / s->rho;
        sni_law_answer(law, rubs ? hypot(y[1], y[2]) : 0, s->rho, wanted, z);
        if (sni_dense_is_still(group, from->first[i])) memset(z, 0, (size_t)law->rows * sizeof *z);
        for (int32_t k = 0; k < law->rows; k++) y[k] -= s->rho * (x[k] - z[k]);
    }
}

static bool advance(void* memory, const sni_solve* solve, int32_t g, int64_t round) {
    admm* a = memory;
    split* s = &a->split[g];
    const sni_dense_group* group = &a->dense.group[g];
    if (s->broken) return true;
    if (sni_round_is_checked(round) && sni_dense_offer(&a->dense, solve, g, s->z)) return true;
    step(&solve->group[g], group, s);
    if (round == s->look) {
        reconsider_rho(group, s);
        if (s->pause < ROUNDS_LONGEST_LOOK) s->pause *= 2;
        s->look += s->pause;
    }
    return false;
}

static void admm_solve(void* memory, sni_solve* solve) {
    admm* a = memory;
    ptrdiff_t row = 0, number = 0;
    sni_dense_open(&a->dense, solve);
    for (int32_t g = 0; g < solve->group_count; g++) {
        sni_dense_group* group = &a->dense.group[g];
        split* s = &a->split[g];
        double asymmetry = sni_dense_symmetrise(group);
        if (asymmetry > solve->report->asymmetry) solve->report->asymmetry = asymmetry;
        s->L = a->L + number;
        s->x = a->x + row, s->z = a->z + row, s->y = a->y + row, s->old = a->old + row;
        start_split(&solve->group[g], group, s);
        row += group->n;
        number += (ptrdiff_t)group->n * group->n;
    }
    sni_rounds_run(solve, ROUNDS_MOST, a->dense.done, advance, a);
    for (int32_t g = 0; g < solve->group_count; g++)
        (void)sni_dense_offer(&a->dense, solve, g, a->split[g].z); // the last round's
    sni_dense_close(&a->dense, solve);
}

const sni_solver_ops sni_solver_admm = {
    .name = "admm",
    .about = "alternating directions: a dense factor, then many cheap rounds; robust, symmetric W",
    .layout = admm_layout,
    .solve = admm_solve,
};
