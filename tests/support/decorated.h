// SPDX-License-Identifier: Apache-2.0
/// A random model with everything a model can have.
#ifndef SINEW_TESTS_DECORATED_H
#define SINEW_TESTS_DECORATED_H

#include "support/random_state.h"

/// Frames, shapes, surfaces, loops and exclusions in random places, and every constant a joint can have. Loops
/// need not be closed.
sn_model* test_decorated_model(uint64_t seed);

#endif
