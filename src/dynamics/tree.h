// SPDX-License-Identifier: Apache-2.0
/// The assembly tree: how a forest of bodies is put together from single bodies, two parts at a time,
/// in O(log n) levels whatever its shape.   [MR07; F99]
///
/// A node stands for a connected part of the system. At most two of its bodies have joints that leave
/// it: the topmost, u, and one lower body d on the heavy path. Where a body carries so many joints that
/// adding them one by one would be deep, it is split into pieces of equal shares that are welded
/// together again. Only the shape is kept here; it depends on the parents of the bodies alone and never
/// changes, so threads may share it.
#ifndef SN_DYNAMICS_TREE_H
#define SN_DYNAMICS_TREE_H

#include "base/arena.h"
#include "model/sn_model.h"

typedef enum sni_node_kind {
    SNI_NODE_LEAF, ///< a body, or a piece of one
    SNI_NODE_JOINT, ///< parts A and B connected by a joint: its parent body in A, its child body in B
    SNI_NODE_WELD,   ///< parts A and B that share the body u
    SNI_NODE_GROUND, ///< a whole tree B on its root joint; nothing leaves it, A is none
    SNI_NODE_FOREST  ///< parts A and B that do not touch
} sni_node_kind;

typedef struct sni_node {
    int32_t parent; ///< -1: the root of the assembly tree
    int32_t a, b;   ///< parts, -1: none
    int32_t body; ///< leaf: the body; joint, ground: the body whose joint this is; weld: u; else -1
    int32_t u;    ///< topmost body, -1: nothing leaves this node
    int32_t d;    ///< lower body, -1: none
    int32_t joints; ///< joints in this node and below, welds not counted
    uint8_t kind;   ///< sni_node_kind
} sni_node;

/// Nodes are in post-order: first all of A, then all of B, then the node that joins them. So children
/// come before parents, and the nodes below one are contiguous and end with it.
typedef struct sni_tree {
    sni_arena arena; ///< when created by sni_tree_create
    int32_t count;   ///< nodes; the root is the last
    int32_t depth;   ///< levels, the root's included
    sni_node* node;
    double* share;    // [count] leaf: part of its body's inertia, 1 unless split
    int32_t* leaf_of; // [body_count] the leaf, or the first piece, of a body
    int32_t* node_of; // [body_count] the node of a body's joint
} sni_tree;

/// Nodes that the tree of a model will have; 0 for a model without bodies. -1: no memory to count them,
/// or too many.
int32_t sni_tree_node_count(const sn_model* model);
/// Takes the arrays from the arena, sized for the model. Where the nodes cannot be counted the arena
/// overflows, so that it allocates nothing, and build fails.
void sni_tree_layout(sni_tree* tree, sni_arena* arena, const sn_model* model);
/// Builds the tree: heavy paths, cut by weighted bisection. O(n log n), at most 6 log2 n + 9 levels.
/// False: no memory for scratch.
bool sni_tree_build(sni_tree* tree, const sn_model* model);

/// A tree with memory of its own; NULL: no memory.
sni_tree* sni_tree_create(const sn_model* model);
void sni_tree_free(sni_tree* tree);

/// The lower body a joint node's part A is joined at: its d, or u when it has only one body to join at.
static inline int32_t sni_node_low(const sni_node* node) {
    return node->d >= 0 ? node->d : node->u;
}

#endif
