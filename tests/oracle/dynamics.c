// SPDX-License-Identifier: Apache-2.0
// Newton-Euler for every body, joints as constraints, everything dense. World axes; the point of
// reduction of each body is its own frame origin, moving with classical acceleration.
#include <stdlib.h>
#include <string.h>

#include "oracle/vectors.h"

/// Inertia about the com in world axes, and the com relative to the frame origin.
static void world_inertia(const oracle_body* b, real Ic[9], real c[3]) {
    real t[9], R_transposed[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) R_transposed[3 * i + j] = b->R[3 * j + i];
    r33_mul(t, b->R, b->inertia);
    r33_mul(Ic, t, R_transposed);
    r3_apply(c, b->R, b->com);
}

/// Wrench at the frame origin that gives angular acceleration alpha and origin acceleration acc to
/// a body turning with w:   f = m (acc + alpha x c + w x (w x c)),   n = Ic alpha + w x Ic w + c x f.
static void newton_euler(const oracle_body* b, const real alpha[3], const real acc[3],
                         const real w[3], real wrench[6]) {
    real Ic[9], c[3], t[3], spin[3], *n = wrench, *f = wrench + 3;
    world_inertia(b, Ic, c);
    r3_copy(t, acc);
    r3_add_cross(t, alpha, c);
    r3_cross(spin, w, c);
    r3_add_cross(t, w, spin);
    for (int i = 0; i < 3; i++) f[i] = b->mass * t[i];
    r3_apply(n, Ic, alpha);
    r3_apply(spin, Ic, w);
    r3_add_cross(n, w, spin);
    r3_add_cross(n, c, f);
}

/// What acts on a body from outside the system of joints: weight and external wrench.
static void outside_wrench(const oracle* o, const oracle_body* b, real wrench[6]) {
    real Ic[9], c[3], weight[3];
    world_inertia(b, Ic, c);
    for (int i = 0; i < 3; i++) weight[i] = b->mass * o->g[i];
    memcpy(wrench, b->f_ext, 6 * sizeof(real));
    r3_add_cross(wrench, c, weight);
    r3_add(wrench + 3, weight);
}

/// 6x6 inertia at the frame origin: the columns of newton_euler.
static void inertia_matrix(const oracle_body* b, real I[6][6]) {
    const real none[3] = {0, 0, 0};
    for (int k = 0; k < 6; k++) {
        real unit[6] = {0, 0, 0, 0, 0, 0}, column[6];
        unit[k] = 1;
        newton_euler(b, unit, unit + 3, none, column);
        for (int r = 0; r < 6; r++) I[r][k] = column[r];
    }
}

void oracle_mass_matrix(const oracle* o, real* M) {
    int nv = o->nv;
    real* J = malloc(6 * (size_t)nv * sizeof *J);
    real* IJ = malloc(6 * (size_t)nv * sizeof *IJ);
    memset(M, 0, (size_t)nv * (size_t)nv * sizeof *M);
    for (int i = 0; i < o->n; i++) {
        const oracle_body* b = &o->body[i];
        real I[6][6];
        inertia_matrix(b, I);
        oracle_jacobian_world(o, i, J);
        memset(IJ, 0, 6 * (size_t)nv * sizeof *IJ);
        for (int r = 0; r < 6; r++)
            for (int k = 0; k < 6; k++)
                for (int c = 0; c < nv; c++) IJ[r * nv + c] += I[r][k] * J[k * nv + c];
        for (int k = 0; k < 6; k++)
            for (int r = 0; r < nv; r++) {
                if (J[k * nv + r] == 0) continue; // most joints do not move this body
                for (int c = 0; c < nv; c++) M[r * nv + c] += J[k * nv + r] * IJ[k * nv + c];
            }
        for (int k = 0; k < b->nv; k++) M[(b->iv + k) * nv + b->iv + k] += b->armature[k];
    }
    free(J), free(IJ);
}

void oracle_inverse(const oracle* o, const real* qdd, real* tau) {
    int nv = o->nv;
    real* J = malloc(6 * (size_t)nv * sizeof *J);
    real* sum = calloc((size_t)nv, sizeof *sum);
    for (int i = 0; i < o->n; i++) {
        const oracle_body* b = &o->body[i];
        real a[6], needed[6], outside[6];
        oracle_jacobian_world(o, i, J);
        r3_copy(a, b->alpha0);
        r3_copy(a + 3, b->acc0);
        for (int r = 0; r < 6; r++)
            for (int c = 0; c < nv; c++) a[r] += J[r * nv + c] * qdd[c];
        newton_euler(b, a, a + 3, b->w, needed);
        outside_wrench(o, b, outside);
        for (int r = 0; r < 6; r++)
            for (int c = 0; c < nv; c++) sum[c] += J[r * nv + c] * (needed[r] - outside[r]);
        for (int k = 0; k < b->nv; k++) sum[b->iv + k] += b->armature[k] * qdd[b->iv + k];
    }
    memcpy(tau, sum, (size_t)nv * sizeof *tau);
    free(J), free(sum);
}

// ---- maximal coordinates ---------------------------------------------------------------------------

/// Unknowns: acceleration of body i at 6 i, wrench of its joint at 6 n + 6 i, qdd at 12 n.
typedef struct system {
    int size;
    real* A;
    real* b;
} linear_system;

static real* entry(linear_system* s, int row, int column) { return &s->A[row * s->size + column]; }

/// Body i:  I a_i - f_i + (reactions of its children's joints) = outside - gyroscopic.
static void write_body(const oracle* o, linear_system* s, int i) {
    const oracle_body* b = &o->body[i];
    const real none[3] = {0, 0, 0};
    real I[6][6], gyroscopic[6], outside[6];
    inertia_matrix(b, I);
    newton_euler(b, none, none, b->w, gyroscopic);
    outside_wrench(o, b, outside);
    for (int r = 0; r < 6; r++) {
        for (int c = 0; c < 6; c++) *entry(s, 6 * i + r, 6 * i + c) = I[r][c];
        *entry(s, 6 * i + r, 6 * o->n + 6 * i + r) = -1;
        s->b[6 * i + r] = outside[r] - gyroscopic[r];
    }
    for (int child = 0; child < o->n; child++) {
        if (o->body[child].parent != i) continue;
        real arm[3];
        r3_sub(arm, o->body[child].p, b->p);
        for (int k = 0; k < 6; k++) { // unit wrench at the child's origin, seen from ours
            real moment[3] = {0, 0, 0}, force[3] = {0, 0, 0};
            (k < 3 ? moment : force)[k % 3] = 1;
            r3_add_cross(moment, arm, force);
            for (int r = 0; r < 3; r++) {
                *entry(s, 6 * i + r, 6 * o->n + 6 * child + k) += moment[r];
                *entry(s, 6 * i + 3 + r, 6 * o->n + 6 * child + k) += force[r];
            }
        }
    }
}

/// Joint i:  a_i - (a_p carried to our origin) - S qdd = what the velocities alone produce.
static void write_joint(const oracle* o, linear_system* s, int i) {
    const oracle_body* b = &o->body[i];
    int row = 6 * o->n + 6 * i;
    real bias[6], arm[3];
    r3_copy(bias, b->alpha0);
    r3_copy(bias + 3, b->acc0);
    for (int r = 0; r < 6; r++) *entry(s, row + r, 6 * i + r) = 1;
    if (b->parent >= 0) {
        const oracle_body* p = &o->body[b->parent];
        r3_sub(arm, b->p, p->p);
        for (int k = 0; k < 6; k++) {
            real alpha[3] = {0, 0, 0}, acc[3] = {0, 0, 0};
            (k < 3 ? alpha : acc)[k % 3] = 1;
            r3_add_cross(acc, alpha, arm);
            for (int r = 0; r < 3; r++) {
                *entry(s, row + r, 6 * b->parent + k) -= alpha[r];
                *entry(s, row + 3 + r, 6 * b->parent + k) -= acc[r];
            }
        }
        r3_add_scaled(bias, -1, p->alpha0);
        real carried[3];
        r3_cross(carried, p->alpha0, arm);
        r3_add(carried, p->acc0);
        r3_add_scaled(bias + 3, -1, carried);
    }
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < b->nv; k++) {
            *entry(s, row + r, 12 * o->n + b->iv + k) = -b->S[k].angular[r];
            *entry(s, row + 3 + r, 12 * o->n + b->iv + k) = -b->S[k].linear[r];
        }
    }
    for (int r = 0; r < 6; r++) s->b[row + r] = bias[r];
}

/// Along the joint:  S' f + armature qdd = tau, or qdd = 0 when it is locked.
static void write_motor(const oracle* o, linear_system* s, int i, const real* tau) {
    const oracle_body* b = &o->body[i];
    for (int k = 0; k < b->nv; k++) {
        int row = 12 * o->n + b->iv + k;
        if (b->locked) {
            *entry(s, row, row) = 1;
            continue;
        }
        for (int r = 0; r < 3; r++) {
            *entry(s, row, 6 * o->n + 6 * i + r) = b->S[k].angular[r];
            *entry(s, row, 6 * o->n + 6 * i + 3 + r) = b->S[k].linear[r];
        }
        *entry(s, row, row) = b->armature[k];
        s->b[row] = tau ? tau[b->iv + k] : 0;
    }
}

bool oracle_forward(const oracle* o, const real* tau, real* qdd, real* joint_wrench) {
    linear_system s;
    s.size = 12 * o->n + o->nv;
    s.A = calloc((size_t)s.size * (size_t)s.size, sizeof(real));
    s.b = calloc((size_t)s.size, sizeof(real));
    for (int i = 0; i < o->n; i++) {
        write_body(o, &s, i);
        write_joint(o, &s, i);
        write_motor(o, &s, i, tau);
    }
    bool ok = oracle_solve(s.size, s.A, s.b);
    if (ok) memcpy(qdd, s.b + 12 * o->n, (size_t)o->nv * sizeof *qdd);
    if (ok && joint_wrench)
        memcpy(joint_wrench, s.b + 6 * o->n, 6 * (size_t)o->n * sizeof *joint_wrench);
    free(s.A), free(s.b);
    return ok;
}

// ---- joint space -----------------------------------------------------------------------------------

/// Units in which the diagonal of M is one: molecules would underflow nothing in long double, but
/// the factors stay near one and the pivots tell positive definiteness.
bool oracle_solve_mass(const oracle* o, real* b, int columns) {
    int nv = o->nv, m = 0;
    int* keep = malloc((size_t)nv * sizeof *keep);
    for (int i = 0; i < o->n; i++)
        for (int k = 0; k < o->body[i].nv && !o->body[i].locked; k++) keep[m++] = o->body[i].iv + k;
    real* M = malloc((size_t)nv * (size_t)nv * sizeof *M);
    real* L = malloc((size_t)nv * (size_t)nv * sizeof *L);
    real* x = malloc((size_t)nv * sizeof *x);
    oracle_mass_matrix(o, M);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            L[i * m + j] = M[keep[i] * nv + keep[j]] /
                           sqrtl(M[keep[i] * nv + keep[i]] * M[keep[j] * nv + keep[j]]);
    bool ok = oracle_cholesky(m, L);
    for (int c = 0; ok && c < columns; c++) {
        for (int i = 0; i < m; i++)
            x[i] = b[keep[i] * columns + c] / sqrtl(M[keep[i] * nv + keep[i]]);
        oracle_cholesky_solve(m, L, x);
        for (int i = 0; i < nv; i++) b[i * columns + c] = 0;
        for (int i = 0; i < m; i++)
            b[keep[i] * columns + c] = x[i] / sqrtl(M[keep[i] * nv + keep[i]]);
    }
    free(keep), free(M), free(L), free(x);
    return ok;
}

bool oracle_response(const oracle* o, const int* bodies, int count, real* Lambda) {
    int nv = o->nv, rows = 6 * count;
    real* J = malloc((size_t)rows * (size_t)nv * sizeof *J);
    real* Y = malloc((size_t)rows * (size_t)nv * sizeof *Y);
    for (int i = 0; i < count; i++) oracle_jacobian_body(o, bodies[i], J + 6 * i * nv);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < nv; c++) Y[c * rows + r] = J[r * nv + c];
    bool ok = oracle_solve_mass(o, Y, rows);
    for (int r = 0; ok && r < rows; r++)
        for (int c = 0; c < rows; c++) {
            Lambda[r * rows + c] = 0;
            for (int k = 0; k < nv; k++) Lambda[r * rows + c] += J[r * nv + k] * Y[k * rows + c];
        }
    free(J), free(Y);
    return ok;
}

oracle_sums oracle_energy_momentum(const oracle* o, const real* v) {
    oracle_sums s;
    memset(&s, 0, sizeof s);
    for (int pass = 0; pass < 2; pass++) { // the second pass knows the centre of mass
        for (int i = 0; i < o->n; i++) {
            const oracle_body* b = &o->body[i];
            real Ic[9], c[3], velocity[3], spin[3], place[3];
            world_inertia(b, Ic, c);
            r3_copy(velocity, b->v);
            r3_add_cross(velocity, b->w, c);
            r3_apply(spin, Ic, b->w);
            r3_copy(place, b->p);
            r3_add(place, c);
            if (pass == 0) {
                s.mass += b->mass;
                r3_add_scaled(s.com, b->mass, place);
                r3_add_scaled(s.linear, b->mass, velocity);
                s.kinetic += (b->mass * r3_dot(velocity, velocity) + r3_dot(b->w, spin)) / 2;
                s.potential -= b->mass * r3_dot(o->g, place);
                for (int k = 0; k < b->nv; k++)
                    s.kinetic += b->armature[k] * v[b->iv + k] * v[b->iv + k] / 2;
            } else {
                real arm[3], orbital[3];
                r3_sub(arm, place, s.com);
                r3_cross(orbital, arm, velocity);
                r3_add(s.angular, spin);
                r3_add_scaled(s.angular, b->mass, orbital);
            }
        }
        if (pass == 0)
            for (int k = 0; k < 3; k++) s.com[k] /= s.mass;
    }
    return s;
}
