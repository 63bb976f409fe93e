// SPDX-License-Identifier: Apache-2.0
#include "dynamics/loop_conditions.h"

/// The two frames and their relative motion, and the conditions found so far.
typedef struct finder {
    sn_mat3 R;
    sn_vec3 p, w, v;
    double pitch;
    sni_condition* next;
} finder;

static void put(finder* f, double value, sn_wrench gradient, double bias, sn_twist direction) {
    sni_condition condition = {value, gradient, bias, direction};
    *f->next++ = condition;
}

static sn_vec3 unit(int axis) { return sn_vec3_make(axis == 0, axis == 1, axis == 2); }

static sn_wrench moment(double x, double y, double z) {
    return sn_wrench_make(sn_vec3_make(x, y, z), sn_vec3_zero());
}
static sn_twist turn(sn_vec3 axis) { return sn_twist_make(axis, sn_vec3_zero()); }

// ---- places -----------------------------------------------------------------------------------------

// value = p_k,  the origin of B along axis k of A.   value' = (R v)_k,   value'' = (R (v' + w x v))_k
static void along(finder* f, int k) {
    sn_vec3 row = sn_mat3_row(f->R, k);
    sn_wrench gradient = sn_wrench_make(sn_vec3_zero(), row);
    double bias = sn_vec3_dot(row, sn_vec3_cross(f->w, f->v));
    double value = k == 0 ? f->p.x : k == 1 ? f->p.y : f->p.z;
    put(f, value, gradient, bias, sn_twist_make(sn_vec3_zero(), row));
}

static void along_all(finder* f) {
    for (int k = 0; k < 3; k++) along(f, k);
}

// value = p_z - pitch (angle + whole turns), the angle that of the turn about z which remains when the
// shortest turn has brought the two z axes together: with r the z axis of A in B, r' = r x w,
//   angle' = w . (r + z) / (1 + r_z),    angle'' = w' . (r + z) / (1 + r_z) - angle' r_z' / (1 + r_z)
static void screw(finder* f) {
    const double PI = acos(-1.0);
    along(f, 2);
    sni_condition* condition = f->next - 1;
    sn_vec3 r = sn_mat3_row(f->R, 2), r_rate = sn_vec3_cross(r, f->w);
    sn_vec3 g = sn_vec3_scale(1 / (1 + r.z), sn_vec3_add(r, unit(2)));
    double angle = atan2(f->R.m[1][0] - f->R.m[0][1], f->R.m[0][0] + f->R.m[1][1]);
    double rate = sn_vec3_dot(g, f->w), lead = 2 * PI * fabs(f->pitch);
    condition->value -= f->pitch * angle;
    if (lead > 0) condition->value = remainder(condition->value, lead);
    condition->gradient.n = sn_vec3_scale(-f->pitch, g);
    condition->bias += f->pitch * rate * r_rate.z / (1 + r.z);
}

// value = |p| - length.   With e = p/|p| and p' = R v:   value' = e . R v,
//   value'' = e . R (v' + w x v) + (|p'|^2 - value'^2) / |p|
// Where the two origins meet any direction will do.
static void rod(finder* f, double length) {
    double distance = sn_vec3_norm(f->p);
    sn_vec3 e = distance > 0 ? sn_vec3_scale(1 / distance, f->p) : unit(0);
    sn_vec3 row = sn_mat3_apply_transposed(f->R, e);
    double rate = sn_vec3_dot(row, f->v);
    double across = sn_vec3_dot(f->v, f->v) - rate * rate;
    double bias =
        sn_vec3_dot(row, sn_vec3_cross(f->w, f->v)) + (distance > 0 ? across / distance : 0);
    put(f, distance - length, sn_wrench_make(sn_vec3_zero(), row), bias,
        sn_twist_make(sn_vec3_zero(), row));
}

// ---- directions ---------------------------------------------------------------------------------------

// The z axes of A and B agree: r = z for r the z axis of A in B.   value = r x z = (r_y, -r_x)
static void same_axis(finder* f) {
    sn_vec3 r = sn_mat3_row(f->R, 2), rate = sn_vec3_cross(r, f->w), w = f->w;
    put(f, r.y, moment(r.z, 0, -r.x), rate.z * w.x - rate.x * w.z, turn(unit(0)));
    put(f, -r.x, moment(0, r.z, -r.y), rate.z * w.y - rate.y * w.z, turn(unit(1)));
}

// The axes of A and B agree: for q = (q0, e) the quaternion of R,   value = 2 e,
//   value' = q0 w + e x w,    value'' = q0 w' + e x w' - |w|^2 e / 2
static void same_axes(finder* f) {
    sn_quat q = sn_quat_from_matrix(f->R);
    sn_vec3 e = sn_vec3_make(q.x, q.y, q.z);
    for (int k = 0; k < 3; k++) {
        sn_vec3 axis = unit(k);
        sn_vec3 row = sn_vec3_add(sn_vec3_scale(q.w, axis), sn_vec3_cross(axis, e));
        double e_k = sn_vec3_dot(e, axis);
        put(f, 2 * e_k, moment(row.x, row.y, row.z), -0.5 * sn_vec3_dot(f->w, f->w) * e_k,
            turn(axis));
    }
}

// x of A, r in B, is perpendicular to y of B:   value = -r_y,   value' = (r x y) . w
static void perpendicular(finder* f) {
    sn_vec3 r = sn_mat3_row(f->R, 0), rate = sn_vec3_cross(r, f->w);
    put(f, -r.y, moment(-r.z, 0, r.x), rate.x * f->w.z - rate.z * f->w.x,
        turn(sn_vec3_make(-r.z, 0, r.x)));
}

void sni_loop_conditions(const sni_loop* loop, sn_pose X_ab, sn_twist u,
                         sni_condition conditions[SN_LOOP_ROWS_MAX]) {
    finder f = {X_ab.R, X_ab.p, u.w, u.v, loop->pitch, conditions};
    switch ((sn_joint_type)loop->type) {
    case SN_JOINT_FIXED:
        same_axes(&f);
        along_all(&f);
        break;
    case SN_JOINT_REVOLUTE:
        same_axis(&f);
        along_all(&f);
        break;
    case SN_JOINT_PRISMATIC:
        same_axes(&f);
        along(&f, 0);
        along(&f, 1);
        break;
    case SN_JOINT_HELICAL:
        same_axis(&f);
        along(&f, 0);
        along(&f, 1);
        screw(&f);
        break;
    case SN_JOINT_CYLINDRICAL:
        same_axis(&f);
        along(&f, 0);
        along(&f, 1);
        break;
    case SN_JOINT_PLANAR:
        same_axis(&f);
        along(&f, 2);
        break;
    case SN_JOINT_UNIVERSAL:
        perpendicular(&f);
        along_all(&f);
        break;
    case SN_JOINT_SPHERICAL: along_all(&f); break;
    case SN_JOINT_FREE:
        if (loop->length > 0) rod(&f, loop->length);
        break;
    case SN_JOINT_TYPE_COUNT: break;
    }
}
