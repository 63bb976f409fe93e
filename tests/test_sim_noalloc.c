// SPDX-License-Identifier: Apache-2.0
// Nothing is allocated or freed inside a step.
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "sinew/delassus.h"
#include "sinew/generate.h"
#include "sinew/load.h"
#include "sinew/world.h"
#include "support/check.h"
#include "support/fixture.h"
#include "support/loading.h"
#include "support/noalloc.h"

/// Everything the sim, io and host threads may do between two steps of a running world.
static void step_without_allocating(sn_world* world, const double* zero_force) {
    sn_command c;
    sn_step_report report;
    memset(&c, 0, sizeof c);
    c.type = SN_COMMAND_WRENCH;
    c.wrench.f.x = 1;
    armed = true;
    sn_status posted = sn_world_post(world, &c);
    sn_status status = sn_world_step(world, &report);
    const sn_snapshot* snapshot = sn_world_snapshot(world);
    sn_pose pose = sn_snapshot_pose(snapshot, sn_body(0));
    sn_energy energy = sn_world_energy(world);
    sn_momentum momentum = sn_world_momentum(world);
    uint64_t hash = sn_world_hash(world);
    sn_status forced = sn_world_set_force(world, zero_force);
    sn_status wrenched = sn_world_set_wrench(world, sn_body(0), SN_AXES_WORLD, sn_wrench_zero());
    sn_status locked = sn_world_lock(world, sn_body(0), hash % 2 == 0);
    armed = false;
    CHECK_STATUS(posted, SN_OK);
    CHECK_STATUS(status, SN_OK);
    CHECK_STATUS(forced, SN_OK);
    CHECK_STATUS(wrenched, SN_OK);
    CHECK_STATUS(locked, SN_OK);
    CHECK(pose.p.x == pose.p.x && energy.kinetic == energy.kinetic && momentum.mass > 0, 0);
}

static void check_model(const sn_model* model) {
    double* zero = calloc((size_t)sn_model_nv(model) + 1, sizeof *zero);
    for (int a = 0; sn_dynamics_algorithm(a); a++) {
        for (int i = 0; i < SN_INTEGRATOR_COUNT; i++) {
            sn_world_def def = sn_world_def_default();
            sn_world* world = NULL;
            sn_error error;
            def.dynamics = sn_dynamics_algorithm(a);
            def.integrator = (sn_integrator)i;
            def.adaptivity.max_active = 1 + sn_model_body_count(model) / 3; // some sleep
            def.adaptivity.period = 3;
            def.step = 1e-4;
            CHECK_STATUS(sn_world_create(model, &def, &world, &error), SN_OK);
            violations = 0;
            for (int step = 0; step < 10; step++) step_without_allocating(world, zero);
            if (violations)
                print_error("%s, %s, %s: %ld calls\n", sn_model_name(model), def.dynamics,
                            sn_integrator_name(def.integrator), violations);
            CHECK(violations == 0, 0);
            sn_world_free(world);
        }
    }
    free(zero);
}

static void the_allocator_is_watched(void** state) {
    (void)state;
    // or the tests below could not fail: creating a world allocates, through the wrapper
    sn_model* model = test_generate(SN_GENERATE_CHAIN, 3, 1, false, false, test_units_si());
    violations = 0;
    armed = true;
    sn_world* world = NULL;
    sn_world_def def = sn_world_def_default();
    sn_status status = sn_world_create(model, &def, &world, NULL);
    sn_world_free(world);
    armed = false;
    CHECK_STATUS(status, SN_OK);
    CHECK(violations > 1, 0);
    sn_model_free(model);
}

static void check_file(const char* path) {
    sn_model* model = NULL;
    sn_error error;
    sn_load_def def = sn_load_def_default();
    sn_status status = sn_model_load(path, &def, &model, &error);
    if (status != SN_OK) print_error("%s:%d: %s\n", path, error.line, error.text);
    CHECK_STATUS(status, SN_OK);
    check_context(path);
    check_model(model);
    check_context(NULL);
    sn_model_free(model);
}

static void no_shipped_model_allocates_in_a_step(void** state) {
    (void)state;
    CHECK(for_each_file(SN_TEST_MODELS_DIR, ".urdf", check_file) > 0, 0);
    CHECK(for_each_file(SN_TEST_MODELS_DIR, ".json", check_file) > 0, 0);
}

static void no_generated_model_allocates_in_a_step(void** state) {
    (void)state;
    for (int shape = 0; shape < SN_GENERATE_COUNT; shape++) {
        sn_model* model =
            test_generate((sn_generate_shape)shape, 20, 3, shape % 2 == 0, true, test_units_si());
        check_model(model);
        sn_model_free(model);
    }
    test_rng rng = test_rng_make(test_case_seed(1000, 0));
    sn_model* model = test_all_joints(&rng, true, true);
    check_model(model);
    sn_model_free(model);
}

/// Every generated scene, falling, landing and at rest, with rays and near points between steps.
static void contact_does_not_allocate(void** state) {
    (void)state;
    static const char* const scenes[] = {"stack:4",    "apart:3", "pyramid:4",
                                         "dominoes:5", "cards:3", "heap:12"};
    for (size_t k = 0; k < sizeof scenes / sizeof scenes[0]; k++) {
        sn_pile_def scene = sn_pile_def_default();
        CHECK(sn_pile_parse(scenes[k], &scene), k);
        sn_model_builder* builder = sn_model_builder_create(scenes[k]);
        CHECK_STATUS(sn_generate_pile(&scene, builder), SN_OK);
        sn_model* model = NULL;
        CHECK_STATUS(sn_model_builder_compile(builder, NULL, &model, NULL), SN_OK);
        sn_world_def def = sn_world_def_default();
        def.contact.on = true;
        def.contact.collider.contacts = 60; // some are dropped
        def.contact.collider.patch_points = k % 2 ? 4 : 0;
        def.contact.workers = def.contact.solve.workers = 1;
        sn_world* world = NULL;
        CHECK_STATUS(sn_world_create(model, &def, &world, NULL), SN_OK);
        violations = 0;
        armed = true;
        for (int step = 0; step < 900; step++) {
            sn_step_report report;
            sn_ray_hit hit;
            sn_near_point near[4];
            if (sn_world_step(world, &report)) violations++;
            sn_collider* collider = sn_world_collider(world);
            sn_vec3 p = sn_vec3_make(0, 0, 0.3), down = sn_vec3_make(0, 0, -1);
            (void)sn_collider_ray(collider, p, down, 10, ~0u,
                                  &hit); // only what it allocates counts
            (void)sn_collider_near(collider, p, 0.1, ~0u, near, 4);
        }
        armed = false;
        CHECK(violations == 0, k);
        sn_world_free(world);
        sn_model_free(model);
        sn_model_builder_free(builder);
    }
}

static void a_fault_does_not_allocate_either(void** state) {
    (void)state;
    sn_model* model = test_generate(SN_GENERATE_CHAIN, 3, 1, false, false, test_units_si());
    sn_world* world = test_world(model, 1e-3, SN_INTEGRATE_EULER, sn_vec3_zero());
    const double huge[3] = {1e308, 1e308, 1e308}, still[3] = {0, 0, 0};
    CHECK_STATUS(sn_world_set_force(world, huge), SN_OK);
    violations = 0;
    armed = true;
    sn_status first = sn_world_step(world, NULL), second = sn_world_step(world, NULL);
    sn_status reset = sn_world_set_state(world, NULL, still);
    armed = false;
    CHECK_STATUS(first, SN_ERR_NUMERIC);
    CHECK_STATUS(second, SN_ERR_FAULT);
    CHECK_STATUS(reset, SN_OK);
    CHECK(violations == 0, 0);
    sn_world_free(world);
    sn_model_free(model);
}

static void dynamics_do_not_allocate_after_creation(void** state) {
    (void)state;
    uint64_t seed = test_case_seed(1000, 1);
    test_rng rng = test_rng_make(seed);
    fixture* f = fixture_create(test_all_joints(&rng, true, true), test_units_si(), seed);
    for (int a = 0; sn_dynamics_algorithm(a); a++) {
        sn_dynamics* dynamics = test_dynamics(f->model, sn_dynamics_algorithm(a));
        sn_body_wrench impulse = {sn_body(1), test_random_wrench(&f->rng, f->u)};
        const sn_body_id bodies[2] = {{0}, {3}};
        double Lambda[144];
        int bad = 0;
        violations = 0;
        armed = true;
        bad += sn_dynamics_set_wrench(dynamics, sn_body(2), SN_AXES_WORLD, impulse.wrench) != SN_OK;
        bad += sn_dynamics_lock(dynamics, sn_body(4), true) != SN_OK;
        bad += sn_dynamics_forward(dynamics, f->q, f->v, f->tau, f->x) != SN_OK;
        bad += sn_dynamics_impulse(dynamics, f->tau, &impulse, 1, f->x) != SN_OK;
        bad += sn_dynamics_response(dynamics, bodies, 2, Lambda) != SN_OK;
        bad += sn_dynamics_inverse(dynamics, f->q, f->v, f->qdd, f->x) != SN_OK;
        bad += sn_dynamics_mass_matrix(dynamics, f->q, f->A) != SN_OK;
        bad += sn_dynamics_kinematics(dynamics, f->q, f->v) != SN_OK;
        bad += !(sn_dynamics_energy(dynamics).kinetic > 0);
        bad += !(sn_dynamics_momentum(dynamics).mass > 0);
        sn_dynamics_passive_force(dynamics, f->q, f->v, f->x);
        sn_dynamics_clear_wrenches(dynamics);
        armed = false;
        CHECK(bad == 0, seed);
        CHECK(violations == 0, seed);
        sn_dynamics_free(dynamics);
    }
    fixture_free(f);
}

static void the_delassus_operator_does_not_allocate_after_creation(void** state) {
    (void)state;
    uint64_t seed = test_case_seed(1000, 2);
    test_rng rng = test_rng_make(seed);
    fixture* f = fixture_create(test_all_joints(&rng, true, true), test_units_si(), seed);
    const sn_delassus_capacity most = {3, 2, 8};
    double C[48], W[64], x[8] = {1}, Omega[18 * 18];
    for (int i = 0; i < 48; i++) C[i] = test_normal(&rng);
    const sn_body_id bodies[3] = {{0}, {3}, {5}};
    const sn_delassus_rows groups[2] = {{bodies[0], bodies[1], 3, C, C + 18},
                                        {bodies[2], sn_body_world(), 5, C, NULL}};
    for (int m = 0; sn_delassus_method(m); m++) {
        const char* method = sn_delassus_method(m);
        sn_dynamics* d = test_dynamics(f->model, strcmp(method, "tree") == 0 ? "dca" : "aba");
        sn_delassus* w = NULL;
        CHECK_STATUS(sn_delassus_create(d, method, &most, &w, NULL), SN_OK);
        int bad = 0;
        violations = 0;
        armed = true;
        bad += sn_dynamics_forward(d, f->q, f->v, f->tau, f->x) != SN_OK;
        bad += sn_delassus_matrix(w, groups, 2, W) != SN_OK;
        bad += sn_delassus_apply(w, groups, 2, x, x) != SN_OK;
        bad += sn_delassus_response(w, bodies, 3, Omega) != SN_OK;
        sn_twist twists[3];
        bad += sn_dynamics_twists(d, f->v, bodies, 3, twists) != SN_OK;
        armed = false;
        CHECK(bad == 0, seed);
        CHECK(violations == 0, seed);
        sn_delassus_free(w);
        sn_dynamics_free(d);
    }
    fixture_free(f);
}

int main(void) {
    (void)test_seed(); // print it first
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_allocator_is_watched),
        cmocka_unit_test(no_shipped_model_allocates_in_a_step),
        cmocka_unit_test(no_generated_model_allocates_in_a_step),
        cmocka_unit_test(contact_does_not_allocate),
        cmocka_unit_test(a_fault_does_not_allocate_either),
        cmocka_unit_test(dynamics_do_not_allocate_after_creation),
        cmocka_unit_test(the_delassus_operator_does_not_allocate_after_creation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
