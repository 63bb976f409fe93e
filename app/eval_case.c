// SPDX-License-Identifier: Apache-2.0
#include "eval_case.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "suggest.h"

enum {
    ALL_BODIES_MOST = 32, // --with delassus_local without a list means all bodies up to here
    M_MOST = 4096,        // largest nv for which M is written out
    LIST_MOST = 2048      // bodies of a Delassus matrix
};

static const sn_vec3 GRAVITY_DEFAULT = {0, 0, -9.81};

int eval_case_nq(const eval_case* c) {
    const json_t* q = json_object_get(c->object, "q");
    return json_is_array(q) ? (int)json_array_size(q) : -1;
}

bool eval_wants_parse(const char* text, unsigned* wants) {
    static const char* const names[] = {"M", "delassus_local", "delassus_world_aligned"};
    while (*text) {
        int length = (int)strcspn(text, ",");
        char word[64];
        snprintf(word, sizeof word, "%.*s", length, text);
        int which = -1;
        for (int i = 0; i < 3; i++) {
            if (strcmp(word, names[i]) == 0) which = i;
        }
        if (which < 0) {
            const char* near = suggest_name(word, names, 3);
            message_error("--with: '%s' is not known; %s%s", word,
                          near ? "did you mean "
                               : "it takes "
                                 "M, delassus_local, delassus_world_aligned, separated by commas",
                          near ? near : "");
            return false;
        }
        *wants |= 1u << which;
        text += length;
        if (*text == ',') text += 1;
    }
    return true;
}

static bool refuse(const eval_case* c, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

static bool refuse(const eval_case* c, const char* format, ...) {
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    message_error("%s: case \"%s\": %s", c->file, c->name, text);
    return false;
}

// Reads `count` numbers of a list into out; `field` names it in messages, `needs` who wants count.
static bool read_numbers(const eval_case* c, const json_t* list, const char* field, int count,
                         const char* needs, double* out) {
    if (!json_is_array(list)) {
        return refuse(c, "%s is not a list of numbers; %s %d", field, needs, count);
    }
    int size = (int)json_array_size(list);
    if (size != count) {
        return refuse(c, "%s has %d numbers, %s %d; is the case made for another model?", field,
                      size, needs, count);
    }
    for (int i = 0; i < count; i++) {
        const json_t* item = json_array_get(list, (size_t)i);
        if (!json_is_number(item)) {
            return refuse(c, "%s[%d] is not a number; all of it must be numbers", field, i);
        }
        out[i] = json_number_value(item);
    }
    return true;
}

// Numbers of the case's `field` in API order; zeros when it is absent and not required.
static double* read_ordered(const eval_case* c, const char* field, int count, const int* order,
                            bool required) {
    const json_t* list = json_object_get(c->object, field);
    double* out = memory_take((size_t)count, sizeof *out);
    if (!list && !required) return out;
    if (!list) {
        refuse(c, "%s is missing; the model needs %d numbers", field, count);
        free(out);
        return NULL;
    }
    double* raw = memory_take((size_t)count, sizeof *raw);
    bool good = read_numbers(c, list, field, count, "the model needs", raw);
    for (int k = 0; good && k < count; k++) out[order[k]] = raw[k];
    free(raw);
    if (good) return out;
    free(out);
    return NULL;
}

// A body given by index or by name.
static bool read_body(const eval_case* c, const json_t* value, const char* field,
                      const sn_model* model, sn_body_id* body) {
    int count = sn_model_body_count(model);
    if (json_is_string(value)) {
        *body = sn_model_find_body(model, json_string_value(value));
        if (body->i >= 0) return true;
        return refuse(c, "%s: there is no moving body '%s'; `sinew info` lists them", field,
                      json_string_value(value));
    }
    double index = json_is_number(value) ? json_number_value(value) : -1;
    if (!(index >= 0 && index < count && index == floor(index))) {
        return refuse(c, "%s is not a body; give an index from 0 to %d, or a name", field,
                      count - 1);
    }
    *body = sn_body((int32_t)index);
    return true;
}

// A list of {"body": ..., "wrench": [...]}; none when it is absent.
static bool read_wrenches(const eval_case* c, const char* key, const sn_model* model,
                          sn_body_wrench** wrenches, int* count) {
    const json_t* list = json_object_get(c->object, key);
    if (!list) return true;
    if (!json_is_array(list)) {
        return refuse(c, "%s is not a list; it holds {\"body\": ..., \"wrench\": [6 numbers]}",
                      key);
    }
    int size = (int)json_array_size(list);
    sn_body_wrench* to = *wrenches = memory_take((size_t)size, sizeof *to);
    for (int i = 0; i < size; i++) {
        char field[64];
        double w[6];
        const json_t* item = json_array_get(list, (size_t)i);
        if (!json_is_object(item)) {
            return refuse(c, "%s[%d] is not an object; it is {\"body\": ..., \"wrench\": [...]}",
                          key, i);
        }
        snprintf(field, sizeof field, "%s[%d].body", key, i);
        if (!read_body(c, json_object_get(item, "body"), field, model, &to[i].body)) return false;
        snprintf(field, sizeof field, "%s[%d].wrench", key, i);
        if (!read_numbers(c, json_object_get(item, "wrench"), field, 6, "force then moment are",
                          w)) {
            return false;
        }
        to[i].wrench = sn_wrench_make(sn_vec3_make(w[3], w[4], w[5]),  // moment
                                      sn_vec3_make(w[0], w[1], w[2])); // force
    }
    *count = size;
    return true;
}

static bool read_grab(eval_case* c, const sn_model* model) {
    if (!read_wrenches(c, "grab", model, &c->grab, &c->grab_count)) return false;
    if (c->grab_count <= SN_GRAB_MAX) return true;
    return refuse(c, "grab lists %d hands; at most %d", c->grab_count, SN_GRAB_MAX);
}

// The bodies of a Delassus matrix: those of the case, or all when they are few.
static bool read_body_list(const eval_case* c, const char* field, const sn_model* model,
                           body_list* list) {
    const json_t* object = json_object_get(c->object, field);
    const json_t* bodies = object ? json_object_get(object, "bodies") : NULL;
    int count = sn_model_body_count(model);
    if (object && !json_is_array(bodies)) {
        return refuse(c, "%s has no list of bodies; write \"%s\": {\"bodies\": [...]}", field,
                      field);
    }
    if (!bodies && count > ALL_BODIES_MOST) {
        return refuse(c,
                      "%s of all %d bodies is too large; list the bodies in the case: \"%s\": "
                      "{\"bodies\": [...]}",
                      field, count, field);
    }
    int size = bodies ? (int)json_array_size(bodies) : count;
    if (size > LIST_MOST) {
        return refuse(c, "%s lists %d bodies; at most %d", field, size, LIST_MOST);
    }
    list->at = memory_take((size_t)size, sizeof *list->at);
    list->count = size;
    for (int i = 0; i < size; i++) {
        char name[96];
        list->at[i] = sn_body(i);
        snprintf(name, sizeof name, "%s.bodies[%d]", field, i);
        if (bodies && !read_body(c, json_array_get(bodies, (size_t)i), name, model, &list->at[i])) {
            return false;
        }
    }
    return true;
}

static bool check_quaternions(const eval_case* c, const sn_model* model) {
    sn_body_id at = sn_body_world();
    if (sn_model_check_q(model, c->q, &at)) return true;
    sn_body_info joint = sn_model_body(model, at);
    const double* x = c->q + joint.iq + (joint.type == SN_JOINT_FREE ? 3 : 0);
    double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
    return refuse(c,
                  "q: the quaternion of joint '%s' has length %.9g; it must be 1 within 1e-6, in "
                  "the order x,y,z,w",
                  joint.joint_name, length);
}

static bool read_requests(eval_case* c, const sn_model* model, unsigned wants) {
    c->wants = wants;
    if (json_object_get(c->object, "M")) c->wants |= EVAL_M;
    if (json_object_get(c->object, "delassus_local")) c->wants |= EVAL_DELASSUS_LOCAL;
    if (json_object_get(c->object, "delassus_world_aligned")) c->wants |= EVAL_DELASSUS_WORLD;
    if ((c->wants & EVAL_M) && sn_model_nv(model) > M_MOST) {
        return refuse(c, "M of %d degrees of freedom is too large to write; at most %d",
                      sn_model_nv(model), M_MOST);
    }
    if ((c->wants & EVAL_DELASSUS_LOCAL) &&
        !read_body_list(c, "delassus_local", model, &c->local)) {
        return false;
    }
    return !(c->wants & EVAL_DELASSUS_WORLD) ||
           read_body_list(c, "delassus_world_aligned", model, &c->world);
}

bool eval_case_read(eval_case* c, const sn_model* model, const int* q_order, const int* v_order,
                    unsigned wants) {
    double g[3] = {GRAVITY_DEFAULT.x, GRAVITY_DEFAULT.y, GRAVITY_DEFAULT.z};
    const json_t* gravity = json_object_get(c->object, "gravity");
    if (gravity && !read_numbers(c, gravity, "gravity", 3, "it needs", g)) return false;
    c->gravity = sn_vec3_make(g[0], g[1], g[2]);
    c->q = read_ordered(c, "q", sn_model_nq(model), q_order, true);
    if (!c->q) return false;
    c->v = read_ordered(c, "v", sn_model_nv(model), v_order, false);
    if (!c->v) return false;
    c->tau = read_ordered(c, "tau", sn_model_nv(model), v_order, false);
    if (!c->tau) return false;
    return read_wrenches(c, "fext", model, &c->fext, &c->fext_count) && read_grab(c, model) &&
           check_quaternions(c, model) && read_requests(c, model, wants);
}
