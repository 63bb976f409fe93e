// SPDX-License-Identifier: Apache-2.0
#include "collision/patch.h"

#include <math.h>

// Normals of one patch differ by at most 2 degrees, and points lie as near to its plane as that over its size.
static const double NORMALS_COSINE = 0.99939;
static const double FLATNESS = 0.035;
// A point replaces another only when it is farther by this part.
static const double CLEARLY = 1.001;

void sni_patch_layout(sni_patch_work* work, sni_arena* arena, int32_t most) {
    work->order = SN_ARENA_ARRAY(arena, int32_t, most);
    work->kept = SN_ARENA_ARRAY(arena, bool, most);
}

// ---- pairs of bodies --------------------------------------------------------------------------------------

static bool same_bodies(const sn_contact* a, const sn_contact* b) {
    return a->a.i == b->a.i && a->b.i == b->b.i;
}

static bool goes_before(const sni_contact_list* list, int32_t i, int32_t k) {
    const sn_contact *a = &list->contact[i], *b = &list->contact[k];
    if (a->a.i != b->a.i) return a->a.i < b->a.i;
    if (a->b.i != b->b.i) return a->b.i < b->b.i;
    return i < k;
}

static void sink(const sni_contact_list* list, int32_t* order, int32_t at, int32_t count) {
    for (;;) {
        int32_t last = at, child = 2 * at + 1;
        for (int32_t k = child; k < child + 2 && k < count; k++)
            if (goes_before(list, order[last], order[k])) last = k;
        if (last == at) return;
        int32_t held = order[at];
        order[at] = order[last];
        order[last] = held;
        at = last;
    }
}

static void sort_by_bodies(const sni_contact_list* list, int32_t* order) {
    int32_t count = list->count;
    for (int32_t k = 0; k < count; k++) order[k] = k;
    for (int32_t k = count / 2 - 1; k >= 0; k--) sink(list, order, k, count);
    for (int32_t k = count - 1; k > 0; k--) {
        int32_t held = order[0];
        order[0] = order[k];
        order[k] = held;
        sink(list, order, 0, k);
    }
}

// ---- one patch --------------------------------------------------------------------------------------------

/// Takes the points of one plane to the front of member[0..count); returns how many.
static int32_t gather(const sni_contact_list* list, int32_t* member, int32_t count) {
    const sn_contact* first = &list->contact[member[0]];
    int32_t size = 1;
    for (int32_t k = 1; k < count; k++) {
        const sn_contact* c = &list->contact[member[k]];
        sn_vec3 arm = sn_vec3_sub(c->x, first->x);
        if (sn_vec3_dot(c->n, first->n) < NORMALS_COSINE ||
            fabs(sn_vec3_dot(arm, first->n)) > FLATNESS * sn_vec3_norm(arm))
            continue;
        // keeps the order of both parts: members move up by one
        int32_t moved = member[k];
        for (int32_t j = k; j > size; j--) member[j] = member[j - 1];
        member[size++] = moved;
    }
    return size;
}

/// The member with the largest measure, of those not kept; the first where they are equal. -1: none is above zero.
typedef double measure(const sni_contact_list* list, int32_t i, const void* context);

static int32_t best(const sni_contact_list* list, const sni_patch_work* work, const int32_t* member,
                    int32_t count, measure* of, const void* context) {
    int32_t chosen = -1;
    double most = 0;
    for (int32_t k = 0; k < count; k++) {
        if (work->kept[member[k]]) continue;
        double value = of(list, member[k], context);
        if (!(value > CLEARLY * most)) continue;
        most = value;
        chosen = member[k];
    }
    return chosen;
}

typedef struct corner {
    sn_vec3 a, b, n;
    double side;
} corner;

static double from_point(const sni_contact_list* list, int32_t i, const void* context) {
    const corner* c = context;
    return sn_vec3_norm(sn_vec3_sub(list->contact[i].x, c->a));
}

static double beside_line(const sni_contact_list* list, int32_t i, const void* context) {
    const corner* c = context;
    sn_vec3 cross = sn_vec3_cross(sn_vec3_sub(c->b, c->a), sn_vec3_sub(list->contact[i].x, c->a));
    double area = sn_vec3_dot(cross, c->n);
    return c->side == 0 ? fabs(area) : c->side * area;
}

typedef struct chosen {
    const int32_t* member;
    int32_t count;
    const bool* kept;
} chosen;

static double from_kept(const sni_contact_list* list, int32_t i, const void* context) {
    const chosen* c = context;
    double least = INFINITY;
    for (int32_t k = 0; k < c->count; k++)
        if (c->kept[c->member[k]])
            least =
                fmin(least,
                     sn_vec3_norm(sn_vec3_sub(list->contact[i].x, list->contact[c->member[k]].x)));
    return least;
}

static int32_t deepest(const sni_contact_list* list, const int32_t* member, int32_t count,
                       double depth) {
    int32_t found = member[0];
    for (int32_t k = 1; k < count; k++)
        if (list->contact[member[k]].gap < list->contact[found].gap - depth) found = member[k];
    return found;
}

static void reduce(sni_contact_list* list, sni_patch_work* work, const int32_t* member,
                   int32_t count, int32_t points, double depth) {
    for (int32_t k = 0; k < count; k++) work->kept[member[k]] = count <= points;
    if (count <= points) return;
    int32_t at = deepest(list, member, count, depth);
    corner c = {.a = list->contact[at].x, .n = list->contact[at].n};
    work->kept[at] = true;
    int32_t left = points - 1;
    if ((at = best(list, work, member, count, from_point, &c)) < 0) return;
    c.b = list->contact[at].x;
    work->kept[at] = true;
    left--;
    if ((at = best(list, work, member, count, beside_line, &c)) >= 0) {
        c.side = beside_line(list, at, &(corner){c.a, c.b, c.n, 1}) > 0 ? -1 : 1;
        work->kept[at] = true;
        left--;
        if ((at = best(list, work, member, count, beside_line, &c)) >= 0) {
            work->kept[at] = true;
            left--;
        }
    }
    for (; left > 0; left--) {
        chosen so_far = {member, count, work->kept};
        if ((at = best(list, work, member, count, from_kept, &so_far)) < 0) return;
        work->kept[at] = true;
    }
}

static void drop_others(sni_contact_list* list, const bool* kept) {
    int32_t left = 0;
    for (int32_t k = 0; k < list->count; k++) {
        if (!kept[k]) continue;
        list->contact[left] = list->contact[k];
        list->shapes[left++] = list->shapes[k];
    }
    list->count = left;
}

void sni_patch_reduce(sni_contact_list* list, sni_patch_work* work, int32_t points, double depth) {
    int32_t* order = work->order;
    sort_by_bodies(list, order);
    for (int32_t k = 0; k < list->count;) {
        int32_t end = k + 1;
        while (end < list->count &&
               same_bodies(&list->contact[order[k]], &list->contact[order[end]]))
            end++;
        while (k < end) {
            int32_t size = gather(list, order + k, end - k);
            reduce(list, work, order + k, size, points, depth);
            k += size;
        }
    }
    drop_others(list, work->kept);
}
