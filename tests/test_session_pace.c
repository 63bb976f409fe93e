// SPDX-License-Identifier: Apache-2.0
// A simulation that comes to ten steps a second, or to one: the hand's loop does not notice, its force makes no steps,
// and what it holds follows.
#include <math.h>

#include "support/playing.h"

static const char* const BLOCK = "version: 1\nfloor: {mu: 0.5}\n"
                                 "objects:\n  - {name: block, box: [0.06, 0.06, 0.03], mass: 0.05, "
                                 "at: [0, 0, 0.015]}\n";

/// Energy that the observer may miss, as in the matrix of stability.
static double observed(const sn_hand_report* report) { return -1e-3 * report->profile.peak_force; }

static void expect_well(const playing* p) {
    sn_hand_report report = playing_report(p, 0);
    CHECK_NEAR(sn_loop_rate(&report.meter), 1000, 0.1, 0);
    CHECK(report.meter.late == 0 && report.safety.trips == 0, 0);
    CHECK(report.safety.energy_least >= observed(&report), 0);
    playing_check_steps(p, 0);
}

/// s of the clock for a step of the simulation.
static playing begin(const char* scene, double step) {
    sn_session_def def = playing_def();
    playing p = playing_begin(scene, &def);
    CHECK_STATUS(
        sn_session_set_pace(p.session, sn_world_step_size(sn_simulation_world(p.sim)) / step),
        SN_OK);
    return p;
}

static void drag(double step, double seconds, const char* profile, double way_long) {
    const sn_hand_knot way[] = {playing_knot(0, 0, 0, 0), playing_knot(1, 0, 0, 0),
                                playing_knot(2, way_long, 0, 0)};
    playing p = begin(BLOCK, step);
    sn_hand_def hand = playing_hold(0);
    playing_hand(&p, &hand, profile, "firm", way, 3);
    CHECK_STATUS(playing_run(&p, seconds * sn_session_pace(p.session)), SN_OK);
    expect_well(&p);
    CHECK_NEAR(sn_loop_rate(&p.session->meter), 1 / step, 1e-3 / step, 0);
    CHECK_NEAR(playing_place(&p, 0).x, way_long, 1.5e-3, 0); // friction holds 0.25 N / 200 N/m
    playing_end(&p);
}

static void at_ten_steps_a_second_a_block_follows_the_hand(void** state) {
    (void)state;
    drag(0.1, 30, "omega3", 0.02);
    drag(0.1, 30, "touch", 0.004); // what it can render for ever
}

static void at_one_step_a_second_a_block_follows_the_hand(void** state) {
    (void)state;
    drag(1, 200, "omega3", 0.02);
}

// A touched wall does not move: it is felt as at any pace.
static void a_wall_is_as_stiff_at_any_pace(void** state) {
    (void)state;
    const double steps[] = {0.1, 1};
    const sn_hand_knot way[] = {playing_knot(0, 0, 0, 0), playing_knot(3, 0, 0, 0),
                                playing_knot(4, 0, 0, -0.012)};
    for (int i = 0; i < 2; i++) {
        playing p = begin("version: 1\nenvironment:\n"
                          "  - {name: wall, box: [0.2, 0.2, 0.2], at: [0, 0, -0.11]}\n",
                          steps[i]);
        sn_hand_def hand = playing_touch(1000);
        playing_hand(&p, &hand, "omega3", "firm", way, 3);
        playing_watch(&p, 8, 9);
        CHECK_STATUS(playing_run(&p, 10 * sn_session_pace(p.session)), SN_OK);
        expect_well(&p);
        double depth = -0.01 - playing_handle(&p, 0).z;
        CHECK_RELATIVE(playing_mean(&p, 0).z / depth, playing_report(&p, 0).stiffness, 0.05, 0);
        CHECK(playing_ripple(&p, 0) < 0.02, 0);
        playing_end(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_ten_steps_a_second_a_block_follows_the_hand),
        cmocka_unit_test(at_one_step_a_second_a_block_follows_the_hand),
        cmocka_unit_test(a_wall_is_as_stiff_at_any_pace),
    };
    return cmocka_run_group_tests_name("session_pace", tests, NULL, NULL);
}
