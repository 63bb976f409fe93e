// SPDX-License-Identifier: Apache-2.0
/// Collision solids of random shape and size, and what is true of them, computed in long double without the library:
/// what lies farthest in a direction, how far out a point is.
#ifndef SINEW_TESTS_SOLIDS_H
#define SINEW_TESTS_SOLIDS_H

#include "collision/solid.h"
#include "support/check.h"
#include "support/random_state.h"

enum { SOLID_TYPES = 5 };
/// Convex types: no plane, no mesh.
extern const sn_shape_type solid_types[SOLID_TYPES];
const char* solid_type_name(sn_shape_type type);

typedef struct test_solid {
    sni_solid solid;
    sni_hull* hull;     ///< owned
    sn_vec3 corner[64]; ///< of boxes and hulls
    int corner_count;
    int triangle[128][3]; ///< of hulls, as given
    int triangle_count;
} test_solid;

/// Sizes of order `size`. Free with solid_free.
test_solid* solid_random(test_rng* rng, sn_shape_type type, double size);
test_solid* solid_make(sn_shape_type type, sn_vec3 half);
/// Corners and triangles: copied.
test_solid* solid_hull(const sn_vec3* corner, int corners, const int (*triangle)[3], int triangles);
/// A prism over a regular polygon, along z.
test_solid* solid_prism(int sides, double radius, double half_length);
void solid_free(test_solid* s);

typedef struct long3 {
    long double x, y, z;
} long3;

long3 long3_of(sn_vec3 v);
long double long3_dot(long3 a, long3 b);
long3 long3_cross(long3 a, long3 b);
long3 long3_unit(long3 a);

/// Farthest extent of the solid along the world direction d, radii included.
long double solid_reach(const test_solid* s, const sn_pose* X, long3 d);
/// How far apart two solids are along the unit vector n, from b to a.
long double solids_apart(const test_solid* a, const sn_pose* X_a, const test_solid* b,
                         const sn_pose* X_b, long3 n);
/// How far the point lies outside the surface, at least; negative: inside.
long double solid_outside(const test_solid* s, const sn_pose* X, sn_vec3 x);

#endif
