// SPDX-License-Identifier: Apache-2.0
// Scenes that a program makes: solids, and items that are changed before anything runs.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "scene/read.h"

static sn_status no_memory(sn_error* error) {
    return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory for the scene");
}

static sn_status no_item(sn_error* error) {
    return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "there is no such item in the scene");
}

static bool has_item(const sn_scene* scene, int item) {
    return scene && item >= 0 && item < scene->item_count;
}

// ---- solids -----------------------------------------------------------------------------------------

sn_solid_def sn_solid_def_default(void) {
    return (sn_solid_def){.type = SN_SHAPE_BOX, .material = sn_material_default()};
}

sn_status sn_solid_make(const sn_solid_def* def, sn_model** model, sn_error* error) {
    if (model) *model = NULL;
    if (!def || !model || def->type == SN_SHAPE_MESH || def->type == SN_SHAPE_HULL)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "a solid is a sphere, capsule, cylinder, box or plane");
    const sn_shape_def plain = sn_shape_def_default();
    sni_solid solid = {.type = def->type,
                       .fixed = def->fixed,
                       .size = def->size,
                       .mass = def->mass,
                       .material = def->material};
    memcpy(solid.color, plain.color, sizeof solid.color);
    if (!def->fixed && !(def->mass > 0))
        solid.mass = SN_WOOD * sn_shape_volume(def->type, def->size);
    return sni_solid_make(&solid, model, error);
}

// ---- how items begin --------------------------------------------------------------------------------

sn_status sn_scene_set_start(sn_scene* scene, int item, const double* q, const bool* locked,
                             sn_error* error) {
    if (!has_item(scene, item)) return no_item(error);
    sn_item* at = &scene->item[item];
    sn_item wanted = *at;
    if (q) wanted.q = q;
    sn_status status = sni_item_check_numbers(&wanted, error);
    if (status) return status;
    int bodies = sn_model_body_count(at->model);
    double* own_q = sni_memory_numbers(&scene->memory, q, sn_model_nq(at->model));
    bool* own_locked = locked ? sni_memory_take(&scene->memory, (size_t)bodies + 1) : NULL;
    if ((q && !own_q) || (locked && !own_locked)) return no_memory(error);
    if (locked) memcpy(own_locked, locked, (size_t)bodies * sizeof *locked);
    if (q) at->q = own_q;
    if (locked) at->locked = own_locked;
    return SN_OK;
}

void sn_scene_set_pose(sn_scene* scene, int item, sn_pose pose) {
    if (has_item(scene, item)) scene->item[item].pose = pose;
}

sn_status sn_scene_set_motion(sn_scene* scene, int item, sn_vec3 v, sn_vec3 w, sn_error* error) {
    if (!has_item(scene, item)) return no_item(error);
    sn_item* at = &scene->item[item];
    size_t size = ((size_t)sn_model_nv(at->model) + 1) * sizeof(double);
    double* numbers = sni_memory_take(&scene->memory, size);
    if (!numbers) return no_memory(error);
    sn_item moving = *at;
    moving.v = numbers;
    if (!sni_item_throw(&moving, v, w, numbers))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "'%s' is held by the world, so it cannot move as a whole", at->name);
    sn_status status = sni_item_check_numbers(&moving, error);
    if (!status) at->v = numbers;
    return status;
}

bool sn_item_lowest(const sn_item* item, double* lowest) {
    if (!item || !item->model || !lowest) return false;
    double* q = malloc(((size_t)sn_model_nq(item->model) + 1) * sizeof *q);
    if (!q) return false;
    sn_model_neutral(item->model, q);
    bool memory = sni_lowest(item->model, item->pose, item->q ? item->q : q, lowest);
    free(q);
    return memory && isfinite(*lowest);
}

// ---- surfaces ---------------------------------------------------------------------------------------

typedef struct surface {
    double mu, restitution, roll; ///< negative: as it is
} surface;

static sn_material changed(sn_material material, const surface* to) {
    if (to->mu >= 0) material.mu = material.mu_kinetic = to->mu;
    if (to->restitution >= 0) material.restitution = to->restitution;
    if (to->roll >= 0) material.roll = material.spin = to->roll;
    return material;
}

static sn_status with_surface(const sn_model* model, const surface* to, sn_model** out,
                              sn_error* error) {
    sn_model_builder* builder = sn_model_builder_create(sn_model_name(model));
    if (!builder || sn_model_builder_add_model(builder, model, NULL, sn_pose_identity())) {
        sn_model_builder_free(builder);
        return no_memory(error);
    }
    for (int s = 0; s < sn_model_builder_shape_count(builder); s++)
        sn_model_builder_set_material(builder, s,
                                      changed(sn_model_builder_material(builder, s), to));
    sn_status status = sn_model_builder_compile(builder, NULL, out, error);
    sn_model_builder_free(builder);
    return status;
}

/// Each model once, for all items that show it.
static sn_status set_all(sn_scene* scene, const surface* to, sn_error* error) {
    for (int m = 0; m < scene->model_count; m++) {
        sn_model *before = scene->model[m], *model = NULL;
        sn_status status = with_surface(before, to, &model, error);
        if (status) return status;
        for (int i = 0; i < scene->item_count; i++)
            if (scene->item[i].model == before) scene->item[i].model = model;
        scene->model[m] = model;
        sn_model_free(before);
    }
    return SN_OK;
}

sn_status sn_scene_set_surface(sn_scene* scene, int item, double mu, double restitution,
                               double roll, sn_error* error) {
    const surface to = {mu, restitution, roll};
    if (scene && item == -1) return set_all(scene, &to, error);
    if (!has_item(scene, item)) return no_item(error);
    sn_model* model = NULL;
    sn_status status = with_surface(scene->item[item].model, &to, &model, error);
    if (status) return status;
    if (sni_scene_own(scene, model)) {
        sn_model_free(model);
        return no_memory(error);
    }
    scene->item[item].model = model;
    return SN_OK;
}

// ---- plugins ----------------------------------------------------------------------------------------

sn_status sn_scene_add_plugin(sn_scene* scene, const char* path, const char* options,
                              sn_error* error) {
    if (!scene || !path)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "needs a scene and a path");
    sn_scene_plugin* list =
        sni_grow(scene->plugin, scene->plugin_count, &scene->plugin_capacity, sizeof *list);
    if (!list) return no_memory(error);
    scene->plugin = list;
    sn_scene_plugin plugin = {.path = sni_memory_text(&scene->memory, path),
                              .options = sni_memory_text(&scene->memory, options),
                              .place = sni_nowhere()};
    if (!plugin.path || !plugin.options) return no_memory(error);
    list[scene->plugin_count++] = plugin;
    return SN_OK;
}
