// SPDX-License-Identifier: Apache-2.0
// Sweeps and Newton steps for AVX2 with FMA: the same source, compiled for it.
#include "contact/judge.h"
#include "contact/system.h"

#if defined(__AVX2__) && defined(__FMA__)

static bool works_here(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

#include "contact/sweep.inc"

#include "contact/band.inc"

#include "contact/newton.inc"

#include "contact/factor.inc"

#include "contact/course.inc"

#include "contact/tell.inc"

const sni_contact_kernel sni_contact_kernel_avx2 = {works_here, fill_bodies, start_system, advance,
                                                    tell};

#else

static bool works_nowhere(void) { return false; }

const sni_contact_kernel sni_contact_kernel_avx2 = {.works = works_nowhere};

#endif
