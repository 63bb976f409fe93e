// SPDX-License-Identifier: Apache-2.0
/// Memory that another library loses: between leaks_ignore(true) and leaks_ignore(false) the leak sanitizer,
/// where there is one, does not remember what is allocated.
#ifndef SINEW_TESTS_LEAKS_H
#define SINEW_TESTS_LEAKS_H

#include <stdbool.h>

void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

static inline void leaks_ignore(bool ignore) {
    if (ignore && __lsan_disable) __lsan_disable();
    if (!ignore && __lsan_enable) __lsan_enable();
}

#endif
