// SPDX-License-Identifier: Apache-2.0
#include "sim/rest.h"

#include <string.h>

void sni_rest_layout(sni_rest* rest, sni_arena* arena, const sn_model* model) {
    int32_t n = model->body_count;
    rest->tree = SN_ARENA_ARRAY(arena, int32_t, n);
    rest->first = SN_ARENA_ARRAY(arena, int32_t, n + 1);
    rest->member = SN_ARENA_ARRAY(arena, int32_t, n);
    rest->leader = SN_ARENA_ARRAY(arena, int32_t, n);
    rest->touches = SN_ARENA_ARRAY(arena, bool, n);
    rest->slow = SN_ARENA_ARRAY(arena, bool, n);
    rest->quiet = SN_ARENA_ARRAY(arena, int32_t, n);
    rest->asleep = SN_ARENA_ARRAY(arena, bool, n);
    rest->resting = SN_ARENA_ARRAY(arena, bool, n);
    rest->radius = SN_ARENA_ARRAY(arena, double, n);
    rest->moving = SN_ARENA_ARRAY(arena, int32_t, n);
}

// ---- groups ---------------------------------------------------------------------------------------------

static int32_t leader_of(int32_t* leader, int32_t t) {
    while (leader[t] != t) t = leader[t] = leader[leader[t]];
    return t;
}

static void join(int32_t* leader, int32_t a, int32_t b) {
    a = leader_of(leader, a);
    b = leader_of(leader, b);
    leader[a > b ? a : b] = a > b ? b : a;
}

/// Numbers the trees by their first bodies. `leader` serves to join bodies here.
static void number_trees(sni_rest* rest, const sn_model* model) {
    int32_t n = model->body_count;
    int32_t* leader = rest->leader;
    for (int32_t i = 0; i < n; i++) {
        leader[i] = i;
        if (model->joint[i].parent >= 0) join(leader, i, model->joint[i].parent);
    }
    for (int32_t l = 0; l < model->loop_count; l++) {
        const int32_t* body = model->loop[l].body;
        if (body[0] >= 0 && body[1] >= 0) join(leader, body[0], body[1]);
    }
    rest->tree_count = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t root = leader_of(leader, i); // the smallest of its tree
        rest->tree[i] = root == i ? rest->tree_count++ : rest->tree[root];
    }
}

static void list_members(sni_rest* rest, int32_t body_count) {
    memset(rest->first, 0, ((size_t)rest->tree_count + 1) * sizeof *rest->first);
    for (int32_t i = 0; i < body_count; i++) rest->first[rest->tree[i] + 1]++;
    for (int32_t t = 0; t < rest->tree_count; t++) rest->first[t + 1] += rest->first[t];
    int32_t* next = rest->leader; // not needed yet
    memcpy(next, rest->first, (size_t)rest->tree_count * sizeof *next);
    for (int32_t i = 0; i < body_count; i++) rest->member[next[rest->tree[i]]++] = i;
}

static double gyration_radius(const sn_inertia* I) {
    double moment = (I->I.m[0][0] + I->I.m[1][1] + I->I.m[2][2]) / 2;
    return I->mass > 0 ? sqrt(moment / I->mass) : 0;
}

void sni_rest_start(sni_rest* rest, const sn_model* model) {
    number_trees(rest, model);
    list_members(rest, model->body_count);
    for (int32_t t = 0; t < rest->tree_count; t++) rest->leader[t] = t;
    for (int32_t i = 0; i < model->body_count; i++)
        rest->radius[i] = gyration_radius(&model->body[i].inertia);
}

void sni_rest_join(sni_rest* rest, int32_t a, int32_t b) {
    if (a >= 0 && b >= 0) join(rest->leader, rest->tree[a], rest->tree[b]);
}

/// Joins what touches; points of one pair of bodies mostly come one after the other.
static void join_touching(sni_rest* rest, const sn_contact* contacts, int32_t count) {
    int32_t a = -1, b = -1;
    for (int32_t k = 0; k < count; k++) {
        if (contacts[k].a.i == a && contacts[k].b.i == b) continue;
        a = contacts[k].a.i;
        b = contacts[k].b.i;
        sni_rest_join(rest, a, b);
        rest->touches[rest->tree[a >= 0 ? a : b]] = true;
    }
}

void sni_rest_group(sni_rest* rest, const sn_contact* contacts, int32_t count,
                    const sn_constraint* constraints, int32_t constraint_count) {
    for (int32_t t = 0; t < rest->tree_count; t++) {
        if (!rest->asleep[t]) rest->leader[t] = t;
        rest->touches[t] = false;
    }
    join_touching(rest, contacts, count);
    for (int32_t k = 0; k < constraint_count; k++)
        sni_rest_join(rest, constraints[k].a.i, constraints[k].b.i);
    for (int32_t t = 0; t < rest->tree_count; t++) {
        rest->leader[t] = leader_of(rest->leader, t);
        rest->touches[rest->leader[t]] |= rest->touches[t];
    }
}

// ---- sleep ----------------------------------------------------------------------------------------------

static void set_asleep(sni_rest* rest, int32_t t, bool asleep) {
    rest->version++;
    rest->asleep[t] = asleep;
    rest->quiet[t] = 0;
    for (int32_t k = rest->first[t]; k < rest->first[t + 1]; k++)
        rest->resting[rest->member[k]] = asleep;
    rest->resting_count += (asleep ? 1 : -1) * (rest->first[t + 1] - rest->first[t]);
}

/// In the order of bodies, parents first.
static void list_moving(sni_rest* rest) {
    int32_t body_count = rest->first[rest->tree_count];
    rest->moving_count = 0;
    for (int32_t i = 0; i < body_count; i++)
        if (!rest->resting[i]) rest->moving[rest->moving_count++] = i;
}

static void wake_group(sni_rest* rest, int32_t leader) {
    for (int32_t t = 0; t < rest->tree_count; t++)
        if (rest->asleep[t] && rest->leader[t] == leader) set_asleep(rest, t, false);
}

static bool sleeps(const sni_rest* rest, int32_t body) { return body >= 0 && rest->resting[body]; }

bool sni_rest_wake_touched(sni_rest* rest, const sn_contact* contacts, int32_t count) {
    bool woke = false;
    if (rest->resting_count == 0) return false;
    for (int32_t k = 0; k < count; k++) {
        int32_t a = contacts[k].a.i, b = contacts[k].b.i;
        if (!sleeps(rest, a) && !sleeps(rest, b)) continue;
        int32_t sleeper = sleeps(rest, a) ? a : b;
        wake_group(rest, rest->leader[rest->tree[sleeper]]);
        woke = true;
    }
    if (woke) list_moving(rest);
    return woke;
}

void sni_rest_wake(sni_rest* rest, int32_t body) {
    if (!sleeps(rest, body)) return;
    wake_group(rest, rest->leader[rest->tree[body]]);
    list_moving(rest);
}

void sni_rest_keep_awake(sni_rest* rest, int32_t body) {
    sni_rest_wake(rest, body);
    rest->quiet[rest->tree[body]] = 0;
}

void sni_rest_wake_all(sni_rest* rest) {
    for (int32_t t = 0; t < rest->tree_count; t++)
        if (rest->asleep[t]) set_asleep(rest, t, false);
}

/// Speed of a body's centre of mass, and of its mass about it.
static double speed_of(const sni_rest* rest, const sn_dynamics* d, int32_t body) {
    sn_twist v = sn_dynamics_velocity(d, sn_body(body));
    sn_vec3 com = d->model->body[body].inertia.com;
    return sn_vec3_norm(sn_vec3_add(v.v, sn_vec3_cross(v.w, com))) +
           sn_vec3_norm(v.w) * rest->radius[body];
}

static bool tree_is_slow(const sni_rest* rest, const sn_dynamics* d, int32_t t, double speed) {
    for (int32_t k = rest->first[t]; k < rest->first[t + 1]; k++)
        if (!(speed_of(rest, d, rest->member[k]) <= speed)) return false;
    return true;
}

bool sni_rest_fall_asleep(sni_rest* rest, const sn_dynamics* d, double speed, double steps,
                          double* v) {
    for (int32_t t = 0; t < rest->tree_count; t++) rest->slow[t] = rest->touches[t];
    for (int32_t t = 0; t < rest->tree_count; t++) {
        bool* slow = &rest->slow[rest->leader[t]];
        if (!rest->asleep[t] && *slow) *slow = tree_is_slow(rest, d, t, speed);
    }
    bool fell = false;
    for (int32_t t = 0; t < rest->tree_count; t++) {
        if (rest->asleep[t]) continue;
        if (!rest->slow[rest->leader[t]])
            rest->quiet[t] = 0;
        else if (rest->quiet[t] < INT32_MAX)
            rest->quiet[t]++;
    }
    // a group sleeps when all its trees have been quiet: one that came last holds the others awake
    for (int32_t t = 0; t < rest->tree_count; t++)
        if (!rest->asleep[t] && !(rest->quiet[t] >= steps)) rest->slow[rest->leader[t]] = false;
    for (int32_t t = 0; t < rest->tree_count; t++) {
        if (rest->asleep[t] || !rest->slow[rest->leader[t]]) continue;
        set_asleep(rest, t, true);
        fell = true;
        for (int32_t k = rest->first[t]; k < rest->first[t + 1]; k++) {
            const sni_joint* joint = &d->model->joint[rest->member[k]];
            memset(v + joint->iv, 0, joint->nv * sizeof *v);
        }
    }
    if (fell) list_moving(rest);
    return fell;
}
