// SPDX-License-Identifier: Apache-2.0
// Materials and frames of contacts.
#include "sinew/contact_set.h"

sn_material sn_material_default(void) {
    return (sn_material){.mu = 0.5, .mu_kinetic = 0.5, .stiffness = INFINITY};
}

// Two skins in series deform in the ratio of their compliances while the load changes slowly, so of the
// whole rate the share k2/(k1 + k2) is the first one's: what is dissipated is d1 share1^2 + d2 share2^2.
static void put_in_series(const sn_material* a, const sn_material* b, sn_material* out) {
    out->stiffness = b->stiffness;
    out->damping = b->damping;
    if (a->stiffness == INFINITY) return;
    double of_a = b->stiffness == INFINITY ? 1 : 1 / (1 + a->stiffness / b->stiffness);
    out->stiffness = of_a * a->stiffness;
    out->damping = of_a * of_a * a->damping;
    if (b->stiffness != INFINITY) out->damping += (1 - of_a) * (1 - of_a) * b->damping;
}

sn_material sn_material_combine(sn_material a, sn_material b) {
    sn_material m = {
        .mu = sqrt(a.mu * b.mu),
        .mu_kinetic = sqrt(a.mu_kinetic * b.mu_kinetic),
        .stribeck_speed = fmax(a.stribeck_speed, b.stribeck_speed),
        .viscous = fmax(a.viscous, b.viscous),
        .restitution = fmax(a.restitution, b.restitution),
        .spin = fmax(a.spin, b.spin),
        .roll = fmax(a.roll, b.roll),
    };
    put_in_series(&a, &b, &m);
    return m;
}

// The shortest turn that takes z to n takes x and y to t1 and t2. 1 + n.z would cancel near n = -z, where
// the unit length of n gives it by a quotient.
void sn_contact_frame(sn_vec3 n, sn_vec3* t1, sn_vec3* t2) {
    double up = n.z >= 0 ? 1 + n.z : (n.x * n.x + n.y * n.y) / (1 - n.z);
    if (!(up > 0)) { // n = -z: half a turn about x
        *t1 = sn_vec3_make(1, 0, 0);
        *t2 = sn_vec3_make(0, -1, 0);
        return;
    }
    double xy = -n.x * n.y / up;
    *t1 = sn_vec3_make(1 - n.x * n.x / up, xy, -n.x);
    *t2 = sn_vec3_make(xy, 1 - n.y * n.y / up, -n.y);
}

sn_contact sn_contact_make(uint64_t id, sn_body_id a, sn_body_id b, sn_vec3 x, sn_vec3 n,
                           double gap, sn_material material) {
    sn_contact contact = {
        .id = id, .a = a, .b = b, .x = x, .n = n, .gap = gap, .material = material};
    sn_contact_frame(n, &contact.t1, &contact.t2);
    return contact;
}
