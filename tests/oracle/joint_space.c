// SPDX-License-Identifier: Apache-2.0
// The manifold of configurations: q (+) dv, rates of the plain numbers q, springs and dampers.
#include <stdlib.h>
#include <string.h>

#include "oracle/vectors.h"

/// Quaternion of a rotation vector. sin(x)/x needs no series in long double unless x is zero.
static void exponential(real q[4], const real phi[3]) {
    real angle = sqrtl(r3_dot(phi, phi));
    real s = angle > 0 ? sinl(angle / 2) / angle : 0.5L;
    q[0] = cosl(angle / 2);
    for (int i = 0; i < 3; i++) q[1 + i] = s * phi[i];
}

static void logarithm(const real q[4], real phi[3]) {
    real sign = q[0] < 0 ? -1 : 1;
    real u = sqrtl(r3_dot(q + 1, q + 1));
    real s = u > 0 ? 2 * atan2l(u, sign * q[0]) / u : 2;
    for (int i = 0; i < 3; i++) phi[i] = sign * s * q[1 + i];
}

/// Displacement of a point carried for unit time by the constant body twist (w, u):
/// integral of exp(t w) u dt, by its power series (angles in tests are below 4 rad).
static void screw_translation(real p[3], const real w[3], const real u[3]) {
    real term[3];
    r3_copy(term, u);
    r3_copy(p, u);
    for (int k = 1; k < 60; k++) { // terms fall as 4^k / (k+1)!
        real next[3];
        r3_cross(next, w, term);
        for (int i = 0; i < 3; i++) term[i] = next[i] / (real)(k + 1);
        r3_add(p, term);
    }
}

static void turn(real r[4], const real q[4], const real phi[3]) {
    real e[4];
    exponential(e, phi);
    r4_mul(r, q, e);
    real norm = sqrtl(r[0] * r[0] + r3_dot(r + 1, r + 1));
    for (int i = 0; i < 4; i++) r[i] /= norm;
}

static void integrate_joint(const oracle_body* b, const real* q, const real* dv, real* out) {
    real R[9], p[3];
    if (b->type == SN_JOINT_SPHERICAL) {
        turn(out, q, dv);
    } else if (b->type == SN_JOINT_FREE) {
        r33_quaternion(R, q + 3);
        screw_translation(p, dv, dv + 3);
        r3_apply(p, R, p);
        turn(out + 3, q + 3, dv);
        for (int i = 0; i < 3; i++) out[i] = q[i] + p[i];
    } else if (b->type == SN_JOINT_PLANAR) {
        const real z[3] = {0, 0, 1};
        const real w[3] = {0, 0, dv[0]}, u[3] = {dv[1], dv[2], 0};
        r33_rotation(R, z, q[0]);
        screw_translation(p, w, u);
        r3_apply(p, R, p);
        real x = q[1] + p[0], y = q[2] + p[1];
        out[0] = q[0] + dv[0], out[1] = x, out[2] = y;
    } else {
        for (int k = 0; k < b->nv; k++) out[k] = q[k] + dv[k];
    }
}

void oracle_integrate(const oracle* o, const real* q, const real* dv, real* q_out) {
    for (int i = 0; i < o->n; i++) {
        const oracle_body* b = &o->body[i];
        real out[SN_JOINT_MAX_NQ];
        integrate_joint(b, q + b->iq, dv + b->iv, out);
        memcpy(q_out + b->iq, out, (size_t)b->nq * sizeof(real));
    }
}

/// d/dt of the plain numbers q of one joint: 2 dq/dt = q o (0, w), dp/dt = R v.
static void rate(const oracle_body* b, const real* q, const real* v, real* q_rate) {
    real R[9];
    int quaternion = b->type == SN_JOINT_SPHERICAL ? 0 : b->type == SN_JOINT_FREE ? 3 : -1;
    if (quaternion >= 0) {
        const real w[4] = {0, v[0], v[1], v[2]};
        r4_mul(q_rate + quaternion, q + quaternion, w);
        for (int i = 0; i < 4; i++) q_rate[quaternion + i] /= 2;
        if (b->type == SN_JOINT_FREE) {
            r33_quaternion(R, q + 3);
            r3_apply(q_rate, R, v + 3);
        }
    } else if (b->type == SN_JOINT_PLANAR) {
        q_rate[0] = v[0];
        q_rate[1] = cosl(q[0]) * v[1] - sinl(q[0]) * v[2];
        q_rate[2] = sinl(q[0]) * v[1] + cosl(q[0]) * v[2];
    } else {
        for (int k = 0; k < b->nv; k++) q_rate[k] = v[k];
    }
}

/// How far the joint is from rest, as what its springs pull at: angles and distances; rotation
/// vector in body axes; displacement of the origin in body axes.
static void from_rest(const oracle_body* b, const real* q, real* d) {
    int quaternion = b->type == SN_JOINT_SPHERICAL ? 0 : b->type == SN_JOINT_FREE ? 3 : -1;
    if (quaternion >= 0) {
        const real* r = b->rest + quaternion;
        const real back[4] = {r[0], -r[1], -r[2], -r[3]};
        real relative[4];
        r4_mul(relative, back, q + quaternion);
        logarithm(relative, d);
        if (b->type == SN_JOINT_FREE) {
            real R[9];
            r33_quaternion(R, q + 3);
            r3_sub(d + 3, q, b->rest);
            r3_apply_transposed(d + 3, R, d + 3);
        }
    } else if (b->type == SN_JOINT_PLANAR) {
        real x = q[1] - b->rest[1], y = q[2] - b->rest[2];
        d[0] = q[0] - b->rest[0];
        d[1] = cosl(q[0]) * x + sinl(q[0]) * y;
        d[2] = -sinl(q[0]) * x + cosl(q[0]) * y;
    } else {
        for (int k = 0; k < b->nv; k++) d[k] = q[k] - b->rest[k];
    }
}

void oracle_passive_force(const oracle* o, const real* q, const real* v, real* tau) {
    for (int i = 0; i < o->n; i++) {
        const oracle_body* b = &o->body[i];
        real d[SN_JOINT_MAX_NV];
        from_rest(b, q + b->iq, d);
        for (int k = 0; k < b->nv; k++)
            tau[b->iv + k] = -b->stiffness[k] * d[k] - b->damping[k] * v[b->iv + k];
    }
}

/// x = (q, v): its rate under tau, springs and dampers.
static void state_rate(oracle* o, const real* x, const real* tau, real* x_rate) {
    const real *q = x, *v = x + o->nq;
    real* qdd = x_rate + o->nq;
    real* bias = calloc((size_t)o->nv, sizeof *bias);
    oracle_move(o, q, v);
    for (int i = 0; i < o->n; i++) {
        const oracle_body* b = &o->body[i];
        rate(b, q + b->iq, v + b->iv, x_rate + b->iq);
    }
    oracle_inverse(o, bias, bias); // with qdd = 0
    oracle_passive_force(o, q, v, qdd);
    for (int k = 0; k < o->nv; k++) qdd[k] += (tau ? tau[k] : 0) - bias[k];
    if (!oracle_solve_mass(o, qdd, 1)) qdd[0] = NAN;
    free(bias);
}

void oracle_simulate(oracle* o, real* q, real* v, const real* tau, real h, int steps) {
    static const real node[4] = {0, 0.5L, 0.5L, 1},
                      weight[4] = {1 / 6.0L, 1 / 3.0L, 1 / 3.0L, 1 / 6.0L};
    size_t n = (size_t)(o->nq + o->nv);
    real* x = malloc(n * sizeof *x);
    real* stage = malloc(n * sizeof *stage);
    real* sum = malloc(n * sizeof *sum);
    real* k = calloc(n, sizeof *k);
    memcpy(x, q, (size_t)o->nq * sizeof *x);
    memcpy(x + o->nq, v, (size_t)o->nv * sizeof *x);
    for (int step = 0; step < steps; step++) {
        memcpy(sum, x, n * sizeof *x);
        for (int s = 0; s < 4; s++) {
            for (size_t i = 0; i < n; i++) stage[i] = x[i] + h * node[s] * k[i];
            state_rate(o, stage, tau, k);
            for (size_t i = 0; i < n; i++) sum[i] += h * weight[s] * k[i];
        }
        memcpy(x, sum, n * sizeof *x);
    }
    memcpy(q, x, (size_t)o->nq * sizeof *x);
    memcpy(v, x + o->nq, (size_t)o->nv * sizeof *x);
    free(x), free(stage), free(sum), free(k);
}
