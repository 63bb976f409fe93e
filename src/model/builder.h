// SPDX-License-Identifier: Apache-2.0
/// The list of definitions a model is compiled from, with its own copy of all they point to.
#ifndef SN_MODEL_BUILDER_H
#define SN_MODEL_BUILDER_H

#include "sinew/model.h"

typedef struct sni_text_block sni_text_block;

/// Two bodies that never touch.
typedef struct sni_exclusion_def {
    const char *a, *b; ///< NULL: the world
    sn_place place;
} sni_exclusion_def;

struct sn_model_builder {
    sni_text_block* text; ///< strings and corners of shapes, in blocks that never move
    const char* name;
    sn_body_def* bodies;
    size_t body_count, body_capacity;
    sn_shape_def* shapes;
    size_t shape_count, shape_capacity;
    sn_loop_def* loops;
    size_t loop_count, loop_capacity;
    sni_exclusion_def* exclusions;
    size_t exclusion_count, exclusion_capacity;
};

#endif
