// SPDX-License-Identifier: Apache-2.0
// Frames of contacts.
#include "sinew/contact_point.h"

/// The mirror that takes s to -n takes u and w, which make a right-handed frame with s, to t1 and t2.
static void mirror_frame(sn_vec3 n, sn_vec3* t1, sn_vec3* t2) {
    static const sn_vec3 s = {2.0 / 7, 3.0 / 7, 6.0 / 7}, u = {3.0 / 7, -6.0 / 7, 2.0 / 7},
                         w = {6.0 / 7, 2.0 / 7, -3.0 / 7};
    sn_vec3 k = sn_vec3_add(n, s);
    double twice = 2 / sn_vec3_dot(k, k);
    *t1 = sn_vec3_sub(u, sn_vec3_scale(twice * sn_vec3_dot(k, u), k));
    *t2 = sn_vec3_sub(w, sn_vec3_scale(twice * sn_vec3_dot(k, w), k));
}

// Impulses of the last step mean something in the next only while frames stay as they are. No frame is
// continuous everywhere; this one jumps around n = -s, where few surfaces face, and not at -z, where every
// second one does.
void sn_contact_frame(sn_vec3 n, sn_vec3* t1, sn_vec3* t2) {
    const double NEAR = -0.99; // of s.n: beyond, the mirror loses digits
    if ((2 * n.x + 3 * n.y + 6 * n.z) / 7 > NEAR) {
        mirror_frame(n, t1, t2);
        return;
    }
    mirror_frame(sn_vec3_scale(-1, n), t1, t2);
    *t2 = sn_vec3_scale(-1, *t2);
}

sn_contact sn_contact_make(uint64_t id, sn_body_id a, sn_body_id b, sn_vec3 x, sn_vec3 n,
                           double gap, sn_material material) {
    sn_contact contact = {
        .id = id, .a = a, .b = b, .x = x, .n = n, .gap = gap, .material = material};
    sn_contact_frame(n, &contact.t1, &contact.t2);
    return contact;
}
