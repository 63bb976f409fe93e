// SPDX-License-Identifier: Apache-2.0
#include "lcp_study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact_scene.h"
#include "memory.h"
#include "message.h"

static const double DEGREES = 180 / 3.14159265358979323846;
static const double SLIDING_LEAST =
    1e-6; // of the largest q: slower is sticking, and has no direction

// ---- problems -------------------------------------------------------------------------------------------

/// A box on four feet that moves along an angle without turning.
static contact_scene* sliding_box(double angle_deg) {
    const sn_vec3 half = {0.2, 0.15, 0.1}, up = {0, 0, 1};
    contact_scene* s = contact_scene_make(1, 4, 5, &half);
    for (int foot = 0; foot < 4; foot++) {
        const contact_scene_side of_box = {
            0, sn_mat3_identity(), {foot & 1 ? 0.2 : -0.2, foot & 2 ? 0.15 : -0.15, -half.z}};
        const contact_scene_side ground = {-1, sn_mat3_identity(), {0, 0, 0}};
        contact_scene_add(s, of_box, ground, up, 0.5);
    }
    s->v[3] = 0.05 * cos(angle_deg / DEGREES);
    s->v[4] = 0.05 * sin(angle_deg / DEGREES);
    s->v[5] = -0.01;
    contact_scene_finish(s);
    return s;
}

/// A tower in which every box slides its own way.
static contact_scene* sliding_tower(int boxes) {
    contact_scene* s = contact_scene_tower(boxes);
    for (int i = 0; i < boxes; i++) {
        s->v[6 * i + 3] += 0.05 * cos(0.3 + 2.4 * i);
        s->v[6 * i + 4] += 0.05 * sin(0.3 + 2.4 * i);
    }
    contact_scene_finish(s);
    return s;
}

// ---- one solve ------------------------------------------------------------------------------------------

/// Friction opposes sliding: the largest angle between r_t and -u_t of contacts that slide and are pressed.
static double direction_error(const sn_contact_problem* p, const double* r) {
    int32_t rows = sn_contact_rows(p);
    double *u = memory_take((size_t)rows, sizeof *u), fastest = 0, pressed = 0, worst = 0;
    sn_contact_apply(p, r, u);
    for (int32_t k = 0; k < rows; k++) {
        u[k] += p->q[k];
        fastest = fmax(fastest, fabs(p->q[k]));
        pressed = fmax(pressed, r[k]);
    }
    for (int32_t i = 0; i < p->count; i++) {
        const double *u_t = u + p->first[i] + 1, *r_t = r + p->first[i] + 1;
        double sliding = hypot(u_t[0], u_t[1]);
        if (sliding < SLIDING_LEAST * fastest || hypot(r_t[0], r_t[1]) < 1e-9 * pressed) continue;
        double across = u_t[0] * r_t[1] - u_t[1] * r_t[0],
               along = -(u_t[0] * r_t[0] + u_t[1] * r_t[1]);
        worst = fmax(worst, DEGREES * fabs(atan2(across, along)));
    }
    free(u);
    return worst;
}

/// Solves from zero, a few times for the clock.
static bool solve(const sn_contact_problem* p, const lcp_contender* by, int times, lcp_run* run) {
    sn_contact_capacity capacity = sn_contact_capacity_of(p);
    sn_contact_solver* solver = NULL;
    sn_solve_options options = sn_solve_options_default();
    sn_solve_report report = {0};
    sn_error error;
    size_t rows = (size_t)sn_contact_rows(p);
    double* r = memory_take(rows, sizeof *r);
    if (by->facets) options.facets = by->facets;
    sn_status status = sn_contact_solver_create(by->solver, &capacity, 0, &solver, &error);
    run->seconds = INFINITY;
    for (int i = 0; i < times && !status; i++) {
        memset(r, 0, rows * sizeof *r);
        status = sn_contact_solve(solver, p, &options, r, &report, &error);
        run->seconds = fmin(run->seconds, 1e-9 * (double)report.nanoseconds);
    }
    if (status) {
        message_error_from(&error);
    } else {
        run->residual = report.verdict.residual;
        run->iterations = report.iterations;
        run->direction = direction_error(p, r);
    }
    sn_contact_solver_free(solver);
    free(r);
    return !status;
}

// ---- all of them ----------------------------------------------------------------------------------------

static bool measure_slides(lcp_study* s, bool quick) {
    const double step = quick ? 15 : 3;
    for (double angle = 0; angle <= 90; angle += step) {
        contact_scene* scene = sliding_box(angle);
        bool done = true;
        for (int c = 0; c < LCP_CONTENDER_COUNT && done; c++)
            done = solve(&scene->problem, &s->contender[c], 1, &s->slide[c][s->angles]);
        contact_scene_free(scene);
        if (!done) return false;
        s->angle_deg[s->angles++] = angle;
    }
    return true;
}

static bool measure_piles(lcp_study* s, bool quick) {
    static const int boxes[] = {1, 2, 4, 6, 8, 12};
    const int count = quick ? 3 : (int)(sizeof boxes / sizeof boxes[0]);
    for (int n = 0; n < count; n++) {
        contact_scene* scene = sliding_tower(boxes[n]);
        bool done = true;
        for (int c = 0; c < LCP_CONTENDER_COUNT && done; c++)
            done = solve(&scene->problem, &s->contender[c], 3, &s->pile[c][s->piles]);
        s->contacts[s->piles++] = scene->problem.count;
        contact_scene_free(scene);
        if (!done) return false;
    }
    return true;
}

static void add_up(lcp_study* s, int c) {
    double sum = 0;
    for (int i = 0; i < s->angles; i++) {
        s->slide_direction[c] = fmax(s->slide_direction[c], s->slide[c][i].direction);
        sum += s->slide[c][i].residual;
    }
    for (int i = 0; i < s->piles; i++) {
        sum += s->pile[c][i].residual;
        s->pile_seconds[c] += s->pile[c][i].seconds;
        // a contact has its normal, a number for each facet, and one for the cone
        double n = s->contacts[i] * (s->contender[c].facets + 2);
        if (c < LCP_EXACT) s->pile_work[c] += (double)s->pile[c][i].iterations * n * n;
    }
    s->mean_residual[c] = sum / (s->angles + s->piles);
}

/// More facets come nearer and cost more, and none comes as near as the cone. Times depend on what else the machine does, so
/// it is work that is judged.
static void judge(lcp_study* s) {
    s->holds = true;
    for (int c = 0; c < LCP_CONTENDER_COUNT; c++) add_up(s, c);
    for (int c = 0; c < LCP_EXACT; c++) {
        bool nearer = s->mean_residual[c + 1] < s->mean_residual[c] &&
                      s->slide_direction[c + 1] < s->slide_direction[c];
        bool dearer = c + 1 == LCP_EXACT || s->pile_work[c + 1] > s->pile_work[c];
        s->holds = s->holds && nearer && dearer;
    }
}

bool lcp_study_measure(lcp_study* s, bool quick) {
    static const int facets[LCP_EXACT] = {4, 8, 16};
    for (int c = 0; c < LCP_EXACT; c++) {
        s->contender[c] = (lcp_contender){.solver = "lcp", .facets = facets[c]};
        (void)snprintf(s->contender[c].label, sizeof s->contender[c].label, "lcp, %d facets",
                       facets[c]);
    }
    s->contender[LCP_EXACT] = (lcp_contender){.solver = "nsgs"};
    (void)snprintf(s->contender[LCP_EXACT].label, sizeof s->contender[LCP_EXACT].label,
                   "nsgs, cones");
    if (!measure_slides(s, quick) || !measure_piles(s, quick)) return false;
    judge(s);
    return true;
}
