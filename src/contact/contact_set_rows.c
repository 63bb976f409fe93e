// SPDX-License-Identifier: Apache-2.0
// Writing rows of a contact set: what one row says of two bodies.
#include <string.h>

#include "base/hash.h"
#include "contact/contact_set.h"

uint64_t sni_made_id(uint64_t kind, uint64_t number) {
    uint64_t id = sni_hash(kind, &number, sizeof number);
    return id ? id : 1;
}

sni_entry sni_rows_push(sni_set_rows* rows, const sn_contact_law* law, uint64_t id, int32_t a,
                        int32_t b) {
    int32_t i = rows->count++, row = rows->first[i];
    rows->law[i] = *law;
    rows->id[i] = id;
    rows->a[i] = a;
    rows->b[i] = b;
    rows->first[i + 1] = row + law->rows;
    sni_entry entry = {i, row, rows->C_a + 6 * (ptrdiff_t)row, rows->C_b + 6 * (ptrdiff_t)row,
                       rows->q + row};
    memset(entry.C_a, 0, 6 * (size_t)law->rows * sizeof *entry.C_a);
    memset(entry.C_b, 0, 6 * (size_t)law->rows * sizeof *entry.C_b);
    return entry;
}

sni_entry sni_positions_push(sn_contact_set* set, sni_entry entry, int32_t row, int32_t count,
                             sn_contact_kind kind) {
    const sni_set_rows* from = &set->rows;
    sn_contact_law law = sn_contact_law_make(kind);
    law.rows = count;
    uint64_t id = from->id[entry.index];
    sni_entry made = sni_rows_push(&set->positions, &law, id ? sni_made_id(SNI_ID_POSITION, id) : 0,
                                   from->a[entry.index], from->b[entry.index]);
    size_t bytes = 6 * (size_t)count * sizeof(double);
    memcpy(made.C_a, entry.C_a + 6 * (ptrdiff_t)row, bytes);
    memcpy(made.C_b, entry.C_b + 6 * (ptrdiff_t)row, bytes);
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
    return (left < 0 ? set->options.position_factor * left : left) / set->h;
}
