// SPDX-License-Identifier: Apache-2.0
// Rows of the contacts of a set: normal, two tangents, and for a patch how it turns about them.
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

static double gap_of(const sn_contact_set* set, const sn_contact* contact) {
    bool touching = contact->gap > 0 && contact->gap <= TOUCHING * set->options.slop;
    return touching ? 0 : contact->gap;
}

/// What the gap adds to q_n. A skin pushes as a spring when it is pressed; before it is touched its damper
/// must not brake, so there it is a gap like any other.
static double gap_shift(const sn_contact_set* set, const sn_contact* contact) {
    double gap = gap_of(set, contact);
    if (gap > 0) return gap / set->h;
    if (is_rigid(contact)) return set->options.penetration_factor * gap / set->h;
    const sn_material* m = &contact->material;
    return gap * sni_spring_make(m->stiffness, m->damping, set->h).pull;
}

double sni_contact_shift(const sn_contact_set* set, const sn_contact* contact, double moved) {
    sn_contact then = *contact;
    then.gap += moved;
    return gap_shift(set, &then);
}

/// Newton's restitution: u_n >= -e u_n^- where the bodies meet fast enough, and in this step. Across a gap
/// they bounce at its far side: the impact is somewhere within the step. What forces press them together with
/// in the step they do so after the impact as well: otherwise a ball would gain the height it rises in a step.
static double bounce_of(const sn_contact_set* set, const sn_contact* contact, double u_before,
                        double u_free, double shift, double pressed, double threshold) {
    double e = contact->material.restitution;
    if (!(e > 0) || !is_rigid(contact) || !(u_before < -threshold)) return 0;
    if (gap_of(set, contact) + set->h * u_free > 0) return 0;
    return lesser(lesser(e * u_before - pressed, 0) - shift, 0);
}

/// R' x.
static sni_lane4 turned_back(const sn_mat3* R, sn_vec3 x) {
    return x.x * sni_load4(R->m[0]) + x.y * sni_load4(R->m[1]) + x.z * sni_load3(R->m[2]);
}

static void store3(double* to, sni_lane4 x) { to[0] = x[0], to[1] = x[1], to[2] = x[2]; }

static double sum3(sni_lane4 x) { return x[0] + x[1] + x[2]; }

/// Rows of one side, `sign` times, and what they say of the velocity without impulses: as sni_row_move and
/// sni_row_turn, all at once. Returns what the first says of the velocity before.
static double write_side(const sn_contact_set* set, const sn_contact* contact, int32_t slot,
                         double sign, bool patch, double* C, double* u) {
    if (slot < 0) return 0;
    const sn_pose* X_wb = &set->bodies.pose[slot];
    const sn_twist *v = &set->bodies.free[slot], *before = &set->bodies.before[slot];
    const sn_vec3* axis[3] = {&contact->n, &contact->t1, &contact->t2};
    sni_lane4 r = turned_back(&X_wb->R, sn_vec3_sub(contact->x, X_wb->p));
    sni_lane4 v_w = sni_load3(&v->w.x), v_v = sni_load3(&v->v.x);
    double u_before = 0;
    for (int k = 0; k < 3; k++) {
        sni_lane4 d = sign * turned_back(&X_wb->R, *axis[k]), moment = sni_cross4(r, d);
        store3(C + (ptrdiff_t)6 * k, moment);
        store3(C + (ptrdiff_t)6 * k + 3, d);
        u[k] += sum3(moment * v_w + d * v_v);
        if (k == 0) u_before = sum3(moment * sni_load3(&before->w.x) + d * sni_load3(&before->v.x));
    }
    for (int k = 0; patch && k < 3; k++) {
        double* row = C + (ptrdiff_t)6 * (3 + k);
        const double* d = C + (ptrdiff_t)6 * k + 3;
        sn_wrench turns = sn_wrench_make(sn_vec3_scale(set->length, sn_vec3_make(d[0], d[1], d[2])),
                                         sn_vec3_zero());
        sni_row_store(turns, row);
        u[3 + k] += sn_power(turns, *v);
    }
    return u_before;
}

static int32_t slot_of(const sn_contact_set* set, sn_body_id body) {
    return body.i < 0 ? -1 : set->bodies.slot[body.i];
}

static void write_contact(sn_contact_set* set, int32_t i, double threshold) {
    const sn_contact* contact = &set->contact[i];
    int32_t a = slot_of(set, contact->a), b = slot_of(set, contact->b);
    bool patch = is_patch(contact);
    int32_t rows = patch ? 6 : 3;
    sni_entry entry = sni_rows_push(&set->rows, patch ? SN_CONTACT_PATCH : SN_CONTACT_POINT, rows,
                                    contact->id, a, b);
    write_law(set, contact, entry.law);
    double u[SN_CONTACT_ROWS_MAX] = {0};
    double u_before = write_side(set, contact, a, 1, patch, entry.C_a, u);
    u_before += write_side(set, contact, b, -1, patch, entry.C_b, u);
    sni_copy_rows(entry.q, u, rows);
    sni_copy_rows(set->u_free + entry.row, u, rows);
    sni_copy_rows(set->u_work + entry.row, u, rows);
    double shift = gap_shift(set, contact);
    set->pressed[i] = lesser(entry.q[0] - u_before, 0);
    set->bounce[i] =
        bounce_of(set, contact, u_before, entry.q[0], shift, set->pressed[i], threshold);
    set->u_work[entry.row] += lesser(shift, 0);
    if (gap_of(set, contact) > 0 &&
        entry.q[0] + shift > 0) // does not touch in this step: it does not drag
        entry.law->viscous = 0;
    entry.q[0] += shift + set->bounce[i];
    if (!is_rigid(contact)) return; // its overlap is how it pushes
    *sni_positions_push(set, &entry, 1, SN_CONTACT_LIMIT) =
        sni_position_gap(set, contact->gap, set->options.penetration_factor);
}

SN_HOT void sni_set_contact_rows(sn_contact_set* set, double threshold) {
    for (int32_t i = 0; i < set->contact_count; i++) write_contact(set, i, threshold);
}
