// SPDX-License-Identifier: Apache-2.0
// From what the user said about each joint to poses, velocities and accelerations in world axes.
// The joint table is MATH 1.3, with a general axis instead of z.
#include <stdlib.h>
#include <string.h>

#include "oracle/vectors.h"

// ---- the model -----------------------------------------------------------------------------------

static void copy_vec3(real r[3], sn_vec3 a) { r3_set(r, a.x, a.y, a.z); }
static void copy_mat3(real r[9], sn_mat3 a) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r[3 * i + j] = a.m[i][j];
}

/// Directions of a planar joint's x and y: the shortest turn that takes z to the axis (or, where the
/// axis points well below the x-y plane, to its opposite) takes x along; y completes the right hand.
static void plane_directions(oracle_body* b) {
    real side = b->axis[2] < -0.5L ? -1 : 1;
    const real x[3] = {1, 0, 0};
    real turn[3] = {-side * b->axis[1], side * b->axis[0], 0}; // z x axis
    real s = sqrtl(r3_dot(turn, turn)), R[9];
    for (int i = 0; i < 3 && s > 0; i++) turn[i] /= s;
    r33_rotation(R, turn, atan2l(s, side * b->axis[2]));
    if (!(s > 0)) r33_identity(R);
    r3_apply(b->plane_x, R, x);
    r3_cross(b->plane_y, b->axis, b->plane_x);
}

static void copy_body(oracle_body* b, sn_body_info info) {
    b->parent = info.parent.i;
    b->type = info.type;
    b->iq = info.iq, b->nq = info.nq;
    b->iv = info.iv, b->nv = info.nv;
    copy_mat3(b->R_T, info.placement.R);
    copy_vec3(b->p_T, info.placement.p);
    copy_vec3(b->axis, info.axis);
    copy_vec3(b->axis2, info.axis2);
    b->pitch = info.pitch;
    plane_directions(b);
    b->mass = info.inertia.mass;
    copy_vec3(b->com, info.inertia.com);
    copy_mat3(b->inertia, info.inertia.I);
    for (int k = 0; k < info.nv; k++) {
        b->armature[k] = info.armature[k];
        b->damping[k] = info.damping[k];
        b->stiffness[k] = info.stiffness[k];
    }
    for (int k = 0; k < info.nq; k++) b->rest[k] = info.rest[k];
}

static void copy_loop(oracle_loop* l, sn_loop_info info) {
    l->body[0] = info.a.body.i, l->body[1] = info.b.body.i;
    copy_mat3(l->R[0], info.a.X_bc.R);
    copy_vec3(l->p[0], info.a.X_bc.p);
    copy_mat3(l->R[1], info.b.X_bc.R);
    copy_vec3(l->p[1], info.b.X_bc.p);
    l->type = info.type;
    copy_vec3(l->axis, info.axis);
    copy_vec3(l->axis2, info.axis2);
    l->pitch = info.pitch;
    l->length = info.length;
    l->t_s = info.t_s;
}

oracle* oracle_create(const sn_model* model) {
    oracle* o = calloc(1, sizeof *o);
    o->n = sn_model_body_count(model);
    o->nq = sn_model_nq(model);
    o->nv = sn_model_nv(model);
    o->body = calloc((size_t)o->n, sizeof *o->body);
    for (int i = 0; i < o->n; i++) copy_body(&o->body[i], sn_model_body(model, sn_body(i)));
    o->loops = sn_model_loop_count(model);
    o->loop = calloc((size_t)o->loops, sizeof *o->loop);
    for (int i = 0; i < o->loops; i++) copy_loop(&o->loop[i], sn_model_loop(model, i));
    return o;
}

void oracle_free(oracle* o) {
    if (!o) return;
    free(o->body);
    free(o->loop);
    free(o);
}

void oracle_set_gravity(oracle* o, sn_vec3 g_w) { copy_vec3(o->g, g_w); }

// ---- one joint -----------------------------------------------------------------------------------

/// Motion of the joint: rotation and translation of the body frame in the joint frame.
static void joint_pose(const oracle_body* b, const real* q, real R[9], real p[3]) {
    real second[9];
    r33_identity(R);
    r3_set(p, 0, 0, 0);
    switch (b->type) {
    case SN_JOINT_REVOLUTE: r33_rotation(R, b->axis, q[0]); break;
    case SN_JOINT_PRISMATIC: r3_add_scaled(p, q[0], b->axis); break;
    case SN_JOINT_HELICAL:
        r33_rotation(R, b->axis, q[0]);
        r3_add_scaled(p, b->pitch * q[0], b->axis);
        break;
    case SN_JOINT_CYLINDRICAL:
        r33_rotation(R, b->axis, q[0]);
        r3_add_scaled(p, q[1], b->axis);
        break;
    case SN_JOINT_PLANAR:
        r33_rotation(R, b->axis, q[0]);
        r3_add_scaled(p, q[1], b->plane_x);
        r3_add_scaled(p, q[2], b->plane_y);
        break;
    case SN_JOINT_UNIVERSAL:
        r33_rotation(R, b->axis, q[0]);
        r33_rotation(second, b->axis2, q[1]);
        r33_mul(R, R, second);
        break;
    case SN_JOINT_SPHERICAL: r33_quaternion(R, q); break;
    case SN_JOINT_FREE:
        r3_copy(p, q);
        r33_quaternion(R, q + 3);
        break;
    case SN_JOINT_FIXED:
    case SN_JOINT_TYPE_COUNT: break;
    }
}

/// The columns of a joint's motion once the body's rotation R is known, world axes. Each vector is
/// constant either in the body or in its parent, which is all its rate needs.
static void joint_columns(oracle_body* b, const real parent_R[9]) {
    real axis[3], axis2[3], joint_R[9];
    r3_apply(axis, b->R, b->axis);
    r3_apply(axis2, b->R, b->axis2);
    memset(b->S, 0, sizeof b->S);
    switch (b->type) {
    case SN_JOINT_REVOLUTE: r3_copy(b->S[0].angular, axis); break;
    case SN_JOINT_PRISMATIC: r3_copy(b->S[0].linear, axis); break;
    case SN_JOINT_HELICAL:
        r3_copy(b->S[0].angular, axis);
        r3_add_scaled(b->S[0].linear, b->pitch, axis);
        break;
    case SN_JOINT_CYLINDRICAL:
        r3_copy(b->S[0].angular, axis);
        r3_copy(b->S[1].linear, axis);
        break;
    case SN_JOINT_PLANAR:
        r3_copy(b->S[0].angular, axis);
        r3_apply(b->S[1].linear, b->R, b->plane_x);
        r3_apply(b->S[2].linear, b->R, b->plane_y);
        break;
    case SN_JOINT_UNIVERSAL:
        r33_mul(joint_R, parent_R, b->R_T);
        r3_apply(b->S[0].angular, joint_R, b->axis);
        b->S[0].on_parent = true;
        r3_copy(b->S[1].angular, axis2);
        break;
    case SN_JOINT_FREE:
        for (int k = 0; k < 3; k++)
            for (int r = 0; r < 3; r++) b->S[3 + k].linear[r] = b->R[3 * r + k];
        for (int k = 0; k < 3; k++)
            for (int r = 0; r < 3; r++) b->S[k].angular[r] = b->R[3 * r + k];
        break;
    case SN_JOINT_SPHERICAL:
        for (int k = 0; k < 3; k++)
            for (int r = 0; r < 3; r++) b->S[k].angular[r] = b->R[3 * r + k];
        break;
    case SN_JOINT_FIXED:
    case SN_JOINT_TYPE_COUNT: break;
    }
}

// ---- all bodies ----------------------------------------------------------------------------------

static void move_body(oracle_body* b, const oracle_body* parent, const real* q, const real* v) {
    real R_J[9], p_J[3], arm[3], arm_rate[3];
    joint_pose(b, q + b->iq, R_J, p_J);
    // R = R_p R_T R_J,  p = p_p + R_p (p_T + R_T p_J)
    r33_mul(b->R, b->R_T, R_J);
    r33_mul(b->R, parent->R, b->R);
    r3_apply(arm, b->R_T, p_J);
    r3_add(arm, b->p_T);
    r3_apply(arm, parent->R, arm);
    r3_copy(b->p, parent->p);
    r3_add(b->p, arm);

    joint_columns(b, parent->R);
    r3_copy(b->w, parent->w);
    r3_copy(b->v, parent->v);
    r3_add_cross(b->v, parent->w, arm);
    for (int k = 0; k < b->nv; k++) {
        r3_add_scaled(b->w, v[b->iv + k], b->S[k].angular);
        r3_add_scaled(b->v, v[b->iv + k], b->S[k].linear);
    }

    // d/dt of the two sums above with the rates v held constant
    r3_sub(arm_rate, b->v, parent->v);
    r3_copy(b->alpha0, parent->alpha0);
    r3_copy(b->acc0, parent->acc0);
    r3_add_cross(b->acc0, parent->alpha0, arm);
    r3_add_cross(b->acc0, parent->w, arm_rate);
    for (int k = 0; k < b->nv; k++) {
        const real* w = b->S[k].on_parent ? parent->w : b->w;
        real rate[3];
        r3_cross(rate, w, b->S[k].angular);
        r3_add_scaled(b->alpha0, v[b->iv + k], rate);
        r3_cross(rate, w, b->S[k].linear);
        r3_add_scaled(b->acc0, v[b->iv + k], rate);
    }
}

void oracle_move(oracle* o, const real* q, const real* v) {
    oracle_body world;
    memset(&world, 0, sizeof world);
    r33_identity(world.R);
    for (int i = 0; i < o->n; i++) {
        oracle_body* b = &o->body[i];
        move_body(b, b->parent < 0 ? &world : &o->body[b->parent], q, v);
    }
}

void oracle_wrench_world_axes(oracle* o, int body, const real wrench[6]) {
    memcpy(o->body[body].f_ext, wrench, 6 * sizeof(real));
}

void oracle_wrench_body_axes(oracle* o, int body, const real wrench[6]) {
    oracle_body* b = &o->body[body];
    r3_apply(b->f_ext, b->R, wrench);
    r3_apply(b->f_ext + 3, b->R, wrench + 3);
}

void oracle_clear_wrenches(oracle* o) {
    for (int i = 0; i < o->n; i++) memset(o->body[i].f_ext, 0, sizeof o->body[i].f_ext);
}

void oracle_jacobian_world(const oracle* o, int body, real* J) {
    memset(J, 0, 6 * (size_t)o->nv * sizeof *J);
    for (int j = body; j >= 0; j = o->body[j].parent) {
        const oracle_body* b = &o->body[j];
        real arm[3];
        r3_sub(arm, o->body[body].p, b->p);
        for (int k = 0; k < b->nv; k++) {
            real linear[3];
            r3_copy(linear, b->S[k].linear);
            r3_add_cross(linear, b->S[k].angular, arm);
            for (int r = 0; r < 3; r++) {
                J[r * o->nv + b->iv + k] = b->S[k].angular[r];
                J[(3 + r) * o->nv + b->iv + k] = linear[r];
            }
        }
    }
}

void oracle_jacobian_body(const oracle* o, int body, real* J) {
    oracle_jacobian_world(o, body, J);
    for (int c = 0; c < o->nv; c++) {
        for (int half = 0; half < 2; half++) {
            real x[3];
            for (int r = 0; r < 3; r++) x[r] = J[(3 * half + r) * o->nv + c];
            r3_apply_transposed(x, o->body[body].R, x);
            for (int r = 0; r < 3; r++) J[(3 * half + r) * o->nv + c] = x[r];
        }
    }
}

void oracle_velocity(const oracle* o, int body, real twist[6]) {
    const oracle_body* b = &o->body[body];
    r3_apply_transposed(twist, b->R, b->w);
    r3_apply_transposed(twist + 3, b->R, b->v);
}

void oracle_acceleration(const oracle* o, int body, const real* qdd, real twist[6]) {
    const oracle_body* b = &o->body[body];
    real* J = malloc(6 * (size_t)o->nv * sizeof *J);
    real a[6];
    oracle_jacobian_world(o, body, J);
    r3_copy(a, b->alpha0);
    r3_copy(a + 3, b->acc0);
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < o->nv; c++) a[r] += J[r * o->nv + c] * qdd[c];
    free(J);
    // rate of the body components of the origin's velocity: R' (dv/dt - w x v)
    real turning[3];
    r3_cross(turning, b->w, b->v);
    r3_add_scaled(a + 3, -1, turning);
    r3_apply_transposed(twist, b->R, a);
    r3_apply_transposed(twist + 3, b->R, a + 3);
}
