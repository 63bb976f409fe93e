// SPDX-License-Identifier: Apache-2.0
// Behaviours of a scene file: states, the controllers that are active in them, and what ends them.
#include <string.h>

#include "base/nearest.h"
#include "scene/read.h"

static sn_status fail_name(const sni_reader* reader, const sni_node* node, const char* kind,
                           const sni_nearest* near) {
    if (near->best)
        return sni_node_fail(&reader->source, node, "there is no %s '%.60s'; did you mean '%s'?",
                             kind, near->wanted, near->best);
    return sni_node_fail(&reader->source, node, "there is no %s '%.60s'", kind, near->wanted);
}

/// Marks the controllers that a state names.
static sn_status read_active(sni_reader* reader, const sni_value* names, bool* active,
                             bool* masters) {
    const sn_scene* scene = reader->scene;
    if (!names->at) return SN_OK;
    const sni_node* at = sni_node_first(names->at);
    for (int i = 0; i < names->at->count; i++, at = sni_node_next(reader->source.yaml, at)) {
        sni_nearest near = {.wanted = sni_node_text(reader->source.yaml, at)};
        int c = 0;
        while (c < scene->controller_count && strcmp(scene->controller[c].name, near.wanted) != 0)
            sni_nearest_offer(&near, scene->controller[c++].name);
        if (c == scene->controller_count) return fail_name(reader, at, "controller", &near);
        active[c] = masters[c] = true;
    }
    return SN_OK;
}

static sn_status read_transition(sni_reader* reader, const sni_node* node,
                                 const sn_behaviour_def* b, sn_transition_def* t) {
    sni_transition_keys k;
    sn_status status = SN_MAP_READ(&reader->source, node, &sni_transition_map, &k);
    if (status) return status;
    *t = (sn_transition_def){.after = sni_number_or(&k.after, 0), .touch = sn_body_world()};
    t->feel = k.feel.at ? (sn_pattern)k.feel.word : SN_PATTERN_NONE;
    if (k.signal.at) t->word = sni_memory_text(reader->memory, k.signal.text);
    if (k.signal.at && !t->word) return sni_fail_memory(reader);
    if (k.touch.at) status = sni_read_body_name(reader, node, &k.touch, b->item, &t->touch);
    if (status) return status;
    sni_nearest near = {.wanted = k.go.text};
    for (t->to = 0; t->to < b->state_count; t->to++) {
        if (strcmp(b->state[t->to].name, near.wanted) == 0) return SN_OK;
        sni_nearest_offer(&near, b->state[t->to].name);
    }
    return fail_name(reader, k.go.at, "state", &near);
}

static sn_status read_transitions(sni_reader* reader, const sni_value* list,
                                  const sn_behaviour_def* b, sn_behaviour_state_def* state) {
    if (!list->at) return SN_OK;
    size_t count = (size_t)list->at->count;
    sn_transition_def* at = sni_memory_take(reader->memory, (count + 1) * sizeof *at);
    if (!at) return sni_fail_memory(reader);
    sni_walk w = sni_walk_list(list);
    sn_status status = SN_OK;
    for (const sni_node* node; !status && (node = sni_walk_on(reader, &w));)
        status = read_transition(reader, node, b, &at[state->transition_count++]);
    state->transition = at;
    return status;
}

static sn_status read_state(sni_reader* reader, const sni_node* node, sn_behaviour_def* b,
                            sn_behaviour_state_def* states, bool* masters) {
    sni_behaviour_state_keys k;
    sn_status status = SN_MAP_READ(&reader->source, node, &sni_behaviour_state_map, &k);
    if (status) return status;
    sn_behaviour_state_def* state = &states[b->state_count];
    bool* active = sni_memory_take(reader->memory, (size_t)reader->scene->controller_count + 1);
    if (!active) return sni_fail_memory(reader);
    state->active = active;
    status =
        sni_read_new_name(reader, &k.name, states, b->state_count, sizeof *states, &state->name);
    if (!status) status = read_active(reader, &k.controllers, active, masters);
    b->state_count += 1;
    return status;
}

/// States first: transitions go to any of them.
static sn_status read_states(sni_reader* reader, const sni_value* list, sn_behaviour_def* b,
                             bool* masters) {
    size_t count = (size_t)list->at->count;
    sn_behaviour_state_def* states = sni_memory_take(reader->memory, (count + 1) * sizeof *states);
    if (!states) return sni_fail_memory(reader);
    if (count == 0) return sni_node_fail(&reader->source, list->at, "a behaviour has states");
    b->state = states;
    sn_status status = SN_OK;
    sni_walk w = sni_walk_list(list), again = w;
    for (const sni_node* node; !status && (node = sni_walk_on(reader, &w));)
        status = read_state(reader, node, b, states, masters);
    int i = 0;
    for (const sni_node* node; !status && (node = sni_walk_on(reader, &again)); i++) {
        sni_behaviour_state_keys k;
        status = SN_MAP_READ(&reader->source, node, &sni_behaviour_state_map, &k);
        if (!status) status = read_transitions(reader, &k.on, b, &states[i]);
    }
    return status;
}

/// A controller belongs to one behaviour.
static sn_status check_masters(sni_reader* reader, const sni_node* node, const bool* masters) {
    const sn_scene* scene = reader->scene;
    for (int i = 0; i < scene->behaviour_count; i++)
        for (int c = 0; c < scene->controller_count; c++)
            if (masters[c] && scene->behaviour[i].masters[c])
                return sni_node_fail(&reader->source, node,
                                     "controller '%.60s' belongs to the behaviour '%.60s'",
                                     scene->controller[c].name, scene->behaviour[i].name);
    return SN_OK;
}

/// The force sensor that a behaviour feels by.
static sn_status read_feeling(sni_reader* reader, const sni_value* name, sn_behaviour_def* b) {
    const sn_scene* scene = reader->scene;
    b->sensor = -1;
    if (!name->at) return SN_OK;
    sni_nearest near = {.wanted = name->text};
    for (int i = 0; i < scene->sensor_count; i++) {
        if (scene->sensor[i].type != SN_SENSOR_FORCE) continue;
        if (strcmp(scene->sensor[i].name, near.wanted) == 0) b->sensor = i;
        sni_nearest_offer(&near, scene->sensor[i].name);
    }
    return b->sensor >= 0 ? SN_OK : fail_name(reader, name->at, "force sensor", &near);
}

static sn_status read_behaviour(sni_reader* reader, const sni_node* node) {
    sni_behaviour_keys k;
    sn_scene* scene = reader->scene;
    sn_behaviour_def* list = sni_grow(scene->behaviour, scene->behaviour_count,
                                      &scene->behaviour_capacity, sizeof *list);
    if (!list) return sni_fail_memory(reader);
    scene->behaviour = list;
    sn_behaviour_def b = {.recogniser = sn_recogniser_def_default(),
                          .place = sni_node_place(&reader->source, node)};
    bool* masters = sni_memory_take(reader->memory, (size_t)scene->controller_count + 1);
    if (!masters) return sni_fail_memory(reader);
    b.masters = masters;
    sn_status status = SN_MAP_READ(&reader->source, node, &sni_behaviour_map, &k);
    if (!status) status = sni_read_item_name(reader, &k.item, &b.item);
    if (!status)
        status = sni_read_new_name(reader, k.name.at ? &k.name : &k.item, list,
                                   scene->behaviour_count, sizeof *list, &b.name);
    if (status) return status;
    b.recogniser.threshold = sni_number_or(&k.threshold, b.recogniser.threshold);
    status = read_feeling(reader, &k.sensor, &b);
    if (!status) status = read_states(reader, &k.states, &b, masters);
    if (!status) status = check_masters(reader, node, masters);
    if (!status) list[scene->behaviour_count++] = b;
    return status;
}

sn_status sni_read_behaviours(sni_reader* reader, const sni_value* list) {
    sni_walk w = sni_walk_list(list);
    sn_status status = SN_OK;
    for (const sni_node* node; !status && (node = sni_walk_on(reader, &w));)
        status = read_behaviour(reader, node);
    return status;
}
