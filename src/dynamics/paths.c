// SPDX-License-Identifier: Apache-2.0
#include "dynamics/paths.h"

#include <string.h>

/// Bodies, and degrees of freedom, on the ways of all handles there may be: of every body, and of every degree of
/// freedom.
static void measure(const sn_model* model, size_t* stops, size_t* rows) {
    *stops = *rows = 0;
    for (int32_t i = 0; i < model->body_count; i++) {
        size_t handles = 1 + (size_t)model->joint[i].nv;
        for (int32_t k = i; k >= 0; k = model->joint[k].parent) {
            *stops += handles;
            *rows += handles * (size_t)model->joint[k].nv;
        }
    }
}

size_t sni_paths_layout(sni_paths* p, sni_arena* arena, const sn_model* model) {
    size_t n = (size_t)model->body_count, nv = (size_t)model->nv, handles = n + nv, stops, rows;
    measure(model, &stops, &rows);
    p->bodies = SN_ARENA_ARRAY(arena, sn_body_id, n);
    p->dof = SN_ARENA_ARRAY(arena, int32_t, 6 * nv);
    p->body_of_dof = SN_ARENA_ARRAY(arena, int32_t, nv);
    sni_branches_layout(&p->branches, arena, model);
    p->stop = SN_ARENA_ARRAY(arena, sni_stop, stops);
    p->start = SN_ARENA_ARRAY(arena, int32_t, handles + 1);
    p->row = SN_ARENA_ARRAY(arena, int32_t, handles + 1);
    p->trunk = SN_ARENA_ARRAY(arena, int32_t, handles);
    p->stop_at = SN_ARENA_ARRAY(arena, int32_t, handles * n);
    for (int32_t i = 0; p->body_of_dof && i < model->body_count; i++)
        for (int k = 0; k < model->joint[i].nv; k++) p->body_of_dof[model->joint[i].iv + k] = i;
    return rows;
}

static bool are_the_same(const sni_paths* p, const sni_handles* handles) {
    return p->body_count == handles->body_count && p->joint_count == handles->joint_count &&
           memcmp(p->bodies, handles->bodies, sizeof *p->bodies * (size_t)p->body_count) == 0 &&
           memcmp(p->dof, handles->dof, sizeof *p->dof * 6 * (size_t)p->joint_count) == 0;
}

static void find_branches(sni_paths* p, const sn_model* model) {
    sni_branches_clear(&p->branches, model);
    for (int32_t k = 0; k < p->body_count; k++)
        sni_branches_add(&p->branches, model, p->bodies[k].i);
    for (int32_t k = 0; k < 6 * p->joint_count; k++)
        if (p->dof[k] >= 0) sni_branches_add(&p->branches, model, p->body_of_dof[p->dof[k]]);
}

/// What is known of a place before a way comes to it.
enum { CARRIES = 1, PUSHED = 2 };

/// Marks the places where the columns of handle g begin.
static void mark_beginnings(const sni_paths* p, int32_t g, int32_t* mark) {
    for (int32_t k = 0; k < p->branches.count; k++) mark[k] = 0;
    if (g < p->body_count) {
        mark[p->branches.place[p->bodies[g].i]] = CARRIES;
        return;
    }
    const int32_t* dof = p->dof + (ptrdiff_t)6 * (g - p->body_count);
    for (int c = 0; c < 6; c++)
        if (dof[c] >= 0) mark[p->branches.place[p->body_of_dof[dof[c]]]] = CARRIES | PUSHED;
}

/// The stops of handle g. Places are in depth-first order, so that a body comes after all that it carries.
static void list_stops(sni_paths* p, const sn_model* model, int32_t g) {
    const sni_branches* b = &p->branches;
    int32_t *at = p->stop_at + (ptrdiff_t)g * b->count, count = p->start[g], row = p->row[g];
    mark_beginnings(p, g, at);
    for (int32_t place = b->count - 1; place >= 0; place--) {
        int32_t mark = at[place], body = b->body[place];
        const sni_joint* joint = &model->joint[body];
        at[place] = -1;
        if (!mark) continue;
        sni_stop stop = {.body = body,
                         .place = place,
                         .up = joint->parent < 0 ? -1 : b->place[joint->parent],
                         .row = row,
                         .rows = joint->nv,
                         .pushed = mark & PUSHED};
        if (stop.up >= 0) at[stop.up] |= CARRIES;
        row += stop.rows;
        at[place] = count;
        p->stop[count++] = stop;
    }
    p->start[g + 1] = count;
    p->row[g + 1] = row;
}

/// How what is carried gets from stop to stop: straight on, or waiting at a parent whose turn comes later.
static void link_stops(sni_paths* p, int32_t g) {
    const int32_t* at = p->stop_at + (ptrdiff_t)g * p->branches.count;
    p->trunk[g] = p->start[g];
    for (int32_t k = p->start[g]; k < p->start[g + 1]; k++) {
        sni_stop* stop = &p->stop[k];
        stop->begins = k == p->start[g] || stop[-1].up != stop->place;
        stop->waits = stop->up >= 0 && at[stop->up] != k + 1;
        if (stop->waits) {
            sni_stop* parent = &p->stop[at[stop->up]];
            stop->adds = parent->joins;
            parent->joins = true;
        }
        if (stop->begins || stop->joins) p->trunk[g] = k;
    }
}

bool sni_paths_find(sni_paths* p, const sn_model* model, const sni_handles* handles) {
    if (are_the_same(p, handles)) return false;
    p->body_count = handles->body_count;
    p->joint_count = handles->joint_count;
    memcpy(p->bodies, handles->bodies, sizeof *p->bodies * (size_t)p->body_count);
    memcpy(p->dof, handles->dof, sizeof *p->dof * 6 * (size_t)p->joint_count);
    find_branches(p, model);
    p->start[0] = p->row[0] = 0;
    for (int32_t g = 0; g < p->body_count + p->joint_count; g++) {
        list_stops(p, model, g);
        link_stops(p, g);
    }
    return true;
}
