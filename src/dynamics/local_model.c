// SPDX-License-Identifier: Apache-2.0
// The motion of grabbed bodies between two simulation steps, at haptic rate.
//
// Law of the step, frozen:        a = Lambda f_u + a0 + [0; g]
// Grip, implicit in the new v:    f_u = Kc (e - h v+) + Dc (v_h - v+),   v+ = v + h a
// With v* = v + h (a0 + [0; g]), Z = h Dc + h^2 Kc and c = Kc (e - h v*) + Dc (v_h - v*):
//   (1 + Z Lambda) f_u = c ,      v+ = v* + h Lambda f_u
// Z = L L' and c is in its range, c = L y. So with S = 1 + L' Lambda L
//   f_u = L S^-1 y ,              y = L^+ Kc (e - h v*) + L^+ Dc (v_h - v*)
// and however stiff the grip, no two large numbers are subtracted. S is symmetric with eigenvalues of at
// least one whatever Lambda (it may be singular) and has no unit, so its Cholesky factor is as good for
// molecules as for robots. Z, L, L^+ Kc and L^+ Dc are 6x6 blocks, one a hand. The Lambda of a law with sliding contact
// is not symmetric: S is then inverted whole. For a hand that is alone, as in the haptic loop, the products
// L S^-1 L^+ Kc, L S^-1 L^+ Dc and h Lambda are made with the law: a tick is three of 36 multiply-adds.
#include <float.h>
#include <string.h>

#include "dynamics/sn_dynamics.h"
#include "math/small_angle.h"
#include "sinew/coupling.h"

/// Of a symmetric matrix scaled to ones on its diagonal, what is zero but for rounding.
static const double NOTHING = 64 * DBL_EPSILON;

static bool all_finite(const double* x, size_t count) {
    double sum = 0; // stays zero unless one is not finite
    for (size_t i = 0; i < count; i++) sum += 0 * x[i];
    return sum == 0;
}

// ---- a new law ----------------------------------------------------------------------------------------

static bool is_symmetric(const double A[6][6]) {
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < i; j++) {
            double size = sqrt(fabs(A[i][i])) * sqrt(fabs(A[j][j]));
            if (!(fabs(A[i][j] - A[j][i]) <= NOTHING * size)) return false;
        }
    }
    return true;
}

/// L L' = A, largest pivots first, so that rounding does not grow where A is zero (springs at a point alone
/// leave three directions free). Columns from `rank` on are zero; row[j] is where column j has its pivot:
/// in the rows row[0], row[1], ... L is triangular.
typedef struct grip_factor {
    double L[6][6];
    int row[6], rank;
} grip_factor;

/// Takes column j, with the pivot in row p, out of the rest R.
static void take_column(double R[6][6], int p, int j, grip_factor* to) {
    double root = sqrt(R[p][p]);
    for (int i = 0; i < 6; i++) to->L[i][j] = R[i][p] / root;
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) R[i][k] -= to->L[i][j] * to->L[k][j];
    for (int i = 0; i < 6; i++) R[i][p] = R[p][i] = 0; // to the bit
    to->row[j] = p;
    to->rank = j + 1;
}

/// Of a symmetric matrix, which may be singular; false when it is negative somewhere.
static bool factor_semidefinite(const double A[6][6], grip_factor* to) {
    double R[6][6], scale[6];
    for (int i = 0; i < 6; i++) {
        if (!(A[i][i] >= 0) || !isfinite(A[i][i])) return false;
        scale[i] = A[i][i] > 0 ? sqrt(A[i][i]) : 1;
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) R[i][j] = A[i][j] / (scale[i] * scale[j]);
    memset(to, 0, sizeof *to);
    for (int j = 0; j < 6; j++) {
        int p = 0;
        for (int i = 1; i < 6; i++)
            if (R[i][i] > R[p][p]) p = i;
        if (!(R[p][p] > NOTHING)) break;
        take_column(R, p, j, to);
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            if (!(fabs(R[i][j]) <= NOTHING)) return false;
            to->L[i][j] *= scale[i];
        }
    }
    return true;
}

/// X with L X = A for A in the range of L: forward substitution in the rows of the pivots.
static void divide(const grip_factor* by, const double A[6][6], double X[6][6]) {
    memset(X, 0, 36 * sizeof(double));
    for (int j = 0; j < by->rank; j++) {
        int p = by->row[j];
        for (int c = 0; c < 6; c++) {
            double sum = A[p][c];
            for (int k = 0; k < j; k++) sum -= by->L[p][k] * X[k][c];
            X[j][c] = sum / by->L[p][j];
        }
    }
}

/// L, L^+ Kc and L^+ Dc of a grip; false when stiffness or damping is not symmetric or is negative.
static bool factor_grip(const sn_grip* grip, double h, sn_local_grip* to) {
    double Z[6][6];
    grip_factor f;
    if (!is_symmetric(grip->stiffness) || !is_symmetric(grip->damping)) return false;
    if (!factor_semidefinite(grip->stiffness, &f) || !factor_semidefinite(grip->damping, &f))
        return false;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            Z[i][j] = h * grip->damping[i][j] + h * h * grip->stiffness[i][j];
    if (!factor_semidefinite((const double(*)[6])Z, &f)) return false;
    memcpy(to->factor, f.L, sizeof f.L);
    divide(&f, grip->stiffness, to->spring);
    divide(&f, grip->damping, to->damper);
    return true;
}

/// S = 1 + L' Lambda L.
static void make_system(sn_local_model* m) {
    int n = 6 * m->law.count;
    double* S = m->solve;
    for (int r = 0; r < n; r++) { // Lambda L
        for (int c = 0; c < n; c++) {
            const sn_local_hand* hand = &m->hand[c / 6];
            double sum = 0;
            for (int k = 0; k < 6; k++)
                sum += m->law.Lambda[r * n + c - c % 6 + k] * hand->grip.factor[k][c % 6];
            S[r * n + c] = sum;
        }
    }
    for (int top = 0; top < n; top += 6) { // L' of that, six rows at a time
        const sn_local_hand* hand = &m->hand[top / 6];
        for (int c = 0; c < n; c++) {
            double column[6] = {0};
            for (int r = 0; r < 6; r++)
                for (int k = 0; k < 6; k++)
                    column[r] += hand->grip.factor[k][r] * S[(top + k) * n + c];
            for (int r = 0; r < 6; r++) S[(top + r) * n + c] = column[r] + (top + r == c);
        }
    }
}

static bool law_is_symmetric(const sn_coupling_law* law) {
    int n = 6 * law->count;
    for (int r = 0; r < n; r++)
        for (int c = 0; c < r; c++)
            if (law->Lambda[r * n + c] != law->Lambda[c * n + r]) return false;
    return true;
}

/// Its lower Cholesky factor, with the inverse of each diagonal entry in its place.
static void factor_symmetric(int n, double* S) {
    for (int j = 0; j < n; j++) {
        double* row = S + j * n;
        for (int k = 0; k < j; k++) row[j] -= row[k] * row[k];
        row[j] = 1 / sqrt(row[j]); // pivots are at least 1 but for rounding
        for (int i = j + 1; i < n; i++) {
            double sum = S[i * n + j];
            for (int k = 0; k < j; k++) sum -= S[i * n + k] * row[k];
            S[i * n + j] = sum * row[j];
        }
    }
}

/// S^-1 in place of S, by Gauss and Jordan with the largest pivot of each column; false when it is singular.
static bool invert(int n, double* S) {
    int from[SN_GRAB_ROWS];
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(S[i * n + k]) > fabs(S[p * n + k])) p = i;
        from[k] = p;
        double pivot = S[p * n + k];
        if (!(fabs(pivot) > NOTHING)) return false;
        for (int c = 0; c < n; c++) {
            double x = S[p * n + c];
            S[p * n + c] = S[k * n + c];
            S[k * n + c] = x / pivot;
        }
        S[k * n + k] = 1 / pivot;
        for (int i = 0; i < n; i++) {
            double times = S[i * n + k];
            if (i == k || times == 0) continue;
            S[i * n + k] = 0;
            for (int c = 0; c < n; c++) S[i * n + c] -= times * S[k * n + c];
        }
    }
    for (int k = n - 1; k >= 0; k--) { // rows were exchanged: so are columns of the inverse
        for (int i = 0; i < n && from[k] != k; i++) {
            double x = S[i * n + k];
            S[i * n + k] = S[i * n + from[k]];
            S[i * n + from[k]] = x;
        }
    }
    return true;
}

static inline void multiply(int n, const double* A, const double* x, double* y) {
    for (int r = 0; r < n; r++) {
        double sum = 0;
        for (int c = 0; c < n; c++) sum += A[r * n + c] * x[c];
        y[r] = sum;
    }
}

static void add_product(const double A[6][6], const double x[6], double y[6]) {
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++) y[r] += A[r][c] * x[c];
}

/// y = S^-1 y by the Cholesky factor.
static void solve_symmetric(int n, const double* S, double* y) {
    for (int r = 0; r < n; r++) {
        for (int k = 0; k < r; k++) y[r] -= S[r * n + k] * y[k];
        y[r] *= S[r * n + r];
    }
    for (int r = n - 1; r >= 0; r--) { // columns of the transpose are rows
        y[r] *= S[r * n + r];
        for (int k = 0; k < r; k++) y[k] -= S[r * n + k] * y[r];
    }
}

/// f = L S^-1 y; y is used up.
static void solve(const sn_local_model* m, double* y, double* f) {
    int n = 6 * m->law.count;
    if (m->general) {
        double x[SN_GRAB_ROWS];
        memcpy(x, y, (size_t)n * sizeof *x);
        multiply(n, m->solve, x, y);
    } else {
        solve_symmetric(n, m->solve, y);
    }
    for (int i = 0; i < m->law.count; i++) {
        for (int k = 0; k < 6; k++) f[6 * i + k] = 0;
        add_product(m->hand[i].grip.factor, y + 6 * i, f + 6 * i);
    }
}

/// The matrices of a hand that is alone, column by column.
static void multiply_out(sn_local_model* m) {
    const sn_local_grip* grip = &m->hand[0].grip;
    for (int c = 0; c < 6; c++) {
        double spring[6], damper[6];
        for (int r = 0; r < 6; r++) {
            spring[r] = grip->spring[r][c];
            damper[r] = grip->damper[r][c];
            m->alone.move[c][r] = m->period * m->law.Lambda[r * 6 + c];
        }
        solve(m, spring, m->alone.spring[c]);
        solve(m, damper, m->alone.damper[c]);
    }
}

/// Where law and grip together determine no motion, no hand pulls.
static void factor_law(sn_local_model* m) {
    int n = 6 * m->law.count;
    make_system(m);
    m->general = !law_is_symmetric(&m->law);
    if (!m->general)
        factor_symmetric(n, m->solve);
    else if (!invert(n, m->solve))
        memset(m->solve, 0, (size_t)(n * n) * sizeof *m->solve);
    if (m->law.count == 1) multiply_out(m);
}

/// The body stays where it is; what the law says otherwise is to be added little by little.
static void keep(sn_local_hand* hand, const sn_grabbed* body) {
    sn_quat r = sn_quat_from_matrix(body->pose.R);
    hand->turn = sn_quat_log(sn_quat_mul(sn_quat_conj(hand->r), r));
    hand->move = sn_vec3_sub(body->pose.p, hand->p);
    hand->push = sn_twist_sub(body->velocity, hand->velocity);
}

static void start(sn_local_hand* hand, const sn_grabbed* body) {
    memset(hand, 0, sizeof *hand);
    hand->p = body->pose.p;
    hand->r = sn_quat_from_matrix(body->pose.R);
    hand->R = sn_quat_matrix(hand->r);
    hand->velocity = body->velocity;
}

static bool law_is_finite(const sn_coupling_law* law) {
    size_t n = 6 * (size_t)law->count;
    for (int i = 0; i < law->count; i++) {
        const sn_grabbed* g = &law->hand[i];
        if (!all_finite(&g->pose.R.m[0][0], 9) || !all_finite(&g->pose.p.x, 3)) return false;
        if (!all_finite(&g->velocity.w.x, 6) || !all_finite(&g->gravity.x, 3)) return false;
    }
    return all_finite(law->Lambda, n * n) && all_finite(law->a0, n);
}

sn_status sn_local_model_prepare(sn_local_model* m, const sn_coupling_law* law,
                                 const sn_grip* grips, double period, double blend_time) {
    if (!m || !law || !grips || law->count < 1 || law->count > SN_GRAB_MAX) return SN_ERR_ARGUMENT;
    if (!(period > 0) || !isfinite(period) || !(blend_time >= 0)) return SN_ERR_ARGUMENT;
    if (!law_is_finite(law)) return SN_ERR_NUMERIC;
    sn_local_grip made[SN_GRAB_MAX];
    for (int i = 0; i < law->count; i++)
        if (!factor_grip(&grips[i], period, &made[i])) return SN_ERR_ARGUMENT;
    for (int i = 0; i < law->count; i++) {
        sn_local_hand* hand = &m->hand[i];
        const sn_grabbed* body = &law->hand[i];
        if (i < m->law.count && m->law.hand[i].body.i == body->body.i)
            keep(hand, body);
        else
            start(hand, body);
        hand->grip = made[i];
        memcpy(m->acceleration + 6 * i, law->a0 + 6 * i, 6 * sizeof(double));
        m->acceleration[6 * i + 3] += body->gravity.x;
        m->acceleration[6 * i + 4] += body->gravity.y;
        m->acceleration[6 * i + 5] += body->gravity.z;
    }
    sn_coupling_copy(law, &m->law);
    m->period = period;
    m->blend = period / (blend_time + period);
    factor_law(m);
    return SN_OK;
}

void sn_local_model_take(sn_local_model* m, const sn_local_model* prepared, bool moved) {
    int count = prepared->law.count;
    size_t n = 6 * (size_t)count;
    for (int i = 0; i < count; i++) {
        sn_local_hand* hand = &m->hand[i];
        const sn_grabbed* body = &prepared->law.hand[i];
        bool same = i < m->law.count && m->law.hand[i].body.i == body->body.i;
        if (!same)
            start(hand, body);
        else if (moved)
            keep(hand, body);
        hand->grip = prepared->hand[i].grip;
    }
    sn_coupling_copy(&prepared->law, &m->law);
    memcpy(m->acceleration, prepared->acceleration, n * sizeof(double));
    memcpy(m->solve, prepared->solve, n * n * sizeof(double));
    m->general = prepared->general;
    m->alone = prepared->alone;
    m->period = prepared->period;
    m->blend = prepared->blend;
}

// ---- a tick -------------------------------------------------------------------------------------------

/// Rotation vector of A^T B. A small one is in the skew part, whose size is the sine of its angle.
static sn_vec3 rotation_between(const sn_mat3* A, const sn_mat3* B) {
    sn_vec3 a[3], b[3];
    for (int i = 0; i < 3; i++) a[i] = sn_mat3_column(*A, i), b[i] = sn_mat3_column(*B, i);
    sn_vec3 s = sn_vec3_make(0.5 * (sn_vec3_dot(a[2], b[1]) - sn_vec3_dot(a[1], b[2])),
                             0.5 * (sn_vec3_dot(a[0], b[2]) - sn_vec3_dot(a[2], b[0])),
                             0.5 * (sn_vec3_dot(a[1], b[0]) - sn_vec3_dot(a[0], b[1])));
    double s2 = sn_vec3_dot(s, s);
    double trace = sn_vec3_dot(a[0], b[0]) + sn_vec3_dot(a[1], b[1]) + sn_vec3_dot(a[2], b[2]);
    if (s2 < 0.01 && trace > 1) return sn_vec3_scale(sni_arc_sine_ratio(s2), s);
    return sn_quat_log(sn_quat_from_matrix(sn_mat3_mul(sn_mat3_transpose(*A), *B)));
}

/// How far and how fast the hand is ahead of its body, at the end of a tick without forces.
typedef struct lead {
    double stretch[6], slip[6];
} lead;

static lead lead_of(const sn_local_hand* hand, const sn_hand* device, double h, const double v[6]) {
    const sn_mat3* R = &hand->R;
    sn_vec3 way = sn_vec3_sub(device->pose.p, hand->p);
    sn_twist e =
        sn_twist_make(rotation_between(R, &device->pose.R), sn_mat3_apply_transposed(*R, way));
    sn_twist v_h = sn_twist_make(sn_mat3_apply_transposed(*R, device->velocity.w),
                                 sn_mat3_apply_transposed(*R, device->velocity.v));
    lead to;
    memcpy(to.stretch, &e, sizeof to.stretch);
    memcpy(to.slip, &v_h, sizeof to.slip);
    for (int k = 0; k < 6; k++) {
        to.stretch[k] -= h * v[k];
        to.slip[k] -= v[k];
    }
    return to;
}

/// Pose (+) h v, and a share of what the simulation said.
static void move_on(sn_local_hand* hand, double h, double share) {
    sn_twist step = sn_twist_scale(h, hand->velocity);
    sn_vec3 way = sn_mat3_apply(hand->R, sni_twist_way(step));
    sn_quat turn = sn_quat_mul(sn_quat_exp(step.w), sn_quat_exp(sn_vec3_scale(share, hand->turn)));
    hand->p = sn_vec3_add(hand->p, sn_vec3_add(way, sn_vec3_scale(share, hand->move)));
    hand->r = sni_unit_again(sn_quat_mul(hand->r, turn));
    hand->R = sn_quat_matrix(hand->r);
    hand->velocity = sn_twist_add(hand->velocity, sn_twist_scale(share, hand->push));
    hand->move = sn_vec3_scale(1 - share, hand->move);
    hand->turn = sn_vec3_scale(1 - share, hand->turn);
    hand->push = sn_twist_scale(1 - share, hand->push);
}

/// No hand pulls.
static sn_status let_go(sn_local_model* m, sn_wrench* f_u) {
    for (int i = 0; i < m->law.count; i++) f_u[i] = m->hand[i].wrench = sn_wrench_zero();
    m->elapsed += m->period;
    return SN_ERR_NUMERIC;
}

/// y = A x, by the columns of A.
static inline void add_columns(const double A[6][6], const double x[6], double y[6]) {
    for (int c = 0; c < 6; c++)
        for (int r = 0; r < 6; r++) y[r] += A[c][r] * x[c];
}

/// f_u and the new v of one hand; v: that of a tick without forces.
static void answer_alone(const sn_local_model* m, const sn_hand* device, double v[6], double f[6]) {
    lead ahead = lead_of(&m->hand[0], device, m->period, v);
    for (int k = 0; k < 6; k++) f[k] = 0;
    add_columns(m->alone.spring, ahead.stretch, f);
    add_columns(m->alone.damper, ahead.slip, f);
    add_columns(m->alone.move, f, v);
}

/// The same of several.
static void answer(const sn_local_model* m, const sn_hand* devices, double* v, double* f) {
    int n = 6 * m->law.count;
    double y[SN_GRAB_ROWS] = {0};
    for (int i = 0; i < m->law.count; i++) {
        const sn_local_hand* hand = &m->hand[i];
        lead ahead = lead_of(hand, &devices[i], m->period, v + 6 * i);
        add_product(hand->grip.spring, ahead.stretch, y + 6 * i);
        add_product(hand->grip.damper, ahead.slip, y + 6 * i);
    }
    solve(m, y, f);
    multiply(n, m->law.Lambda, f, y);
    for (int k = 0; k < n; k++) v[k] += m->period * y[k];
}

sn_status sn_local_model_tick(sn_local_model* m, const sn_hand* hands, sn_wrench* f_u) {
    int count = m->law.count, n = 6 * count;
    double h = m->period;
    double v[SN_GRAB_ROWS], f[SN_GRAB_ROWS];
    for (int i = 0; i < count; i++) {
        memcpy(v + 6 * i, &m->hand[i].velocity, 6 * sizeof(double));
        for (int k = 6 * i; k < 6 * i + 6; k++) v[k] += h * m->acceleration[k];
    }
    if (count == 1)
        answer_alone(m, hands, v, f);
    else
        answer(m, hands, v, f);
    if (!all_finite(f, (size_t)n) || !all_finite(v, (size_t)n)) return let_go(m, f_u);
    for (int i = 0; i < count; i++) {
        sn_local_hand* hand = &m->hand[i];
        memcpy(&hand->velocity, v + 6 * i, 6 * sizeof(double));
        memcpy(&hand->wrench, f + 6 * i, 6 * sizeof(double));
        hand->impulse = sn_wrench_add(hand->impulse, sn_wrench_scale(h, hand->wrench));
        f_u[i] = hand->wrench;
        move_on(hand, h, m->blend);
    }
    m->elapsed += h;
    return SN_OK;
}

void sn_local_model_average(sn_local_model* m, sn_wrench* f_u) {
    for (int i = 0; i < m->law.count; i++) {
        sn_local_hand* hand = &m->hand[i];
        f_u[i] = m->elapsed > 0 ? sn_wrench_scale(1 / m->elapsed, hand->impulse) : hand->wrench;
        hand->impulse = sn_wrench_zero();
    }
    m->elapsed = 0;
}

sn_pose sn_local_model_pose(const sn_local_model* m, int i) {
    return sn_pose_make(m->hand[i].R, m->hand[i].p);
}
