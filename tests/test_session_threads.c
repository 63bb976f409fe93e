// SPDX-License-Identifier: Apache-2.0
// The loops in threads of their own: nothing here depends on how fast the machine is; the thread sanitizer looks on.
#include <math.h>

#include "sinew/pointer_device.h"
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

// ---- guests ---------------------------------------------------------------------------------------------------------

enum { GUESTS = 6 };

/// What another thread, such as a server's, does while the session runs.
typedef struct guests {
    sn_session* session;
    sn_device* device[GUESTS]; ///< moved while `here` says so
    sni_shown here[GUESTS];    ///< 0: not yet, 1: here, 2: asks to leave, 3: no longer moved
    sni_shown end;
    int hand[GUESTS];
    int steps, idle;
} guests;

/// Moves pointers, pauses, steps, changes the pace.
static void entertain(void* context) {
    guests* g = context;
    for (int i = 0; !sni_shown_value(&g->end); i++) {
        for (int k = 0; k < GUESTS; k++) {
            const sn_pointer_sample sample = {.position =
                                                  sn_vec3_make(0.01 * sin(0.1 * i), 0.01 * k, 0)};
            if (sni_shown_value(&g->here[k]) == 1)
                CHECK_STATUS(sn_pointer_device_move(g->device[k], &sample), SN_OK);
            if (sni_shown_value(&g->here[k]) == 2) sni_show(&g->here[k], 3);
        }
        sn_session_pause(g->session, i % 60 >= 50);
        if (i % 60 == 55) sn_session_step(g->session, 2);
        if (i % 20 == 0) CHECK_STATUS(sn_session_set_pace(g->session, i % 40 ? 0.5 : 1), SN_OK);
        sni_thread_rest(2000000);
    }
    sn_session_pause(g->session, false);
}

/// Guests come, hold, let go and leave; one of them on a device that has a thread of its own.
static bool receive(void* context, sn_session* session, const sn_step_report* report) {
    guests* g = context;
    if (!report) g->idle++;
    if (report) g->steps++;
    int k = g->steps / 50 % GUESTS;
    if (report && g->steps % 50 == 0) {
        if (sni_shown_value(&g->here[k]) == 0) {
            const sn_hand_def hand = {.name = "guest",
                                      .item = -1,
                                      .fit = true,
                                      .scale = 1,
                                      .place_in = sn_pose_identity()};
            const sn_pointer_def def = sn_pointer_def_default();
            CHECK_STATUS(sn_pointer_device_create(&def, &g->device[k], NULL), SN_OK);
            CHECK_STATUS(sn_session_add_hand(session, &hand, g->device[k], &g->hand[k], NULL),
                         SN_OK);
            CHECK_STATUS(sn_session_hold(session, g->hand[k], sn_body(k % 2), sn_vec3_zero()),
                         SN_OK);
            sni_show(&g->here[k], 1);
        } else if (sni_shown_value(&g->here[k]) == 1) {
            sni_show(&g->here[k], 2);
        }
    }
    for (int i = 0; i < GUESTS; i++) {
        if (sni_shown_value(&g->here[i]) != 3) continue;
        CHECK_STATUS(sn_session_remove_hand(session, g->hand[i]), SN_OK);
        sni_show(&g->here[i], 0);
    }
    if (g->steps == 120 && report) CHECK_STATUS(sn_session_remove_hand(session, 0), SN_OK);
    for (int i = 0; i < sn_session_hand_count(session); i++) {
        sn_hand_report hand;
        CHECK(sn_session_ask_hand(session, sn_session_hand_at(session, i), &hand), 0);
    }
    return g->steps < 900;
}

static void guests_come_and_go_while_another_thread_moves_them(void** state) {
    (void)state;
    const sn_hand_knot rest[] = {playing_knot(0, 0, 0, 0)};
    sn_session_def def = sn_session_def_default();
    def.real_time = false;
    playing p = playing_begin(SCENE, &def);
    sn_hand_def hold = playing_hold(0);
    playing_hand(&p, &hold, "omega3", "firm", rest, 1);
    guests g = {.session = p.session};
    sni_thread* thread = sni_thread_start(entertain, &g);
    CHECK(thread, 0);
    CHECK_STATUS(sn_session_run(p.session, INFINITY, receive, &g), SN_OK);
    sni_show(&g.end, 1);
    sni_thread_join(thread);
    CHECK(g.steps == 900 && g.idle > 0, 0);
    p.hands = 0; // its device is closed
    playing_end(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_in_threads_is_asked_and_changed_while_it_runs),
        cmocka_unit_test(guests_come_and_go_while_another_thread_moves_them),
    };
    return cmocka_run_group_tests_name("session_threads", tests, NULL, NULL);
}
