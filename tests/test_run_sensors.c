// SPDX-License-Identifier: Apache-2.0
// Sensors against what is computed another way: finite differences, sums by hand, the laws of mechanics.
#include <math.h>
#include <string.h>

#include "support/running.h"

static sn_vec3 vector(const double* x) { return sn_vec3_make(x[0], x[1], x[2]); }
static double distance(sn_vec3 a, sn_vec3 b) { return sn_vec3_norm(sn_vec3_sub(a, b)); }

static const char* const ROBOT =
    "version: 1\n"
    "step: 0.00001\n"
    "contact: false\n"
    "models:\n"
    "  - {name: robot, model: hrp2, base: free, at: [1, 2, 3], rpy: [0.3, 0.2, 0.1], v: [1, 0, 2], "
    "w: [0.5, 1, -0.7]}\n"
    "controllers:\n"
    "  - {item: robot, kp: 10, kd: 0.1}\n"
    "sensors:\n"
    "  - {name: angle, type: position, item: robot, joint: l_elbow}\n"
    "  - {name: speed, type: velocity, item: robot, joint: l_elbow}\n"
    "  - {name: effort, type: control, item: robot, joint: l_elbow}\n"
    "  - {name: root, type: position, item: robot, joint: root}\n"
    "  - {name: hand, type: pose, item: robot, body: l_wrist}\n"
    "  - {name: hand_v, type: twist, item: robot, body: l_wrist}\n"
    "  - {name: centre, type: centre, item: robot}\n"
    "  - {name: energy, type: energy}\n";

static sn_simulation* load_robot(void) {
    static const char* folders[] = {SN_TEST_MODELS_DIR, NULL};
    sn_simulation_def def = sn_simulation_def_default();
    def.load.model_paths = folders;
    return running_with(ROBOT, &def);
}

static void joint_sensors_show_the_state(void** state) {
    (void)state;
    sn_simulation* sim = load_robot();
    sn_world* world = sn_simulation_world(sim);
    const sn_model* model = sn_world_model(world);
    running_step(sim, 25);
    sn_body_info joint = sn_model_body(model, sn_model_find_joint(model, "robot/l_elbow"));
    CHECK(*running_sensor(sim, "angle") == sn_world_q(world)[joint.iq], 0);
    CHECK(*running_sensor(sim, "speed") == sn_world_v(world)[joint.iv], 0);
    CHECK(*running_sensor(sim, "effort") == sn_world_control(world)[joint.iv], 0);
    CHECK(*running_sensor(sim, "speed") != 0 && *running_sensor(sim, "effort") != 0, 0);
    CHECK(memcmp(running_sensor(sim, "root"), sn_world_q(world), 7 * sizeof(double)) == 0, 0);
    int count;
    (void)sn_simulation_sensors(sim, &count);
    CHECK(count == 1 + 1 + 1 + 7 + 7 + 6 + 6 + 3, 0);
    sn_simulation_free(sim);
}

// Velocities against central differences of positions: the steps are short, so what is left is of their order.
static void velocities_are_the_derivatives_of_positions(void** state) {
    (void)state;
    sn_simulation* sim = load_robot();
    double h = sn_world_step_size(sn_simulation_world(sim));
    running_step(sim, 5);
    double before[7], middle_v[6], centre_before[6], centre_middle[6];
    memcpy(before, running_sensor(sim, "hand"), sizeof before);
    memcpy(centre_before, running_sensor(sim, "centre"), sizeof centre_before);
    running_step(sim, 1);
    memcpy(middle_v, running_sensor(sim, "hand_v"), sizeof middle_v);
    memcpy(centre_middle, running_sensor(sim, "centre"), sizeof centre_middle);
    running_step(sim, 1);
    const double *after = running_sensor(sim, "hand"), *centre = running_sensor(sim, "centre");
    sn_vec3 v = sn_vec3_scale(1 / (2 * h), sn_vec3_sub(vector(after), vector(before)));
    sn_vec3 c = sn_vec3_scale(1 / (2 * h), sn_vec3_sub(vector(centre), vector(centre_before)));
    sn_quat q0 = sn_quat_make(before[3], before[4], before[5], before[6]);
    sn_quat q1 = sn_quat_make(after[3], after[4], after[5], after[6]);
    sn_quat turn = sn_quat_mul(q1, sn_quat_conj(q0));                       // world axes
    sn_vec3 w = sn_vec3_scale(1 / h, sn_vec3_make(turn.x, turn.y, turn.z)); // 2 sin(a/2) / 2h
    static const double FIRST_ORDER = 2e-3; // accelerations of some 100 m/s^2 times h
    CHECK_NEAR(distance(v, vector(middle_v + 3)), 0, FIRST_ORDER, 0);
    CHECK_NEAR(distance(w, vector(middle_v)), 0, FIRST_ORDER, 0);
    CHECK_NEAR(distance(c, vector(centre_middle + 3)), 0, FIRST_ORDER, 0);
    CHECK(sn_vec3_norm(v) > 0.5 && sn_vec3_norm(w) > 0.5, 0);
    sn_simulation_free(sim);
}

static void the_centre_of_mass_is_the_mean_of_the_bodies(void** state) {
    (void)state;
    sn_simulation* sim = load_robot();
    running_step(sim, 10);
    sn_world* world = sn_simulation_world(sim);
    const sn_model* model = sn_world_model(world);
    sn_vec3 sum = sn_vec3_zero();
    double mass = 0;
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_inertia I = sn_model_body(model, sn_body(i)).inertia;
        sn_vec3 com = sn_pose_apply(sn_dynamics_pose(sn_world_dynamics(world), sn_body(i)), I.com);
        sum = sn_vec3_add(sum, sn_vec3_scale(I.mass, com));
        mass += I.mass;
    }
    CHECK_NEAR(distance(vector(running_sensor(sim, "centre")), sn_vec3_scale(1 / mass, sum)), 0,
               TOL_CHAIN, 0);
    sn_momentum all = sn_world_momentum(world);
    sn_vec3 speed = sn_vec3_scale(1 / mass, all.linear);
    CHECK_NEAR(distance(vector(running_sensor(sim, "centre") + 3), speed), 0, TOL_CHAIN, 0);
    sn_energy energy = sn_world_energy(world);
    CHECK(running_sensor(sim, "energy")[0] == energy.kinetic && energy.kinetic > 0, 0);
    CHECK(running_sensor(sim, "energy")[1] == energy.potential, 0);
    sn_simulation_free(sim);
}

static void contact_forces_carry_the_weight(void** state) {
    (void)state;
    sn_simulation* sim =
        running("version: 1\nfloor: true\n"
                "objects:\n"
                "  - {name: low, box: [0.4, 0.4, 0.2], mass: 3, at: [0, 0, 0.1]}\n"
                "  - {name: high, box: [0.2, 0.2, 0.2], mass: 2, at: [0.05, 0, 0.3]}\n"
                "contact: {tolerance: 1e-8, sweeps: 500}\n"
                "sensors:\n"
                "  - {name: low, type: contact, item: low}\n"
                "  - {name: high, type: contact, item: high}\n"
                "  - {name: speed, type: twist, item: low}\n");
    running_step(sim, 1500); // longer than it takes to fall asleep where nobody measures
    const double g = 9.81;
    CHECK_NEAR(running_sensor(sim, "high")[5], 2 * g, 1e-3, 0);
    CHECK_NEAR(running_sensor(sim, "low")[5], 3 * g, 1e-3, 0); // 5 g from below, 2 g from above
    // the moment about the low box's origin: the load stands 5 cm beside it, the floor answers
    CHECK_NEAR(running_sensor(sim, "low")[0], 0, 1e-3, 0);
    CHECK_NEAR(running_sensor(sim, "low")[1], 0, 1e-3, 0);
    CHECK_NEAR(running_sensor(sim, "low")[3], 0, 1e-3, 0);
    // of the high box alone: its weight acts in its own centre
    CHECK_NEAR(running_sensor(sim, "high")[1], 0, 1e-3, 0);
    sn_simulation_free(sim);
}

static void the_sum_of_contact_forces_is_what_changes_momentum(void** state) {
    (void)state;
    sn_simulation* sim = running("version: 1\nfloor: true\n"
                                 "objects: [{name: box, box: [0.2, 0.1, 0.3], mass: 2, "
                                 "at: [0, 0, 0.3], rpy: [0.4, 0.3, 0], v: [1, 0, -2], "
                                 "w: [1, 2, 3]}]\n"
                                 "sensors: [{name: hit, type: contact, item: box}]\n");
    sn_world* world = sn_simulation_world(sim);
    double h = sn_world_step_size(world);
    int hits = 0;
    for (int k = 0; k < 600; k++) {
        sn_vec3 before = sn_world_momentum(world).linear;
        running_step(sim, 1);
        sn_vec3 change = sn_vec3_sub(sn_world_momentum(world).linear, before);
        sn_vec3 weight = sn_vec3_make(0, 0, -2 * 9.81);
        sn_vec3 force = vector(running_sensor(sim, "hit") + 3);
        CHECK_NEAR(distance(change, sn_vec3_scale(h, sn_vec3_add(force, weight))), 0, 1e-9, 0);
        hits += sn_vec3_norm(force) > 0;
    }
    CHECK(hits > 100, 0);
    sn_simulation_free(sim);
}

/// Where one thing falls asleep in a step in which another moves on, forces stay with their contacts.
static void forces_belong_to_their_contacts_when_something_falls_asleep(void** state) {
    (void)state;
    sn_simulation* sim =
        running("version: 1\nfloor: {mu: 0}\nobjects:\n"
                "  - {name: still, box: [0.2, 0.2, 0.2], mass: 5, at: [0, 0, 0.1]}\n"
                "  - {name: ball, sphere: 0.1, mass: 1, at: [0, 1, 0.1], "
                "v: [0.5, 0, 0], material: {mu: 0}}\n");
    sn_world* world = sn_simulation_world(sim);
    int asleep = 0;
    for (int k = 0; k < 800; k++) {
        running_step(sim, 1);
        double force = 0;
        for (int32_t i = 0; i < sn_world_contact_count(world); i++)
            if (sn_world_contacts(world)[i].a.i == 1 || sn_world_contacts(world)[i].b.i == 1)
                force += fabs(sn_world_contact_force(world, i).f.z);
        if (k > 100) CHECK_NEAR(force, 9.81, 0.01, 0);
        asleep += sn_world_is_resting(world, sn_body(0));
    }
    CHECK(asleep > 50, 0);
    sn_simulation_free(sim);
}

static void frames_are_measured_where_they_are(void** state) {
    (void)state;
    sn_simulation* sim = running("version: 1\n"
                                 "contact: false\n"
                                 "models: [{name: arm, file: " SN_TEST_MODELS_DIR
                                 "/double_pendulum.urdf, at: [0, 0, 2], q: {upper_hinge: 0.6}, "
                                 "qd: {upper_hinge: 2, lower_hinge: -1}}]\n"
                                 "sensors:\n"
                                 "  - {name: frame, type: pose, item: arm, frame: base}\n"
                                 "  - {name: frame_v, type: twist, item: arm, frame: base}\n"
                                 "  - {name: body, type: pose, item: arm, body: lower_rod}\n");
    running_step(sim, 10);
    CHECK_NEAR(distance(vector(running_sensor(sim, "frame")), sn_vec3_make(0, 0, 2)), 0,
               TOL_ROUNDOFF, 0);
    for (int k = 0; k < 6; k++) CHECK(running_sensor(sim, "frame_v")[k] == 0, 0);
    sn_pose X = running_pose(sim, "arm/lower_rod");
    CHECK_NEAR(distance(vector(running_sensor(sim, "body")), X.p), 0, TOL_ROUNDOFF, 0);
    sn_simulation_free(sim);
}

static void sensors_of_what_is_gone_show_nothing(void** state) {
    (void)state;
    sn_simulation* sim = running("version: 1\nfloor: true\nobjects:\n"
                                 "  - {name: a, sphere: 0.1, at: [0, 0, 1]}\n"
                                 "  - {name: b, sphere: 0.1, at: [1, 0, 1]}\n"
                                 "sensors:\n"
                                 "  - {name: a, type: pose, item: a}\n"
                                 "  - {name: a_touch, type: contact, item: a}\n"
                                 "  - {name: b, type: pose, item: b}\n"
                                 "  - {name: energy, type: energy}\n");
    running_step(sim, 2);
    CHECK(isfinite(running_sensor(sim, "a")[0]), 0);
    running_command(sim, "remove: a");
    running_step(sim, 1);
    for (int k = 0; k < 7; k++) CHECK(isnan(running_sensor(sim, "a")[k]), 0);
    for (int k = 0; k < 6; k++) CHECK(isnan(running_sensor(sim, "a_touch")[k]), 0);
    CHECK(running_sensor(sim, "b")[0] == 1, 0); // though its body has another number now
    CHECK(isfinite(running_sensor(sim, "energy")[1]), 0);
    // one of the same name is another item
    running_command(sim, "add: {name: a, sphere: 0.1, at: [5, 0, 1]}");
    running_step(sim, 1);
    CHECK(isnan(running_sensor(sim, "a")[0]), 0);
    running_command(sim, "reset: true");
    running_step(sim, 1);
    CHECK(running_sensor(sim, "a")[0] == 0, 0);
    sn_simulation_free(sim);
}

static void sensors_show_the_beginning_before_the_first_step(void** state) {
    (void)state;
    sn_simulation* sim = running("version: 1\nobjects: [{name: a, sphere: 0.1, at: [4, 5, 6]}]\n"
                                 "sensors: [{name: a, type: pose, item: a}]\n");
    const double expected[7] = {4, 5, 6, 1, 0, 0, 0};
    CHECK(memcmp(running_sensor(sim, "a"), expected, sizeof expected) == 0, 0);
    sn_simulation_free(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joint_sensors_show_the_state),
        cmocka_unit_test(velocities_are_the_derivatives_of_positions),
        cmocka_unit_test(the_centre_of_mass_is_the_mean_of_the_bodies),
        cmocka_unit_test(contact_forces_carry_the_weight),
        cmocka_unit_test(the_sum_of_contact_forces_is_what_changes_momentum),
        cmocka_unit_test(forces_belong_to_their_contacts_when_something_falls_asleep),
        cmocka_unit_test(frames_are_measured_where_they_are),
        cmocka_unit_test(sensors_of_what_is_gone_show_nothing),
        cmocka_unit_test(sensors_show_the_beginning_before_the_first_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
