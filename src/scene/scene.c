// SPDX-License-Identifier: Apache-2.0
// What a scene holds, and the whole of it as one model.
#include "scene/sn_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

sn_scene* sn_scene_create(const char* name) {
    sn_scene* scene = calloc(1, sizeof *scene);
    if (!scene) return NULL;
    scene->name = sni_memory_text(&scene->memory, name ? name : "scene");
    scene->about = scene->text = scene->recording.path = "";
    scene->recording.every = 1;
    scene->world = sn_world_def_default();
    scene->world.contact.on = true;
    if (scene->name) return scene;
    sn_scene_free(scene);
    return NULL;
}

void sn_scene_free(sn_scene* scene) {
    if (!scene) return;
    for (int i = 0; i < scene->model_count; i++) sn_model_free(scene->model[i]);
    for (int i = 0; i < scene->edit_count; i++) {
        if (scene->edit[i].item) sn_model_free((sn_model*)scene->edit[i].item->model);
    }
    for (int i = 0; i < scene->molecule_count; i++) {
        sn_torsion_tree_free((sn_torsion_tree*)scene->molecule[i].tree);
        sn_molecule_free((sn_molecule*)scene->molecule[i].molecule);
    }
    free(scene->molecule);
    free(scene->model);
    free(scene->item);
    free(scene->plugin);
    free(scene->actuator);
    free(scene->behaviour);
    free(scene->controller);
    free(scene->sensor);
    free(scene->device);
    free(scene->hand);
    free(scene->edit);
    sni_arena_free(&scene->name_arena);
    sni_memory_free(&scene->memory);
    free(scene);
}

// ---- items ------------------------------------------------------------------------------------------

static sn_status no_memory(sn_error* error) {
    return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory for the scene");
}

int sni_scene_find(const sn_scene* scene, const char* name) {
    return sni_name_map_find(&scene->names, name);
}

/// Room for one more item, and for its name: the table of names is made anew when the array grows.
static bool reserve_item(sn_scene* scene) {
    if (scene->item_count < scene->item_capacity) return true;
    sn_item* items =
        sni_grow(scene->item, scene->item_count, &scene->item_capacity, sizeof *scene->item);
    if (!items) return false;
    scene->item = items;
    sni_arena arena = {0};
    sni_name_map names;
    sni_name_map_layout(&names, &arena, scene->item_capacity);
    if (!sni_arena_allocate(&arena)) return false;
    sni_name_map_layout(&names, &arena, scene->item_capacity);
    for (int i = 0; i < scene->item_count; i++) sni_name_map_add(&names, items[i].name, i);
    sni_arena_free(&scene->name_arena);
    scene->name_arena = arena;
    scene->names = names;
    return true;
}

static bool finite_numbers(const double* numbers, int count) {
    for (int i = 0; numbers && i < count; i++)
        if (!isfinite(numbers[i])) return false;
    return true;
}

sn_status sni_item_check_numbers(const sn_item* item, sn_error* error) {
    bool finite = finite_numbers(&item->pose.R.m[0][0], 9) && finite_numbers(&item->pose.p.x, 3) &&
                  finite_numbers(item->q, sn_model_nq(item->model)) &&
                  finite_numbers(item->v, sn_model_nv(item->model));
    sn_body_id at_fault;
    if (!finite || (item->q && !sn_model_check_q(item->model, item->q, &at_fault)))
        return sni_fail(error, SN_ERR_ARGUMENT, item->place,
                        "'%s': numbers of its pose or state are not finite, or a quaternion is "
                        "not of unit length",
                        item->name);
    return SN_OK;
}

static sn_status check_item(const sn_scene* scene, const sn_item* item, sn_error* error) {
    if (!item->model || !item->name || !item->name[0])
        return sni_fail(error, SN_ERR_ARGUMENT, item->place, "an item needs a name and a model");
    if (strcmp(item->name, "world") == 0)
        return sni_fail(error, SN_ERR_ARGUMENT, item->place,
                        "an item cannot be named 'world': that is what stands still");
    int other = sni_scene_find(scene, item->name);
    if (other >= 0 && scene->item[other].place.line > 0)
        return sni_fail(error, SN_ERR_ARGUMENT, item->place,
                        "the name '%s' is taken by the item in line %d; give another", item->name,
                        scene->item[other].place.line);
    if (other >= 0)
        return sni_fail(error, SN_ERR_ARGUMENT, item->place, "the name '%s' is taken; give another",
                        item->name);
    return sni_item_check_numbers(item, error);
}

/// Points of contact that are enough for everything to lie on something: more for each shape where there are few.
static int32_t contact_capacity(int shapes) {
    enum { LEAST = 1024, EACH = 16, FEW = 4096, EACH_OF_MANY = 4 };
    int64_t few = shapes < FEW ? shapes : FEW, many = shapes - few;
    int64_t points = EACH * few + EACH_OF_MANY * many;
    return (int32_t)(points < LEAST ? LEAST : points < INT32_MAX ? points : INT32_MAX);
}

static int moving_shapes(const sn_model* model) {
    int count = 0;
    for (int s = 0; s < sn_model_shape_count(model); s++) {
        sn_shape_info shape = sn_model_shape(model, s);
        count += shape.body.i >= 0 && (shape.use & SN_SHAPE_COLLISION);
    }
    return count;
}

sn_status sni_scene_own(sn_scene* scene, sn_model* model) {
    sn_model** models =
        sni_grow(scene->model, scene->model_count, &scene->model_capacity, sizeof *scene->model);
    if (!models) return SN_ERR_MEMORY;
    scene->model = models;
    models[scene->model_count++] = model;
    return SN_OK;
}

sn_status sni_scene_put(sn_scene* scene, const sn_item* item, sn_error* error) {
    sn_status status = check_item(scene, item, error);
    if (status) return status;
    sni_memory* memory = &scene->memory;
    const sn_model* model = item->model;
    sn_item copy = *item;
    copy.name = sni_memory_text(memory, item->name);
    if (!copy.name || !reserve_item(scene)) return no_memory(error);
    if (!item->prefix)
        copy.prefix = sni_memory_join(memory, item->name, "/");
    else // an object's prefix is its name
        copy.prefix = strcmp(item->prefix, item->name) == 0 ? copy.name
                                                            : sni_memory_text(memory, item->prefix);
    copy.q = sni_memory_numbers(memory, item->q, sn_model_nq(model));
    copy.v = sni_memory_numbers(memory, item->v, sn_model_nv(model));
    bool full = copy.prefix && (copy.q || !item->q) && (copy.v || !item->v);
    if (item->locked) {
        size_t bodies = (size_t)sn_model_body_count(model);
        bool* locked = sni_memory_take(memory, bodies + 1);
        if (locked) memcpy(locked, item->locked, bodies * sizeof *locked);
        copy.locked = locked;
        full = full && locked;
    }
    if (!full) return no_memory(error);
    sni_name_map_add(&scene->names, copy.name, scene->item_count);
    scene->item[scene->item_count++] = copy;
    scene->body_count += sn_model_body_count(model);
    scene->moving_shapes += moving_shapes(model);
    if (!scene->contacts_given)
        scene->world.contact.collider.contacts = contact_capacity(scene->moving_shapes);
    return SN_OK;
}

/// What an item is called after its model: "model" where that name cannot be an item's.
static const char* name_of_model(const sn_model* model) {
    const char* name = sn_model_name(model);
    bool taken = strcmp(name, "floor") == 0 || strcmp(name, "world") == 0;
    return name[0] && !taken && !strchr(name, '/') ? name : "model";
}

sn_status sn_scene_add(sn_scene* scene, const sn_item* item, sn_error* error) {
    if (!scene || !item)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "needs a scene and an item");
    sn_item given = *item;
    if (!given.name && given.model) given.name = name_of_model(given.model);
    given.place.file = sni_memory_text(&scene->memory, item->place.file);
    if (!given.place.file) return no_memory(error);
    if (sni_scene_own(scene, (sn_model*)item->model)) return no_memory(error);
    sn_status status = sni_scene_put(scene, &given, error);
    if (status) scene->model_count -= 1; // not taken
    return status;
}

sn_status sn_scene_compile(const sn_scene* scene, const sn_log* log, sn_model** model,
                           sn_error* error) {
    if (!scene || !model)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "needs a scene and a place for the model");
    *model = NULL;
    sn_model_builder* builder = sn_model_builder_create(scene->name);
    sn_status status = builder ? SN_OK : SN_ERR_MEMORY;
    for (int i = 0; i < scene->item_count && !status; i++) {
        const sn_item* item = &scene->item[i];
        status = sn_model_builder_add_model(builder, item->model, item->prefix, item->pose);
    }
    if (status)
        status = no_memory(error);
    else
        status = sn_model_builder_compile(builder, log, model, error);
    sn_model_builder_free(builder);
    return status;
}

// ---- questions --------------------------------------------------------------------------------------

const char* sn_scene_name(const sn_scene* scene) { return scene->name; }
const char* sn_scene_about(const sn_scene* scene) { return scene->about; }
const char* sn_scene_text(const sn_scene* scene) { return scene->text; }
int sn_scene_item_count(const sn_scene* scene) { return scene->item_count; }
const sn_item* sn_scene_item(const sn_scene* scene, int i) { return &scene->item[i]; }
const sn_world_def* sn_scene_world(const sn_scene* scene) { return &scene->world; }
int sn_scene_molecule_count(const sn_scene* scene) { return scene->molecule_count; }
const sn_scene_molecule* sn_scene_molecule_at(const sn_scene* scene, int i) {
    return &scene->molecule[i];
}
int sn_scene_plugin_count(const sn_scene* scene) { return scene->plugin_count; }
const sn_scene_plugin* sn_scene_plugin_at(const sn_scene* scene, int i) {
    return &scene->plugin[i];
}
int sn_scene_behaviour_count(const sn_scene* scene) { return scene->behaviour_count; }
const sn_behaviour_def* sn_scene_behaviour(const sn_scene* scene, int i) {
    return &scene->behaviour[i];
}
int sn_scene_actuator_count(const sn_scene* scene) { return scene->actuator_count; }
const sn_actuator_def* sn_scene_actuator(const sn_scene* scene, int i) {
    return &scene->actuator[i];
}
int sn_scene_controller_count(const sn_scene* scene) { return scene->controller_count; }
const sn_controller_def* sn_scene_controller(const sn_scene* scene, int i) {
    return &scene->controller[i];
}
int sn_scene_sensor_count(const sn_scene* scene) { return scene->sensor_count; }
const sn_sensor_def* sn_scene_sensor(const sn_scene* scene, int i) { return &scene->sensor[i]; }
int sn_scene_device_count(const sn_scene* scene) { return scene->device_count; }
const sn_device_def* sn_scene_device(const sn_scene* scene, int i) { return &scene->device[i]; }
int sn_scene_hand_count(const sn_scene* scene) { return scene->hand_count; }
const sn_hand_def* sn_scene_hand(const sn_scene* scene, int i) { return &scene->hand[i]; }
int sn_scene_edit_count(const sn_scene* scene) { return scene->edit_count; }
const sn_edit* sn_scene_edit(const sn_scene* scene, int i) { return &scene->edit[i]; }
sn_camera_def sn_scene_camera(const sn_scene* scene) { return scene->camera; }
sn_recording_def sn_scene_recording(const sn_scene* scene) { return scene->recording; }
double sn_scene_duration(const sn_scene* scene) { return scene->duration; }

/// A copy of a name; NULL stays NULL, and becomes it without memory: the default.
static const char* keep_name(sn_scene* scene, const char* name) {
    return name ? sni_memory_text(&scene->memory, name) : NULL;
}

void sn_scene_set_world(sn_scene* scene, const sn_world_def* def) {
    sn_world_def world = *def;
    world.units = scene->world.units; // what is in it decides
    world.field = scene->world.field;
    world.dynamics = keep_name(scene, def->dynamics);
    world.simulator = keep_name(scene, def->simulator);
    world.contact.solver = keep_name(scene, def->contact.solver);
    world.contact.detector = keep_name(scene, def->contact.detector);
    scene->world = world;
    scene->contacts_given = true;
}
