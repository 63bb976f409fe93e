// SPDX-License-Identifier: Apache-2.0
#include "scene/keys.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"

// ---- messages ---------------------------------------------------------------------------------------

sn_place sni_node_place(const sni_text_source* source, const sni_node* node) {
    return (sn_place){source->file, node->line, node->column};
}

sn_status sni_node_fail(const sni_text_source* source, const sni_node* node, const char* format,
                        ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return sni_fail(source->error, SN_ERR_FORMAT, sni_node_place(source, node), "%s", text);
}

static void append(char* out, size_t size, const char* format, ...) SN_PRINTF(3, 4);

static void append(char* out, size_t size, const char* format, ...) {
    size_t used = strlen(out);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(out + used, size - used, format, arguments);
    va_end(arguments);
}

/// The i-th word a key allows, NULL past the last.
static const char* word_of(const sni_key* key, int i) {
    if (key->word) return key->word(i);
    return key->words[i];
}

static void append_words(const sni_key* key, char* out, size_t size) {
    for (int i = 0; word_of(key, i); i++) append(out, size, "%s%s", i ? ", " : "", word_of(key, i));
    if (key->open) append(out, size, " or what a plugin brings");
}

static void append_keys(const sni_map* map, char* out, size_t size) {
    bool first = true;
    for (int k = 0; k < map->count; k++) {
        if (!sni_key_is_in(map, &map->key[k])) continue;
        append(out, size, "%s%s", first ? "" : ", ", map->key[k].name);
        first = false;
    }
}

static const char* range_text(const sni_key* key) {
    switch (key->range) {
    case SN_RANGE_POSITIVE: return key->accept & SN_ACCEPT_WHOLE ? " of at least 1" : " above 0";
    case SN_RANGE_LEAST_0: return " of at least 0";
    case SN_RANGE_0_TO_1: return " from 0 to 1";
    case SN_RANGE_ANY: break;
    }
    return "";
}

static int least_of(const sni_key* key) { return key->least ? key->least : 3; }
static int most_of(const sni_key* key) { return key->most ? key->most : least_of(key); }

/// With NUMBERS, and no NUMBER, angles are those of the list.
static bool takes_angle(const sni_key* key) {
    unsigned a = key->accept;
    return (a & SN_ACCEPT_ANGLE) && (!(a & SN_ACCEPT_NUMBERS) || (a & SN_ACCEPT_NUMBER));
}

static void append_numbers(const sni_key* key, char* out, size_t size) {
    const char* what = key->accept & SN_ACCEPT_ANGLE ? "angles" : "numbers";
    if (least_of(key) == most_of(key))
        append(out, size, "a list of %d %s%s", least_of(key), what, range_text(key));
    else
        append(out, size, "a list of %d to %d %s%s", least_of(key), most_of(key), what,
               range_text(key));
}

void sni_key_expects(const sni_key* key, char* out, size_t size) {
    unsigned a = key->accept;
    out[0] = '\0';
#define OR (out[0] ? ", or " : "")
    if (a & SN_ACCEPT_BOOL) append(out, size, "%strue or false", OR);
    if (a & SN_ACCEPT_WHOLE) append(out, size, "%sa whole number%s", OR, range_text(key));
    if (a & SN_ACCEPT_NUMBER) append(out, size, "%sa number%s", OR, range_text(key));
    if (takes_angle(key)) append(out, size, "%san angle in rad, or such as 30deg", OR);
    if (a & SN_ACCEPT_WORD) {
        append(out, size, "%sone of ", OR);
        append_words(key, out, size);
    }
    if (a & SN_ACCEPT_TEXT) append(out, size, "%sa text", OR);
    if (a & SN_ACCEPT_NUMBERS) {
        append(out, size, "%s", OR);
        append_numbers(key, out, size);
    }
    if (a & SN_ACCEPT_POINTS) append(out, size, "%sa list of points [x, y, z]", OR);
    if (a & SN_ACCEPT_NAMES) append(out, size, "%sa list of names", OR);
    if (a & SN_ACCEPT_JOINTS) append(out, size, "%sa mapping of joints to numbers", OR);
    if (a & SN_ACCEPT_NAMED) append(out, size, "%sa mapping of names to mappings", OR);
    if (a & SN_ACCEPT_MAPS) append(out, size, "%sa list of mappings", OR);
    if (a & SN_ACCEPT_MAP) {
        append(out, size, "%sa mapping of ", OR);
        append_keys(key->map, out, size);
    }
#undef OR
    if (key->unit) append(out, size, " (%s)", key->unit);
}

/// "'abc'", "a list of 2", "nothing": what stands there instead.
static void describe(const sni_text_source* source, const sni_node* node, char* out, size_t size) {
    if (node->kind == SN_NODE_LIST)
        snprintf(out, size, "a list of %d", (int)node->count);
    else if (node->kind == SN_NODE_MAP)
        snprintf(out, size, "a mapping");
    else if (node->word & SN_WORD_EMPTY)
        snprintf(out, size, "nothing");
    else
        snprintf(out, size, "%s'%.60s'", node->word & SN_WORD_PLAIN ? "" : "the text ",
                 sni_node_text(source->yaml, node));
}

static sn_status fail_value(const sni_text_source* source, const sni_node* node,
                            const sni_key* key) {
    char expected[400], found[96];
    if (node->word & SN_WORD_TOO_BIG)
        return sni_node_fail(source, node, "'%s': the number is too large", key->name);
    sni_key_expects(key, expected, sizeof expected);
    describe(source, node, found, sizeof found);
    return sni_node_fail(source, node, "'%s' must be %s; not %s", key->name, expected, found);
}

static sn_status fail_word(const sni_text_source* source, const sni_node* node,
                           const sni_key* key) {
    char expected[400];
    sni_key_expects(key, expected, sizeof expected);
    const char* text = sni_node_text(source->yaml, node);
    sni_nearest near = {.wanted = text};
    for (int i = 0; word_of(key, i); i++) sni_nearest_offer(&near, word_of(key, i));
    if (near.best)
        return sni_node_fail(source, node, "'%s' must be %s; not '%.60s'; did you mean '%s'?",
                             key->name, expected, text, near.best);
    return sni_node_fail(source, node, "'%s' must be %s; not '%.60s'", key->name, expected, text);
}

static sn_status fail_key(const sni_text_source* source, const sni_node* node, const sni_map* map) {
    char allowed[400] = "";
    const char* text = sni_node_text(source->yaml, node);
    sni_nearest near = {.wanted = text};
    for (int k = 0; k < map->count; k++)
        if (sni_key_is_in(map, &map->key[k])) sni_nearest_offer(&near, map->key[k].name);
    append_keys(map, allowed, sizeof allowed);
    if (near.best)
        return sni_node_fail(source, node,
                             "there is no key '%.40s' in %s; did you mean '%s'? Allowed are %s",
                             text, map->about, near.best, allowed);
    return sni_node_fail(source, node, "there is no key '%.40s' in %s; allowed are %s", text,
                         map->about, allowed);
}

// ---- values -----------------------------------------------------------------------------------------

static bool in_range(double number, const sni_key* key) {
    switch (key->range) {
    case SN_RANGE_POSITIVE: return number > 0;
    case SN_RANGE_LEAST_0: return number >= 0;
    case SN_RANGE_0_TO_1: return number >= 0 && number <= 1;
    case SN_RANGE_ANY: break;
    }
    return true;
}

static bool is_number(const sni_node* node, bool angle) {
    return (node->word & SN_WORD_NUMBER) || (angle && (node->word & SN_WORD_DEGREES));
}

/// *wrong: the first that is not as it should be; the list itself when there are too many or too few.
static bool read_numbers(const sni_text_source* source, const sni_node* list, const sni_key* key,
                         sni_value* value, const sni_node** wrong) {
    *wrong = list;
    if (list->count < least_of(key) || list->count > most_of(key)) return false;
    const sni_node* part = sni_node_first(list);
    for (int k = 0; k < list->count; k++) {
        *wrong = part;
        if (!is_number(part, key->accept & SN_ACCEPT_ANGLE) || !in_range(part->number, key))
            return false;
        value->number[k] = part->number;
        part = sni_node_next(source->yaml, part);
    }
    value->count = list->count;
    return true;
}

static bool all_words(const sni_text_source* source, const sni_node* list) {
    const sni_node* part = sni_node_first(list);
    for (int k = 0; k < list->count; k++, part = sni_node_next(source->yaml, part))
        if (part->kind != SN_NODE_WORD || part->count == 0) return false;
    return true;
}

static bool all_of_kind(const sni_text_source* source, const sni_node* list, sni_node_kind kind) {
    const sni_node* part = sni_node_first(list);
    for (int k = 0; k < list->count; k++, part = sni_node_next(source->yaml, part))
        if (part->kind != kind) return false;
    return true;
}

static sn_status read_list(const sni_text_source* source, const sni_node* node, const sni_key* key,
                           sni_value* value) {
    unsigned a = key->accept;
    const sni_node* wrong = node;
    if ((a & SN_ACCEPT_NUMBERS) && read_numbers(source, node, key, value, &wrong))
        value->is = SN_ACCEPT_NUMBERS;
    else if ((a & SN_ACCEPT_NAMES) && all_words(source, node))
        value->is = SN_ACCEPT_NAMES;
    else if ((a & SN_ACCEPT_MAPS) && all_of_kind(source, node, SN_NODE_MAP))
        value->is = SN_ACCEPT_MAPS;
    else if ((a & SN_ACCEPT_POINTS) && all_of_kind(source, node, SN_NODE_LIST))
        value->is = SN_ACCEPT_POINTS;
    else
        return fail_value(source, wrong, key);
    return SN_OK;
}

static bool read_number(const sni_node* node, const sni_key* key, sni_value* value) {
    unsigned a = key->accept;
    bool angle = takes_angle(key);
    if (!(a & (SN_ACCEPT_NUMBER | SN_ACCEPT_WHOLE)) && !angle) return false;
    if (!is_number(node, angle) || !in_range(node->number, key)) return false;
    bool whole = node->number == floor(node->number) && fabs(node->number) <= INT_MAX;
    if ((a & SN_ACCEPT_WHOLE) && !whole) return false;
    value->is = a & SN_ACCEPT_WHOLE ? SN_ACCEPT_WHOLE : SN_ACCEPT_NUMBER;
    if ((a & SN_ACCEPT_WHOLE) && key->range == SN_RANGE_POSITIVE && node->number < 1) return false;
    value->number[0] = node->number;
    value->count = 1;
    return true;
}

static bool find_word(const sni_key* key, sni_value* value) {
    if (!(key->accept & SN_ACCEPT_WORD)) return false;
    for (value->word = 0; word_of(key, value->word); value->word++)
        if (strcmp(word_of(key, value->word), value->text) == 0) return true;
    value->word = -1;
    return key->open;
}

static sn_status read_word(const sni_text_source* source, const sni_node* node, const sni_key* key,
                           sni_value* value) {
    unsigned a = key->accept;
    bool truth = node->word & (SN_WORD_TRUE | SN_WORD_FALSE);
    value->text = sni_node_text(source->yaml, node);
    if ((a & SN_ACCEPT_BOOL) && truth) {
        value->truth = node->word & SN_WORD_TRUE;
        value->is = SN_ACCEPT_BOOL;
        return SN_OK;
    }
    if (read_number(node, key, value)) return SN_OK;
    const unsigned other = SN_WORD_NUMBER | SN_WORD_EMPTY | SN_WORD_TOO_BIG;
    bool is_text = !truth && !(node->word & other) && node->count > 0;
    if (!is_text) return fail_value(source, node, key);
    if (find_word(key, value)) {
        value->is = SN_ACCEPT_WORD;
        return SN_OK;
    }
    if (a & SN_ACCEPT_TEXT) {
        value->is = SN_ACCEPT_TEXT;
        return SN_OK;
    }
    return a & SN_ACCEPT_WORD ? fail_word(source, node, key) : fail_value(source, node, key);
}

static sn_status read_value(const sni_text_source* source, const sni_node* node, const sni_key* key,
                            sni_value* value) {
    value->at = node;
    if (node->kind == SN_NODE_WORD) return read_word(source, node, key, value);
    if (node->kind == SN_NODE_LIST) return read_list(source, node, key, value);
    unsigned a = key->accept & (SN_ACCEPT_MAP | SN_ACCEPT_NAMED | SN_ACCEPT_JOINTS);
    if (!a) return fail_value(source, node, key);
    value->is = a;
    return SN_OK;
}

// ---- mappings ---------------------------------------------------------------------------------------

static int find_key(const sni_map* map, const char* name) {
    for (int k = 0; k < map->count; k++) {
        const sni_key* key = &map->key[k];
        if (key->name[0] == name[0] && strcmp(key->name, name) == 0)
            return sni_key_is_in(map, key) ? k : -1;
    }
    return -1;
}

static bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

/// Names of the keys of a group.
static void list_group(const sni_map* map, char group, char* out, size_t size) {
    out[0] = '\0';
    for (int k = 0; k < map->count; k++)
        if (map->key[k].group == group && sni_key_is_in(map, &map->key[k]))
            append(out, size, "%s%s", out[0] ? ", " : "", map->key[k].name);
}

/// Two keys of one group, or none where one is needed.
static sn_status check_group(const sni_text_source* source, const sni_node* node,
                             const sni_map* map, const sni_value* values, char group) {
    const sni_value* first = NULL;
    char names[256];
    for (int k = 0; k < map->count; k++) {
        if (map->key[k].group != group || !values[k].at) continue;
        if (first)
            return sni_node_fail(source, values[k].at, "'%s' and '%s' exclude each other; give one",
                                 map->key[first - values].name, map->key[k].name);
        first = &values[k];
    }
    if (first || !is_capital(group)) return SN_OK;
    list_group(map, group, names, sizeof names);
    return sni_node_fail(source, node, "%s needs one of %s", map->about, names);
}

static sn_status check_map(const sni_text_source* source, const sni_node* node, const sni_map* map,
                           const sni_value* values) {
    unsigned seen = 0; // letters of groups that were checked
    for (int k = 0; k < map->count; k++) {
        const sni_key* key = &map->key[k];
        if (!sni_key_is_in(map, key)) continue;
        if (key->required && !values[k].at)
            return sni_node_fail(source, node, "%s needs the key '%s': %s", map->about, key->name,
                                 key->about);
        if (key->needs && values[k].at) {
            int other = find_key(map, key->needs);
            if (!values[other].at)
                return sni_node_fail(source, values[k].at, "'%s' has no meaning without '%s'",
                                     key->name, key->needs);
        }
        unsigned bit = key->group ? 1u << (key->group & 31) : 0;
        if (!bit || (seen & bit)) continue;
        seen |= bit;
        sn_status status = check_group(source, node, map, values, key->group);
        if (status) return status;
    }
    return SN_OK;
}

sn_status sni_map_read(const sni_text_source* source, const sni_node* node, const sni_map* map,
                       sni_value* values) {
    memset(values, 0, (size_t)map->count * sizeof *values);
    if (node->kind != SN_NODE_MAP) {
        char found[96], allowed[400] = "";
        describe(source, node, found, sizeof found);
        append_keys(map, allowed, sizeof allowed);
        return sni_node_fail(source, node, "%s is a mapping of %s; not %s", map->about, allowed,
                             found);
    }
    const sni_node* at = sni_node_first(node);
    for (int i = 0; i < node->count; i++) {
        const sni_node *name = at, *value = sni_node_next(source->yaml, name);
        at = sni_node_next(source->yaml, value);
        if (name->kind != SN_NODE_WORD) return sni_node_fail(source, name, "a key must be a word");
        int k = find_key(map, sni_node_text(source->yaml, name));
        if (k < 0) return fail_key(source, name, map);
        if (values[k].at)
            return sni_node_fail(source, name, "'%s' is given twice; the first is in line %d",
                                 map->key[k].name, (int)values[k].at->line);
        sn_status status = read_value(source, value, &map->key[k], &values[k]);
        if (status) return status;
    }
    return check_map(source, node, map, values);
}

sn_status sni_numbers_read(const sni_text_source* source, const sni_node* node, const char* what,
                           int most, double* numbers, int* count, bool* degrees) {
    bool list = node->kind == SN_NODE_LIST;
    const sni_node* part = list ? sni_node_first(node) : node;
    *count = list ? node->count : 1;
    *degrees = false;
    if (node->kind == SN_NODE_MAP || *count > most || *count < 1)
        return sni_node_fail(source, node, "%s must be a number or a list of at most %d", what,
                             most);
    for (int k = 0; k < *count; k++) {
        if (!is_number(part, true))
            return sni_node_fail(source, part, "%s must be numbers; angles may be such as 30deg",
                                 what);
        *degrees = *degrees || (part->word & SN_WORD_DEGREES);
        numbers[k] = part->number;
        part = sni_node_next(source->yaml, part);
    }
    return SN_OK;
}
