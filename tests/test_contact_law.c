// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "contact/sn_contact.h"
#include "support/check.h"

enum { CASES = 400, TEST_PROJECTION = 1, TEST_NEAREST, TEST_MOREAU, TEST_MAP, TEST_VIOLATION };

static double any(sni_rng* rng, double size) { return sni_rng_uniform(rng, -size, size); }

static sn_contact_law random_law(sni_rng* rng) {
    sn_contact_law law = sn_contact_law_make((sn_contact_kind)sni_rng_index(rng, 5));
    if (law.kind == SN_CONTACT_EQUAL) law.rows = 1 + sni_rng_index(rng, 6);
    law.mu = law.mu_kinetic = sni_rng_index(rng, 8) ? sni_rng_uniform(rng, 0, 1.5) : 0;
    law.spin = sni_rng_index(rng, 4) ? sni_rng_uniform(rng, 0, 0.5) : 0;
    law.roll = sni_rng_index(rng, 4) ? sni_rng_uniform(rng, 0, 0.5) : 0;
    law.carries = sni_rng_index(rng, 2);
    law.bound = sni_rng_uniform(rng, 0, 1);
    return law;
}

/// Lengths of the parts that r_n bounds, and their limits; how many there are.
static int parts_of(const sn_contact_law* law, const double* r, double length[3], double limit[3]) {
    if (law->kind != SN_CONTACT_POINT && law->kind != SN_CONTACT_PATCH) return 0;
    length[0] = hypot(r[1], r[2]), limit[0] = law->mu;
    if (law->kind == SN_CONTACT_POINT) return 1;
    length[1] = fabs(r[3]), limit[1] = law->spin;
    length[2] = hypot(r[4], r[5]), limit[2] = law->roll;
    return 3;
}

static bool is_allowed(const sn_contact_law* law, const double* r) {
    double length[3], limit[3];
    int parts = parts_of(law, r, length, limit);
    for (int k = 0; k < parts; k++)
        if (!(length[k] <= limit[k] * r[0] + TOL_ROUNDOFF)) return false;
    if (law->kind == SN_CONTACT_DRY) return fabs(r[0]) <= law->bound;
    return law->kind == SN_CONTACT_EQUAL || r[0] >= 0;
}

/// An impulse that the law allows.
static void random_allowed(sni_rng* rng, const sn_contact_law* law, double* r) {
    double length[3], limit[3];
    for (int k = 0; k < law->rows; k++) r[k] = any(rng, 2);
    if (law->kind == SN_CONTACT_DRY) r[0] = any(rng, law->bound);
    if (law->kind == SN_CONTACT_DRY || law->kind == SN_CONTACT_EQUAL) return;
    r[0] = fabs(r[0]);
    int parts = parts_of(law, r, length, limit);
    static const int first[3] = {1, 3, 4}, rows[3] = {2, 1, 2};
    for (int p = 0; p < parts; p++)
        for (int k = first[p]; k < first[p] + rows[p]; k++)
            r[k] *= limit[p] * r[0] * sni_rng_uniform(rng, 0, 1) / length[p];
}

// p is the projection of x on a convex set exactly when (x - p)(k - p) <= 0 for all k of the set.
static void a_projection_is_seen_at_an_obtuse_angle_from_everywhere(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(TEST_PROJECTION, (uint64_t)i);
        sni_rng rng = {seed};
        sn_contact_law law = random_law(&rng);
        double x[6], p[6], k[6];
        for (int j = 0; j < law.rows; j++) x[j] = any(&rng, 2);
        sn_contact_project(&law, 0, x, p);
        CHECK(is_allowed(&law, p), seed);
        for (int other = 0; other < 50; other++) {
            double product = 0;
            random_allowed(&rng, &law, k);
            for (int j = 0; j < law.rows; j++) product += (x[j] - p[j]) * (k[j] - p[j]);
            CHECK(product <= 50 * TOL_ROUNDOFF, seed);
        }
    }
}

/// Distance of x from the best allowed impulse with this r_n.
static double distance_at(const sn_contact_law* law, const double* x, double r_n) {
    double length[3], limit[3], sum = (x[0] - r_n) * (x[0] - r_n);
    int parts = parts_of(law, x, length, limit);
    for (int k = 0; k < parts; k++) {
        double out = fmax(0, length[k] - limit[k] * r_n);
        sum += out * out;
    }
    return sqrt(sum);
}

static void no_other_normal_impulse_is_nearer(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(TEST_NEAREST, (uint64_t)i);
        sni_rng rng = {seed};
        sn_contact_law law = random_law(&rng);
        if (law.kind != SN_CONTACT_POINT && law.kind != SN_CONTACT_PATCH) continue;
        double x[6], p[6], found = 0;
        for (int j = 0; j < law.rows; j++) x[j] = any(&rng, 2);
        sn_contact_project(&law, 0, x, p);
        for (int j = 0; j < law.rows; j++) found += (x[j] - p[j]) * (x[j] - p[j]);
        for (int step = 0; step <= 2000; step++)
            CHECK(sqrt(found) <= distance_at(&law, x, 0.005 * step) + TOL_ROUNDOFF, seed);
        CHECK_NEAR(distance_at(&law, x, p[0]), sqrt(found), TOL_ROUNDOFF, seed);
    }
}

static void what_a_cone_leaves_is_orthogonal_and_polar(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(TEST_MOREAU, (uint64_t)i);
        sni_rng rng = {seed};
        sn_contact_law law = random_law(&rng);
        if (law.kind == SN_CONTACT_DRY) continue; // an interval is no cone
        double x[6], p[6], rest[6], polar[6], product = 0;
        for (int j = 0; j < law.rows; j++) x[j] = any(&rng, 2);
        sn_contact_project(&law, 0, x, p);
        for (int j = 0; j < law.rows; j++) {
            rest[j] = x[j] - p[j];
            product += rest[j] * p[j];
        }
        CHECK_NEAR(product, 0, 20 * TOL_ROUNDOFF, seed);
        sn_contact_project(&law, 0, rest, polar);
        for (int j = 0; j < law.rows; j++) CHECK_NEAR(polar[j], 0, 20 * TOL_ROUNDOFF, seed);
    }
}

static void a_negative_normal_without_friction_is_nothing(void** state) {
    (void)state;
    sn_contact_law law = sn_contact_law_make(SN_CONTACT_POINT);
    const double x[3] = {-1, 0, 0};
    double r[3] = {9, 9, 9};
    sn_contact_project(&law, 0, x, r);
    for (int k = 0; k < 3; k++) assert_true(r[k] == 0);
}

// ---- natural map ----------------------------------------------------------------------------------------

/// u and r that obey the law, in one of its ways: apart, sticking, sliding.
static void random_obedient(sni_rng* rng, const sn_contact_law* law, double* r, double* u) {
    int way = sni_rng_index(rng, 3);
    for (int k = 0; k < 6; k++) r[k] = u[k] = 0;
    if (law->kind == SN_CONTACT_EQUAL) {
        for (int k = 0; k < law->rows; k++) r[k] = any(rng, 1);
    } else if (law->kind == SN_CONTACT_DRY) {
        u[0] = way ? any(rng, 1) : 0;
        r[0] = way ? -copysign(law->bound, u[0]) : any(rng, law->bound);
    } else if (way == 0) { // apart, turning and sliding as it likes; a foot must clear the ground
        for (int k = 1; k < law->rows; k++) u[k] = any(rng, 1);
        u[0] = sni_rng_uniform(rng, 0, 1);
        if (law->kind == SN_CONTACT_PATCH && law->carries) u[0] += law->roll * hypot(u[4], u[5]);
    } else {
        random_allowed(rng, law, r);
    }
    if (way < 2 || law->kind == SN_CONTACT_LIMIT) return;
    if (law->kind != SN_CONTACT_POINT && law->kind != SN_CONTACT_PATCH) return;
    double slide = sni_rng_uniform(rng, 0, 6.28), speed = sni_rng_uniform(rng, 0.1, 1);
    u[1] = speed * cos(slide), u[2] = speed * sin(slide);
    for (int k = 1; k < 3; k++) r[k] = -law->mu * r[0] * u[k] / speed;
    if (law->kind == SN_CONTACT_POINT) return;
    u[3] = any(rng, 1);
    r[3] = -copysign(law->spin * r[0], u[3]);
    u[4] = speed * sin(slide), u[5] = speed * cos(slide);
    for (int k = 4; k < 6; k++) r[k] = -law->roll * r[0] * u[k] / speed;
    if (law->carries) u[0] = law->roll * speed; // tips about its edge, which stays
}

static void the_natural_map_vanishes_where_the_law_is_obeyed(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(TEST_MAP, (uint64_t)i);
        sni_rng rng = {seed};
        sn_contact_law law = random_law(&rng);
        double r[6], u[6], F[6], scale = sni_rng_uniform(&rng, 0.1, 10);
        random_obedient(&rng, &law, r, u);
        if (law.kind == SN_CONTACT_POINT && r[0] > 0 && i % 2) { // viscous besides, mu of the speed
            double speed = hypot(u[1], u[2]), mu;
            law.viscous = 0.7, law.stribeck_speed = 0.3, law.mu_kinetic = 0.5 * law.mu;
            mu = law.mu_kinetic + (law.mu - law.mu_kinetic) * exp(-(speed * speed) / (0.3 * 0.3));
            for (int k = 1; k < 3; k++)
                if (speed > 0) r[k] = -mu * r[0] * u[k] / speed - law.viscous * u[k];
        }
        sni_law_defect(&law, scale, r, u, F);
        for (int k = 0; k < law.rows; k++) CHECK_NEAR(F[k], 0, 50 * TOL_ROUNDOFF, seed);
    }
}

/// How far r and u are from the conditions as they are written in (8.2), without projections.
static double violation(const sn_contact_law* law, const double* r, const double* u) {
    double worst = 0;
    if (law->kind == SN_CONTACT_EQUAL) {
        for (int k = 0; k < law->rows; k++) worst = fmax(worst, fabs(u[k]));
        return worst;
    }
    if (law->kind == SN_CONTACT_DRY) {
        worst = fmax(fabs(r[0]) - law->bound, 0);
        return fmax(worst, fmin(fabs(u[0]), fabs(r[0] + copysign(law->bound, u[0]))));
    }
    worst = fmax(fmax(-u[0], -r[0]), fmin(fabs(u[0]), fabs(r[0])));
    if (law->kind == SN_CONTACT_LIMIT) return worst;
    double speed = hypot(u[1], u[2]), most = law->mu * r[0];
    worst = fmax(worst, hypot(r[1], r[2]) - most);
    double slip = speed > 0 ? hypot(r[1] + most * u[1] / speed, r[2] + most * u[2] / speed) : 0;
    return fmax(worst, fmin(speed, slip));
}

static void the_natural_map_does_not_vanish_elsewhere(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(TEST_VIOLATION, (uint64_t)i);
        sni_rng rng = {seed};
        sn_contact_law law = random_law(&rng);
        if (law.kind == SN_CONTACT_PATCH) continue;
        double r[6], u[6], F[6], length = 0;
        random_obedient(&rng, &law, r, u);
        double* changed = sni_rng_index(&rng, 2) ? r : u;
        changed[sni_rng_index(&rng, law.rows)] += any(&rng, 0.5);
        double off = violation(&law, r, u);
        sni_law_defect(&law, 1, r, u, F);
        for (int k = 0; k < law.rows; k++) length += F[k] * F[k];
        CHECK(off <= 100 * sqrt(length) + TOL_ROUNDOFF, seed);
    }
}

static void friction_falls_from_rest_to_sliding(void** state) {
    (void)state;
    sn_contact_law law = sn_contact_law_make(SN_CONTACT_POINT);
    law.mu = 0.8, law.mu_kinetic = 0.5, law.stribeck_speed = 0.1;
    CHECK_NEAR(sni_law_mu(&law, 0), 0.8, 0, 0);
    CHECK_NEAR(sni_law_mu(&law, 0.1), 0.5 + 0.3 * exp(-1), TOL_ROUNDOFF, 0);
    CHECK_NEAR(sni_law_mu(&law, 10), 0.5, TOL_ROUNDOFF, 0);
}

int main(void) {
    (void)test_seed(); // print it first
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_projection_is_seen_at_an_obtuse_angle_from_everywhere),
        cmocka_unit_test(no_other_normal_impulse_is_nearer),
        cmocka_unit_test(what_a_cone_leaves_is_orthogonal_and_polar),
        cmocka_unit_test(a_negative_normal_without_friction_is_nothing),
        cmocka_unit_test(the_natural_map_vanishes_where_the_law_is_obeyed),
        cmocka_unit_test(the_natural_map_does_not_vanish_elsewhere),
        cmocka_unit_test(friction_falls_from_rest_to_sliding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
