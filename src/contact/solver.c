// SPDX-License-Identifier: Apache-2.0
// What is the same for every solver: refuse what is no problem, split it into groups, say when each is
// solved, let the chosen method work, judge the whole.
#include "contact/solver.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "contact/guest.h"
#include "contact/judge.h"
#include "contact/operator.h"
#include "math/numbers.h"

/// Listed are all but the last, which is found by its name.
static const sni_solver_ops* const solvers[] = {&sni_solver_nsgs,    &sni_solver_projection,
                                                &sni_solver_admm,    &sni_solver_lcp,
                                                &sni_solver_penalty, &sni_solver_nsgs_scalar};
enum { SOLVER_ALL = sizeof solvers / sizeof solvers[0], SOLVER_COUNT = SOLVER_ALL - 1 };

const char* sn_contact_solver_name(int i) {
    return i >= 0 && i < SOLVER_COUNT ? solvers[i]->name : NULL;
}

const char* sn_contact_solver_about(int i) {
    return i >= 0 && i < SOLVER_COUNT ? solvers[i]->about : NULL;
}

sn_solve_options sn_solve_options_default(void) {
    sn_solve_options options = {.tolerance = 1e-8,
                                .clock = sn_clock_real(),
                                .workers = INT_MAX, // all there are
                                .space = SN_SPACE_AUTO,
                                .local = SN_LOCAL_EXACT,
                                .relaxation = 1,
                                .accelerate = true,
                                .newton = true,
                                .alternate = true,
                                .facets = 8};
    return options;
}

// ---- creation -----------------------------------------------------------------------------------------

static const sni_solver_ops* find_ops(const char* name) {
    for (int i = 0; i < SOLVER_ALL; i++)
        if (strcmp(solvers[i]->name, name) == 0) return solvers[i];
    return NULL;
}

bool sni_contact_solver_is_ours(const char* name) { return find_ops(name); }

static sn_status find_solver(const char* name, const sni_solver_ops** ops, sn_error* error) {
    sni_nearest nearest = {.wanted = name};
    char names[256] = "";
    size_t used = 0;
    *ops = name ? find_ops(name) : solvers[0];
    if (*ops) return SN_OK;
    for (int i = 0; i < SOLVER_COUNT; i++) {
        sni_nearest_offer(&nearest, solvers[i]->name);
        int length =
            snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", solvers[i]->name);
        if (length > 0 && (size_t)length < sizeof names - used) used += (size_t)length;
    }
    if (nearest.best)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "there is no contact solver '%s'; did you mean '%s'?", name, nearest.best);
    return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                    "there is no contact solver '%s'; choose one of %s", name, names);
}

static void layout(sn_contact_solver* solver, sni_arena* arena) {
    const sn_contact_capacity* capacity = &solver->capacity;
    sni_contact_groups_layout(&solver->groups, capacity, arena);
    sni_warm_start_layout(&solver->warm_start, capacity, arena);
    solver->scratch = SN_ARENA_ARRAY(arena, double, (size_t)14 * (size_t)capacity->bodies);
    if (solver->guest)
        sni_solver_guest_layout(solver->guest, capacity, arena);
    else
        solver->memory = solver->ops->layout(capacity, solver->helpers, arena);
}

/// By a method of ours, or by a user's functions.
static sn_status create(const sni_solver_ops* ops, const sn_solver_module* table,
                        const sn_contact_capacity* capacity, int workers,
                        sn_contact_solver** solver, sn_error* error) {
    sn_contact_solver* s = calloc(1, sizeof *s);
    if (!s) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    sn_status status = SN_OK;
    if (table) status = sni_solver_guest_create(table, capacity, &s->guest, error);
    if (status) {
        free(s);
        return status;
    }
    s->ops = ops;
    s->capacity = *capacity;
    s->helpers = workers;
    s->workers = workers > 0 ? sni_workers_create(workers) : NULL;
    layout(s, &s->arena);
    if ((workers > 0 && !s->workers) || !sni_arena_allocate(&s->arena)) {
        sn_contact_solver_free(s);
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(),
                        "not enough memory or threads for solver '%s' with %d contacts",
                        table ? table->name : ops->name, capacity->contacts);
    }
    layout(s, &s->arena);
    *solver = s;
    return SN_OK;
}

static sn_status check_sizes(const sn_contact_capacity* capacity, int workers, sn_error* error) {
    if (!capacity || capacity->contacts < 0 || capacity->rows < 0 || capacity->blocks < 0 ||
        capacity->bodies < 0 || capacity->responses < 0 || capacity->tree_bodies < 0 || workers < 0)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "capacity of a contact solver is missing or negative");
    return SN_OK;
}

sn_status sn_contact_solver_create(const char* name, const sn_contact_capacity* capacity,
                                   int workers, sn_contact_solver** solver, sn_error* error) {
    if (!solver) return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "no place for the solver");
    *solver = NULL;
    const sni_solver_ops* ops;
    sn_status status = check_sizes(capacity, workers, error);
    if (!status) status = find_solver(name, &ops, error);
    return status ? status : create(ops, NULL, capacity, workers, solver, error);
}

sn_status sn_contact_solver_create_module(const sn_solver_module* module,
                                          const sn_contact_capacity* capacity,
                                          sn_contact_solver** solver, sn_error* error) {
    if (!solver) return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "no place for the solver");
    *solver = NULL;
    sn_status status = check_sizes(capacity, 0, error);
    if (!status) status = sni_solver_module_check(module, error);
    return status ? status : create(NULL, module, capacity, 0, solver, error);
}

void sn_contact_solver_free(sn_contact_solver* solver) {
    if (!solver) return;
    sni_solver_guest_free(solver->guest);
    sni_workers_free(solver->workers);
    sni_arena_free(&solver->arena);
    free(solver);
}

// ---- what is refused ----------------------------------------------------------------------------------

static sn_status check_options(const sn_solve_options* options, sn_error* error) {
    if (!(options->tolerance >= 0) || !isfinite(options->tolerance))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "tolerance %g; it must be a number from 0 on", options->tolerance);
    if (!(options->relaxation > 0 && options->relaxation < 2))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "relaxation %g; it must lie between 0 and 2", options->relaxation);
    if (options->iterations < 0 || options->workers < 0)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "iterations or workers are negative");
    if (!options->clock.now_ns)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "no clock given");
    return SN_OK;
}

/// Blocks are those of a matrix: whether bodies are made into blocks, only the method knows.
static sn_status check_capacity(const sn_contact_capacity* capacity,
                                const sn_contact_problem* problem, sn_error* error) {
    const struct {
        const char* name;
        int64_t needed, there;
    } size[] = {
        {"contacts", problem->count, capacity->contacts},
        {"rows", sn_contact_rows(problem), capacity->rows},
        {"blocks", problem->matrix.start ? problem->matrix.start[problem->count] : 0,
         capacity->blocks},
        {"bodies", sni_bodies_count(&problem->bodies), capacity->bodies},
        {"numbers of response",
         problem->bodies.tree_count ? problem->bodies.response[problem->bodies.tree_count] : 0,
         capacity->responses},
        {"bodies in a tree", capacity->tree_bodies ? sni_bodies_largest_tree(&problem->bodies) : 0,
         capacity->tree_bodies},
    };
    for (size_t k = 0; k < sizeof size / sizeof size[0]; k++)
        if (size[k].needed > size[k].there)
            return sni_fail(error, SN_ERR_CAPACITY, sni_nowhere(),
                            "%lld %s; the solver was created for %lld", (long long)size[k].needed,
                            size[k].name, (long long)size[k].there);
    return SN_OK;
}

/// All but the problem itself.
static sn_status check_call(const sn_contact_solver* solver, const sn_contact_problem* problem,
                            const sn_solve_options* options, const double* r, sn_error* error) {
    sn_status status = check_options(options, error);
    if (!status) status = check_capacity(&solver->capacity, problem, error);
    if (!status && solver->ops && solver->ops->check)
        status = solver->ops->check(problem, options, error);
    if (status || sni_are_finite(r, sn_contact_rows(problem))) return status;
    for (int32_t k = 0; k < sn_contact_rows(problem); k++)
        if (!isfinite(r[k]))
            return sni_fail(error, SN_ERR_NUMERIC, sni_nowhere(),
                            "row %d: the impulse to start from is not finite", k);
    return SN_OK;
}

// ---- solving ------------------------------------------------------------------------------------------

bool sni_solve_is_late(const sni_solve* solve) {
    const sn_solve_options* options = solve->options;
    return options->deadline_ns != 0 &&
           options->clock.now_ns(options->clock.context) >= options->deadline_ns;
}

/// Targets whose squares add up to at most (tolerance |q|)^2: half of it is shared by |q|^2, half equally,
/// so that a group at rest is not solved to the last digit because another one flies.
static void set_targets(sni_solve* solve, double scale) {
    double tolerance = solve->options->tolerance, whole = 0;
    if (solve->options->siconos_error) scale = 1;
    for (int32_t g = 0; g < solve->group_count; g++) whole += solve->group[g].size;
    for (int32_t g = 0; g < solve->group_count; g++) {
        sni_group* group = &solve->group[g];
        double share = fmax(group->size, whole / solve->group_count);
        group->scale = scale;
        group->target = tolerance * sqrt(share / 2) / scale;
    }
}

static void gather(const sni_solve* solve) {
    for (int32_t g = 0; g < solve->group_count; g++) {
        sni_group* group = &solve->group[g];
        sni_group_gather(group, solve->r);
        group->size = sni_sum_squares(group->q, group->rows, 1);
    }
}

static void scatter(const sni_solve* solve) {
    for (int32_t g = 0; g < solve->group_count; g++) sni_group_scatter(&solve->group[g], solve->r);
}

/// A group that is not finite is let go. Returns how many were.
static int32_t let_go(const sni_solve* solve, const sn_contact_problem* problem) {
    int32_t lost = 0;
    if (sni_are_finite(solve->r, sn_contact_rows(problem))) return 0;
    for (int32_t g = 0; g < solve->group_count; g++) {
        const sni_group* group = &solve->group[g];
        sni_group_gather(group, solve->r);
        if (sni_are_finite(group->r, group->rows)) continue;
        memset(group->r, 0, (size_t)group->rows * sizeof *group->r);
        sni_group_scatter(group, solve->r);
        lost++;
    }
    return lost;
}

/// Whether no impulse at all will do, from a start without any: then u = q, and as cones have no size, neither
/// W nor scale matters.
static bool is_at_rest(const sn_contact_problem* problem, const sn_solve_options* options,
                       const double* r, sn_contact_verdict* verdict) {
    static const double none[SN_CONTACT_ROWS_MAX];
    int32_t rows = sn_contact_rows(problem);
    for (int32_t k = 0; k < rows; k++)
        if (r[k] != 0) return false;
    double tolerance = options->tolerance,
           most = tolerance * tolerance * sni_sum_squares(problem->q, rows, 1);
    sni_tally tally = {0};
    for (int32_t i = 0; i < problem->count; i++) {
        const sn_contact_law* law = &problem->law[i];
        const double* q = problem->q + problem->first[i];
        if (law->viscous > 0 || law->kind == SN_CONTACT_DRY) return false; // not a cone
        sni_tally_add(&tally, law, 1, q, none, q);
        if (!(tally.defect <= most)) return false;
    }
    *verdict = sni_tally_verdict(&tally, 1);
    return true;
}

sn_status sn_contact_solve(sn_contact_solver* solver, const sn_contact_problem* problem,
                           const sn_solve_options* options, double* r, sn_solve_report* report,
                           sn_error* error) {
    if (!solver || !options || !r)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "contact solver, options or impulses are missing");
    sn_status status = sn_contact_check(problem, error);
    return status ? status : sni_contact_solve(solver, problem, options, r, report, error);
}

/// By the method: groups, how far each is to be solved, impulses, verdict. Returns whether all was finite.
static bool solve_groups(sn_contact_solver* solver, const sn_contact_problem* problem,
                         sni_solve* solve) {
    sn_solve_report* report = solve->report;
    bool whole = solver->ops->prepare; // it knows where q and r are
    if (!whole) gather(solve);
    double trace =
        whole ? solver->ops->prepare(solver->memory, solve) : sni_operator_trace(problem);
    double scale = trace > 0 ? trace / sn_contact_rows(problem) : 1;
    set_targets(solve, scale);
    solver->ops->solve(solver->memory, solve);
    if (!whole) scatter(solve);
    if (solver->ops->tell) {
        sni_tally tally = {0};
        solver->told = solver->ops->tell(solver->memory, solve, scale, &tally, solver->scratch);
        report->verdict = sni_tally_verdict(&tally, scale);
        if (isfinite(tally.r)) return true; // and so are all impulses
    }
    int32_t lost = let_go(solve, problem);
    if (lost == 0 && solver->ops->tell) return true;
    solver->told = false;
    report->verdict = sni_judge(problem, scale, solve->r, solver->scratch);
    return lost == 0;
}

/// By the guest, all groups at once.
static sn_status solve_whole(sn_contact_solver* solver, const sn_contact_problem* problem,
                             const sni_solve* solve, double* r, bool* finite, sn_error* error) {
    sn_solve_report* report = solve->report;
    sn_status status = sni_solver_guest_solve(solver->guest, problem, solve->options, r,
                                              &report->iterations, finite, error);
    if (status) return status;
    report->late = sni_solve_is_late(solve);
    report->verdict = sni_judge(problem, sni_operator_scale(problem), r, solver->scratch);
    return SN_OK;
}

sn_status sni_contact_solve(sn_contact_solver* solver, const sn_contact_problem* problem,
                            const sn_solve_options* options, double* r, sn_solve_report* report,
                            sn_error* error) {
    sn_status status = check_call(solver, problem, options, r, error);
    if (status) return status;
    sn_solve_report here = {.contacts = problem->count};
    if (!report) report = &here;
    *report = here;
    solver->told = false;
    const sn_clock* clock = &options->clock;
    sni_solve solve = {.group = solver->groups.group,
                       .options = options,
                       .r = r,
                       .start_ns = clock->now_ns(clock->context),
                       .workers = solver->workers,
                       .report = report};
    solve.helpers = options->workers < solver->helpers ? options->workers : solver->helpers;
    solve.group_count = sni_contact_groups_find(&solver->groups, problem);
    solve.shape = solver->groups.shape;
    report->groups = solve.group_count;
    bool finite = true;
    if (solver->guest)
        status = solve_whole(solver, problem, &solve, r, &finite, error);
    else if (solver->ops->prepare && is_at_rest(problem, options, r, &report->verdict))
        report->converged = true;
    else
        finite = solve_groups(solver, problem, &solve);
    if (status) return status;
    double figure = options->siconos_error ? report->verdict.error : report->verdict.residual;
    if (!report->converged)
        report->converged = finite && figure <= options->tolerance &&
                            report->verdict.unmet <= sqrt(options->tolerance);
    report->nanoseconds = clock->now_ns(clock->context) - solve.start_ns;
    return SN_OK;
}

const double* sni_contact_solver_velocities(sn_contact_solver* solver,
                                            const sn_contact_problem* problem, const double* r) {
    if (!solver->told) sni_operator_spread(problem, r, solver->scratch);
    solver->told = true;
    return solver->scratch;
}
