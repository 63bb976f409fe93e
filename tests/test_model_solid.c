// SPDX-License-Identifier: Apache-2.0
// Volume and inertia of solids against sums over thin slices across z.
#include <math.h>

#include "base/rng.h"
#include "sinew/model.h"
#include "support/check.h"

enum { SLICES = 20000, CASES = 200 };
static const double TOL_SLICES =
    1e-6; // of sums over so many: the round ends of a ball miss by n^-3/2
static const double PI = 3.14159265358979323846;

/// Area of a slice, and its integrals of x^2 and y^2.
typedef struct slice {
    double area, xx, yy;
} slice;

static slice slice_at(sn_shape_type type, sn_vec3 size, double z) {
    double beyond = type == SN_SHAPE_BOX ? 0 : fmax(0, fabs(z) - 0.5 * size.z), r = size.x;
    if (type == SN_SHAPE_BOX) {
        double area = size.x * size.y;
        return (slice){area, area * size.x * size.x / 12, area * size.y * size.y / 12};
    }
    if (type != SN_SHAPE_CYLINDER) r = sqrt(fmax(0, r * r - beyond * beyond));
    return (slice){PI * r * r, PI * r * r * r * r / 4, PI * r * r * r * r / 4};
}

static void check_solid(sn_shape_type type, sn_vec3 size, uint64_t seed) {
    bool caps = type == SN_SHAPE_SPHERE || type == SN_SHAPE_CAPSULE;
    double high = 0.5 * size.z + (caps ? size.x : 0), dz = 2 * high / SLICES;
    double volume = 0, xx = 0, yy = 0, zz = 0;
    for (int i = 0; i < SLICES; i++) {
        double z = (i + 0.5) * dz - high;
        slice s = slice_at(type, size, z);
        volume += s.area * dz;
        xx += s.xx * dz;
        yy += s.yy * dz;
        zz += s.area * z * z * dz;
    }
    double mass = 3.5, density = mass / volume;
    sn_inertia I = sn_inertia_solid(type, size, mass);
    CHECK_RELATIVE(sn_shape_volume(type, size), volume, TOL_SLICES, seed);
    CHECK_RELATIVE(I.I.m[0][0], density * (yy + zz), TOL_SLICES, seed);
    CHECK_RELATIVE(I.I.m[1][1], density * (xx + zz), TOL_SLICES, seed);
    CHECK_RELATIVE(I.I.m[2][2], density * (xx + yy), TOL_SLICES, seed);
    assert_true(I.mass == mass && sn_vec3_norm(I.com) == 0);
}

static void solids_weigh_and_turn_as_their_parts_do(void** state) {
    (void)state;
    static const sn_shape_type types[] = {SN_SHAPE_SPHERE, SN_SHAPE_BOX, SN_SHAPE_CYLINDER,
                                          SN_SHAPE_CAPSULE};
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        sni_rng rng = {seed};
        for (int t = 0; t < 4; t++) {
            double unit = pow(10, sni_rng_uniform(&rng, -3, 3));
            sn_vec3 size;
            size.x = unit * sni_rng_uniform(&rng, 0.5, 1.5);
            size.y = unit * sni_rng_uniform(&rng, 0.5, 1.5);
            size.z = unit * sni_rng_uniform(&rng, 0.5, 1.5);
            if (types[t] != SN_SHAPE_BOX) size.y = 0;
            if (types[t] == SN_SHAPE_SPHERE) size.z = 0;
            check_solid(types[t], size, seed);
        }
    }
}

static void a_capsule_without_length_is_a_ball(void** state) {
    (void)state;
    sn_vec3 size = {0.3, 0, 0};
    sn_inertia capsule = sn_inertia_solid(SN_SHAPE_CAPSULE, size, 2);
    sn_inertia ball = sn_inertia_sphere(2, 0.3);
    for (int k = 0; k < 3; k++) CHECK_NEAR(capsule.I.m[k][k], ball.I.m[k][k], 1e-15, 0);
    CHECK_NEAR(sn_shape_volume(SN_SHAPE_CAPSULE, size), sn_shape_volume(SN_SHAPE_SPHERE, size),
               1e-15, 0);
    assert_true(sn_shape_volume(SN_SHAPE_PLANE, size) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_weigh_and_turn_as_their_parts_do),
        cmocka_unit_test(a_capsule_without_length_is_a_ball),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
