// SPDX-License-Identifier: Apache-2.0
// Force fields in the step: they do what the same wrenches would do, add to the user's, and stop the world when they
// are not finite.
#include <math.h>
#include <string.h>

#include "sinew/generate.h"
#include "sinew/world.h"
#include "support/check.h"
#include "support/fixture.h"

/// A force on every body that depends on where it is, how fast, and on the step.
typedef struct pull {
    double stiffness, friction, turn;
    int fail_at; ///< step at which it is not finite; -1: never
    sn_body_id only;
} pull;

static sn_status compute_pull(void* context, const sn_dynamics* d, uint64_t step, sn_wrench* w) {
    const pull* p = context;
    for (int i = 0; i < sn_model_body_count(sn_dynamics_model(d)); i++) {
        if (p->only.i >= 0 && p->only.i != i) continue;
        sn_pose X = sn_dynamics_pose(d, sn_body(i));
        sn_vec3 v = sn_mat3_apply(X.R, sn_dynamics_velocity(d, sn_body(i)).v);
        w[i].f = sn_vec3_add(sn_vec3_scale(-p->stiffness, X.p), sn_vec3_scale(-p->friction, v));
        w[i].n = sn_vec3_make(0, p->turn, 0);
        if (p->fail_at >= 0 && step >= (uint64_t)p->fail_at) w[i].f.x = NAN;
    }
    return SN_OK;
}

static sn_model* random_model(int count, uint64_t seed) {
    sn_generate_def def = sn_generate_def_default();
    sn_model_builder* builder = sn_model_builder_create("random");
    sn_model* model;
    sn_error error;
    def.shape = SN_GENERATE_CATERPILLAR;
    def.count = count;
    def.seed = seed;
    CHECK_STATUS(sn_generate(&def, builder), SN_OK);
    CHECK_STATUS(sn_model_builder_compile(builder, NULL, &model, &error), SN_OK);
    sn_model_builder_free(builder);
    return model;
}

static sn_world* world_of(const sn_model* model, const char* dynamics, int active,
                          sn_integrator integrator) {
    sn_world_def def = sn_world_def_default();
    sn_world* world;
    sn_error error;
    def.dynamics = dynamics;
    def.integrator = integrator;
    def.field = true;
    def.gravity = sn_vec3_zero();
    if (active > 0) def.adaptivity.max_active = active;
    CHECK_STATUS(sn_world_create(model, &def, &world, &error), SN_OK);
    return world;
}

static void set_pull(sn_world* world, pull* p) {
    sn_field field = {"pull", compute_pull, p, NULL, NULL};
    CHECK_STATUS(sn_world_set_field(world, &field), SN_OK);
}

/// The same wrenches, set before every step.
static void step_by_hand(sn_world* world, const pull* p, int steps) {
    int n = sn_model_body_count(sn_world_model(world));
    sn_wrench* w = calloc((size_t)n, sizeof *w);
    for (int s = 0; s < steps; s++) {
        memset(w, 0, (size_t)n * sizeof *w);
        CHECK_STATUS(compute_pull((void*)p, sn_world_dynamics(world), (uint64_t)s, w), SN_OK);
        for (int i = 0; i < n; i++)
            CHECK_STATUS(sn_world_set_wrench(world, sn_body(i), SN_AXES_WORLD, w[i]), SN_OK);
        CHECK_STATUS(sn_world_step(world, NULL), SN_OK);
    }
    free(w);
}

static void a_field_does_what_the_same_wrenches_do(void** state) {
    (void)state;
    static const char* const names[] = {"aba", "crba", "dca", "reference", "adaptive"};
    for (int k = 0; k < 5; k++) {
        check_context(names[k]);
        sn_model* model = random_model(12, 7);
        pull p = {30, 0.5, 0.2, -1, sn_body_world()};
        sn_world* field = world_of(model, names[k], 0, SN_INTEGRATE_EULER);
        sn_world* hand = world_of(model, names[k], 0, SN_INTEGRATE_EULER);
        set_pull(field, &p);
        test_run(field, 200);
        step_by_hand(hand, &p, 200);
        CHECK_VECTOR(sn_world_q(field), sn_world_q(hand), sn_model_nq(model), TOL_SOLVE, 7);
        CHECK_VECTOR(sn_world_v(field), sn_world_v(hand), sn_model_nv(model), 1e-8, 7);
        CHECK(fabs(sn_world_q(field)[3]) > 1e-3, 7); // something happened
        sn_world_free(field);
        sn_world_free(hand);
        sn_model_free(model);
    }
}

static void few_active_joints_feel_the_field_of_what_sleeps(void** state) {
    (void)state;
    sn_model* model = random_model(40, 3);
    pull p = {30, 0.5, 0.2, -1, sn_body_world()};
    sn_world* field = world_of(model, "adaptive", 8, SN_INTEGRATE_EULER);
    sn_world* hand = world_of(model, "adaptive", 8, SN_INTEGRATE_EULER);
    set_pull(field, &p);
    test_run(field, 50);
    step_by_hand(hand, &p, 50); // sets wrenches, so that it chooses anew in every step
    CHECK(sn_world_active(field, NULL, 0) == 8, 3);
    // one step from the same state and with the same joints awake gives the same
    CHECK_STATUS(sn_world_set_state(hand, sn_world_q(field), sn_world_v(field)), SN_OK);
    CHECK_STATUS(sn_world_set_state(field, sn_world_q(field), sn_world_v(field)), SN_OK);
    test_run(field, 1);
    step_by_hand(hand, &p, 1);
    CHECK_VECTOR(sn_world_v(field), sn_world_v(hand), sn_model_nv(model), 1e-8, 3);
    sn_world_free(field);
    sn_world_free(hand);
    sn_model_free(model);
}

static void a_field_wakes_joints_at_once(void** state) {
    (void)state;
    sn_model* model = random_model(20, 4);
    pull p = {30, 0.5, 0.2, -1, sn_body_world()};
    sn_world* world = world_of(model, "adaptive", 5, SN_INTEGRATE_EULER);
    CHECK(sn_world_active(world, NULL, 0) == 0, 4); // nothing acts yet
    set_pull(world, &p);
    test_run(world, 1);
    CHECK(sn_world_active(world, NULL, 0) == 5, 4);
    sn_world_free(world);
    sn_model_free(model);
}

static double spring_energy(sn_world* world, double stiffness) {
    double sum = sn_world_energy(world).kinetic;
    for (int i = 0; i < sn_model_body_count(sn_world_model(world)); i++) {
        sn_vec3 x = sn_dynamics_pose(sn_world_dynamics(world), sn_body(i)).p;
        sum += 0.5 * stiffness * sn_vec3_dot(x, x);
    }
    return sum;
}

static void integrators_look_at_the_field_between_two_steps(void** state) {
    (void)state;
    static const struct {
        sn_integrator integrator;
        double most; ///< relative drift of energy over a second of 1 ms steps
    } cases[] = {{SN_INTEGRATE_RK4, 1e-8}, {SN_INTEGRATE_MIDPOINT, 1e-4}};
    for (int k = 0; k < 2; k++) {
        sn_model* model = random_model(6, 5);
        pull p = {20, 0, 0, -1, sn_body_world()};
        sn_world* world = world_of(model, NULL, 0, cases[k].integrator);
        double q[16] = {0.4, -0.3, 0.2, 0.5, -0.2, 0.3};
        CHECK_STATUS(sn_world_set_state(world, q, NULL), SN_OK);
        set_pull(world, &p);
        double before = spring_energy(world, p.stiffness);
        test_run(world, 1000);
        CHECK_RELATIVE(spring_energy(world, p.stiffness), before, cases[k].most, (uint64_t)k);
        sn_world_free(world);
        sn_model_free(model);
    }
}

static void a_field_and_a_wrench_of_the_user_add_up(void** state) {
    (void)state;
    sn_model* model = random_model(5, 2);
    pull p = {0, 0, 0.4, -1, sn_body(4)};
    sn_wrench half = sn_wrench_make(sn_vec3_make(0, 0.2, 0), sn_vec3_zero());
    sn_world* a = world_of(model, NULL, 0, SN_INTEGRATE_EULER);
    sn_world* b = world_of(model, NULL, 0, SN_INTEGRATE_EULER);
    CHECK_STATUS(sn_world_set_wrench(a, sn_body(4), SN_AXES_WORLD, sn_wrench_scale(3, half)),
                 SN_OK);
    CHECK_STATUS(sn_world_set_wrench(b, sn_body(4), SN_AXES_WORLD, half), SN_OK);
    set_pull(b, &p);
    test_run(a, 100);
    test_run(b, 100);
    CHECK_VECTOR(sn_world_q(a), sn_world_q(b), sn_model_nq(model), TOL_SOLVE, 2);
    // without the field the user's stays
    CHECK_STATUS(sn_world_set_field(b, NULL), SN_OK);
    CHECK_STATUS(sn_world_set_state(b, sn_world_q(a), sn_world_v(a)), SN_OK);
    CHECK_STATUS(sn_world_set_wrench(a, sn_body(4), SN_AXES_WORLD, half), SN_OK);
    test_run(a, 10);
    test_run(b, 10);
    CHECK_VECTOR(sn_world_q(a), sn_world_q(b), sn_model_nq(model), TOL_SOLVE, 2);
    sn_world_free(a);
    sn_world_free(b);
    sn_model_free(model);
}

static void a_field_that_is_not_finite_stops_the_world(void** state) {
    (void)state;
    sn_model* model = random_model(5, 2);
    pull p = {1, 0, 0.4, 10, sn_body_world()};
    sn_world* world = world_of(model, NULL, 0, SN_INTEGRATE_EULER);
    set_pull(world, &p);
    test_run(world, 10);
    double q = sn_world_q(world)[0];
    sn_step_report report;
    CHECK_STATUS(sn_world_step(world, &report), SN_ERR_NUMERIC);
    CHECK(report.events & SN_EVENT_NOT_FINITE, 0);
    CHECK(strstr(sn_world_fault(world), "force field 'pull'") != NULL, 0);
    CHECK(sn_world_q(world)[0] == q, 0); // the last good state
    sn_world_free(world);
    sn_world_def def = sn_world_def_default();
    sn_error error;
    sn_field field = {"pull", compute_pull, &p, NULL, NULL};
    CHECK_STATUS(sn_world_create(model, &def, &world, &error), SN_OK);
    CHECK_STATUS(sn_world_set_field(world, &field), SN_ERR_ARGUMENT); // no room
    sn_world_free(world);
    sn_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_field_does_what_the_same_wrenches_do),
        cmocka_unit_test(few_active_joints_feel_the_field_of_what_sleeps),
        cmocka_unit_test(a_field_wakes_joints_at_once),
        cmocka_unit_test(integrators_look_at_the_field_between_two_steps),
        cmocka_unit_test(a_field_and_a_wrench_of_the_user_add_up),
        cmocka_unit_test(a_field_that_is_not_finite_stops_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
