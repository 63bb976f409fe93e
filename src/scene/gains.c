// SPDX-License-Identifier: Apache-2.0
// Which gains the joints of a model can follow.
#include <math.h>
#include <stdlib.h>

#include "dynamics/sn_dynamics.h"
#include "scene/sn_scene.h"

/// Factors of M at q, with the locks of an item; NULL: there is no memory, or M is singular.
static sn_dynamics* factor(const sn_item* item, const double* q, double* qdd) {
    sn_dynamics* dynamics = NULL;
    if (sn_dynamics_create(item->model, NULL, &dynamics, NULL)) return NULL;
    for (int i = 0; item->locked && i < sn_model_body_count(item->model); i++)
        if (item->locked[i])
            (void)sn_dynamics_lock(dynamics, sn_body(i), true); // it is a body of it
    if (!sn_dynamics_forward(dynamics, q, NULL, NULL, qdd)) return dynamics;
    sn_dynamics_free(dynamics);
    return NULL;
}

// Forces of a spring and a damper that are those of the beginning of a step h move a mode of mass m by
//   v+ = v - h (k x + d v) / m,   x+ = x + h v+,
// which grows without bound when 2 h d / m + h^2 k / m > 4. So the largest eigenvalue of M^-1 D counts,
// D = 2 h Kd + h^2 Kp; by iteration, as M^-1 D is symmetric in the product x' D y.
double sni_gain_stiffness(const sn_item* item, const double* q, double h, const double* kp,
                          const double* kd) {
    enum { ITERATIONS = 40 };
    size_t nv = (size_t)sn_model_nv(item->model);
    double* memory = malloc((3 * nv + 1) * sizeof *memory);
    if (!memory) return NAN;
    double *x = memory, *force = x + nv, *D = force + nv, largest = 0;
    sn_dynamics* dynamics = factor(item, q, x);
    for (size_t k = 0; k < nv; k++) {
        D[k] = 2 * h * kd[k] + h * h * kp[k];
        x[k] = k % 2 ? -1
                     : 1 + 0.1 * (double)(k % 7); // neighbours against each other, no mode left out
    }
    for (int i = 0; i < ITERATIONS && dynamics; i++) {
        double before = 0, after = 0;
        for (size_t k = 0; k < nv; k++) before += x[k] * D[k] * x[k];
        if (!(before > 0)) break;
        double scale = 1 / sqrt(before);
        for (size_t k = 0; k < nv; k++) force[k] = D[k] * x[k] * scale;
        if (sn_dynamics_impulse(dynamics, force, NULL, 0, x)) break;
        for (size_t k = 0; k < nv; k++) after += x[k] * force[k];
        largest = fmax(largest, after);
    }
    sn_dynamics_free(dynamics);
    free(memory);
    return largest;
}
