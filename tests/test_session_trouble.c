// SPDX-License-Identifier: Apache-2.0
// Whole sessions in which something breaks: force goes to zero by the ramp, comes back or is latched with a reason.
#include <math.h>
#include <stdio.h>

#include "support/playing.h"
#include "support/recorded.h"

// A weight of 1 N that the hand carries: there is force to lose.
static const char* const CARRIED = "version: 1\n"
                                   "objects:\n  - {name: ball, sphere: 0.05, mass: 0.102}\n";
static const double WEIGHT = 0.102 * 9.81;

static const double AT = 2;      // s, when trouble begins
static const double FALL = 0.05; // s, in which force goes
static const double TICK = 1e-3;

/// The output of a hand at some times.
typedef struct sample {
    double time, force, gain;
    sn_safety_cause cause;
    bool latched;
} sample;

enum { SAMPLES = 20000 };

typedef struct story {
    playing p;
    sample at[SAMPLES]; ///< tick by tick
    int count;
} story;

/// Follows the hand's loop tick by tick: by the device that it writes to.
static void keep(void* context, double now, const sn_device_force* force) {
    story* s = context;
    const sn_safety_report* report = &s->p.session->hand[0].loop->safety.report;
    if (s->count == SAMPLES) return;
    s->at[s->count++] =
        (sample){now, sn_vec3_norm(force->force), report->gain, report->cause, report->latched};
}

static story* begin_with(const sn_session_def* def, const char* profile) {
    const sn_hand_knot stay[] = {playing_knot(0, 0, 0, 0)};
    sn_hand_def hand = playing_hold(0);
    story* s = calloc(1, sizeof *s);
    CHECK(s, 0);
    s->p = playing_begin(CARRIED, def);
    playing_hand(&s->p, &hand, profile, "firm", stay, 1);
    s->p.tap[0]->seen = keep;
    s->p.tap[0]->context = s;
    return s;
}

static story* begin(const sn_session_def* def) { return begin_with(def, "omega3"); }

static void end(story* s) {
    playing_check_steps(&s->p, 0);
    playing_end(&s->p);
    free(s);
}

/// The last tick at or before a time, also where the clock jumped meanwhile.
static sample at(const story* s, double time) {
    int last = 0;
    for (int i = 0; i < s->count; i++)
        if (s->at[i].time <= time) last = i;
    return s->at[last];
}

/// It carried the weight before `since`, and there is no force from `since` until `until`.
static void expect_silence(const story* s, double since, double until) {
    CHECK_RELATIVE(at(s, AT - 0.01).force, WEIGHT, 0.05, 0);
    int ticks = 0;
    for (int i = 0; i < s->count; i++) {
        if (s->at[i].time < since || s->at[i].time > until) continue;
        CHECK(s->at[i].force == 0, 0);
        ticks++;
    }
    CHECK(ticks > 10, 0);
}

static void expect_weight_again(const story* s, double time) {
    CHECK(at(s, time).cause == SN_CAUSE_NONE && !at(s, time).latched, 0);
    CHECK_RELATIVE(at(s, time).force, WEIGHT, 0.05, 0);
}

// ---- the device -------------------------------------------------------------------------------------------------

static void a_device_that_comes_back_is_felt_again(void** state) {
    (void)state;
    story* s = begin(NULL);
    playing_trouble(&s->p, 0, AT, SN_SIMULATED_LOST);
    playing_trouble(&s->p, 0, AT + 0.5, SN_SIMULATED_WELL);
    CHECK_STATUS(playing_run(&s->p, 6), SN_OK);
    expect_silence(s, AT + FALL + TICK, AT + 0.5);
    CHECK(at(s, AT + 0.4).cause == SN_CAUSE_LOST, 0);
    expect_weight_again(s, 5.9);
    CHECK(playing_report(&s->p, 0).safety.trips == 1, 0);
    end(s);
}

static void a_device_that_stays_away_latches(void** state) {
    (void)state;
    story* s = begin(NULL);
    playing_trouble(&s->p, 0, AT, SN_SIMULATED_LOST);
    playing_trouble(&s->p, 0, AT + 1.5, SN_SIMULATED_WELL);
    CHECK_STATUS(playing_run(&s->p, 5), SN_OK);
    expect_silence(s, AT + FALL + TICK, 5);
    CHECK(at(s, 4.9).latched && at(s, 4.9).cause == SN_CAUSE_LOST, 0);
    CHECK(playing_report(&s->p, 0).wrench.f.z == 0, 0); // nor is the body pulled
    end(s);
}

static void samples_that_are_not_numbers_end_the_force(void** state) {
    (void)state;
    story* s = begin(NULL);
    playing_trouble(&s->p, 0, AT, SN_SIMULATED_NAN);
    playing_trouble(&s->p, 0, AT + 0.3, SN_SIMULATED_WELL);
    CHECK_STATUS(playing_run(&s->p, 6), SN_OK);
    expect_silence(s, AT + FALL + TICK, AT + 0.3);
    CHECK(at(s, AT + 0.2).cause == SN_CAUSE_LOST, 0);
    expect_weight_again(s, 5.9);
    CHECK(isfinite(playing_place(&s->p, 0).z), 0);
    end(s);
}

// A sample that stays the same cannot be told from a hand that keeps still. It must do no harm: force stays what a
// hand at rest would feel, and what it jumps to at the end is within the slew limit.
static void samples_that_stay_the_same_are_a_hand_at_rest(void** state) {
    (void)state;
    story* s = begin(NULL);
    playing_trouble(&s->p, 0, AT, SN_SIMULATED_FROZEN);
    playing_trouble(&s->p, 0, AT + 2, SN_SIMULATED_WELL);
    CHECK_STATUS(playing_run(&s->p, 6), SN_OK);
    for (int i = 0; i < s->count; i++) CHECK(s->at[i].force < 1.2 * WEIGHT, 0);
    expect_weight_again(s, 5.9);
    end(s);
}

// ---- time -------------------------------------------------------------------------------------------------------

static sn_session_def stalled(sn_loop loop, double duration) {
    sn_session_def def = playing_def();
    def.timing.stall[0] = (sn_stall){loop, AT, duration};
    def.timing.stalls = 1;
    return def;
}

typedef struct jump {
    double at, by;
    bool done;
} jump;

/// The haptic loop's clock jumps: one tick with another time.
static bool jump_once(void* context, sn_session* session, const sn_step_report* report) {
    jump* j = context;
    (void)report;
    if (j->done || 1e-9 * (double)session->meter.last_ns < j->at) return true;
    j->done = true;
    sni_haptic_loop_tick(session->hand[0].loop,
                         session->meter.last_ns + (int64_t)llround(1e9 * j->by));
    return true;
}

static void a_clock_that_jumps_costs_force_for_a_while(void** state) {
    (void)state;
    const double by[] = {3600, -3600, 1.5};
    for (int i = 0; i < 3; i++) {
        jump j = {AT, by[i], false};
        story* s = begin(NULL);
        CHECK_STATUS(sn_session_run(s->p.session, 6, jump_once, &j), SN_OK);
        CHECK(j.done, 0);
        CHECK(at(s, AT + 0.1).cause == SN_CAUSE_CLOCK || at(s, AT + 0.1).cause == SN_CAUSE_LOST, 0);
        expect_silence(s, AT + FALL + 3 * TICK, AT + 0.19);
        expect_weight_again(s, 5.9);
        end(s);
    }
}

static void gaps_of_the_haptic_loop_end_the_force_until_it_runs_again(void** state) {
    (void)state;
    sn_session_def def = stalled(SN_LOOP_HAPTICS, 0.05);
    story* s = begin(&def);
    CHECK_STATUS(playing_run(&s->p, 6), SN_OK);
    CHECK(at(s, AT + 0.1).cause == SN_CAUSE_GAP, 0);
    expect_silence(s, AT + 0.05 + FALL + TICK, AT + 0.24);
    expect_weight_again(s, 5.9);
    CHECK(playing_report(&s->p, 0).meter.late > 0, 0);
    end(s);
}

static void gaps_again_and_again_do_no_harm(void** state) {
    (void)state;
    sn_session_def def = playing_def();
    for (int i = 0; i < SN_STALLS_MOST; i++)
        def.timing.stall[i] = (sn_stall){SN_LOOP_HAPTICS, AT + 0.15 * i, 0.05};
    def.timing.stalls = SN_STALLS_MOST;
    story* s = begin(&def);
    CHECK_STATUS(playing_run(&s->p, 6), SN_OK);
    expect_weight_again(s, 5.9);
    CHECK(playing_report(&s->p, 0).safety.trips >= SN_STALLS_MOST, 0);
    end(s);
}

// ---- the other loops ----------------------------------------------------------------------------------------------

static void a_simulation_that_stalls_is_felt_again_when_it_goes_on(void** state) {
    (void)state;
    sn_session_def def = stalled(SN_LOOP_SIMULATION, 0.3);
    story* s = begin(&def);
    CHECK_STATUS(playing_run(&s->p, 6), SN_OK);
    CHECK(at(s, AT + 0.2).cause == SN_CAUSE_STALE, 0);
    expect_silence(s, AT + 0.05 + FALL + 3 * TICK, AT + 0.3);
    expect_weight_again(s, 6);
    end(s);
}

static void a_simulation_that_has_died_is_felt_no_more(void** state) {
    (void)state;
    sn_session_def def = stalled(SN_LOOP_SIMULATION, 10);
    story* s = begin(&def);
    CHECK_STATUS(playing_run(&s->p, AT + 0.1), SN_OK);
    CHECK(at(s, 11.9).cause == SN_CAUSE_STALE, 0);
    expect_silence(s, AT + 0.05 + FALL + 3 * TICK, 11.9);
    end(s);
}

static void a_coupling_loop_that_stalls_is_as_a_simulation_that_does(void** state) {
    (void)state;
    sn_session_def def = stalled(SN_LOOP_COUPLING, 0.3);
    story* s = begin(&def);
    CHECK_STATUS(playing_run(&s->p, 6), SN_OK);
    CHECK(at(s, AT + 0.2).cause == SN_CAUSE_STALE, 0);
    expect_silence(s, AT + 0.05 + FALL + 3 * TICK, AT + 0.3);
    expect_weight_again(s, 5.9);
    end(s);
}

/// Gravity that no number can hold after a few steps.
static bool break_it(void* context, sn_session* session, const sn_step_report* report) {
    bool* broken = context;
    (void)report;
    if (!*broken && 1e-9 * (double)session->meter.last_ns >= AT) {
        *broken = true;
        running_command(session->sim, "gravity: [0, 0, -1e308]");
    }
    return true;
}

static void a_simulation_that_computes_no_numbers_latches_and_the_force_goes(void** state) {
    (void)state;
    bool broken = false;
    story* s = begin(NULL);
    sn_status status = sn_session_run(s->p.session, 6, break_it, &broken);
    CHECK(broken && status != SN_OK, 0);
    CHECK_STATUS(sn_simulation_step(s->p.sim, NULL), SN_ERR_FAULT); // latched
    CHECK(sn_world_q(sn_simulation_world(s->p.sim)) != NULL, 0);
    CHECK(s->p.tap[0]->last.force.z == 0 && s->p.tap[0]->last.force.x == 0, 0);
    end(s);
}

// ---- the end --------------------------------------------------------------------------------------------------------

static void when_a_run_ends_the_force_goes_and_the_next_goes_on(void** state) {
    (void)state;
    story* s = begin(NULL);
    CHECK_STATUS(playing_run(&s->p, AT), SN_OK);
    CHECK_RELATIVE(-playing_report(&s->p, 0).force.force.z, WEIGHT, 0.05, 0);
    CHECK(s->p.tap[0]->last.force.z == 0, 0);
    CHECK_STATUS(playing_run(&s->p, 3), SN_OK);
    CHECK_RELATIVE(-playing_report(&s->p, 0).force.force.z, WEIGHT, 0.05, 0);
    CHECK(playing_report(&s->p, 0).safety.trips == 0, 0);
    end(s);
}

static void a_recording_of_trouble_is_readable(void** state) {
    (void)state;
    char path[256], scene[600];
    recorded_path(path, "session_trouble");
    (void)snprintf(scene, sizeof scene, "%srecording: {file: %s}\n", CARRIED, path);
    const sn_hand_knot stay[] = {playing_knot(0, 0, 0, 0)};
    sn_hand_def hand = playing_hold(0);
    sn_session_def def = stalled(SN_LOOP_HAPTICS, 0.05);
    bool broken = false;
    playing p = playing_begin(scene, &def);
    playing_hand(&p, &hand, "omega3", "firm", stay, 1);
    playing_trouble(&p, 0, 1, SN_SIMULATED_NAN);
    playing_trouble(&p, 0, 1.3, SN_SIMULATED_WELL);
    CHECK(sn_session_run(p.session, 6, break_it, &broken) != SN_OK && broken, 0);
    uint64_t steps = sn_world_step_count(sn_simulation_world(p.sim));
    playing_end(&p);
    sn_recording* recording = NULL;
    CHECK_STATUS(sn_recording_open(path, NULL, &recording, NULL), SN_OK);
    sn_recording_info info = sn_recording_ask(recording);
    CHECK(info.steps + 1 >= steps && steps > 2000, 0);
    sn_recording_free(recording);
    CHECK(remove(path) == 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_that_comes_back_is_felt_again),
        cmocka_unit_test(a_device_that_stays_away_latches),
        cmocka_unit_test(samples_that_are_not_numbers_end_the_force),
        cmocka_unit_test(samples_that_stay_the_same_are_a_hand_at_rest),
        cmocka_unit_test(a_clock_that_jumps_costs_force_for_a_while),
        cmocka_unit_test(gaps_of_the_haptic_loop_end_the_force_until_it_runs_again),
        cmocka_unit_test(gaps_again_and_again_do_no_harm),
        cmocka_unit_test(a_simulation_that_stalls_is_felt_again_when_it_goes_on),
        cmocka_unit_test(a_simulation_that_has_died_is_felt_no_more),
        cmocka_unit_test(a_coupling_loop_that_stalls_is_as_a_simulation_that_does),
        cmocka_unit_test(a_simulation_that_computes_no_numbers_latches_and_the_force_goes),
        cmocka_unit_test(when_a_run_ends_the_force_goes_and_the_next_goes_on),
        cmocka_unit_test(a_recording_of_trouble_is_readable),
    };
    return cmocka_run_group_tests_name("session_trouble", tests, NULL, NULL);
}
