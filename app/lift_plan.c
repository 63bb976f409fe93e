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
// above its head.
const lift_phase lift_phases[LIFT_PHASES] = {
    {'a', "down at the bar, hands around it", 1.0, 0.32, 0.45},
    {'b', "off the stands", 2.0, 0.32, 0.60},
    {'c', "upright, bar before the belly", 4.0, 0.30, 0.80},
    {'d', "bar before the chest", 5.5, 0.28, 1.10},
    {'e', "past the head", 7.5, 0.22, 1.50},
    {'f', "over the head, at rest", 9.0, 0.08, 1.62},
};
static const double END = 10; // s

static const double POSTURE_A[LIFT_JOINTS] = {-1.3, 1.6, -0.7, 0.3, -0.5, -0.6};
static const double POSTURE_F[LIFT_JOINTS] = {-0.35, 0.7, -0.35, 0.0, -2.9, -0.3};

enum {
    SMOOTH = LIFT_JOINTS,
    RANGES = LIFT_JOINTS,
    ROWS = LIFT_JOINTS + LIFT_JOINTS + SMOOTH + RANGES + 4, ///< of a knot
    COLOURS = 3 ///< knots so far apart do not share rows
};

typedef struct problem {
    lift_plan* plan;
    lift_body* body;
    double lower[LIFT_JOINTS], upper[LIFT_JOINTS];
    double path[LIFT_KNOTS_MOST][2]; ///< m, x and z that the bar should have
    double firm[LIFT_KNOTS_MOST];    ///< m that it may be off: little where a phase ends
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
    static const double ENOUGH = 0.75,
                        FOOT = 0.05; // of a torque limit; m of a sole from its middle
    lift_plan* p = o->plan;
    double rate[LIFT_JOINTS], acceleration[LIFT_JOINTS], h = p->interval;
    const double *a = knot(p, k - 1), *x = knot(p, k), *b = knot(p, k + 1);
    for (int j = 0; j < LIFT_JOINTS; j++) {
        rate[j] = (b[j] - a[j]) / (2 * h);
        acceleration[j] = (b[j] - 2 * x[j] + a[j]) / (h * h);
    }
    // the stands carry the bar until phase a ends
    double mass = k * h < lift_phases[0].at + 0.5 * h ? 0 : p->mass;
    lift_body_torques(o->body, mass, x, rate, acceleration, p->tau[k], &p->cop[k], p->bar[k]);
    for (int j = 0; j < LIFT_JOINTS; j++) {
        double load = p->tau[k][j] / p->limit[j];
        *r++ = load;
        *r++ = 10 * beyond(fabs(load), ENOUGH, 1);
        *r++ = 0.2 * acceleration[j];
        *r++ = beyond(x[j], o->upper[j], 0.02) + beyond(-x[j], -o->lower[j], 0.02);
    }
    *r++ = p->cop[k] / FOOT + copysign(5 * beyond(fabs(p->cop[k]), FOOT, 0.02), p->cop[k]);
    bool low = p->bar[k][1] < 1.45 && p->bar[k][1] > 0.3; // the trunk and the head are behind it
    *r++ = low ? beyond(-p->bar[k][0], -0.2, 0.02) : 0;
    for (int i = 0; i < 2; i++) *r++ = (p->bar[k][i] - o->path[k][i]) / o->firm[k];
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
static void follow_phases(double t, double path[2]) {
    const lift_phase *a = &lift_phases[0], *b = a;
    for (int i = 0; i < LIFT_PHASES && lift_phases[i].at <= t; i++) a = b = &lift_phases[i];
    if (a->at <= t && a < lift_phases + LIFT_PHASES - 1) b = a + 1;
    double s = b > a ? (t - a->at) / (b->at - a->at) : 0;
    s = s * s * (3 - 2 * s);
    path[0] = a->x + s * (b->x - a->x);
    path[1] = a->z + s * (b->z - a->z);
}

/// The path of the bar, and a first guess straight from the posture of a to that of f.
static void guess(problem* o) {
    static const double FIRM = 0.003, LOOSE = 0.03; // m
    lift_plan* p = o->plan;
    double from = lift_phases[0].at, to = lift_phases[LIFT_PHASES - 1].at;
    for (int k = 0; k < p->knots; k++) {
        double t = k * p->interval, s = fmax(0, fmin(1, (t - from) / (to - from)));
        for (int j = 0; j < LIFT_JOINTS; j++)
            p->q[k][j] = (1 - s) * POSTURE_A[j] + s * POSTURE_F[j];
        follow_phases(t, o->path[k]);
        o->firm[k] = t <= from || t >= to ? FIRM : LOOSE;
        for (int i = 0; i < LIFT_PHASES; i++)
            if (fabs(t - lift_phases[i].at) < 0.5 * p->interval) o->firm[k] = FIRM;
    }
}

bool lift_plan_make(const sn_model* model, double mass, lift_plan* plan) {
    static const double MARGIN = 0.05; // rad from the ends of a joint's range
    problem o = {.plan = plan, .body = lift_body_create(model)};
    if (!o.body) {
        message_error("a lift is planned for a free humanoid with the joints and frames of hrp2");
        return false;
    }
    *plan = (lift_plan){.mass = mass, .interval = 0.25};
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

// Cubic Hermite between knots; slopes by central differences, zero at both ends.
void lift_plan_at(const lift_plan* p, double time, double* angles, double* rates) {
    double u = fmax(0, fmin(p->knots - 1 - 1e-9, time / p->interval));
    int k = (int)u;
    double s = u - k, h = p->interval;
    for (int j = 0; j < LIFT_JOINTS; j++) {
        double a = knot(p, k)[j], b = knot(p, k + 1)[j];
        double da = 0.5 * (b - knot(p, k - 1)[j]), db = 0.5 * (knot(p, k + 2)[j] - a);
        if (k == 0) da = 0;
        if (k + 1 == p->knots - 1) db = 0;
        double c = 3 * (b - a) - 2 * da - db, d = 2 * (a - b) + da + db;
        angles[j] = a + s * (da + s * (c + s * d));
        rates[j] = (da + s * (2 * c + s * 3 * d)) / h;
    }
}
