// SPDX-License-Identifier: Apache-2.0
// Closed loops in joint space: the equations of closing, their derivatives by differences, and the
// nearest accelerations (in the metric of the inertia) that satisfy them, by Gauss's principle.
#include <stdlib.h>
#include <string.h>

#include "oracle/vectors.h"

enum { ROWS_MOST = 7 }; // of one loop

static real* reals(int n) { return calloc((size_t)(n > 0 ? n : 1), sizeof(real)); }

// ---- equations --------------------------------------------------------------------------------------

/// A loop frame in the world.
typedef struct loop_frame {
    real R[9], p[3];
    real axis[3], axis2[3];
} loop_frame;

static loop_frame frame_of(const oracle* o, const oracle_loop* l, int end) {
    loop_frame f;
    memcpy(f.R, l->R[end], sizeof f.R);
    r3_copy(f.p, l->p[end]);
    if (l->body[end] >= 0) {
        const oracle_body* b = &o->body[l->body[end]];
        r33_mul(f.R, b->R, f.R);
        r3_apply(f.p, b->R, f.p);
        r3_add(f.p, b->p);
    }
    r3_apply(f.axis, f.R, l->axis);
    r3_apply(f.axis2, f.R, l->axis2);
    return f;
}

/// Origin of b seen from a; across: less its part along the axis.
static int write_place(const oracle_loop* l, const loop_frame* a, const loop_frame* b, bool across,
                       real* out) {
    real d[3];
    r3_sub(d, b->p, a->p);
    r3_apply_transposed(out, a->R, d);
    if (across) r3_add_scaled(out, -r3_dot(out, l->axis), l->axis);
    return 3;
}

/// How far b is along the axis of a.
static real distance_along(const loop_frame* a, const loop_frame* b) {
    real d[3];
    r3_sub(d, b->p, a->p);
    return r3_dot(d, a->axis);
}

static real distance_between(const loop_frame* a, const loop_frame* b) {
    real d[3];
    r3_sub(d, b->p, a->p);
    return sqrtl(r3_dot(d, d));
}

/// The axes are parallel when their product is zero; in the axes of b.
static int write_parallel(const loop_frame* a, const loop_frame* b, real* out) {
    real product[3];
    r3_cross(product, a->axis, b->axis);
    r3_apply_transposed(out, b->R, product);
    return 3;
}

/// 2 sin(angle / 2) times the axis of the turn from a to b, in the axes of a (and of b).
static int write_turn(const loop_frame* a, const loop_frame* b, real* out) {
    real R[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            R[3 * i + j] = 0;
            for (int k = 0; k < 3; k++) R[3 * i + j] += a->R[3 * k + i] * b->R[3 * k + j];
        }
    real half = sqrtl(1 + R[0] + R[4] + R[8]) / 2; // cos(angle / 2)
    r3_set(out, (R[7] - R[5]) / 2 / half, (R[2] - R[6]) / 2 / half, (R[3] - R[1]) / 2 / half);
    return 3;
}

/// Angle by which b is turned about the common axis once the shortest turn has made their axes agree.
static real angle_about(const oracle_loop* l, const loop_frame* a, const loop_frame* b) {
    real across[3] = {0, 0, 0}, n_a[3], n_b[3], m_a[3], c[3], t[3];
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (fabsl(l->axis[k]) < fabsl(l->axis[least])) least = k;
    across[least] = 1;
    r3_add_scaled(across, -r3_dot(across, l->axis), l->axis); // any direction across the axis
    r3_apply(n_a, a->R, across);
    r3_apply(n_b, b->R, across);
    r3_cross(m_a, a->axis, n_a);
    r3_cross(c, b->axis, a->axis);
    r3_cross(t, c, n_b);
    r3_add(n_b, t);
    r3_cross(t, c, t);
    r3_add_scaled(n_b, 1 / (1 + r3_dot(a->axis, b->axis)), t);
    return atan2l(r3_dot(m_a, n_b), r3_dot(n_a, n_b));
}

/// Equations of one loop; angle[i] tells which are angles. Returns how many.
static int write_loop(const oracle* o, const oracle_loop* l, real* out, bool* angle) {
    loop_frame a = frame_of(o, l, 0), b = frame_of(o, l, 1);
    int angles = 0, n = 0;
    switch (l->type) {
    case SN_JOINT_FIXED:
    case SN_JOINT_PRISMATIC: angles = write_turn(&a, &b, out); break;
    case SN_JOINT_UNIVERSAL:
        out[0] = -r3_dot(a.axis, b.axis2);
        angles = 1;
        break;
    case SN_JOINT_REVOLUTE:
    case SN_JOINT_HELICAL:
    case SN_JOINT_CYLINDRICAL:
    case SN_JOINT_PLANAR: angles = write_parallel(&a, &b, out); break;
    default: break;
    }
    n = angles;
    switch (l->type) {
    case SN_JOINT_FIXED:
    case SN_JOINT_REVOLUTE:
    case SN_JOINT_UNIVERSAL:
    case SN_JOINT_SPHERICAL: n += write_place(l, &a, &b, false, out + n); break;
    case SN_JOINT_PRISMATIC:
    case SN_JOINT_CYLINDRICAL:
    case SN_JOINT_HELICAL: n += write_place(l, &a, &b, true, out + n); break;
    case SN_JOINT_PLANAR: out[n++] = distance_along(&a, &b); break;
    case SN_JOINT_FREE:
        if (l->length > 0) out[n++] = distance_between(&a, &b) - l->length;
        break;
    default: break;
    }
    if (l->type == SN_JOINT_HELICAL) {
        real open = distance_along(&a, &b) - l->pitch * angle_about(l, &a, &b);
        real lead = 2 * acosl(-1.0L) * fabsl(l->pitch);
        out[n++] = lead > 0 ? remainderl(open, lead) : open;
    }
    for (int i = 0; i < n; i++) angle[i] = i < angles;
    return n;
}

int oracle_loop_rows(const oracle* o) {
    int rows = 0;
    for (int i = 0; i < o->loops; i++) {
        real out[ROWS_MOST];
        bool angle[ROWS_MOST];
        rows += write_loop(o, &o->loop[i], out, angle);
    }
    return rows;
}

/// A length of the model, for comparing lengths with angles.
static real length_of(const oracle* o) {
    real most = 0;
    for (int i = 0; i < o->n; i++) {
        const oracle_body* b = &o->body[i];
        most = fmaxl(most, sqrtl(r3_dot(b->p_T, b->p_T)) + sqrtl(r3_dot(b->com, b->com)));
    }
    return most > 0 ? most : 1;
}

static void natural_values(const oracle* o, real length, real* value) {
    for (int i = 0; i < o->loops; i++) {
        bool angle[ROWS_MOST];
        int n = write_loop(o, &o->loop[i], value, angle);
        for (int k = 0; k < n; k++)
            if (!angle[k]) value[k] /= length;
        value += n;
    }
}

void oracle_loop_values(const oracle* o, real* value) { natural_values(o, 1, value); }

// ---- derivatives ---------------------------------------------------------------------------------------

/// Values at q (+) s dv.
static void values_along(oracle* o, const real* q, const real* dv, real s, real length,
                         real* value) {
    real *moved = reals(o->nq), *step = reals(o->nv), *still = reals(o->nv);
    for (int k = 0; k < o->nv; k++) step[k] = s * dv[k];
    oracle_integrate(o, q, step, moved);
    oracle_move(o, moved, still);
    natural_values(o, length, value);
    free(moved), free(step), free(still);
}

/// First and second derivative (each may be NULL) at s = 0 along q (+) s dv; h: step of s.
static void differentiate(oracle* o, const real* q, const real* dv, real h, real length, int rows,
                          real* first, real* second) {
    static const real odd[3] = {3 / 4.0L, -3 / 20.0L, 1 / 60.0L};
    static const real even[4] = {-49 / 18.0L, 3 / 2.0L, -3 / 20.0L, 1 / 90.0L};
    real *plus = reals(rows), *minus = reals(rows);
    values_along(o, q, dv, 0, length, plus);
    for (int r = 0; r < rows; r++) {
        if (first) first[r] = 0;
        if (second) second[r] = even[0] * plus[r] / (h * h);
    }
    for (int i = 1; i <= 3; i++) {
        values_along(o, q, dv, (real)i * h, length, plus);
        values_along(o, q, dv, -(real)i * h, length, minus);
        for (int r = 0; r < rows; r++) {
            if (first) first[r] += odd[i - 1] * (plus[r] - minus[r]) / h;
            if (second) second[r] += even[i] * (plus[r] + minus[r]) / (h * h);
        }
    }
    free(plus), free(minus);
}

/// Whether v[k] of the joint is a length per time.
static bool is_length(const oracle_body* b, int k) {
    return b->type == SN_JOINT_PRISMATIC || (b->type == SN_JOINT_CYLINDRICAL && k == 1) ||
           (b->type == SN_JOINT_PLANAR && k >= 1) || (b->type == SN_JOINT_FREE && k >= 3);
}

oracle_closing oracle_closing_create(oracle* o, const real* q, const real* v) {
    // truncation h^6, rounding 1e-19 / h^2: both below 1e-13 of numbers of order one
    const real STEP = 2e-3L;
    int nv = o->nv;
    oracle_closing c;
    memset(&c, 0, sizeof c);
    c.rows = oracle_loop_rows(o);
    c.J = reals(c.rows * nv);
    c.value = reals(c.rows), c.rate = reals(c.rows), c.bias = reals(c.rows);
    real length = length_of(o), fastest = 0;
    real *dv = reals(nv), *column = reals(c.rows);
    for (int i = 0; i < o->n; i++) {
        const oracle_body* b = &o->body[i];
        for (int k = 0; k < b->nv; k++) {
            real unit = is_length(b, k) ? length : 1;
            dv[b->iv + k] = unit;
            differentiate(o, q, dv, STEP, length, c.rows, column, NULL);
            for (int r = 0; r < c.rows; r++) c.J[r * nv + b->iv + k] = column[r] / unit;
            dv[b->iv + k] = 0;
            fastest = fmaxl(fastest, fabsl(v[b->iv + k]) / unit);
        }
    }
    // along q (+) t v the velocity is v and its rate zero, to the order that counts
    if (fastest > 0) differentiate(o, q, v, STEP / fastest, length, c.rows, NULL, c.bias);
    for (int r = 0; r < c.rows; r++)
        for (int k = 0; k < nv; k++) c.rate[r] += c.J[r * nv + k] * v[k];
    oracle_move(o, q, v);
    natural_values(o, length, c.value);
    free(dv), free(column);
    return c;
}

void oracle_closing_free(oracle_closing* c) {
    free(c->J), free(c->value), free(c->rate), free(c->bias);
}

void oracle_closing_target(const oracle* o, const oracle_closing* c, real* target) {
    int r = 0;
    for (int i = 0; i < o->loops; i++) {
        real out[ROWS_MOST], k = o->loop[i].t_s > 0 ? 1 / o->loop[i].t_s : 0;
        bool angle[ROWS_MOST];
        int end = r + write_loop(o, &o->loop[i], out, angle);
        for (; r < end; r++) target[r] = -c->bias[r] - 2 * k * c->rate[r] - k * k * c->value[r];
    }
}

// ---- closing ----------------------------------------------------------------------------------------------

/// How much anything that is not locked gives way, by the diagonal of M: the size of J M^-1 J'.
static real natural_compliance(const oracle* o) {
    real *M = reals(o->nv * o->nv), most = 0, length = length_of(o);
    oracle_mass_matrix(o, M);
    for (int i = 0; i < o->n; i++) {
        const oracle_body* b = &o->body[i];
        for (int k = 0; k < b->nv && !b->locked; k++) {
            real unit = is_length(b, k) ? length : 1;
            most = fmaxl(most, 1 / (M[(b->iv + k) * o->nv + b->iv + k] * unit * unit));
        }
    }
    free(M);
    return most;
}

/// lambda = A^+ b, and which eigenvalues counted.
static void pseudo_solve(oracle_closing* c, real* A, real size, const real* b, real* lambda) {
    // equations that follow from others, or of bodies that cannot move, leave the rounding of the
    // differences, squared
    const real NOTHING = 1e-14L;
    int n = c->rows;
    real *values = reals(n), *V = reals(n * n), most = size;
    oracle_eigenvectors(n, A, values, V);
    for (int i = 0; i < n; i++) most = fmaxl(most, values[i]);
    memset(lambda, 0, (size_t)n * sizeof *lambda);
    c->rank = 0;
    c->weakest = 1;
    for (int i = 0; i < n; i++) {
        if (!(values[i] > NOTHING * most)) continue;
        real dot = 0;
        for (int r = 0; r < n; r++) dot += V[r * n + i] * b[r];
        for (int r = 0; r < n; r++) lambda[r] += V[r * n + i] * dot / values[i];
        c->rank++;
        c->weakest = fminl(c->weakest, values[i] / most);
    }
    free(values), free(V);
}

bool oracle_close(const oracle* o, oracle_closing* c, const real* target, real* x) {
    int n = c->rows, nv = o->nv;
    real *Y = reals(nv * n), *A = reals(n * n), *b = reals(n), *lambda = reals(n);
    for (int r = 0; r < n; r++) {
        real Jx = 0;
        for (int k = 0; k < nv; k++) {
            Y[k * n + r] = c->J[r * nv + k];
            Jx += c->J[r * nv + k] * x[k];
        }
        b[r] = (target ? target[r] : 0) - Jx;
    }
    bool ok = n == 0 || oracle_solve_mass(o, Y, n);
    for (int r = 0; r < n; r++)
        for (int s = 0; s < n; s++)
            for (int k = 0; k < nv; k++) A[r * n + s] += c->J[r * nv + k] * Y[k * n + s];
    if (ok) pseudo_solve(c, A, natural_compliance(o), b, lambda);
    for (int k = 0; k < nv && ok; k++)
        for (int r = 0; r < n; r++) x[k] += Y[k * n + r] * lambda[r];
    c->residual = 0;
    for (int r = 0; r < n && ok; r++) {
        real off = target ? target[r] : 0;
        for (int k = 0; k < nv; k++) off -= c->J[r * nv + k] * x[k];
        c->residual = fmaxl(c->residual, fabsl(off));
    }
    free(Y), free(A), free(b), free(lambda);
    return ok;
}
