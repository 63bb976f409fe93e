// SPDX-License-Identifier: Apache-2.0
/// Meshes whose shape is known otherwise too: floors, boxes, balls, heaps of triangles.
#ifndef SINEW_TESTS_MESHES_H
#define SINEW_TESTS_MESHES_H

#include "collision/mesh.h"
#include "support/random_state.h"

typedef struct test_mesh {
    sn_shape_info shape; ///< vertices and triangles are owned
    sni_mesh* mesh;
    sni_solid solid;
} test_mesh;

void test_mesh_free(test_mesh* m);

/// The square |x|, |y| <= half of the plane z = 0 in n x n cells of two triangles; inner corners are moved about
/// within the plane, and diagonals are at random.
test_mesh test_mesh_floor(test_rng* rng, double half, int n);
/// A closed box, each side in n x n cells. Corners are not shared between triangles, as in an STL file.
test_mesh test_mesh_box(sn_vec3 half, int n);
/// An octahedron refined n times and blown up to a ball; its corners are at the radius.
test_mesh test_mesh_ball(double radius, int n);
/// Triangles anywhere within `size`, some without area.
test_mesh test_mesh_heap(test_rng* rng, double size, int triangles);
/// Any triangles, three corners each. Takes the arrays over.
test_mesh test_mesh_take(sn_vec3* vertices, int32_t vertex_count, int32_t* triangles,
                         int32_t triangle_count);

#endif
