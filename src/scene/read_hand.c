// SPDX-License-Identifier: Apache-2.0
// Devices, hands, plugins of a scene file.
#include <math.h>
#include <string.h>

#include "base/nearest.h"
#include "scene/read.h"

sn_status sni_read_devices(sni_reader* reader, const sni_value* value) {
    sni_walk w = sni_walk_list(value);
    sn_scene* scene = reader->scene;
    for (const sni_node* node; (node = sni_walk_on(reader, &w));) {
        sni_device_keys k;
        sn_device_def* list =
            sni_grow(scene->device, scene->device_count, &scene->device_capacity, sizeof *list);
        if (!list) return sni_fail_memory(reader);
        scene->device = list;
        sn_device_def d = {.place = sni_node_place(&reader->source, node)};
        sn_status status = SN_MAP_READ(&reader->source, node, &sni_device_map, &k);
        if (!status)
            status = sni_read_new_name(reader, &k.name, list, scene->device_count, sizeof *list,
                                       &d.name);
        if (status) return status;
        d.driver = sni_memory_text(reader->memory, k.driver.text);
        d.profile = sni_memory_text(reader->memory, sni_text_or(&k.profile, ""));
        if (!d.driver || !d.profile) return sni_fail_memory(reader);
        list[scene->device_count++] = d;
    }
    return SN_OK;
}

static sn_status find_device(sni_reader* reader, const sni_value* value, int* device) {
    const sn_scene* scene = reader->scene;
    sni_nearest near = {.wanted = value->text};
    for (*device = 0; *device < scene->device_count; *device += 1) {
        if (strcmp(scene->device[*device].name, value->text) == 0) return SN_OK;
        sni_nearest_offer(&near, scene->device[*device].name);
    }
    if (near.best)
        return sni_node_fail(&reader->source, value->at,
                             "there is no device '%.60s'; did you mean '%s'?", value->text,
                             near.best);
    return sni_node_fail(&reader->source, value->at,
                         "there is no device '%.60s'; name it under 'devices'", value->text);
}

static sn_status read_buttons(sni_reader* reader, const sni_value* value, sn_hand_def* hand) {
    if (!value->at) return SN_OK;
    const sni_node* at = sni_node_first(value->at);
    if (value->at->count > SN_HAND_BUTTONS)
        return sni_node_fail(&reader->source, value->at, "more than %d buttons", SN_HAND_BUTTONS);
    for (int i = 0; i < value->at->count; i++, at = sni_node_next(reader->source.yaml, at)) {
        const char* action =
            sni_memory_text(reader->memory, sni_node_text(reader->source.yaml, at));
        if (!action) return sni_fail_memory(reader);
        hand->button[hand->button_count++] = (sn_button_def){i, action};
    }
    return SN_OK;
}

/// A button that must be held, or none.
static sn_status read_enable(sni_reader* reader, const sni_value* value, int* enable) {
    if (!value->at) return SN_OK;
    if (value->is != SN_ACCEPT_BOOL) {
        *enable = value->number[0] < 32 ? (int)value->number[0] : 32; // no device has more
        return SN_OK;
    }
    if (value->truth)
        return sni_node_fail(&reader->source, value->at,
                             "'enable' is false, or the number of a button, counted from 1");
    *enable = -1;
    return SN_OK;
}

static const sn_torsion_tree* tree_of(const sn_scene* scene, int item) {
    for (int i = 0; i < scene->molecule_count; i++)
        if (scene->molecule[i].item == item) return scene->molecule[i].tree;
    return NULL;
}

/// A part of a molecule: point and joints inside.
static sn_status read_part(sni_reader* reader, const sni_value* value, const sn_torsion_tree* tree,
                           sn_hand_def* h) {
    sn_molecule_part part;
    sn_error why = {0};
    if (sn_torsion_tree_find_part(tree, value->text, &part, NULL, 0, &why))
        return sni_node_fail(&reader->source, value->at, "%s", why.text);
    sn_body_id* still = sni_memory_take(reader->memory, ((size_t)part.still + 1) * sizeof *still);
    if (!still) return sni_fail_memory(reader);
    h->still = still;
    h->still_count = part.still;
    h->body = part.body;
    h->point = part.point;
    return sn_torsion_tree_find_part(tree, value->text, &part, still, part.still, NULL);
}

/// What it holds: a body of its item, or a part of a molecule.
static sn_status read_held(sni_reader* reader, const sni_node* node, const sni_hand_keys* k,
                           sn_hand_def* h) {
    const sn_torsion_tree* tree = tree_of(reader->scene, h->item);
    const sn_model* model = reader->scene->item[h->item].model;
    if (tree && k->body.at && sn_model_find_body(model, k->body.text).i < 0)
        return read_part(reader, &k->body, tree, h);
    return sni_read_body_name(reader, node, &k->body, h->item, &h->body);
}

static sn_status fill_hand(sni_reader* reader, const sni_node* node, const sni_hand_keys* k,
                           sn_hand_def* h) {
    sn_status status = find_device(reader, &k->device, &h->device);
    if (!status) status = sni_read_item_name(reader, &k->item, &h->item);
    if (!status && h->item >= 0) status = read_held(reader, node, k, h);
    if (!status) status = sni_read_pose(reader, &k->at, &h->place_in);
    if (!status) status = read_buttons(reader, &k->buttons, h);
    if (!status) status = read_enable(reader, &k->enable, &h->enable);
    if (status) return status;
    h->mode = k->mode.at ? (sn_hand_mode)k->mode.word : SN_HAND_ATTACH;
    h->law = k->law.at ? (sn_feedback_law)k->law.word : SN_FEEDBACK_SPRING;
    bool molecular = reader->scene->molecule_count > 0;
    h->point = sni_vec3_or(&k->point, h->point);
    h->six = sni_truth_or(&k->six, false);
    h->fit = k->stiffness.at && k->stiffness.is == SN_ACCEPT_WORD;
    h->stiffness = h->fit ? 500 : sni_number_or(&k->stiffness, molecular ? 0 : 500);
    h->damping = sni_number_or(&k->damping, 2);
    h->turn_stiffness = sni_number_or(&k->turn_stiffness, 2);
    h->turn_damping = sni_number_or(&k->turn_damping, 0.02);
    bool scaled = k->scale.at && k->scale.is == SN_ACCEPT_NUMBER;
    h->scale = scaled ? k->scale.number[0] : k->scale.at || molecular ? 0 : 1;
    h->force_scale = sni_number_or(&k->force_scale, 0);
    h->strength = sni_number_or(&k->strength, 0);
    h->rate_from = sni_number_or(&k->rate_from, 0);
    h->rate = sni_number_or(&k->rate, 5);
    h->tool = sni_vec3_or(&k->tool, sn_vec3_zero());
    h->weight = sni_truth_or(&k->weight, true);
    return SN_OK;
}

sn_status sni_read_hands(sni_reader* reader, const sni_value* value) {
    sni_walk w = sni_walk_list(value);
    sn_scene* scene = reader->scene;
    for (const sni_node* node; (node = sni_walk_on(reader, &w));) {
        sni_hand_keys k;
        sn_hand_def* list =
            sni_grow(scene->hand, scene->hand_count, &scene->hand_capacity, sizeof *list);
        if (!list) return sni_fail_memory(reader);
        scene->hand = list;
        sn_hand_def h = {.body = sn_body_world(), .place = sni_node_place(&reader->source, node)};
        sn_status status = SN_MAP_READ(&reader->source, node, &sni_hand_map, &k);
        if (!status)
            status =
                sni_read_new_name(reader, &k.name, list, scene->hand_count, sizeof *list, &h.name);
        if (!status) status = fill_hand(reader, node, &k, &h);
        if (status) return status;
        list[scene->hand_count++] = h;
    }
    return SN_OK;
}

// ---- plugins ----------------------------------------------------------------------------------------

sn_status sni_read_plugins(sni_reader* reader, const sni_value* value) {
    sni_walk w = sni_walk_list(value);
    sn_scene* scene = reader->scene;
    for (const sni_node* node; (node = sni_walk_on(reader, &w));) {
        sni_plugin_keys k;
        sn_scene_plugin* list =
            sni_grow(scene->plugin, scene->plugin_count, &scene->plugin_capacity, sizeof *list);
        if (!list) return sni_fail_memory(reader);
        scene->plugin = list;
        sn_scene_plugin p = {.place = sni_node_place(&reader->source, node)};
        sn_status status = SN_MAP_READ(&reader->source, node, &sni_plugin_map, &k);
        if (!status) status = sni_read_path(reader, &k.file, &p.path);
        if (status) return status;
        p.options = sni_memory_text(reader->memory, sni_text_or(&k.options, ""));
        if (!p.options) return sni_fail_memory(reader);
        list[scene->plugin_count++] = p;
    }
    return SN_OK;
}
