// SPDX-License-Identifier: Apache-2.0
// From a group to the form that sweeps want. Memory is cut for all groups first, one after the other; then
// they can be filled side by side.
#include "contact/system.h"

#include <math.h>
#include <string.h>

#include "contact/operator.h"

enum { SIX = 6, LANES = 4, BODY = 8, SIDES = 16 };

static int32_t padded(int32_t rows) { return rows <= LANES ? LANES : 2 * LANES; }

// ---- memory -------------------------------------------------------------------------------------------

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

void sni_systems_layout(sni_systems* all, const sn_contact_capacity* capacity, sni_arena* arena) {
    int64_t contacts = capacity->contacts, rows = capacity->rows, blocks = capacity->blocks;
    int64_t width = LANES * (contacts + least(contacts, rows / (LANES + 1)));
    int64_t slots = capacity->bodies ? capacity->bodies + contacts : 0; // a ground for every group
    all->block_capacity = blocks;
    all->number_capacity = least(blocks * SIX * SIX, rows * rows) + BODY * contacts;
    all->width = width;
    all->system = SN_ARENA_ARRAY(arena, sni_system, contacts);
    all->cut = SN_ARENA_ARRAY(arena, sni_system, contacts);
    all->spot = SN_ARENA_ARRAY(arena, sni_spot, contacts);
    all->own = SN_ARENA_ARRAY(arena, sni_own, contacts);
    for (int k = 0; k < SN_SYSTEM_VECTORS; k++)
        all->vector[k] = SN_ARENA_ARRAY(arena, double, width);
    all->start = SN_ARENA_ARRAY(arena, int64_t, 2 * contacts);
    all->touches = SN_ARENA_ARRAY(arena, int32_t, blocks);
    all->offset = SN_ARENA_ARRAY(arena, int64_t, blocks);
    all->block = SN_ARENA_ARRAY(arena, double, all->number_capacity);
    all->slot_of_body = SN_ARENA_ARRAY(arena, int32_t, capacity->bodies);
    all->tree_in_group = SN_ARENA_ARRAY(arena, int32_t, capacity->bodies);
    all->tree = SN_ARENA_ARRAY(arena, sni_slot_tree, slots);
    all->tree_of_slot = SN_ARENA_ARRAY(arena, int32_t, slots);
    for (int k = 0; k < 3; k++) all->v[k] = SN_ARENA_ARRAY(arena, double, BODY* slots);
    all->f = SN_ARENA_ARRAY(arena, double, BODY* slots);
    all->tree_contacts_start = SN_ARENA_ARRAY(arena, int32_t, slots + contacts);
    all->tree_contacts = SN_ARENA_ARRAY(arena, int32_t, slots ? 2 * contacts : 0);
    all->C = SN_ARENA_ARRAY(arena, double, slots ? SIDES* rows : 0);
    all->C_start = SN_ARENA_ARRAY(arena, int64_t, slots ? contacts : 0);
    all->factor = SN_ARENA_ARRAY(arena, double, SIX* BODY*(size_t)capacity->bodies);
    all->quad = SN_ARENA_ARRAY(arena, sni_quad, slots ? contacts / 2 : 0);
    all->row_quad = SN_ARENA_ARRAY(arena, sni_row_quad, slots ? contacts / 2 : 0);
    all->single = SN_ARENA_ARRAY(arena, int32_t, contacts);
    all->number = SN_ARENA_ARRAY(arena, sni_number, slots ? contacts : 0);
    all->occupied = SN_ARENA_ARRAY(arena, uint64_t, slots);
    all->four = SN_ARENA_ARRAY(arena, sni_lanes, contacts);
}

/// Whether a contact has a matrix of its own.
static bool has_own(const sn_contact_law* law) {
    bool small = law->kind == SN_CONTACT_LIMIT || law->kind == SN_CONTACT_DRY ||
                 (law->kind == SN_CONTACT_POINT && law->viscous == 0);
    return !small;
}

/// The parts that every group has.
static void cut_contacts(sni_systems* all, sni_system* s) {
    s->spot = all->spot + all->contacts_used;
    s->start = all->start + all->contacts_used + all->groups_used;
    s->own = all->own + all->own_used;
    s->single = all->single + all->contacts_used;
    s->four = all->four + all->contacts_used;
    int32_t width = 0, others = 0;
    for (int32_t i = 0; i < s->count; i++) {
        const sn_contact_law* law = sni_group_law(s->group, i);
        sni_spot* spot = &s->spot[i]; // the rest is written when it is filled, and when it starts
        spot->place = width;
        spot->rows = law->rows;
        spot->width = padded(law->rows);
        spot->kind = (int32_t)law->kind;
        spot->own = has_own(law) ? others : -1;
        spot->a = spot->b = 0;
        width += padded(law->rows);
        others += has_own(law);
    }
    double** vectors[SN_SYSTEM_VECTORS] = {&s->q,        &s->r,        &s->u,
                                           &s->r_before, &s->u_before, &s->r_way,
                                           &s->u_way,    &s->r_start,  &s->r_best};
    for (int k = 0; k < SN_SYSTEM_VECTORS; k++) *vectors[k] = all->vector[k] + all->width_used;
    s->width = width;
    all->width_used += width;
    all->own_used += others;
    all->contacts_used += s->count;
    all->groups_used++;
}

// ---- body space: slots ----------------------------------------------------------------------------------

/// Places for a tree and its bodies.
static void cut_tree(sni_systems* all, sni_system* s, int32_t t) {
    const sn_contact_bodies* bodies = &s->group->whole->bodies;
    int32_t first = bodies->tree[t], count = bodies->tree[t + 1] - first, at = s->tree_count++;
    s->tree[at] =
        (sni_slot_tree){.first = s->slot_count,
                        .count = count,
                        .tree = t,
                        .unknowns = SIX * count,
                        .response = count > 1 ? bodies->value + bodies->response[t] : NULL};
    for (int32_t k = 0; k < count; k++) {
        all->slot_of_body[first + k] = s->slot_count;
        s->tree_of_slot[s->slot_count++] = at;
    }
    all->tree_in_group[t] = at;
}

/// The slot of a body; its tree is put into the group's list when it comes for the first time.
static inline int32_t slot_of(sni_systems* all, sni_system* s, int32_t body) {
    if (body < 0) return 0;
    int32_t t = s->group->tree_of[body], known = all->tree_in_group[t];
    if (!(known > 0 && known < s->tree_count && s->tree[known].tree == t)) cut_tree(all, s, t);
    return all->slot_of_body[body];
}

/// Whether two bodies are two trees: then an impulse between them moves nothing else.
static bool are_lone(const sni_system* s, int32_t a, int32_t b) {
    return !s->tree[s->tree_of_slot[a]].response && !s->tree[s->tree_of_slot[b]].response &&
           !(a && a == b);
}

static void cut_bodies(sni_systems* all, sni_system* s) {
    s->tree = all->tree + all->slots_used;
    s->tree_of_slot = all->tree_of_slot + all->slots_used;
    s->tree[0] = (sni_slot_tree){.count = 0, .tree = -1};
    s->tree_of_slot[0] = 0;
    s->tree_count = s->slot_count = 1;
    s->C_start = all->C_start + (s->spot - all->spot);
    s->tree_contacts = all->tree_contacts + 2 * (s->spot - all->spot);
    s->number = all->number + (s->spot - all->spot);
    const sn_contact_bodies* bodies = &s->group->whole->bodies;
    for (int32_t i = 0; i < s->count; i++) {
        int32_t contact = s->group->contact[i];
        int32_t a = slot_of(all, s, bodies->a[contact]), b = slot_of(all, s, bodies->b[contact]);
        s->spot[i].a = a ? a : b;
        s->spot[i].b = a ? b : 0;
        s->spot[i].lone = are_lone(s, a, b);
    }
    double** velocities[3] = {&s->v, &s->v_before, &s->v_way};
    for (int k = 0; k < 3; k++) *velocities[k] = all->v[k] + BODY * all->slots_used;
    s->f = all->f + BODY * all->slots_used;
    s->factor = all->factor + SIX * BODY * (all->slots_used - all->grounds_used);
    s->occupied = all->occupied + all->slots_used;
    s->quad = all->quad + all->quads_used;
    s->row_quad = all->row_quad + all->quads_used;
    all->quads_used += s->count / 2;
    s->tree_contacts_start = all->tree_contacts_start + all->slots_used + all->grounds_used;
    all->grounds_used++;
    all->slots_used += s->slot_count;
}

void sni_system_list_trees(sni_system* s) {
    if (s->listed) return;
    s->listed = true;
    int32_t* start = s->tree_contacts_start;
    memset(start, 0, sizeof *start * (size_t)(s->tree_count + 1));
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < s->count; i++) {
            int32_t a = s->tree_of_slot[s->spot[i].a], b = s->tree_of_slot[s->spot[i].b];
            int32_t trees[2] = {a, b == a ? 0 : b};
            for (int k = 0; k < 2; k++) {
                if (trees[k] == 0) continue;
                if (pass == 0)
                    start[trees[k]]++;
                else
                    s->tree_contacts[--start[trees[k]]] = i;
            }
        }
        for (int32_t t = 1; pass == 0 && t <= s->tree_count; t++) start[t] += start[t - 1];
    }
}

/// Multiply-adds of a visit on one of its bodies; in a tree the body responds, and when the bodies before were
/// others, so does all of the tree.
static int64_t side_cost(const sni_system* s, int32_t i, int32_t slot) {
    enum { RESPONSE = 12 };
    const sni_slot_tree* tree = &s->tree[s->tree_of_slot[slot]];
    const sni_spot *spot = &s->spot[i], *before = i > 0 ? spot - 1 : NULL;
    bool same = before && before->a == spot->a && before->b == spot->b;
    if (slot == 0) return 0;
    return 2 * spot->rows + (tree->response ? RESPONSE * (same ? 1 : 1 + tree->count) : 0);
}

/// Multiply-adds of a sweep: by the bodies, and with the blocks that coupled contacts make.
static void estimate(sni_system* s, int64_t* by_bodies, int64_t* by_contacts) {
    sni_system_list_trees(s);
    *by_bodies = *by_contacts = 0;
    for (int32_t i = 0; i < s->count; i++) {
        const sni_spot* spot = &s->spot[i];
        int32_t a = s->tree_of_slot[spot->a], b = s->tree_of_slot[spot->b];
        *by_bodies += 4 * spot->rows + side_cost(s, i, spot->a) + side_cost(s, i, spot->b);
        for (int k = 0; k < (a == b ? 1 : 2); k++) {
            int32_t t = k == 0 ? a : b;
            *by_contacts +=
                spot->rows * (int64_t)(s->tree_contacts_start[t + 1] - s->tree_contacts_start[t]);
        }
    }
}

static bool choose_bodies(const sni_systems* all, sni_system* s) {
    const sn_contact_problem* whole = s->group->whole;
    if (!whole->bodies.tree_count || s->options->space == SN_SPACE_CONTACT) return false;
    if (!whole->matrix.start && all->block_capacity == 0) return true;
    if (s->options->space == SN_SPACE_BODY) return true;
    int64_t by_bodies, by_contacts;
    estimate(s, &by_bodies, &by_contacts);
    return by_bodies <= by_contacts;
}

// ---- contact space: blocks -------------------------------------------------------------------------------

static bool coupled(const sni_system* s, int32_t i, int32_t j) {
    int32_t a = s->tree_of_slot[s->spot[i].a], b = s->tree_of_slot[s->spot[i].b];
    int32_t c = s->tree_of_slot[s->spot[j].a], d = s->tree_of_slot[s->spot[j].b];
    return (a && (a == c || a == d)) || (b && (b == c || b == d));
}

static int64_t block_size(const sni_system* s, int32_t i, int32_t j) {
    return (int64_t)s->spot[j].rows * s->spot[i].rows;
}

/// The contact of a block's columns within the group; -1: another group's, and the block is zero.
static int32_t column_of(const sni_system* s, int32_t k) {
    int32_t contact = s->group->whole->matrix.column[k], j = s->group->local[contact];
    return j < s->count && s->group->contact[j] == contact ? j : -1;
}

static void count_blocks(const sni_system* s, int64_t* blocks, int64_t* numbers) {
    const sn_contact_matrix* W = &s->group->whole->matrix;
    *blocks = *numbers = 0;
    for (int32_t i = 0; i < s->count; i++) {
        if (W->start) {
            int32_t contact = s->group->contact[i];
            for (int32_t k = W->start[contact]; k < W->start[contact + 1]; k++) {
                int32_t j = column_of(s, k);
                if (j < 0) continue;
                *blocks += 1;
                *numbers += block_size(s, i, j);
            }
        } else {
            for (int32_t j = 0; j < s->count; j++) {
                if (!coupled(s, i, j)) continue;
                *blocks += 1;
                *numbers += block_size(s, i, j);
            }
        }
    }
}

/// False when there is no room for the blocks.
static bool cut_blocks(sni_systems* all, sni_system* s) {
    int64_t blocks, numbers;
    count_blocks(s, &blocks, &numbers);
    if (all->blocks_used + blocks > all->block_capacity ||
        all->numbers_used + numbers > all->number_capacity)
        return false;
    s->touches = all->touches + all->blocks_used;
    s->offset = all->offset + all->blocks_used;
    s->block = all->block + all->numbers_used;
    all->blocks_used += blocks;
    all->numbers_used += numbers + BODY; // lanes read beyond the end
    return true;
}

/// Places for the rows of all contacts.
static void cut_rows(sni_systems* all, sni_system* s) {
    int64_t used = 0;
    for (int32_t i = 0; i < s->count; i++) {
        s->C_start[i] = used;
        used += (sni_spot_is_one_sided(&s->spot[i]) ? BODY : SIDES) * s->spot[i].rows;
    }
    s->C = all->C + all->C_used;
    all->C_used += used;
}

/// Whether what the systems were cut for is there again.
static bool fit(const sni_systems* all, const sni_solve* solve) {
    if (all->shape != solve->shape || all->space != (int32_t)solve->options->space) return false;
    for (int32_t g = 0; g < solve->group_count; g++) {
        const sni_group* group = &solve->group[g];
        const sni_spot* spot = all->cut[g].spot;
        for (int32_t i = 0; i < group->count; i++)
            if (spot[i].kind != (int32_t)sni_group_law(group, i)->kind ||
                (spot[i].own >= 0) != has_own(sni_group_law(group, i)))
                return false;
    }
    return true;
}

static void cut_system(sni_systems* all, const sni_solve* solve, int32_t g) {
    sni_system* s = &all->cut[g];
    *s = (sni_system){
        .group = &solve->group[g], .options = solve->options, .count = solve->group[g].count};
    cut_contacts(all, s);
    if (s->group->whole->bodies.tree_count) cut_bodies(all, s);
    s->by_bodies = choose_bodies(all, s);
    if (!s->by_bodies && !cut_blocks(all, s)) s->by_bodies = true;
    if (s->by_bodies) cut_rows(all, s);
}

void sni_systems_cut(sni_systems* all, const sni_solve* solve) {
    if (!fit(all, solve)) {
        all->contacts_used = all->groups_used = all->own_used = 0;
        all->width_used = all->slots_used = all->grounds_used = 0;
        all->blocks_used = all->numbers_used = all->C_used = all->quads_used = 0;
        all->shape = solve->shape;
        all->space = (int32_t)solve->options->space;
        for (int32_t g = 0; g < solve->group_count; g++) cut_system(all, solve, g);
    }
    for (int32_t g = 0; g < solve->group_count; g++) {
        sni_system* s = &all->system[g];
        *s = all->cut[g];
        s->options = solve->options;
        const sn_contact_bodies* bodies = &s->group->whole->bodies;
        for (int32_t t = 1; t < s->tree_count; t++)
            if (s->tree[t].count > 1)
                s->tree[t].response = bodies->value + bodies->response[s->tree[t].tree];
    }
}

// ---- filling ----------------------------------------------------------------------------------------------

void sni_system_keep_own(sni_system* s, int32_t i, const double* W) {
    sni_spot* spot = &s->spot[i];
    const sn_contact_law* law = sni_group_law(s->group, i);
    int rows = spot->rows;
    double M[SIX][SIX];
    for (int a = 0; a < rows; a++) {
        for (int b = 0; b < rows; b++) M[a][b] = 0.5 * (W[a * rows + b] + W[b * rows + a]);
        M[a][a] += sni_law_compliance(law, a);
        s->trace += M[a][a];
    }
    if (spot->kind == SN_CONTACT_LIMIT || spot->kind == SN_CONTACT_DRY) {
        spot->nn = M[0][0];
        return;
    }
    if (spot->kind != SN_CONTACT_POINT) {
        for (int a = 0; a < rows; a++)
            for (int b = 0; b < rows; b++) s->own[spot->own].W[a][b] = M[a][b];
        return;
    }
    spot->nn = M[0][0], spot->n1 = M[0][1], spot->n2 = M[0][2];
    spot->w11 = M[1][1], spot->w12 = M[1][2], spot->w22 = M[2][2];
}

/// Columns of block W_ij (rows of i): what contact j does to contact i.
static void put_block(sni_system* s, int64_t at, int64_t number, int32_t i, int32_t j,
                      const double* W) {
    const sni_spot *to = &s->spot[i], *from = &s->spot[j];
    double* column = s->block + number;
    s->touches[at] = i;
    s->offset[at] = number;
    for (int b = 0; b < from->rows; b++, column += to->rows) {
        for (int a = 0; a < to->rows; a++) column[a] = W[a * from->rows + b];
        if (i == j) column[b] += sni_law_compliance(sni_group_law(s->group, i), b);
    }
    if (i == j) sni_system_keep_own(s, i, W);
}

/// The matrix holds lines of blocks; sweeps want columns.
static void fill_from_matrix(sni_system* s) {
    static const double none[SIX * SIX];
    const sn_contact_matrix* W = &s->group->whole->matrix;
    int64_t *start = s->start, number = 0;
    memset(start, 0, sizeof *start * (size_t)(s->count + 1));
    for (int32_t i = 0; i < s->count; i++) {
        int32_t contact = s->group->contact[i];
        for (int32_t k = W->start[contact]; k < W->start[contact + 1]; k++)
            if (column_of(s, k) >= 0) start[column_of(s, k)]++;
    }
    for (int32_t j = 1; j <= s->count; j++) start[j] += start[j - 1];
    // from the back, so that the blocks of a column come out in order; where each is in W goes to offset
    for (int32_t i = s->count - 1; i >= 0; i--) {
        int32_t contact = s->group->contact[i];
        for (int32_t k = W->start[contact + 1] - 1; k >= W->start[contact]; k--) {
            int32_t j = column_of(s, k);
            if (j < 0) continue;
            int64_t at = --start[j];
            s->touches[at] = i;
            s->offset[at] = W->offset[k];
        }
    }
    for (int32_t j = 0; j < s->count; j++) {
        bool own = false;
        for (int64_t at = start[j]; at < start[j + 1]; at++) {
            int32_t i = s->touches[at];
            put_block(s, at, number, i, j, W->value + s->offset[at]);
            number += block_size(s, i, j);
            own |= i == j;
        }
        if (!own) sni_system_keep_own(s, j, none);
    }
}

static void fill_blocks_from_bodies(sni_system* s) {
    int64_t at = 0, number = 0;
    for (int32_t j = 0; j < s->count; j++) {
        s->start[j] = at;
        for (int32_t i = 0; i < s->count; i++) {
            double W[SIX * SIX];
            if (!coupled(s, i, j)) continue;
            sni_operator_block(s->group->whole, s->group->contact[i], s->group->contact[j], W);
            put_block(s, at++, number, i, j, W);
            number += block_size(s, i, j);
        }
    }
    s->start[s->count] = at;
}

/// Rows of a contact, and zeros as far as it is padded.
static inline void pad_rows(double* to, const double* from, int32_t rows) {
    if (rows == 3) { // points, and then joints, are most of what there is
        to[0] = from[0], to[1] = from[1], to[2] = from[2], to[3] = 0;
    } else if (rows == 1) {
        to[0] = from[0], to[1] = to[2] = to[3] = 0;
    } else {
        sni_copy_rows(to, from, rows);
        for (int32_t k = rows; k < padded(rows); k++) to[k] = 0;
    }
}

/// First row of contact i in the whole.
static int32_t first_of(const sni_system* s, int32_t i) {
    return s->group->whole->first[s->group->contact[i]];
}

void sni_system_take(sni_system* s, const double* r) {
    for (int32_t i = 0; i < s->count; i++)
        pad_rows(s->r + s->spot[i].place, r + first_of(s, i), s->spot[i].rows);
}

void sni_system_give(sni_system* s, double* to) {
    const sni_course* course = &s->course;
    double* r = s->r;
    // an attempt of Newton that is cut short may be worse than what it began with
    if (course->step > 0 && course->before > course->start) r = s->r_start;
    // and so may sweeps that go in circles
    if (course->best < 0.5 * course->defect) r = s->r_best;
    if (r != s->r) {
        memcpy(s->r, r, sizeof *r * (size_t)s->width);
        s->exact = s->known = false;
    }
    for (int32_t i = 0; i < s->count; i++)
        sni_copy_rows(to + first_of(s, i), r + s->spot[i].place, s->spot[i].rows);
}

void sni_system_fill(sni_system* s, const double* r) {
    const sn_contact_problem* whole = s->group->whole;
    for (int32_t i = 0; i < s->count; i++) {
        sni_spot* spot = &s->spot[i];
        int32_t first = first_of(s, i);
        spot->compliance = sni_group_law(s->group, i)->compliance;
        pad_rows(s->q + spot->place, whole->q + first, spot->rows);
        pad_rows(s->r + spot->place, r + first, spot->rows);
    }
    s->trace = 0;
    if (s->by_bodies) return;
    if (whole->matrix.start)
        fill_from_matrix(s);
    else
        fill_blocks_from_bodies(s);
}
