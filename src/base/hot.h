// SPDX-License-Identifier: Apache-2.0
/// Functions that run at haptic rate.
#ifndef SN_BASE_HOT_H
#define SN_BASE_HOT_H

#include <stdlib.h> // says which C library it is

/// All that such a function calls and the compiler sees becomes part of it; on x86 it is compiled twice, for any machine
/// and for AVX2 with FMA, and the loader takes the right one, so it has no address to compare. Not with sanitizers, which
/// run before the loader is done.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) &&       \
    defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SN_HOT __attribute__((flatten, target_clones("arch=x86-64-v3", "default")))
#else
#define SN_HOT
#endif

#endif
