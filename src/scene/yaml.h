// SPDX-License-Identifier: Apache-2.0
/// A YAML text as a tree of nodes that know their line and column.
///
/// Nodes lie in one array in the order of the text: a node's parts follow it, up to its `end`, so a tree of
/// a million nodes is one block. Of YAML there is what data needs: mappings, lists, plain and quoted words.
/// Anchors, aliases, tags and several documents are refused, and so is what is too deep or too large.
#ifndef SN_SCENE_YAML_H
#define SN_SCENE_YAML_H

#include <stdint.h>

#include "base/error.h"

typedef enum sni_node_kind { SN_NODE_WORD, SN_NODE_LIST, SN_NODE_MAP } sni_node_kind;

/// What a word is.
enum {
    SN_WORD_PLAIN = 1,   ///< without quotes
    SN_WORD_NUMBER = 2,  ///< plain, and a number
    SN_WORD_DEGREES = 4, ///< a number with "deg" behind it, quoted or not; `number` is in radians
    SN_WORD_TRUE = 8,    ///< plain
    SN_WORD_FALSE = 16,
    SN_WORD_EMPTY = 32,  ///< plain: nothing, ~ or null
    SN_WORD_TOO_BIG = 64 ///< would be a number but does not fit a double
};

typedef struct sni_node {
    uint8_t kind; ///< sni_node_kind
    uint8_t word; ///< bits of SN_WORD_...
    int32_t line, column;
    int32_t end;   ///< the node after this one and its parts
    int32_t count; ///< parts: elements of a list, pairs of a mapping; characters of a word
    size_t text;   ///< place in sni_yaml.text
    double number;
} sni_node;

typedef struct sni_yaml {
    sni_node* node; ///< node[0] is the document
    int32_t count, capacity;
    char* text; ///< all words, each with a NUL
    size_t text_length, text_capacity;
} sni_yaml;

enum { SN_YAML_DEPTH = 32 };
#define SN_YAML_LIMIT ((size_t)64 << 20) ///< bytes

/// Reads a text. `file` stands in messages. Free also after an error.
sn_status sni_yaml_read(sni_yaml* yaml, const char* text, size_t length, const char* file,
                        sn_error* error);
void sni_yaml_free(sni_yaml* yaml);

static inline const char* sni_node_text(const sni_yaml* yaml, const sni_node* node) {
    return node->kind == SN_NODE_WORD ? yaml->text + node->text : "";
}
/// The first part of a list or mapping, and the one after a part: keys and values take turns in a mapping.
static inline const sni_node* sni_node_first(const sni_node* node) { return node + 1; }
static inline const sni_node* sni_node_next(const sni_yaml* yaml, const sni_node* part) {
    return yaml->node + part->end;
}

#endif
