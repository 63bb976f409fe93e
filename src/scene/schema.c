// SPDX-License-Identifier: Apache-2.0
// The tables of keys as JSON Schema, draft 2020-12.
#include <stdio.h>
#include <stdlib.h>

#include "load/sn_load.h"
#include "scene/tables.h"
#include "sinew/scene.h"

static void comma(sni_text* t, bool* first) {
    if (!*first) sni_text_add(t, ", ");
    *first = false;
}

static void add_range(sni_text* t, const sni_key* key) {
    switch (key->range) {
    case SN_RANGE_POSITIVE:
        sni_text_add(t, key->accept & SN_ACCEPT_WHOLE ? ", \"minimum\": 1"
                                                      : ", \"exclusiveMinimum\": 0");
        return;
    case SN_RANGE_LEAST_0: sni_text_add(t, ", \"minimum\": 0"); return;
    case SN_RANGE_0_TO_1: sni_text_add(t, ", \"minimum\": 0, \"maximum\": 1"); return;
    case SN_RANGE_ANY: return;
    }
}

static void add_number(sni_text* t, const sni_key* key) {
    sni_text_add(t, "{\"type\": \"number\"");
    add_range(t, key);
    sni_text_add(t, "}");
}

static const char ANGLE[] = "{\"type\": \"string\", \"pattern\": "
                            "\"^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?deg$\"}";

static void add_numbers(sni_text* t, const sni_key* key) {
    int least = key->least ? key->least : 3, most = key->most ? key->most : least;
    sni_text_add(t, "{\"type\": \"array\", \"minItems\": %d, \"maxItems\": %d, \"items\": ", least,
                 most);
    if (key->accept & SN_ACCEPT_ANGLE) sni_text_add(t, "{\"anyOf\": [");
    add_number(t, key);
    if (key->accept & SN_ACCEPT_ANGLE) sni_text_add(t, ", %s]}", ANGLE);
    sni_text_add(t, "}");
}

static const char* word_of(const sni_key* key, int i) {
    return key->word ? key->word(i) : key->words[i];
}

static void add_words(sni_text* t, const sni_key* key) {
    bool first = true;
    sni_text_add(t, "{\"type\": \"string\", \"%s\": [", key->open ? "examples" : "enum");
    for (int i = 0; word_of(key, i); i++) {
        comma(t, &first);
        sni_text_string(t, word_of(key, i));
    }
    sni_text_add(t, "]}");
}

static void add_reference(sni_text* t, const sni_key* key) {
    sni_text_add(t, "{\"$ref\": \"#/$defs/%s\"}", key->map->name);
}

/// One way to give a key's value.
static void add_alternative(sni_text* t, const sni_key* key, sni_accept accept) {
    switch (accept) {
    case SN_ACCEPT_TEXT: sni_text_add(t, "{\"type\": \"string\", \"minLength\": 1}"); return;
    case SN_ACCEPT_BOOL: sni_text_add(t, "{\"type\": \"boolean\"}"); return;
    case SN_ACCEPT_NUMBER: add_number(t, key); return;
    case SN_ACCEPT_ANGLE:
        add_number(t, key);
        sni_text_add(t, ", %s", ANGLE);
        return;
    case SN_ACCEPT_WHOLE:
        sni_text_add(t, "{\"type\": \"integer\"");
        add_range(t, key);
        sni_text_add(t, "}");
        return;
    case SN_ACCEPT_WORD: add_words(t, key); return;
    case SN_ACCEPT_NUMBERS: add_numbers(t, key); return;
    case SN_ACCEPT_NAMES:
        sni_text_add(t,
                     "{\"type\": \"array\", \"items\": {\"type\": \"string\", \"minLength\": 1}}");
        return;
    case SN_ACCEPT_MAP: add_reference(t, key); return;
    case SN_ACCEPT_MAPS:
        sni_text_add(t, "{\"type\": \"array\", \"items\": ");
        add_reference(t, key);
        sni_text_add(t, "}");
        return;
    case SN_ACCEPT_NAMED:
        sni_text_add(t, "{\"type\": \"object\", \"additionalProperties\": ");
        add_reference(t, key);
        sni_text_add(t, "}");
        return;
    case SN_ACCEPT_JOINTS:
        sni_text_add(t,
                     "{\"type\": \"object\", \"additionalProperties\": {\"anyOf\": [{\"type\": "
                     "\"number\"}, %s, {\"type\": \"array\", \"minItems\": 1, \"maxItems\": %d, "
                     "\"items\": {\"anyOf\": [{\"type\": \"number\"}, %s]}}]}}",
                     ANGLE, SN_JOINT_MAX_NQ, ANGLE);
        return;
    case SN_ACCEPT_POINTS:
        sni_text_add(t, "{\"type\": \"array\", \"items\": {\"type\": \"array\", \"minItems\": 3, "
                        "\"maxItems\": 3, \"items\": {\"type\": \"number\"}}}");
        return;
    }
}

static void add_key(sni_text* t, const sni_key* key) {
    char about[512];
    bool first = true;
    snprintf(about, sizeof about, "%s%s%s%s", key->about, key->unit ? " [" : "",
             key->unit ? key->unit : "", key->unit ? "]" : "");
    sni_text_add(t, "        ");
    sni_text_string(t, key->name);
    sni_text_add(t, ": {\"description\": ");
    sni_text_string(t, about);
    sni_text_add(t, ", \"anyOf\": [");
    for (unsigned bit = 1; bit <= SN_ACCEPT_POINTS; bit *= 2) {
        // angles of a list are said there
        bool list_only = bit == SN_ACCEPT_ANGLE && (key->accept & SN_ACCEPT_NUMBERS) &&
                         !(key->accept & SN_ACCEPT_NUMBER);
        if (!(key->accept & bit) || list_only) continue;
        comma(t, &first);
        add_alternative(t, key, (sni_accept)bit);
    }
    sni_text_add(t, "]}");
}

static void add_required(sni_text* t, const sni_map* map) {
    bool any = false;
    for (int k = 0; k < map->count; k++) {
        const sni_key* key = &map->key[k];
        if (!key->required || !sni_key_is_in(map, key)) continue;
        sni_text_add(t, any ? ", " : ",\n      \"required\": [");
        sni_text_string(t, key->name);
        any = true;
    }
    if (any) sni_text_add(t, "]");
    any = false;
    for (int k = 0; k < map->count; k++) {
        const sni_key* key = &map->key[k];
        if (!key->needs || !sni_key_is_in(map, key)) continue;
        sni_text_add(t, any ? ", " : ",\n      \"dependentRequired\": {");
        sni_text_add(t, "\"%s\": [\"%s\"]", key->name, key->needs);
        any = true;
    }
    if (any) sni_text_add(t, "}");
}

/// {"required": ["a"]}, {"required": ["b"]}, ... of a group.
static void add_members(sni_text* t, const sni_map* map, char group) {
    bool first = true;
    for (int k = 0; k < map->count; k++) {
        if (map->key[k].group != group || !sni_key_is_in(map, &map->key[k])) continue;
        comma(t, &first);
        sni_text_add(t, "{\"required\": [\"%s\"]}", map->key[k].name);
    }
}

static void add_groups(sni_text* t, const sni_map* map) {
    unsigned seen = 0;
    bool any = false;
    for (int k = 0; k < map->count; k++) {
        char group = map->key[k].group;
        unsigned bit = group ? 1u << (group & 31) : 0;
        if (!bit || (seen & bit) || !sni_key_is_in(map, &map->key[k])) continue;
        seen |= bit;
        sni_text_add(t, any ? ",\n        " : ",\n      \"allOf\": [\n        ");
        sni_text_add(t, "{\"oneOf\": [");
        add_members(t, map, group);
        if (group >= 'a') { // or none of them
            sni_text_add(t, ", {\"not\": {\"anyOf\": [");
            add_members(t, map, group);
            sni_text_add(t, "]}}");
        }
        sni_text_add(t, "]}");
        any = true;
    }
    if (any) sni_text_add(t, "]");
}

static void add_map(sni_text* t, const sni_map* map) {
    bool any = false;
    sni_text_add(t, "{\n      \"type\": \"object\", \"description\": ");
    sni_text_string(t, map->about);
    sni_text_add(t, ", \"additionalProperties\": false,\n      \"properties\": {\n");
    for (int k = 0; k < map->count; k++) {
        if (!sni_key_is_in(map, &map->key[k])) continue;
        if (any) sni_text_add(t, ",\n");
        add_key(t, &map->key[k]);
        any = true;
    }
    sni_text_add(t, "\n      }");
    add_required(t, map);
    add_groups(t, map);
    sni_text_add(t, "\n    }");
}

sn_status sn_scene_schema(char** text, sn_error* error) {
    if (!text) return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "no place for the text");
    static const sni_map* const maps[] = {
#define POINTER(name) &sni_##name##_map,
        SN_MAP_LIST(POINTER)
#undef POINTER
    };
    sni_text t = {0};
    *text = NULL;
    sni_text_add(&t, "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
                     "  \"title\": \"Sinew scene\",\n  \"$ref\": \"#/$defs/scene\",\n"
                     "  \"$defs\": {\n");
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        sni_text_add(&t, "%s    \"%s\": ", i ? ",\n" : "", maps[i]->name);
        add_map(&t, maps[i]);
    }
    sni_text_add(&t, "\n  }\n}\n");
    if (t.failed) {
        free(t.bytes);
        return sni_fail(error, t.failed, sni_nowhere(), "not enough memory for the schema");
    }
    *text = t.bytes;
    return SN_OK;
}
