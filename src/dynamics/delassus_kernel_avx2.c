// SPDX-License-Identifier: Apache-2.0
// The Delassus operator for AVX2 with FMA: the same source, compiled for it.
#include "dynamics/delassus_kernel.h"

#if defined(__AVX2__) && defined(__FMA__)

#include "dynamics/delassus_passes.inc"

#include "dynamics/delassus_joints.inc"

#include "dynamics/delassus_project.inc"

static bool works_here(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

const sni_delassus_kernel sni_delassus_kernel_avx2 = {
    .works = works_here,
    .compressed = compressed,
    .per_body = per_body,
    .chang_khatib = chang_khatib,
    .mixed = mixed,
    .load = load,
    .respond = respond,
    .project = project,
};

#else

static bool works_nowhere(void) { return false; }

const sni_delassus_kernel sni_delassus_kernel_avx2 = {.works = works_nowhere};

#endif
