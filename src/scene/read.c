// SPDX-License-Identifier: Apache-2.0
// The doors of the module: a file, a text or a name comes in, a scene goes out.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "load/sn_load.h"
#include "scene/read.h"

enum { VERSION = 1, BODIES_MOST = 2000000 };

sn_scene_load_def sn_scene_load_def_default(void) {
    return (sn_scene_load_def){.most_bodies = BODIES_MOST};
}

sn_status sni_read_path(sni_reader* reader, const sni_value* value, const char** path) {
    const char *text = value->text, *slash = strrchr(reader->source.file, '/');
    if (reader->def.no_files)
        return sni_node_fail(&reader->source, value->at, "'%.60s': files are not opened here",
                             text);
    char* joined = NULL;
    size_t folder = slash && text[0] != '/' ? (size_t)(slash - reader->source.file) + 1 : 0;
    joined = sni_memory_take(reader->memory, folder + strlen(text) + 1);
    if (!joined) return sni_fail_memory(reader);
    memcpy(joined, reader->source.file, folder);
    memcpy(joined + folder, text, strlen(text) + 1);
    *path = joined;
    return SN_OK;
}

// ---- the parts --------------------------------------------------------------------------------------

static sn_status read_camera(sni_reader* reader, const sni_value* value) {
    if (!value->at) return SN_OK;
    sni_camera_keys k;
    sn_status status = SN_MAP_READ(&reader->source, value->at, &sni_camera_map, &k);
    if (status) return status;
    sn_camera_def* camera = &reader->scene->camera;
    camera->given = true;
    camera->eye = sni_vec3_or(&k.eye, sn_vec3_zero());
    camera->target = sni_vec3_or(&k.target, sn_vec3_zero());
    camera->fov = sni_number_or(&k.fov, acos(-1) / 4);
    if (camera->fov < acos(-1)) return SN_OK;
    return sni_node_fail(&reader->source, k.fov.at, "a field of view is below 180deg");
}

static sn_status read_recording(sni_reader* reader, const sni_value* value) {
    if (!value->at) return SN_OK;
    sni_recording_keys k;
    sn_status status = SN_MAP_READ(&reader->source, value->at, &sni_recording_map, &k);
    if (status) return status;
    sn_recording_def* recording = &reader->scene->recording;
    recording->path = sni_memory_text(reader->memory, k.file.text);
    recording->every = (int)sni_number_or(&k.every, 1);
    return recording->path ? SN_OK : sni_fail_memory(reader);
}

/// "scenes/table.yaml" is called table.
static const char* name_from_file(sni_memory* memory, const char* file) {
    char name[256];
    const char* slash = strrchr(file, '/');
    const char* start = slash ? slash + 1 : file;
    const char* dot = strrchr(start, '.');
    int length = dot && dot != start ? (int)(dot - start) : (int)strlen(start);
    snprintf(name, sizeof name, "%.*s", length < 255 ? length : 255, start);
    return sni_memory_text(memory, name);
}

static sn_status read_heading(sni_reader* reader, const sni_scene_keys* k) {
    sn_scene* scene = reader->scene;
    if (k->version.number[0] != VERSION)
        return sni_node_fail(&reader->source, k->version.at,
                             "version %g of scene files is not known; this is version %d",
                             k->version.number[0], VERSION);
    scene->name = k->name.at ? sni_memory_text(reader->memory, k->name.text)
                             : name_from_file(reader->memory, reader->source.file);
    scene->about = sni_memory_text(reader->memory, sni_text_or(&k->about, ""));
    scene->duration = sni_number_or(&k->duration, 0);
    return scene->name && scene->about ? SN_OK : sni_fail_memory(reader);
}

static sn_status read_parts(sni_reader* reader) {
    sni_scene_keys k;
    sn_status status =
        SN_MAP_READ(&reader->source, &reader->source.yaml->node[0], &sni_scene_map, &k);
    if (!status) status = read_heading(reader, &k);
    if (!status) status = sni_read_world(reader, &k);
    if (!status) status = sni_read_materials(reader, &k.materials);
    if (!status) status = sni_read_floor(reader, &k.floor);
    if (!status) status = sni_read_things(reader, &k.environment, &sni_environment_map);
    if (!status) status = sni_read_things(reader, &k.models, &sni_model_map);
    if (!status) status = sni_read_things(reader, &k.objects, &sni_object_map);
    if (!status) status = sni_read_molecules(reader, &k);
    if (!status) status = sni_read_actuators(reader, &k.actuators);
    if (!status) status = sni_read_controllers(reader, &k.controllers);
    if (!status) status = sni_read_sensors(reader, &k.sensors);
    if (!status) status = sni_read_behaviours(reader, &k.behaviours);
    if (!status) status = sni_read_devices(reader, &k.devices);
    if (!status) status = sni_read_hands(reader, &k.hands);
    if (!status) status = sni_read_plugins(reader, &k.plugins);
    if (!status) status = read_recording(reader, &k.recording);
    if (!status) status = read_camera(reader, &k.camera);
    if (!status) status = sni_read_script(reader, &k.holds, &k.script);
    return status;
}

// ---- a text -----------------------------------------------------------------------------------------

static sn_status read_scene(sni_reader* reader, const char* text, size_t length) {
    sn_scene* scene = reader->scene;
    char* copy = sni_memory_take(&scene->memory, length + 1);
    reader->memory = &scene->memory;
    reader->source.file = sni_memory_text(&scene->memory, reader->source.file);
    if (!copy || !reader->source.file) return sni_fail_memory(reader);
    if (length) memcpy(copy, text, length);
    scene->text = copy;
    sn_status status =
        sni_yaml_read(&reader->yaml, text, length, reader->source.file, reader->source.error);
    return status ? status : read_parts(reader);
}

sn_status sn_scene_load_memory(const char* text, size_t length, const char* name,
                               const sn_scene_load_def* def, sn_scene** scene, sn_error* error) {
    if (scene) *scene = NULL;
    if (!scene || (!text && length > 0))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "sn_scene_load_memory needs a text and a place for the scene");
    sni_reader* reader = calloc(1, sizeof *reader);
    sn_scene* made = reader ? sn_scene_create(NULL) : NULL;
    sn_status status = SN_ERR_MEMORY;
    if (made) {
        reader->source = (sni_text_source){&reader->yaml, name && *name ? name : "memory", error};
        reader->def = def ? *def : sn_scene_load_def_default();
        if (reader->def.most_bodies <= 0) reader->def.most_bodies = BODIES_MOST;
        reader->scene = made;
        status = read_scene(reader, text ? text : "", length);
        sni_yaml_free(&reader->yaml);
        sni_arena_free(&reader->arena);
    } else {
        sni_fail(error, status, sni_nowhere(), "not enough memory for the scene");
    }
    free(reader);
    if (status)
        sn_scene_free(made);
    else
        *scene = made;
    return status;
}

// ---- a file or a name -------------------------------------------------------------------------------

static bool is_there(const char* path, bool* folder) {
    struct stat info;
    bool there = stat(path, &info) == 0;
    *folder = there && S_ISDIR(info.st_mode);
    return there;
}

static bool ends_with(const char* path, const char* ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

/// Whether the text is a model's, not a scene's: by the ending, else XML and JSON are models.
static bool is_model(const char* path, const char* text, size_t length) {
    if (ends_with(path, ".yaml") || ends_with(path, ".yml")) return false;
    size_t at = 0;
    while (at < length && strchr(" \t\r\n", text[at]) && text[at]) at++;
    return at < length && (text[at] == '<' || text[at] == '{');
}

/// A scene of one model; takes the model.
static sn_status scene_of(sn_model* model, sn_scene** scene, sn_error* error) {
    sn_scene* made = sn_scene_create(sn_model_name(model));
    sn_status status = made ? sni_scene_of_model(made, model, error) : SN_ERR_MEMORY;
    if (!made) {
        sni_fail(error, status, sni_nowhere(), "not enough memory for the scene");
        sn_model_free(model);
    }
    if (status)
        sn_scene_free(made);
    else
        *scene = made;
    return status;
}

static sn_status load_file(const char* path, const sn_scene_load_def* def, sn_scene** scene,
                           sn_error* error) {
    char* text;
    size_t length;
    sn_status status = sni_file_read(path, &text, &length, error);
    if (!status && !is_model(path, text, length)) {
        status = sn_scene_load_memory(text, length, path, def, scene, error);
    } else if (!status) {
        sn_load_def load = sn_load_def_default();
        sn_model* model;
        load.meshes = SN_MESH_HULL;
        load.visual_meshes = def->visual_meshes;
        load.package_paths = def->package_paths;
        load.log = def->log;
        status = sn_model_load_memory(text, length, path, &load, &model, error);
        if (!status) status = scene_of(model, scene, error);
    }
    free(text);
    return status;
}

static sn_status fail_name(const char* name, const sn_scene_load_def* def, sn_error* error) {
    char scene[256], model[256];
    if (def->no_files)
        return sni_fail(error, SN_ERR_FILE, sni_nowhere(), "%.200s: files are not opened here",
                        name);
    const char* near =
        sni_nearest_file(def->scene_paths, sni_scene_endings, name, scene, sizeof scene);
    if (!near)
        near = sni_nearest_file(def->model_paths, sni_model_endings, name, model, sizeof model);
    if (strchr(name, '/') || strchr(name, '.'))
        return sni_fail(error, SN_ERR_FILE, sni_nowhere(), "%.200s: no such file; check the path",
                        name);
    if (near)
        return sni_fail(error, SN_ERR_FILE, sni_nowhere(),
                        "%.200s: no such file, scene or model; did you mean '%s'?", name, near);
    return sni_fail(error, SN_ERR_FILE, sni_nowhere(),
                    "%.200s: no such file, scene or model; a generated one is SHAPE:COUNT, such "
                    "as chain:10 or stack:5",
                    name);
}

sn_status sn_scene_load(const char* path, const sn_scene_load_def* def, sn_scene** scene,
                        sn_error* error) {
    if (scene) *scene = NULL;
    if (!scene || !path)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "sn_scene_load needs a path and a place for the scene");
    const sn_scene_load_def defaults = sn_scene_load_def_default();
    if (!def) def = &defaults;
    char found[4096];
    bool files = !def->no_files, folder = false, there = files && is_there(path, &folder);
    if (sn_molecule_is_name(path) && (files || !strchr(path, '.')))
        return sni_scene_of_molecule(path, &def->log, scene, error);
    if (there && !folder) return load_file(path, def, scene, error);
    if (files && (sni_find_file(def->scene_paths, sni_scene_endings, path, found, sizeof found) ||
                  sni_find_file(def->model_paths, sni_model_endings, path, found, sizeof found)))
        return load_file(found, def, scene, error);
    sn_model* model;
    int most = def->most_bodies > 0 ? def->most_bodies : BODIES_MOST;
    sn_status status = sni_generate_model(path, false, true, most, &model, error);
    if (status == SN_ERR_FORMAT && folder) return load_file(path, def, scene, error);
    if (status == SN_ERR_FORMAT) return fail_name(path, def, error);
    return status ? status : scene_of(model, scene, error);
}
