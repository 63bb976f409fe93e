// SPDX-License-Identifier: Apache-2.0
#include "dynamics/tree.h"

#include <stdlib.h>

sni_tree* sni_tree_create(const sn_model* model) {
    sni_tree* tree = calloc(1, sizeof *tree);
    if (!tree) return NULL;
    sni_arena arena = {0};
    sni_tree_layout(tree, &arena, model);
    if (!sni_arena_allocate(&arena)) {
        free(tree);
        return NULL;
    }
    sni_tree_layout(tree, &arena, model);
    tree->arena = arena;
    if (!sni_tree_build(tree, model)) {
        sni_tree_free(tree);
        return NULL;
    }
    return tree;
}

void sni_tree_free(sni_tree* tree) {
    if (!tree) return;
    sni_arena_free(&tree->arena);
    free(tree);
}
