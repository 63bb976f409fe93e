// SPDX-License-Identifier: Apache-2.0
#include "server/quantities.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *needs;
} kinds[] = {
#define KIND(code, name, needs) {name, needs},
    SNI_QUANTITY_LIST(KIND)
#undef KIND
};

typedef struct reading {
    const sn_model* model;
    const sn_scene* scene;
    const sn_units* units;
    char* why;
    size_t room;
    char name[160]; ///< of the quantity that is read
    sn_unit unit;
} reading;

static bool refuse(reading* r, const char* what, const char* word) {
    snprintf(r->why, r->room, "%s '%.60s'", what, word);
    return false;
}

static bool find_kind(reading* r, const char* word, sni_quantity* q) {
    for (int k = 0; word && k < SNI_QUANTITIES; k++) {
        if (strcmp(kinds[k].name, word) != 0) continue;
        q->kind = (sni_quantity_kind)k;
        return true;
    }
    return refuse(r, "there is no quantity", word ? word : "");
}

static sn_unit plain(const char* symbol) { return (sn_unit){symbol, symbol, 1}; }

/// What the numbers of a kind are in; of coordinates and sensors it depends.
static sn_unit unit_of(sni_quantity_kind kind, const sn_units* u) {
    switch (kind) {
    case SNI_WATCH_ENERGY: return u->energy;
    case SNI_WATCH_CONTACT:
    case SNI_WATCH_FELT:
    case SNI_WATCH_PULL: return u->force;
    case SNI_WATCH_RATE: return plain("Hz");
    default: return plain("");
    }
}

static bool read_coordinate(reading* r, sni_quantity* q) {
    bool velocity = q->kind == SNI_WATCH_VELOCITY;
    if (q->body < 0 || q->body >= sn_model_body_count(r->model))
        return refuse(r, "there is no such body for", kinds[q->kind].name);
    sn_body_info joint = sn_model_body(r->model, sn_body(q->body));
    int count = velocity ? joint.nv : joint.nq;
    if (q->index < 0 || q->index >= count)
        return refuse(r, "there is no such coordinate of", joint.joint_name);
    bool moves = joint.type == SN_JOINT_PRISMATIC ||
                 (joint.type == SN_JOINT_FREE && (velocity ? q->index >= 3 : q->index < 3));
    bool quaternion = !velocity && (joint.type == SN_JOINT_SPHERICAL ||
                                    (joint.type == SN_JOINT_FREE && q->index >= 3));
    const sn_units* u = r->units;
    r->unit = quaternion ? plain("")
              : velocity ? (moves ? u->speed : u->turning)
                         : (moves ? u->length : plain("rad"));
    if (count > 1)
        snprintf(r->name, sizeof r->name, "%.120s %s[%d]", joint.joint_name, kinds[q->kind].name,
                 q->index);
    else
        snprintf(r->name, sizeof r->name, "%.120s %s", joint.joint_name, kinds[q->kind].name);
    return true;
}

static bool read_energy(reading* r, const sni_quantity* q) {
    static const char* const parts[] = {"kinetic", "potential", "springs", "sum"};
    if (q->index < 0 || q->index > 3) return refuse(r, "no such part of", "energy");
    snprintf(r->name, sizeof r->name, "energy, %s", parts[q->index]);
    return true;
}

static bool read_contact(reading* r, const sni_quantity* q) {
    if (q->body >= sn_model_body_count(r->model))
        return refuse(r, "there is no such body for", "contact");
    if (q->body >= 0)
        snprintf(r->name, sizeof r->name, "contact on %.120s",
                 sn_model_body(r->model, sn_body(q->body)).name);
    else
        snprintf(r->name, sizeof r->name, "all contact");
    return true;
}

static bool read_rate(reading* r, sni_quantity* q, const char* loop) {
    for (int k = SN_LOOP_SIMULATION; k <= SN_LOOP_COUPLING; k++) {
        if (strcmp(loop, sn_loop_name((sn_loop)k)) != 0) continue;
        q->index = k;
        snprintf(r->name, sizeof r->name, "rate, %s", loop);
        return true;
    }
    return refuse(r, "there is no loop", loop);
}

static bool read_sensor(reading* r, sni_quantity* q, const char* wanted) {
    int first = 0;
    for (int i = 0; r->scene && i < sn_scene_sensor_count(r->scene); i++) {
        const sn_sensor_def* sensor = sn_scene_sensor(r->scene, i);
        if (strcmp(sensor->name, wanted) == 0) {
            if (q->index < 0 || q->index >= sensor->numbers)
                return refuse(r, "there is no such number of sensor", wanted);
            snprintf(r->name, sizeof r->name, "%.120s[%d]", wanted, q->index);
            q->index += first;
            return true;
        }
        first += sensor->numbers;
    }
    return refuse(r, "there is no sensor", wanted);
}

static bool read_one(reading* r, const json_t* one, sni_quantity* q) {
    const char* kind = json_string_value(json_object_get(one, "kind"));
    const char* name = json_string_value(json_object_get(one, "name"));
    const json_t *body = json_object_get(one, "body"), *index = json_object_get(one, "index");
    const json_t* hand = json_object_get(one, "hand");
    if (!find_kind(r, kind, q)) return false;
    q->body = json_is_integer(body) ? (int32_t)json_integer_value(body) : -1;
    q->index = json_is_integer(index) ? (int32_t)json_integer_value(index) : 0;
    q->hand = json_is_integer(hand) ? (int32_t)json_integer_value(hand) : -1;
    r->unit = unit_of(q->kind, r->units);
    snprintf(r->name, sizeof r->name, "%s", kinds[q->kind].name);
    switch (q->kind) {
    case SNI_WATCH_JOINT:
    case SNI_WATCH_VELOCITY: return read_coordinate(r, q);
    case SNI_WATCH_ENERGY: return read_energy(r, q);
    case SNI_WATCH_CONTACT: return read_contact(r, q);
    case SNI_WATCH_RATE: return read_rate(r, q, name ? name : "");
    case SNI_WATCH_SENSOR: return read_sensor(r, q, name ? name : "");
    case SNI_WATCH_FELT:
    case SNI_WATCH_PULL:
        if (q->hand >= 0)
            snprintf(r->name, sizeof r->name, "%s, hand %d", kinds[q->kind].name, q->hand);
        else
            snprintf(r->name, sizeof r->name, "%s, my hands", kinds[q->kind].name);
        return true;
    default: return true;
    }
}

json_t* sni_quantities_read(const char* text, size_t length, const sn_model* model,
                            const sn_scene* scene, const sn_units* units, sni_watch* watch,
                            char* why, size_t room) {
    reading r = {.model = model, .scene = scene, .units = units, .why = why, .room = room};
    json_error_t error;
    json_t *list = json_loadb(text, length, 0, &error), *names = json_array(),
           *symbols = json_array();
    bool good = json_is_array(list) && json_array_size(list) <= SNI_QUANTITIES_MOST;
    if (!good) snprintf(why, room, "WATCH takes a list of at most %d", SNI_QUANTITIES_MOST);
    *watch = (sni_watch){0};
    for (size_t k = 0; good && k < json_array_size(list); k++) {
        good = read_one(&r, json_array_get(list, k), &watch->at[watch->count]);
        watch->at[watch->count++].factor = r.unit.factor;
        (void)json_array_append_new(names, json_string(r.name));
        (void)json_array_append_new(symbols, json_string(r.unit.shown));
    }
    json_decref(list);
    if (good) return json_pack("{s:o,s:o}", "names", names, "units", symbols);
    json_decref(names);
    json_decref(symbols);
    return NULL;
}

json_t* sni_quantities_catalogue(void) {
    static const struct {
        char letter;
        const char* word;
    } needs[] = {{'b', "body"}, {'i', "index"}, {'h', "hand"}, {'n', "name"}};
    const sn_units* si = sn_units_of(SN_UNITS_SI);
    json_t* list = json_array();
    for (int k = 0; k < SNI_QUANTITIES; k++) {
        json_t* words = json_array();
        for (size_t n = 0; n < sizeof needs / sizeof needs[0]; n++)
            if (strchr(kinds[k].needs, needs[n].letter))
                (void)json_array_append_new(words, json_string(needs[n].word));
        (void)json_array_append_new(list, json_pack("{s:s,s:s,s:o}", "kind", kinds[k].name, "unit",
                                                    unit_of((sni_quantity_kind)k, si).shown,
                                                    "needs", words));
    }
    return list;
}
