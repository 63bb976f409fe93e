// SPDX-License-Identifier: Apache-2.0
// Light bodies between heavy ones: divide and conquer keeps its digits by refinement, tells the user when it
// gets worse, and gives way to the articulated-body algorithm when nothing helps.
#include <stdio.h>
#include <string.h>

#include "support/fixture.h"

enum { LINKS = 12, ACCURATE = 60 };

/// A chain whose links are heavy and light in turn.
static fixture* alternating(double ratio, uint64_t seed) {
    test_rng rng = test_rng_make(seed);
    sn_model_builder* builder = sn_model_builder_create("alternating");
    char name[2][16] = {"", ""};
    for (int i = 0; i < LINKS; i++) {
        (void)snprintf(name[i % 2], sizeof name[0], "link%d", i);
        sn_body_def def = test_random_body(&rng, name[i % 2], i > 0 ? name[(i + 1) % 2] : NULL,
                                           SN_JOINT_REVOLUTE);
        double mass = i % 2 ? 1 / ratio : 1;
        def.inertia = sn_inertia_moved(sn_pose_make(sn_mat3_identity(), test_vec3(&rng, 0.3)),
                                       sn_inertia_box(mass, sn_vec3_make(0.3, 0.2, 0.4)));
        memset(def.joint.armature, 0, sizeof def.joint.armature);
        CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
    }
    return fixture_create(test_compile(builder), test_units_si(), seed);
}

static double error_of(fixture* f, const char* algorithm) {
    sn_dynamics* d = test_dynamics(f->model, algorithm);
    sn_dynamics_set_gravity(d, f->gravity);
    CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, f->x), SN_OK);
    CHECK(oracle_forward(f->o, f->tau_l, f->x_l, NULL), f->seed);
    sn_dynamics_free(d);
    return relative_error(f->x, f->x_l, f->unit_qdd, f->nv);
}

static void dca_is_accurate_up_to_a_ratio_of_a_million(void** state) {
    (void)state;
    for (int m = 0; m < 40; m++) {
        static const double ratios[] = {1, 1e2, 1e3, 1e4, 1e5, 9e5};
        fixture* f = alternating(ratios[m % 6], test_case_seed(ACCURATE, (uint64_t)m));
        CHECK_NEAR(error_of(f, "dca"), 0, TOL_SOLVE, f->seed);
        fixture_free(f);
    }
}

static void the_user_is_told_and_aba_takes_over(void** state) {
    (void)state;
    static const char* const asked[] = {"dca", "adaptive"};
    for (int a = 0; a < 2; a++) {
        fixture* f = alternating(1e3, 1);
        sn_dynamics* d = test_dynamics(f->model, asked[a]);
        CHECK(strcmp(sn_dynamics_name(d), asked[a]) == 0 && !*sn_dynamics_advice(d), 0);
        sn_dynamics_free(d);
        fixture_free(f);
        f = alternating(1e5, 1);
        d = test_dynamics(f->model, asked[a]);
        CHECK(strcmp(sn_dynamics_name(d), asked[a]) == 0, 0);
        CHECK(strstr(sn_dynamics_advice(d), "link") != NULL, 0);
        sn_dynamics_free(d);
        fixture_free(f);
        f = alternating(1e8, 1);
        d = test_dynamics(f->model, asked[a]);
        CHECK(strcmp(sn_dynamics_name(d), "aba") == 0, 0);
        CHECK(strstr(sn_dynamics_advice(d), "'aba' is used instead") != NULL, 0);
        sn_dynamics_free(d);
        sn_world_def def = sn_world_def_default();
        sn_world* world = NULL;
        def.dynamics = asked[a];
        CHECK_STATUS(sn_world_create(f->model, &def, &world, NULL), SN_OK);
        CHECK(*sn_world_advice(world), 0);
        test_run(world, 5);
        sn_world_free(world);
        fixture_free(f);
    }
    fixture* f = alternating(1e8, 1);
    sn_dynamics* d = test_dynamics(f->model, "aba");
    CHECK(!*sn_dynamics_advice(d), 0); // it does not mind
    sn_dynamics_free(d);
    fixture_free(f);
}

int main(void) {
    (void)test_seed(); // print it first
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dca_is_accurate_up_to_a_ratio_of_a_million),
        cmocka_unit_test(the_user_is_told_and_aba_takes_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
