// SPDX-License-Identifier: Apache-2.0
// Motions through postures. Between two of them everything is on the chart of the first: q = q_i (+) xi(u), so that
// joints that turn about anything are no special case.
#include <math.h>
#include <string.h>

#include "control/sn_control.h"

double sn_smooth_way(sn_smooth smooth, double u, double* rate) {
    switch (smooth) {
    case SN_SMOOTH_MINIMUM_JERK:
        *rate = 30 * u * u * (1 - u) * (1 - u);
        return u * u * u * (10 + u * (-15 + 6 * u));
    case SN_SMOOTH_LINEAR: *rate = 1; return u;
    case SN_SMOOTH_CUBIC:
    case SN_SMOOTH_SPLINE:
    case SN_SMOOTH_COUNT: break;
    }
    *rate = 6 * u * (1 - u);
    return u * u * (3 - 2 * u);
}

/// Velocity at an inner posture: the mean from its neighbours; zero at the ends.
static void knot_speed(const sn_model* model, const sn_motion* m, int i, double* v) {
    size_t nq = (size_t)sn_model_nq(model);
    int nv = sn_model_nv(model);
    memset(v, 0, (size_t)nv * sizeof *v);
    if (i <= 0 || i >= m->count - 1) return;
    sn_model_difference(model, m->q + (size_t)(i - 1) * nq, m->q + (size_t)(i + 1) * nq, v);
    for (int k = 0; k < nv; k++) v[k] /= m->time[i + 1] - m->time[i - 1];
}

/// Hermite's polynomials for the velocities at the ends of a piece of length T.
static void add_spline(const sn_model* model, const sn_motion* m, int i, double u, double T,
                       double* xi, double* v, double* scratch) {
    int nv = sn_model_nv(model);
    double *m0 = scratch, *m1 = scratch + nv;
    knot_speed(model, m, i, m0);
    knot_speed(model, m, i + 1, m1);
    for (int k = 0; k < nv; k++) {
        xi[k] += T * u * (1 - u) * ((1 - u) * m0[k] - u * m1[k]);
        v[k] += (1 - u) * (1 - 3 * u) * m0[k] + u * (3 * u - 2) * m1[k];
    }
}

/// The time within the motion; of one that is repeated the same again and again.
static double time_within(const sn_motion* m, double time) {
    double start = m->time[0], length = m->time[m->count - 1] - start;
    bool again = m->repeat && length > 0 && time > start;
    return again ? start + fmod(time - start, length) : time;
}

/// The last posture that is not after a time, or the first.
static int posture_at(const sn_motion* m, double time) {
    int low = 0, high = m->count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (m->time[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void sn_motion_force(const sn_model* model, const sn_motion* m, double time, double* force) {
    size_t nv = (size_t)sn_model_nv(model);
    time = time_within(m, time);
    int i = posture_at(m, time);
    const double *from = m->force + (size_t)i * nv, *to = i < m->count - 1 ? from + nv : from;
    double length = i < m->count - 1 ? m->time[i + 1] - m->time[i] : 1;
    double u = fmax(0, fmin(1, (time - m->time[i]) / length));
    for (size_t k = 0; k < nv; k++) force[k] = from[k] + u * (to[k] - from[k]);
}

void sn_motion_at(const sn_model* model, const sn_motion* m, double time, double* q, double* v,
                  double* scratch) {
    size_t nq = (size_t)sn_model_nq(model);
    time = time_within(m, time);
    int nv = sn_model_nv(model), last = m->count - 1, i = posture_at(m, time);
    double start = m->time[0];
    memset(v, 0, (size_t)nv * sizeof *v);
    memcpy(q, m->q + (size_t)i * nq, nq * sizeof *q);
    if (i == last || time <= start) return;
    double *xi = scratch + 2 * nv, T = m->time[i + 1] - m->time[i], u = (time - m->time[i]) / T,
           rate;
    double way = sn_smooth_way(m->smooth, u, &rate);
    sn_model_difference(model, q, m->q + (size_t)(i + 1) * nq, xi);
    for (int k = 0; k < nv; k++) {
        v[k] = rate / T * xi[k];
        xi[k] *= way;
    }
    if (m->smooth == SN_SMOOTH_SPLINE) add_spline(model, m, i, u, T, xi, v, scratch);
    sn_model_integrate(model, q, xi, q);
}
