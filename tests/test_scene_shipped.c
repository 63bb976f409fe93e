// SPDX-License-Identifier: Apache-2.0
// The scenes that come with sinew: each can be simulated, and does what it says.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sinew/simulation.h"
#include "support/loading.h"
#include "support/running.h"
#include "support/scenes.h"

static sn_simulation* start(const char* name) {
    sn_simulation_def def = sn_simulation_def_default();
    sn_simulation* sim = NULL;
    sn_error error = {0};
    def.load = scene_def();
    sn_status status = sn_simulation_load(name, &def, &sim, &error);
    if (status) print_error("%s:%d:%d: %s\n", error.file, error.line, error.column, error.text);
    CHECK_STATUS(status, SN_OK);
    return sim;
}

/// Steps for some seconds; returns the deepest overlap of two bodies.
static double run_for(sn_simulation* sim, double seconds) {
    sn_world* world = sn_simulation_world(sim);
    int steps = (int)round(seconds / sn_scene_world(sn_simulation_scene(sim))->step);
    double deepest = 0;
    for (int i = 0; i < steps; i++) {
        CHECK_STATUS(sn_simulation_step(sim, NULL), SN_OK);
        for (int32_t k = 0; k < sn_world_contact_count(world); k++)
            deepest = fmax(deepest, -sn_world_contacts(world)[k].gap);
    }
    return deepest;
}

static double total(sn_simulation* sim) {
    sn_energy energy = sn_world_energy(sn_simulation_world(sim));
    return energy.kinetic + energy.potential + energy.spring;
}

// ---- all of them --------------------------------------------------------------------------------------

static int shipped;

static void check_scene(const char* path) {
    check_context(path);
    sn_simulation* sim = start(path);
    const sn_scene* scene = sn_simulation_scene(sim);
    CHECK(sn_scene_about(scene)[0] && sn_scene_duration(scene) > 0, 0);
    CHECK(sn_scene_camera(scene).given, 0);
    sn_model* whole = NULL;
    CHECK_STATUS(sn_scene_compile(scene, NULL, &whole, NULL), SN_OK);
    CHECK(sn_model_body_count(whole) > 0, 0);
    sn_model_free(whole);
    // nothing overlaps that should not: what starts apart never sinks in by more than this in a step
    CHECK(run_for(sim, 0.1) < 1e-3, 0);
    sn_simulation_free(sim);
    check_context(NULL);
    shipped++;
}

static void every_scene_loads_and_runs(void** state) {
    (void)state;
    static const char* const names[] = {"pendulum", "chain",    "cable",  "snake",  "humanoid",
                                        "table",    "box_pile", "stairs", "seesaw", "four_bar"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s.yaml", SN_TEST_SCENES_DIR, names[i]);
        FILE* file = fopen(path, "r");
        if (!file) print_error("%s is missing\n", path);
        CHECK(file, i);
        fclose(file);
    }
    CHECK(for_each_file(SN_TEST_SCENES_DIR, ".yaml", check_scene) >= 10, 0);
    CHECK(for_each_file(SN_TEST_SCENES_DIR "/papers", ".yaml", check_scene) >= 10, 0);
    CHECK(shipped >= 20, 0);
}

// ---- each of them -------------------------------------------------------------------------------------

static void the_pendulum_keeps_its_energy(void** state) {
    (void)state;
    sn_simulation* sim = start("pendulum");
    double before = total(sim), swing = 0;
    for (int i = 0; i < 10; i++) {
        run_for(sim, 1);
        swing = fmax(swing, sn_world_energy(sn_simulation_world(sim)).kinetic);
        // the midpoint rule errs by h^2: (2e-3 omega)^2 of what moves, omega about 10 rad/s
        CHECK_NEAR(total(sim), before, 1e-4 * before, (uint64_t)i);
    }
    CHECK(swing > 1, 0);
    const double* energy = running_sensor(sim, "energy");
    CHECK_NEAR(energy[0] + energy[1] + energy[2], total(sim), TOL_CHAIN * before, 0);
    sn_simulation_free(sim);
}

static void the_chain_holds_together_and_lets_go(void** state) {
    (void)state;
    sn_simulation* sim = start("chain");
    double before = total(sim);
    run_for(sim, 2.9);
    const double* ball = running_sensor(sim, "ball");
    // ten links of 0.2 m and the shackle of 0.1 m
    CHECK(hypot(hypot(ball[0], ball[1]), ball[2] - 2.5) < 2.1 + 1e-3, 0);
    CHECK(total(sim) < before, 0);
    run_for(sim, 2.1);
    CHECK_NEAR(running_sensor(sim, "ball")[2], 0.08, 1e-3,
               0); // on the floor, as high as its radius
    CHECK(sn_simulation_find_hold(sim, "shackle").generation == 0, 0);
    CHECK(sn_simulation_find_hold(sim, "nail").generation != 0, 0);
    sn_simulation_free(sim);
}

static void the_cable_bends_around_the_bar(void** state) {
    (void)state;
    sn_simulation* sim = start("cable");
    double before = total(sim);
    CHECK(run_for(sim, 1) < 1e-3, 0);
    CHECK(sn_world_contact_count(sn_simulation_world(sim)) > 0, 0);
    // Euler's rule errs by omega h = 1e-2 or so while it falls, the blow takes some
    CHECK_NEAR(total(sim), before, 0.01 * before, 0);
    sn_simulation_free(sim);
}

static void the_snake_takes_its_postures(void** state) {
    (void)state;
    sn_simulation* sim = start("snake");
    const sn_model* snake = scene_item(sn_simulation_scene(sim), "snake")->model;
    int q = sn_model_body(snake, sn_model_find_joint(snake, "yaw_13")).iq;
    run_for(sim, 2.5);
    double bent = sn_world_q(sn_simulation_world(sim))[q];
    CHECK(bent < -0.3, 0); // of -0.7: the floor holds it back
    CHECK(sn_world_energy(sn_simulation_world(sim)).kinetic < 1e-3, 0);
    run_for(sim, 2);
    CHECK(sn_world_q(sn_simulation_world(sim))[q] > 0.3, 0);
    sn_simulation_free(sim);
}

static void the_humanoid_stands_and_is_pushed(void** state) {
    (void)state;
    sn_simulation* sim = start("humanoid");
    double height = running_sensor(sim, "centre")[2];
    CHECK(run_for(sim, 2) < 1e-3, 0);
    double weight = 58 * 9.81;
    CHECK_NEAR(running_sensor(sim, "left_foot")[5] + running_sensor(sim, "right_foot")[5], weight,
               0.01 * weight, 0);
    run_for(sim, 1.5); // the first push is at 3 s
    CHECK_NEAR(running_sensor(sim, "centre")[2], height, 0.02, 0);
    CHECK(fabs(running_sensor(sim, "centre")[3]) > 0.005, 0); // it sways
    sn_simulation_free(sim);
}

static void things_come_to_rest_on_the_table(void** state) {
    (void)state;
    sn_simulation* sim = start("table");
    CHECK(run_for(sim, 2) < 1e-3, 0);
    CHECK(sn_world_energy(sn_simulation_world(sim)).kinetic < 1e-6, 0);
    CHECK_NEAR(running_sensor(sim, "mug")[5], 0.35 * 9.81, 1e-3, 0);
    CHECK_NEAR(running_sensor(sim, "ball")[2], 0.75 + 0.033, 1e-3, 0);
    sn_simulation_free(sim);
}

static void crates_fall_over_and_more_come(void** state) {
    (void)state;
    sn_simulation* sim = start("box_pile");
    double before = total(sim);
    CHECK(sn_simulation_find_item(sim, "late_2").generation == 0, 0);
    CHECK(run_for(sim, 1) < 5e-3, 0);
    CHECK(total(sim) < before, 0);
    run_for(sim, 1.3);
    CHECK(sn_simulation_find_item(sim, "late_2").generation != 0, 0);
    sn_simulation_free(sim);
}

static void things_go_down_the_stairs(void** state) {
    (void)state;
    sn_simulation* sim = start("stairs");
    CHECK(run_for(sim, 5) < 2e-3, 0);
    CHECK_NEAR(running_sensor(sim, "log")[2], 0.12, 2e-3, 0);
    CHECK(running_sensor(sim, "ball")[2] < 0.5 && running_sensor(sim, "ball")[0] > 2, 0);
    sn_simulation_free(sim);
}

static void the_seesaw_throws_the_ball(void** state) {
    (void)state;
    sn_simulation* sim = start("seesaw");
    double highest = 0;
    for (int i = 0; i < 20; i++) {
        run_for(sim, 0.1);
        highest = fmax(highest, running_sensor(sim, "ball")[2]);
        CHECK_NEAR(running_sensor(sim, "plank")[2], 0.3, 2e-3, (uint64_t)i); // the hinge holds
    }
    CHECK(highest > 1, 0);
    sn_simulation_free(sim);
}

static void the_four_bar_stays_closed_and_turns(void** state) {
    (void)state;
    sn_simulation* sim = start("four_bar");
    double turned = 0;
    for (int i = 0; i < 60; i++) {
        run_for(sim, 0.1);
        const double *a = running_sensor(sim, "coupler_end"),
                     *b = running_sensor(sim, "rocker_end");
        double gap = hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
        CHECK(gap < 5e-3, (uint64_t)i); // of 0.6 m, at 30 rad/s and 1 ms
        turned = fmax(turned, fabs(sn_world_q(sn_simulation_world(sim))[0]));
    }
    CHECK(turned > 6.3, 0);
    sn_simulation_free(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scene_loads_and_runs),
        cmocka_unit_test(the_pendulum_keeps_its_energy),
        cmocka_unit_test(the_chain_holds_together_and_lets_go),
        cmocka_unit_test(the_cable_bends_around_the_bar),
        cmocka_unit_test(the_snake_takes_its_postures),
        cmocka_unit_test(the_humanoid_stands_and_is_pushed),
        cmocka_unit_test(things_come_to_rest_on_the_table),
        cmocka_unit_test(crates_fall_over_and_more_come),
        cmocka_unit_test(things_go_down_the_stairs),
        cmocka_unit_test(the_seesaw_throws_the_ball),
        cmocka_unit_test(the_four_bar_stays_closed_and_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
