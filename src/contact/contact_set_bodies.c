// SPDX-License-Identifier: Apache-2.0
// Which bodies of a model respond to each other, whatever joints are locked.
#include "contact/contact_set.h"

static int32_t leader_of(const int32_t* leader, int32_t i) {
    while (leader[i] != i) i = leader[i];
    return i;
}

/// The smaller number leads, so parents before children keep the paths short.
static void unite(int32_t* leader, int32_t i, int32_t k) {
    i = leader_of(leader, i);
    k = leader_of(leader, k);
    if (i < k)
        leader[k] = i;
    else
        leader[i] = k;
}

// Trees of the forest are joined by loops between them. Numbers are given in order of the first body.
void sni_set_bodies_find(sni_set_bodies* bodies, const sn_model* model) {
    int32_t *leader = bodies->slot, *number = bodies->component;
    for (int32_t i = 0; i < model->body_count; i++) {
        int32_t parent = model->joint[i].parent;
        leader[i] = parent < 0 ? i : leader[parent];
    }
    for (int32_t l = 0; l < model->loop_count; l++) {
        const int32_t* body = model->loop[l].body;
        if (body[0] >= 0 && body[1] >= 0) unite(leader, body[0], body[1]);
    }
    bodies->component_count = 0;
    for (int32_t i = 0; i < model->body_count; i++) {
        int32_t first = leader_of(leader, i);
        number[i] = first == i ? bodies->component_count++ : number[first];
    }
}

// Responses are squares, so the most numbers come when the largest components are taken whole.
int64_t sni_set_bodies_numbers(const sni_set_bodies* bodies, const sn_model* model) {
    int32_t *size = bodies->slot, *of_size = bodies->member, n = model->body_count;
    for (int32_t i = 0; i <= n; i++) of_size[i] = 0;
    for (int32_t i = 0; i < n; i++) size[i] = 0;
    for (int32_t i = 0; i < n; i++) size[bodies->component[i]]++;
    for (int32_t c = 0; c < bodies->component_count; c++) of_size[size[c]]++;
    int64_t numbers = 0, left = bodies->most;
    for (int32_t s = n; s > 0; s--) {
        for (int32_t k = 0; k < of_size[s] && left > 0; k++) {
            int64_t taken = s < left ? s : left;
            numbers += 36 * taken * taken;
            left -= taken;
        }
    }
    return numbers;
}
