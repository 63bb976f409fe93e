// SPDX-License-Identifier: Apache-2.0
#include "scene/yaml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "load/sn_load.h"

typedef struct builder {
    sni_yaml* yaml;
    const char *text, *file;
    sn_error* error;
    int32_t open[SN_YAML_DEPTH]; ///< nodes whose parts are being read
    int depth;
    bool done; ///< the document has ended
} builder;

static sn_place place_of(const builder* b, yaml_mark_t mark) {
    return (sn_place){b->file, (int)mark.line + 1, (int)mark.column + 1};
}

static sn_status no_memory(const builder* b) {
    return sni_fail(b->error, SN_ERR_MEMORY, (sn_place){b->file, 0, 0},
                    "not enough memory to read the file");
}

// ---- words ------------------------------------------------------------------------------------------

static bool is(const char* text, const char* word) { return strcmp(text, word) == 0; }

static void read_number(sni_node* node, const char* text, size_t length, bool plain) {
    static const char DEGREES[] = "deg";
    const size_t tail = sizeof DEGREES - 1;
    bool degrees = length > tail && is(text + length - tail, DEGREES);
    if (!plain && !degrees) return;
    double number;
    sni_number_result result = sni_number_read(text, length - (degrees ? tail : 0), &number);
    if (result == SN_NUMBER_TOO_BIG) node->word |= SN_WORD_TOO_BIG;
    if (result != SN_NUMBER_OK) return;
    node->word |= degrees ? SN_WORD_DEGREES : SN_WORD_NUMBER;
    node->number = degrees ? number * acos(-1) / 180 : number;
}

/// Says what a word is; inside a number scope.
static void classify(sni_node* node, const char* text, size_t length, bool plain) {
    node->word = plain ? SN_WORD_PLAIN : 0;
    char first = text[0];
    bool numeric = (first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.';
    if (numeric)
        read_number(node, text, length, plain);
    else if (plain && (length == 0 || is(text, "~") || is(text, "null")))
        node->word |= SN_WORD_EMPTY;
    else if (plain && is(text, "true"))
        node->word |= SN_WORD_TRUE;
    else if (plain && is(text, "false"))
        node->word |= SN_WORD_FALSE;
}

// ---- nodes ------------------------------------------------------------------------------------------

static sni_node* add_node(builder* b, sni_node_kind kind, yaml_mark_t mark) {
    sni_yaml* yaml = b->yaml;
    if (yaml->count == yaml->capacity) {
        int32_t capacity = yaml->capacity ? 2 * yaml->capacity : 256;
        sni_node* larger = realloc(yaml->node, (size_t)capacity * sizeof *larger);
        if (!larger) return NULL;
        yaml->node = larger;
        yaml->capacity = capacity;
    }
    if (b->depth > 0) yaml->node[b->open[b->depth - 1]].count += 1;
    sni_node* node = &yaml->node[yaml->count++];
    *node = (sni_node){.kind = (uint8_t)kind,
                       .line = (int32_t)mark.line + 1,
                       .column = (int32_t)mark.column + 1,
                       .end = yaml->count};
    return node;
}

static sn_status add_word(builder* b, const char* text, size_t length, bool plain,
                          yaml_mark_t mark) {
    sni_yaml* yaml = b->yaml;
    if (memchr(text, '\0', length))
        return sni_fail(b->error, SN_ERR_FORMAT, place_of(b, mark), "a zero byte in a text");
    size_t needed = yaml->text_length + length + 1;
    if (needed > yaml->text_capacity) {
        size_t capacity = yaml->text_capacity ? yaml->text_capacity : 4096;
        while (capacity < needed) capacity *= 2;
        char* larger = realloc(yaml->text, capacity);
        if (!larger) return no_memory(b);
        yaml->text = larger;
        yaml->text_capacity = capacity;
    }
    sni_node* node = add_node(b, SN_NODE_WORD, mark);
    if (!node) return no_memory(b);
    char* copy = yaml->text + yaml->text_length;
    memcpy(copy, text, length);
    copy[length] = '\0';
    node->text = yaml->text_length;
    node->count = (int32_t)length;
    yaml->text_length = needed;
    classify(node, copy, length, plain);
    return SN_OK;
}

static sn_status open_node(builder* b, sni_node_kind kind, yaml_mark_t mark) {
    if (b->depth == SN_YAML_DEPTH)
        return sni_fail(b->error, SN_ERR_FORMAT, place_of(b, mark),
                        "lists and mappings are nested deeper than %d levels", SN_YAML_DEPTH);
    if (!add_node(b, kind, mark)) return no_memory(b);
    b->open[b->depth++] = b->yaml->count - 1;
    return SN_OK;
}

static void close_node(builder* b) {
    sni_node* node = &b->yaml->node[b->open[--b->depth]];
    node->end = b->yaml->count;
    if (node->kind == SN_NODE_MAP) node->count /= 2;
}

// ---- events -----------------------------------------------------------------------------------------

static sn_status refuse(const builder* b, const yaml_event_t* event, const char* what) {
    return sni_fail(b->error, SN_ERR_FORMAT, place_of(b, event->start_mark), "%s", what);
}

static const char NO_ANCHORS[] = "anchors and aliases (& and *) have no meaning here; write it out";
static const char NO_TAGS[] = "tags (!) have no meaning here; leave it out";

static sn_status take_event(builder* b, const yaml_event_t* event) {
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        if (event->data.scalar.anchor) return refuse(b, event, NO_ANCHORS);
        if (event->data.scalar.tag) return refuse(b, event, NO_TAGS);
        return add_word(b, (const char*)event->data.scalar.value, event->data.scalar.length,
                        event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE, event->start_mark);
    case YAML_SEQUENCE_START_EVENT:
        if (event->data.sequence_start.anchor) return refuse(b, event, NO_ANCHORS);
        if (event->data.sequence_start.tag) return refuse(b, event, NO_TAGS);
        return open_node(b, SN_NODE_LIST, event->start_mark);
    case YAML_MAPPING_START_EVENT:
        if (event->data.mapping_start.anchor) return refuse(b, event, NO_ANCHORS);
        if (event->data.mapping_start.tag) return refuse(b, event, NO_TAGS);
        return open_node(b, SN_NODE_MAP, event->start_mark);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: close_node(b); return SN_OK;
    case YAML_ALIAS_EVENT: return refuse(b, event, NO_ANCHORS);
    case YAML_DOCUMENT_START_EVENT:
        if (b->yaml->count == 0) return SN_OK;
        return refuse(b, event, "a second document (---) begins here; give one document");
    case YAML_STREAM_END_EVENT: b->done = true; return SN_OK;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_DOCUMENT_END_EVENT: break;
    }
    return SN_OK;
}

/// Place of a byte, columns in bytes: the parser reads ahead before it counts.
static sn_place place_of_byte(const builder* b, size_t offset) {
    sn_place place = {b->file, 1, 1};
    for (size_t i = 0; i < offset; i++) {
        bool new_line = b->text[i] == '\n';
        place.line += new_line;
        place.column = new_line ? 1 : place.column + 1;
    }
    return place;
}

static sn_status fail_syntax(const builder* b, const yaml_parser_t* parser) {
    if (parser->error == YAML_MEMORY_ERROR) return no_memory(b);
    const char* problem = parser->problem ? parser->problem : "not YAML";
    sn_place place = place_of(b, parser->problem_mark);
    if (parser->error == YAML_READER_ERROR) place = place_of_byte(b, parser->problem_offset);
    if (!parser->context)
        return sni_fail(b->error, SN_ERR_FORMAT, place, "this is not YAML: %s", problem);
    return sni_fail(b->error, SN_ERR_FORMAT, place, "this is not YAML: %s, %s in line %d", problem,
                    parser->context, (int)parser->context_mark.line + 1);
}

static sn_status take_events(builder* b, yaml_parser_t* parser) {
    sn_status status = SN_OK;
    while (!status && !b->done) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) return fail_syntax(b, parser);
        status = take_event(b, &event);
        yaml_event_delete(&event);
    }
    return status;
}

sn_status sni_yaml_read(sni_yaml* yaml, const char* text, size_t length, const char* file,
                        sn_error* error) {
    builder b = {.yaml = yaml, .text = text, .file = file, .error = error};
    if (length > SN_YAML_LIMIT)
        return sni_fail(error, SN_ERR_FILE, (sn_place){file, 0, 0},
                        "larger than 64 MB; is it the right file?");
    sni_number_scope scope;
    yaml_parser_t parser;
    if (!sni_number_scope_begin(&scope)) return no_memory(&b);
    if (!yaml_parser_initialize(&parser)) {
        sni_number_scope_end(&scope);
        return no_memory(&b);
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char*)text, length);
    sn_status status = take_events(&b, &parser);
    yaml_parser_delete(&parser);
    sni_number_scope_end(&scope);
    if (!status && yaml->count == 0)
        status = sni_fail(error, SN_ERR_FORMAT, (sn_place){file, 0, 0}, "the file is empty");
    return status;
}

void sni_yaml_free(sni_yaml* yaml) {
    free(yaml->node);
    free(yaml->text);
    *yaml = (sni_yaml){0};
}
