// SPDX-License-Identifier: Apache-2.0
// Nearest points of solids and rays against them, both judged by how far outside a point is.
#include "collision/solid.h"

#include <math.h>

#include "support/solids.h"

// Over the size.
#define TOL_SURFACE 1e-12
#define TOL_HULL 1e-9

enum { CASES = 400, TYPES = SOLID_TYPES + 1 };

static sn_shape_type type_of(int k) { return k < SOLID_TYPES ? solid_types[k] : SN_SHAPE_PLANE; }

static test_solid* make(test_rng* rng, int k, double* size) {
    *size = pow(10, test_uniform(rng, -3, 3));
    return solid_random(rng, type_of(k), *size);
}

static sn_vec3 random_point(test_rng* rng, double size) {
    double reach = size * pow(10, test_uniform(rng, -3, 1));
    return test_vec3(rng, reach);
}

/// How much nearer to p than x a point of the surface can be found, by looking from the solid's reach along directions.
static long double lower_bound(const test_solid* s, sn_vec3 p, test_rng* rng, sn_vec3 n) {
    sn_pose X = sn_pose_identity();
    long double most = -INFINITY;
    for (int k = 0; k < 100; k++) {
        sn_vec3 d = test_direction(rng);
        if (k % 2) d = sn_vec3_add(n, sn_vec3_scale(pow(10, -test_uniform(rng, 0, 8)), d));
        long3 unit = long3_unit(long3_of(d));
        most = fmaxl(most, long3_dot(unit, long3_of(p)) - solid_reach(s, &X, unit));
    }
    return most;
}

static void nearest_points_are_on_the_surface_and_nearest(void** state) {
    (void)state;
    sn_pose X = sn_pose_identity();
    for (int i = 0; i < TYPES; i++)
        for (int k = 0; k < CASES; k++) {
            uint64_t seed = test_case_seed(41, (uint64_t)(i * CASES + k));
            test_rng rng = test_rng_make(seed);
            double size;
            test_solid* s = make(&rng, i, &size);
            sn_vec3 p = random_point(&rng, size), x, n;
            double d = sni_solid_nearest(&s->solid, p, &x, &n);
            double scale = size + sn_vec3_norm(p);
            double tol = (s->hull ? TOL_HULL : TOL_SURFACE) * scale;
            CHECK_NEAR(sn_vec3_norm(n), 1, 1e-12, seed);
            CHECK_NEAR((double)solid_outside(s, &X, x), 0, tol, seed);
            // p is d from x along n
            CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(p, sn_vec3_add(x, sn_vec3_scale(d, n)))), 0, tol,
                       seed);
            CHECK((solid_outside(s, &X, p) > 0) == (d > 0) || fabs(d) <= tol, seed);
            // no nearer: along n the solid ends at x, and along no direction farther from p
            if (s->solid.type != SN_SHAPE_PLANE) {
                long double along =
                    long3_dot(long3_of(n), long3_of(p)) - solid_reach(s, &X, long3_of(n));
                CHECK_NEAR((double)along, d, tol, seed);
                CHECK(lower_bound(s, p, &rng, n) <= d + tol, seed);
            }
            solid_free(s);
        }
}

static void points_in_the_middle_have_a_nearest_one(void** state) {
    (void)state;
    for (int i = 0; i < SOLID_TYPES; i++) {
        test_solid* s = type_of(i) == SN_SHAPE_HULL ? solid_prism(6, 1, 1)
                                                    : solid_make(type_of(i), sn_vec3_make(1, 1, 1));
        sn_vec3 x, n;
        double d = sni_solid_nearest(&s->solid, sn_vec3_zero(), &x, &n);
        assert_true(d < 0 && d >= -1 - 1e-12);
        assert_true(fabs(sn_vec3_norm(n) - 1) < 1e-12);
        assert_true(fabs(sn_vec3_dot(n, x) + d) < 1e-12);
        solid_free(s);
    }
}

/// Walks along the ray as far as is surely free; long double, no formula of a shape's own.
static long double march(const test_solid* s, sn_vec3 from, sn_vec3 d, long double length) {
    sn_pose X = sn_pose_identity();
    long double t = 0;
    for (int k = 0; k < 4000 && t <= length; k++) {
        // solid_outside never says more than the distance
        sn_vec3 at = sn_vec3_make((double)(from.x + t * d.x), (double)(from.y + t * d.y),
                                  (double)(from.z + t * d.z));
        long double free = solid_outside(s, &X, at);
        if (free <= 1e-13L * length) return t;
        t += free;
    }
    return INFINITY;
}

static void rays_enter_where_marching_does(void** state) {
    (void)state;
    sn_pose X = sn_pose_identity();
    int hits = 0;
    for (int i = 0; i < TYPES; i++)
        for (int k = 0; k < CASES; k++) {
            uint64_t seed = test_case_seed(42, (uint64_t)(i * CASES + k));
            test_rng rng = test_rng_make(seed);
            double size;
            test_solid* s = make(&rng, i, &size);
            sn_vec3 from = test_vec3(&rng, 3 * size), aim = test_vec3(&rng, 0.5 * size);
            sn_vec3 d = sn_vec3_sub(aim, from), n = sn_vec3_zero();
            d = sn_vec3_scale(1 / sn_vec3_norm(d), d);
            bool plane = s->solid.type == SN_SHAPE_PLANE;
            if (plane) from.z = fabs(from.z); // from behind it is hit, too: the other test
            double length = 20 * size;
            double t = sni_solid_ray(&s->solid, from, d, length, &n);
            bool inside = solid_outside(s, &X, from) < 0;
            if (inside) {
                CHECK(t == INFINITY, seed);
            } else {
                long double expected = march(s, from, d, length);
                sn_vec3 at = sn_vec3_add(from, sn_vec3_scale(t, d));
                // a ray that grazes may go either way
                bool grazes = (t < INFINITY) != (expected < INFINITY);
                if (!grazes && t < INFINITY) {
                    CHECK_NEAR(t, expected, 1e-5 * size, seed);
                    CHECK_NEAR((double)solid_outside(s, &X, at), 0, TOL_HULL * size, seed);
                    CHECK_NEAR(sn_vec3_norm(n), 1, 1e-9, seed);
                    CHECK(sn_vec3_dot(n, d) <= 0, seed);
                    hits++;
                }
                if (t < INFINITY)
                    CHECK(sni_solid_ray(&s->solid, from, d, 0.99 * t, &n) == INFINITY, seed);
            }
            solid_free(s);
        }
    assert_true(hits > TYPES * CASES / 3);
}

static void rays_along_axes_and_past_solids(void** state) {
    (void)state;
    for (int i = 0; i < SOLID_TYPES; i++) {
        test_solid* s = type_of(i) == SN_SHAPE_HULL ? solid_prism(4, 1, 1)
                                                    : solid_make(type_of(i), sn_vec3_make(1, 1, 1));
        double top = type_of(i) == SN_SHAPE_CAPSULE ? 2 : 1;
        sn_vec3 n, down = sn_vec3_make(0, 0, -1);
        double t = sni_solid_ray(&s->solid, sn_vec3_make(0, 0, 5), down, 100, &n);
        assert_true(fabs(t - (5 - top)) < 1e-12);
        assert_true(fabs(n.z - 1) < 1e-12);
        assert_true(sni_solid_ray(&s->solid, sn_vec3_make(3, 0, 5), down, 100, &n) == INFINITY);
        assert_true(sni_solid_ray(&s->solid, sn_vec3_make(0, 0, -5), down, 100, &n) == INFINITY);
        assert_true(sni_solid_ray(&s->solid, sn_vec3_zero(), down, 100, &n) == INFINITY);
        t = sni_solid_ray(&s->solid, sn_vec3_make(0, 0, 1e4), down, 2e4, &n);
        assert_true(fabs(t - (1e4 - top)) < 1e-11);
        solid_free(s);
    }
    test_solid* plane = solid_make(SN_SHAPE_PLANE, sn_vec3_zero());
    sn_vec3 n;
    double t = sni_solid_ray(&plane->solid, sn_vec3_make(0, 0, -2), sn_vec3_make(0, 0, 1), 10, &n);
    assert_true(t == 2 && n.z == 1); // seen from behind
    assert_true(sni_solid_ray(&plane->solid, sn_vec3_make(0, 0, 2), sn_vec3_make(1, 0, 0), 10,
                              &n) == INFINITY);
    solid_free(plane);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_points_are_on_the_surface_and_nearest),
        cmocka_unit_test(points_in_the_middle_have_a_nearest_one),
        cmocka_unit_test(rays_enter_where_marching_does),
        cmocka_unit_test(rays_along_axes_and_past_solids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
