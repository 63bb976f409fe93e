// SPDX-License-Identifier: Apache-2.0
// Rows of joints: limits and dry friction of the model's degrees of freedom. They act on the joints themselves where these
// have slots; else they are rows between the joint's body (a) and its parent (b).
//
// T is dual to the motion subspace, T'S = 1, so T'(v_child - X v_parent) = v_joint, and the wrenches T r on
// the child and their opposite on the parent are the joint force r and nothing else: J' r = e r exactly,
// whatever armature the joint has.
#include <string.h>

#include "contact/contact_set.h"

static bool has_limit(double value) { return isfinite(value); }

bool sni_joint_may_have_rows(const sn_model* model, int32_t joint, int32_t servos) {
    const sni_joint* j = &model->joint[joint];
    bool may = servos > 0;
    for (int32_t k = j->iv; k < j->iv + j->nv; k++)
        may = may || has_limit(model->dof.lower[k]) || has_limit(model->dof.upper[k]) ||
              model->dof.friction[k] > 0;
    return may;
}

int32_t sni_joint_rows_most(const sn_model* model) {
    int32_t count = 0;
    for (int32_t k = 0; k < model->nv; k++) {
        count += has_limit(model->dof.lower[k]);
        count += has_limit(model->dof.upper[k]);
        count += model->dof.friction[k] > 0;
    }
    return count;
}

/// Whether degree of freedom k turns.
static bool turns(const sni_joint* joint, int32_t k) {
    switch ((sn_joint_type)joint->type) {
    case SN_JOINT_REVOLUTE:
    case SN_JOINT_HELICAL:
    case SN_JOINT_UNIVERSAL:
    case SN_JOINT_SPHERICAL: return true;
    case SN_JOINT_CYLINDRICAL:
    case SN_JOINT_PLANAR: return k == 0;
    case SN_JOINT_FREE: return k < 3;
    case SN_JOINT_PRISMATIC:
    case SN_JOINT_FIXED:
    case SN_JOINT_TYPE_COUNT: break;
    }
    return false;
}

static bool is_limited(const sn_model* model, int32_t k) {
    return has_limit(model->dof.lower[k]) || has_limit(model->dof.upper[k]);
}

static double limit_or_none(double limit) { return has_limit(limit) ? limit : NAN; }

static sni_row_dof row_dof_make(const sn_contact_set* set, int32_t joint, int32_t k) {
    const sni_joint* j = &set->model->joint[joint];
    int32_t iv = j->iv + k;
    sni_row_dof made = {.joint = joint,
                        .dof = k,
                        .iq = j->iq,
                        .iv = iv,
                        .single = j->nv == 1,
                        .limited = is_limited(set->model, iv),
                        .scale = turns(j, k) ? set->length : 1,
                        .lower = limit_or_none(set->model->dof.lower[iv]),
                        .upper = limit_or_none(set->model->dof.upper[iv]),
                        .friction = set->model->dof.friction[iv]};
    for (int kind = 0; kind < SNI_JOINT_ROW_KINDS; kind++)
        made.id[kind] = sni_made_id(SNI_ID_JOINT, ((uint64_t)iv << 2) | (uint64_t)kind);
    return made;
}

void sni_row_dofs_make(sn_contact_set* set) {
    set->rowed_count = 0;
    for (int32_t i = 0; i < set->model->body_count; i++) {
        for (int32_t k = 0; k < set->model->joint[i].nv; k++) {
            sni_row_dof made = row_dof_make(set, i, k);
            set->row_dof[made.iv] = made;
            if (made.limited || made.friction > 0) set->rowed[set->rowed_count++] = made.iv;
        }
    }
}

// ---- the coordinate that is limited --------------------------------------------------------------------

/// A position and its rate over v of the joint: y' = sum rate[k] v[k].
typedef struct coordinate {
    double y;
    double rate[SN_JOINT_MAX_NV];
} coordinate;

static void store3(double* out, sn_vec3 x) { out[0] = x.x, out[1] = x.y, out[2] = x.z; }

static sn_vec3 unit(int32_t k) { return sn_vec3_make(k == 0, k == 1, k == 2); }

/// Component k of the rotation vector phi. phi' = (1 + [phi]x/2 + c [phi]x^2) w with w in body axes,
/// c = (1 - (t/2) cot(t/2))/t^2, t = |phi|; row k of that.
static void rotation_coordinate(const double* q, int32_t k, double* y, double rate[3]) {
    sn_vec3 phi = sn_quat_log(sn_quat_make(q[0], q[1], q[2], q[3])), e = unit(k);
    double t2 = sn_vec3_dot(phi, phi), half = 0.5 * sqrt(t2);
    const double small = 1e-3; // below, c is its series to rounding and the closed form cancels
    double c = half < small ? 1.0 / 12 + t2 / 720 : (1 - half * cos(half) / sin(half)) / t2;
    sn_vec3 row = sn_vec3_add(e, sn_vec3_scale(0.5, sn_vec3_cross(e, phi)));
    sn_vec3 twice = sn_vec3_cross(phi, sn_vec3_cross(phi, e));
    *y = sn_vec3_dot(e, phi);
    store3(rate, sn_vec3_add(row, sn_vec3_scale(c, twice)));
}

/// What limit k is about: the joint's coordinate; of quaternions the rotation vector; the position in the
/// joint frame of planar and free joints, whose v is in body axes. As many rates as the joint has.
static void coordinate_of(const sni_joint* joint, const double* q, int32_t k, coordinate* at) {
    sn_joint_type type = (sn_joint_type)joint->type;
    for (int32_t j = 0; j < joint->nv; j++) at->rate[j] = 0;
    if (type == SN_JOINT_SPHERICAL) {
        rotation_coordinate(q, k, &at->y, at->rate);
    } else if (type == SN_JOINT_FREE && k < 3) {
        rotation_coordinate(q + 3, k, &at->y, at->rate);
    } else if (type == SN_JOINT_FREE) {
        sn_mat3 R = sn_quat_matrix(sn_quat_make(q[3], q[4], q[5], q[6]));
        at->y = q[k - 3];
        store3(at->rate + 3, sn_mat3_row(R, k - 3));
    } else if (type == SN_JOINT_PLANAR && k > 0) {
        double c = cos(q[0]), s = sin(q[0]);
        at->y = q[k];
        at->rate[1] = k == 1 ? c : s;
        at->rate[2] = k == 1 ? -s : c;
    } else {
        at->y = q[k];
        at->rate[k] = 1;
    }
}

// ---- which ------------------------------------------------------------------------------------------------

static void choose(sn_contact_set* set, const sni_row_dof* dof, sni_joint_row_kind kind,
                   double gap) {
    set->joint_row[set->joint_row_count++] = (sni_joint_row){dof, kind, gap, NULL};
}

/// A limit matters when it is near, or when this step would reach it.
static void choose_limits(sn_contact_set* set, const sni_row_dof* dof, const double* q,
                          const double* v, double h) {
    double y = q[dof->iq], rate = v[dof->iv]; // where there is but one coordinate
    if (!dof->single) {
        const sni_joint* joint = &set->model->joint[dof->joint];
        coordinate at;
        coordinate_of(joint, q + dof->iq, dof->dof, &at);
        y = at.y;
        rate = 0;
        for (int32_t j = 0; j < joint->nv; j++) rate += at.rate[j] * v[joint->iv + j];
    }
    double near = set->options.limit_margin + h * fabs(rate);
    if (y - dof->lower <= near) choose(set, dof, SNI_LOWER, y - dof->lower);
    if (dof->upper - y <= near) choose(set, dof, SNI_UPPER, dof->upper - y);
}

static const sni_row_dof* servo_dof(const sn_contact_set* set, const sni_servo* servo) {
    return &set->row_dof[set->model->joint[servo->joint].iv + servo->dof];
}

void sni_joint_rows_choose(sn_contact_set* set, const sn_dynamics* d, const double* v_free,
                           double h) {
    bool limits = set->options.limits, dry = set->options.dry_friction,
         may_sleep = sni_may_sleep(d);
    set->joint_row_count = 0;
    for (int32_t i = 0; i < set->rowed_count; i++) {
        const sni_row_dof* dof = &set->row_dof[set->rowed[i]];
        int32_t joint = dof->joint;
        if (d->locked[joint] || (set->resting && set->resting[joint])) continue;
        if (may_sleep && !sn_dynamics_is_active(d, sn_body(joint))) continue;
        if (limits && dof->limited) choose_limits(set, dof, d->q, v_free, h);
        if (dry && dof->friction > 0) choose(set, dof, SNI_DRY, 0);
    }
    for (int32_t i = 0; i < set->servo_count;
         i++) { // the last rows; those of locked joints do nothing
        const sni_servo* servo = &set->servo[i];
        set->joint_row[set->joint_row_count++] =
            (sni_joint_row){servo_dof(set, servo), SNI_SERVO, 0, servo};
    }
}

void sni_contact_set_servos(sn_contact_set* set, const sni_servo* servos, int32_t count) {
    set->servo = servos;
    set->servo_count = count;
}

double sni_contact_set_servo_impulse(const sn_contact_set* set, int32_t i) {
    int32_t entry = set->rows.count - set->servo_count + i;
    return servo_dof(set, &set->servo[i])->scale * set->r[set->rows.first[entry]];
}

// ---- rows ---------------------------------------------------------------------------------------------------

/// Column k of T in the child's canonical axes. S is orthonormal but for the helical joint, of which the
/// turning part alone is taken: no metres are added to radians.
static sn_wrench dual(const sni_joint* joint, const sn_twist* S, int32_t k) {
    if (joint->type == SN_JOINT_HELICAL) return sn_wrench_make(S[0].w, sn_vec3_zero());
    return sn_wrench_make(S[k].w, S[k].v);
}

static sn_wrench to_user(sn_mat3 R_bc, sn_wrench f) {
    return sn_wrench_make(sn_mat3_apply(R_bc, f.n), sn_mat3_apply(R_bc, f.f));
}

/// Rows of child and parent that give `scale` times sum rate[k] v[k].
static void write_sides(const sn_contact_set* set, const sni_joint* joint, int32_t i,
                        const double* q, const double* rate, double scale, double* C_a,
                        double* C_b) {
    sn_twist S[SN_JOINT_MAX_NV];
    sn_wrench T = sn_wrench_zero();
    sni_joint_subspace(joint, q, S);
    for (int32_t k = 0; k < joint->nv; k++)
        T = sn_wrench_add(T, sn_wrench_scale(scale * rate[k], dual(joint, S, k)));
    sni_row_store(to_user(set->model->R_bc[i], T), C_a);
    if (joint->parent < 0) return;
    sn_pose X_pc = sn_pose_mul(joint->X_pj, sni_joint_pose(joint, q));
    sn_wrench opposite = sn_wrench_scale(-1, sn_pose_wrench(X_pc, T));
    sni_row_store(to_user(set->model->R_bc[joint->parent], opposite), C_b);
}

static bool is_limit(const sni_joint_row* row) {
    return row->kind == SNI_LOWER || row->kind == SNI_UPPER;
}

/// What a row is about: rate[k] of its joint's velocities, as they are, not scaled.
static void row_coordinate(const sn_contact_set* set, const sni_joint_row* row, const double* q,
                           coordinate* at) {
    const sni_joint* joint = &set->model->joint[row->dof->joint];
    if (is_limit(row)) {
        coordinate_of(joint, q, row->dof->dof, at);
        return;
    }
    for (int32_t j = 0; j < joint->nv; j++) at->rate[j] = j == row->dof->dof;
}

/// By which velocities of the joint are multiplied in a row.
static double row_scale(const sni_joint_row* row) {
    return row->kind == SNI_UPPER ? -row->dof->scale : row->dof->scale;
}

void sni_joint_row_sides(const sn_contact_set* set, const sn_dynamics* d, const sni_joint_row* row,
                         double* C_a, double* C_b) {
    const sni_joint* joint = &set->model->joint[row->dof->joint];
    const double* q = d->q + joint->iq;
    coordinate at;
    row_coordinate(set, row, q, &at);
    write_sides(set, joint, row->dof->joint, q, at.rate, row_scale(row), C_a, C_b);
}

/// What a limit that is `gap` away, scaled, adds to q.
static double limit_shift(const sn_contact_set* set, double gap) {
    return (gap > 0 ? gap : set->options.penetration_factor * gap) / set->h;
}

double sni_limit_shift(const sn_contact_set* set, int32_t last, double moved) {
    const sni_joint_row* row = &set->joint_row[set->joint_row_count - last];
    return limit_shift(set, row->dof->scale * row->gap + moved);
}

/// Change of velocity that a servo asks for, h tau/give, no more than makes sure that it is at its bound: speeds far above
/// all others would let a solver stop before it has moved.
static double asked_change(const sn_contact_set* set, const sni_servo* servo, double scale) {
    const double SURE = 0.05; // m/s: velocities change less in a step, but for impacts
    double most = set->h * servo->bound / servo->give + SURE / scale;
    return fmax(-most, fmin(most, set->h * servo->tau / servo->give));
}

/// Law of a row, scaled; returns what is added to its speed.
static double write_law(const sn_contact_set* set, const sni_joint_row* row, sn_contact_law* law) {
    const sni_servo* servo = row->servo;
    double scale = row->dof->scale;
    switch (row->kind) {
    case SNI_LOWER:
    case SNI_UPPER: return limit_shift(set, scale * row->gap);
    case SNI_DRY:
        law->bound = set->h * row->dof->friction / scale;
        if (isfinite(law->bound)) return 0;
        law->kind = SN_CONTACT_EQUAL; // it never slides
        law->bound = 0;
        return 0;
    case SNI_SERVO: // r = h tau - give (v+ - v), so  v+ + r/give - (v + h tau/give) = 0
        law->bound = set->h * servo->bound / scale;
        law->compliance = scale * scale / servo->give;
        return -scale * (servo->speed + asked_change(set, servo, scale));
    case SNI_JOINT_ROW_KINDS: break;
    }
    return 0;
}

/// Rows of slots of joints, where the joint's numbers lie in one or two of them.
static void write_places(int32_t place, const sni_joint* joint, const double* rate, double scale,
                         sni_entry entry) {
    memset(entry.C_a, 0, 6 * sizeof *entry.C_a);
    memset(entry.C_b, 0, 6 * sizeof *entry.C_b);
    for (int32_t k = 0; k < joint->nv; k++) {
        double* C = (place + k) / 6 == place / 6 ? entry.C_a : entry.C_b;
        C[(place + k) % 6] = scale * rate[k];
    }
}

static sni_entry push_entry(sn_contact_set* set, const sni_joint_row* row, int32_t a, int32_t b) {
    return sni_rows_push(&set->rows, is_limit(row) ? SN_CONTACT_LIMIT : SN_CONTACT_DRY, 1,
                         row->dof->id[row->kind], a, b);
}

/// Entry of a joint that has but one number, in a slot of joints. `u`: what it says of v_free.
static sni_entry write_single(sn_contact_set* set, const sni_joint_row* row, const double* v_free,
                              double* u) {
    int32_t place = set->bodies.place[row->dof->joint], slot = place / 6;
    double scale = row_scale(row);
    sni_entry entry = push_entry(set, row, slot, -1);
    memset(entry.C_a, 0, 6 * sizeof *entry.C_a);
    entry.C_a[place - 6 * slot] = scale;
    *u = scale * v_free[row->dof->iv];
    return entry;
}

/// Entry of any joint, in slots of joints or of bodies.
static sni_entry write_any(sn_contact_set* set, const sn_dynamics* d, const sni_joint_row* row,
                           const double* v_free, double* u) {
    const sni_set_bodies* bodies = &set->bodies;
    int32_t i = row->dof->joint, place = bodies->place[i];
    const sni_joint* joint = &set->model->joint[i];
    const double* q = d->q + joint->iq;
    double scale = row_scale(row);
    coordinate at;
    sni_entry entry;
    row_coordinate(set, row, q, &at);
    if (bodies->by_joints) {
        int32_t a = place / 6, last = (place + joint->nv - 1) / 6;
        entry = push_entry(set, row, a, last > a ? last : -1);
        write_places(place, joint, at.rate, scale, entry);
    } else {
        int32_t parent = joint->parent < 0 ? -1 : bodies->slot[joint->parent];
        entry = push_entry(set, row, bodies->slot[i], parent);
        write_sides(set, joint, i, q, at.rate, scale, entry.C_a, entry.C_b);
    }
    *u = 0;
    for (int32_t k = 0; k < joint->nv; k++) *u += scale * at.rate[k] * v_free[joint->iv + k];
    return entry;
}

static void push_position(sn_contact_set* set, const sni_joint_row* limit, const sni_entry* entry) {
    double q =
        sni_position_gap(set, limit->dof->scale * limit->gap, set->options.penetration_factor);
    sni_positions_push(set, entry, &q, 1);
}

static void write_row(sn_contact_set* set, const sn_dynamics* d, const sni_joint_row* row,
                      const double* v_free) {
    bool limit = is_limit(row), single = row->dof->single && set->bodies.by_joints;
    double u;
    sni_entry entry =
        single ? write_single(set, row, v_free, &u) : write_any(set, d, row, v_free, &u);
    double shift = write_law(set, row, entry.law);
    if (limit) push_position(set, row, &entry);
    set->u_free[entry.row] = u;
    set->u_work[entry.row] = u + (limit ? fmin(shift, 0) : shift);
    entry.q[0] = u + shift;
}

void sni_set_joint_rows(sn_contact_set* set, const sn_dynamics* d, const double* v_free) {
    for (int32_t k = 0; k < set->joint_row_count; k++)
        write_row(set, d, &set->joint_row[k], v_free);
}
