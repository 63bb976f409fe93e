// SPDX-License-Identifier: Apache-2.0
// A triangle as a flat hull.
#include "collision/solid.h"

// The same for all triangles: two faces, each corner joined to the two others.
static const int32_t FACE[3] = {0, 3, 6};
static const int32_t CORNER[6] = {0, 1, 2, 2, 1, 0};
static const int32_t TWO_EACH[4] = {0, 2, 4, 6};
static const int32_t NEXT[6] = {1, 2, 2, 0, 0, 1};
static const int32_t AROUND[6] = {0, 1, 0, 1, 0, 1};

void sni_triangle_set(sni_triangle* triangle, sn_vec3 p, sn_vec3 q, sn_vec3 r) {
    sn_vec3 n = sn_vec3_cross(sn_vec3_sub(q, p), sn_vec3_sub(r, p));
    n = sn_vec3_scale(1 / sn_vec3_norm(n), n);
    double offset = sn_vec3_dot(n, p);
    triangle->vertex[0] = p;
    triangle->vertex[1] = q;
    triangle->vertex[2] = r;
    triangle->normal[0] = n;
    triangle->normal[1] = sn_vec3_neg(n);
    triangle->offset[0] = offset;
    triangle->offset[1] = -offset;
    triangle->hull = (sni_hull){
        3,        2,    triangle->vertex, FACE,  CORNER, triangle->normal, triangle->offset,
        TWO_EACH, NEXT, TWO_EACH,         AROUND};
    triangle->solid = (sni_solid){.type = SN_SHAPE_HULL, .hull = &triangle->hull};
    double square = fmax(sn_vec3_dot(p, p), fmax(sn_vec3_dot(q, q), sn_vec3_dot(r, r)));
    triangle->solid.radius = sqrt(square);
}
