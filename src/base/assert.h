// SPDX-License-Identifier: Apache-2.0
/// SN_ASSERT states what only our own bug can break. On in debug builds (NDEBUG not defined).
#ifndef SN_BASE_ASSERT_H
#define SN_BASE_ASSERT_H

#include <assert.h>

#define SN_ASSERT(condition) assert(condition)

#endif
