// SPDX-License-Identifier: Apache-2.0
// The surface and its tree: against all triangles one by one, and against the solid it encloses.
#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/meshes.h"

enum { CASES = 200, TEST_TREE = 1, TEST_NEAREST, TEST_INSIDE, TEST_RAY, TEST_RAY_BOX, TEST_SEAMS };

static sn_vec3 random_point(test_rng* rng, double size) {
    double x = test_uniform(rng, -size, size), y = test_uniform(rng, -size, size);
    return sn_vec3_make(x, y, test_uniform(rng, -size, size));
}

static sn_vec3 random_direction(test_rng* rng) {
    sn_vec3 d = random_point(rng, 1);
    double length = sn_vec3_norm(d);
    return length > 0.1 ? sn_vec3_scale(1 / length, d) : sn_vec3_make(1, 0, 0);
}

static test_mesh random_mesh(test_rng* rng, int kind) {
    switch (kind % 4) {
    case 0: return test_mesh_heap(rng, 1, 1 + test_index(rng, 200));
    case 1: return test_mesh_floor(rng, 1, 1 + test_index(rng, 9));
    case 2: return test_mesh_box(sn_vec3_make(0.5, 0.7, 0.9), 1 + test_index(rng, 4));
    default: return test_mesh_ball(1, test_index(rng, 4));
    }
}

// ---- one triangle after the other -----------------------------------------------------------------------

static sn_vec3 on_segment(sn_vec3 p, sn_vec3 a, sn_vec3 b) {
    sn_vec3 e = sn_vec3_sub(b, a);
    double t = sn_vec3_dot(e, sn_vec3_sub(p, a)) / sn_vec3_dot(e, e);
    return sn_vec3_add(a, sn_vec3_scale(fmin(fmax(t, 0), 1), e));
}

static double distance_to(const sni_mesh* m, int32_t i, sn_vec3 p) {
    const sni_mesh_triangle* t = &m->triangle[i];
    double least = INFINITY;
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        sn_vec3 a = m->vertex[t->corner[k]], b = m->vertex[t->corner[(k + 1) % 3]];
        least = fmin(least, sn_vec3_norm(sn_vec3_sub(p, on_segment(p, a, b))));
        inside =
            inside && sn_vec3_dot(t->n, sn_vec3_cross(sn_vec3_sub(b, a), sn_vec3_sub(p, a))) >= 0;
    }
    return inside ? fabs(sn_vec3_dot(t->n, p) - t->offset) : least;
}

/// Möller and Trumbore's way. `clear`: how far inside of all edges, in parts of the triangle.
static double ray_to(const sni_mesh* m, int32_t i, sn_vec3 from, sn_vec3 d, double* clear) {
    const int32_t* c = m->triangle[i].corner;
    sn_vec3 e1 = sn_vec3_sub(m->vertex[c[1]], m->vertex[c[0]]);
    sn_vec3 e2 = sn_vec3_sub(m->vertex[c[2]], m->vertex[c[0]]);
    sn_vec3 p = sn_vec3_cross(d, e2), r = sn_vec3_sub(from, m->vertex[c[0]]);
    double det = sn_vec3_dot(e1, p);
    sn_vec3 q = sn_vec3_cross(r, e1);
    double u = sn_vec3_dot(r, p) / det, v = sn_vec3_dot(d, q) / det;
    *clear = fmin(fmin(u, v), 1 - u - v);
    return sn_vec3_dot(e2, q) / det;
}

// ---- tests ----------------------------------------------------------------------------------------------

static void tree_finds_the_triangles_a_look_at_all_finds(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(TEST_TREE, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        test_mesh m = random_mesh(&rng, i);
        for (int q = 0; q < 20; q++) {
            sn_vec3 c = random_point(&rng, 1.2), h = random_point(&rng, q % 2 ? 0.1 : 0.8);
            h = sn_vec3_make(fabs(h.x), fabs(h.y), fabs(h.z));
            sni_box box = {sn_vec3_sub(c, h), sn_vec3_add(c, h)};
            sni_mesh_walk walk = sni_mesh_walk_begin(m.mesh, &box);
            int32_t next = sni_mesh_walk_next(&walk);
            for (int32_t t = 0; t < m.mesh->triangle_count; t++) {
                sn_vec3 low = sni_mesh_corner(m.mesh, t, 0), high = low;
                for (int k = 1; k < 3; k++) {
                    sn_vec3 x = sni_mesh_corner(m.mesh, t, k);
                    low = sn_vec3_make(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
                    high = sn_vec3_make(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
                }
                bool near = low.x <= box.high.x && high.x >= box.low.x && low.y <= box.high.y &&
                            high.y >= box.low.y && low.z <= box.high.z && high.z >= box.low.z;
                CHECK(near == (next == t), seed);
                if (near) next = sni_mesh_walk_next(&walk);
            }
            CHECK(next == -1, seed);
        }
        test_mesh_free(&m);
    }
}

static void nearest_point_is_the_nearest_of_all_triangles(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(TEST_NEAREST, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        test_mesh m = random_mesh(&rng, i);
        for (int q = 0; q < 30; q++) {
            sn_vec3 p = random_point(&rng, q % 3 ? 1.5 : 100);
            if (q == 0) p = sni_mesh_corner(m.mesh, 0, 1);
            double least = INFINITY, reach = q % 5 ? INFINITY : 0.3;
            for (int32_t t = 0; t < m.mesh->triangle_count; t++)
                least = fmin(least, distance_to(m.mesh, t, p));
            sni_mesh_point at = sni_mesh_nearest(m.mesh, p, reach);
            if (least > reach) {
                CHECK(at.triangle == -1 && at.distance == INFINITY, seed);
                continue;
            }
            CHECK_NEAR(fabs(at.distance), least, TOL_CHAIN * (1 + sn_vec3_norm(p)), seed);
            CHECK_NEAR(distance_to(m.mesh, at.triangle, at.x), 0, TOL_CHAIN, seed);
            CHECK_NEAR(sn_vec3_norm(at.n), 1, TOL_ROUNDOFF, seed);
            sn_vec3 again = sn_vec3_add(at.x, sn_vec3_scale(at.distance, at.n));
            CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(again, p)), 0, 1e-9 * (1 + sn_vec3_norm(p)), seed);
        }
        test_mesh_free(&m);
    }
}

static void distance_from_a_closed_box_is_that_of_the_solid(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(TEST_INSIDE, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        sni_solid box = {.type = SN_SHAPE_BOX, .half = {0.5, 0.7, 0.9}};
        test_mesh m = test_mesh_box(box.half, 1 + i % 4);
        for (int q = 0; q < 30; q++) {
            sn_vec3 p = random_point(&rng, 1.5), x, n;
            if (q % 3 == 0) p.x = copysign(p.x, 0.5); // over the middle of a side
            double expected = sni_solid_nearest(&box, p, &x, &n);
            sni_mesh_point at = sni_mesh_nearest(m.mesh, p, INFINITY);
            CHECK_NEAR(at.distance, expected, TOL_CHAIN, seed);
            if (expected > 1e-6) {
                CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(at.x, x)), 0, TOL_CHAIN, seed);
                CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(at.n, n)), 0, 1e-8, seed);
            }
        }
        test_mesh_free(&m);
    }
}

static void ray_hits_the_first_of_all_triangles(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(TEST_RAY, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        test_mesh m = random_mesh(&rng, i);
        for (int q = 0; q < 30; q++) {
            sn_vec3 from = random_point(&rng, 2), d = random_direction(&rng);
            if (q % 4 == 0) d = sn_vec3_make(0, q % 8 ? 1 : -1, 0); // along sides of boxes
            double length = q % 5 ? INFINITY : 1, first = INFINITY, sure = INFINITY;
            for (int32_t t = 0; t < m.mesh->triangle_count; t++) {
                double clear, at = ray_to(m.mesh, t, from, d, &clear);
                if (!(at >= 0 && at <= length)) continue;
                if (clear > -1e-9) first = fmin(first, at); // may be hit
                if (clear > 1e-9) sure = fmin(sure, at);    // must be
            }
            sni_mesh_point hit = sni_mesh_ray(m.mesh, from, d, length);
            CHECK(hit.distance >= first - 1e-9 && hit.distance <= sure + 1e-9, seed);
            if (hit.triangle < 0) continue;
            sn_vec3 x = sn_vec3_add(from, sn_vec3_scale(hit.distance, d));
            CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(x, hit.x)), 0, TOL_ROUNDOFF, seed);
            CHECK_NEAR(distance_to(m.mesh, hit.triangle, x), 0, 1e-9, seed);
        }
        test_mesh_free(&m);
    }
}

// Through edges and corners too: rays are aimed at them.
static void no_ray_slips_through_a_seam(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(TEST_SEAMS, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        test_mesh m =
            i % 2 ? test_mesh_ball(1, 1 + i % 3) : test_mesh_box(sn_vec3_make(1, 2, 3), 3);
        for (int q = 0; q < 50; q++) {
            int32_t t = test_index(&rng, m.mesh->triangle_count);
            double part = q % 3 ? test_uniform(&rng, 0, 1) : 0;
            sn_vec3 target = sn_vec3_add(sn_vec3_scale(1 - part, sni_mesh_corner(m.mesh, t, 0)),
                                         sn_vec3_scale(part, sni_mesh_corner(m.mesh, t, 1)));
            sn_vec3 from =
                random_point(&rng, 0.4); // inside: whichever way it goes, it must come out
            sn_vec3 d = sn_vec3_sub(target, from);
            d = sn_vec3_scale(1 / sn_vec3_norm(d), d);
            CHECK(sni_mesh_ray(m.mesh, from, d, 100).triangle >= 0, seed);
        }
        test_mesh_free(&m);
    }
}

static void ray_on_a_closed_box_is_that_on_the_solid(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(TEST_RAY_BOX, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        sni_solid box = {.type = SN_SHAPE_BOX, .half = {0.5, 0.7, 0.9}};
        test_mesh m = test_mesh_box(box.half, 1 + i % 4);
        for (int q = 0; q < 30; q++) {
            sn_vec3 from = sn_vec3_scale(3, random_direction(&rng)), n, x, unused;
            sn_vec3 d = sn_vec3_sub(random_point(&rng, 0.8), from);
            d = sn_vec3_scale(1 / sn_vec3_norm(d), d);
            if (sni_solid_nearest(&box, from, &x, &unused) <= 0) continue;
            double expected = sni_solid_ray(&box, from, d, 10, &n);
            sni_mesh_point hit = sni_mesh_ray(m.mesh, from, d, 10);
            CHECK((hit.triangle >= 0) == (expected < INFINITY), seed);
            if (hit.triangle < 0) continue;
            CHECK_NEAR(hit.distance, expected, TOL_CHAIN, seed);
            CHECK_NEAR(sn_vec3_dot(hit.n, n), 1, TOL_CHAIN, seed);
        }
        test_mesh_free(&m);
    }
}

static int count_edges(const sni_mesh* mesh, sni_edge_kind kind) {
    int count = 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) count += mesh->triangle[t].edge[k] == kind;
    return count;
}

static void edges_know_what_they_are(void** state) {
    (void)state;
    enum { N = 4 };
    test_rng rng = test_rng_make(test_seed());
    test_mesh floor = test_mesh_floor(&rng, 1, N), box = test_mesh_box(sn_vec3_make(1, 1, 1), N),
              ball = test_mesh_ball(1, 2);
    CHECK(count_edges(floor.mesh, SN_EDGE_BORDER) == 4 * N, rng.s);
    CHECK(count_edges(floor.mesh, SN_EDGE_FLAT) == 6 * N * N - 4 * N, rng.s);
    CHECK(count_edges(box.mesh, SN_EDGE_CONVEX) == 2 * 12 * N, rng.s);
    CHECK(count_edges(box.mesh, SN_EDGE_FLAT) == 36 * N * N - 24 * N, rng.s);
    CHECK(box.mesh->vertex_count == 6 * N * N + 2, rng.s); // Euler: closed, no holes
    CHECK(count_edges(ball.mesh, SN_EDGE_CONVEX) == 3 * ball.mesh->triangle_count, rng.s);
    CHECK(ball.mesh->vertex_count == ball.mesh->triangle_count / 2 + 2, rng.s);
    int32_t facets = 0;
    for (int32_t t = 0; t < box.mesh->triangle_count; t++) {
        facets += box.mesh->triangle[t].facet == t;
        for (int k = 0; k < 3; k++)
            for (int32_t u = 0; u < box.mesh->triangle_count; u++)
                if (sn_vec3_dot(box.mesh->triangle[t].n, box.mesh->triangle[u].n) > 0.5)
                    CHECK(box.mesh->triangle[t].facet == box.mesh->triangle[u].facet, rng.s);
    }
    CHECK(facets == 6, rng.s);
    test_mesh_free(&floor);
    test_mesh_free(&box);
    test_mesh_free(&ball);
    // a ditch: the same seen from below is a ridge
    const sn_vec3 v[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0.5}, {0, -1, 0.5}};
    const int32_t up[6] = {0, 1, 2, 1, 0, 3}, down[6] = {0, 2, 1, 1, 3, 0};
    for (int side = 0; side < 2; side++) {
        sn_shape_info shape = {.name = "",
                               .mesh = "",
                               .vertices = v,
                               .vertex_count = 4,
                               .triangles = side ? down : up,
                               .triangle_count = 2};
        sni_mesh* mesh;
        CHECK_STATUS(sni_mesh_create(&shape, &mesh, NULL), SN_OK);
        CHECK(count_edges(mesh, side ? SN_EDGE_CONVEX : SN_EDGE_CONCAVE) == 2, rng.s);
        sni_mesh_free(mesh);
    }
}

static void triangles_without_area_are_left_out(void** state) {
    (void)state;
    const sn_vec3 v[6] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {1, 1e-13, 0}, {0, 0, 0}};
    const int32_t bad[9] = {0, 1, 2, 0, 0, 3, 0, 5, 3},
                  some[12] = {0, 2, 4, 0, 5, 1, 0, 1, 3, 5, 3, 1};
    sn_shape_info shape = {.name = "thin", .mesh = "", .vertices = v, .vertex_count = 6};
    sni_mesh* mesh;
    sn_error error;
    shape.triangles = bad;
    shape.triangle_count = 3;
    CHECK_STATUS(sni_mesh_create(&shape, &mesh, &error), SN_ERR_MODEL);
    assert_null(mesh);
    assert_non_null(strstr(error.text, "thin"));
    shape.triangles = some;
    shape.triangle_count = 4;
    CHECK_STATUS(sni_mesh_create(&shape, &mesh, &error), SN_OK);
    CHECK(mesh->triangle_count == 2, 0);
    CHECK(mesh->triangle[0].original + mesh->triangle[1].original == 5, 0);
    sni_mesh_free(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tree_finds_the_triangles_a_look_at_all_finds),
        cmocka_unit_test(nearest_point_is_the_nearest_of_all_triangles),
        cmocka_unit_test(distance_from_a_closed_box_is_that_of_the_solid),
        cmocka_unit_test(ray_hits_the_first_of_all_triangles),
        cmocka_unit_test(no_ray_slips_through_a_seam),
        cmocka_unit_test(ray_on_a_closed_box_is_that_on_the_solid),
        cmocka_unit_test(edges_know_what_they_are),
        cmocka_unit_test(triangles_without_area_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
