// SPDX-License-Identifier: Apache-2.0
// Controllers of scenes against their formula, targets, limits; a controller of the user's, and what becomes of one
// that fails.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/random_state.h"
#include "support/running.h"

enum { POSTURES = 740 };

#define ARM SN_TEST_MODELS_DIR "/double_pendulum.urdf"

static const char* const SCENE =
    "version: 1\ncontact: false\n"
    "models:\n"
    "  - {name: arm, file: " ARM ", q: {upper_hinge: 0.5}}\n"
    "controllers:\n"
    "  - {name: pd, item: arm, kp: 30, kd: 4, target: {lower_hinge: 0.3}, limit: 12}\n";

static void forces_are_those_of_the_formula(void** state) {
    (void)state;
    sn_simulation* sim = running(SCENE);
    sn_world* world = sn_simulation_world(sim);
    const double target[2] = {0.5, 0.3}; // where the joints begin, if not given
    int limited = 0;
    for (int k = 0; k < 500; k++) {
        if (k == 100) // far enough to meet the limit
            running_command(sim, "move: {joint: arm/lower_hinge, value: -1.5}");
        running_step(sim, 1);
        const double *q = sn_world_q(world), *v = sn_world_v(world);
        for (int i = 0; i < 2; i++) { // those of the end of the step
            double force = 30 * (target[i] - q[i]) - 4 * v[i];
            double expected = fmax(-12, fmin(12, force));
            limited += expected != force;
            CHECK_NEAR(sn_world_control(world)[i], expected, TOL_CHAIN * 30, 0);
        }
    }
    CHECK(limited > 10 && limited < 900, 0);
    sn_simulation_free(sim);
}

/// Error of a spherical or free joint by the textbook: the axis of the turn that is left, by its angle.
static sn_vec3 turn_left(const double* from, const double* to) {
    sn_quat a = sn_quat_make(from[0], from[1], from[2], from[3]);
    sn_quat b = sn_quat_make(to[0], to[1], to[2], to[3]);
    sn_quat d = sn_quat_mul(sn_quat_conj(a), b); // in the axes of the body
    if (d.w < 0) d = sn_quat_make(-d.w, -d.x, -d.y, -d.z);
    double sine = sqrt(d.x * d.x + d.y * d.y + d.z * d.z), angle = 2 * atan2(sine, d.w);
    double scale = sine > 0 ? angle / sine : 2;
    return sn_vec3_make(scale * d.x, scale * d.y, scale * d.z);
}

static sn_model* ball_joint_model(void) {
    sn_model_builder* builder = sn_model_builder_create("ball joint");
    sn_body_def body = sn_body_def_default();
    sn_model* model = NULL;
    body.name = "link";
    body.joint.name = "socket";
    body.joint.type = SN_JOINT_SPHERICAL;
    body.inertia = sn_inertia_box(1, sn_vec3_make(0.1, 0.2, 0.3));
    CHECK_STATUS(sn_model_builder_add_body(builder, &body), SN_OK);
    CHECK_STATUS(sn_model_builder_compile(builder, NULL, &model, NULL), SN_OK);
    sn_model_builder_free(builder);
    return model;
}

/// A scene whose file is the model, with a controller.
static sn_simulation* load_ball_joint(const double* target) {
    char path[300], scene[900];
    (void)snprintf(path, sizeof path, "%s/sinew_test_%ld_ball_joint.json", P_tmpdir,
                   (long)getpid());
    sn_model* model = ball_joint_model();
    char* text = NULL;
    CHECK_STATUS(sn_model_to_json(model, &text, NULL), SN_OK);
    FILE* file = fopen(path, "w");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0, 0);
    sn_text_free(text);
    sn_model_free(model);
    (void)snprintf(
        scene, sizeof scene,
        "version: 1\ncontact: false\nmodels: [{name: m, file: %s}]\ncontrollers: [{name: "
        "pd, item: m, kp: 7, kd: 0.5, target: {socket: [%.17g, %.17g, %.17g, %.17g]}}]\n",
        path, target[0], target[1], target[2], target[3]);
    sn_simulation* sim = running(scene);
    (void)remove(path);
    return sim;
}

static void spherical_joints_go_by_the_logarithm(void** state) {
    (void)state;
    for (uint64_t i = 0; i < 30; i++) {
        uint64_t seed = test_case_seed(POSTURES, i);
        test_rng rng = test_rng_make(seed);
        sn_quat turn = sn_quat_exp(test_vec3(&rng, 2)), start = sn_quat_exp(test_vec3(&rng, 2));
        const double target[4] = {turn.w, turn.x, turn.y, turn.z};
        const double q[4] = {start.w, start.x, start.y, start.z};
        sn_vec3 w = test_vec3(&rng, 3);
        const double v[3] = {w.x, w.y, w.z};
        sn_simulation* sim = load_ball_joint(target);
        sn_world* world = sn_simulation_world(sim);
        CHECK_STATUS(sn_world_set_state(world, q, v), SN_OK);
        running_step(sim, 1);
        sn_vec3 left = turn_left(q, target);
        // at the end of the step: the error shrinks by h v, in the axes that v is in
        const double* after = sn_world_v(world);
        double damping = 0.5 + 7 * sn_world_step_size(world);
        const double expected[3] = {7 * left.x - damping * after[0],
                                    7 * left.y - damping * after[1],
                                    7 * left.z - damping * after[2]};
        CHECK_VECTOR(sn_world_control(world), expected, 3, TOL_CHAIN, seed);
        sn_simulation_free(sim);
    }
}

static void a_target_is_reached(void** state) {
    (void)state;
    sn_simulation* sim = running("version: 1\ncontact: false\ngravity: [0, 0, 0]\n"
                                 "models: [{name: arm, file: " ARM "}]\n"
                                 "controllers: [{item: arm, frequency: 3}]\n");
    running_command(sim, "target: {controller: arm, joint: arm/upper_hinge, value: 1.0}");
    running_command(sim, "target: {controller: arm, joint: lower_hinge, value: -30deg}");
    running_step(sim, 4000);
    CHECK_NEAR(running_q(sim, "arm")[0], 1, 1e-3, 0);
    CHECK_NEAR(running_q(sim, "arm")[1], -acos(-1) / 6, 1e-3, 0);
    sn_simulation_free(sim);
}

static void targets_that_are_none_are_refused(void** state) {
    (void)state;
    const double up[4] = {1, 0, 0, 0};
    sn_simulation* sim = load_ball_joint(up);
    sn_world* world = sn_simulation_world(sim);
    running_refuse(sim, "target: {controller: pd, joint: socket, value: [1, 1, 1, 1]}",
                   SN_ERR_NUMERIC, "quaternions of length 1");
    running_refuse(sim, "target: {controller: pd, joint: socket, value: 1}", SN_ERR_ARGUMENT,
                   "takes 4 numbers, not 1");
    running_refuse(sim, "target: {controller: pd, joint: sacket, value: 1}", SN_ERR_ARGUMENT,
                   "'m' has no joint 'sacket'");
    sn_edit nan = {.type = SN_EDIT_TARGET, .name = "pd", .body = "socket", .number_count = 4};
    nan.number[0] = NAN;
    CHECK_STATUS(sn_simulation_apply(sim, &nan, NULL), SN_ERR_NUMERIC);
    running_step(sim, 1);
    for (int k = 0; k < 3; k++) CHECK(sn_world_control(world)[k] == 0, 0); // it is there already
    sn_simulation_free(sim);
}

static void a_controller_is_silent_without_its_item(void** state) {
    (void)state;
    sn_simulation* sim = running("version: 1\ncontact: false\nmodels:\n"
                                 "  - {name: first, file: " ARM ", q: {upper_hinge: 1}}\n"
                                 "  - {name: second, file: " ARM ", q: {upper_hinge: 1}}\n"
                                 "controllers:\n"
                                 "  - {item: first, kp: 10, target: {upper_hinge: 0}}\n"
                                 "  - {item: second, kp: 20, target: {upper_hinge: 0}}\n");
    sn_world* world = sn_simulation_world(sim);
    running_step(sim, 1);
    CHECK_NEAR(sn_world_control(world)[0], -10 * running_q(sim, "first")[0], 1e-12, 0);
    CHECK_NEAR(sn_world_control(world)[2], -20 * running_q(sim, "second")[0], 1e-12, 0);
    running_command(sim, "remove: first");
    running_step(sim, 1);
    double q = running_q(sim, "second")[0];
    CHECK_NEAR(sn_world_control(world)[0], -20 * q, 1e-12, 0); // the second one's joint now
    running_command(sim, "add: {name: first, file: " ARM ", q: {upper_hinge: 1}}");
    running_step(sim, 1);
    CHECK(sn_world_control(world)[2] == 0, 0); // another one of that name is not driven
    running_command(sim, "remove: second");
    running_step(sim, 1);
    CHECK(sn_world_control(world)[0] == 0, 0);
    sn_simulation_free(sim);
}

// ---- a controller of the user's -------------------------------------------------------------------------------

typedef struct user {
    int calls;
    sn_status answer;
    double force;
    sn_status edit_status;
    sn_status step_status;
} user;

static sn_status compute(void* context, sn_simulation* sim, double* tau) {
    user* u = context;
    u->calls++;
    tau[0] += u->force;
    u->edit_status = sn_simulation_command(sim, "gravity: [0, 0, 0]", NULL, 0, NULL);
    u->step_status = sn_simulation_step(sim, NULL);
    return u->answer;
}

static void a_users_controller_adds_to_the_scenes(void** state) {
    (void)state;
    sn_simulation *sim = running(SCENE), *other = running(SCENE);
    user u = {.force = 1.5};
    CHECK_STATUS(sn_simulation_set_controller(sim, "mine", compute, &u), SN_OK);
    CHECK_STATUS(sn_simulation_set_controller(NULL, "mine", compute, &u), SN_ERR_ARGUMENT);
    running_step(sim, 1);
    running_step(other, 1);
    sn_simulation* both[2] = {sim, other};
    for (int i = 0; i < 2; i++) {
        const sn_world* world = sn_simulation_world(both[i]);
        const double *q = sn_world_q(world), *v = sn_world_v(world);
        double spring = 30 * (0.5 - q[0]) - 4 * v[0];
        CHECK_NEAR(sn_world_control(world)[0], spring + (i == 0 ? 1.5 : 0), TOL_CHAIN * 30, 0);
    }
    CHECK(u.calls == 1, 0);
    // inside a step nothing is edited and there is no other step
    CHECK(u.edit_status == SN_ERR_ARGUMENT && u.step_status == SN_ERR_ARGUMENT, 0);
    CHECK_STATUS(sn_simulation_set_controller(sim, NULL, NULL, NULL), SN_OK);
    running_step(sim, 1);
    CHECK(u.calls == 1, 0);
    sn_simulation_free(sim);
    sn_simulation_free(other);
}

static void check_stopped(user u, const char* why) {
    running_log log;
    sn_simulation_def def = sn_simulation_def_default();
    def.log = running_log_into(&log);
    sn_simulation* sim = running_with(SCENE, &def);
    CHECK_STATUS(sn_simulation_set_controller(sim, "mine", compute, &u), SN_OK);
    running_step(sim, 5);
    CHECK(u.calls == 1 && log.count == 1, 0);
    running_says(log.text, "controller 'mine' is stopped");
    running_says(log.text, why);
    // the scene's goes on
    CHECK(sn_world_control(sn_simulation_world(sim))[0] != 0, 0);
    sn_simulation_free(sim);
}

static void a_controller_that_fails_is_stopped_and_named(void** state) {
    (void)state;
    check_stopped((user){.answer = SN_ERR_MODEL, .force = 1}, sn_status_text(SN_ERR_MODEL));
    check_stopped((user){.force = NAN}, sn_status_text(SN_ERR_NUMERIC));
    check_stopped((user){.force = INFINITY}, sn_status_text(SN_ERR_NUMERIC));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_those_of_the_formula),
        cmocka_unit_test(spherical_joints_go_by_the_logarithm),
        cmocka_unit_test(a_target_is_reached),
        cmocka_unit_test(targets_that_are_none_are_refused),
        cmocka_unit_test(a_controller_is_silent_without_its_item),
        cmocka_unit_test(a_users_controller_adds_to_the_scenes),
        cmocka_unit_test(a_controller_that_fails_is_stopped_and_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
