// SPDX-License-Identifier: Apache-2.0
// Convex hulls: around all points, supported by each face, closed; against all triples of points.
#define _XOPEN_SOURCE 700 // dup2, fileno
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sinew/load.h"
#include "support/check.h"
#include "support/random_state.h"

/// Depth of a point below a face is computed from coordinates of order one with a handful of products; qhull
/// merges faces that differ by as much. Relative to the extent of the points.
#define TOL_FACE 1e-12
/// Points that lie in a plane up to the single precision of files are moved into it.
#define TOL_FLAT 1e-6

typedef struct hull {
    sn_status status;
    sn_error error;
    sn_vec3* vertices;
    int32_t* triangles;
    int vertex_count, triangle_count;
} hull;

static hull compute(const sn_vec3* points, int count) {
    hull h;
    h.status = sn_hull_compute(points, count, &h.vertices, &h.vertex_count, &h.triangles,
                               &h.triangle_count, &h.error);
    return h;
}

static void hull_free(hull* h) { sn_hull_free(h->vertices, h->triangles); }

static sn_vec3 corner(const hull* h, int t, int k) { return h->vertices[h->triangles[3 * t + k]]; }

/// Twice the area of a triangle, times its outward normal.
static sn_vec3 area_vector(const hull* h, int t) {
    sn_vec3 a = corner(h, t, 0);
    return sn_vec3_cross(sn_vec3_sub(corner(h, t, 1), a), sn_vec3_sub(corner(h, t, 2), a));
}

/// Diagonal of the box around the points.
static double extent(const sn_vec3* points, int count) {
    sn_vec3 low = points[0], high = points[0];
    for (int i = 0; i < count; i++) {
        low = sn_vec3_make(fmin(low.x, points[i].x), fmin(low.y, points[i].y),
                           fmin(low.z, points[i].z));
        high = sn_vec3_make(fmax(high.x, points[i].x), fmax(high.y, points[i].y),
                            fmax(high.z, points[i].z));
    }
    return sn_vec3_norm(sn_vec3_sub(high, low));
}

static double volume(const hull* h) {
    double six = 0;
    for (int t = 0; t < h->triangle_count; t++)
        six += sn_vec3_dot(area_vector(h, t), sn_vec3_sub(corner(h, t, 0), h->vertices[0]));
    return six / 6;
}

// ---- what holds for every hull ------------------------------------------------------------------------

/// Each edge is there once in each direction, and V - E + F = 2.
static void check_closed(const hull* h, uint64_t seed) {
    int edges = 3 * h->triangle_count;
    for (int e = 0; e < edges; e++) {
        int from = h->triangles[e], to = h->triangles[e % 3 == 2 ? e - 2 : e + 1];
        int same = 0, back = 0;
        for (int f = 0; f < edges; f++) {
            int a = h->triangles[f], b = h->triangles[f % 3 == 2 ? f - 2 : f + 1];
            same += a == from && b == to;
            back += a == to && b == from;
        }
        CHECK(from != to && same == 1 && back == 1, seed);
    }
    CHECK(h->vertex_count - edges / 2 + h->triangle_count == 2, seed);
}

/// No point is above a face, and every corner is used.
static void check_around(const hull* h, const sn_vec3* points, int count, double tolerance,
                         uint64_t seed) {
    double size = extent(points, count);
    for (int t = 0; t < h->triangle_count; t++) {
        sn_vec3 n = area_vector(h, t), a = corner(h, t, 0);
        double area = sn_vec3_norm(n);
        CHECK(area > 0, seed);
        // a sliver says nothing of its normal; its neighbours hold the points
        if (area < 1e-9 * size * size) continue;
        for (int i = 0; i < count; i++) {
            double above = sn_vec3_dot(n, sn_vec3_sub(points[i], a)) / area;
            CHECK_NEAR(fmax(above, 0), 0, tolerance * size * fmax(1, 1e-3 * size * size / area),
                       seed);
        }
    }
    for (int v = 0; v < h->vertex_count; v++) {
        int used = 0;
        for (int e = 0; e < 3 * h->triangle_count; e++) used += h->triangles[e] == v;
        CHECK(used >= 2, seed);
    }
}

/// Corners are points, in their order.
static void check_corners(const hull* h, const sn_vec3* points, int count, uint64_t seed) {
    int at = 0;
    for (int v = 0; v < h->vertex_count; v++, at++) {
        while (at < count && memcmp(&points[at], &h->vertices[v], sizeof(sn_vec3)) != 0) at++;
        CHECK(at < count, seed);
    }
}

static hull checked(const sn_vec3* points, int count, uint64_t seed) {
    hull h = compute(points, count);
    if (h.status) print_error("%s\n", h.error.text);
    CHECK(h.status == SN_OK, seed);
    check_closed(&h, seed);
    check_around(&h, points, count, TOL_FACE, seed);
    check_corners(&h, points, count, seed);
    CHECK(volume(&h) > 0, seed);
    return h;
}

// ---- points -------------------------------------------------------------------------------------------

enum { POINTS_MOST = 400 };

static sn_vec3 moved(sn_pose X, double scale, sn_vec3 p) {
    return sn_pose_apply(X, sn_vec3_scale(scale, p));
}

/// Sizes from a millimetre to a kilometre.
static double random_scale(test_rng* rng) { return pow(10, test_uniform(rng, -3, 3)); }

/// A kind of cloud: in a ball, on a sphere, in a thin slab, on a lattice, on a cylinder, near one point and far
/// from it, and with every point several times.
enum { KINDS = 8 };

static int make_points(test_rng* rng, int kind, sn_vec3* p) {
    double scale = random_scale(rng);
    sn_pose X = test_pose(rng, scale);
    int count = (kind == 3 ? 30 : 4) + test_index(rng, 120);
    for (int i = 0; i < count; i++) {
        sn_vec3 d = test_direction(rng), n = test_vec3(rng, 1);
        if (kind == 0) p[i] = sn_vec3_scale(test_uniform(rng, 0, 1), d);
        if (kind == 1) p[i] = d;
        if (kind == 2) p[i] = sn_vec3_make(n.x, n.y, 1e-4 * n.z);
        if (kind == 3) p[i] = sn_vec3_make(i % 5, i / 5 % 5, i / 25);
        if (kind == 4) p[i] = sn_vec3_make(cos(i * 0.7), sin(i * 0.7), i % 2 ? 1 : -1);
        if (kind == 5) p[i] = i % 2 ? sn_vec3_scale(1e-4, n) : n;
        if (kind == 6) p[i] = i >= 8 ? p[i % 8] : n;
        if (kind == 7) p[i] = sn_vec3_make((float)n.x, (float)n.y, (float)d.z);
    }
    for (int i = 0; i < count; i++) p[i] = moved(X, scale, p[i]);
    return count;
}

static void hulls_are_closed_and_around_all_points(void** state) {
    (void)state;
    sn_vec3 points[POINTS_MOST];
    for (int i = 0; i < 400; i++) {
        uint64_t seed = test_case_seed(1, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        int count = make_points(&rng, i % KINDS, points);
        hull h = checked(points, count, seed);
        hull again = compute(points, count);
        CHECK(again.vertex_count == h.vertex_count && again.triangle_count == h.triangle_count,
              seed);
        CHECK(memcmp(again.triangles, h.triangles,
                     3 * (size_t)h.triangle_count * sizeof(int32_t)) == 0,
              seed);
        hull_free(&again);
        hull_free(&h);
    }
}

static bool has_triangle(const hull* h, sn_vec3 a, sn_vec3 b, sn_vec3 c) {
    const sn_vec3 wanted[3] = {a, b, c};
    for (int t = 0; t < h->triangle_count; t++) {
        int found = 0;
        for (int k = 0; k < 3; k++)
            for (int w = 0; w < 3; w++) {
                sn_vec3 x = corner(h, t, k);
                found += memcmp(&x, &wanted[w], sizeof x) == 0;
            }
        if (found == 3) return true;
    }
    return false;
}

/// Points in general position: three of them are a face exactly when all others are on one side of them.
static void faces_are_the_triples_with_all_points_on_one_side(void** state) {
    (void)state;
    for (int i = 0; i < 200; i++) {
        uint64_t seed = test_case_seed(2, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        int count = 4 + test_index(&rng, 21), faces = 0;
        sn_vec3 p[25];
        for (int k = 0; k < count; k++) p[k] = test_vec3(&rng, 1);
        hull h = checked(p, count, seed);
        for (int a = 0; a < count; a++)
            for (int b = a + 1; b < count; b++)
                for (int c = b + 1; c < count; c++) {
                    sn_vec3 n = sn_vec3_cross(sn_vec3_sub(p[b], p[a]), sn_vec3_sub(p[c], p[a]));
                    int above = 0, below = 0;
                    for (int k = 0; k < count; k++) {
                        if (k == a || k == b || k == c) continue;
                        double side = sn_vec3_dot(n, sn_vec3_sub(p[k], p[a]));
                        above += side > 0;
                        below += side < 0;
                    }
                    bool face = above == 0 || below == 0;
                    CHECK(face == has_triangle(&h, p[a], p[b], p[c]), seed);
                    faces += face;
                }
        CHECK(faces == h.triangle_count, seed);
        hull_free(&h);
    }
}

static void a_lattice_of_points_has_eight_corners(void** state) {
    (void)state;
    for (int i = 0; i < 60; i++) {
        uint64_t seed = test_case_seed(3, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        double scale = random_scale(&rng);
        sn_pose X = i % 3 ? test_pose(&rng, 10 * scale) : sn_pose_identity();
        sn_vec3 points[POINTS_MOST];
        int count = 0;
        for (int x = 0; x < 6; x++)
            for (int y = 0; y < 6; y++)
                for (int z = 0; z < 6; z++)
                    points[count++] = moved(X, scale, sn_vec3_make(x, 2 * y, 0.1 * z));
        hull h = checked(points, count, seed);
        CHECK(h.vertex_count == 8 && h.triangle_count == 12, seed);
        double edges = scale * scale * scale * 5 * 10 * 0.5;
        CHECK_RELATIVE(volume(&h), edges, 1e-10, seed); // lengths 100 of which the shortest is 1
        hull_free(&h);
    }
}

// ---- flat ---------------------------------------------------------------------------------------------

static void points_in_a_plane_have_a_hull_of_two_sides(void** state) {
    (void)state;
    for (int i = 0; i < 300; i++) {
        uint64_t seed = test_case_seed(4, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        double scale = random_scale(&rng);
        sn_pose X = test_pose(&rng, 3 * scale);
        int count = 3 + test_index(&rng, 100), kind = i % 4;
        sn_vec3 p[120];
        for (int k = 0; k < count; k++) {
            double turn = 2 * 3.14159265358979 * k / count;
            p[k] = sn_vec3_make(test_normal(&rng), test_normal(&rng), 0);
            if (kind == 1) p[k] = sn_vec3_make(cos(turn), sin(turn), 0);
            if (kind == 2) p[k] = sn_vec3_make(k % 4, k % 3, 0); // many in one place
            p[k] = moved(X, scale, p[k]);
            if (kind == 3) p[k] = sn_vec3_make((float)p[k].x, (float)p[k].y, (float)p[k].z);
        }
        if (kind == 2) count += count < 12 ? 12 : 0;
        for (int k = 0; kind == 2 && k < count; k++)
            p[k] = moved(X, scale, sn_vec3_make(k % 4, k % 3, 0));
        hull h = compute(p, count);
        if (h.status) print_error("%s\n", h.error.text);
        CHECK(h.status == SN_OK, seed);
        check_closed(&h, seed);
        check_around(&h, p, count, TOL_FLAT, seed);
        double size = extent(p, count);
        CHECK_NEAR(volume(&h), 0, TOL_FACE * size * size * size, seed);
        if (kind == 2) CHECK(h.vertex_count == 4 && h.triangle_count == 4, seed);
        if (kind == 1) CHECK(h.vertex_count == count, seed);
        CHECK(h.triangle_count == 2 * (h.vertex_count - 2), seed);
        // every point is within the outline: on the inner side of each edge of the front
        sn_vec3 n = area_vector(&h, 0);
        for (int t = 0; t < h.triangle_count; t++)
            if (sn_vec3_dot(area_vector(&h, t), n) > 0)
                for (int k = 0; k < 3; k++) {
                    sn_vec3 a = corner(&h, t, k), b = corner(&h, t, (k + 1) % 3);
                    sn_vec3 e = sn_vec3_sub(b, a), in = sn_vec3_cross(n, e);
                    bool outline = true; // no triangle of the front has it the other way
                    for (int f = 0; f < h.triangle_count; f++)
                        for (int m = 0; m < 3; m++)
                            if (sn_vec3_dot(area_vector(&h, f), n) > 0 &&
                                h.triangles[3 * f + m] == h.triangles[3 * t + (k + 1) % 3] &&
                                h.triangles[3 * f + (m + 1) % 3] == h.triangles[3 * t + k])
                                outline = false;
                    for (int m = 0; outline && m < count; m++) {
                        double side = sn_vec3_dot(in, sn_vec3_sub(p[m], a)) / sn_vec3_norm(in);
                        CHECK(side > -TOL_FLAT * size, seed);
                    }
                }
        hull_free(&h);
    }
}

// ---- nothing to make a hull of ------------------------------------------------------------------------

static void check_refused(const sn_vec3* points, int count, sn_status status, const char* text) {
    hull h = compute(points, count);
    assert_int_equal(h.status, status);
    assert_int_equal(h.error.status, status);
    if (!strstr(h.error.text, text)) fail_msg("'%s' does not say '%s'", h.error.text, text);
    assert_null(h.vertices);
    assert_null(h.triangles);
}

static void points_on_a_line_or_at_one_place_are_refused_with_the_reason(void** state) {
    (void)state;
    uint64_t seed = test_seed();
    test_rng rng = test_rng_make(seed);
    sn_vec3 p[50];
    for (int i = 0; i < 100; i++) {
        double scale = random_scale(&rng);
        sn_pose X = test_pose(&rng, scale);
        for (int k = 0; k < 50; k++) p[k] = moved(X, scale, sn_vec3_make(test_normal(&rng), 0, 0));
        check_refused(p, 50, SN_ERR_MODEL, "on one line");
        check_refused(p, 2, SN_ERR_MODEL, "on one line");
        check_refused(p, 1, SN_ERR_MODEL, "at one place");
        for (int k = 0; k < 50; k++) p[k] = p[0];
        check_refused(p, 50, SN_ERR_MODEL, "at one place");
    }
    p[7].y = NAN;
    check_refused(p, 50, SN_ERR_NUMERIC, "point 7 is not finite");
    p[7].y = INFINITY;
    check_refused(p, 50, SN_ERR_NUMERIC, "point 7 is not finite");
    check_refused(NULL, 3, SN_ERR_ARGUMENT, "needs points");
    check_refused(p, 0, SN_ERR_ARGUMENT, "needs points");
}

/// What qhull would say goes nowhere: standard output and error stay as they are.
static void nothing_is_printed(void** state) {
    (void)state;
    FILE* file = tmpfile();
    assert_non_null(file);
    fflush(stdout);
    fflush(stderr);
    int out = dup(1), err = dup(2);
    dup2(fileno(file), 1);
    dup2(fileno(file), 2);
    test_rng rng = test_rng_make(test_seed());
    sn_vec3 p[100];
    double thickness = 1;
    for (int i = 0; i < 60; i++, thickness *= 0.7) { // thinner and thinner, past flat
        for (int k = 0; k < 100; k++) {
            sn_vec3 d = test_vec3(&rng, 1);
            p[k] = sn_vec3_make(d.x, d.y, thickness * (i % 2 ? d.z : floor(d.z)));
        }
        hull h = compute(p, 100);
        hull_free(&h);
    }
    fflush(stdout);
    fflush(stderr);
    dup2(out, 1);
    dup2(err, 2);
    close(out);
    close(err);
    fseek(file, 0, SEEK_END);
    assert_int_equal(ftell(file), 0);
    fclose(file);
}

/// Every thickness between a ball and a plane gives a hull.
static void thin_clouds_have_hulls_too(void** state) {
    (void)state;
    for (int i = 0; i < 300; i++) {
        uint64_t seed = test_case_seed(6, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        double thickness = pow(10, test_uniform(&rng, -9, 0)), scale = random_scale(&rng);
        sn_pose X = test_pose(&rng, 100 * scale);
        sn_vec3 p[200];
        int count = 4 + test_index(&rng, 196);
        for (int k = 0; k < count; k++) {
            sn_vec3 d = test_vec3(&rng, 1);
            if (i % 2) d = sn_vec3_make(floor(3 * d.x), floor(3 * d.y), floor(3 * d.z));
            p[k] = moved(X, scale, sn_vec3_make(d.x, d.y, thickness * d.z));
        }
        hull h = compute(p, count);
        if (h.status) print_error("thickness %g: %s\n", thickness, h.error.text);
        CHECK(h.status == SN_OK, seed);
        check_closed(&h, seed);
        check_around(&h, p, count, thickness > 1e-4 ? TOL_FACE : TOL_FLAT, seed);
        hull_free(&h);
    }
}

static void large_and_far_away_points_have_hulls(void** state) {
    (void)state;
    test_rng rng = test_rng_make(test_seed());
    enum { COUNT = 20000 };
    sn_vec3* p = malloc(COUNT * sizeof *p);
    assert_non_null(p);
    for (int k = 0; k < COUNT; k++) p[k] = test_vec3(&rng, 1);
    hull h = compute(p, COUNT);
    CHECK_STATUS(h.status, SN_OK);
    hull_free(&h);
    static const double sizes[] = {1e-300, 1e-30, 1e30, 1e300};
    for (int s = 0; s < 4; s++) {
        for (int k = 0; k < 100; k++) p[k] = sn_vec3_scale(sizes[s], test_direction(&rng));
        h = compute(p, 100);
        CHECK_STATUS(h.status, SN_OK);
        assert_int_equal(h.vertex_count, 100);
        hull_free(&h);
    }
    for (int k = 0; k < 100; k++) // ten kilometres away, a tenth of a millimetre
        p[k] = sn_vec3_add(sn_vec3_make(1e4, -1e4, 1e4), sn_vec3_scale(1e-4, test_direction(&rng)));
    h = compute(p, 100);
    CHECK_STATUS(h.status, SN_OK);
    check_closed(&h, 0);
    hull_free(&h);
    free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_are_closed_and_around_all_points),
        cmocka_unit_test(faces_are_the_triples_with_all_points_on_one_side),
        cmocka_unit_test(a_lattice_of_points_has_eight_corners),
        cmocka_unit_test(points_in_a_plane_have_a_hull_of_two_sides),
        cmocka_unit_test(points_on_a_line_or_at_one_place_are_refused_with_the_reason),
        cmocka_unit_test(nothing_is_printed),
        cmocka_unit_test(thin_clouds_have_hulls_too),
        cmocka_unit_test(large_and_far_away_points_have_hulls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
