// SPDX-License-Identifier: Apache-2.0
#include "dynamics/branches.h"

#include <string.h>

void sni_branches_layout(sni_branches* b, sni_arena* arena, const sn_model* model) {
    b->body = SN_ARENA_ARRAY(arena, int32_t, model->body_count);
    b->place = SN_ARENA_ARRAY(arena, int32_t, model->body_count);
    b->mark = SN_ARENA_ARRAY(arena, uint32_t, model->body_count);
}

void sni_branches_clear(sni_branches* b, const sn_model* model) {
    b->count = 0;
    if (++b->stamp > 0) return;
    memset(b->mark, 0, (size_t)model->body_count * sizeof *b->mark); // the stamps are used up
    b->stamp = 1;
}

void sni_branches_add(sni_branches* b, const sn_model* model, int32_t body) {
    int32_t more = 0;
    for (int32_t i = body; i >= 0 && b->mark[i] != b->stamp; i = model->joint[i].parent) {
        b->mark[i] = b->stamp;
        more++;
    }
    b->count += more;
    for (int32_t i = body, k = b->count; more > 0; i = model->joint[i].parent, more--) {
        b->body[--k] = i;
        b->place[i] = k;
    }
}
