// SPDX-License-Identifier: Apache-2.0
/// Tables of keys: what a mapping of a scene file may hold. One table per kind of mapping drives the reader, its
/// messages, the JSON schema and the reference in docs/scenes.md, so these cannot differ.
#ifndef SN_SCENE_KEYS_H
#define SN_SCENE_KEYS_H

#include "scene/yaml.h"
#include "sinew/model.h"

typedef struct sni_map sni_map;

/// What a value may be; several bits: any of these.
typedef enum sni_accept {
    SN_ACCEPT_TEXT = 1,
    SN_ACCEPT_BOOL = 2, ///< true or false
    SN_ACCEPT_NUMBER = 4,
    SN_ACCEPT_ANGLE = 8,     ///< a number in rad, or 30deg; with NUMBERS: a list of them
    SN_ACCEPT_WHOLE = 16,    ///< a whole number
    SN_ACCEPT_WORD = 32,     ///< one of `words`
    SN_ACCEPT_NUMBERS = 64,  ///< a list of `least` to `most` numbers
    SN_ACCEPT_NAMES = 128,   ///< a list of texts
    SN_ACCEPT_MAP = 256,     ///< a mapping, see `map`
    SN_ACCEPT_MAPS = 512,    ///< a list of such mappings
    SN_ACCEPT_NAMED = 1024,  ///< a mapping of free names to such mappings
    SN_ACCEPT_JOINTS = 2048, ///< a mapping of names of joints to their numbers: one, or a list
    SN_ACCEPT_POINTS = 4096  ///< a list of points [x, y, z]
} sni_accept;

typedef enum sni_range {
    SN_RANGE_ANY,
    SN_RANGE_POSITIVE, ///< above 0; whole numbers: at least 1
    SN_RANGE_LEAST_0,  ///< 0 or more
    SN_RANGE_0_TO_1
} sni_range;

/// One key.
typedef struct sni_key {
    const char* name;
    const char* about;        ///< what it means, for people
    const char* unit;         ///< NULL: none
    unsigned accept;          ///< sni_accept bits
    sni_range range;          ///< of its numbers
    int least, most;          ///< NUMBERS: how many; 0: 3
    const char* const* words; ///< WORD: ends with NULL
    const char* (*word)(int); ///< WORD: the i-th, NULL past the last; instead of `words`
    bool open;                ///< WORD: plugins may bring others
    const sni_map* map;       ///< of MAP, MAPS, NAMED
    char group; ///< of keys with the same letter at most one may be given; a capital: exactly one
    const char* needs; ///< a key that must be there besides, NULL: none
    bool required;
    unsigned used; ///< by which kinds of mapping, where several share a table; 0: all
} sni_key;

/// One kind of mapping.
struct sni_map {
    const char* name;  ///< in the schema: "object"
    const char* about; ///< "an object"
    const sni_key* key;
    int count;
    unsigned use; ///< bit of sni_key.used
};

static inline bool sni_key_is_in(const sni_map* map, const sni_key* key) {
    return !key->used || (key->used & map->use);
}

enum { SN_VALUE_NUMBERS = SN_JOINT_MAX_NQ };

/// What a key was given. A mapping is read into one of these per key of its table.
typedef struct sni_value {
    const sni_node* at;              ///< NULL: not given; a list or mapping is here to be read on
    unsigned is;                     ///< the sni_accept bit that it is
    int count;                       ///< numbers
    double number[SN_VALUE_NUMBERS]; ///< also of a whole number
    const char* text;
    int word; ///< which of the words; -1: another one, where that is open
    bool truth;
} sni_value;

/// A read in progress.
typedef struct sni_text_source {
    const sni_yaml* yaml;
    const char* file;
    sn_error* error;
} sni_text_source;

sn_place sni_node_place(const sni_text_source* source, const sni_node* node);
/// Fails at a node; SN_ERR_FORMAT.
sn_status sni_node_fail(const sni_text_source* source, const sni_node* node, const char* format,
                        ...) SN_PRINTF(3, 4);

/// Reads a mapping into map->count values, as its table says.
sn_status sni_map_read(const sni_text_source* source, const sni_node* node, const sni_map* map,
                       sni_value* values);

/// Numbers of a joint: one, or a list of at most `most`; angles may be in degrees. *degrees: one was.
sn_status sni_numbers_read(const sni_text_source* source, const sni_node* node, const char* what,
                           int most, double* numbers, int* count, bool* degrees);

/// "true or false, or a mapping of mu, height": what a key may be given.
void sni_key_expects(const sni_key* key, char* out, size_t size);

static inline double sni_number_or(const sni_value* value, double otherwise) {
    return value->at ? value->number[0] : otherwise;
}
static inline bool sni_truth_or(const sni_value* value, bool otherwise) {
    return value->at ? value->truth : otherwise;
}
static inline const char* sni_text_or(const sni_value* value, const char* otherwise) {
    return value->at ? value->text : otherwise;
}
static inline sn_vec3 sni_vec3_or(const sni_value* value, sn_vec3 otherwise) {
    const double* n = value->number;
    return value->at ? sn_vec3_make(n[0], n[1], n[2]) : otherwise;
}

#endif
