// SPDX-License-Identifier: Apache-2.0
/// Where the nodes of an assembly tree are drawn, and which: bodies side by side along the bottom, the
/// node that joins two parts above them, one row a level. Of a large tree only the upper levels are
/// shown, with the way down to a chosen body and to joints that are active.
#ifndef SINEW_APP_TREE_LAYOUT_H
#define SINEW_APP_TREE_LAYOUT_H

#include <stdbool.h>

#include "sinew/dynamics.h"

/// What is drawn of a node.
typedef struct tree_mark {
    sn_tree_node node;
    int id;       ///< in the assembly tree
    int parent;   ///< mark of the parent, -1: root
    int level;    ///< 0: root
    bool bottom;  ///< nothing is drawn below it
    bool cut;     ///< more is below it, and left out
    bool up;      ///< in the up-region of the chosen body
    bool sibling; ///< in the extended region only
    bool active;  ///< as in node, but for a joint that is locked by hand false
    double x;     ///< bottom ones 0.5, 1.5, ...; others between their parts
} tree_mark;

typedef struct tree_layout {
    tree_mark* marks; ///< parents before their parts, parts a before b
    int count;
    int width;     ///< marks at the bottom
    int levels;    ///< drawn
    int left_out;  ///< nodes of the tree that are not drawn
    int all_above; ///< every node of levels below this number is drawn
    int up_count, sibling_count;
} tree_layout;

/// `body` i = -1: none chosen. `region`: the dynamics is adaptive and has active joints.
tree_layout tree_layout_make(const sn_dynamics* dynamics, sn_body_id body, bool region);
/// Whether the node's joint may accelerate; of nodes without a joint, what the node says.
bool tree_node_active(const sn_dynamics* dynamics, const sn_tree_node* node);
void tree_layout_free(tree_layout* layout);

#endif
