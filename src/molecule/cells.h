// SPDX-License-Identifier: Apache-2.0
/// Which points are near a place: cubic cells in a hash table. Building and asking take time in proportion to the
/// points and to what is found.
#ifndef SN_MOLECULE_CELLS_H
#define SN_MOLECULE_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "sinew/math.h"

typedef struct sni_cells {
    double size;   ///< edge of a cell, nm: the largest radius that can be asked for
    sn_vec3* p;    ///< [room]
    int32_t* tag;  ///< [room] what the caller calls each point
    int32_t* next; ///< [room] the next point with the same hash; -1: none
    int32_t* head; ///< [slots]
    uint32_t slots;
    int32_t count;
} sni_cells;

/// Room for so many points. False without memory; sni_cells_free afterwards in any case.
bool sni_cells_create(sni_cells* cells, int32_t room, double size);
void sni_cells_free(sni_cells* cells);
void sni_cells_add(sni_cells* cells, sn_vec3 p, int32_t tag);

/// Tags of points within `radius` of p, at most `most` of them; how many. Where thousands of points share a place, those
/// beyond a fixed number are not looked at.
int32_t sni_cells_near(const sni_cells* cells, sn_vec3 p, double radius, int32_t most,
                       int32_t* tags);

#endif
