// SPDX-License-Identifier: Apache-2.0
// The loops in threads of their own: nothing here depends on how fast the machine is; the thread sanitizer looks on.
#include "support/playing.h"

static const char* const SCENE = "version: 1\ngravity: [0, 0, 0]\nobjects:\n"
                                 "  - {name: a, sphere: 0.05, mass: 0.5}\n"
                                 "  - {name: b, sphere: 0.05, mass: 0.5, at: [0.5, 0, 0]}\n";

typedef struct talk {
    int steps;
    uint64_t ticks; ///< last that was told
} talk;

/// Changes what is held, asks for everything, removes a body.
static bool meddle(void* context, sn_session* session, const sn_step_report* report) {
    talk* t = context;
    (void)report;
    t->steps++;
    if (t->steps % 50 == 0)
        CHECK_STATUS(sn_session_hold(session, 0, sn_body_world(), sn_vec3_zero()), SN_OK);
    if (t->steps % 50 == 25)
        CHECK_STATUS(sn_session_hold(session, 0, sn_body(0), sn_vec3_make(0.01, 0, 0)), SN_OK);
    if (t->steps == 300) running_command(session->sim, "remove: b");
    for (int i = 0; i < sn_session_hand_count(session); i++) {
        sn_hand_report hand;
        sn_session_ask_hand(session, i, &hand);
        if (i == 0) {
            CHECK(hand.meter.ticks >= t->ticks, 0);
            t->ticks = hand.meter.ticks;
        }
    }
    for (int i = 0; i < SN_LOOPS; i++) (void)sn_session_ask_loop(session, (sn_loop)i);
    return true;
}

static void a_session_in_threads_is_asked_and_changed_while_it_runs(void** state) {
    (void)state;
    const sn_hand_knot way[] = {playing_knot(0, 0, 0, 0), playing_knot(0.5, 0.01, 0, 0)};
    sn_session_def def = sn_session_def_default();
    def.real_time = false;
    playing p = playing_begin(SCENE, &def);
    sn_hand_def hold = playing_hold(0), other = playing_hold(1), touch = playing_touch(500);
    playing_hand(&p, &hold, "omega3", "firm", way, 2);
    playing_hand(&p, &other, "sigma7", "medium", way, 2);
    playing_hand(&p, &touch, "touch", "light", way, 2);
    talk t = {0, 0};
    CHECK_STATUS(sn_session_run(p.session, 1, meddle, &t), SN_OK);
    for (int i = 0; i < p.hands; i++) {
        sn_hand_report report = playing_report(&p, i);
        CHECK(report.meter.ticks > 0 && !report.safety.latched, 0);
        CHECK(sn_vec3_norm(p.tap[i]->last.force) == 0, 0); // it ended with no force
        playing_check_steps(&p, i);
    }
    CHECK(sn_session_ask_loop(p.session, SN_LOOP_COUPLING).ticks > 0, 0);
    CHECK(playing_report(&p, 1).body.i < 0, 0);                      // what it held is gone
    CHECK_STATUS(sn_session_run(p.session, 0.2, NULL, NULL), SN_OK); // and again
    playing_end(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_in_threads_is_asked_and_changed_while_it_runs),
    };
    return cmocka_run_group_tests_name("session_threads", tests, NULL, NULL);
}
