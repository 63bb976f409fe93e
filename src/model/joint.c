// SPDX-License-Identifier: Apache-2.0
#include "model/joint.h"

#include <string.h>

const char* sn_joint_type_name(sn_joint_type type) {
    switch (type) {
#define CASE(code, name, nq, nv)                                                                   \
    case code: return name;
        SN_JOINT_LIST(CASE)
#undef CASE
    case SN_JOINT_TYPE_COUNT: break;
    }
    return "unknown";
}

#define NQ(code, name, nq, nv) nq,
#define NV(code, name, nq, nv) nv,
static const int nq_of[] = {SN_JOINT_LIST(NQ)};
static const int nv_of[] = {SN_JOINT_LIST(NV)};
#undef NQ
#undef NV

int sn_joint_type_nq(sn_joint_type type) { return nq_of[type]; }
int sn_joint_type_nv(sn_joint_type type) { return nv_of[type]; }

bool sn_joint_type_find(const char* name, sn_joint_type* type) {
    for (int i = 0; i < SN_JOINT_TYPE_COUNT; i++) {
        if (strcmp(name, sn_joint_type_name((sn_joint_type)i)) == 0) {
            *type = (sn_joint_type)i;
            return true;
        }
    }
    return false;
}

// ---- reading and writing parts of q and v -------------------------------------------------------

static sn_vec3 get3(const double* a) { return sn_vec3_make(a[0], a[1], a[2]); }
static void put3(double* a, sn_vec3 x) { a[0] = x.x, a[1] = x.y, a[2] = x.z; }
static sn_quat get_quat(const double* q) { return sn_quat_make(q[0], q[1], q[2], q[3]); }
static void put_quat(double* q, sn_quat a) { q[0] = a.w, q[1] = a.x, q[2] = a.y, q[3] = a.z; }

static sn_mat3 rotation_x(double a) {
    double c = cos(a), s = sin(a);
    return sn_mat3_rows(sn_vec3_make(1, 0, 0), sn_vec3_make(0, c, -s), sn_vec3_make(0, s, c));
}
static sn_mat3 rotation_y(double a) {
    double c = cos(a), s = sin(a);
    return sn_mat3_rows(sn_vec3_make(c, 0, s), sn_vec3_make(0, 1, 0), sn_vec3_make(-s, 0, c));
}
static sn_mat3 rotation_z(double a) {
    double c = cos(a), s = sin(a);
    return sn_mat3_rows(sn_vec3_make(c, -s, 0), sn_vec3_make(s, c, 0), sn_vec3_make(0, 0, 1));
}

// ---- kinematics -----------------------------------------------------------------------------------

sn_pose sni_joint_pose(const sni_joint* joint, const double* q) {
    switch ((sn_joint_type)joint->type) {
    case SN_JOINT_REVOLUTE: return sn_pose_make(rotation_z(q[0]), sn_vec3_zero());
    case SN_JOINT_PRISMATIC: return sn_pose_make(sn_mat3_identity(), sn_vec3_make(0, 0, q[0]));
    case SN_JOINT_HELICAL:
        return sn_pose_make(rotation_z(q[0]), sn_vec3_make(0, 0, joint->pitch * q[0]));
    case SN_JOINT_CYLINDRICAL: return sn_pose_make(rotation_z(q[0]), sn_vec3_make(0, 0, q[1]));
    case SN_JOINT_PLANAR: return sn_pose_make(rotation_z(q[0]), sn_vec3_make(q[1], q[2], 0));
    case SN_JOINT_UNIVERSAL:
        return sn_pose_make(sn_mat3_mul(rotation_x(q[0]), rotation_y(q[1])), sn_vec3_zero());
    case SN_JOINT_SPHERICAL: return sn_pose_make(sn_quat_matrix(get_quat(q)), sn_vec3_zero());
    case SN_JOINT_FREE: return sn_pose_make(sn_quat_matrix(get_quat(q + 3)), get3(q));
    case SN_JOINT_FIXED:
    case SN_JOINT_TYPE_COUNT: break;
    }
    return sn_pose_identity();
}

static sn_twist angular(double x, double y, double z) {
    return sn_twist_make(sn_vec3_make(x, y, z), sn_vec3_zero());
}
static sn_twist linear(double x, double y, double z) {
    return sn_twist_make(sn_vec3_zero(), sn_vec3_make(x, y, z));
}

static void turn_about_all(sn_twist S[3]) {
    S[0] = angular(1, 0, 0);
    S[1] = angular(0, 1, 0);
    S[2] = angular(0, 0, 1);
}

void sni_joint_subspace(const sni_joint* joint, const double* q, sn_twist S[SN_JOINT_MAX_NV]) {
    switch ((sn_joint_type)joint->type) {
    case SN_JOINT_REVOLUTE: S[0] = angular(0, 0, 1); break;
    case SN_JOINT_PRISMATIC: S[0] = linear(0, 0, 1); break;
    case SN_JOINT_HELICAL:
        S[0] = sn_twist_make(sn_vec3_make(0, 0, 1), sn_vec3_make(0, 0, joint->pitch));
        break;
    case SN_JOINT_CYLINDRICAL:
        S[0] = angular(0, 0, 1);
        S[1] = linear(0, 0, 1);
        break;
    case SN_JOINT_PLANAR:
        S[0] = angular(0, 0, 1);
        S[1] = linear(1, 0, 0);
        S[2] = linear(0, 1, 0);
        break;
    case SN_JOINT_UNIVERSAL:
        S[0] = angular(cos(q[1]), 0, sin(q[1]));
        S[1] = angular(0, 1, 0);
        break;
    case SN_JOINT_FREE:
        S[3] = linear(1, 0, 0);
        S[4] = linear(0, 1, 0);
        S[5] = linear(0, 0, 1);
        turn_about_all(S);
        break;
    case SN_JOINT_SPHERICAL: turn_about_all(S); break;
    case SN_JOINT_FIXED:
    case SN_JOINT_TYPE_COUNT: break;
    }
}

sn_twist sni_joint_bias(const sni_joint* joint, const double* q, const double* v) {
    if (joint->type != SN_JOINT_UNIVERSAL) return sn_twist_zero();
    return angular(-sin(q[1]) * v[0] * v[1], 0, cos(q[1]) * v[0] * v[1]);
}

void sni_unit_quat(double* q) {
    sn_quat a = get_quat(q);
    double norm = sn_quat_norm(a);
    if (fabs(norm - 1) <= SN_UNIT_ROUNDING) return;
    put_quat(q, norm > 0 ? sn_quat_normalized(a) : sn_quat_identity());
}

void sni_joint_neutral(sn_joint_type type, double* q) {
    for (int i = 0; i < sn_joint_type_nq(type); i++) q[i] = 0;
    int at = sni_joint_quat_at(type);
    if (at >= 0) q[at] = 1;
}

// ---- the manifold ---------------------------------------------------------------------------------

// Coefficients of V(w) = 1 + a [w]x + b [w]x^2, a = (1 - cos t)/t^2, b = (t - sin t)/t^3, t = |w|,
// and of its inverse 1 - [w]x/2 + c [w]x^2, c = (1 - (t/2) cot(t/2))/t^2.
// Series below t = 0.1, where they are exact to rounding and the closed forms cancel.
typedef struct v_coefficients {
    double a, b, c;
} v_coefficients;

static v_coefficients v_of_angle(double t2) {
    v_coefficients k;
    if (t2 < 0.01) {
        k.a = 1.0 / 2 - t2 * (1.0 / 24 - t2 * (1.0 / 720 - t2 * (1.0 / 40320 - t2 / 3628800)));
        k.b = 1.0 / 6 - t2 * (1.0 / 120 - t2 * (1.0 / 5040 - t2 * (1.0 / 362880 - t2 / 39916800)));
        k.c =
            1.0 / 12 + t2 * (1.0 / 720 + t2 * (1.0 / 30240 + t2 * (1.0 / 1209600 + t2 / 47900160)));
    } else {
        double t = sqrt(t2), half = sin(0.5 * t);
        k.a = 2 * half * half / t2;
        k.b = (t - sin(t)) / (t2 * t);
        k.c = (1 - 0.5 * t * cos(0.5 * t) / half) / t2;
    }
    return k;
}

/// x + a w x x + b w x (w x x).
static sn_vec3 v_apply(sn_vec3 w, double a, double b, sn_vec3 x) {
    sn_vec3 wx = sn_vec3_cross(w, x);
    sn_vec3 r = sn_vec3_add(x, sn_vec3_scale(a, wx));
    return sn_vec3_add(r, sn_vec3_scale(b, sn_vec3_cross(w, wx)));
}

sn_vec3 sni_twist_way(sn_twist step) {
    v_coefficients k = v_of_angle(sn_vec3_dot(step.w, step.w));
    return v_apply(step.w, k.a, k.b, step.v);
}

static void free_integrate(const double* q, const double* dv, double* out) {
    sn_vec3 w = get3(dv), u = get3(dv + 3), p = get3(q);
    sn_quat r = get_quat(q + 3);
    sn_vec3 way = sni_twist_way(sn_twist_make(w, u));
    put3(out, sn_vec3_add(p, sn_mat3_apply(sn_quat_matrix(r), way)));
    put_quat(out + 3, sn_quat_normalized(sn_quat_mul(r, sn_quat_exp(w))));
}

static void free_difference(const double* q0, const double* q1, double* dv) {
    sn_quat r0 = get_quat(q0 + 3);
    sn_vec3 w = sn_quat_log(sn_quat_mul(sn_quat_conj(r0), get_quat(q1 + 3)));
    sn_vec3 d = sn_mat3_apply_transposed(sn_quat_matrix(r0), sn_vec3_sub(get3(q1), get3(q0)));
    v_coefficients k = v_of_angle(sn_vec3_dot(w, w));
    put3(dv, w);
    put3(dv + 3, v_apply(w, -0.5, k.c, d));
}

// A planar joint is a free joint that only turns about z and moves in x and y.
static void planar_to_free(const double* q, double* free) {
    double full[7] = {q[1], q[2], 0, cos(0.5 * q[0]), 0, 0, sin(0.5 * q[0])};
    memcpy(free, full, sizeof full);
}

static void planar_integrate(const double* q, const double* dv, double* out) {
    double from[7], to[7], step[6] = {0, 0, dv[0], dv[1], dv[2], 0};
    planar_to_free(q, from);
    free_integrate(from, step, to);
    out[0] = q[0] + dv[0]; // keeps counting turns
    out[1] = to[0];
    out[2] = to[1];
}

static void planar_difference(const double* q0, const double* q1, double* dv) {
    double angle = q1[0] - q0[0]; // turns count, so V is inverted at the whole angle
    double x = q1[1] - q0[1], y = q1[2] - q0[2], c = cos(q0[0]), s = sin(q0[0]);
    double half = 0.5 * angle;
    // V^-1 in the plane: [ g, half; -half, g ], g = half cot(half)
    double g = fabs(half) < 1e-3 ? 1 - half * half / 3 - half * half * half * half / 45
                                 : half * cos(half) / sin(half);
    double bx = c * x + s * y, by = -s * x + c * y;
    dv[0] = angle;
    dv[1] = g * bx + half * by;
    dv[2] = -half * bx + g * by;
}

/// True when the joint stays where it is, to the bit.
static bool is_still(const sni_joint* joint, const double* dv) {
    for (int k = 0; k < joint->nv; k++)
        if (dv[k] != 0) return false;
    return true;
}

void sni_joint_integrate(const sni_joint* joint, const double* q, const double* dv, double* out) {
    if (joint->nv == 1) { // most are
        out[0] = q[0] + dv[0];
        return;
    }
    if (is_still(joint, dv)) {
        memmove(out, q, joint->nq * sizeof *out);
        return;
    }
    switch ((sn_joint_type)joint->type) {
    case SN_JOINT_SPHERICAL:
        put_quat(out, sn_quat_normalized(sn_quat_mul(get_quat(q), sn_quat_exp(get3(dv)))));
        return;
    case SN_JOINT_FREE: free_integrate(q, dv, out); return;
    case SN_JOINT_PLANAR: planar_integrate(q, dv, out); return;
    default:
        for (int i = 0; i < joint->nv; i++) out[i] = q[i] + dv[i];
    }
}

void sni_joint_difference(const sni_joint* joint, const double* q0, const double* q1, double* dv) {
    if (joint->nv == 1) { // most are
        dv[0] = q1[0] - q0[0];
        return;
    }
    switch ((sn_joint_type)joint->type) {
    case SN_JOINT_SPHERICAL:
        put3(dv, sn_quat_log(sn_quat_mul(sn_quat_conj(get_quat(q0)), get_quat(q1))));
        return;
    case SN_JOINT_FREE: free_difference(q0, q1, dv); return;
    case SN_JOINT_PLANAR: planar_difference(q0, q1, dv); return;
    default:
        for (int i = 0; i < joint->nv; i++) dv[i] = q1[i] - q0[i];
    }
}

void sni_joint_bracket(const sni_joint* joint, const double* a, const double* b, double* out) {
    switch ((sn_joint_type)joint->type) {
    case SN_JOINT_SPHERICAL: put3(out, sn_vec3_cross(get3(a), get3(b))); return;
    case SN_JOINT_FREE: {
        sn_twist t = sn_twist_cross(sn_twist_make(get3(a), get3(a + 3)),
                                    sn_twist_make(get3(b), get3(b + 3)));
        put3(out, t.w);
        put3(out + 3, t.v);
        return;
    }
    case SN_JOINT_PLANAR: {
        double x = a[0] * -b[2] - b[0] * -a[2], y = a[0] * b[1] - b[0] * a[1];
        out[0] = 0, out[1] = x, out[2] = y;
        return;
    }
    default:
        for (int i = 0; i < joint->nv; i++) out[i] = 0;
    }
}

// Rotations stretch by their rotation vector and translations by their distance, both seen from the
// child, so that the stretch is the gradient of |stretch|^2 / 2 along v.
void sni_joint_stretch(const sni_joint* joint, const double* rest, const double* q,
                       double stretch[SN_JOINT_MAX_NV]) {
    switch ((sn_joint_type)joint->type) {
    case SN_JOINT_FREE: {
        sn_quat r = get_quat(q + 3);
        sn_vec3 d = sn_vec3_sub(get3(q), get3(rest));
        put3(stretch, sn_quat_log(sn_quat_mul(sn_quat_conj(get_quat(rest + 3)), r)));
        put3(stretch + 3, sn_mat3_apply_transposed(sn_quat_matrix(r), d));
        return;
    }
    case SN_JOINT_PLANAR: {
        double x = q[1] - rest[1], y = q[2] - rest[2], c = cos(q[0]), s = sin(q[0]);
        stretch[0] = q[0] - rest[0];
        stretch[1] = c * x + s * y;
        stretch[2] = -s * x + c * y;
        return;
    }
    default: sni_joint_difference(joint, rest, q, stretch);
    }
}
