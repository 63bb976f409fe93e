// SPDX-License-Identifier: Apache-2.0
// What sensors add to the truth: noise, and the calibration of force sensors.
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/rng.h"
#include "control/sn_control.h"

// Box and Muller, from numbers that are a function of step and channel alone: nothing to remember.
double sn_sensor_noise(uint64_t seed, uint64_t step, int channel) {
    const uint64_t place[2] = {step, (uint64_t)channel};
    sni_rng rng = {sni_hash(seed, place, sizeof place)};
    double u = sni_rng_uniform(&rng, 0, 1), angle = sni_rng_uniform(&rng, 0, 2 * acos(-1));
    return sqrt(-2 * log(1 - u)) * cos(angle); // 1 - u is never zero
}

/// Gauss and Jordan with the largest pivot of each column; false: there is none.
static bool invert(const double* G, double* inverse) {
    enum { N = 6 };
    double A[N][2 * N];
    double size = 0;
    for (int r = 0; r < N; r++) {
        for (int c = 0; c < N; c++) {
            A[r][c] = G[N * r + c];
            A[r][N + c] = r == c;
            size = fmax(size, fabs(A[r][c]));
        }
    }
    const double singular = 1e-12 * size; // digits of a calibration are fewer
    for (int k = 0; k < N; k++) {
        int best = k;
        for (int r = k + 1; r < N; r++)
            if (fabs(A[r][k]) > fabs(A[best][k])) best = r;
        if (!(fabs(A[best][k]) > singular)) return false;
        double row[2 * N];
        memcpy(row, A[best], sizeof row);
        memcpy(A[best], A[k], sizeof row);
        for (int c = 0; c < 2 * N; c++) A[k][c] = row[c] / row[k];
        for (int r = 0; r < N; r++) {
            double factor = r == k ? 0 : A[r][k];
            for (int c = 0; c < 2 * N; c++) A[r][c] -= factor * A[k][c];
        }
    }
    for (int r = 0; r < N; r++) memcpy(inverse + N * r, A[r] + N, N * sizeof *inverse);
    return true;
}

bool sn_force_sensor_make(const double* G, const double* offset, sn_force_sensor* sensor) {
    for (int k = 0; k < 36; k++)
        if (!isfinite(G[k])) return false;
    for (int k = 0; k < 6; k++) {
        sensor->offset[k] = offset ? offset[k] : 0;
        if (!isfinite(sensor->offset[k])) return false;
    }
    memcpy(sensor->G, G, sizeof sensor->G);
    return invert(G, sensor->inverse);
}

static void apply(const double* A, const double* x, double* y) {
    for (int r = 0; r < 6; r++) {
        y[r] = 0;
        for (int c = 0; c < 6; c++) y[r] += A[6 * r + c] * x[c];
    }
}

void sn_force_sensor_show(const sn_force_sensor* sensor, const double* f, double* shown) {
    apply(sensor->inverse, f, shown);
    for (int k = 0; k < 6; k++) shown[k] -= sensor->offset[k];
}

void sn_force_sensor_feel(const sn_force_sensor* sensor, const double* shown, double* f) {
    double raw[6];
    for (int k = 0; k < 6; k++) raw[k] = shown[k] + sensor->offset[k];
    apply(sensor->G, raw, f);
}
