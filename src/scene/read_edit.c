// SPDX-License-Identifier: Apache-2.0
// Edits: holds and the script of a scene, and commands of a stream.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "scene/read.h"

/// An edit of its own, with its memory.
typedef struct command {
    sn_edit edit; ///< first: an sn_edit* is the command
    sni_memory memory;
} command;

static sn_status keep(sni_reader* reader, const sni_value* value, const char** text) {
    *text = sni_memory_text(reader->memory, sni_text_or(value, ""));
    return *text ? SN_OK : sni_fail_memory(reader);
}

// ---- one edit ---------------------------------------------------------------------------------------

static sn_status read_add(sni_reader* reader, const sni_node* node, sn_edit* edit) {
    sni_thing thing;
    sn_scene* scene = reader->scene;
    reader->scene = NULL; // its model belongs to the edit alone
    sn_status status = sni_read_thing(reader, node, &sni_add_map, &thing);
    reader->scene = scene;
    if (status) return status;
    sn_item* item = sni_memory_take(reader->memory, sizeof *item);
    const char* prefix =
        thing.own_body ? thing.item.name : sni_memory_join(reader->memory, thing.item.name, "/");
    if (!item || !prefix) {
        sn_model_free((sn_model*)thing.item.model);
        return sni_fail_memory(reader);
    }
    *item = thing.item;
    item->prefix = prefix;
    edit->item = item;
    edit->name = item->name;
    return SN_OK;
}

static sn_status read_frame(sni_reader* reader, const sni_value* value, sn_pose* pose) {
    if (!value->at) return SN_OK;
    sni_frame_keys k;
    sn_status status = SN_MAP_READ(&reader->source, value->at, &sni_frame_map, &k);
    return status ? status : sni_read_pose(reader, &k.at, pose);
}

static sn_status read_hold(sni_reader* reader, const sni_node* node, sn_edit* edit) {
    sni_hold_keys k;
    sn_constraint* c = &edit->constraint;
    sn_status status = SN_MAP_READ(&reader->source, node, &sni_hold_map, &k);
    if (status) return status;
    edit->type = SN_EDIT_HOLD;
    c->type = (sn_constraint_type)k.type.word;
    if (c->type == SN_CONSTRAINT_DISTANCE && !k.length.at)
        return sni_node_fail(&reader->source, node, "a hold of type distance needs 'length'");
    c->length = sni_number_or(&k.length, 0);
    c->stiffness = sni_number_or(&k.stiffness, INFINITY);
    c->damping = sni_number_or(&k.damping, 0);
    c->turn_stiffness = sni_number_or(&k.turn_stiffness, INFINITY);
    c->turn_damping = sni_number_or(&k.turn_damping, 0);
    edit->frames_given = k.frame.at || k.other_frame.at;
    status = read_frame(reader, &k.frame, &c->X_ac);
    if (!status) status = read_frame(reader, &k.other_frame, &c->X_bc);
    if (!status) status = keep(reader, &k.name, &edit->name);
    if (!status) status = keep(reader, &k.body, &edit->body);
    if (!status) status = keep(reader, &k.other, &edit->other);
    return status;
}

static sn_status read_push(sni_reader* reader, const sni_node* node, sn_edit* edit) {
    sni_push_keys k;
    sn_status status = SN_MAP_READ(&reader->source, node, &sni_push_map, &k);
    if (status) return status;
    edit->wrench = sn_wrench_make(sni_vec3_or(&k.moment, sn_vec3_zero()),
                                  sni_vec3_or(&k.force, sn_vec3_zero()));
    return keep(reader, &k.body, &edit->body);
}

static void take_numbers(const sni_value* value, sn_edit* edit) {
    edit->number_count = value->count;
    memcpy(edit->number, value->number, (size_t)value->count * sizeof *edit->number);
}

static sn_status read_joint_value(sni_reader* reader, const sni_node* node, sn_edit* edit) {
    sni_joint_value_keys k;
    sn_status status = SN_MAP_READ(&reader->source, node, &sni_joint_value_map, &k);
    if (status) return status;
    take_numbers(&k.value, edit);
    return keep(reader, &k.joint, &edit->body);
}

static sn_status read_target(sni_reader* reader, const sni_node* node, sn_edit* edit) {
    sni_target_keys k;
    sn_status status = SN_MAP_READ(&reader->source, node, &sni_target_map, &k);
    if (status) return status;
    take_numbers(&k.value, edit);
    status = keep(reader, &k.controller, &edit->name);
    return status ? status : keep(reader, &k.joint, &edit->body);
}

static sn_status read_surface(sni_reader* reader, const sni_node* node, sn_edit* edit) {
    sni_surface_keys k;
    sn_status status = SN_MAP_READ(&reader->source, node, &sni_surface_map, &k);
    if (!status) status = sni_read_material(reader, &k.material, &edit->material);
    return status ? status : keep(reader, &k.item, &edit->name);
}

static sn_status read_command(sni_reader* reader, const sni_node* node, sn_edit* edit) {
    sni_command_keys k;
    sn_status status = SN_MAP_READ(&reader->source, node, &sni_command_map, &k);
    if (!status) status = keep(reader, &k.name, &edit->name);
    return status ? status : keep(reader, &k.words, &edit->words);
}

static sn_edit empty_edit(sn_place place) {
    sn_edit edit = {.name = "",
                    .body = "",
                    .other = "",
                    .words = "",
                    .constraint = sn_constraint_default(),
                    .material = sn_material_default(),
                    .adaptivity = sn_adaptivity_default(),
                    .place = place};
    return edit;
}

/// The key that was given is the kind of edit.
static sn_status read_kind(sni_reader* reader, const sni_value* value, sn_edit* edit) {
    switch (edit->type) {
    case SN_EDIT_ADD: return read_add(reader, value->at, edit);
    case SN_EDIT_REMOVE:
    case SN_EDIT_RELEASE: return keep(reader, value, &edit->name);
    case SN_EDIT_HOLD: return read_hold(reader, value->at, edit);
    case SN_EDIT_PUSH: return read_push(reader, value->at, edit);
    case SN_EDIT_FORCE:
    case SN_EDIT_MOVE: return read_joint_value(reader, value->at, edit);
    case SN_EDIT_LOCK:
    case SN_EDIT_UNLOCK: return keep(reader, value, &edit->body);
    case SN_EDIT_SURFACE: return read_surface(reader, value->at, edit);
    case SN_EDIT_GRAVITY: edit->vector = sni_vec3_or(value, sn_vec3_zero()); return SN_OK;
    case SN_EDIT_ACTIVE: return sni_read_adaptive(reader, value, &edit->adaptivity);
    case SN_EDIT_TARGET: return read_target(reader, value->at, edit);
    case SN_EDIT_SIGNAL: return keep(reader, value, &edit->name);
    case SN_EDIT_PLUGIN: return read_command(reader, value->at, edit);
    case SN_EDIT_RESET:
        if (value->truth) return SN_OK;
        return sni_node_fail(&reader->source, value->at, "'reset' is true");
    case SN_EDIT_TYPE_COUNT: break;
    }
    return SN_OK;
}

static const char* const edit_names[] = {
#define NAME(code, name) name,
    SN_EDIT_LIST(NAME)
#undef NAME
};

static sn_status read_edit(sni_reader* reader, const sni_node* node, const sni_map* map,
                           sn_edit* edit) {
    sni_script_keys k;
    sni_value* values = (sni_value*)&k;
    *edit = empty_edit(sni_node_place(&reader->source, node));
    sn_status status = sni_map_read(&reader->source, node, map, values);
    if (status) return status;
    edit->time = sni_number_or(&k.at, 0);
    for (int i = 0; i < map->count; i++) {
        if (!values[i].at || &values[i] == &k.at) continue;
        for (int t = 0; t < SN_EDIT_TYPE_COUNT; t++)
            if (strcmp(map->key[i].name, edit_names[t]) == 0) edit->type = (sn_edit_type)t;
        status = read_kind(reader, &values[i], edit);
    }
    return status;
}

// ---- names in the script ----------------------------------------------------------------------------

/// The item with the first `length` letters of a name, in the scene or put in by an edit; NULL: none.
static const sn_item* find_item(const sn_scene* scene, const char* name, size_t length) {
    char item[256];
    if (length >= sizeof item) return NULL;
    memcpy(item, name, length);
    item[length] = '\0';
    int i = sni_scene_find(scene, item);
    if (i >= 0) return &scene->item[i];
    for (int e = 0; e < scene->edit_count; e++)
        if (scene->edit[e].item && strcmp(scene->edit[e].item->name, item) == 0)
            return scene->edit[e].item;
    return NULL;
}

static sn_status fail_name(const sni_reader* reader, const sn_edit* edit, const char* what,
                           const char* name, const char* near) {
    if (near)
        return sni_fail(reader->source.error, SN_ERR_FORMAT, edit->place,
                        "there is no %s '%.80s'; did you mean '%s'?", what, name, near);
    return sni_fail(reader->source.error, SN_ERR_FORMAT, edit->place, "there is no %s '%.80s'",
                    what, name);
}

static sn_status check_item_name(const sni_reader* reader, const sn_edit* edit, const char* name,
                                 size_t length, const sn_item** item) {
    const sn_scene* scene = reader->scene;
    *item = find_item(scene, name, length);
    if (*item) return SN_OK;
    char wanted[256];
    snprintf(wanted, sizeof wanted, "%.*s", (int)(length < 255 ? length : 255), name);
    sni_nearest near = {.wanted = wanted};
    for (int i = 0; i < scene->item_count; i++) sni_nearest_offer(&near, scene->item[i].name);
    return fail_name(reader, edit, "item", wanted, near.best);
}

/// NAME of an object, or ITEM/BODY; joints: the same of joints.
static sn_status check_body_name(const sni_reader* reader, const sn_edit* edit, const char* name,
                                 bool joint) {
    if (!name[0] || strcmp(name, "world") == 0) return SN_OK;
    const char* slash = strchr(name, '/');
    size_t length = slash ? (size_t)(slash - name) : strlen(name);
    const sn_item* item;
    sn_status status = check_item_name(reader, edit, name, length, &item);
    if (status) return status;
    const sn_model* model = item->model;
    const char* own = slash ? slash + 1 : "";
    sn_body_id body = joint ? sn_model_find_joint(model, own) : sn_model_find_body(model, own);
    if (body.i >= 0) return SN_OK;
    sni_nearest near = {.wanted = own};
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        sni_nearest_offer(&near, joint ? b.joint_name : b.name);
    }
    if (sn_model_body_count(model) == 0)
        return sni_fail(reader->source.error, SN_ERR_FORMAT, edit->place,
                        "'%.80s' has no body that moves", item->name);
    if (slash) return fail_name(reader, edit, joint ? "joint" : "body", name, near.best);
    return sni_fail(reader->source.error, SN_ERR_FORMAT, edit->place,
                    "'%.80s' has several bodies; name one as %.80s/%s", name, name,
                    joint ? "JOINT" : "BODY");
}

static sn_status check_controller_name(const sni_reader* reader, const sn_edit* edit) {
    const sn_scene* scene = reader->scene;
    sni_nearest near = {.wanted = edit->name};
    for (int i = 0; i < scene->controller_count; i++) {
        if (strcmp(scene->controller[i].name, edit->name) == 0) return SN_OK;
        sni_nearest_offer(&near, scene->controller[i].name);
    }
    return fail_name(reader, edit, "controller", edit->name, near.best);
}

static sn_status check_hold_name(const sni_reader* reader, const sn_edit* edit) {
    const sn_scene* scene = reader->scene;
    sni_nearest near = {.wanted = edit->name};
    for (int i = 0; i < scene->edit_count; i++) {
        if (scene->edit[i].type != SN_EDIT_HOLD) continue;
        if (strcmp(scene->edit[i].name, edit->name) == 0) return SN_OK;
        sni_nearest_offer(&near, scene->edit[i].name);
    }
    return fail_name(reader, edit, "hold", edit->name, near.best);
}

/// What an edit of the script names must be in the scene, or put in by the script.
static sn_status check_names(const sni_reader* reader, const sn_edit* edit) {
    const sn_item* item;
    bool joint = edit->type != SN_EDIT_HOLD && edit->type != SN_EDIT_PUSH;
    sn_status status = check_body_name(reader, edit, edit->body, joint);
    if (!status) status = check_body_name(reader, edit, edit->other, false);
    if (status) return status;
    switch (edit->type) {
    case SN_EDIT_REMOVE:
    case SN_EDIT_SURFACE:
        return check_item_name(reader, edit, edit->name, strlen(edit->name), &item);
    case SN_EDIT_TARGET: return check_controller_name(reader, edit);
    case SN_EDIT_RELEASE: return check_hold_name(reader, edit);
    default: return SN_OK;
    }
}

// ---- the script -------------------------------------------------------------------------------------

static sn_status add_edit(sni_reader* reader, const sn_edit* edit) {
    sn_scene* scene = reader->scene;
    sn_edit* list = sni_grow(scene->edit, scene->edit_count, &scene->edit_capacity, sizeof *list);
    if (!list) {
        if (edit->item) sn_model_free((sn_model*)edit->item->model);
        return sni_fail_memory(reader);
    }
    scene->edit = list;
    list[scene->edit_count++] = *edit;
    return SN_OK;
}

/// Stable: what happens at one time keeps its order.
static void sort_edits(sn_edit* edit, sn_edit* spare, int count) {
    if (count < 2) return;
    int half = count / 2, a = 0, b = half, n = 0;
    sort_edits(edit, spare, half);
    sort_edits(edit + half, spare, count - half);
    while (a < half || b < count) {
        bool first = b == count || (a < half && edit[a].time <= edit[b].time);
        spare[n++] = first ? edit[a++] : edit[b++];
    }
    memcpy(edit, spare, (size_t)count * sizeof *edit);
}

sn_status sni_read_script(sni_reader* reader, const sni_value* holds, const sni_value* script) {
    sn_scene* scene = reader->scene;
    const sni_value* lists[] = {holds, script};
    int hold_count = 0;
    for (int l = 0; l < 2; l++) {
        const sni_node* at = lists[l]->at ? sni_node_first(lists[l]->at) : NULL;
        for (int i = 0; at && i < lists[l]->at->count; i++) {
            sn_edit edit = empty_edit(sni_node_place(&reader->source, at));
            sn_status status = l == 0 ? read_hold(reader, at, &edit)
                                      : read_edit(reader, at, &sni_script_map, &edit);
            if (!status) status = add_edit(reader, &edit);
            if (status) return status;
            hold_count += edit.type == SN_EDIT_HOLD;
            at = sni_node_next(reader->source.yaml, at);
        }
    }
    const int room = sn_world_contact_default().constraints;
    sn_world_contact* contact = &scene->world.contact;
    if (contact->constraints == room) contact->constraints += hold_count;
    if (scene->edit_count == 0) return SN_OK;
    sn_edit* spare = malloc((size_t)scene->edit_count * sizeof *spare);
    if (!spare) return sni_fail_memory(reader);
    sort_edits(scene->edit, spare, scene->edit_count);
    free(spare);
    sn_status status = SN_OK;
    for (int i = 0; i < scene->edit_count && !status; i++)
        status = check_names(reader, &scene->edit[i]);
    return status;
}

// ---- a command --------------------------------------------------------------------------------------

static sn_status parse(sni_reader* reader, command* made, const char* text, size_t length) {
    sn_edit* edit = &made->edit;
    reader->source.file = sni_memory_text(&made->memory, reader->source.file);
    if (!reader->source.file) return sni_fail_memory(reader);
    sn_status status =
        sni_yaml_read(&reader->yaml, text, length, reader->source.file, reader->source.error);
    return status ? status : read_edit(reader, &reader->yaml.node[0], &sni_edit_map, edit);
}

sn_status sn_edit_parse(const char* text, size_t length, const char* name,
                        const sn_scene_load_def* def, sn_edit** edit, sn_error* error) {
    if (edit) *edit = NULL;
    if (!edit || (!text && length > 0))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "sn_edit_parse needs a text and a place for the edit");
    sni_reader* reader = calloc(1, sizeof *reader);
    command* made = calloc(1, sizeof *made);
    sn_status status = SN_ERR_MEMORY;
    if (reader && made) {
        reader->source = (sni_text_source){&reader->yaml, name && *name ? name : "command", error};
        reader->def = def ? *def : sn_scene_load_def_default();
        if (reader->def.most_bodies <= 0)
            reader->def.most_bodies = sn_scene_load_def_default().most_bodies;
        reader->memory = &made->memory;
        status = parse(reader, made, text ? text : "", length);
        sni_yaml_free(&reader->yaml);
    } else {
        sni_fail(error, status, sni_nowhere(), "not enough memory");
    }
    free(reader);
    if (!status)
        *edit = &made->edit;
    else if (made)
        sn_edit_free(&made->edit);
    return status;
}

void sn_edit_free(sn_edit* edit) {
    if (!edit) return;
    command* made = (command*)edit;
    if (edit->item) sn_model_free((sn_model*)edit->item->model);
    sni_memory memory = made->memory; // the edit's texts are in it
    sni_memory_free(&memory);
    free(made);
}
