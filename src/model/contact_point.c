// SPDX-License-Identifier: Apache-2.0
// Frames of contacts.
#include "sinew/contact_point.h"

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
