// SPDX-License-Identifier: Apache-2.0
// A coupling law in the hands of another thread: evaluated, copied, made conservative. Plain functions of
// plain records.
#include <string.h>

#include "math/small.h"
#include "sinew/coupling.h"

void sn_coupling_copy(const sn_coupling_law* law, sn_coupling_law* out) {
    if (out == law) return;
    size_t count = (size_t)law->count, n = 6 * count;
    out->count = law->count;
    out->nodes = law->nodes;
    out->step = law->step;
    out->time = law->time;
    memcpy(out->hand, law->hand, count * sizeof *law->hand);
    memcpy(out->a0, law->a0, n * sizeof *law->a0);
    memcpy(out->f0, law->f0, n * sizeof *law->f0);
    memcpy(out->weight, law->weight, n * sizeof *law->weight);
    memcpy(out->Lambda, law->Lambda, n * n * sizeof *law->Lambda);
    memcpy(out->K, law->K, n * n * sizeof *law->K);
}

/// y = A x + b; a number that is not finite anywhere makes the result so.
static inline double affine(int n, const double* A, const double* x, const double* b, double* y) {
    double not_finite = 0;
    for (int r = 0; r < n; r++) {
        double even = b[r], odd = 0; // two chains of additions
        for (int c = 0; c < n; c += 2) {
            even += A[r * n + c] * x[c];
            odd += A[r * n + c + 1] * x[c + 1];
        }
        y[r] = even + odd;
        not_finite += 0 * y[r];
    }
    return not_finite;
}

sn_status sn_coupling_tick(const sn_coupling_law* law, const sn_wrench* f_u, sn_wrench* f_feed) {
    double x[SN_GRAB_ROWS], y[SN_GRAB_ROWS], not_finite;
    if (law->count == 1) { // the usual case, with loops of known length
        memcpy(x, f_u, sizeof *f_u);
        not_finite = affine(6, law->K, x, law->f0, y);
        memcpy(f_feed, y, sizeof *f_feed);
    } else {
        size_t size = (size_t)law->count * sizeof *f_u;
        memcpy(x, f_u, size);
        not_finite = affine(6 * law->count, law->K, x, law->f0, y);
        memcpy(f_feed, y, size);
    }
    if (not_finite == 0) return SN_OK;
    for (int i = 0; i < law->count; i++) f_feed[i] = sn_wrench_zero();
    return SN_ERR_NUMERIC;
}

// A spring at point r sees the displacement B' e and makes the wrench B f, B = [1 [r]x; 0 1].
static void stiffness_at(sn_vec3 r, double turn, double move, double K[6][6]) {
    sn_mat3 X = sn_mat3_skew(r);
    sn_mat3 XX = sn_mat3_mul(X, sn_mat3_transpose(X));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double one = i == j;
            K[i][j] = one * turn + move * XX.m[i][j];
            K[i][3 + j] = move * X.m[i][j];
            K[3 + i][j] = move * X.m[j][i];
            K[3 + i][3 + j] = one * move;
        }
    }
}

sn_grip sn_grip_at(sn_vec3 point, double turn_stiffness, double move_stiffness, double turn_damping,
                   double move_damping) {
    sn_grip grip;
    stiffness_at(point, turn_stiffness, move_stiffness, grip.stiffness);
    stiffness_at(point, turn_damping, move_damping, grip.damping);
    return grip;
}

// The hands' displacement e gives f_u = Kc e, so they feel A e with A = K Kc. Its curl is A - A'; the
// symmetric part has none:   K_s Kc = (A + A')/2.   The symmetric part of K itself would add metres to
// 1/metres: only A has one unit a pair of rows.
sn_status sn_coupling_symmetric(const sn_coupling_law* law, const sn_grip* grips,
                                sn_coupling_law* out) {
    if (!law || !grips || !out) return SN_ERR_ARGUMENT;
    double L[SN_GRAB_MAX][6][6];
    for (int i = 0; i < law->count; i++) {
        memcpy(L[i], grips[i].stiffness, sizeof L[i]);
        if (!sni_cholesky(L[i], 6)) return SN_ERR_ARGUMENT;
    }
    sn_coupling_copy(law, out);
    int n = 6 * out->count;
    for (int at = 0; at < n * n; at += 6) { // six numbers of a row are times one hand's Kc
        const sn_grip* grip = &grips[at % n / 6];
        double row[6] = {0};
        for (int k = 0; k < 6; k++)
            for (int c = 0; c < 6; c++) row[c] += out->K[at + k] * grip->stiffness[k][c];
        memcpy(out->K + at, row, sizeof row);
    }
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < r; c++) {
            double* a = &out->K[r * n + c];
            double* b = &out->K[c * n + r];
            *a = *b = 0.5 * (*a + *b);
        }
    }
    for (int at = 0; at < n * n; at += 6)
        sni_cholesky_solve((const double(*)[SN_SMALL_MAX])L[at % n / 6], 6, out->K + at);
    return SN_OK;
}
