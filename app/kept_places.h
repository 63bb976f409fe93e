// SPDX-License-Identifier: Apache-2.0
/// Where atoms are, for files that cannot say that a molecule is gone: it stays where it was last.
#ifndef SINEW_APP_KEPT_PLACES_H
#define SINEW_APP_KEPT_PLACES_H

#include "export.h"

/// Start from {0}.
typedef struct kept_places {
    sn_vec3* p;
    bool told; ///< that something is gone
} kept_places;

/// nm, of all atoms; valid until the next.
const sn_vec3* kept_places_take(kept_places* kept, const export_atoms* atoms);
void kept_places_free(kept_places* kept);

#endif
