// SPDX-License-Identifier: Apache-2.0
// Hulls out of triangles.
#include "collision/solid.h"

#include <math.h>
#include <string.h>

#include "collision/support.h"
#include "support/solids.h"

// Over the size: what is in one plane.
#define TOL_PLANE 2e-9

static double size_of(const test_solid* s) { return 2 * s->solid.radius; }

/// Faces are planar, convex, counter-clockwise, with everything behind them; edges lead to and fro.
static void check_hull(const test_solid* s, uint64_t seed) {
    const sni_hull* h = s->hull;
    int edges = 0;
    for (int f = 0; f < h->face_count; f++) {
        CHECK_NEAR(sn_vec3_norm(h->normal[f]), 1, 1e-12, seed);
        int first = h->face[f], count = h->face[f + 1] - first;
        CHECK(count >= 3, seed);
        for (int k = 0; k < h->vertex_count; k++)
            CHECK(sn_vec3_dot(h->normal[f], h->vertex[k]) - h->offset[f] <= TOL_PLANE * size_of(s),
                  seed);
        for (int k = 0; k < count; k++) {
            sn_vec3 p = h->vertex[h->corner[first + k]];
            sn_vec3 q = h->vertex[h->corner[first + (k + 1) % count]];
            sn_vec3 r = h->vertex[h->corner[first + (k + 2) % count]];
            CHECK_NEAR(sn_vec3_dot(h->normal[f], p), h->offset[f], TOL_PLANE * size_of(s), seed);
            sn_vec3 turn = sn_vec3_cross(sn_vec3_sub(q, p), sn_vec3_sub(r, q));
            CHECK(sn_vec3_dot(turn, h->normal[f]) > 0, seed);
        }
        edges += count;
    }
    CHECK(h->next && h->neighbour[h->vertex_count] == edges, seed); // each edge is in two faces
    CHECK(h->vertex_count - edges / 2 + h->face_count == 2, seed);  // Euler
    CHECK(h->meeting[h->vertex_count] == edges, seed);
    for (int v = 0; v < h->vertex_count; v++)
        for (int k = h->meeting[v]; k < h->meeting[v + 1]; k++) {
            bool has = false;
            for (int c = h->face[h->around[k]]; c < h->face[h->around[k] + 1]; c++)
                has = has || h->corner[c] == v;
            CHECK(has, seed);
        }
}

static void random_hulls_are_closed_and_convex(void** state) {
    (void)state;
    for (int k = 0; k < 300; k++) {
        uint64_t seed = test_case_seed(31, (uint64_t)k);
        test_rng rng = test_rng_make(seed);
        test_solid* s = solid_random(&rng, SN_SHAPE_HULL, pow(10, test_uniform(&rng, -3, 3)));
        check_hull(s, seed);
        solid_free(s);
    }
}

static void triangles_of_a_plane_become_a_face(void** state) {
    (void)state;
    for (int sides = 3; sides <= 12; sides++) {
        test_solid* s = solid_prism(sides, 0.7, 0.4);
        assert_int_equal(s->hull->face_count, sides + 2);
        assert_int_equal(s->hull->vertex_count, 2 * sides);
        check_hull(s, 0);
        solid_free(s);
    }
}

/// The unit cube with a corner in the middle of a face and of an edge, a corner twice, one that is not used, triangles
/// without area.
static void what_adds_nothing_is_left_out(void** state) {
    (void)state;
    sn_vec3 x[12];
    for (int k = 0; k < 8; k++) x[k] = sn_vec3_make(k & 1, k >> 1 & 1, k >> 2 & 1);
    x[8] = sn_vec3_make(0.5, 0.5, 1); // middle of the top
    x[9] = sn_vec3_make(0.5, 0, 1);   // of an edge of the top
    x[10] = x[7];
    x[11] = sn_vec3_make(0.3, 0.4, 0.5);
    const int triangle[][3] = {{0, 2, 3}, {0, 3, 1},                                    // bottom
                               {4, 9, 8}, {9, 5, 8},  {5, 7, 8}, {10, 6, 8}, {6, 4, 8}, // top
                               {0, 1, 5}, {0, 5, 9},  {0, 9, 4},                        // front
                               {2, 6, 7}, {2, 7, 3},  {0, 4, 6}, {0, 6, 2},  {1, 3, 10},
                               {1, 7, 5}, // sides
                               {4, 5, 9}, {7, 10, 3}, {1, 1, 1}};
    test_solid* s = solid_hull(x, 12, triangle, (int)(sizeof triangle / sizeof *triangle));
    assert_int_equal(s->hull->vertex_count, 8);
    assert_int_equal(s->hull->face_count, 6);
    check_hull(s, 0);
    solid_free(s);
}

static void flat_hulls_have_two_faces(void** state) {
    (void)state;
    const sn_vec3 x[5] = {{0, 0, 1}, {2, 0, 1}, {2, 1, 1}, {0, 1, 1}, {1, 0.5, 1}};
    const int triangle[4][3] = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
    test_solid* s = solid_hull(x, 5, triangle, 4);
    assert_int_equal(s->hull->face_count, 2);
    assert_int_equal(s->hull->vertex_count, 4);
    check_hull(s, 0);
    solid_free(s);
    sni_triangle t;
    sni_triangle_set(&t, x[0], x[1], x[2]);
    test_solid as_test = {.solid = t.solid, .hull = (sni_hull*)&t.hull};
    check_hull(&as_test, 0);
}

static void what_has_no_area_is_refused(void** state) {
    (void)state;
    const sn_vec3 x[3] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
    const int32_t triangle[3] = {0, 1, 2};
    sn_shape_info shape = {.name = "line",
                           .type = SN_SHAPE_HULL,
                           .vertices = x,
                           .vertex_count = 3,
                           .triangles = triangle,
                           .triangle_count = 1};
    sni_hull* hull;
    sn_error error;
    CHECK_STATUS(sni_hull_create(&shape, &hull, &error), SN_ERR_MODEL);
    assert_null(hull);
    assert_non_null(strstr(error.text, "line"));
    shape.triangle_count = 0;
    CHECK_STATUS(sni_hull_create(&shape, &hull, &error), SN_ERR_MODEL);
    assert_null(hull);
}

static void climbing_finds_the_farthest_corner(void** state) {
    (void)state;
    test_solid* s = solid_prism(30, 1, 0.2);
    assert_true(s->hull->vertex_count > SN_HULL_CLIMB);
    for (int k = 0; k < 2000; k++) {
        uint64_t seed = test_case_seed(32, (uint64_t)k);
        test_rng rng = test_rng_make(seed);
        sn_vec3 d = test_direction(&rng);
        int at = sni_hull_farthest(s->hull, d, test_index(&rng, s->hull->vertex_count));
        double most = -INFINITY;
        for (int v = 0; v < s->hull->vertex_count; v++)
            most = fmax(most, sn_vec3_dot(d, s->hull->vertex[v]));
        CHECK_NEAR(sn_vec3_dot(d, s->hull->vertex[at]), most, 1e-12, seed);
    }
    solid_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_hulls_are_closed_and_convex),
        cmocka_unit_test(triangles_of_a_plane_become_a_face),
        cmocka_unit_test(what_adds_nothing_is_left_out),
        cmocka_unit_test(flat_hulls_have_two_faces),
        cmocka_unit_test(what_has_no_area_is_refused),
        cmocka_unit_test(climbing_finds_the_farthest_corner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
