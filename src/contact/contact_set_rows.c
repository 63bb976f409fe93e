// SPDX-License-Identifier: Apache-2.0
// Writing rows of a contact set: what one row says of two bodies.
#include <string.h>

#include "contact/contact_set.h"

void sni_positions_complete(sn_contact_set* set) {
    const sni_set_rows* from = &set->rows;
    sni_set_rows* to = &set->positions;
    for (int32_t i = 0; i < to->count; i++) {
        int32_t entry = set->position_of[i], rows = to->first[i + 1] - to->first[i];
        ptrdiff_t at = 6 * (ptrdiff_t)to->first[i], source = 6 * (ptrdiff_t)from->first[entry];
        bool equal = from->law[entry].kind == SN_CONTACT_EQUAL;
        to->law[i] =
            (sn_contact_law){.kind = equal ? SN_CONTACT_EQUAL : SN_CONTACT_LIMIT, .rows = rows};
        to->id[i] = from->id[entry] ? sni_made_id(SNI_ID_POSITION, from->id[entry]) : 0;
        to->a[i] = from->a[entry];
        to->b[i] = from->b[entry];
        size_t size = 6 * (size_t)rows * sizeof *to->C_a;
        if (to->a[i] >= 0) memcpy(to->C_a + at, from->C_a + source, size);
        if (to->b[i] >= 0) memcpy(to->C_b + at, from->C_b + source, size);
    }
}

// d . (v + w x r) = (r x d) . w + d . v, all in body axes.
void sni_row_move(const sni_set_bodies* bodies, int32_t slot, sn_vec3 x, sn_vec3 d, double scale,
                  double* C) {
    if (slot < 0) return;
    sn_pose X_wb = bodies->pose[slot];
    sn_vec3 r = sn_mat3_apply_transposed(X_wb.R, sn_vec3_sub(x, X_wb.p));
    sn_vec3 along = sn_vec3_scale(scale, sn_mat3_apply_transposed(X_wb.R, d));
    sni_row_store(sn_wrench_make(sn_vec3_cross(r, along), along), C);
}

void sni_row_turn(const sni_set_bodies* bodies, int32_t slot, sn_vec3 d, double scale, double* C) {
    if (slot < 0) return;
    sn_vec3 about = sn_mat3_apply_transposed(bodies->pose[slot].R, d);
    sni_row_store(sn_wrench_make(sn_vec3_scale(scale, about), sn_vec3_zero()), C);
}

double sni_row_speed(const sni_set_rows* rows, int32_t entry, int32_t row, const sn_twist* v) {
    ptrdiff_t at = 6 * ((ptrdiff_t)rows->first[entry] + row);
    double speed = 0;
    if (rows->a[entry] >= 0) speed += sn_power(sni_row_wrench(rows->C_a + at), v[rows->a[entry]]);
    if (rows->b[entry] >= 0) speed += sn_power(sni_row_wrench(rows->C_b + at), v[rows->b[entry]]);
    return speed;
}
