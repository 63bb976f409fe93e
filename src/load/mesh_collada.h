// SPDX-License-Identifier: Apache-2.0
/// A Collada file in the middle of being read.
#ifndef SN_LOAD_MESH_COLLADA_H
#define SN_LOAD_MESH_COLLADA_H

#include "base/arena.h"
#include "base/name_map.h"
#include "load/mesh_formats.h"
#include "load/xml.h"

/// A list of numbers; values is NULL or to be freed with free.
typedef struct sni_collada_numbers {
    double* values;
    int32_t count;
} sni_collada_numbers;

/// A colour of the file, and how much of the surface has it.
typedef struct sni_collada_colour {
    double rgba[4], area;
} sni_collada_colour;

enum { SN_COLLADA_COLOURS = 32 };
enum { SN_COLLADA_STEP = 16 }; ///< effort of looking at one element

typedef struct sni_collada {
    sni_load* load; ///< for places and errors
    sni_arena arena;
    sni_name_map ids;
    const xmlNode** element; ///< by the number in ids
    size_t effort;           ///< spent so far, in about bytes of text
    sn_vec3 scale;           ///< applied last
    sni_triangles* mesh;
    const xmlNode*
        source; ///< of the positions below: geometries of several parts use one over and over
    sni_collada_numbers positions;
    sni_collada_colour colour[SN_COLLADA_COLOURS];
    int colour_count;
} sni_collada;

/// The element that "#id" names, when it is one of that name; otherwise an error at `from`.
sn_status sni_collada_find(const sni_collada* c, const xmlNode* from, const char* attribute,
                           const char* name, const xmlNode** element);
/// Counts what reading takes; SN_ERR_CAPACITY when a file makes it too much.
sn_status sni_collada_spend(sni_collada* c, const xmlNode* at, size_t effort);
/// The numbers that stand in an element.
sn_status sni_collada_read(sni_collada* c, const xmlNode* element, sni_collada_numbers* numbers);

/// Adds the triangles of <geometry>: x -> scale (R x + p), in which R may stretch and mirror. `instance`: what uses it
/// here and says which materials are meant; NULL: nothing does.
sn_status sni_collada_geometry(sni_collada* c, const xmlNode* geometry, const xmlNode* instance,
                               sn_pose X);
/// The colour of the triangles from `first` on, those of a primitive.
void sni_collada_paint(sni_collada* c, const xmlNode* instance, const xmlNode* primitive,
                       int32_t first);
/// The mesh gets the colour that most of its surface has.
void sni_collada_choose_colour(sni_collada* c);

#endif
