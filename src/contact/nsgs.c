// SPDX-License-Identifier: Apache-2.0
// The default solver: nonsmooth Gauss-Seidel, contact by contact exact, sped up over sweeps, stubborn
// groups handed to Newton steps. Groups are solved side by side; with a deadline they take turns, so that
// all of them have had the same number of iterations when time is up.   docs/contact.md
#include <limits.h>

#include "base/workers.h"
#include "contact/system.h"
#include "math/numbers.h"

/// Iterations of a group when nobody says how many: seconds for the largest problems.
enum { LIMIT = 200000 };
/// Iterations between two looks at the clock.
enum { TURN = 4 };
/// Room for Newton steps: columns of B, and the band, of the largest groups that are handed over.
enum { BAND_MOST = 600 };
enum { NUMBERS_MOST = 1 << 27 }; // of a matrix: 1 GB, touched only as far as it is used

/// ADMM has a go after so many failures of Newton, on groups of at most so many rows, with more and more
/// iterations. Only where nobody limits iterations or time: a replay must not depend on it.
enum { RESCUE_AFTER = 5, RESCUE_MOST = 600, RESCUE_FIRST = 400, RESCUE_LAST = 25600 };

typedef struct nsgs {
    const sni_contact_kernel* kernel;
    sni_systems systems;
    sni_newton_memory* newton; // [1 + workers]
    void* admm;                ///< memory of that solver, for one group
    double* r;                 ///< of the whole
    int64_t budget;            ///< iterations of each group up to now
    int patience;              ///< attempts of Newton that may fail
} nsgs;

static void layout_newton(sni_newton_memory* m, const sni_systems* systems,
                          const sn_contact_capacity* capacity, sni_arena* arena) {
    int64_t rows = capacity->rows, contacts = capacity->contacts;
    int64_t nodes = contacts > capacity->bodies + 1 ? contacts : capacity->bodies + 1;
    // unknowns are no more than rows, or than six a body
    int64_t unknowns = rows;
    if (6 * (int64_t)capacity->bodies > unknowns) unknowns = 6 * (int64_t)capacity->bodies;
    int64_t band = unknowns < BAND_MOST ? unknowns : BAND_MOST;
    // what does not fit is solved without Newton
    int64_t B = rows * band + capacity->responses, A = unknowns * (2 * band + 3);
    sni_newton_memory got = {.B_capacity = B < NUMBERS_MOST ? B : NUMBERS_MOST,
                             .A_capacity = A < NUMBERS_MOST ? A : NUMBERS_MOST};
    got.B = SN_ARENA_ARRAY(arena, double, got.B_capacity);
    got.A = SN_ARENA_ARRAY(arena, double, got.A_capacity);
    got.rows = SN_ARENA_ARRAY(arena, sni_factor_rows, contacts);
    got.order = SN_ARENA_ARRAY(arena, int32_t, nodes);
    got.mark = SN_ARENA_ARRAY(arena, int32_t, nodes);
    got.pivots = SN_ARENA_ARRAY(arena, int32_t, nodes);
    got.pivot_contact = SN_ARENA_ARRAY(arena, int32_t, rows);
    got.pivot_row = SN_ARENA_ARRAY(arena, int32_t, rows);
    got.inverse = sni_arena_take(arena, (size_t)contacts, sizeof *got.inverse);
    got.S = sni_arena_take(arena, (size_t)contacts, sizeof *got.S);
    got.equations = SN_ARENA_ARRAY(arena, sni_equations, contacts);
    got.dense_row = SN_ARENA_ARRAY(arena, double*, rows);
    got.x = SN_ARENA_ARRAY(arena, double, unknowns);
    got.d = SN_ARENA_ARRAY(arena, double, systems->width);
    got.base = SN_ARENA_ARRAY(arena, double, systems->width);
    got.scratch = SN_ARENA_ARRAY(arena, double, SN_CONTACT_ROWS_MAX* unknowns);
    if (m) *m = got;
}

static void* layout_for(const sni_contact_kernel* kernel, const sn_contact_capacity* capacity,
                        int workers, sni_arena* arena) {
    nsgs measured, *memory = SN_ARENA_ARRAY(arena, nsgs, 1), *n = memory ? memory : &measured;
    sni_systems_layout(&n->systems, capacity, arena);
    n->newton = SN_ARENA_ARRAY(arena, sni_newton_memory, 1 + workers);
    for (int k = 0; k <= workers; k++)
        layout_newton(n->newton ? n->newton + k : NULL, &n->systems, capacity, arena);
    sn_contact_capacity one = *capacity; // group at a time
    if (one.rows > RESCUE_MOST) one.rows = RESCUE_MOST;
    if (one.contacts > RESCUE_MOST) one.contacts = RESCUE_MOST;
    n->admm = sni_solver_admm.layout(&one, 0, arena);
    n->kernel = kernel;
    return memory;
}

static void* layout(const sn_contact_capacity* capacity, int workers, sni_arena* arena) {
    const sni_contact_kernel* best =
        sni_contact_kernel_avx2.works() ? &sni_contact_kernel_avx2 : &sni_contact_kernel_scalar;
    return layout_for(best, capacity, workers, arena);
}

static void* layout_scalar(const sn_contact_capacity* capacity, int workers, sni_arena* arena) {
    return layout_for(&sni_contact_kernel_scalar, capacity, workers, arena);
}

static void fill_one(void* context, int turn, int who) {
    nsgs* n = context;
    sni_system* system = &n->systems.system[turn];
    (void)who;
    sni_system_fill(system, n->r);
    if (system->by_bodies) n->kernel->fill(system);
}

static void start_one(void* context, int turn, int who) {
    nsgs* n = context;
    sni_system* system = &n->systems.system[turn];
    (void)who;
    system->scale = system->group->scale;
    system->target = system->group->target;
    n->kernel->start(system);
}

static void advance_one(void* context, int turn, int who) {
    nsgs* n = context;
    n->kernel->advance(&n->systems.system[turn], &n->newton[who], n->budget, n->patience);
}

/// Iterations of all groups, by turns if there is a deadline. True: time is up.
static bool advance_all(nsgs* n, sni_solve* solve, int64_t limit) {
    int count = solve->group_count;
    bool late = false, solved = false;
    while (!solved && !late && n->budget < limit) {
        int64_t turn = solve->options->deadline_ns ? TURN : limit;
        n->budget = n->budget + turn < limit ? n->budget + turn : limit;
        sni_workers_run(solve->workers, solve->helpers, advance_one, n, count);
        solved = true;
        for (int g = 0; g < count; g++)
            solved &= n->systems.system[g].course.solved || n->systems.system[g].course.hopeless;
        late = !solved && sni_solve_is_late(solve);
    }
    return late;
}

/// Groups in which sweeps go in circles and Newton fails get a new start from ADMM, which is slow but
/// comes near where nothing else does.
static void rescue(nsgs* n, sni_solve* solve, int64_t iterations) {
    sn_solve_options options = *solve->options;
    options.iterations = iterations;
    for (int g = 0; g < solve->group_count; g++) {
        sni_system* system = &n->systems.system[g];
        if (system->course.solved || system->course.hopeless || solve->group[g].rows > RESCUE_MOST)
            continue;
        sn_solve_report report = {0};
        sni_solve alone = {.group = &solve->group[g],
                           .group_count = 1,
                           .options = &options,
                           .start_ns = solve->start_ns,
                           .report = &report};
        sni_system_give(system, solve->r);
        sni_group_gather(system->group, solve->r);
        sni_solver_admm.solve(n->admm, &alone);
        sni_group_scatter(system->group, solve->r);
        sni_system_take(system, solve->r);
        sni_course before = system->course;
        n->kernel->start(system);
        system->course.used = before.used + report.iterations;
        system->course.sweeps = system->course.looked = system->course.marked = before.sweeps;
        system->course.newton = before.newton;
        system->course.next_newton = before.sweeps;
    }
}

static double prepare(void* memory, sni_solve* solve) {
    nsgs* n = memory;
    double trace = 0;
    n->r = solve->r;
    sni_systems_cut(&n->systems, solve);
    sni_workers_run(solve->workers, solve->helpers, fill_one, n, solve->group_count);
    for (int g = 0; g < solve->group_count; g++) {
        const sni_system* system = &n->systems.system[g];
        solve->group[g].size = sni_sum_squares(system->q, system->width, 1);
        trace += system->trace;
    }
    return trace;
}

static void solve(void* memory, sni_solve* solve) {
    nsgs* n = memory;
    const sn_solve_options* options = solve->options;
    int64_t limit = options->iterations > 0 ? options->iterations : LIMIT;
    bool may_rescue = options->newton && !options->iterations && !options->deadline_ns;
    for (int k = 0; k <= solve->helpers; k++) n->newton[k].owner = n->newton[k].shaped = NULL;
    sni_workers_run(solve->workers, solve->helpers, start_one, n, solve->group_count);
    n->budget = 0;
    n->patience = may_rescue ? RESCUE_AFTER : INT_MAX;
    solve->report->late = advance_all(n, solve, limit);
    for (int64_t tries = RESCUE_FIRST; may_rescue && tries <= RESCUE_LAST; tries *= 4) {
        rescue(n, solve, tries);
        n->budget = 0;
        advance_all(n, solve, limit);
    }
    if (may_rescue) {
        n->patience = INT_MAX;
        n->budget = 0;
        advance_all(n, solve, limit);
    }
    bool solved = true;
    for (int g = 0; g < solve->group_count; g++) {
        const sni_course* course = &n->systems.system[g].course;
        solved &= course->solved;
        sni_system_give(&n->systems.system[g], solve->r);
        solve->report->sweeps += course->sweeps;
        solve->report->newton += course->newton;
        if (course->used > solve->report->iterations) solve->report->iterations = course->used;
    }
    if (!solved && !may_rescue) solve->report->iterations = n->budget; // what replays it
}

static bool tell(void* memory, const sni_solve* solve, double scale, sni_tally* tally,
                 double* velocities) {
    nsgs* n = memory;
    bool by_bodies = true;
    for (int g = 0; g < solve->group_count; g++) {
        n->kernel->tell(&n->systems.system[g], scale, tally, velocities);
        by_bodies &= n->systems.system[g].by_bodies;
    }
    return by_bodies;
}

const sni_solver_ops sni_solver_nsgs = {
    .name = "nsgs",
    .about = "Gauss-Seidel, each contact exact, accelerated, with Newton steps: the default",
    .layout = layout,
    .prepare = prepare,
    .solve = solve,
    .tell = tell,
};

const sni_solver_ops sni_solver_nsgs_scalar = {
    .name = "nsgs-scalar",
    .about = "the same without vector instructions",
    .layout = layout_scalar,
    .prepare = prepare,
    .solve = solve,
    .tell = tell,
};
