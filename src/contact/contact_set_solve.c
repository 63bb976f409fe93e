// SPDX-License-Identifier: Apache-2.0
// From impulses back to bodies: wrenches, energy, and the whole of a step.
#include <float.h>
#include <string.h>

#include "contact/contact_set.h"
#include "contact/operator.h"
#include "contact/solver.h"
#include "math/numbers.h"

// ---- wrenches ---------------------------------------------------------------------------------------------

int sn_contact_set_wrenches(const sn_contact_set* set, const sn_contact_problem* problem,
                            const double* r, double* tau, sn_body_wrench* out) {
    const sni_set_bodies* bodies = &set->bodies;
    int count = 0;
    sni_operator_wrenches(problem, r, set->push);
    memset(tau, 0, (size_t)set->model->nv * sizeof *tau);
    for (int32_t k = 0; k < bodies->count; k++) {
        const double* push = set->push + (ptrdiff_t)6 * k;
        if (!sni_is_of_joints(bodies, k)) {
            out[count++] = (sn_body_wrench){bodies->body[k], sni_row_wrench(push)};
            continue;
        }
        const int32_t* dof = bodies->dof + (ptrdiff_t)6 * k;
        for (int i = 0; i < 6; i++)
            if (dof[i] >= 0) tau[dof[i]] = push[i];
    }
    return count;
}

const double* sn_contact_set_impulses(const sn_contact_set* set) { return set->r; }

/// Mean wrench over the step of entries first to first + count on body a, about x, world axes.
static sn_wrench force_of(const sn_contact_set* set, int32_t first, int32_t count, sn_vec3 x) {
    const sni_set_rows* rows = &set->rows;
    bool of_a = rows->a[first] >= 0; // else the opposite of what b feels
    int32_t slot = of_a ? rows->a[first] : rows->b[first];
    const double* C = of_a ? rows->C_a : rows->C_b;
    sn_wrench sum = sn_wrench_zero();
    for (int32_t k = rows->first[first]; k < rows->first[first + count]; k++)
        sum = sn_wrench_add(sum, sn_wrench_scale(set->r[k], sni_row_wrench(C + (ptrdiff_t)6 * k)));
    sn_pose X_wb = set->bodies.pose[slot];
    sn_pose X_xb = sn_pose_make(X_wb.R, sn_vec3_sub(X_wb.p, x)); // world axes with x as origin
    return sn_wrench_scale((of_a ? 1 : -1) / set->h, sn_pose_wrench(X_xb, sum));
}

/// A point's rows are along its own axes.
static sn_wrench point_force(const sn_contact_set* set, int32_t i) {
    const sn_contact* c = &set->contact[i];
    const double* r = set->r + set->rows.first[i];
    sn_vec3 f = sn_vec3_add(sn_vec3_scale(r[0], c->n), sn_vec3_scale(r[1], c->t1));
    f = sn_vec3_add(f, sn_vec3_scale(r[2], c->t2));
    return sn_wrench_make(sn_vec3_zero(), sn_vec3_scale(1 / set->h, f));
}

sn_wrench sn_contact_set_force(const sn_contact_set* set, int32_t i) {
    if (!set->solved || i < 0 || i >= set->built) return sn_wrench_zero();
    if (set->rows.law[i].kind == SN_CONTACT_POINT) return point_force(set, i);
    return force_of(set, i, 1, set->contact[i].x);
}

sn_wrench sn_contact_set_constraint_force(const sn_contact_set* set, int32_t i) {
    if (!set->solved || i < 0 || i >= set->constraint_count) return sn_wrench_zero();
    const sni_constraint_rows* rows = &set->constraint_rows[i];
    return force_of(set, rows->first, rows->count, rows->x);
}

// ---- energy -----------------------------------------------------------------------------------------------
//
// With u = J v+ = J v_free + J M^-1 J' r and nothing else in it, no restitution, gap or compliance:
//   KE(v+) - KE(v_free) = r' J v_free + 1/2 r' J M^-1 J' r = r'u - 1/2 r' J M^-1 J' r

/// push' response push of one tree.
static double tree_energy(const sni_set_bodies* bodies, int32_t t, const double* push) {
    size_t n = 6 * (size_t)(bodies->tree[t + 1] - bodies->tree[t]);
    const double* A = bodies->value + bodies->response[t];
    const double* f = push + (ptrdiff_t)6 * bodies->tree[t];
    double sum = 0;
    for (size_t r = 0; r < n; r++) {
        double v = 0;
        for (size_t c = 0; c < n; c++) v += A[r * n + c] * f[c];
        sum += f[r] * v;
    }
    return sum;
}

double sn_contact_set_energy(const sn_contact_set* set, const double* r) {
    double sum = 0;
    sni_operator_wrenches(&set->problem, r, set->push);
    for (int32_t t = 0; t < set->bodies.tree_count; t++)
        sum += 0.5 * tree_energy(&set->bodies, t, set->push);
    for (int32_t k = 0; k < set->rows.first[set->rows.count]; k++) sum += r[k] * set->u_free[k];
    return sum;
}

static int32_t tree_of(const sni_set_bodies* bodies, int32_t slot) {
    int32_t low = 0, high = bodies->tree_count - 1;
    while (low < high) {
        int32_t middle = (low + high + 1) / 2;
        if (bodies->tree[middle] <= slot)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static int32_t leader_of(const int32_t* leader, int32_t t) {
    while (leader[t] != t) t = leader[t];
    return t;
}

/// One tree of an entry: all of its group lead to the same.
static int32_t tree_of_entry(const sn_contact_set* set, int32_t i) {
    int32_t slot = set->rows.a[i] >= 0 ? set->rows.a[i] : set->rows.b[i];
    return tree_of(&set->bodies, slot);
}

/// Trees that contacts tie together.
static void group_trees(sn_contact_set* set) {
    int32_t* leader = set->leader;
    for (int32_t t = 0; t < set->bodies.tree_count; t++) leader[t] = t;
    for (int32_t i = 0; i < set->rows.count; i++) {
        if (set->rows.a[i] < 0 || set->rows.b[i] < 0) continue;
        int32_t a = leader_of(leader, tree_of(&set->bodies, set->rows.a[i]));
        int32_t b = leader_of(leader, tree_of(&set->bodies, set->rows.b[i]));
        leader[a > b ? a : b] = a > b ? b : a;
    }
    for (int32_t t = 0; t < set->bodies.tree_count; t++) leader[t] = leader_of(leader, t);
}

// Without restitution r'(u + compliance r + shift) <= 0 contact by contact, where shift is what removes an
// overlap or what a spring had before; so r'(J v_free + shift) + r'(W + compliance)r - 1/2 r'W r <= 0 then,
// and what is above zero otherwise is due to restitution. A force that presses bodies together while they come apart does
// so much less work than it would in free flight; what it saves is not restitution's to give back.
static void sum_energies(sn_contact_set* set, const double* r) {
    const sni_set_rows* rows = &set->rows;
    sni_operator_wrenches(&set->problem, r, set->push);
    for (int32_t t = 0; t < set->bodies.tree_count; t++) set->gained[t] = set->traded[t] = 0;
    for (int32_t t = 0; t < set->bodies.tree_count; t++) {
        double kinetic = 0.5 * tree_energy(&set->bodies, t, set->push);
        set->gained[set->leader[t]] += kinetic;
        set->traded[set->leader[t]] += kinetic;
    }
    for (int32_t i = 0; i < rows->count; i++) {
        int32_t group = set->leader[tree_of_entry(set, i)];
        const sn_contact_law* law = &rows->law[i];
        bool normal_only = law->kind == SN_CONTACT_POINT || law->kind == SN_CONTACT_PATCH;
        for (int32_t k = rows->first[i]; k < rows->first[i + 1]; k++) {
            bool gives = !normal_only || k == rows->first[i];
            double power = r[k] * (set->u_work[k] + (gives ? law->compliance * r[k] : 0));
            set->gained[group] += power;
            set->traded[group] += fabs(power);
        }
        if (i < set->built && set->bounce[i] != 0)
            set->gained[group] -= r[rows->first[i]] * set->pressed[i];
    }
}

int32_t sn_contact_set_calm(sn_contact_set* set, const double* r, double tolerance) {
    int32_t calmed = 0;
    group_trees(set);
    sum_energies(set, r);
    for (int32_t i = 0; i < set->built; i++) {
        if (set->bounce[i] == 0) continue;
        int32_t group = set->leader[tree_of_entry(set, i)];
        if (!(set->gained[group] > tolerance * set->traded[group])) continue;
        set->rows.q[set->rows.first[i]] -= set->bounce[i];
        set->bounce[i] = 0;
        if (set->traded[group] < 0) continue; // counted
        set->traded[group] = -1;
        calmed++;
    }
    return calmed;
}

// ---- the whole --------------------------------------------------------------------------------------------

/// Energies are quadratic in impulses that are off by the tolerance; and sums of many contacts.
static double energy_tolerance(const sn_solve_options* options) {
    const double margin = 10;
    return margin * fmax(options->tolerance, sqrt(DBL_EPSILON));
}

/// The problem of a step without a matrix that somebody may have asked for besides.
static sn_contact_problem by_bodies(const sn_contact_set* set) {
    sn_contact_problem problem = set->problem;
    problem.matrix = (sn_contact_matrix){0};
    return problem;
}

/// A second solve, where a clock has stopped the first, does as much as the first did and asks no clock: so a step is
/// told by the iterations of the first alone.
static sn_status solve_again(sn_contact_set* set, sn_contact_solver* solver,
                             const sn_contact_problem* problem, const sn_solve_options* options,
                             sn_solve_report* report, sn_error* error) {
    sn_solve_options again = *options;
    bool late = report->late;
    if (late) again.iterations = report->iterations;
    again.deadline_ns = 0;
    sn_status status = sni_contact_solve(solver, problem, &again, set->r, report, error);
    report->late = late;
    return status;
}

static sn_status solve_rows(sn_contact_set* set, sn_contact_solver* solver,
                            const sn_solve_options* options, sn_contact_report* report,
                            sn_error* error) {
    sn_contact_problem problem = by_bodies(set);
    report->known = sn_contact_recall(solver, &problem, set->r);
    if (report->known < problem.count || solver->warm_start.count != problem.count)
        sni_set_inherit(set, solver, set->r);
    for (int32_t i = 0; i < set->built; i++) report->bounces += set->bounce[i] != 0;
    sn_status status = sni_contact_solve(solver, &problem, options, set->r, &report->solve, error);
    if (status) return status;
    report->iterations = report->solve.iterations;
    if (report->bounces > 0)
        report->calmed = sn_contact_set_calm(set, set->r, energy_tolerance(options));
    if (report->calmed > 0)
        status = solve_again(set, solver, &problem, options, &report->solve, error);
    if (!status) sn_contact_remember(solver, &problem, set->r);
    return status;
}

/// dv of the impulses: of free bodies it is what the solver has found, others are asked for it.
static sn_status change_velocity(sn_contact_set* set, sn_dynamics* d, sn_contact_solver* solver) {
    const sni_set_bodies* bodies = &set->bodies;
    if (!bodies->all_free) {
        int count = sn_contact_set_wrenches(set, &set->problem, set->r, set->tau, set->wrench);
        return sn_dynamics_impulse(d, set->tau, set->wrench, count, set->dv);
    }
    sn_contact_problem problem = by_bodies(set);
    const double* velocities = sni_contact_solver_velocities(solver, &problem, set->r);
    memset(set->dv, 0, (size_t)set->model->nv * sizeof *set->dv);
    for (int32_t k = 0; k < bodies->count; k++)
        memcpy(set->dv + set->model->joint[bodies->body[k].i].iv, velocities + (ptrdiff_t)6 * k,
               6 * sizeof *set->dv);
    return SN_OK;
}

static sn_status apply(sn_contact_set* set, sn_dynamics* d, sn_contact_solver* solver,
                       const double* v_free, double* v_plus, sn_error* error) {
    sn_status status = change_velocity(set, d, solver);
    if (status) return sni_fail(error, status, sni_nowhere(), "impulses cannot be applied");
    for (int32_t k = 0; k < set->model->nv; k++)
        if (!isfinite(v_free[k] + set->dv[k]))
            return sni_fail(error, SN_ERR_NUMERIC, sni_nowhere(),
                            "velocity %d is not finite after the impulses", k);
    for (int32_t k = 0; k < set->model->nv; k++) v_plus[k] = v_free[k] + set->dv[k];
    return SN_OK;
}

// The verdict's energy is r'(u + q)/2, u = (J M^-1 J' + compliance) r + q:
//   r' J v_free + 1/2 r' J M^-1 J' r = verdict - 1/2 r' compliance r - r'(q - J v_free)
static double energy_of(const sn_contact_set* set, const sn_contact_verdict* verdict) {
    const sni_set_rows* rows = &set->rows;
    double sum = verdict->energy -
                 sni_sum_differences(set->r, rows->q, set->u_free, rows->first[rows->count]);
    for (int32_t i = 0; set->compliance > 0 && i < rows->count; i++) {
        if (rows->law[i].compliance == 0) continue;
        for (int32_t k = rows->first[i]; k < rows->first[i + 1]; k++)
            sum -=
                0.5 * sni_law_compliance(&rows->law[i], k - rows->first[i]) * set->r[k] * set->r[k];
    }
    return sum;
}

sn_status sn_contact_set_solve_built(sn_contact_set* set, sn_dynamics* dynamics,
                                     const double* v_free, sn_contact_solver* solver,
                                     const sn_solve_options* options, double* v_plus,
                                     sn_contact_report* report, sn_error* error) {
    if (!set || !dynamics || !v_free || !solver || !options || !v_plus || !report)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "no set, dynamics, velocity, solver, options, result or report given");
    memset(report, 0, sizeof *report);
    sn_status status = solve_rows(set, solver, options, report, error);
    if (!status) status = apply(set, dynamics, solver, v_free, v_plus, error);
    if (status) return status;
    report->energy = energy_of(set, &report->solve.verdict);
    set->solved = true;
    return SN_OK;
}

sn_status sn_contact_set_solve(sn_contact_set* set, sn_dynamics* dynamics, const double* v_free,
                               double h, sn_contact_solver* solver, const sn_solve_options* options,
                               double* v_plus, sn_contact_report* report, sn_error* error) {
    if (!set || !solver || !options || !v_plus || !report)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "no set, solver, options, result or report given");
    memset(report, 0, sizeof *report);
    sn_status status = sn_contact_set_build(set, dynamics, v_free, h, error);
    if (status) return status;
    return sn_contact_set_solve_built(set, dynamics, v_free, solver, options, v_plus, report,
                                      error);
}
