// SPDX-License-Identifier: Apache-2.0
// Rows of the contacts of a set: normal, two tangents, and for a patch how it turns about them.
#include <string.h>

#include "base/hot.h"
#include "contact/contact_set.h"
#include "math/lane4.h"

// Part of the slop: surfaces nearer than this touch. Where bodies rest on more points than they need, gaps of 1e-8 m would
// decide from step to step who carries them.
static const double TOUCHING = 0.1;

static bool is_patch(const sn_contact* contact) {
    return contact->material.spin > 0 || contact->material.roll > 0;
}

static bool is_rigid(const sn_contact* contact) { return contact->material.stiffness == INFINITY; }

static void write_law(const sn_contact_set* set, const sn_contact* contact, sn_contact_law* law) {
    const sn_material* m = &contact->material;
    law->mu = m->mu;
    law->mu_kinetic = m->mu_kinetic;
    law->stribeck_speed = m->stribeck_speed;
    law->viscous = set->h * m->viscous;
    if (law->kind == SN_CONTACT_PATCH) {
        law->spin = m->spin / set->length;
        law->roll = m->roll / set->length;
        law->carries = contact->carries;
    }
    if (!is_rigid(contact))
        law->compliance = sni_spring_make(m->stiffness, m->damping, set->h).compliance;
}

static double lesser(double a, double b) { return a < b ? a : b; }

static double gap_of(const sn_contact_set* set, double gap) {
    bool touching = gap > 0 && gap <= TOUCHING * set->options.slop;
    return touching ? 0 : gap;
}

/// What a gap adds to q_n. A skin pushes as a spring when it is pressed; before it is touched its damper
/// must not brake, so there it is a gap like any other.
static double gap_shift(const sn_contact_set* set, const sn_contact* contact, double gap) {
    if (gap > 0) return gap / set->h;
    if (is_rigid(contact)) return set->options.penetration_factor * gap / set->h;
    const sn_material* m = &contact->material;
    return gap * sni_spring_make(m->stiffness, m->damping, set->h).pull;
}

double sni_contact_shift(const sn_contact_set* set, const sn_contact* contact, double moved) {
    return gap_shift(set, contact, gap_of(set, contact->gap + moved));
}

/// Newton's restitution: u_n >= -e u_n^- where the bodies meet fast enough, and in this step. Across a gap
/// they bounce at its far side: the impact is somewhere within the step. What forces press them together with
/// in the step they do so after the impact as well: otherwise a ball would gain the height it rises in a step.
static double bounce_of(const sn_contact_set* set, const sn_contact* contact, double gap,
                        double u_before, double u_free, double shift, double pressed,
                        double threshold) {
    double e = contact->material.restitution;
    if (!(e > 0) || !is_rigid(contact) || !(u_before < -threshold)) return 0;
    if (gap + set->h * u_free > 0) return 0;
    return lesser(lesser(e * u_before - pressed, 0) - shift, 0);
}

/// R' x; lane 3 means nothing, as in all that follows.
static sni_lane4 turned_back(const sn_pose* X_wb, sn_vec3 x) {
    const double* R = &X_wb->R.m[0][0];
    return x.x * sni_load4(R) + x.y * sni_load4(R + 3) + x.z * sni_load4(R + 6);
}

/// Three numbers and whatever: what is behind them is written later.
static void store_over(double* to, sni_lane4 x) { memcpy(to, &x, sizeof x); }

/// Linear part of a twist.
static sni_lane4 linear(const sn_twist* v) {
    sni_lane4 last = sni_load4(&v->w.z);
    return __builtin_shufflevector(last, last, 1, 2, 3, 3);
}

/// What a row, `moment` and `d`, says of a velocity: the sum of the first three lanes.
static sni_lane4 powers(sni_lane4 moment, sni_lane4 d, const sn_twist* v) {
    return moment * sni_load4(&v->w.x) + d * linear(v);
}

/// What three rows say of the velocity without impulses, and the first one of the velocity before.
typedef sni_lane4 speeds;

/// Rows of one side, `sign` times: as sni_row_move, all at once.
static speeds write_side(const sn_contact_set* set, const sn_contact* contact, int32_t slot,
                         double sign, double* C) {
    if (slot < 0) return sni_lane4_zero();
    const sn_pose* X_wb = &set->bodies.pose[slot];
    const sn_twist *v = &set->bodies.free[slot], *before = &set->bodies.before[slot];
    const sn_vec3* axis[3] = {&contact->n, &contact->t1, &contact->t2};
    sni_lane4 r = turned_back(X_wb, sn_vec3_sub(contact->x, X_wb->p)), said[4];
    for (int k = 0; k < 3; k++) {
        sni_lane4 d = sign * turned_back(X_wb, *axis[k]), moment = sni_cross4(r, d);
        store_over(C + (ptrdiff_t)6 * k, moment);
        store_over(C + (ptrdiff_t)6 * k + 3, d);
        said[k] = powers(moment, d, v);
        if (k == 0) said[3] = powers(moment, d, before);
    }
    sni_transpose4(&said[0], &said[1], &said[2], &said[3]);
    return said[0] + said[1] + said[2];
}

/// The rows by which a patch turns, as sni_row_turn: its axes are those of the rows before.
static void write_turns(const sn_contact_set* set, int32_t slot, double* C, double* u) {
    if (slot < 0) return;
    for (int k = 0; k < 3; k++, C += 6) {
        sn_vec3 d = sni_row_wrench(C).f;
        sn_wrench turns = sn_wrench_make(sn_vec3_scale(set->length, d), sn_vec3_zero());
        sni_row_store(turns, C + 18);
        u[k] += sn_power(turns, set->bodies.free[slot]);
    }
}

static int32_t slot_of(const sn_contact_set* set, sn_body_id body) {
    return body.i < 0 ? -1 : set->bodies.slot[body.i];
}

static void write_contact(sn_contact_set* set, int32_t i, double threshold) {
    const sn_contact* contact = &set->contact[i];
    int32_t a = slot_of(set, contact->a), b = slot_of(set, contact->b);
    bool patch = is_patch(contact);
    sni_entry entry = sni_rows_push(&set->rows, patch ? SN_CONTACT_PATCH : SN_CONTACT_POINT,
                                    patch ? 6 : 3, contact->id, a, b);
    write_law(set, contact, entry.law);
    double *u_free = set->u_free + entry.row, *u_work = set->u_work + entry.row;
    speeds u =
        write_side(set, contact, a, 1, entry.C_a) + write_side(set, contact, b, -1, entry.C_b);
    store_over(entry.q, u);
    store_over(u_free, u);
    store_over(u_work, u);
    if (patch) {
        double turning[3] = {0};
        write_turns(set, a, entry.C_a, turning);
        write_turns(set, b, entry.C_b, turning);
        for (int k = 0; k < 3; k++) entry.q[3 + k] = u_free[3 + k] = u_work[3 + k] = turning[k];
    }
    double gap = gap_of(set, contact->gap), shift = gap_shift(set, contact, gap);
    double pressed = lesser(u[0] - u[3], 0);
    double bounce = bounce_of(set, contact, gap, u[3], u[0], shift, pressed, threshold);
    set->pressed[i] = pressed;
    set->bounce[i] = bounce;
    u_work[0] = u[0] + lesser(shift, 0);
    entry.q[0] = u[0] + (shift + bounce);
    if (gap > 0 && u[0] + shift > 0) // does not touch in this step: it does not drag
        entry.law->viscous = 0;
    if (!is_rigid(contact)) return; // its overlap is how it pushes
    double q = sni_position_gap(set, contact->gap, set->options.penetration_factor);
    sni_positions_push(set, &entry, &q, 1);
}

SN_HOT void sni_set_contact_rows(sn_contact_set* set, double threshold) {
    for (int32_t i = 0; i < set->contact_count; i++) write_contact(set, i, threshold);
}
