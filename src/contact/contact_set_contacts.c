// SPDX-License-Identifier: Apache-2.0
// Rows of the contacts of a set: normal, two tangents, and for a patch how it turns about them.
#include "contact/contact_set.h"

static bool is_patch(const sn_contact* contact) {
    return contact->material.spin > 0 || contact->material.roll > 0;
}

static bool is_rigid(const sn_contact* contact) { return contact->material.stiffness == INFINITY; }

static sn_contact_law law_of(const sn_contact_set* set, const sn_contact* contact) {
    const sn_material* m = &contact->material;
    bool patch = is_patch(contact);
    sn_contact_law law = sn_contact_law_make(patch ? SN_CONTACT_PATCH : SN_CONTACT_POINT);
    law.mu = m->mu;
    law.mu_kinetic = m->mu_kinetic;
    law.stribeck_speed = m->stribeck_speed;
    law.viscous = set->h * m->viscous;
    law.spin = m->spin / set->length;
    law.roll = m->roll / set->length;
    law.carries = patch && contact->carries;
    if (!is_rigid(contact))
        law.compliance = sni_spring_make(m->stiffness, m->damping, set->h).compliance;
    return law;
}

/// What the gap adds to q_n. A skin pushes as a spring when it is pressed; before it is touched its damper
/// must not brake, so there it is a gap like any other.
static double gap_shift(const sn_contact_set* set, const sn_contact* contact) {
    if (contact->gap > 0) return contact->gap / set->h;
    if (is_rigid(contact)) return set->options.penetration_factor * contact->gap / set->h;
    const sn_material* m = &contact->material;
    return contact->gap * sni_spring_make(m->stiffness, m->damping, set->h).pull;
}

/// Newton's restitution: u_n >= -e u_n^- where the bodies meet fast enough, and in this step. Across a gap
/// they bounce at its far side: the impact is somewhere within the step.
static double bounce_of(const sn_contact_set* set, const sn_contact* contact, double u_before,
                        double u_free, double shift, double threshold) {
    double e = contact->material.restitution;
    if (!(e > 0) || !is_rigid(contact) || !(u_before < -threshold)) return 0;
    if (contact->gap + set->h * u_free > 0) return 0;
    return fmin(e * u_before - shift, 0);
}

static void write_side(const sn_contact_set* set, const sn_contact* contact, int32_t slot,
                       double sign, double* C) {
    const sn_vec3 axis[3] = {contact->n, contact->t1, contact->t2};
    for (int k = 0; k < 3; k++)
        sni_row_move(&set->bodies, slot, contact->x, axis[k], sign, C + (ptrdiff_t)6 * k);
    if (!is_patch(contact)) return;
    for (int k = 0; k < 3; k++)
        sni_row_turn(&set->bodies, slot, axis[k], sign * set->length, C + (ptrdiff_t)6 * (3 + k));
}

static int32_t slot_of(const sn_contact_set* set, sn_body_id body) {
    return body.i < 0 ? -1 : set->bodies.slot[body.i];
}

static void write_contact(sn_contact_set* set, int32_t i, double threshold) {
    const sn_contact* contact = &set->contact[i];
    sn_contact_law law = law_of(set, contact);
    int32_t a = slot_of(set, contact->a), b = slot_of(set, contact->b);
    sni_entry entry = sni_rows_push(&set->rows, &law, contact->id, a, b);
    write_side(set, contact, a, 1, entry.C_a);
    write_side(set, contact, b, -1, entry.C_b);
    for (int32_t k = 0; k < law.rows; k++) {
        double u = sni_row_speed(&set->rows, entry.index, k, set->bodies.free);
        set->u_free[entry.row + k] = set->u_work[entry.row + k] = entry.q[k] = u;
    }
    double shift = gap_shift(set, contact);
    double u_before = sni_row_speed(&set->rows, entry.index, 0, set->bodies.before);
    set->bounce[i] = bounce_of(set, contact, u_before, entry.q[0], shift, threshold);
    set->u_work[entry.row] += fmin(shift, 0);
    if (contact->gap > 0 && entry.q[0] + shift > 0) // does not touch in this step: it does not drag
        set->rows.law[entry.index].viscous = 0;
    entry.q[0] += shift + set->bounce[i];
    if (!is_rigid(contact)) return; // its overlap is how it pushes
    sni_entry position = sni_positions_push(set, entry, 0, 1, SN_CONTACT_LIMIT);
    position.q[0] = sni_position_gap(set, contact->gap, set->options.penetration_factor);
}

void sni_set_contact_rows(sn_contact_set* set, double threshold) {
    for (int32_t i = 0; i < set->contact_count; i++) write_contact(set, i, threshold);
}
