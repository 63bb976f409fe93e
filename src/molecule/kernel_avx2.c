// SPDX-License-Identifier: Apache-2.0
// Pairs of atoms for AVX2 with FMA: the same source, compiled for it.
#include "molecule/field.h"

#if defined(__AVX2__) && defined(__FMA__)

#include "molecule/kernel.inc"

static bool works_here(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

const sni_field_kernel sni_field_kernel_avx2 = {works_here, "AVX2", make_list, single_pairs,
                                                double_pairs};

#else

static bool works_nowhere(void) { return false; }

const sni_field_kernel sni_field_kernel_avx2 = {.works = works_nowhere, .name = "AVX2"};

#endif
