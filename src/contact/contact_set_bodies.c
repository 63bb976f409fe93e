// SPDX-License-Identifier: Apache-2.0
// Which bodies of a model respond to each other, whatever joints are locked.
#include <math.h>

#include "contact/contact_set.h"
#include "math/mat6.h"

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

/// Numbers the free bodies without children or loops.
static void find_lone(sni_set_bodies* bodies, const sn_model* model) {
    int32_t* lone = bodies->lone;
    for (int32_t i = 0; i < model->body_count; i++) { // parents come first
        int32_t parent = model->joint[i].parent;
        lone[i] = parent < 0 && model->joint[i].type == SN_JOINT_FREE ? 0 : -1;
        if (parent >= 0) lone[parent] = -1;
    }
    for (int32_t l = 0; l < model->loop_count; l++)
        for (int k = 0; k < 2; k++)
            if (model->loop[l].body[k] >= 0) lone[model->loop[l].body[k]] = -1;
    bodies->lone_count = 0;
    for (int32_t i = 0; i < model->body_count; i++)
        if (lone[i] >= 0) lone[i] = bodies->lone_count++;
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
    find_lone(bodies, model);
}

/// Slots of joints by component, in `slots`; returns all of them.
static int32_t count_joint_slots(const sni_set_bodies* bodies, const sn_model* model,
                                 int32_t servos, int32_t* slots) {
    int32_t sum = 0;
    for (int32_t c = 0; c < bodies->component_count; c++) slots[c] = 0;
    for (int32_t i = 0; i < model->body_count; i++)
        if (sni_joint_may_have_rows(model, i, servos))
            slots[bodies->component[i]] += model->joint[i].nv;
    for (int32_t c = 0; c < bodies->component_count; c++) {
        slots[c] = (slots[c] + 5) / 6;
        sum += slots[c];
    }
    return sum;
}

// Responses are squares, so the most numbers come when the largest components are taken whole.
void sni_set_bodies_measure(sni_set_bodies* bodies, const sn_model* model, int32_t servos) {
    int32_t *size = bodies->slot, *of_size = bodies->member, n = model->body_count;
    int32_t* slots = bodies->member_dofs;
    bodies->joints_most = count_joint_slots(bodies, model, servos, slots);
    bodies->most += bodies->joints_most;
    for (int32_t i = 0; i <= 2 * n; i++) of_size[i] = 0;
    for (int32_t i = 0; i < n; i++) size[i] = 0;
    for (int32_t i = 0; i < n; i++) size[bodies->component[i]]++;
    for (int32_t c = 0; c < bodies->component_count; c++) of_size[size[c] + slots[c]]++;
    int64_t left = bodies->most;
    bodies->value_most = bodies->tree_most = 0;
    for (int32_t s = 2 * n; s > 0; s--) {
        for (int32_t k = 0; k < of_size[s] && left > 0; k++) {
            int64_t taken = s < left ? s : left;
            if (bodies->value_most == 0) bodies->tree_most = (int32_t)taken;
            bodies->value_most += 36 * taken * taken;
            left -= taken;
        }
    }
}

void sni_set_bodies_respond(sni_set_bodies* bodies, const sn_model* model) {
    for (int32_t i = 0; i < model->body_count; i++) {
        if (bodies->lone[i] < 0) continue;
        sni_mat6 inverse; // of a free joint canonical axes are the user's
        sni_rigid_inverse(&model->inertia[i], &inverse);
        double* Om = bodies->lone_response + 36 * (ptrdiff_t)bodies->lone[i];
        bool finite = true;
        for (int k = 0; k < 36; k++) {
            Om[k] = inverse.row[k / 6].x[k % 6];
            finite = finite && isfinite(Om[k]);
        }
        if (!finite) bodies->lone[i] = -1; // the dynamics will say what is wrong with it
    }
}
