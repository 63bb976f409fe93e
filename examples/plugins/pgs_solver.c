// SPDX-License-Identifier: Apache-2.0
// A contact solver of your own: projected Gauss-Seidel with the full matrix W, the loop inside most game engines.
//
//   sinew sim SCENE --plugin build/examples/plugins/pgs_solver.so --solver pgs
//
// u = W r + q. Row by row the impulse that makes its own velocity zero is taken and clamped: normal impulses
// push only, friction is at most mu times the normal impulse of the moment. Where the sweeps stop moving anything,
// Signorini's and Coulomb's laws hold exactly. They stop moving slowly where many points share a load.
#include <stdlib.h>

#include <math.h>

#include "sinew/plugin.h"

enum {
    ROWS_MOST = 2048,  // of W: 32 MB
    SWEEPS_MOST = 2000 // unless the options say how many
};

typedef struct pgs_memory {
    int32_t rows;
    double* W; // [rows rows]
} pgs_memory;

static void pgs_free(void* context, void* memory) {
    pgs_memory* m = memory;
    (void)context;
    if (!m) return;
    free(m->W);
    free(m);
}

static sn_status pgs_create(void* context, const sn_contact_capacity* capacity, void** memory,
                            sn_error* error) {
    pgs_memory* m = calloc(1, sizeof *m);
    (void)error; // the status says enough
    if (!m) return SN_ERR_MEMORY;
    m->rows = capacity->rows < ROWS_MOST ? capacity->rows : ROWS_MOST;
    m->W = calloc((size_t)m->rows * (size_t)m->rows + 1, sizeof *m->W);
    if (!m->W) {
        pgs_free(context, m);
        return SN_ERR_MEMORY;
    }
    *memory = m;
    return SN_OK;
}

// ---- one contact --------------------------------------------------------------------------------------------

/// The problem while it is solved.
typedef struct sweep_state {
    const sn_contact_problem* problem;
    const double* W;
    int32_t rows;
    double* r;
    double moved; // sum of the squares of what a sweep changed
} sweep_state;

/// What r[k] would have to be for u_k = 0; as it is where nothing moves.
static double wanted(const sweep_state* s, int32_t k, double stiffest) {
    const double* row = s->W + (ptrdiff_t)k * s->rows;
    double u = s->problem->q[k];
    for (int32_t j = 0; j < s->rows; j++) u += row[j] * s->r[j];
    return stiffest > 0 ? s->r[k] - u / stiffest : s->r[k];
}

static void set(sweep_state* s, int32_t k, double value) {
    s->moved += (value - s->r[k]) * (value - s->r[k]);
    s->r[k] = value;
}

static double diagonal(const sweep_state* s, int32_t k) { return s->W[(ptrdiff_t)k * s->rows + k]; }

static void visit_one(sweep_state* s, int32_t k, double least, double most) {
    set(s, k, fmin(fmax(wanted(s, k, diagonal(s, k)), least), most));
}

/// Two rows together, of length at most `most`: a disc.
static void visit_two(sweep_state* s, int32_t k, double most) {
    double stiffest = fmax(diagonal(s, k), diagonal(s, k + 1));
    double a = wanted(s, k, stiffest), b = wanted(s, k + 1, stiffest), length = hypot(a, b);
    double shrink = length > most ? most / length : 1;
    set(s, k, shrink * a);
    set(s, k + 1, shrink * b);
}

static void visit(sweep_state* s, int32_t i) {
    const sn_contact_law* law = &s->problem->law[i];
    int32_t k = s->problem->first[i];
    switch (law->kind) {
    case SN_CONTACT_POINT:
    case SN_CONTACT_PATCH:
        visit_one(s, k, 0, INFINITY);
        visit_two(s, k + 1, law->mu * s->r[k]);
        if (law->kind == SN_CONTACT_POINT) return;
        visit_one(s, k + 3, -law->spin * s->r[k], law->spin * s->r[k]);
        visit_two(s, k + 4, law->roll * s->r[k]);
        return;
    case SN_CONTACT_LIMIT: visit_one(s, k, 0, INFINITY); return;
    case SN_CONTACT_DRY: visit_one(s, k, -law->bound, law->bound); return;
    case SN_CONTACT_EQUAL:
    case SN_CONTACT_KIND_COUNT: break;
    }
    for (int32_t n = k; n < s->problem->first[i + 1]; n++) visit_one(s, n, -INFINITY, INFINITY);
}

// ---- all of them --------------------------------------------------------------------------------------------

static double length_squared(const double* x, int32_t count) {
    double sum = 0;
    for (int32_t k = 0; k < count; k++) sum += x[k] * x[k];
    return sum;
}

static bool is_late(const sn_solve_options* options) {
    return options->deadline_ns != 0 &&
           options->clock.now_ns(options->clock.context) >= options->deadline_ns;
}

static sn_status pgs_solve(void* context, void* memory, const sn_contact_problem* problem,
                           const sn_solve_options* options, double* r, int64_t* iterations) {
    pgs_memory* m = memory;
    sweep_state s = {problem, m->W, sn_contact_rows(problem), r, 0};
    (void)context;
    if (s.rows > m->rows) return SN_ERR_CAPACITY;
    sn_contact_dense(problem, m->W);
    int64_t most = options->iterations > 0 ? options->iterations : SWEEPS_MOST;
    double enough = 0.1 * options->tolerance; // what is left is about what a sweep still moves
    do {
        s.moved = 0;
        for (int32_t i = 0; i < problem->count; i++) visit(&s, i);
        ++*iterations;
    } while (!(s.moved <= enough * enough * length_squared(r, s.rows)) && *iterations < most &&
             !is_late(options));
    return SN_OK;
}

static const sn_solver_module pgs_solver = {
    .name = "pgs",
    .about = "projected Gauss-Seidel, row by row, with the full matrix",
    .create = pgs_create,
    .free = pgs_free,
    .solve = pgs_solve,
};

// ---- the plugin ---------------------------------------------------------------------------------------------

static sn_status pgs_provide(sn_modules* modules, sn_error* error) {
    return sn_modules_add_solver(modules, &pgs_solver, error);
}

// It has nothing to do while the simulation runs but what the module does.

static sn_status pgs_init(sn_simulation* sim, const char* options, void** memory, sn_error* error) {
    (void)sim, (void)options, (void)memory, (void)error;
    return SN_OK;
}

static sn_status pgs_step(void* memory, sn_simulation* sim) {
    (void)memory, (void)sim;
    return SN_OK;
}

static void pgs_cleanup(void* memory) { (void)memory; }

const sn_plugin sn_plugin_table = {
    SN_PLUGIN_HEAD,
    .name = "pgs_solver",
    .about = "contact solver \"pgs\": projected Gauss-Seidel",
    .provide = pgs_provide,
    .init = pgs_init,
    .step = pgs_step,
    .cleanup = pgs_cleanup,
};
