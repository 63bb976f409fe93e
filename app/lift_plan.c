// SPDX-License-Identifier: Apache-2.0
/// Least squares over all knots of a lift: Levenberg and Marquardt's method with differences.   [NW06 ch 10.3]
#include "lift_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "message.h"

// Heights and reach of an HRP-2-class body: the bar lies on stands before its shanks, passes its belly and chest, and ends
// above its head, or before the chest of a robot that has sat down on a stool behind it.
#define OVER_THE_HEAD                                                                              \
    {                                                                                              \
        {'a', "down at the bar, hands around it", 1.0, 0.32, 0.45},                                \
            {'b', "off the stands", 2.0, 0.32, 0.60},                                              \
            {'c', "upright, bar before the belly", 4.0, 0.30, 0.80},                               \
            {'d', "bar before the chest", 5.5, 0.28, 1.10},                                        \
            {'e', "past the head", 7.5, 0.22, 1.50},                                               \
            {'f', "over the head, at rest", 9.0, 0.08, 1.62},                                      \
    }
#define STANDING                                                                                   \
    { -0.35, 0.7, -0.35, 0.0, -2.9, -0.3 }

const lift_task lift_tasks[LIFT_TASKS] = {
    {"lift", "8.4 kg", 8.4, OVER_THE_HEAD, STANDING, false, 0, {0, 0}},
    {"lift_heavy", "23.4 kg", 23.4, OVER_THE_HEAD, STANDING, false, 0, {0, 0}},
    {"lift_sitting",
     "8.4 kg, sitting",
     8.4,
     {
         {'a', "down at the bar, hands around it", 1.0, 0.32, 0.45},
         {'b', "off the stands", 2.0, 0.32, 0.60},
         {'c', "upright, bar before the belly", 3.5, 0.30, 0.85},
         {'d', "bar before the chest", 5.0, 0.30, 1.05},
         {'e', "down to the stool", 7.5, 0.28, 0.90},
         {'f', "sitting, at rest", 9.0, 0.20, 0.90},
     },
     {-1.5, 1.7, -0.35, 0.2, -0.6, -1.6},
     true,
     7.25,
     {-0.18, 0.50}},
};
static const double END = 10; // s

static const double POSTURE_A[LIFT_JOINTS] = {-1.3, 1.6, -0.7, 0.3, -0.5, -0.6};

enum {
    SMOOTH = LIFT_JOINTS,
    RANGES = LIFT_JOINTS,
    ROWS = LIFT_JOINTS + LIFT_JOINTS + SMOOTH + RANGES + 7, ///< of a knot
    COLOURS = 3 ///< knots so far apart do not share rows
};

typedef struct problem {
    lift_plan* plan;
    lift_body* body;
    double lower[LIFT_JOINTS], upper[LIFT_JOINTS];
    double path[LIFT_KNOTS_MOST][2];   ///< m, x and z that the bar should have
    double firm[LIFT_KNOTS_MOST];      ///< m that it may be off: little where a phase ends
    double seat_firm[LIFT_KNOTS_MOST]; ///< 1/m: how much the pelvis' place counts
} problem;

/// Beyond a bound, counted in units.
static double beyond(double value, double bound, double unit) {
    return fmax(0, value - bound) / unit;
}

static const double* knot(const lift_plan* p, int k) {
    return p->q[k < 0 ? 0 : k >= p->knots ? p->knots - 1 : k];
}

/// What knot k asks for; its torques are kept.
static void residuals(problem* o, int k, double* r) {
    static const double ENOUGH = 0.75, // of a torque limit
        FOOT = 0.05,                   // m of a sole from its middle
        SEATED = 0.7;                  // of the weight that a seat carries
    lift_plan* p = o->plan;
    double rate[LIFT_JOINTS], acceleration[LIFT_JOINTS], h = p->interval;
    const double *a = knot(p, k - 1), *x = knot(p, k), *b = knot(p, k + 1);
    for (int j = 0; j < LIFT_JOINTS; j++) {
        rate[j] = (b[j] - a[j]) / (2 * h);
        acceleration[j] = (b[j] - 2 * x[j] + a[j]) / (h * h);
    }
    const lift_task* task = p->task;
    lift_load* l = &p->load[k];
    // the stands carry the bar until phase a ends
    double t = k * h, mass = t < task->phase[0].at + 0.5 * h ? 0 : task->mass;
    bool seated = task->sits && t > task->sit_at;
    lift_body_load(o->body, mass, seated, x, rate, acceleration, l);
    for (int j = 0; j < LIFT_JOINTS; j++) {
        double load = l->tau[j] / p->limit[j];
        *r++ = load;
        *r++ = 10 * beyond(fabs(load), ENOUGH, 1);
        *r++ = 0.2 * acceleration[j];
        *r++ = beyond(x[j], o->upper[j], 0.02) + beyond(-x[j], -o->lower[j], 0.02);
    }
    *r++ = l->cop / FOOT + copysign(5 * beyond(fabs(l->cop), FOOT, 0.02), l->cop);
    bool low = l->bar[1] < 1.45 && l->bar[1] > 0.3; // the trunk and the head are behind it
    *r++ = low ? beyond(-l->bar[0], -0.2, 0.02) : 0;
    for (int i = 0; i < 2; i++) *r++ = (l->bar[i] - o->path[k][i]) / o->firm[k];
    for (int i = 0; i < 2; i++) *r++ = (l->pelvis[i] - task->seat[i]) * o->seat_firm[k];
    *r++ = seated ? (l->share - SEATED) * o->seat_firm[k] * 0.02 : 0;
}

static double all_residuals(problem* o, double* r) {
    double sum = 0;
    for (int k = 0; k < o->plan->knots; k++) residuals(o, k, r + k * ROWS);
    for (int i = 0; i < o->plan->knots * ROWS; i++) sum += r[i] * r[i];
    return 0.5 * sum;
}

/// H += J' J and g += J' r, knots of one colour at a time: a knot's rows know its neighbours only.
static void linearise(problem* o, const double* r, double* moved, double* J) {
    static const double STEP = 1e-6; // rad
    lift_plan* p = o->plan;
    for (int colour = 0; colour < COLOURS; colour++)
        for (int j = 0; j < LIFT_JOINTS; j++) {
            for (int k = colour; k < p->knots; k += COLOURS) p->q[k][j] += STEP;
            (void)all_residuals(o, moved);
            for (int k = colour; k < p->knots; k += COLOURS) {
                p->q[k][j] -= STEP;
                for (int m = k > 0 ? k - 1 : 0; m <= k + 1 && m < p->knots; m++)
                    for (int i = m * ROWS; i < (m + 1) * ROWS; i++)
                        J[(size_t)i * (size_t)(p->knots * LIFT_JOINTS) +
                          (size_t)(k * LIFT_JOINTS + j)] = (moved[i] - r[i]) / STEP;
            }
        }
}

/// Solves (J'J + damping) x = -J'r by Cholesky; false when it is singular.
static bool solve(int n, int rows, const double* J, const double* r, double damping, double* H,
                  double* x) {
    for (int i = 0; i < n; i++) {
        x[i] = 0;
        for (int j = 0; j <= i; j++) H[i * n + j] = 0;
    }
    for (int m = 0; m < rows; m++) {
        const double* row = J + (size_t)m * (size_t)n;
        int knot_at = m / ROWS, first = (knot_at - 1) * LIFT_JOINTS, last = first + 3 * LIFT_JOINTS;
        first = first < 0 ? 0 : first, last = last > n ? n : last;
        for (int i = first; i < last; i++) {
            x[i] -= row[i] * r[m];
            for (int j = first; j <= i; j++) H[i * n + j] += row[i] * row[j];
        }
    }
    for (int i = 0; i < n; i++) {
        H[i * n + i] += damping * (1 + H[i * n + i]);
        for (int j = 0; j <= i; j++) {
            double sum = H[i * n + j];
            for (int k = 0; k < j; k++) sum -= H[i * n + k] * H[j * n + k];
            if (i == j && !(sum > 0)) return false;
            H[i * n + j] = i == j ? sqrt(sum) : sum / H[j * n + j];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) x[i] -= H[i * n + k] * x[k];
        x[i] /= H[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= H[k * n + i] * x[k];
        x[i] /= H[i * n + i];
    }
    return true;
}

static void improve(problem* o) {
    enum { ITERATIONS = 120 };
    lift_plan* p = o->plan;
    int n = p->knots * LIFT_JOINTS, rows = p->knots * ROWS;
    double* r = memory_take((size_t)rows, sizeof *r);
    double* moved = memory_take((size_t)rows, sizeof *moved);
    double* J = memory_take((size_t)rows * (size_t)n, sizeof *J);
    double* H = memory_take((size_t)n * (size_t)n, sizeof *H);
    double* x = memory_take((size_t)n, sizeof *x);
    double damping = 1e-2;
    p->first_cost = p->cost = all_residuals(o, r);
    for (p->iterations = 0; p->iterations < ITERATIONS && damping < 1e8; p->iterations++) {
        linearise(o, r, moved, J);
        double before = p->cost;
        for (; damping < 1e8; damping *= 4) {
            double kept[LIFT_KNOTS_MOST][LIFT_JOINTS];
            memcpy(kept, p->q, sizeof kept);
            if (!solve(n, rows, J, r, damping, H, x)) continue;
            for (int i = 0; i < n; i++)
                p->q[i / LIFT_JOINTS][i % LIFT_JOINTS] += fmax(-0.2, fmin(0.2, x[i]));
            p->cost = all_residuals(o, moved);
            if (p->cost < before) break;
            memcpy(p->q, kept, sizeof kept);
            p->cost = before;
        }
        damping = fmax(1e-8, damping / 8);
        p->cost = all_residuals(o, r);
        if (before - p->cost < 1e-7 * before) break;
    }
    free(r), free(moved), free(J), free(H), free(x);
}

/// Where the bar should be at a time: smoothly from the end of one phase to that of the next.
static void follow_phases(const lift_task* task, double t, double path[2]) {
    const lift_phase *a = &task->phase[0], *b = a;
    for (int i = 0; i < LIFT_PHASES && task->phase[i].at <= t; i++) a = b = &task->phase[i];
    if (a->at <= t && a < task->phase + LIFT_PHASES - 1) b = a + 1;
    double s = b > a ? (t - a->at) / (b->at - a->at) : 0;
    s = s * s * (3 - 2 * s);
    path[0] = a->x + s * (b->x - a->x);
    path[1] = a->z + s * (b->z - a->z);
}

/// The path of the bar, and a first guess straight from the posture of a to that of f.
static void guess(problem* o) {
    static const double FIRM = 0.003, LOOSE = 0.03, SEAT = 0.004; // m
    lift_plan* p = o->plan;
    const lift_task* task = p->task;
    double from = task->phase[0].at, to = task->phase[LIFT_PHASES - 1].at;
    for (int k = 0; k < p->knots; k++) {
        double t = k * p->interval, s = fmax(0, fmin(1, (t - from) / (to - from)));
        for (int j = 0; j < LIFT_JOINTS; j++) p->q[k][j] = (1 - s) * POSTURE_A[j] + s * task->to[j];
        follow_phases(task, t, o->path[k]);
        o->firm[k] = t <= from || t >= to ? FIRM : LOOSE;
        for (int i = 0; i < LIFT_PHASES; i++)
            if (fabs(t - task->phase[i].at) < 0.5 * p->interval) o->firm[k] = FIRM;
        // the pelvis is on the seat at the end of phase f, and near it from that of e on
        bool sits = task->sits && t > task->sit_at;
        o->seat_firm[k] = sits ? 1 / (t >= to ? SEAT : 5 * SEAT) : 0;
    }
}

bool lift_plan_make(const sn_model* model, const lift_task* task, lift_plan* plan) {
    static const double MARGIN = 0.05; // rad from the ends of a joint's range
    problem o = {.plan = plan, .body = lift_body_create(model)};
    if (!o.body) {
        message_error("a lift is planned for a free humanoid with the joints and frames of hrp2");
        return false;
    }
    *plan = (lift_plan){.task = task, .interval = 0.25};
    plan->knots = (int)lround(END / plan->interval) + 1;
    memcpy(plan->limit, lift_body_limits(o.body), sizeof plan->limit);
    for (int j = 0; j < LIFT_JOINTS; j++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s%s", j == LIFT_WAIST ? "" : "l_", lift_joint_names[j]);
        sn_body_info joint = sn_model_body(model, sn_model_find_joint(model, name));
        o.lower[j] = joint.lower[0] + MARGIN, o.upper[j] = joint.upper[0] - MARGIN;
    }
    o.lower[LIFT_KNEE] = 0.3; // bent, so that the trunk can be pushed up
    guess(&o);
    improve(&o);
    lift_body_free(o.body);
    return true;
}

void lift_plan_write(const lift_plan* p, FILE* out) {
    static const char* const SIDES[] = {"l_", "r_"};
    for (int column = -1; column < 2 * LIFT_JOINTS; column++) {
        int j = column % LIFT_JOINTS;
        bool force = column >= LIFT_JOINTS, middle = j == LIFT_WAIST;
        if (column < 0) fputs("time", out);
        for (int side = 0; column >= 0 && side < (middle ? 1 : 2); side++)
            fprintf(out, ",%s%s%s", middle ? "" : SIDES[side], lift_joint_names[j],
                    force ? ":force" : "");
    }
    fputc('\n', out);
    for (int k = 0; k < p->knots; k++) {
        fprintf(out, "%g", k * p->interval);
        for (int column = 0; column < 2 * LIFT_JOINTS; column++) {
            int j = column % LIFT_JOINTS;
            bool force = column >= LIFT_JOINTS;
            for (int side = 0; side < (j == LIFT_WAIST ? 1 : 2); side++)
                fprintf(out, force ? ",%.2f" : ",%.5f", force ? p->load[k].tau[j] : p->q[k][j]);
        }
        fputc('\n', out);
    }
}
