// SPDX-License-Identifier: Apache-2.0
/// Parts of sn_hull_compute: points that fill a volume, and points that lie in a plane.
#ifndef SN_LOAD_HULL_H
#define SN_LOAD_HULL_H

#include "base/error.h"
#include "sinew/load.h"

/// Corners of a hull as indices of points, and triangles whose corners count those.
typedef struct sni_hull_faces {
    int32_t* corner; ///< [corner_count] points, ascending
    int32_t corner_count;
    int32_t* triangle; ///< [3 triangle_count]
    int32_t triangle_count;
} sni_hull_faces;

void sni_hull_faces_clear(sni_hull_faces* faces);
/// Room for so many corners and triangles; false without memory.
bool sni_hull_faces_allocate(sni_hull_faces* faces, int32_t corners, int32_t triangles);

/// Hull of points that are not in one plane, centred and of size one.
sn_status sni_hull_solid(const sn_vec3* points, int32_t count, sni_hull_faces* faces,
                         sn_error* error);
/// Both sides of the polygon around points of the plane with the unit axes u and w, centred and of size
/// one; u x w is the normal of the front.
sn_status sni_hull_flat(const sn_vec3* points, int32_t count, sn_vec3 u, sn_vec3 w,
                        sni_hull_faces* faces, sn_error* error);

#endif
