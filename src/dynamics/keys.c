// SPDX-License-Identifier: Apache-2.0
#include "dynamics/keys.h"

#include <string.h>

void sni_keys_layout(sni_keys* k, sni_arena* arena, const sn_model* model, int32_t most) {
    int32_t n = model->body_count;
    // branches of c bodies meet in c - 1 others at most
    int32_t keys = most < n / 2 ? 2 * most : n;
    k->most = most;
    k->bodies = SN_ARENA_ARRAY(arena, sn_body_id, most);
    k->first = SN_ARENA_ARRAY(arena, int32_t, most);
    k->key = SN_ARENA_ARRAY(arena, sni_key, keys);
    k->path = SN_ARENA_ARRAY(arena, int32_t, n);
    sni_branches_layout(&k->branches, arena, model);
    k->forks = SN_ARENA_ARRAY(arena, int32_t, n);
    k->child = SN_ARENA_ARRAY(arena, int32_t, n);
    k->sibling = SN_ARENA_ARRAY(arena, int32_t, n);
    k->near = SN_ARENA_ARRAY(arena, int32_t, n);
    k->slot = SN_ARENA_ARRAY(arena, int32_t, n);
    k->R = SN_ARENA_ARRAY(arena, sn_mat3, most);
    k->s = SN_ARENA_ARRAY(arena, sni_row6, model->nv);
    k->t = SN_ARENA_ARRAY(arena, sni_row6, model->nv);
    k->lifted = SN_ARENA_ARRAY(arena, sni_mat6, keys);
    k->own = SN_ARENA_ARRAY(arena, sni_mat6, keys);
    k->above = SN_ARENA_ARRAY(arena, sni_mat6, keys);
    k->column = SN_ARENA_ARRAY(arena, sni_mat6, keys);
}

enum { NONE = -1 };

/// Branches of the bodies, where each body is in the question, and how many branches leave each.
static void gather(sni_keys* k, const sn_model* model) {
    sni_branches* b = &k->branches;
    sni_branches_clear(b, model);
    for (int32_t i = 0; i < k->asked; i++) sni_branches_add(b, model, k->bodies[i].i);
    for (int32_t p = 0; p < b->count; p++) {
        k->forks[p] = 0;
        k->child[p] = k->slot[p] = NONE;
    }
    for (int32_t i = 0; i < k->asked; i++) {
        int32_t* slot = &k->slot[b->place[k->bodies[i].i]];
        if (*slot == NONE) *slot = i;
        k->first[i] = *slot;
    }
    for (int32_t p = 0; p < b->count; p++) {
        int32_t parent = model->joint[b->body[p]].parent;
        if (parent >= 0) k->forks[b->place[parent]]++;
    }
}

/// Hangs every key on the next one above it, by places; *roots is the first of those that have none.
static void connect(sni_keys* k, const sn_model* model, int32_t* roots) {
    const sni_branches* b = &k->branches;
    *roots = NONE;
    for (int32_t p = 0; p < b->count; p++) { // `near`: the next key at or above a body
        int32_t parent = model->joint[b->body[p]].parent;
        bool is_key = k->slot[p] != NONE || k->forks[p] > 1;
        k->near[p] = is_key ? p : parent >= 0 ? k->near[b->place[parent]] : NONE;
    }
    for (int32_t p = b->count - 1; p >= 0; p--) { // backward, so that the lists come out forward
        if (k->near[p] != p) continue;
        int32_t parent = model->joint[b->body[p]].parent;
        int32_t up = parent >= 0 ? k->near[b->place[parent]] : NONE;
        int32_t* list = up == NONE ? roots : &k->child[up];
        k->sibling[p] = *list;
        *list = p;
    }
}

/// Appends the key at place p and returns its number.
static int32_t append(sni_keys* k, const sn_model* model, int32_t p, int32_t up) {
    int32_t number = k->count++, body = k->branches.body[p];
    int32_t end = up >= 0 ? k->key[up].body : NONE;
    sni_key* key = &k->key[number];
    *key = (sni_key){.body = body, .up = up, .slot = k->slot[p]};
    key->root = up >= 0 ? k->key[up].root : number;
    key->run = number > 0 ? k->key[number - 1].run_end : 0;
    key->run_end = key->run;
    for (int32_t i = body; i != end; i = model->joint[i].parent) k->path[key->run_end++] = i;
    return number;
}

/// Depth first, parents before their children.
static void number(sni_keys* k, const sn_model* model, int32_t roots) {
    k->count = k->tree_count = 0;
    int32_t p = roots, up = NONE;
    while (p != NONE) {
        if (up == NONE) k->tree_count++;
        int32_t at = append(k, model, p, up);
        if (k->child[p] != NONE) {
            p = k->child[p];
            up = at;
            continue;
        }
        for (;;) { // to the next sibling of this one, or of one above
            k->key[at].last = k->count;
            up = k->key[at].up;
            p = k->sibling[k->branches.place[k->key[at].body]];
            if (p != NONE || up == NONE) break;
            at = up;
        }
    }
}

void sni_keys_find(sni_keys* k, const sn_model* model, const sn_body_id* bodies, int32_t count) {
    size_t size = (size_t)count * sizeof *bodies;
    if (count == 0) k->count = k->tree_count = 0;
    if (count == k->asked && (count == 0 || memcmp(bodies, k->bodies, size) == 0)) return;
    k->asked = count;
    if (count > 0) memcpy(k->bodies, bodies, size);
    int32_t roots;
    gather(k, model);
    connect(k, model, &roots);
    number(k, model, roots);
}
