// SPDX-License-Identifier: Apache-2.0
/// An assembly tree as SVG. Kinds of nodes are told apart by shape and colour, regions by thick and
/// dashed outlines, rigid parts by hatching: nothing is said by colour alone.
#ifndef SINEW_APP_SVG_TREE_H
#define SINEW_APP_SVG_TREE_H

#include <stdio.h>

#include "tree_layout.h"

enum { TREE_LINES_MOST = 4 };

typedef struct tree_picture {
    const tree_layout* layout;
    const sn_model* model;
    const char* title;
    const char* lines[TREE_LINES_MOST]; ///< below the title, NULL: no more
    sn_body_id body;                    ///< chosen, i = -1: none
    bool region;                        ///< shade what is active and what is rigid
} tree_picture;

void svg_tree_write(const tree_picture* picture, FILE* out);

#endif
