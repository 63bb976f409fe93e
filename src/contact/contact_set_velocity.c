// SPDX-License-Identifier: Apache-2.0
// Velocities in the axes of the beginning of a step. v of free and planar joints is in body axes, which turn
// during the step: v + h qdd is seen from the axes at its end, J from those at its beginning. The mismatch
// h w x v is as large as what gravity does in a step, and grows with the speed of whoever looks; so the
// linear part stays in the first axes until the impulses are known, and is turned afterwards.
//
// Of a body alone the whole momentum is treated so: p+ = p + h f in the frame at the beginning, which stands still, and
// what the body carries on is p+ seen from where it went. Momentum is kept to rounding, and however fast
// it spins, energy stays bounded; w + h qdd would diverge once w h is of order one.
#include "contact/contact_set.h"

static sn_vec3 get3(const double* a) { return sn_vec3_make(a[0], a[1], a[2]); }
static void put3(double* a, sn_vec3 x) { a[0] = x.x, a[1] = x.y, a[2] = x.z; }

static sn_twist get_twist(const double* a) { return sn_twist_make(get3(a), get3(a + 3)); }

/// x with A x = b, A symmetric.
static sn_vec3 solve3(sn_mat3 A, sn_vec3 b) {
    sn_vec3 r0 = sn_mat3_column(A, 0), r1 = sn_mat3_column(A, 1), r2 = sn_mat3_column(A, 2);
    sn_vec3 c0 = sn_vec3_cross(r1, r2), c1 = sn_vec3_cross(r2, r0), c2 = sn_vec3_cross(r0, r1);
    double k = 1 / sn_vec3_dot(r0, c0);
    return sn_vec3_make(k * sn_vec3_dot(c0, b), k * sn_vec3_dot(c1, b), k * sn_vec3_dot(c2, b));
}

/// v + h I^-1 f, out of qdd = I^-1 (f - v x* I v): of the centre of mass, and about it.
static void free_velocity_alone(const sn_inertia* I, double h, const double* v, const double* qdd,
                                double* v_free) {
    sn_twist now = get_twist(v), rate = get_twist(qdd);
    sn_vec3 spin = solve3(I->I, sn_vec3_cross(now.w, sn_mat3_apply(I->I, now.w)));
    sn_vec3 w_rate = sn_vec3_add(rate.w, spin);
    // acceleration of the origin as seen from axes that stand still, less what w_rate has more than rate.w
    sn_vec3 v_rate =
        sn_vec3_sub(sn_vec3_add(rate.v, sn_vec3_cross(now.w, now.v)), sn_vec3_cross(spin, I->com));
    sn_vec3 inward = sn_vec3_cross(now.w, sn_vec3_cross(now.w, I->com));
    put3(v_free, sn_vec3_add(now.w, sn_vec3_scale(h, w_rate)));
    put3(v_free + 3, sn_vec3_add(now.v, sn_vec3_scale(h, sn_vec3_add(v_rate, inward))));
}

void sni_contact_free_velocity(const sn_model* model, const int32_t* joints, int32_t count,
                               const double* v, const double* qdd, double h, double* v_free) {
    for (int32_t i = 0; i < count; i++) {
        int32_t b = joints ? joints[i] : i;
        const sni_joint* joint = &model->joint[b];
        const double *old = v + joint->iv, *rate = qdd + joint->iv;
        double* out = v_free + joint->iv;
        if (joint->nv == 1) { // most have
            out[0] = old[0] + h * rate[0];
            continue;
        }
        if (joint->alone) {
            free_velocity_alone(&model->body[b].inertia, h, old, rate, out);
            continue;
        }
        sn_vec3 turned = sn_vec3_zero(); // w x v
        if (joint->type == SN_JOINT_FREE) turned = sn_vec3_cross(get3(old), get3(old + 3));
        if (joint->type == SN_JOINT_PLANAR)
            turned = sn_vec3_make(-old[0] * old[2], old[0] * old[1], 0);
        for (int k = 0; k < joint->nv; k++) out[k] = old[k] + h * rate[k];
        if (joint->type == SN_JOINT_FREE)
            put3(out + 3, sn_vec3_add(get3(out + 3), sn_vec3_scale(h, turned)));
        if (joint->type == SN_JOINT_PLANAR) out[1] += h * turned.x, out[2] += h * turned.y;
    }
}

void sn_contact_free_velocity(const sn_model* model, const double* v, const double* qdd, double h,
                              double* v_free) {
    sni_contact_free_velocity(model, NULL, model->body_count, v, qdd, h, v_free);
}

/// Moves a free joint: its body turns by `turn`, its origin goes to `shift`, seen from where it was. What does not turn
/// keeps its bits.
static void move_free(sn_quat turn, sn_vec3 shift, double* q) {
    sn_quat r = sn_quat_make(q[3], q[4], q[5], q[6]);
    put3(q, sn_vec3_add(get3(q), sn_mat3_apply(sn_quat_matrix(r), shift)));
    if (turn.x == 0 && turn.y == 0 && turn.z == 0) return;
    r = sn_quat_normalized(sn_quat_mul(r, turn));
    q[3] = r.w, q[4] = r.x, q[5] = r.y, q[6] = r.z;
}

// Linear parts go straight on in the axes of the beginning, so what (+) would bend on the way is taken back.

static void end_free(double h, const double* moved, double* q, double* v) {
    sn_quat turn = sn_quat_exp(sn_vec3_scale(h, get3(moved)));
    move_free(turn, sn_vec3_scale(h, get3(moved + 3)), q);
    sn_mat3 R = sn_quat_matrix(turn);
    put3(v, sn_mat3_apply_transposed(R, get3(v)));
    put3(v + 3, sn_mat3_apply_transposed(R, get3(v + 3)));
}

/// The angular velocity that momentum L has in axes that have turned by R.
static sn_vec3 spin_of(const sn_inertia* I, sn_mat3 R, sn_vec3 L) {
    return solve3(I->I, sn_mat3_apply_transposed(R, L));
}

/// The centre of mass goes straight on, and momentum about it stays. The body turns at the mean of its angular velocity
/// before and after, which keeps its energy, too: then I (w' - w) is across the mean. At the first alone
/// a body that wobbles would gain energy of the second order in w h.
static void end_alone(const sn_inertia* I, double h, const double* moved, double* q, double* v) {
    static const double SAME = 1e-10; // rad a step
    enum { SWEEPS_MOST = 12 }; // a body that turns by more than a radian a step does not settle
    sn_twist m = get_twist(moved), now = get_twist(v);
    sn_vec3 L = sn_mat3_apply(I->I, now.w), way = sn_vec3_scale(h, m.w), w = now.w;
    sn_vec3 wobble = sn_vec3_zero();
    sn_quat turn;
    sn_mat3 R;
    for (int sweep = 0; sweep < SWEEPS_MOST; sweep++) {
        turn = sn_quat_exp(sn_vec3_add(way, wobble));
        R = sn_quat_matrix(turn);
        w = spin_of(I, R, L);
        sn_vec3 last = wobble;
        wobble = sn_vec3_scale(0.5 * h, sn_vec3_sub(w, now.w));
        if (sn_vec3_norm(sn_vec3_sub(wobble, last)) <= SAME) break;
    }
    sn_vec3 centre = sn_vec3_scale(h, sn_vec3_add(m.v, sn_vec3_cross(m.w, I->com)));
    move_free(turn, sn_vec3_sub(sn_vec3_add(centre, I->com), sn_mat3_apply(R, I->com)), q);
    sn_vec3 v_com = sn_vec3_add(now.v, sn_vec3_cross(now.w, I->com));
    put3(v, w);
    put3(v + 3, sn_vec3_sub(sn_mat3_apply_transposed(R, v_com), sn_vec3_cross(w, I->com)));
}

static void end_planar(const sni_joint* joint, double h, const double* moved, double* q,
                       double* v) {
    double from[SN_JOINT_MAX_NQ], dq[SN_JOINT_MAX_NV];
    const double to[3] = {h * moved[0], h * moved[1], h * moved[2]};
    sni_joint_neutral(SN_JOINT_PLANAR, from);
    sni_joint_difference(joint, from, to, dq);
    sni_joint_integrate(joint, q, dq, q);
    double c = cos(to[0]), s = sin(to[0]), x = v[1], y = v[2];
    v[1] = c * x + s * y;
    v[2] = -s * x + c * y;
}

static void end_other(const sni_joint* joint, double h, const double* moved, double* q) {
    double dq[SN_JOINT_MAX_NV];
    for (int k = 0; k < joint->nv; k++) dq[k] = h * moved[k];
    sni_joint_integrate(joint, q, dq, q);
}

void sni_contact_end_step(const sn_model* model, const int32_t* joints, int32_t count, double h,
                          const double* v_plus, const double* w, double* q, double* v) {
    for (int32_t i = 0; i < count; i++) {
        int32_t b = joints ? joints[i] : i;
        const sni_joint* joint = &model->joint[b];
        double moved[SN_JOINT_MAX_NV];
        double *q_b = q + joint->iq, *v_b = v + joint->iv;
        if (joint->nv == 1) { // most have
            v_b[0] = v_plus[joint->iv];
            q_b[0] += h * (v_b[0] + (w ? w[joint->iv] : 0));
            continue;
        }
        for (int k = 0; k < joint->nv; k++) {
            v_b[k] = v_plus[joint->iv + k];
            moved[k] = v_b[k] + (w ? w[joint->iv + k] : 0);
        }
        if (joint->alone)
            end_alone(&model->body[b].inertia, h, moved, q_b, v_b);
        else if (joint->type == SN_JOINT_FREE)
            end_free(h, moved, q_b, v_b);
        else if (joint->type == SN_JOINT_PLANAR)
            end_planar(joint, h, moved, q_b, v_b);
        else
            end_other(joint, h, moved, q_b);
    }
}

void sn_contact_end_step(const sn_model* model, double h, const double* v_plus, const double* w,
                         double* q, double* v) {
    sni_contact_end_step(model, NULL, model->body_count, h, v_plus, w, q, v);
}
