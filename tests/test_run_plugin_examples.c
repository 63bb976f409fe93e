// SPDX-License-Identifier: Apache-2.0
// The plugins of examples/plugins, each loaded by a scene, and what comes out beside our own modules.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/running.h"

#define EXAMPLE(name) "plugins: [{file: " SN_TEST_EXAMPLES_DIR "/" name ".so}]\n"
#define ARM SN_TEST_MODELS_DIR "/double_pendulum.urdf"

/// A scene with more keys, such as which module to take and the plugin that has it.
static sn_simulation* load_with(const char* scene, const char* keys, const sn_simulation_def* def) {
    char text[4096];
    (void)snprintf(text, sizeof text, "%s%s", scene, keys);
    return running_with(text, def);
}

// ---- posture ------------------------------------------------------------------------------------------------

static sn_simulation* load_robot(const char* plugins) {
    static const char* folders[] = {SN_TEST_MODELS_DIR, NULL};
    sn_simulation_def def = sn_simulation_def_default();
    def.load.model_paths = folders;
    return load_with("version: 1\ncontact: false\n"
                     "models: [{name: robot, model: hrp2, base: fixed, "
                     "q: {l_shoulder_pitch: 0.5, r_knee: 0.6}}]\n",
                     plugins, &def);
}

/// How far joints of the robot are from where they began, at most.
static double sag(sn_simulation* sim) {
    const sn_item* item = sn_simulation_item(sim, running_item(sim, "robot"));
    double worst = 0;
    for (int k = 0; k < sn_model_nq(item->model); k++)
        worst = fmax(worst, fabs(running_q(sim, "robot")[k] - item->q[k]));
    return worst;
}

static void posture_holds_a_robot_against_gravity(void** state) {
    (void)state;
    sn_simulation* held = load_robot(EXAMPLE("posture"));
    sn_simulation* loose = load_robot("");
    running_step(held, 1000);
    running_step(loose, 300);
    CHECK_NEAR(sag(held), 0, 1e-6, 0);
    CHECK(sag(loose) > 0.1, 0);
    sn_simulation_free(held);
    sn_simulation_free(loose);
}

static void posture_answers_and_draws(void** state) {
    (void)state;
    sn_simulation* sim =
        running("version: 1\nfloor: true\n"
                "objects: [{name: box, box: [0.2, 0.2, 0.2], mass: 4, "
                "at: [0, 0, 0.1]}]\n"
                "plugins: [{file: " SN_TEST_EXAMPLES_DIR "/posture.so, options: '5'}]\n");
    char answer[64];
    running_step(sim, 10);
    CHECK_STATUS(sn_simulation_command(sim, "plugin: {name: posture, words: contacts}", answer,
                                       sizeof answer, NULL),
                 SN_OK);
    CHECK(strcmp(answer, "4 now, 40 so far") == 0, 0);
    CHECK_STATUS(sn_simulation_command(sim, "plugin: {name: posture, words: frequency 2}", answer,
                                       sizeof answer, NULL),
                 SN_OK);
    CHECK(strcmp(answer, "2 Hz") == 0, 0);
    running_refuse(sim, "plugin: {name: posture, words: dance}", SN_ERR_ARGUMENT,
                   "say \"contacts\"");
    int count;
    const sn_stroke* stroke = sn_simulation_draw(sim, &count);
    CHECK(count == 2 && strcmp(stroke[1].text, "4 kg") == 0, 0);
    CHECK_NEAR(stroke[0].from.z - stroke[0].to.z, 0.02 * 9.81, 1e-9, 0);
    sn_simulation_free(sim);
}

static void posture_refuses_what_is_no_frequency(void** state) {
    (void)state;
    sn_error error = {0};
    CHECK_STATUS(running_try("version: 1\nplugins: [{file: " SN_TEST_EXAMPLES_DIR
                             "/posture.so, options: fast}]\n",
                             NULL, &error),
                 SN_ERR_ARGUMENT);
    running_says(error.text, "plugin 'posture' does not begin: 'fast' is no frequency in Hz");
}

static void posture_ends_when_its_model_is_edited(void** state) {
    (void)state;
    sn_simulation* sim = load_robot(EXAMPLE("posture"));
    running_step(sim, 5);
    running_command(sim, "add: {name: new, sphere: 0.1}");
    running_step(sim, 5);
    running_says(sn_simulation_plugin_trouble(sim, 0), sn_status_text(SN_ERR_MODEL));
    sn_simulation_free(sim);
}

// ---- dense ------------------------------------------------------------------------------------------------------

static void dense_dynamics_move_as_ours_do(void** state) {
    (void)state;
    const char* scene =
        "version: 1\nfloor: true\n"
        "models:\n"
        "  - {name: arm, file: " ARM ", at: [0, 0, 3], q: {upper_hinge: 1.2}}\n"
        "  - {name: chain, generate: 'chain:6', at: [4, 0, 3], lock: [b000002]}\n"
        "objects:\n"
        "  - {name: box, box: [0.3, 0.2, 0.1], at: [1, 2, 0.3], rpy: [0.4, 0.2, 0], "
        "w: [1, 2, 3]}\n"
        "script:\n"
        "  - {at: 0.05, push: {body: chain/b000005, force: [1, 2, 3]}}\n"
        "  - {at: 0.1, unlock: chain/b000002}\n"
        "  - {at: 0.15, lock: chain/b000001}\n"
        "contact: {tolerance: 1e-10, sweeps: 1000, sleep: false}\n";
    sn_simulation* ours = running(scene);
    sn_simulation* dense = load_with(scene, "dynamics: dense\n" EXAMPLE("dense_dynamics"), NULL);
    sn_world *a = sn_simulation_world(ours), *b = sn_simulation_world(dense);
    const sn_model* model = sn_world_model(a);
    CHECK(strcmp(sn_dynamics_name(sn_world_dynamics(b)), "dense") == 0, 0);
    int touched = 0;
    for (int k = 0; k < 250; k++) {
        running_step(ours, 1);
        running_step(dense, 1);
        CHECK_VECTOR(sn_world_q(b), sn_world_q(a), sn_model_nq(model), 1e-7, (uint64_t)k);
        touched += sn_world_contact_count(b) > 0;
    }
    CHECK(touched > 20, 0);
    // what runs can still be edited
    running_command(dense, "remove: arm");
    running_step(dense, 10);
    sn_simulation_free(ours);
    sn_simulation_free(dense);
}

// ---- spheres ------------------------------------------------------------------------------------------------------

static void sphere_detector_finds_what_ours_finds(void** state) {
    (void)state;
    const char* scene = "version: 1\nfloor: true\n"
                        "objects:\n"
                        "  - {name: a, sphere: 0.1, mass: 1, at: [0, 0, 0.1], v: [1, 0, 0]}\n"
                        "  - {name: b, sphere: 0.15, mass: 2, at: [0.5, 0.02, 0.15]}\n"
                        "  - {name: c, sphere: 0.1, mass: 1, at: [0.5, 0.05, 0.5]}\n";
    sn_simulation* ours =
        load_with(scene, "contact: {sleep: false, tolerance: 1e-10, sweeps: 1000}\n", NULL);
    sn_simulation* spheres = load_with(
        scene,
        "contact: {sleep: false, tolerance: 1e-10, sweeps: 1000, detector: spheres}\n" EXAMPLE(
            "sphere_detector"),
        NULL);
    int both = 0;
    for (int k = 0; k < 600; k++) {
        sn_step_report a, b;
        CHECK_STATUS(sn_simulation_step(ours, &a), SN_OK);
        CHECK_STATUS(sn_simulation_step(spheres, &b), SN_OK);
        CHECK(a.contact.points == b.contact.points, (uint64_t)k);
        both += b.contact.points >= 2;
        for (int i = 0; i < 3; i++) {
            static const char* const names[] = {"a", "b", "c"};
            sn_vec3 p = running_pose(ours, names[i]).p, q = running_pose(spheres, names[i]).p;
            CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(p, q)), 0, 1e-6, (uint64_t)k);
        }
    }
    CHECK(both > 100, 0);
    sn_simulation_free(ours);
    sn_simulation_free(spheres);
}

// ---- pgs ----------------------------------------------------------------------------------------------------------

static double fall_of(sn_simulation* sim, int boxes) {
    double worst = 0;
    for (int i = 0; i < boxes; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "box_%d", i + 1);
        worst = fmax(worst, fabs(running_pose(sim, name).p.z - (0.1 + 0.2 * i)));
    }
    return worst;
}

static void pgs_solver_stacks_and_slides_as_ours_does(void** state) {
    (void)state;
    const char* pile = "version: 1\nfloor: true\n"
                       "objects: [{name: box, box: [0.2, 0.2, 0.2], mass: 1, at: [0, 0, 0.1], "
                       "repeat: {count: [1, 1, 4], spacing: [0, 0, 0.2]}}]\n";
    sn_simulation* sim = load_with(
        pile, "contact: {solver: pgs, sweeps: 400, sleep: false}\n" EXAMPLE("pgs_solver"), NULL);
    running_step(sim, 500);
    CHECK_NEAR(fall_of(sim, 4), 0, 1e-3, 0);
    double weight = 0; // what the floor carries
    sn_world* world = sn_simulation_world(sim);
    for (int32_t i = 0; i < sn_world_contact_count(world); i++) {
        const sn_contact* c = &sn_world_contacts(world)[i];
        if (c->b.i < 0 || c->a.i < 0) weight += fabs(sn_world_contact_force(world, i).f.z);
    }
    CHECK_NEAR(weight, 4 * 9.81, 0.02 * 4 * 9.81, 0);
    sn_simulation_free(sim);

    const char* slide = "version: 1\nfloor: {mu: 0.3}\n"
                        "objects: [{name: box, box: [0.4, 0.4, 0.1], mass: 2, at: [0, 0, 0.05], "
                        "v: [1.5, 0, 0], material: {mu: 0.3}}]\n";
    sim = load_with(slide, "contact: {solver: pgs}\n" EXAMPLE("pgs_solver"), NULL);
    running_step(sim, 1000);
    double way = 1.5 * 1.5 / (2 * 0.3 * 9.81); // v^2 / 2 mu g
    CHECK_RELATIVE(running_pose(sim, "box").p.x, way, 0.01, 0);
    sn_simulation_free(sim);
    sim = running(slide);
    running_step(sim, 1000);
    CHECK_RELATIVE(running_pose(sim, "box").p.x, way, 0.01, 0);
    sn_simulation_free(sim);
}

// ---- penalty ------------------------------------------------------------------------------------------------------

static void penalty_simulator_gives_what_springs_give(void** state) {
    (void)state;
    const char* scene = "version: 1\nfloor: {mu: 0.3}\n"
                        "models: [{name: arm, file: " ARM ", at: [5, 0, 3], q: {upper_hinge: 1}}]\n"
                        "objects:\n"
                        "  - {name: ball, sphere: 0.1, mass: 1, at: [0, 3, 0.1]}\n"
                        "  - {name: box, box: [0.4, 0.4, 0.1], mass: 2, at: [0, 0, 0.05], "
                        "v: [1.5, 0, 0], material: {mu: 0.3}}\n";
    sn_simulation* sim =
        load_with(scene, "simulator: penalty\n" EXAMPLE("penalty_simulator"), NULL);
    sn_simulation* ours = running(scene);
    running_step(sim, 500);
    running_step(ours, 500);
    // without contact it is our own explicit step: two of order one meet
    for (int k = 0; k < 2; k++)
        CHECK_NEAR(running_q(sim, "arm")[k], running_q(ours, "arm")[k], 0.01, 0);
    running_step(sim, 1000);
    // the ball sinks in until the spring k = 0.05 m / h^2 carries it
    CHECK_NEAR(running_pose(sim, "ball").p.z, 0.1 - 9.81 * 1e-6 / 0.05, 2e-5, 0);
    CHECK_RELATIVE(running_pose(sim, "box").p.x, 1.5 * 1.5 / (2 * 0.3 * 9.81), 0.05, 0);
    CHECK(sn_world_contact_count(sn_simulation_world(sim)) == 0, 0); // contacts are its own
    running_command(sim, "add: {name: new, sphere: 0.1, mass: 1, at: [2, 2, 0.1]}");
    running_step(sim, 1000);
    CHECK_NEAR(running_pose(sim, "new").p.z, 0.1 - 9.81 * 1e-6 / 0.05, 2e-5, 0);
    sn_simulation_free(sim);
    sn_simulation_free(ours);
}

static void adaptive_dynamics_and_a_simulator_do_not_go_together(void** state) {
    (void)state;
    sn_error error = {0};
    CHECK_STATUS(running_try("version: 1\ndynamics: adaptive\nsimulator: penalty\n"
                             "models: [{name: arm, file: " ARM "}]\n" EXAMPLE("penalty_simulator"),
                             NULL, &error),
                 SN_ERR_ARGUMENT);
    running_says(error.text, "simulator 'penalty' needs dynamics whose joints do not sleep");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(posture_holds_a_robot_against_gravity),
        cmocka_unit_test(posture_answers_and_draws),
        cmocka_unit_test(posture_refuses_what_is_no_frequency),
        cmocka_unit_test(posture_ends_when_its_model_is_edited),
        cmocka_unit_test(dense_dynamics_move_as_ours_do),
        cmocka_unit_test(sphere_detector_finds_what_ours_finds),
        cmocka_unit_test(pgs_solver_stacks_and_slides_as_ours_does),
        cmocka_unit_test(penalty_simulator_gives_what_springs_give),
        cmocka_unit_test(adaptive_dynamics_and_a_simulator_do_not_go_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
