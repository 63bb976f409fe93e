// SPDX-License-Identifier: Apache-2.0
// What a set's last step says of the contacts that grabbed bodies have now, one step later: the most loaded entries of
// their groups, with rows where the bodies are.
#include <string.h>

#include "contact/contact_set.h"
#include "contact/coupling.h"

static sn_body_id body_at(const sn_contact_set* set, int32_t slot) {
    return slot < 0 ? sn_body_world() : set->bodies.body[slot];
}

/// The two bodies of an entry; of a joint's row its body and the parent.
static void bodies_of(const sn_contact_set* set, int32_t i, sn_body_id* a, sn_body_id* b) {
    const sni_joint_row* row = sni_joint_row_of(set, i);
    int32_t joint = row ? row->dof->joint : -1;
    *a = row ? sn_body(joint) : body_at(set, set->rows.a[i]);
    *b = row ? sn_body(set->model->joint[joint].parent) : body_at(set, set->rows.b[i]);
}

static double load_of(const sn_contact_set* set, int32_t i) {
    double sum = 0;
    for (int32_t k = set->rows.first[i]; k < set->rows.first[i + 1]; k++) sum += fabs(set->r[k]);
    return sum;
}

// ---- which --------------------------------------------------------------------------------------------------------------

/// Bodies that the record has so far.
typedef struct body_list {
    int32_t count;
    int32_t at[SN_HELD_BODIES];
} body_list;

/// False: there is no room.
static bool list_body(body_list* list, int32_t body) {
    if (body < 0) return true;
    for (int32_t k = 0; k < list->count; k++)
        if (list->at[k] == body) return true;
    if (list->count == SN_HELD_BODIES) return false;
    list->at[list->count++] = body;
    return true;
}

/// Whether entry i fits; then its bodies are listed.
static bool take(const sn_contact_set* set, int32_t i, const int32_t* chosen, int32_t count,
                 body_list* list) {
    int32_t rows = set->rows.law[i].rows, before = list->count;
    sn_body_id a, b;
    bodies_of(set, i, &a, &b);
    for (int32_t k = 0; k < count; k++) rows += set->rows.law[chosen[k]].rows;
    bool fits =
        count < SN_HELD_MAX && rows <= SN_HELD_ROWS && list_body(list, a.i) && list_body(list, b.i);
    if (!fits) list->count = before;
    return fits;
}

static bool is_in(const sn_contact_set* set, int32_t i, const sni_held_group* group) {
    sn_body_id a, b;
    bodies_of(set, i, &a, &b);
    return group->contains(group->context, a.i >= 0 ? a.i : b.i);
}

/// Heavier first; of equal ones the earlier.
static bool is_before(const double* load, int32_t i, int32_t k) {
    return load[i] > load[k] || (load[i] == load[k] && i < k);
}

/// Entries of the group by load, the heaviest first; the list is a heap while it is taken from.
static void sink(int32_t* heap, int32_t count, const double* load, int32_t at) {
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= count) return;
        if (child + 1 < count && is_before(load, heap[child + 1], heap[child])) child++;
        if (!is_before(load, heap[child], heap[at])) return;
        int32_t entry = heap[at];
        heap[at] = heap[child];
        heap[child] = entry;
        at = child;
    }
}

static int32_t pop(int32_t* heap, int32_t* count, const double* load) {
    int32_t top = heap[0];
    heap[0] = heap[--*count];
    sink(heap, *count, load, 0);
    return top;
}

static void sort_up(int32_t* x, int32_t count) {
    for (int32_t i = 1; i < count; i++)
        for (int32_t k = i; k > 0 && x[k - 1] > x[k]; k--) {
            int32_t y = x[k];
            x[k] = x[k - 1];
            x[k - 1] = y;
        }
}

static int32_t choose(const sn_contact_set* set, const sni_held_group* group, body_list* list,
                      int32_t* chosen, int32_t* dropped) {
    int32_t *heap = set->held, count = 0, taken = 0;
    double* load = set->load;
    for (int32_t i = 0; i < set->rows.count; i++) {
        if (!is_in(set, i, group)) continue;
        load[i] = load_of(set, i);
        heap[count++] = i;
    }
    for (int32_t k = count / 2 - 1; k >= 0; k--) sink(heap, count, load, k);
    *dropped = 0;
    while (count > 0) {
        int32_t i = pop(heap, &count, load);
        if (take(set, i, chosen, taken, list))
            chosen[taken++] = i;
        else
            ++*dropped;
    }
    sort_up(chosen, taken);
    return taken;
}

// ---- rows where bodies are now --------------------------------------------------------------------------------------------

/// A side of an entry: contacts stay where they are in the world, constraints on their bodies.
static void write_side(const sn_contact_set* set, const sn_dynamics* d, int32_t i, int32_t slot,
                       const double* from, double* C) {
    if (slot < 0) return;
    int32_t rows = set->rows.law[i].rows;
    memcpy(C, from, (size_t)6 * (size_t)rows * sizeof *C);
    if (i >= set->built) return;
    sn_pose X_wb = sn_dynamics_pose(d, set->bodies.body[slot]);
    for (int32_t k = 0; k < rows; k++) {
        sn_wrench world =
            sn_pose_wrench(set->bodies.pose[slot], sni_row_wrench(from + (ptrdiff_t)6 * k));
        sni_row_store(sn_pose_wrench_inverse(X_wb, world), C + (ptrdiff_t)6 * k);
    }
}

/// What gap or spring of an entry's row adds to q after it has moved on by `moved`.
static double shift_of(const sn_contact_set* set, int32_t i, int32_t row, double moved) {
    double before = set->rows.q[set->rows.first[i] + row] - set->u_free[set->rows.first[i] + row];
    if (i < set->built) return row == 0 ? sni_contact_shift(set, &set->contact[i], moved) : 0;
    if (set->rows.law[i].kind == SN_CONTACT_DRY) return before; // a servo pulls as it did
    if (set->rows.law[i].kind == SN_CONTACT_LIMIT)
        return sni_limit_shift(set, set->rows.count - i, moved);
    return before + sni_constraint_pull(set, i) * moved;
}

static double speed_of(const sni_held_rows* to, const sn_coupling_contacts* out, int32_t i,
                       int32_t row, const sn_twist* a, const sn_twist* b) {
    ptrdiff_t at = (ptrdiff_t)6 * (out->first[i] + row);
    double speed = 0;
    if (out->a[i].i >= 0) speed += sn_power(sni_row_wrench(to->C_a + at), *a);
    if (out->b[i].i >= 0) speed += sn_power(sni_row_wrench(to->C_b + at), *b);
    return speed;
}

static sn_twist velocity_of(const sn_dynamics* d, sn_body_id body) {
    return body.i < 0 ? sn_twist_zero() : sn_dynamics_velocity(d, body);
}

static void write_entry(const sn_contact_set* set, const sn_dynamics* d, int32_t from,
                        const sni_held_rows* to, sn_coupling_contacts* out, int32_t i) {
    int32_t first = out->first[i], row = set->rows.first[from], rows = set->rows.law[from].rows;
    out->law[i] = set->rows.law[from];
    out->id[i] = set->rows.id[from];
    bodies_of(set, from, &out->a[i], &out->b[i]);
    out->first[i + 1] = first + rows;
    double *C_a = to->C_a + (ptrdiff_t)6 * first, *C_b = to->C_b + (ptrdiff_t)6 * first;
    const sni_joint_row* joint = sni_joint_row_of(set, from);
    if (joint) {
        sni_joint_row_sides(set, d, joint, C_a, C_b);
    } else {
        write_side(set, d, from, set->rows.a[from], set->rows.C_a + (ptrdiff_t)6 * row, C_a);
        write_side(set, d, from, set->rows.b[from], set->rows.C_b + (ptrdiff_t)6 * row, C_b);
    }
    sn_twist a = velocity_of(d, out->a[i]), b = velocity_of(d, out->b[i]);
    for (int32_t k = 0; k < rows; k++) {
        double u = speed_of(to, out, i, k, &a, &b);
        out->start[first + k] = u + shift_of(set, from, k, set->h * u);
        out->q[first + k] = out->start[first + k] - u; // the rest of u_free is added by bodies
        out->r[first + k] = set->r[row + k];
    }
}

void sni_contact_set_hold(const sn_contact_set* set, sn_dynamics* d, const double* v_free,
                          const sni_held_group* group, const sni_held_rows* to,
                          sn_coupling_contacts* out) {
    out->count = out->rows = out->dropped = 0;
    out->first[0] = 0;
    if (!set->solved) return;
    int32_t chosen[SN_HELD_MAX];
    body_list list = {0};
    out->count = choose(set, group, &list, chosen, &out->dropped);
    for (int32_t i = 0; i < out->count; i++) write_entry(set, d, chosen[i], to, out, i);
    out->rows = out->first[out->count];
    sn_body_id body[SN_HELD_BODIES];
    sn_twist free[SN_HELD_BODIES];
    for (int32_t k = 0; k < list.count; k++) body[k] = sn_body(list.at[k]);
    if (sn_dynamics_twists(d, v_free, body, list.count, free)) out->count = out->rows = 0;
    for (int32_t i = 0; i < out->count; i++) {
        sn_twist side[2] = {sn_twist_zero(), sn_twist_zero()};
        for (int32_t k = 0; k < list.count; k++) {
            if (list.at[k] == out->a[i].i) side[0] = free[k];
            if (list.at[k] == out->b[i].i) side[1] = free[k];
        }
        for (int32_t k = 0; k < out->law[i].rows; k++)
            out->q[out->first[i] + k] += speed_of(to, out, i, k, &side[0], &side[1]);
    }
}
