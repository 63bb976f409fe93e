// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "molecule_argument.h"
#include "position_argument.h"

enum { WARNINGS_MOST = 5 };

scene_options scene_options_none(void) {
    return (scene_options){.floor.value = sn_material_default().mu, .mu = -1, .restitution = -1};
}

void scene_options_free(scene_options* options) { text_list_free(&options->objects); }

bool scene_options_fit(const scene_options* o) {
    if (o->restitution > 1) {
        message_error("--restitution: %g is more than 1: what bounces would gain energy",
                      o->restitution);
        return false;
    }
    if (o->drop > 0 && !o->floor.given) {
        message_error("--drop: there is no floor to be above; add --floor");
        return false;
    }
    return true;
}

static bool done(sn_status status, const sn_error* error) {
    if (status && error->text[0]) {
        message_error_from(error);
    } else if (status) {
        message_error("the scene cannot be put together: %s", sn_status_text(status));
    }
    return !status;
}

// ---- a model or a file -----------------------------------------------------------------------------

// A floor, an object: then things touch unless told otherwise.
static bool asks_for_contact(const scene_request* r) {
    return r->on_floor || r->options->floor.given || r->options->objects.count > 0;
}

static bool load_model(const scene_request* r, opened_scene* made) {
    sn_error error = {0};
    model_source source;
    model_request request = {r->text, r->base, false, NULL};
    model_extras extras = contact_options_extras(r->contact, asks_for_contact(r));
    extras.visual_meshes = r->is_shown;
    if (!model_source_load_with(&request, &extras, &source)) return false;
    message_log_print(&source.log, WARNINGS_MOST);
    sn_item item = {.prefix = "", .model = source.model, .pose = sn_pose_identity()};
    made->scene = sn_scene_create(sn_model_name(source.model));
    error.status = made->scene ? sn_scene_add(made->scene, &item, &error) : SN_ERR_MEMORY;
    if (!error.status) source.model = NULL; // it is the scene's
    model_source_free(&source);
    return done(error.status, &error);
}

// Options that only make sense for the file of a model.
static bool no_model_options(const scene_request* r) {
    const char* given = r->base != MODEL_BASE_UNSET ? "base"
                        : r->contact->meshes >= 0   ? "meshes"
                        : r->contact->srdf          ? "srdf"
                        : r->options->drop > 0      ? "drop"
                                                    : NULL;
    if (!given) return true;
    message_error("--%s is for a MODEL; the scene file %s says itself how its models are", given,
                  r->text);
    return false;
}

static bool load_file(const scene_request* r, const char* path, opened_scene* made) {
    sn_error error = {0};
    message_log log = {0};
    sn_scene_load_def def = scene_argument_def();
    def.foreign_modules = r->plugins && r->plugins->count > 0;
    def.visual_meshes = r->is_shown;
    def.log = message_log_sink(&log);
    made->is_file = true;
    if (!no_model_options(r)) return false;
    error.status = sn_scene_load(path, &def, &made->scene, &error);
    message_log_print(&log, WARNINGS_MOST);
    message_log_clear(&log);
    if (!error.status && sn_scene_molecule_count(made->scene) > 0)
        message_note(
            "molecules: lengths are in nm, times in ps, masses in u, forces in kJ/(mol nm) = "
            "%.4g pN, also in options",
            SN_MOLECULE_FORCE_PN);
    return done(error.status, &error);
}

// A name that both a model and a scene have is the model's here, as it was before there were scenes.
static bool load(const scene_request* r, opened_scene* made) {
    if (scene_argument_is_file(r->text) || sn_molecule_is_name(r->text))
        return load_file(r, r->text, made);
    char* shipped = scene_argument_shipped(r->text);
    bool is_model = model_argument_is_known(r->text), good;
    if (is_model && shipped) message_note("%s is a model, and a scene: %s", r->text, shipped);
    if (is_model || !shipped) {
        good = load_model(r, made);
    } else {
        good = load_file(r, shipped, made);
    }
    free(shipped);
    return good;
}

// ---- where joints begin ----------------------------------------------------------------------------

// The numbers of the whole, item by item.
static bool set_starts(sn_scene* scene, const sn_model* whole, const double* q,
                       const bool* locked) {
    sn_error error = {0};
    int first = 0;
    for (int i = 0; i < sn_scene_item_count(scene); i++) {
        int bodies = sn_model_body_count(sn_scene_item(scene, i)->model);
        if (bodies == 0) continue;
        int iq = sn_model_body(whole, sn_body(first)).iq;
        error.status = sn_scene_set_start(scene, i, q + iq, locked + first, &error);
        if (error.status) return done(error.status, &error);
        first += bodies;
    }
    return true;
}

static void get_starts(const sn_scene* scene, const sn_model* whole, double* q, bool* locked) {
    int first = 0;
    sn_model_neutral(whole, q);
    for (int i = 0; i < sn_scene_item_count(scene); i++) {
        const sn_item* item = sn_scene_item(scene, i);
        int bodies = sn_model_body_count(item->model);
        if (bodies == 0) continue;
        int iq = sn_model_body(whole, sn_body(first)).iq;
        if (item->q) memcpy(q + iq, item->q, (size_t)sn_model_nq(item->model) * sizeof *q);
        if (item->locked) memcpy(locked + first, item->locked, (size_t)bodies * sizeof *locked);
        first += bodies;
    }
}

// --hold locks what is not free, --pin the roots that are.
static void lock_joints(const scene_request* r, const sn_model* whole, bool* locked) {
    int pinned = 0;
    for (int i = 0; i < sn_model_body_count(whole); i++) {
        sn_body_info b = sn_model_body(whole, sn_body(i));
        bool root = b.parent.i < 0 && b.type == SN_JOINT_FREE;
        if ((r->hold && b.type != SN_JOINT_FREE) || (r->pin && root)) locked[i] = true;
        pinned += root;
    }
    if (r->pin && pinned == 0) message_note("--pin: the model has no free root to pin");
}

// --q0, --hold and --pin are about joints of the whole.
static bool begin_joints(const scene_request* r, opened_scene* made) {
    if (r->q0->count == 0 && !r->hold && !r->pin) return true;
    sn_error error = {0};
    sn_model* whole = NULL;
    error.status = sn_scene_compile(made->scene, NULL, &whole, &error);
    if (!done(error.status, &error)) return false;
    double* q = memory_take((size_t)sn_model_nq(whole), sizeof *q);
    bool* locked = memory_take((size_t)sn_model_body_count(whole), sizeof *locked);
    get_starts(made->scene, whole, q, locked);
    lock_joints(r, whole, locked);
    bool good =
        position_arguments_set(whole, r->q0, q) && set_starts(made->scene, whole, q, locked);
    free(q);
    free(locked);
    sn_model_free(whole);
    return good;
}

// ---- a floor, objects, plugins ---------------------------------------------------------------------

static void say_floor(const opened_scene* made, const sn_floor_report* found, double drop) {
    const char* name = sn_scene_name(made->scene);
    if (found->was_there) {
        message_note("--floor: %s has a floor already%s", name,
                     drop > 0 ? "; --drop does nothing" : "");
    } else if (made->is_file) {
        return;
    } else if (found->no_shapes) {
        message_warning("--floor: %s has no collision shapes, so nothing of it will touch", name);
    } else if (!found->held) {
        message_note("--floor: %s was %s by %.4g m, to start %s the floor", name,
                     found->lifted < 0 ? "lowered" : "lifted", fabs(found->lifted),
                     drop > 0 ? "above" : "on");
    } else if (found->height < 0) {
        message_note("--floor: %s is held where it is; the floor is below it, at z = %.4g m", name,
                     found->height);
    }
}

static bool add_floor(const scene_request* r, opened_scene* made) {
    const scene_options* o = r->options;
    if (!o->floor.given && (made->is_file || !r->on_floor)) return true;
    sn_error error = {0};
    sn_floor_report found;
    sn_floor_def def = {.mu = o->floor.value, .item = made->is_file ? -1 : 0, .drop = o->drop};
    error.status = sn_scene_add_floor(made->scene, &def, &found, &error);
    if (!done(error.status, &error)) return false;
    if (o->floor.given) say_floor(made, &found, o->drop);
    made->lifted = found.lifted;
    if (!found.was_there) made->floor = found.height;
    return true;
}

static bool add_objects(const scene_request* r, opened_scene* made) {
    const text_list* words = &r->options->objects;
    made->objects = memory_take((size_t)words->count, sizeof *made->objects);
    for (int i = 0; i < words->count; i++) {
        made->object_count += 1;
        if (!scene_object_add(words->items[i], i, r->base, made->scene, &made->objects[i])) {
            return false;
        }
    }
    return true;
}

static bool start_objects(const opened_scene* made) {
    for (int i = 0; i < made->object_count; i++) {
        if (!scene_object_start(&made->objects[i], made->scene)) return false;
    }
    return true;
}

static bool set_surfaces(const scene_options* o, opened_scene* made) {
    sn_error error = {0};
    if (o->mu < 0 && o->restitution < 0) return true;
    error.status = sn_scene_set_surface(made->scene, -1, o->mu, o->restitution, -1, &error);
    return done(error.status, &error);
}

// FILE, or FILE:OPTIONS where FILE is there.
static bool add_plugin(const char* word, sn_scene* scene) {
    sn_error error = {0};
    char* path = memory_copy(word);
    const char* options = "";
    for (char* colon = strchr(path, ':'); colon && access(path, F_OK) != 0;) {
        *colon = '\0';
        options = word + (colon - path) + 1;
        if (access(path, F_OK) == 0) break;
        *colon = ':';
        options = "";
        colon = strchr(colon + 1, ':');
    }
    // a name without a folder would be looked for where the system has its libraries
    char* here = memory_text("%s%s", strchr(path, '/') ? "" : "./", path);
    error.status = sn_scene_add_plugin(scene, here, options, &error);
    free(here);
    free(path);
    return done(error.status, &error);
}

static bool add_plugins(const scene_request* r, opened_scene* made) {
    for (int i = 0; r->plugins && i < r->plugins->count; i++) {
        if (!add_plugin(r->plugins->items[i], made->scene)) return false;
    }
    made->has_plugins = sn_scene_plugin_count(made->scene) > 0;
    return true;
}

bool scene_open(const scene_request* r, opened_scene* made) {
    *made = (opened_scene){.floor = NAN};
    return load(r, made) && add_objects(r, made) && begin_joints(r, made) && add_floor(r, made) &&
           start_objects(made) && set_surfaces(r->options, made) && add_plugins(r, made);
}

void scene_free(opened_scene* made) {
    for (int i = 0; i < made->object_count; i++) scene_object_free(&made->objects[i]);
    free(made->objects);
    sn_scene_free(made->scene);
    *made = (opened_scene){0};
}

// ---- its world -------------------------------------------------------------------------------------

// A shape to collide with is fixed to the world, and another one is not.
static bool has_ground(const sn_scene* scene) {
    bool fixed = false, moving = false;
    for (int i = 0; i < sn_scene_item_count(scene); i++) {
        const sn_model* model = sn_scene_item(scene, i)->model;
        for (int s = 0; s < sn_model_shape_count(model); s++) {
            sn_shape_info shape = sn_model_shape(model, s);
            if (!(shape.use & SN_SHAPE_COLLISION)) continue;
            fixed = fixed || shape.body.i < 0;
            moving = moving || shape.body.i >= 0;
        }
    }
    return fixed && moving;
}

sn_world_def scene_world(const opened_scene* made, const scene_request* r, bool ground_counts) {
    sn_world_def def = *sn_scene_world(made->scene);
    bool touches = asks_for_contact(r) || (ground_counts && has_ground(made->scene));
    bool wanted = made->is_file ? def.contact.on : touches;
    contact_options_set(r->contact, wanted, !made->is_file, &def.contact);
    return def;
}

sn_simulation* scene_start(opened_scene* made, const sn_world_def* world,
                           const sn_simulation_def* def) {
    sn_error error = {0};
    sn_simulation* sim = NULL;
    sn_scene_set_world(made->scene, world);
    error.status = sn_simulation_create(made->scene, def, &sim, &error);
    made->scene = NULL;
    return done(error.status, &error) ? sim : NULL;
}
