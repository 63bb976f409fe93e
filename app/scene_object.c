// SPDX-License-Identifier: Apache-2.0
#include "scene_object.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "options.h"
#include "sinew/generate.h"
#include "suggest.h"

enum { WARNINGS_MOST = 5 };

// A word taken apart.
typedef struct parts {
    char *what, *place, *keys; ///< NULL: not there
} parts;

// A solid by its name.
typedef struct solid {
    const char* name;
    sn_shape_type type;
    int sizes;
    const char* form; ///< as a person writes it
} solid;

static const solid SOLIDS[] = {
    {"sphere", SN_SHAPE_SPHERE, 1, "sphere:RADIUS, such as sphere:0.1"},
    {"box", SN_SHAPE_BOX, 3, "box:XxYxZ, such as box:0.2x0.3x0.1"},
    {"cylinder", SN_SHAPE_CYLINDER, 2, "cylinder:RADIUSxLENGTH, such as cylinder:0.1x0.3"},
    {"capsule", SN_SHAPE_CAPSULE, 2, "capsule:RADIUSxLENGTH, such as capsule:0.1x0.3"},
};
enum { SOLID_COUNT = sizeof SOLIDS / sizeof SOLIDS[0] };

// ---- words -----------------------------------------------------------------------------------------

// Cuts the word where its place and its keys begin.
static parts take_apart(const char* word) {
    parts p = {.what = memory_copy(word)};
    char* colon = strrchr(p.what, ':');
    if (colon && strchr(colon, '=')) {
        *colon = '\0';
        p.keys = colon + 1;
    }
    char* at = strrchr(p.what, '@');
    if (at) {
        *at = '\0';
        p.place = at + 1;
    }
    return p;
}

// Three numbers separated by slashes, angles also as 30deg; how many were read.
static bool parse_triple(const char* text, bool angles, sn_vec3* out) {
    double value[3];
    for (int k = 0; k < 3; k++) {
        char* end;
        value[k] = strtod(text, &end);
        if (end == text || !isfinite(value[k])) return false;
        if (angles && strncmp(end, "deg", 3) == 0) {
            value[k] *= acos(-1) / 180;
            end += 3;
        }
        if (*end != (k < 2 ? '/' : '\0')) return false;
        text = end + 1;
    }
    *out = sn_vec3_make(value[0], value[1], value[2]);
    return true;
}

// What the keys say.
typedef struct settings {
    double mass, mu, restitution, roll; ///< negative: not given
    bool moves, turned;
    sn_vec3 v, w, turn;
} settings;

static bool set_number(const char* word, const char* key, const char* value, double least,
                       double most, double* target) {
    double number;
    if (parse_number(value, &number) && number >= least && number <= most) {
        *target = number;
        return true;
    }
    if (isfinite(most)) {
        message_error("--object: '%s': %s must be a number from %g to %g", word, key, least, most);
    } else {
        message_error("--object: '%s': %s must be a number%s", word, key,
                      least > 0 ? " above zero" : " of at least 0");
    }
    return false;
}

static bool set_triple(const char* word, const char* key, const char* value, bool angles,
                       sn_vec3* target) {
    if (parse_triple(value, angles, target)) return true;
    message_error("--object: '%s': %s must be three numbers, such as %s=%s", word, key, key,
                  angles ? "0/30deg/0" : "3/0/0");
    return false;
}

static bool set_key(const char* word, const char* key, const char* value, settings* s) {
    static const char* const keys[] = {"mass", "mu", "e", "roll", "v", "w", "turn"};
    static const double ABOVE_ZERO = 1e-300;
    if (strcmp(key, "mass") == 0)
        return set_number(word, key, value, ABOVE_ZERO, INFINITY, &s->mass);
    if (strcmp(key, "mu") == 0) return set_number(word, key, value, 0, INFINITY, &s->mu);
    if (strcmp(key, "e") == 0) return set_number(word, key, value, 0, 1, &s->restitution);
    if (strcmp(key, "roll") == 0) return set_number(word, key, value, 0, INFINITY, &s->roll);
    if (strcmp(key, "v") == 0) {
        s->moves = true;
        return set_triple(word, key, value, false, &s->v);
    }
    if (strcmp(key, "w") == 0) {
        s->moves = true;
        return set_triple(word, key, value, false, &s->w);
    }
    if (strcmp(key, "turn") == 0) {
        s->turned = true;
        return set_triple(word, key, value, true, &s->turn);
    }
    const char* near = suggest_name(key, keys, sizeof keys / sizeof keys[0]);
    message_error("--object: '%s': there is no '%s'%s%s; write mass=2, mu=0.4, e=0.2, roll=0.005, "
                  "v=3/0/0, w=0/0/5 or turn=0/30deg/0",
                  word, key, near ? ", perhaps " : "", near ? near : "");
    return false;
}

// KEY=VALUE,KEY=VALUE,...
static bool read_settings(const char* word, char* text, settings* s) {
    while (text) {
        char* comma = strchr(text, ',');
        if (comma) *comma = '\0';
        char* equals = strchr(text, '=');
        if (!equals || equals == text) {
            message_error("--object: '%s': '%s' is not KEY=VALUE; write mass=2,mu=0.4", word, text);
            return false;
        }
        *equals = '\0';
        if (!set_key(word, text, equals + 1, s)) return false;
        text = comma ? comma + 1 : NULL;
    }
    return true;
}

// ---- what it is ------------------------------------------------------------------------------------

// Sizes "0.2x0.3x0.1" as a shape has them; false when they are not that.
static bool parse_sizes(const char* text, const solid* kind, sn_vec3* size) {
    double value[3];
    for (int k = 0; k < kind->sizes; k++) {
        char* end;
        value[k] = strtod(text, &end);
        bool last = k == kind->sizes - 1;
        if (end == text || !isfinite(value[k]) || !(value[k] > 0)) return false;
        if (*end != (last ? '\0' : 'x')) return false;
        text = end + 1;
    }
    *size = kind->sizes == 3 ? sn_vec3_make(value[0], value[1], value[2])
                             : sn_vec3_make(value[0], 0, kind->sizes == 2 ? value[1] : 0);
    return true;
}

static bool made(sn_status status, const sn_error* error, const scene_object* object) {
    if (!status) return true;
    if (error->text[0]) {
        message_error_from(error);
    } else {
        message_error("--object: %s cannot be made: %s", object->name, sn_status_text(status));
    }
    return false;
}

static bool make_solid(const solid* kind, sn_vec3 size, const settings* s, scene_object* object) {
    sn_error error = {0};
    sn_solid_def def = sn_solid_def_default();
    def.type = kind->type;
    def.size = size;
    if (s->mass > 0) def.mass = s->mass;
    return made(sn_solid_make(&def, &object->model, &error), &error, object);
}

// A generated scene without its floor: the one there is serves all.
static bool make_scene(const sn_pile_def* def, scene_object* object) {
    sn_error error = {0};
    sn_pile_def bare = *def;
    bare.floor = false;
    sn_model_builder* builder = sn_model_builder_create(object->name);
    sn_status status = builder ? sn_generate_pile(&bare, builder) : SN_ERR_MEMORY;
    if (!status) status = sn_model_builder_compile(builder, NULL, &object->model, &error);
    sn_model_builder_free(builder);
    return made(status, &error, object);
}

static bool load_model(const char* what, model_base base, scene_object* object) {
    model_source source;
    model_request request = {what, base, false, NULL};
    sn_pile_def def = sn_pile_def_default();
    if (sn_pile_parse(what, &def)) return make_scene(&def, object);
    if (!model_source_load(&request, &source)) return false;
    message_log_print(&source.log, WARNINGS_MOST);
    object->model = source.model;
    source.model = NULL;
    model_source_free(&source);
    return true;
}

// Text up to a colon, dot or slash at its end: what to call an object made from it.
static char* short_name(const char* what) {
    const char* slash = strrchr(what, '/');
    const char* start = slash ? slash + 1 : what;
    int length = (int)strcspn(start, ":.");
    return length ? memory_text("%.*s", length, start) : memory_copy("object");
}

static bool has_name(const sn_scene* scene, const char* name) {
    for (int i = 0; i < sn_scene_item_count(scene); i++) {
        if (strcmp(sn_scene_item(scene, i)->name, name) == 0) return true;
    }
    return false;
}

// "box_1", or with the next number that nothing in the scene has.
static char* free_name(const sn_scene* scene, const char* called, int number) {
    char* name = memory_text("%s_%d", called, number);
    while (has_name(scene, name)) {
        free(name);
        name = memory_text("%s_%d", called, ++number);
    }
    return name;
}

static bool make_model(const char* word, const parts* p, const sn_scene* scene, int index,
                       model_base base, const settings* s, scene_object* object) {
    char* called = short_name(p->what);
    object->name = free_name(scene, called, index + 1);
    const solid* kind = NULL;
    for (int i = 0; i < SOLID_COUNT; i++) {
        if (strcmp(called, SOLIDS[i].name) == 0 && p->what[strlen(called)] == ':') {
            kind = &SOLIDS[i];
        }
    }
    free(called);
    if (!kind) {
        if (!(s->mass > 0)) return load_model(p->what, base, object);
        message_error("--object: '%s': a model has its own masses; leave out mass", word);
        return false;
    }
    sn_vec3 size;
    object->is_solid = true;
    if (parse_sizes(strchr(p->what, ':') + 1, kind, &size)) {
        return make_solid(kind, size, s, object);
    }
    message_error("--object: '%s': sizes in m, above zero, are %s", word, kind->form);
    return false;
}

// ---- where it is -----------------------------------------------------------------------------------

// Without a height its lowest point is at zero.
static bool place(const char* word, const char* text, sn_item* item) {
    double number[3] = {0}, lowest;
    int count = text ? parse_numbers(text, number, 3) : 0;
    if (text && count != 2 && count != 3) {
        message_error("--object: '%s': after @ comes its place X,Y,Z in m, or X,Y to stand on the "
                      "floor",
                      word);
        return false;
    }
    if (count < 3 && sn_item_lowest(item, &lowest)) number[2] = -lowest;
    item->pose.p = sn_vec3_make(number[0], number[1], number[2]);
    return true;
}

// The item of the object, with what the keys say.
static bool put(const char* word, const parts* p, const settings* s, scene_object* object,
                sn_scene* scene) {
    sn_error error = {0};
    // a solid's body is called as the object is, bodies of a model come after its name
    sn_item item = {.name = object->name,
                    .prefix = object->is_solid ? object->name : NULL,
                    .model = object->model,
                    .pose = sn_pose_identity()};
    if (s->turned) item.pose.R = sn_quat_matrix(sn_quat_exp(s->turn));
    if (!place(word, p->place, &item)) return false;
    error.status = sn_scene_add(scene, &item, &error);
    if (!error.status) object->model = NULL;
    bool changed = s->mu >= 0 || s->restitution >= 0 || s->roll >= 0;
    if (!error.status && changed)
        error.status =
            sn_scene_set_surface(scene, object->item, s->mu, s->restitution, s->roll, &error);
    if (error.status) message_error_from(&error);
    return error.status == SN_OK;
}

bool scene_object_add(const char* word, int index, model_base base, sn_scene* scene,
                      scene_object* object) {
    settings s = {.mass = -1, .mu = -1, .restitution = -1, .roll = -1};
    parts p = take_apart(word);
    *object = (scene_object){.item = sn_scene_item_count(scene)};
    bool good = read_settings(word, p.keys, &s) &&
                make_model(word, &p, scene, index, base, &s, object) &&
                put(word, &p, &s, object, scene);
    object->moves = s.moves;
    object->v = s.v;
    object->w = s.w;
    free(p.what);
    return good;
}

bool scene_object_start(const scene_object* object, sn_scene* scene) {
    sn_error error = {0};
    if (!object->moves) return true;
    error.status = sn_scene_set_motion(scene, object->item, object->v, object->w, &error);
    if (error.status) message_error("--object: %s", error.text);
    return error.status == SN_OK;
}

void scene_object_free(scene_object* object) {
    free(object->name);
    sn_model_free(object->model);
    *object = (scene_object){0};
}
