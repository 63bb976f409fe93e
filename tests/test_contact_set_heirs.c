// SPDX-License-Identifier: Apache-2.0
// Impulses of contacts that got other ids, or became one with another: they are found where they were.
#include <math.h>
#include <string.h>

#include "support/contact_scene.h"

enum {
    // first argument of test_case_seed
    RENAMED = 970,
    MERGED
};

enum { POINTS = 12 };

/// Points under a box that stands on the floor, some of them twice.
typedef struct points {
    int32_t count;
    sn_vec3 x[2 * POINTS];
    uint64_t id[2 * POINTS];
} points;

static void add_points(scene* s, void* context) {
    const points* p = context;
    for (int32_t i = 0; i < p->count; i++) {
        sn_contact contact = sn_contact_make(p->id[i], sn_body(0), sn_body_world(), p->x[i],
                                             sn_vec3_make(0, 0, 1), 0, sn_material_default());
        scene_add(s, &contact);
    }
}

/// More than hold it, so that what each carries is a matter of the start.
static points random_points(test_rng* rng) {
    points p = {.count = POINTS};
    for (int32_t i = 0; i < POINTS; i++) {
        double x = test_uniform(rng, 0.05, 0.2), y = test_uniform(rng, 0.05, 0.2);
        p.x[i] = sn_vec3_make(i & 1 ? x : -x, i & 2 ? y : -y, 0);
        p.id[i] = (uint64_t)i + 1;
    }
    return p;
}

/// A box on the floor that leans against its friction, solved once.
static scene* standing_box(test_rng* rng, points* p) {
    sn_contact_set_def def = sn_contact_set_def_default();
    scene* s = scene_create(scene_box(2, sn_vec3_make(0.4, 0.4, 0.1)), &def, 1e-3);
    sn_dynamics_set_gravity(s->d, sn_vec3_make(test_uniform(rng, -2, 2), 1, -9.81));
    s->q[2] = 0.05;
    scene_impulses(s, add_points, p);
    CHECK(s->report.solve.converged && s->report.known == 0, 0);
    memset(s->v, 0, (size_t)s->nv * sizeof *s->v);
    return s;
}

/// Iterations of the same step again.
static int64_t again(scene* s, points* p) {
    scene_impulses(s, add_points, p);
    CHECK(s->report.solve.converged, 0);
    memset(s->v, 0, (size_t)s->nv * sizeof *s->v);
    return s->report.iterations;
}

static void a_contact_with_another_id_starts_from_what_was_there(void** state) {
    (void)state;
    for (int k = 0; k < 200; k++) {
        uint64_t seed = test_case_seed(RENAMED, (uint64_t)k);
        test_rng rng = test_rng_make(seed);
        points p = random_points(&rng);
        scene* s = standing_box(&rng, &p);
        int64_t cold = s->report.iterations, warm = again(s, &p);
        int32_t renamed = 0;
        double r[3 * POINTS];
        memcpy(r, sn_contact_set_impulses(s->set), sizeof r);
        for (int32_t i = 0; i < POINTS; i++) {
            if (test_uniform(&rng, 0, 1) > 0.5) continue;
            p.id[i] += 1000;
            p.x[i].x += test_uniform(&rng, -1e-9, 1e-9);
            renamed++;
        }
        CHECK(again(s, &p) <= warm + 2 && warm + 2 < cold, seed);
        CHECK(s->report.known == POINTS - renamed, seed);
        CHECK_VECTOR(sn_contact_set_impulses(s->set), r, 3 * POINTS, 1e-6, seed);
        scene_free(s);
    }
}

static void contacts_that_become_one_carry_together(void** state) {
    (void)state;
    for (int k = 0; k < 200; k++) {
        uint64_t seed = test_case_seed(MERGED, (uint64_t)k);
        test_rng rng = test_rng_make(seed);
        points p = random_points(&rng), twice = {.count = 2 * POINTS};
        for (int32_t i = 0; i < 2 * POINTS; i++) {
            twice.x[i] = p.x[i / 2];
            twice.id[i] = i % 2 ? (uint64_t)i + 100 : p.id[i / 2];
        }
        scene* s = standing_box(&rng, &twice);
        int64_t cold = s->report.iterations, warm = again(s, &twice);
        double r[3 * POINTS];
        for (int32_t i = 0; i < 3 * POINTS; i++) {
            const double* both = sn_contact_set_impulses(s->set) + (ptrdiff_t)6 * (i / 3) + i % 3;
            r[i] = both[0] + both[3];
        }
        CHECK(again(s, &p) <= warm + 2 && warm + 2 < cold, seed);
        CHECK_VECTOR(sn_contact_set_impulses(s->set), r, 3 * POINTS, 1e-6, seed);
        scene_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contact_with_another_id_starts_from_what_was_there),
        cmocka_unit_test(contacts_that_become_one_carry_together),
    };
    return cmocka_run_group_tests_name("contact_set_heirs", tests, NULL, NULL);
}
