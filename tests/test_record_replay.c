// SPDX-License-Identifier: Apache-2.0
// What was recorded comes out again, bit for bit: every kind of input, every integrator, contact, adaptive dynamics,
// bodies that come and go, and what a clock decided.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/random_state.h"
#include "support/recorded.h"

enum { INPUTS = 520, PILE, GROWING, CLOCK };

static test_units si;

static sn_wrench random_wrench(test_rng* rng) { return test_random_wrench(rng, si); }

// ---- inputs -----------------------------------------------------------------------------------------------------

/// One input of any kind that needs no contact. Some are posted, some done at once, as users do.
static void act(test_rng* rng, sn_world* world, double* numbers) {
    const sn_model* model = sn_world_model(world);
    sn_body_id body = sn_body(test_index(rng, sn_model_body_count(model)));
    sn_command command = {.body = body};
    static const sn_command_type types[] = {
        SN_COMMAND_WRENCH, SN_COMMAND_FORCE,  SN_COMMAND_LOCK,    SN_COMMAND_UNLOCK,
        SN_COMMAND_UNLOCK, SN_COMMAND_STATE,  SN_COMMAND_FORCES,  SN_COMMAND_GRAVITY,
        SN_COMMAND_WAKE,   SN_COMMAND_WRENCH, SN_COMMAND_CONTROL, SN_COMMAND_SOLVE,
    };
    command.type = types[test_index(rng, (int)(sizeof types / sizeof *types))];
    command.axes = test_chance(rng, 0.5) ? SN_AXES_BODY : SN_AXES_WORLD;
    command.wrench = random_wrench(rng);
    command.vector = test_vec3(rng, 10);
    command.tolerance = 1e-6;
    command.iterations[0] = 50;
    for (int k = 0; k < SN_JOINT_MAX_NV; k++) command.force[k] = test_normal(rng);
    for (int k = 0; k < sn_model_nv(model); k++) numbers[k] = test_normal(rng);
    command.v = numbers;
    if (test_chance(rng, 0.5)) {
        CHECK_STATUS(sn_world_apply(world, &command), SN_OK);
    } else {
        CHECK_STATUS(sn_world_post(world, &command), SN_OK);
    }
}

static void replay_inputs(const char* name, const char* dynamics, sn_integrator integrator,
                          bool contact, uint64_t index) {
    uint64_t seed = test_case_seed(INPUTS, index);
    test_rng rng = test_rng_make(seed);
    sn_model* model = test_all_joints(&rng, true, true);
    sn_world_def def = sn_world_def_default();
    def.dynamics = dynamics;
    def.adaptivity.max_active = 6;
    def.adaptivity.period = 7;
    def.integrator = integrator;
    def.step = 1e-4;
    def.contact.on = contact;
    recorded r = recorded_make(name, model, &def);
    r.options.every = 3;
    double* numbers = calloc((size_t)sn_model_nq(model), sizeof *numbers);
    test_random_q(&rng, model, si, numbers);
    CHECK_STATUS(sn_world_set_state(r.world, numbers, NULL), SN_OK);
    for (int k = 0; k < 5; k++) act(&rng, r.world, numbers); // before it begins
    (void)sn_world_set_wrench(r.world, sn_body(1), SN_AXES_WORLD, random_wrench(&rng));
    recorded_begin(&r);
    for (int k = 0; k < 600; k++) {
        if (test_chance(&rng, 0.2)) act(&rng, r.world, numbers);
        recorded_step(&r);
    }
    recorded_end(&r);
    recorded_verify(&r);
    recorded_free(&r);
    free(numbers);
    sn_model_free(model);
}

static void inputs_of_every_kind_are_replayed_with_every_integrator(void** state) {
    (void)state;
    replay_inputs("euler", "aba", SN_INTEGRATE_EULER, false, 0);
    replay_inputs("rk4", "aba", SN_INTEGRATE_RK4, false, 1);
    replay_inputs("midpoint", "crba", SN_INTEGRATE_MIDPOINT, false, 2);
    replay_inputs("contact", "aba", SN_INTEGRATE_EULER, true, 3);
    replay_inputs("dca", "dca", SN_INTEGRATE_EULER, false, 4);
}

static void adaptive_dynamics_are_replayed(void** state) {
    (void)state;
    for (uint64_t k = 0; k < 5; k++)
        replay_inputs("adaptive", "adaptive", SN_INTEGRATE_EULER, k % 2 == 1, 10 + k);
}

static void what_is_active_is_an_input(void** state) {
    (void)state;
    sn_model* model = test_generate(SN_GENERATE_TREE, 60, 3, false, true, si);
    sn_world_def def = sn_world_def_default();
    def.dynamics = "adaptive";
    def.adaptivity.max_active = 8;
    recorded r = recorded_make("active", model, &def);
    CHECK_STATUS(sn_world_keep_active(r.world, sn_body(50), true), SN_OK);
    recorded_begin(&r);
    for (int k = 0; k < 500; k++) {
        sn_adaptivity adaptivity = def.adaptivity;
        adaptivity.max_active = 4 + k / 20;
        adaptivity.threshold = 0.01;
        if (k % 50 == 20) CHECK_STATUS(sn_world_set_adaptivity(r.world, &adaptivity), SN_OK);
        if (k % 90 == 30) CHECK_STATUS(sn_world_keep_active(r.world, sn_body(k % 60), true), SN_OK);
        if (k % 90 == 70)
            CHECK_STATUS(sn_world_keep_active(r.world, sn_body((k - 40) % 60), false), SN_OK);
        recorded_step(&r);
    }
    recorded_end(&r);
    recorded_verify(&r);
    recorded_free(&r);
    sn_model_free(model);
}

// ---- control ------------------------------------------------------------------------------------------------------

/// A spring to zero, and in its second half silence.
static sn_status compute_control(void* context, const sn_world* world, const sn_drive* drive) {
    (void)context;
    if (sn_world_step_count(world) > 200) return SN_OK;
    for (int k = 0; k < sn_model_nv(sn_world_model(world)); k++) {
        drive->tau[k] = -2 * sn_world_q(world)[k] - 0.1 * sn_world_v(world)[k];
        drive->give[k] = 1e-4 * (1 + k % 3);
        drive->lower[k] = k % 2 ? -0.05 : -INFINITY;
        drive->upper[k] = k % 2 ? 0.01 : INFINITY;
    }
    return SN_OK;
}

static void forces_of_control_are_replayed_without_the_controller(void** state) {
    (void)state;
    sn_model* model = test_generate(SN_GENERATE_CHAIN, 12, 5, false, true, si);
    sn_world_def def = sn_world_def_default();
    recorded r = recorded_make("control", model, &def);
    sn_control control = {compute_control, NULL};
    sn_world_set_control(r.world, &control);
    recorded_begin(&r);
    for (int k = 0; k < 400; k++) recorded_step(&r);
    recorded_end(&r);
    recorded_verify(&r);
    recorded_free(&r);
    sn_model_free(model);
}

static void steps_without_news_take_few_bytes(void** state) {
    (void)state;
    sn_model* model = test_generate(SN_GENERATE_CHAIN, 30, 5, false, true, si);
    sn_world_def def = sn_world_def_default();
    sn_recorder_status before, after;
    enum { STEPS = 5000 };
    for (int controlled = 0; controlled < 2; controlled++) {
        recorded r = recorded_make("few", model, &def);
        sn_control control = {compute_control, NULL};
        if (controlled) sn_world_set_control(r.world, &control);
        for (int k = 0; k < 300; k++) (void)sn_world_step(r.world, NULL); // it falls silent
        r.options.every = 1 << 20;
        recorded_begin(&r);
        sn_recorder_ask(r.recorder, &before);
        for (int k = 0; k < STEPS; k++) recorded_step(&r);
        sn_recorder_free(r.recorder, &after);
        r.recorder = NULL;
        double each = (double)(after.bytes - before.bytes) / STEPS;
        CHECK(each > 8 && each < 20, (uint64_t)controlled);
        recorded_verify(&r);
        recorded_free(&r);
    }
    sn_model_free(model);
}

// ---- contact ------------------------------------------------------------------------------------------------------

/// Loose boxes over a floor; `extra` more of them far above.
static sn_model* pile(int count, int extra) {
    sn_model_builder* builder = sn_model_builder_create("pile");
    sn_shape_def floor = sn_shape_def_default();
    floor.type = SN_SHAPE_PLANE;
    floor.use = SN_SHAPE_COLLISION;
    CHECK_STATUS(sn_model_builder_add_shape(builder, &floor), SN_OK);
    for (int k = 0; k < count + extra; k++) {
        char name[16];
        snprintf(name, sizeof name, "box%d", k);
        sn_body_def body = sn_body_def_default();
        body.name = name;
        body.joint.type = SN_JOINT_FREE;
        body.joint.placement.p = sn_vec3_make(0.03 * (k % 3), 0.02 * (k % 2), 0.06 + 0.11 * k);
        body.inertia = sn_inertia_box(1, sn_vec3_make(0.1, 0.1, 0.1));
        CHECK_STATUS(sn_model_builder_add_body(builder, &body), SN_OK);
        sn_shape_def shape = sn_shape_def_default();
        shape.body = name;
        shape.type = SN_SHAPE_BOX;
        shape.use = SN_SHAPE_COLLISION;
        shape.size = sn_vec3_make(0.1, 0.1, 0.1);
        CHECK_STATUS(sn_model_builder_add_shape(builder, &shape), SN_OK);
    }
    return test_compile(builder);
}

static sn_world_def contact_def(void) {
    sn_world_def def = sn_world_def_default();
    def.contact.on = true;
    def.contact.rest_time = 0.05; // some fall asleep
    return def;
}

static sn_constraint weld(const sn_world* world, uint64_t id, int a, int b) {
    const sn_snapshot* shot = sn_world_snapshot((sn_world*)world);
    sn_constraint c = sn_constraint_default();
    sn_pose X_wa = sn_snapshot_pose(shot, sn_body(a)), X_wb = sn_snapshot_pose(shot, sn_body(b));
    c.id = id;
    c.a = sn_body(a);
    c.b = sn_body(b);
    c.X_bc = sn_pose_mul(sn_pose_inverse(X_wb), X_wa);
    return c;
}

static void contact_sleep_and_constraints_are_replayed(void** state) {
    (void)state;
    sn_model* model = pile(8, 0);
    sn_world_def def = contact_def();
    def.contact.workers = 1;
    recorded r = recorded_make("pile", model, &def);
    sn_constraint held = weld(r.world, 7, 0, 1);
    CHECK_STATUS(sn_world_add_constraint(r.world, &held, NULL), SN_OK);
    recorded_begin(&r);
    for (int k = 0; k < 1500; k++) {
        sn_constraint other = weld(r.world, 9, 3, 5);
        if (k == 200) CHECK_STATUS(sn_world_remove_constraint(r.world, 7), SN_OK);
        if (k == 300) CHECK_STATUS(sn_world_add_constraint(r.world, &other, NULL), SN_OK);
        if (k == 600) CHECK_STATUS(sn_world_remove_constraint(r.world, 9), SN_OK);
        if (k == 900) sn_world_wake(r.world, sn_body(2));
        if (k == 1000) CHECK_STATUS(sn_world_set_solve(r.world, 1e-8, 200), SN_OK);
        if (k == 1100)
            CHECK_STATUS(sn_world_set_wrench(r.world, sn_body(4), SN_AXES_WORLD,
                                             sn_wrench_make(sn_vec3_zero(), sn_vec3_make(8, 0, 0))),
                         SN_OK);
        recorded_step(&r);
    }
    recorded_end(&r);
    recorded_verify(&r);
    recorded_free(&r);
    sn_model_free(model);
}

// ---- bodies come and go -------------------------------------------------------------------------------------------

/// Bodies that both have go on.
static void grow(recorded* r, const sn_model* model, bool post, test_rng* rng) {
    int before = sn_model_body_count(sn_world_model(r->world)), after = sn_model_body_count(model);
    sn_body_id from[64];
    sn_replacement* replacement = NULL;
    for (int b = 0; b < after; b++) from[b] = sn_body(b < before ? b : -1);
    CHECK_STATUS(
        sn_world_prepare(r->world, sn_world_model(r->world), model, from, &replacement, NULL),
        SN_OK);
    double v[6 * 64];
    for (int k = 0; k < sn_model_nv(model); k++) v[k] = test_normal(rng) / 4;
    if (test_chance(rng, 0.7)) CHECK_STATUS(sn_replacement_set_state(replacement, NULL, v), SN_OK);
    if (after > before && test_chance(rng, 0.5))
        CHECK_STATUS(sn_replacement_lock(replacement, sn_body(after - 1)), SN_OK);
    sn_command command = {.type = SN_COMMAND_REPLACE, .replacement = replacement};
    CHECK_STATUS(post ? sn_world_post(r->world, &command) : sn_world_apply(r->world, &command),
                 SN_OK);
}

static void replay_growth(const char* dynamics) {
    sn_model* models[6];
    for (int k = 0; k < 6; k++) models[k] = pile(4, (k * 3) % 5);
    sn_world_def def = contact_def();
    def.dynamics = dynamics;
    def.contact.collider.contacts = 512;
    test_rng rng = test_rng_make(test_case_seed(GROWING, 0));
    recorded r = recorded_make("growth", models[0], &def);
    sn_constraint held = weld(r.world, 7, 0, 1);
    recorded_begin(&r);
    for (int k = 0; k < 400; k++) {
        if (k == 10) CHECK_STATUS(sn_world_add_constraint(r.world, &held, NULL), SN_OK);
        if (k > 0 && k % 60 == 0) grow(&r, models[k / 60 % 6], k % 120 == 0, &rng);
        if (k == 121) { // two at one boundary
            grow(&r, models[4], false, &rng);
            grow(&r, models[5], false, &rng);
        }
        recorded_step(&r);
        if (sn_recorder_is_idle(r.recorder)) (void)sn_world_collect(r.world);
    }
    recorded_end(&r);
    recorded_verify(&r);
    recorded_free(&r);
    for (int k = 0; k < 6; k++) sn_model_free(models[k]);
}

static void bodies_come_and_go_again(void** state) {
    (void)state;
    replay_growth("aba");
    replay_growth("adaptive");
}

// ---- clocks -------------------------------------------------------------------------------------------------------

/// Goes on by chance at every look.
static int64_t erratic_now(void* context) {
    static int64_t now;
    return now += (int64_t)(test_uniform(context, 0, 1) * 2e5);
}

static void what_a_clock_decided_is_replayed_without_it(void** state) {
    (void)state;
    sn_model* model = pile(10, 0);
    test_rng rng = test_rng_make(test_case_seed(CLOCK, 0));
    sn_world_def def = contact_def();
    def.clock = (sn_clock){.now_ns = erratic_now, .context = &rng};
    def.contact.solve_time = 5e-4;
    def.contact.solve.tolerance = 1e-12;
    def.contact.solve.iterations = 1000;
    recorded r = recorded_make("clock", model, &def);
    recorded_begin(&r);
    int late = 0;
    for (int k = 0; k < 500; k++) {
        recorded_step(&r);
        late += (r.report.events & SN_EVENT_LATE) != 0;
    }
    CHECK(late > 50 && late < 500, rng.s); // both happened
    recorded_end(&r);
    recorded_verify(&r);
    recorded_free(&r);
    sn_model_free(model);
}

// ---- faults and beginnings ----------------------------------------------------------------------------------------

static void a_fault_and_what_came_after_it_are_replayed(void** state) {
    (void)state;
    sn_model* model = test_generate(SN_GENERATE_CHAIN, 5, 5, false, true, si);
    sn_world_def def = sn_world_def_default();
    recorded r = recorded_make("fault", model, &def);
    recorded_begin(&r);
    sn_wrench huge = sn_wrench_make(sn_vec3_make(1e308, 1e308, 1e308), sn_vec3_zero());
    double zeros[16] = {0};
    for (int k = 0; k < 60; k++) {
        if (k == 20)
            CHECK_STATUS(sn_world_set_wrench(r.world, sn_body(4), SN_AXES_BODY, huge), SN_OK);
        if (k == 40) {
            CHECK_STATUS(sn_world_set_wrench(r.world, sn_body(4), SN_AXES_BODY, (sn_wrench){0}),
                         SN_OK);
            CHECK_STATUS(sn_world_set_state(r.world, zeros, zeros), SN_OK);
        }
        recorded_step(&r);
        CHECK((k > 22 && k < 40) == ((r.report.events & SN_EVENT_NOT_FINITE) != 0) || k == 20 ||
                  k == 21 || k == 22,
              (uint64_t)k);
    }
    CHECK(sn_world_step_count(r.world) < 60, 0);
    recorded_end(&r);
    recorded_verify(&r);
    recorded_free(&r);
    sn_model_free(model);
}

static void a_recording_from_the_middle_of_a_run_says_whether_it_is_exact(void** state) {
    (void)state;
    sn_model* model = pile(3, 0);
    for (int contact = 0; contact < 2; contact++) {
        sn_world_def def = contact_def();
        def.contact.on = contact == 1;
        recorded r = recorded_make("middle", model, &def);
        for (int k = 0; k < 100; k++) CHECK_STATUS(sn_world_step(r.world, NULL), SN_OK);
        recorded_begin(&r);
        for (int k = 0; k < 50; k++) recorded_step(&r);
        recorded_end(&r);
        sn_recording* recording = NULL;
        CHECK_STATUS(sn_recording_open(r.path, NULL, &recording, NULL), SN_OK);
        sn_recording_info info = sn_recording_ask(recording);
        CHECK(info.first_step == 100 && info.exact == (contact == 0), 0);
        sn_recording_free(recording);
        if (!contact) recorded_verify(&r);
        recorded_free(&r);
    }
    sn_model_free(model);
}

static void scene_sensors_and_build_are_kept(void** state) {
    (void)state;
    sn_model* model = test_generate(SN_GENERATE_CHAIN, 3, 5, false, true, si);
    sn_world_def def = sn_world_def_default();
    recorded r = recorded_make("sensors", model, &def);
    const char* names[] = {"force", "angle"};
    int numbers[] = {3, 1};
    r.options.scene = "version: 1\nname: three links\n";
    r.options.sensor_names = names;
    r.options.sensor_numbers = numbers;
    r.options.sensors = 2;
    recorded_begin(&r);
    for (int k = 1; k <= 10; k++) {
        double values[4] = {k, 2 * k, 3 * k, 0.1 * k};
        CHECK_STATUS(sn_world_step(r.world, &r.report), SN_OK);
        sn_recorder_step(r.recorder, r.world, &r.report, k == 5 ? NULL : values);
        r.steps++;
    }
    recorded_end(&r);
    sn_recording* recording = NULL;
    sn_sample sample;
    CHECK_STATUS(sn_recording_open(r.path, NULL, &recording, NULL), SN_OK);
    sn_recording_info info = sn_recording_ask(recording);
    assert_string_equal(info.scene, r.options.scene);
    CHECK(strncmp(info.build, "sinew ", 6) == 0, 0);
    CHECK(info.sensors == 2 && info.samples == 10, 0);
    assert_string_equal(sn_recording_sensor_name(recording, 0), "force");
    assert_string_equal(sn_recording_sensor_name(recording, 1), "angle");
    CHECK(sn_recording_sensor_numbers(recording, 0) == 3, 0);
    CHECK(sn_recording_sensor_numbers(recording, 1) == 1, 0);
    CHECK(!sn_recording_sensor_name(recording, 2) && !sn_recording_sensor_name(recording, -1), 0);
    for (int pass = 0; pass < 2; pass++, sn_recording_rewind(recording)) {
        for (int k = 1; k <= 10; k++) {
            assert_true(sn_recording_next(recording, &sample));
            CHECK(sample.step == (uint64_t)k, 0);
            if (k == 5) CHECK(isnan(sample.sensors[0]) && isnan(sample.sensors[3]), 0);
            if (k != 5) CHECK(sample.sensors[2] == 3 * k && sample.sensors[3] == 0.1 * k, 0);
        }
        assert_false(sn_recording_next(recording, &sample));
    }
    sn_recording_free(recording);
    recorded_free(&r);
    sn_model_free(model);
}

int main(void) {
    si = test_units_si();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_of_every_kind_are_replayed_with_every_integrator),
        cmocka_unit_test(adaptive_dynamics_are_replayed),
        cmocka_unit_test(what_is_active_is_an_input),
        cmocka_unit_test(forces_of_control_are_replayed_without_the_controller),
        cmocka_unit_test(steps_without_news_take_few_bytes),
        cmocka_unit_test(contact_sleep_and_constraints_are_replayed),
        cmocka_unit_test(bodies_come_and_go_again),
        cmocka_unit_test(what_a_clock_decided_is_replayed_without_it),
        cmocka_unit_test(a_fault_and_what_came_after_it_are_replayed),
        cmocka_unit_test(a_recording_from_the_middle_of_a_run_says_whether_it_is_exact),
        cmocka_unit_test(scene_sensors_and_build_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
