// SPDX-License-Identifier: Apache-2.0
// Whole sessions at rest: the force on the hand is the one that mechanics says, walls are as stiff as the certificate,
// nothing jumps.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/playing.h"
#include "support/recorded.h"

static const double STATIC = 0.05;    // relative error of a force at rest
static const double STIFFNESS = 0.15; // relative error of a stiffness
static const double RIPPLE = 0.02;    // N
static const double MOST = 1e5;       // N/m, that no device has

static sn_hand_def stiffest(sn_hand_def def) {
    def.stiffness = def.damping = MOST;
    return def;
}

// ---- what a hand carries ------------------------------------------------------------------------------------------

static void the_weight_of_a_body_is_felt_with_both_laws(void** state) {
    (void)state;
    const sn_hand_knot stay[] = {playing_knot(0, 0, 0, 0)};
    static const char* const profiles[] = {"touch", "omni", "falcon", "omega3", "sigma7"};
    for (int i = 0; i < 10; i++) {
        sn_device_profile profile;
        char scene[200];
        CHECK(sn_device_profile_find(profiles[i / 2], &profile), 0);
        double weight = 0.6 * profile.continuous_force;
        (void)snprintf(scene, sizeof scene,
                       "version: 1\nobjects:\n  - {name: ball, sphere: 0.05, mass: %.6f}\n",
                       weight / 9.81);
        playing p = playing_begin(scene, NULL);
        sn_hand_def hand = stiffest(playing_hold(0));
        hand.law = i % 2 ? SN_FEEDBACK_REACTION : SN_FEEDBACK_SPRING;
        check_context(profile.name);
        playing_hand(&p, &hand, profile.name, "firm", stay, 1);
        CHECK_STATUS(playing_settle(&p, RIPPLE, 4, 60), SN_OK);
        CHECK_RELATIVE(-playing_report(&p, 0).force.force.z, weight, STATIC, 0);
        CHECK_RELATIVE(playing_report(&p, 0).wrench.f.z, weight, STATIC, 0);
        CHECK(p.tap[0]->ripple < RIPPLE && playing_report(&p, 0).safety.trips == 0, 0);
        playing_check_steps(&p, 0);
        playing_end(&p);
    }
    check_context(NULL);
}

/// A pendulum held by a spring in its joint: what it takes to turn it is k times the angle over the arm.
static void a_spring_in_a_joint_is_felt(void** state) {
    (void)state;
    const sn_hand_knot way[] = {playing_knot(0, 0, 0, 0), playing_knot(1, 0, 0, 0),
                                playing_knot(2, 0.03, 0, 0)};
    playing p = playing_begin("version: 1\ngravity: [0, 0, 0]\nmodels:\n"
                              "  - {name: arm, file: " SN_TEST_MODELS_DIR
                              "/double_pendulum.urdf, base: fixed}\n"
                              "controllers:\n  - {name: posture, item: arm, kp: 10, kd: 1}\n",
                              NULL);
    sn_world* world = sn_simulation_world(p.sim);
    int32_t last = sn_model_body_count(sn_world_model(world)) - 1;
    sn_hand_def hand = stiffest(playing_hold(0));
    hand.body = sn_body(last);
    playing_hand(&p, &hand, "omega3", "firm", way, 3);
    CHECK_STATUS(playing_settle(&p, RIPPLE, 4, 60), SN_OK);
    // virtual work: the force along the way that the point has when one joint turns is that joint's torque
    sn_vec3 f = playing_report(&p, 0).force.force;
    const double* q = sn_world_q(world);
    sn_vec3 at = playing_place(&p, last), centre = playing_place(&p, 0);
    sn_vec3 arm = sn_vec3_sub(at, centre);
    double torque = sn_vec3_cross(arm, f).y; // joints turn about y
    CHECK(fabs(q[0]) > 0.01, 0);
    CHECK_RELATIVE(fabs(torque), 10 * fabs(q[0]), STATIC, 0);
    playing_end(&p);
}

// ---- walls ----------------------------------------------------------------------------------------------------------

static void expect_wall(const playing* p, double depth, double force) {
    sn_hand_report report = playing_report(p, 0);
    CHECK(depth > 0 && force > 0.02, 0);
    CHECK_RELATIVE(force / depth, report.stiffness, STIFFNESS, 0);
    CHECK(playing_ripple(p, 0) < RIPPLE, 0);
    CHECK(report.safety.trips == 0, 0);
    playing_check_steps(p, 0);
}

/// A box whose upper side is at z = 0, of triangles.
static const char SLAB[] = "v -0.1 -0.1 -0.1\nv 0.1 -0.1 -0.1\nv 0.1 0.1 -0.1\nv -0.1 0.1 -0.1\n"
                           "v -0.1 -0.1 0\nv 0.1 -0.1 0\nv 0.1 0.1 0\nv -0.1 0.1 0\n"
                           "f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\n"
                           "f 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n";

static void a_touched_wall_is_as_stiff_as_the_certificate(void** state) {
    (void)state;
    static const char* const walls[] = {
        "environment:\n  - {name: wall, box: [0.2, 0.2, 0.2], at: [0, 0, -0.11]}\n",
        "floor: {height: -0.01}\n",
        "mesh",
    };
    static const char* const profiles[] = {"touch", "falcon", "omega3", "lambda7"};
    const sn_hand_knot way[] = {playing_knot(0, 0, 0, 0), playing_knot(1, 0, 0, 0),
                                playing_knot(2, 0, 0, -0.012)};
    char path[256];
    recorded_path(path, "session_slab");
    strcpy(strrchr(path, '.'), ".obj");
    recorded_write(path, SLAB, sizeof SLAB - 1);
    for (int i = 0; i < 12; i++) {
        char scene[500] = "version: 1\n";
        if (i / 4 < 2)
            strcat(scene, walls[i / 4]);
        else
            (void)snprintf(
                scene, sizeof scene,
                "version: 1\nenvironment:\n  - {name: wall, mesh: %s, at: [0, 0, -0.01]}\n", path);
        check_context(walls[i / 4]);
        playing p = playing_begin(scene, NULL);
        sn_hand_def hand = stiffest(playing_touch(MOST));
        playing_hand(&p, &hand, profiles[i % 4], "firm", way, 3);
        playing_watch(&p, 4, 4.9);
        CHECK_STATUS(playing_run(&p, 5), SN_OK);
        expect_wall(&p, -0.01 - playing_handle(&p, 0).z, playing_mean(&p, 0).z);
        playing_end(&p);
    }
    check_context(NULL);
    CHECK(remove(path) == 0, 0);
}

/// Deepest that the local model of a held body was in the wall, looked at in every haptic tick.
typedef struct depth {
    const sn_session* session;
    double wall; ///< m, x of its face
    double most;
    sn_vec3 point; ///< of the body
} depth;

static void measure_depth(void* context, double now, const sn_device_force* force) {
    depth* d = context;
    const sni_haptic_loop* loop = d->session->hand[0].loop;
    (void)now, (void)force;
    if (loop->model.law.count == 0) return;
    sn_vec3 x = sn_pose_apply(sn_local_model_pose(&loop->model, 0), d->point);
    d->most = fmax(d->most, x.x - d->wall);
}

static void watch_depth(playing* p, depth* d) {
    d->session = p->session;
    p->tap[0]->seen = measure_depth;
    p->tap[0]->context = d;
}

static void a_body_pressed_on_a_wall_feels_as_stiff_as_the_certificate(void** state) {
    (void)state;
    static const char* const profiles[] = {"touch", "falcon", "omega3", "lambda7"};
    static const double steps[] = {1e-3, 1e-2}; // s: also when ten ticks pass between two steps
    static const double slop[] = {1e-6, 1e-4};  // m: what a step may leave open
    const sn_hand_knot way[] = {playing_knot(0, 0, 0, 0), playing_knot(1, 0, 0, 0),
                                playing_knot(2, 0.008, 0, 0)};
    for (int i = 0; i < 8; i++) {
        char scene[300];
        (void)snprintf(scene, sizeof scene,
                       "version: 1\ngravity: [0, 0, 0]\nstep: %g\n"
                       "objects:\n  - {name: block, box: [0.1, 0.1, 0.1], mass: 0.2}\n"
                       "environment:\n"
                       "  - {name: wall, box: [0.1, 0.4, 0.4], at: [0.105, 0, 0]}\n",
                       steps[i / 4]);
        playing p = playing_begin(scene, NULL);
        sn_hand_def hand = stiffest(playing_hold(0));
        depth d = {.wall = 0.055, .point = sn_vec3_make(0.05, 0, 0)};
        check_context(profiles[i % 4]);
        playing_hand(&p, &hand, profiles[i % 4], "firm", way, 3);
        watch_depth(&p, &d);
        playing_watch(&p, 5, 5.9);
        CHECK_STATUS(playing_run(&p, 6), SN_OK);
        expect_wall(&p, playing_handle(&p, 0).x - 0.005, -playing_mean(&p, 0).x);
        CHECK(d.most < slop[i / 4], 0);
        playing_end(&p);
    }
    check_context(NULL);
}

/// Mean force and place of a handle in the last second before each of two times.
typedef struct presses {
    depth depth;
    double until[2]; ///< s
    sn_vec3 force[2], place[2];
    int count[2];
} presses;

static void measure_presses(void* context, double now, const sn_device_force* force) {
    presses* at = context;
    measure_depth(&at->depth, now, force);
    for (int i = 0; i < 2; i++) {
        if (now < at->until[i] - 1 || now >= at->until[i]) continue;
        double share = 1.0 / ++at->count[i];
        sn_vec3 p = at->depth.session->hand[0].loop->sample.pose.p;
        at->force[i] = sn_vec3_add(at->force[i],
                                   sn_vec3_scale(share, sn_vec3_sub(force->force, at->force[i])));
        at->place[i] =
            sn_vec3_add(at->place[i], sn_vec3_scale(share, sn_vec3_sub(p, at->place[i])));
    }
}

/// With gravity, and motors that carry the arm: what the wall adds when the hand goes on by 5 mm.
static void a_robots_hand_on_a_wall_feels_as_stiff_as_the_certificate(void** state) {
    (void)state;
    const sn_hand_knot way[] = {playing_knot(0, 0, 0, 0), playing_knot(1, 0, 0, 0),
                                playing_knot(1.6, 0.01, 0, 0), playing_knot(5, 0.01, 0, 0),
                                playing_knot(5.5, 0.015, 0, 0)};
    playing p = playing_begin("version: 1\nmodels:\n"
                              "  - {name: robot, file: " SN_TEST_MODELS_DIR
                              "/hrp2.urdf, base: fixed, at: [0, 0, 1], q: {l_elbow: -90deg}}\n"
                              "environment:\n"
                              "  - {name: wall, box: [0.1, 0.6, 0.6], at: [0.481, 0.25, 1.23]}\n"
                              "controllers:\n  - {name: all, item: robot, frequency: 3, "
                              "target: {l_elbow: -90deg, l_shoulder_pitch: -6deg}}\n",
                              NULL);
    sn_hand_def hand = stiffest(playing_hold(0));
    hand.body = sn_body(23); // l_wrist, with the palm and the outer jaw
    hand.point = sn_vec3_make(0, 0.0225, -0.18);
    presses at = {.depth = {p.session, 0.431, 0, hand.point}, .until = {5, 11}};
    playing_hand(&p, &hand, "omega3", "firm", way, 5);
    p.tap[0]->seen = measure_presses, p.tap[0]->context = &at;
    playing_watch(&p, 10, 11);
    CHECK_STATUS(playing_run(&p, 11.1), SN_OK);
    double on = at.place[1].x - at.place[0].x, more = at.force[0].x - at.force[1].x;
    CHECK(at.force[0].x < -0.1 && on > 1e-4, 0);
    CHECK_RELATIVE(more / on, playing_report(&p, 0).stiffness, STIFFNESS, 0);
    CHECK(playing_ripple(&p, 0) < RIPPLE && playing_report(&p, 0).safety.trips == 0, 0);
    playing_check_steps(&p, 0);
    CHECK(at.depth.most < 1e-6, 0);
    playing_end(&p);
}

// ---- no jumps -----------------------------------------------------------------------------------------------------

static const char* const BALL = "version: 1\ngravity: [0, 0, 0]\n"
                                "objects:\n  - {name: ball, sphere: 0.05, mass: 0.3}\n";

static void grabbing_makes_no_jump(void** state) {
    (void)state;
    const sn_hand_knot far[] = {playing_knot(0, 0.03, 0.02, -0.01)};
    playing p = playing_begin(BALL, NULL);
    sn_hand_def hand = stiffest(playing_hold(0));
    hand.point = sn_vec3_make(0, 0.05, 0);
    playing_hand(&p, &hand, "omega3", "firm", far, 1);
    CHECK_STATUS(playing_run(&p, 2), SN_OK);
    CHECK(playing_report(&p, 0).safety.max_force < 1e-6, 0);
    CHECK(sn_vec3_norm(playing_place(&p, 0)) < 1e-6, 0);
    playing_end(&p);
}

static void a_clutch_moves_the_hand_and_not_the_body(void** state) {
    (void)state;
    sn_hand_knot way[] = {playing_knot(0, 0, 0, 0), playing_knot(2, 0, 0, 0),
                          playing_knot(3, 0.03, 0, 0), playing_knot(3.2, 0.03, 0, 0),
                          playing_knot(4, 0.03, 0.01, 0)};
    way[1].buttons = way[2].buttons = 3; // button 1 from 2 s to 3.2 s
    playing p = playing_begin(BALL, NULL);
    sn_hand_def hand = playing_hold(0);
    hand.stiffness = MOST;
    hand.button_count = 1;
    hand.button[0] = (sn_button_def){0, "clutch"};
    playing_hand(&p, &hand, "falcon", "firm", way, 5);
    CHECK_STATUS(playing_settle(&p, RIPPLE, 7, 60), SN_OK);
    CHECK_NEAR(playing_place(&p, 0).x, 0, 1e-3, 0);
    CHECK_NEAR(playing_place(&p, 0).y, 0.01, 1e-3, 0);
    CHECK(p.tap[0]->largest_step < 0.2, 0); // N, far from a jump: 3 cm would be 54 N
    playing_end(&p);
}

// ---- several hands --------------------------------------------------------------------------------------------------

static void two_hands_on_one_bar_feel_each_other(void** state) {
    (void)state;
    const sn_hand_knot stay[] = {playing_knot(0, 0, 0, 0)};
    const sn_hand_knot away[] = {playing_knot(0, 0, 0, 0), playing_knot(1, 0, 0, 0),
                                 playing_knot(2, 0.01, 0, 0)};
    playing p = playing_begin("version: 1\ngravity: [0, 0, 0]\nobjects:\n"
                              "  - {name: bar, box: [0.4, 0.03, 0.03], mass: 0.4}\n",
                              NULL);
    sn_hand_def hand = stiffest(playing_hold(0));
    hand.point = sn_vec3_make(-0.2, 0, 0);
    playing_hand(&p, &hand, "omega3", "firm", stay, 1);
    hand.point = sn_vec3_make(0.2, 0, 0);
    playing_hand(&p, &hand, "omega3", "firm", away, 3);
    playing_watch(&p, 4, 4.9);
    CHECK_STATUS(playing_run(&p, 5), SN_OK);
    double left = playing_mean(&p, 0).x, right = playing_mean(&p, 1).x;
    CHECK(left > 1, 0);
    CHECK_RELATIVE(left, -right, STATIC, 0);
    // two springs in series
    double way = playing_handle(&p, 1).x - playing_handle(&p, 0).x;
    CHECK_RELATIVE(left / way, playing_report(&p, 0).stiffness / 2, STIFFNESS, 0);
    CHECK(playing_ripple(&p, 0) < RIPPLE && playing_ripple(&p, 1) < RIPPLE, 0);
    playing_end(&p);
}

// The chain hangs straight; its end is pulled up by one hand, a link in its middle held by another.
static void hands_on_different_bodies_of_one_chain_feel_each_other(void** state) {
    (void)state;
    const sn_hand_knot stay[] = {playing_knot(0, 0, 0, 0)};
    const sn_hand_knot pull[] = {playing_knot(0, 0, 0, 0), playing_knot(1, 0, 0, 0),
                                 playing_knot(2, 0.01, 0, 0)};
    playing p = playing_begin("version: 1\ngravity: [0, 0, 0]\nmodels:\n"
                              "  - {name: rope, generate: 'cable:20', base: free}\n",
                              NULL);
    sn_hand_def hand = stiffest(playing_hold(0));
    hand.body = sn_body(0);
    playing_hand(&p, &hand, "omega3", "firm", stay, 1);
    hand.body = sn_body(19);
    playing_hand(&p, &hand, "omega3", "firm", pull, 3);
    playing_watch(&p, 4, 4.9);
    CHECK_STATUS(playing_run(&p, 5), SN_OK);
    double first = playing_mean(&p, 0).x, last = playing_mean(&p, 1).x;
    CHECK(first > 1, 0); // a straight rope does not give way
    CHECK_RELATIVE(first, -last, STATIC, 0);
    CHECK(playing_ripple(&p, 0) < RIPPLE && playing_ripple(&p, 1) < RIPPLE, 0);
    playing_end(&p);
}

// ---- taking and letting go --------------------------------------------------------------------------------------------

static bool remove_at_two(void* context, sn_session* session, const sn_step_report* report) {
    bool* removed = context;
    (void)report;
    if (!*removed && session->meter.last_ns >= 2000000000) {
        *removed = true;
        running_command(session->sim, "remove: ball");
    }
    return true;
}

static void a_hand_on_a_body_that_is_removed_lets_go(void** state) {
    (void)state;
    const sn_hand_knot stay[] = {playing_knot(0, 0, 0, 0)};
    playing p = playing_begin("version: 1\nobjects:\n"
                              "  - {name: ball, sphere: 0.05, mass: 0.3}\n"
                              "  - {name: other, sphere: 0.05, mass: 0.3, at: [1, 0, 0]}\n",
                              NULL);
    sn_hand_def hand = stiffest(playing_hold(0));
    bool removed = false;
    playing_hand(&p, &hand, "omega3", "firm", stay, 1);
    CHECK_STATUS(sn_session_run(p.session, 2, NULL, NULL), SN_OK);
    CHECK(playing_report(&p, 0).force.force.z < -2, 0);
    CHECK_STATUS(sn_session_run(p.session, 1, remove_at_two, &removed), SN_OK);
    CHECK(removed && playing_report(&p, 0).body.i < 0, 0);
    CHECK(playing_report(&p, 0).safety.cause == SN_CAUSE_IDLE, 0);
    CHECK(sn_vec3_norm(playing_report(&p, 0).force.force) == 0, 0);
    playing_check_steps(&p, 0);
    playing_end(&p);
}

static void a_button_grabs_what_is_near_and_lets_it_go(void** state) {
    (void)state;
    sn_hand_knot way[] = {playing_knot(0, 0, 0, 0),     playing_knot(0.5, 0, 0, 0),
                          playing_knot(0.6, 0, 0, 0),   playing_knot(1.6, 0.02, 0, 0),
                          playing_knot(3, 0.02, 0, 0),  playing_knot(3.1, 0.02, 0, 0),
                          playing_knot(3.5, 0.05, 0, 0)};
    way[1].buttons = way[4].buttons = 3;
    playing p = playing_begin("version: 1\ngravity: [0, 0, 0]\nobjects:\n"
                              "  - {name: ball, sphere: 0.05, mass: 0.1, at: [0, 0, 0.08]}\n",
                              NULL);
    sn_hand_def hand = stiffest(playing_hold(-1));
    hand.button_count = 1;
    hand.button[0] = (sn_button_def){0, "grab"};
    playing_hand(&p, &hand, "falcon", "firm", way, 7);
    CHECK_STATUS(playing_run(&p, 0.4), SN_OK);
    CHECK(playing_report(&p, 0).body.i < 0, 0);
    CHECK_STATUS(playing_run(&p, 2), SN_OK); // a run ends 0.1 s later
    CHECK(playing_report(&p, 0).body.i == 0, 0);
    sn_vec3 held = sn_pose_apply(running_pose(p.sim, "ball"), p.session->hand[0].terms.point);
    CHECK_NEAR(held.x, 0.02, 2e-3, 0);
    CHECK_STATUS(playing_run(&p, 2), SN_OK);
    CHECK(playing_report(&p, 0).body.i < 0, 0);
    playing_check_steps(&p, 0);
    playing_end(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_weight_of_a_body_is_felt_with_both_laws),
        cmocka_unit_test(a_spring_in_a_joint_is_felt),
        cmocka_unit_test(a_touched_wall_is_as_stiff_as_the_certificate),
        cmocka_unit_test(a_body_pressed_on_a_wall_feels_as_stiff_as_the_certificate),
        cmocka_unit_test(a_robots_hand_on_a_wall_feels_as_stiff_as_the_certificate),
        cmocka_unit_test(grabbing_makes_no_jump),
        cmocka_unit_test(a_clutch_moves_the_hand_and_not_the_body),
        cmocka_unit_test(two_hands_on_one_bar_feel_each_other),
        cmocka_unit_test(hands_on_different_bodies_of_one_chain_feel_each_other),
        cmocka_unit_test(a_hand_on_a_body_that_is_removed_lets_go),
        cmocka_unit_test(a_button_grabs_what_is_near_and_lets_it_go),
    };
    return cmocka_run_group_tests_name("session_fidelity", tests, NULL, NULL);
}
