// SPDX-License-Identifier: Apache-2.0
// The passes over a region for AVX2 with FMA: the same source, compiled for it.
#include "dynamics/tree_whole.h"

#if defined(__AVX2__) && defined(__FMA__)

static bool works_here(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

#include "dynamics/tree_passes.inc"

#include "dynamics/tree_climb.inc"
#include "dynamics/tree_whole.inc"

const sni_tree_kernel sni_tree_kernel_avx2 = {works_here,  tree_move,    tree_factor, tree_gather,
                                              tree_spread, tree_respond, tree_touch};
const sni_whole_kernel sni_whole_kernel_avx2 = {tree_assemble, tree_expand};

#else

static bool works_nowhere(void) { return false; }

const sni_tree_kernel sni_tree_kernel_avx2 = {.works = works_nowhere};
const sni_whole_kernel sni_whole_kernel_avx2 = {NULL, NULL};

#endif
