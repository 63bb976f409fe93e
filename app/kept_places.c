// SPDX-License-Identifier: Apache-2.0
#include "kept_places.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "message.h"

const sn_vec3* kept_places_take(kept_places* kept, const export_atoms* atoms) {
    bool gone = false;
    if (!kept->p) kept->p = memory_take((size_t)atoms->count, sizeof *kept->p);
    for (int i = 0; i < atoms->count; i++) {
        bool there = isfinite(atoms->p[i].x + atoms->p[i].y + atoms->p[i].z);
        if (there) kept->p[i] = atoms->p[i];
        gone = gone || !there;
    }
    if (gone && !kept->told)
        message_note("a molecule is not there all the time; this format keeps it where it was "
                     "last, at first at the origin. HDF5 can tell");
    kept->told = kept->told || gone;
    return kept->p;
}

void kept_places_free(kept_places* kept) { free(kept->p); }
