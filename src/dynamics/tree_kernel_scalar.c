// SPDX-License-Identifier: Apache-2.0
// The passes over a region for any machine.
#include "dynamics/tree_whole.h"

static bool works_everywhere(void) { return true; }

#include "dynamics/tree_passes.inc"

#include "dynamics/tree_climb.inc"
#include "dynamics/tree_whole.inc"

const sni_tree_kernel sni_tree_kernel_scalar = {
    works_everywhere, tree_move, tree_factor, tree_gather, tree_spread, tree_respond, tree_touch};
const sni_whole_kernel sni_whole_kernel_scalar = {tree_assemble, tree_expand};
