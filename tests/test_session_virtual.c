// SPDX-License-Identifier: Apache-2.0
// Whole interactions in virtual time: simulation, coupling and haptic loop, a simulated device and hand.
#include <math.h>
#include <string.h>

#include "session/sn_session.h"
#include "sinew/simulated_device.h"
#include "support/check.h"
#include "support/running.h"

static const char* const FREE = "version: 1\ngravity: [0, 0, 0]\n"
                                "objects:\n  - {name: ball, sphere: 0.05, mass: 0.5}\n";
static const char* const HEAVY = "version: 1\n"
                                 "objects:\n  - {name: ball, sphere: 0.05, mass: 0.1}\n";

typedef struct play {
    sn_simulation* sim;
    sn_session* session;
    sn_device* device; ///< the session's
} play;

static sn_hand_def hand_on(int item) {
    return (sn_hand_def){.name = "hand",
                         .mode = SN_HAND_ATTACH,
                         .item = item,
                         .stiffness = 200,
                         .damping = 0.2,
                         .scale = 1,
                         .place_in = sn_pose_identity(),
                         .weight = true};
}

/// A hand of a preset on a profile, which wants what the script says; it holds the enable button.
static sn_device* device_of(const char* profile, const char* hand, const sn_hand_knot* knots,
                            int count) {
    sn_simulated_device_def def = sn_simulated_device_def_default();
    sn_hand_script* script = NULL;
    sn_device* device = NULL;
    CHECK(sn_device_profile_find(profile, &def.profile), 0);
    CHECK(sn_hand_model_find(hand, &def.hand), 0);
    CHECK_STATUS(sn_hand_script_create(knots, count, &script, NULL), SN_OK);
    def.script = script;
    CHECK_STATUS(sn_simulated_device_create(&def, &device, NULL), SN_OK);
    sn_hand_script_free(script);
    return device;
}

static sn_session_def virtual_def(void) {
    sn_session_def def = sn_session_def_default();
    def.virtual_time = true;
    return def;
}

static play begin(const char* scene, const sn_session_def* def, const sn_hand_def* hand,
                  sn_device* device) {
    play p = {.sim = running(scene), .device = device};
    CHECK_STATUS(sn_session_create(p.sim, def, &p.session, NULL), SN_OK);
    CHECK_STATUS(sn_session_add_hand(p.session, hand, device, NULL, NULL), SN_OK);
    return p;
}

static void end(play* p) {
    sn_session_free(p->session);
    sn_simulation_free(p->sim);
}

static sn_hand_knot knot(double time, double x, double y, double z) {
    return (sn_hand_knot){.time = time,
                          .pose = sn_pose_make(sn_mat3_identity(), sn_vec3_make(x, y, z)),
                          .buttons = 1};
}

static sn_vec3 place_of(const play* p) {
    sn_world* world = sn_simulation_world(p->sim);
    return sn_dynamics_pose(sn_world_dynamics(world), sn_body(0)).p;
}

static void a_free_body_follows_the_hand(void** state) {
    (void)state;
    const sn_hand_knot way[] = {knot(0, 0, 0, 0), knot(1, 0, 0, 0), knot(2, 0.03, 0.01, 0.02)};
    sn_hand_def hand = hand_on(0);
    sn_session_def def = virtual_def();
    play p = begin(FREE, &def, &hand, device_of("omega3", "firm", way, 3));
    CHECK_STATUS(sn_session_run(p.session, 6, NULL, NULL), SN_OK);
    sn_hand_report report;
    sn_session_ask_hand(p.session, 0, &report);
    sn_vec3 x = place_of(&p);
    CHECK_NEAR(x.x, 0.03, 2e-3, 0);
    CHECK_NEAR(x.y, 0.01, 2e-3, 0);
    CHECK_NEAR(x.z, 0.02, 2e-3, 0);
    CHECK(report.body.i == 0, 0);
    CHECK_NEAR(sn_loop_rate(&report.meter), 1000, 1, 0);
    CHECK(report.safety.trips == 0, 0);
    end(&p);
}

// A hand that rests with a body in it carries its weight: the force on the hand is m g, downwards.
static void weight_is_felt(void** state) {
    (void)state;
    static const char* const profiles[] = {"omni", "omega3"};
    const sn_hand_knot way[] = {knot(0, 0, 0, 0)};
    for (int i = 0; i < 2; i++) {
        sn_hand_def hand = hand_on(0);
        sn_session_def def = virtual_def();
        play p = begin(HEAVY, &def, &hand, device_of(profiles[i], "firm", way, 1));
        CHECK_STATUS(sn_session_run(p.session, 5, NULL, NULL), SN_OK);
        sn_hand_report report;
        sn_session_ask_hand(p.session, 0, &report);
        CHECK_NEAR(report.force.force.z, -0.981, 0.05 * 0.981, 0);
        CHECK_NEAR(report.wrench.f.z, 0.981, 0.05 * 0.981, 0);
        CHECK(report.safety.trips == 0, 0);
        end(&p);
    }
}

static bool is_awake_and_touches(void* context, sn_session* session, const sn_step_report* report) {
    int* steps = context;
    (void)session;
    CHECK(report->contact.resting == 0 && report->contact.points > 0, report->step);
    *steps += 1;
    return true;
}

// Held at rest on the floor for longer than a body needs to fall asleep: the law of each step has the floor in it.
static void what_is_held_does_not_fall_asleep(void** state) {
    (void)state;
    static const char* const ON_FLOOR =
        "version: 1\nfloor: true\nobjects:\n"
        "  - {name: box, box: [0.1, 0.1, 0.1], mass: 1, at: [0, 0, 0.05]}\n";
    const sn_hand_knot way[] = {knot(0, 0, 0, 0)};
    sn_hand_def hand = hand_on(0);
    sn_session_def def = virtual_def();
    int steps = 0;
    play p = begin(ON_FLOOR, &def, &hand, device_of("touch", "firm", way, 1));
    CHECK_STATUS(sn_session_run(p.session, 2, is_awake_and_touches, &steps), SN_OK);
    CHECK(steps == 2000, 0);
    end(&p);
}

// 10 steps a second and 1: the hand's loop goes on as ever, and knows from the start how long it has to wait.
static void a_slow_simulation_is_not_taken_for_one_that_stands_still(void** state) {
    (void)state;
    static const double paces[] = {0.01, 0.001};
    const sn_hand_knot way[] = {knot(0, 0, 0, 0), knot(3, 0.02, 0, 0)};
    for (int i = 0; i < 2; i++) {
        sn_hand_def hand = hand_on(0);
        sn_session_def def = virtual_def();
        def.pace = paces[i];
        play p = begin(FREE, &def, &hand, device_of("touch", "firm", way, 2));
        CHECK_STATUS(sn_session_run(p.session, 6 * paces[i], NULL, NULL), SN_OK);
        sn_hand_report report;
        sn_session_ask_hand(p.session, 0, &report);
        CHECK_NEAR(sn_loop_rate(&report.meter), 1000, 1, 0);
        CHECK(report.safety.trips == 0, 0);
        CHECK(report.safety.gain == 1, 0);
        end(&p);
    }
}

// Ticks by hand in the order of virtual time are those of a run, to the bit.
static void ticks_of_ones_own_do_what_a_run_does(void** state) {
    (void)state;
    const sn_hand_knot way[] = {knot(0, 0, 0, 0), knot(0.3, 0.01, 0, 0.01)};
    sn_hand_def hand = hand_on(0);
    sn_session_def def = virtual_def();
    sn_hand_report run, own;
    def.coupling_rate = 1000;
    play p = begin(HEAVY, &def, &hand, device_of("omega3", "firm", way, 2));
    CHECK_STATUS(sn_session_run(p.session, 0.501, NULL, NULL), SN_OK);
    sn_session_ask_hand(p.session, 0, &run);
    end(&p);
    p = begin(HEAVY, &def, &hand, device_of("omega3", "firm", way, 2));
    for (int64_t i = 0; i <= 500; i++) { // steps of 1 ms; the run ends with its last step
        CHECK_STATUS(sn_session_tick(p.session, SN_LOOP_SIMULATION, 0, i * 1000000), SN_OK);
        if (i == 500) break;
        CHECK_STATUS(sn_session_tick(p.session, SN_LOOP_COUPLING, 0, i * 1000000), SN_OK);
        CHECK_STATUS(sn_session_tick(p.session, SN_LOOP_HAPTICS, 0, i * 1000000), SN_OK);
    }
    sn_session_ask_hand(p.session, 0, &own);
    CHECK(run.meter.ticks == 500 && own.meter.ticks == 500, 0);
    CHECK(run.force.force.z < -0.1, 0);
    CHECK(memcmp(&run.force, &own.force, sizeof run.force) == 0, 0);
    CHECK_STATUS(sn_session_tick(p.session, SN_LOOP_HAPTICS, 1, 0), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_session_tick(p.session, SN_LOOPS, 0, 0), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_session_tick(NULL, SN_LOOP_HAPTICS, 0, 0), SN_ERR_ARGUMENT);
    end(&p);
    def.virtual_time = false;
    p = begin(HEAVY, &def, &hand, device_of("omega3", "firm", way, 2));
    CHECK_STATUS(sn_session_tick(p.session, SN_LOOP_HAPTICS, 0, 0), SN_ERR_ARGUMENT);
    end(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_body_follows_the_hand),
        cmocka_unit_test(weight_is_felt),
        cmocka_unit_test(what_is_held_does_not_fall_asleep),
        cmocka_unit_test(a_slow_simulation_is_not_taken_for_one_that_stands_still),
        cmocka_unit_test(ticks_of_ones_own_do_what_a_run_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
