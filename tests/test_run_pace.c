// SPDX-License-Identifier: Apache-2.0
// Pacing by an injected clock: the number of waits and what counts as late are exact.
#include <math.h>
#include <string.h>

#include "support/running.h"

/// A clock that counts how often it is waited for. Each question takes `tick` of its time.
typedef struct counted_clock {
    int64_t now, tick;
    int waits;
    int64_t last_wait;
} counted_clock;

static int64_t now_ns(void* context) {
    counted_clock* clock = context;
    return clock->now += clock->tick;
}

static void wait_ns(void* context, int64_t until) {
    counted_clock* clock = context;
    clock->waits++;
    clock->last_wait = until;
    if (until > clock->now) clock->now = until;
}

static sn_simulation* make(counted_clock* clock, double step) {
    sn_world_def world = sn_world_def_default();
    sn_simulation_def def = sn_simulation_def_default();
    world.clock = (sn_clock){now_ns, clock, wait_ns};
    world.step = step;
    world.contact.on = false;
    def.world = &world;
    memset(clock, 0, sizeof *clock);
    return running_with("version: 1\nmodels: [{name: arm, generate: 'chain:2'}]\n", &def);
}

static void every_step_but_the_first_waits_for_its_time(void** state) {
    (void)state;
    counted_clock clock;
    sn_simulation* sim = make(&clock, 1e-3);
    sn_run_def run = {.steps = 100, .pace = 1};
    sn_run_report report;
    CHECK_STATUS(sn_simulation_run(sim, &run, &report), SN_OK);
    CHECK(report.steps == 100 && clock.waits == 99, 0);
    CHECK(clock.now == 99 * 1000000, 0); // the last step begins then, and takes no time
    CHECK_NEAR(report.seconds, 0.099, 1e-12, 0);
    CHECK(report.late == 0 && report.worst == 0 && report.caught_up == 0, 0);
    sn_simulation_free(sim);
}

static void a_pace_of_two_takes_half_the_time(void** state) {
    (void)state;
    counted_clock clock;
    sn_simulation* sim = make(&clock, 1e-3);
    sn_run_def run = {.steps = 1001, .pace = 2};
    sn_run_report report;
    CHECK_STATUS(sn_simulation_run(sim, &run, &report), SN_OK);
    CHECK_NEAR(report.seconds, 0.5, 1e-12, 0);
    sn_simulation_free(sim);
}

static void periods_that_are_no_whole_nanoseconds_do_not_drift(void** state) {
    (void)state;
    counted_clock clock;
    sn_simulation* sim = make(&clock, 1e-3 / 3);
    enum { STEPS = 30001 };
    sn_run_def run = {.steps = STEPS, .pace = 0.7};
    sn_run_report report;
    CHECK_STATUS(sn_simulation_run(sim, &run, &report), SN_OK);
    double exact = (STEPS - 1) * (1e-3 / 3) / 0.7 * 1e9;
    CHECK(fabs((double)clock.now - exact) <= 1.5, 0); // ns, after 14 s
    CHECK(clock.waits == STEPS - 1, 0);
    sn_simulation_free(sim);
}

static void as_fast_as_possible_never_waits(void** state) {
    (void)state;
    counted_clock clock;
    sn_simulation* sim = make(&clock, 1e-3);
    sn_run_def run = {.steps = 50};
    sn_run_report report;
    CHECK_STATUS(sn_simulation_run(sim, &run, &report), SN_OK);
    CHECK(clock.waits == 0 && clock.now == 0 && report.steps == 50 && report.late == 0, 0);
    CHECK_STATUS(sn_simulation_run(sim, &run, NULL), SN_OK); // nobody wants to know
    CHECK(sn_world_step_count(sn_simulation_world(sim)) == 100, 0);
    sn_simulation_free(sim);
}

/// What happens after step `at`: the clock has moved by so much.
typedef struct hiccup {
    counted_clock* clock;
    uint64_t at;
    int64_t lost_ns;
    uint64_t last;
} hiccup;

static bool go_on(void* context, sn_simulation* sim, const sn_step_report* report) {
    hiccup* h = context;
    (void)sim;
    if (report->step == h->at) h->clock->now += h->lost_ns;
    return report->step != h->last;
}

static void lateness_is_counted_and_made_up_for(void** state) {
    (void)state;
    counted_clock clock;
    sn_simulation* sim = make(&clock, 1e-3);
    hiccup h = {&clock, 10, 5500000, 0}; // 5.5 ms during step 10, which began at 9 ms
    sn_run_def run = {.steps = 30, .pace = 1, .go_on = go_on, .context = &h};
    sn_run_report report;
    CHECK_STATUS(sn_simulation_run(sim, &run, &report), SN_OK);
    // now is 14.5: steps due at 10, 11, 12, 13 and 14 begin at once, the one at 15 waits
    CHECK(clock.waits == 29 - 5, 0);
    CHECK(report.late == 4, 0); // by 4.5, 3.5, 2.5, 1.5 ms; 0.5 is less than a step
    CHECK_NEAR(report.worst, 4.5e-3, 1e-9, 0);
    CHECK(report.caught_up == 0, 0);
    CHECK(clock.now == 29 * 1000000, 0); // all of it was made up for
    sn_simulation_free(sim);
}

static void what_is_too_late_is_let_go(void** state) {
    (void)state;
    counted_clock clock;
    sn_simulation* sim = make(&clock, 1e-3);
    hiccup h = {&clock, 10, 2000000000, 0}; // two seconds
    sn_run_def run = {.steps = 30, .pace = 1, .go_on = go_on, .context = &h};
    sn_run_report report;
    CHECK_STATUS(sn_simulation_run(sim, &run, &report), SN_OK);
    CHECK(report.caught_up == 1 && report.late == 1, 0);
    CHECK_NEAR(report.worst, 1.999, 1e-9, 0);
    // step 11 begins at 2.009 s and the rest a step later each
    CHECK(clock.now == 2009000000 + 19 * 1000000, 0);
    CHECK(clock.waits == 9 + 19, 0);
    sn_simulation_free(sim);
}

static void a_machine_that_is_too_slow_is_late_all_the_time(void** state) {
    (void)state;
    counted_clock clock;
    sn_simulation* sim = make(&clock, 1e-3);
    clock.tick = 1000000; // every look at the clock costs a millisecond
    sn_run_def run = {.steps = 200, .pace = 1};
    sn_run_report report;
    CHECK_STATUS(sn_simulation_run(sim, &run, &report), SN_OK);
    CHECK(clock.waits == 0 && report.late == 199, 0);
    CHECK(report.caught_up > 0 && report.worst < 0.12, 0);
    sn_simulation_free(sim);
}

static void a_run_ends_when_it_is_told(void** state) {
    (void)state;
    counted_clock clock;
    sn_simulation* sim = make(&clock, 1e-3);
    hiccup h = {&clock, 0, 0, 7};
    sn_run_def run = {.go_on = go_on, .context = &h};
    sn_run_report report;
    CHECK_STATUS(sn_simulation_run(sim, &run, &report), SN_OK);
    CHECK(report.steps == 7, 0);
    sn_simulation_free(sim);
}

static void runs_that_make_no_sense_are_refused(void** state) {
    (void)state;
    counted_clock clock;
    sn_simulation* sim = make(&clock, 1e-3);
    sn_run_def forever = {0}, backwards = {.steps = 1, .pace = -1},
               never = {.steps = 1, .pace = NAN};
    CHECK_STATUS(sn_simulation_run(sim, &forever, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_simulation_run(sim, &backwards, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_simulation_run(sim, &never, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_simulation_run(sim, NULL, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_simulation_run(NULL, &never, NULL), SN_ERR_ARGUMENT);
    CHECK(sn_world_step_count(sn_simulation_world(sim)) == 0, 0);
    sn_simulation_free(sim);
}

static void a_fault_ends_the_run(void** state) {
    (void)state;
    counted_clock clock;
    sn_simulation* sim = make(&clock, 1e-3);
    const double v[2] = {1e308, 1e308};
    CHECK_STATUS(sn_world_set_state(sn_simulation_world(sim), NULL, v), SN_OK);
    sn_run_def run = {.steps = 100};
    sn_run_report report;
    CHECK_STATUS(sn_simulation_run(sim, &run, &report), SN_ERR_NUMERIC);
    CHECK(report.steps < 100, 0);
    sn_simulation_free(sim);
}

static void the_time_of_the_stages_is_summed_up(void** state) {
    (void)state;
    counted_clock clock;
    sn_simulation* sim = make(&clock, 1e-3);
    clock.tick = 10; // a step looks once before its stages and once after each
    sn_run_def run = {.steps = 6};
    sn_run_report report;
    CHECK_STATUS(sn_simulation_run(sim, &run, &report), SN_OK);
    for (int i = 0; i < SN_STAGE_MAX; i++) CHECK(report.stage_ns[i] == 60, 0);
    sn_simulation_free(sim);
}

// Once by the real clock; how long it takes is the machine's business.
static void the_real_clock_runs_too(void** state) {
    (void)state;
    sn_simulation* sim = running("version: 1\nmodels: [{name: arm, generate: 'chain:2'}]\n");
    sn_run_def run = {.steps = 20, .pace = 1};
    sn_run_report report;
    CHECK_STATUS(sn_simulation_run(sim, &run, &report), SN_OK);
    CHECK(report.steps == 20 && report.seconds > 0, 0);
    sn_simulation_free(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_but_the_first_waits_for_its_time),
        cmocka_unit_test(a_pace_of_two_takes_half_the_time),
        cmocka_unit_test(periods_that_are_no_whole_nanoseconds_do_not_drift),
        cmocka_unit_test(as_fast_as_possible_never_waits),
        cmocka_unit_test(lateness_is_counted_and_made_up_for),
        cmocka_unit_test(what_is_too_late_is_let_go),
        cmocka_unit_test(a_machine_that_is_too_slow_is_late_all_the_time),
        cmocka_unit_test(a_run_ends_when_it_is_told),
        cmocka_unit_test(runs_that_make_no_sense_are_refused),
        cmocka_unit_test(a_fault_ends_the_run),
        cmocka_unit_test(the_time_of_the_stages_is_summed_up),
        cmocka_unit_test(the_real_clock_runs_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
