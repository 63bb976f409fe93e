// SPDX-License-Identifier: Apache-2.0
#include "dynamics/relax.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A step is cut so that no joint turns farther than this, rad (or slides, m), and the mass moves no farther than that on
// the average (root of the mean square, m): walls between atoms or bodies are not jumped over.
static const double TURN_MOST = 0.1, MOVE_MOST = 0.02;
// A step has gone too far when at its end more than this part of the force that began it pushes back: of the energy that
// was to be gained more than half would be lost.
static const double PUSHED_BACK = 0.5;
static const double SHORTEN_MOST = 0.1; // in one go
// A pair whose curvature is less than this part of what its lengths allow says nothing but rounding.
static const double CURVED = 1e-10;

void sni_relax_layout(sni_relax_work* work, sni_arena* arena, const sn_model* model) {
    double** const numbers[] = {&work->zero,  &work->f, &work->a, &work->f_try,
                                &work->a_try, &work->d, &work->n, &work->r};
    double time = INFINITY;
    work->mass = 0;
    for (int32_t i = 0; i < model->body_count; i++) work->mass += model->body[i].inertia.mass;
    for (int32_t l = 0; l < model->loop_count; l++)
        if (model->loop[l].t_s > 0) time = fmin(time, model->loop[l].t_s);
    work->closing_time = isfinite(time) ? time : 0;
    work->q_try = SN_ARENA_ARRAY(arena, double, model->nq);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        *numbers[i] = SN_ARENA_ARRAY(arena, double, model->nv);
    for (int i = 0; i < SNI_RELAX_PAIRS; i++) {
        work->s[i] = SN_ARENA_ARRAY(arena, double, model->nv);
        work->y[i] = SN_ARENA_ARRAY(arena, double, model->nv);
    }
}

static double dot(const sni_system* system, const double* x, const double* y) {
    double sum = 0;
    SN_FOR_EACH_DOF(system, k) sum += x[k] * y[k];
    return sum;
}

static double largest(const sni_system* system, const double* x) {
    double most = 0;
    SN_FOR_EACH_DOF(system, k) most = fmax(most, fabs(x[k]));
    return most;
}

static void add(const sni_system* system, double factor, const double* x, double* sum) {
    SN_FOR_EACH_DOF(system, k) sum[k] += factor * x[k];
}

// ---- where to -----------------------------------------------------------------------------------------

/// The place of the i-th newest pair.
static int pair_at(const sni_relax_work* work, int i) {
    return (work->newest + SNI_RELAX_PAIRS - i) % SNI_RELAX_PAIRS;
}

/// Remembers a step d times `length` from the force f to f_try.
static void remember(const sni_system* system, sni_relax_work* work, double length) {
    int at = (work->newest + 1) % SNI_RELAX_PAIRS;
    double *s = work->s[at], *y = work->y[at];
    SN_FOR_EACH_DOF(system, k) {
        s[k] = length * work->d[k];
        y[k] = work->f[k] - work->f_try[k];
    }
    double curvature = dot(system, s, y);
    double sizes = sqrt(dot(system, s, s) * dot(system, y, y));
    if (!(curvature > CURVED * sizes)) return; // not convex here
    work->newest = at;
    work->weight[at] = 1 / curvature;
    if (work->count < SNI_RELAX_PAIRS) work->count++;
}

// d = H f with H the inverse of the curvature that the pairs tell of, M^-1 times `first` where they tell nothing.
static sn_status follow_pairs(const sni_system* system, const sni_metric* metric,
                              sni_relax_work* work, double first) {
    double share[SNI_RELAX_PAIRS];
    SN_FOR_EACH_DOF(system, k) work->r[k] = work->f[k];
    for (int i = 0; i < work->count; i++) {
        int at = pair_at(work, i);
        share[i] = work->weight[at] * dot(system, work->s[at], work->r);
        add(system, -share[i], work->y[at], work->r);
    }
    sn_status status = metric->yield(system->context, work->r, work->d);
    if (status) return status;
    SN_FOR_EACH_DOF(system, k) work->d[k] *= first;
    for (int i = work->count - 1; i >= 0; i--) {
        int at = pair_at(work, i);
        double back = work->weight[at] * dot(system, work->y[at], work->d);
        add(system, share[i] - back, work->s[at], work->d);
    }
    return SN_OK;
}

/// How far to go along M^-1 f: what the newest pair says, s.y / y.M^-1 y.
static sn_status first_guess(const sni_system* system, const sni_metric* metric,
                             sni_relax_work* work, double h, double* first) {
    *first = h * h;
    if (work->count == 0) return SN_OK;
    int at = pair_at(work, 0);
    sn_status status = metric->yield(system->context, work->y[at], work->d);
    double width = dot(system, work->y[at], work->d);
    if (width > 0) *first = 1 / (work->weight[at] * width);
    return status;
}

/// Cuts a step where it would go too far: to which part of it. How far the mass moves by it, m.
static double cut(const sni_system* system, const sni_metric* metric, sni_relax_work* work,
                  double* step, double* part) {
    metric->weigh(system->context, step, work->r);
    double moved = sqrt(fmax(0, dot(system, step, work->r)) / work->mass);
    *part = fmin(MOVE_MOST / moved, TURN_MOST / largest(system, step));
    if (!(*part < 1)) *part = 1; // of nothing: all
    SN_FOR_EACH_DOF(system, k) step[k] *= *part;
    return *part * moved;
}

/// The direction d, and its slope f.d, positive.
static sn_status choose_direction(const sni_system* system, const sni_metric* metric,
                                  sni_relax_work* work, double h, double* slope) {
    double first, part;
    sn_status status = first_guess(system, metric, work, h, &first);
    if (!status) status = follow_pairs(system, metric, work, first);
    if (status) return status;
    *slope = dot(system, work->f, work->d);
    if (!(*slope > 0) && work->count > 0) { // what was remembered misleads
        work->count = 0;
        return choose_direction(system, metric, work, h, slope);
    }
    work->d_moves = cut(system, metric, work, work->d, &part);
    *slope *= part;
    return SN_OK;
}

// ---- loops ------------------------------------------------------------------------------------------------

// Accelerations are a = a_t + a_n, of which a_n closes loops that are open in their time t_s, so that t_s^2 a_n closes
// them at once. M^-1 with loops that hold leaves a_t of them.
/// Forces f along the loops, of accelerations a; *left: the largest, those that close loops included.
static sn_status weigh_forces(const sni_system* system, const sni_metric* metric,
                              sni_relax_work* work, const double* a, double* f, double* left) {
    metric->weigh(system->context, a, f);
    *left = largest(system, f);
    if (!(work->closing_time > 0)) return SN_OK;
    sn_status status = metric->yield(system->context, f, work->r);
    if (!status) metric->weigh(system->context, work->r, f);
    return status;
}

/// The step n that closes loops from where accelerations are work->a.
static sn_status close_loops(const sni_system* system, const sni_metric* metric,
                             sni_relax_work* work) {
    double t = work->closing_time, part;
    work->n_moves = 0;
    if (!(t > 0)) return SN_OK;
    sn_status status = metric->yield(system->context, work->f, work->n);
    SN_FOR_EACH_DOF(system, k) work->n[k] = t * t * (work->a[k] - work->n[k]);
    work->n_moves = cut(system, metric, work, work->n, &part);
    return status;
}

// ---- step by step ---------------------------------------------------------------------------------------

/// Forces where a step of `length` times d leads.
static sn_status try_step(const sni_system* system, const sni_metric* metric, sni_relax_work* work,
                          double length, const double* q, double* left) {
    bool closes = work->closing_time > 0;
    SN_FOR_EACH_DOF(system, k) { work->r[k] = length * work->d[k] + (closes ? work->n[k] : 0); }
    sni_integrate_joints(system, q, work->r, work->q_try);
    sn_status status = system->accelerate(system->context, work->q_try, work->zero, work->a_try);
    return status ? status : weigh_forces(system, metric, work, work->a_try, work->f_try, left);
}

static void swap(double** a, double** b) {
    double* t = *a;
    *a = *b, *b = t;
}

/// The step becomes where we are.
static void take_step(const sni_system* system, sni_relax_work* work, double* q) {
    for (int32_t i = 0; i < system->joint_count; i++) {
        const sni_joint* joint = sni_system_joint(system, i);
        memcpy(q + joint->iq, work->q_try + joint->iq, joint->nq * sizeof *q);
    }
    swap(&work->f, &work->f_try);
    swap(&work->a, &work->a_try);
}

/// One direction, as far along it as pays; false in *moved: the evaluations did not suffice.
static sn_status descend(const sni_system* system, const sni_metric* metric, sni_relax_work* work,
                         double h, int evaluations, double* q, sni_relax_result* result,
                         bool* moved) {
    double slope, length = 1, left;
    *moved = false;
    sn_status status = close_loops(system, metric, work);
    if (!status) status = choose_direction(system, metric, work, h, &slope);
    while (!status && !*moved && result->evaluations < evaluations) {
        status = try_step(system, metric, work, length, q, &left);
        result->evaluations++;
        if (status) return status;
        double at_end = dot(system, work->f_try, work->d);
        bool closes = work->n_moves > length * work->d_moves; // that comes first
        if (closes || at_end >= -PUSHED_BACK * slope) {
            if (!closes) remember(system, work, length);
            take_step(system, work, q);
            result->left = left;
            *moved = true;
        } else { // where a straight line between the two forces is zero
            length *= fmax(SHORTEN_MOST, slope / (slope - at_end));
        }
    }
    return status;
}

sn_status sni_relax(const sni_system* system, const sni_metric* metric, sni_relax_work* work,
                    uint64_t of, double h, int evaluations, double tolerance, const double* q,
                    const double* a, double* q_next, sni_relax_result* result) {
    *result = (sni_relax_result){0};
    if (work->of != of) work->count = 0;
    work->of = of;
    for (int32_t i = 0; i < system->joint_count; i++) {
        const sni_joint* joint = sni_system_joint(system, i);
        memcpy(q_next + joint->iq, q + joint->iq, joint->nq * sizeof *q);
        memcpy(work->a + joint->iv, a + joint->iv, joint->nv * sizeof *a);
    }
    sn_status status = weigh_forces(system, metric, work, work->a, work->f, &result->left);
    bool moved = true;
    while (!status && moved) {
        result->converged = result->left <= tolerance;
        if (result->converged || result->evaluations >= evaluations) break;
        status = descend(system, metric, work, h, evaluations, q_next, result, &moved);
    }
    if (status || result->converged || moved) return status;
    result->evaluations++; // back from a step that was not taken: forces are those of q_next again
    return system->accelerate(system->context, q_next, work->zero, work->a_try);
}
