// SPDX-License-Identifier: Apache-2.0
// Writing rows of a contact set: what one row says of two bodies.
#include "base/hash.h"
#include "contact/contact_set.h"

uint64_t sni_made_id(uint64_t kind, uint64_t number) {
    uint64_t id = sni_hash(kind, &number, sizeof number);
    return id ? id : 1;
}

sni_entry sni_positions_push(sn_contact_set* set, sni_entry entry, int32_t row, int32_t count,
                             sn_contact_kind kind) {
    const sni_set_rows* from = &set->rows;
    int32_t a = from->a[entry.index], b = from->b[entry.index];
    uint64_t id = from->id[entry.index];
    sni_entry made = sni_rows_push(&set->positions, kind, count,
                                   id ? sni_made_id(SNI_ID_POSITION, id) : 0, a, b);
    if (a >= 0) sni_copy_rows(made.C_a, entry.C_a + 6 * (ptrdiff_t)row, 6 * count);
    if (b >= 0) sni_copy_rows(made.C_b, entry.C_b + 6 * (ptrdiff_t)row, 6 * count);
    return made;
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

double sni_position_gap(const sn_contact_set* set, double gap, double undone) {
    double left = (gap < 0 ? (1 - undone) * gap : gap) + set->options.slop;
    if (!(left < 0)) return left / set->h;
    return fmax(set->options.position_factor * left / set->h, -set->options.push_speed);
}
