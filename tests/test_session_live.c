// SPDX-License-Identifier: Apache-2.0
// A session that people come to and leave while it runs: hands on pointers, pause, single steps, another pace. In
// virtual time, so what happens when is known.
#include <math.h>
#include <stdio.h>

#include "sinew/pointer_device.h"
#include "support/playing.h"

static const double G = 9.81;

/// A pointer's hand, whose gains fit what it holds.
static sn_hand_def pointer_hand(void) {
    return (sn_hand_def){.name = "pointer",
                         .item = -1,
                         .fit = true,
                         .stiffness = 1,
                         .scale = 1,
                         .place_in = sn_pose_identity()};
}

static int add_pointer(sn_session* session, sn_device** device) {
    const sn_pointer_def def = sn_pointer_def_default();
    const sn_hand_def hand = pointer_hand();
    int number = -1;
    CHECK_STATUS(sn_pointer_device_create(&def, device, NULL), SN_OK);
    CHECK_STATUS(sn_session_add_hand(session, &hand, *device, &number, NULL), SN_OK);
    return number;
}

static void point(sn_device* device, double x, double y, double z) {
    const sn_pointer_sample sample = {.position = sn_vec3_make(x, y, z)};
    CHECK_STATUS(sn_pointer_device_move(device, &sample), SN_OK);
}

// ---- a pointer that holds -----------------------------------------------------------------------------------------

typedef struct drag {
    sn_device* device;
    int hand;
    sn_vec3 point; ///< of body 0
    double up;     ///< m
    double highest, most_force;
} drag;

/// Takes hold after a tenth of a second, then goes up within half a second.
static bool lift(void* context, sn_session* session, const sn_step_report* report) {
    drag* d = context;
    sn_hand_report hand;
    double way = fmax(0, fmin(1, (report->time - 0.2) / 0.5));
    point(d->device, 0, 0, d->up * way);
    if (report->step == 100)
        CHECK_STATUS(sn_session_hold(session, d->hand, sn_body(0), d->point), SN_OK);
    CHECK(sn_session_ask_hand(session, d->hand, &hand), 0);
    d->most_force = fmax(d->most_force, sn_vec3_norm(hand.on_body));
    sn_pose X = sn_dynamics_pose(sn_world_dynamics(sn_simulation_world(session->sim)), sn_body(0));
    d->highest = fmax(d->highest, X.p.z);
    if (hand.body.i < 0) return true;
    // the spring's ends are where the body and the hand are
    sn_vec3 held = sn_pose_apply(X, hand.point);
    CHECK(sn_vec3_norm(sn_vec3_sub(held, hand.anchor)) < 1e-12, 0);
    return true;
}

static void a_pointer_lifts_a_mug_and_a_robot_alike(void** state) {
    (void)state;
    const double masses[] = {0.01, 0.1, 3, 58, 1000};
    for (int i = 0; i < 5; i++) {
        double m = masses[i], up = 0.3;
        char scene[256];
        snprintf(scene, sizeof scene,
                 "version: 1\nfloor: true\nobjects:\n"
                 "  - {name: thing, box: [0.1, 0.1, 0.1], mass: %g, at: [0, 0, 0.05]}\n",
                 m);
        playing p = playing_begin(scene, NULL);
        drag d = {.up = up};
        d.hand = add_pointer(p.session, &d.device);
        CHECK_STATUS(sn_session_run(p.session, 4, lift, &d), SN_OK);
        sn_hand_report hand;
        CHECK(sn_session_ask_hand(p.session, d.hand, &hand), 0);
        // a body held at its centre: a spring of 2.5 Hz for its mass, which hangs g / w^2 below
        double w = 2 * M_PI * 2.5, sag = G / (w * w);
        CHECK_NEAR(hand.stiffness, m * w * w, 1e-6 * m * w * w, 0);
        CHECK_NEAR(running_pose(p.sim, "thing").p.z, 0.05 + up - sag, 2e-3, 0);
        CHECK_NEAR(hand.on_body.z, m * G, 1e-2 * m * G, 0);
        CHECK_NEAR(hand.on_hand.z, -m * G, 1e-2 * m * G, 0);
        CHECK_NEAR(hand.end.z - hand.anchor.z, sag, 2e-3, 0);
        CHECK(d.highest < 0.05 + up, 0); // it does not overshoot beyond the hand
        CHECK(d.most_force < 3.1 * m * G && hand.safety.trips == 0, 0);
        playing_end(&p);
    }
}

static void a_pull_has_its_limit(void** state) {
    (void)state;
    playing p = playing_begin("version: 1\ngravity: [0, 0, 0]\nobjects:\n"
                              "  - {name: thing, box: [0.1, 0.1, 0.1], mass: 2}\n",
                              NULL);
    drag d = {.up = 50}; // farther and faster than it can be pulled
    d.hand = add_pointer(p.session, &d.device);
    CHECK_STATUS(sn_session_run(p.session, 1, lift, &d), SN_OK);
    sn_hand_report hand;
    CHECK(sn_session_ask_hand(p.session, d.hand, &hand), 0);
    CHECK_NEAR(hand.most_force, 3 * 9.80665 * 2, 1e-9, 0);
    CHECK(d.most_force > 0.9 * hand.most_force && d.most_force < 1.2 * hand.most_force, 0);
    playing_end(&p);
}

/// A busy machine keeps the loops from running while the pointer moves on. Nobody's hand is thrown by a pointer: it holds on
/// for a second, and when the force comes back after that, it pulls to where the pointer is.
static void what_a_pointer_holds_comes_along_after_a_stall(void** state) {
    (void)state;
    const sn_loop loops[] = {SN_LOOP_HAPTICS, SN_LOOP_SIMULATION};
    for (int i = 0; i < 4; i++) {
        sn_session_def def = playing_def();
        bool is_long = i / 2;
        def.timing.stall[0] = (sn_stall){loops[i % 2], 0.4, is_long ? 1.2 : 0.2};
        def.timing.stalls = 1;
        playing p =
            playing_begin("version: 1\nfloor: true\nobjects:\n"
                          "  - {name: thing, box: [0.1, 0.1, 0.1], mass: 1, at: [0, 0, 0.05]}\n",
                          &def);
        drag d = {.up = 0.3};
        d.hand = add_pointer(p.session, &d.device);
        CHECK_STATUS(sn_session_run(p.session, 4, lift, &d), SN_OK);
        sn_hand_report hand;
        CHECK(sn_session_ask_hand(p.session, d.hand, &hand), 0);
        double w = 2 * M_PI * 2.5, sag = G / (w * w);
        CHECK(hand.safety.trips == is_long && hand.safety.cause == SN_CAUSE_NONE, (uint64_t)i);
        CHECK_NEAR(running_pose(p.sim, "thing").p.z, 0.05 + d.up - sag, 2e-3, (uint64_t)i);
        CHECK(d.highest < 0.05 + d.up, (uint64_t)i);
        playing_end(&p);
    }
}

static bool fall_silent(void* context, sn_session* session, const sn_step_report* report) {
    drag* d = context;
    sn_hand_report hand;
    bool speaks = report->time < 1 || report->time > 3;
    if (speaks) point(d->device, 0, 0, 0.2);
    if (report->step == 100)
        CHECK_STATUS(sn_session_hold(session, d->hand, sn_body(0), d->point), SN_OK);
    CHECK(sn_session_ask_hand(session, d->hand, &hand), 0);
    if (report->time > 0.8 && report->time < 1.9) CHECK(hand.safety.cause == SN_CAUSE_NONE, 0);
    if (report->time > 2.1 && report->time < 3) {
        CHECK(hand.safety.cause == SN_CAUSE_LOST && sn_vec3_norm(hand.on_body) == 0, 0);
        CHECK(!hand.safety.latched, 0);
    }
    return true;
}

static void a_silent_pointer_lets_be_and_takes_hold_again(void** state) {
    (void)state;
    playing p = playing_begin("version: 1\nfloor: true\nobjects:\n"
                              "  - {name: thing, box: [0.1, 0.1, 0.1], mass: 1, at: [0, 0, 0.5]}\n",
                              NULL);
    drag d = {0};
    d.hand = add_pointer(p.session, &d.device);
    CHECK_STATUS(sn_session_run(p.session, 5, fall_silent, &d), SN_OK);
    sn_hand_report hand;
    CHECK(sn_session_ask_hand(p.session, d.hand, &hand), 0);
    CHECK(hand.safety.cause == SN_CAUSE_NONE && hand.safety.trips == 1, 0);
    playing_end(&p);
}

// ---- coming and going ---------------------------------------------------------------------------------------------

enum { GUESTS = 20 };

typedef struct party {
    sn_device* device[GUESTS];
    int hand[GUESTS];
    int came, left;
    double weight; ///< N, carried by all hands
} party;

/// Guests come one after the other, take hold of the bar side by side; the odd ones leave.
static bool gather(void* context, sn_session* session, const sn_step_report* report) {
    party* g = context;
    if (report->step % 20 == 0 && g->came < GUESTS) {
        int i = g->came++;
        g->hand[i] = add_pointer(session, &g->device[i]);
        CHECK(g->hand[i] == i, 0);
        point(g->device[i], 0, 0, 0);
        sn_vec3 at = sn_vec3_make(0.1 * (i - 9.5), 0, 0);
        CHECK_STATUS(sn_session_hold(session, g->hand[i], sn_body(0), at), SN_OK);
    }
    if (report->time > 1 && report->step % 20 == 10 && g->left < GUESTS / 2) {
        int number = g->hand[2 * g->left++ + 1];
        CHECK_STATUS(sn_session_remove_hand(session, number), SN_OK);
        CHECK_STATUS(sn_session_remove_hand(session, number), SN_ERR_ARGUMENT);
        CHECK_STATUS(sn_session_hold(session, number, sn_body(0), sn_vec3_zero()), SN_ERR_ARGUMENT);
    }
    g->weight = 0;
    for (int i = 0; i < sn_session_hand_count(session); i++) {
        sn_hand_report hand;
        int number = sn_session_hand_at(session, i);
        CHECK(sn_session_ask_hand(session, number, &hand) && hand.number == number, 0);
        point(g->device[number], 0, 0, 0);
        g->weight += hand.on_body.z;
    }
    return true;
}

static void twenty_hands_carry_a_bar_and_half_of_them_leave(void** state) {
    (void)state;
    const double m = 10;
    playing p = playing_begin("version: 1\nobjects:\n"
                              "  - {name: bar, box: [2, 0.05, 0.05], mass: 10}\n",
                              NULL);
    party g = {0};
    CHECK_STATUS(sn_session_run(p.session, 6, gather, &g), SN_OK);
    CHECK(sn_session_hand_count(p.session) == GUESTS / 2 && g.left == GUESTS / 2, 0);
    CHECK_NEAR(g.weight, m * G, 0.01 * m * G, 0);
    CHECK(sn_session_hand_at(p.session, 3) == 6 && sn_session_hand_at(p.session, 10) == -1, 0);
    sn_hand_report report;
    CHECK(!sn_session_ask_hand(p.session, 1, &report) && report.body.i == -1, 0);
    sn_device* device = NULL;
    CHECK(add_pointer(p.session, &device) == GUESTS, 0); // no number is given twice
    CHECK_STATUS(sn_session_remove_hand(p.session, 0), SN_OK);
    CHECK(sn_session_hand_count(p.session) == GUESTS / 2, 0);
    playing_end(&p);
}

static void there_are_as_many_hands_as_were_asked_for(void** state) {
    (void)state;
    sn_session_def def = playing_def();
    def.most_hands = 2;
    playing p = playing_begin("version: 1\nfloor: true\n", &def);
    const sn_pointer_def pointer = sn_pointer_def_default();
    const sn_hand_def hand = pointer_hand();
    for (int i = 0; i < 3; i++) {
        sn_device* device = NULL;
        CHECK_STATUS(sn_pointer_device_create(&pointer, &device, NULL), SN_OK);
        CHECK_STATUS(sn_session_add_hand(p.session, &hand, device, NULL, NULL),
                     i < 2 ? SN_OK : SN_ERR_CAPACITY);
    }
    def.most_hands = 0;
    sn_session* none = NULL;
    CHECK_STATUS(sn_session_create(p.sim, &def, &none, NULL), SN_ERR_ARGUMENT);
    playing_end(&p);
}

/// A place that is taken again has nothing of the hand that was there before.
static bool come_again(void* context, sn_session* session, const sn_step_report* report) {
    drag* d = context;
    sn_hand_report hand;
    if (report->step == 300) CHECK_STATUS(sn_session_remove_hand(session, d->hand), SN_OK);
    if (report->step == 600) {
        d->hand = add_pointer(session, &d->device);
        CHECK(d->hand == 1, 0);
    }
    if (report->step < 300 || report->step >= 600) point(d->device, 0, 0, 1);
    if (report->step == 100)
        CHECK_STATUS(sn_session_hold(session, d->hand, sn_body(0), sn_vec3_zero()), SN_OK);
    if (report->step <= 600) return true;
    CHECK(sn_session_ask_hand(session, d->hand, &hand), 0);
    CHECK(hand.body.i < 0 && sn_vec3_norm(hand.on_hand) == 0 && hand.buttons == 0, 0);
    CHECK(hand.meter.ticks < 1000, 0);
    return true;
}

static void who_comes_after_another_holds_nothing(void** state) {
    (void)state;
    playing p = playing_begin("version: 1\nobjects:\n"
                              "  - {name: ball, sphere: 0.05, mass: 1}\n",
                              NULL);
    drag d = {0};
    d.hand = add_pointer(p.session, &d.device);
    CHECK_STATUS(sn_session_run(p.session, 1, come_again, &d), SN_OK);
    playing_end(&p);
}

// ---- a push beside a hand -------------------------------------------------------------------------------------------

static bool push_on(void* context, sn_session* session, const sn_step_report* report) {
    drag* d = context;
    point(d->device, 0, 0, 0);
    if (report->step == 100)
        CHECK_STATUS(sn_session_hold(session, d->hand, sn_body(0), d->point), SN_OK);
    if (report->step == 200) running_command(session->sim, "push: {body: box, force: [3, 0, 5]}");
    return true;
}

static void a_hand_and_a_push_on_one_body_add_up(void** state) {
    (void)state;
    playing p = playing_begin("version: 1\ngravity: [0, 0, 0]\nobjects:\n"
                              "  - {name: box, box: [0.1, 0.1, 0.1], mass: 1}\n",
                              NULL);
    drag d = {0};
    d.hand = add_pointer(p.session, &d.device);
    CHECK_STATUS(sn_session_run(p.session, 3, push_on, &d), SN_OK);
    sn_hand_report hand;
    CHECK(sn_session_ask_hand(p.session, d.hand, &hand), 0);
    // at rest the hand holds against the push
    CHECK_NEAR(hand.on_body.x, -3, 0.03, 0);
    CHECK_NEAR(hand.on_body.z, -5, 0.05, 0);
    CHECK_NEAR(running_pose(p.sim, "box").p.z, 5 / hand.stiffness, 0.02 * 5 / hand.stiffness, 0);
    // and it stays when the hand lets go
    CHECK_STATUS(sn_session_hold(p.session, d.hand, sn_body_world(), sn_vec3_zero()), SN_OK);
    double before = running_v(p.sim, "box")[5];
    CHECK_STATUS(sn_session_run(p.session, 0.1, NULL, NULL), SN_OK);
    CHECK_NEAR(running_v(p.sim, "box")[5] - before, 0.5, 0.01, 0);
    playing_end(&p);
}

// ---- the clock ------------------------------------------------------------------------------------------------------

typedef struct clockwork {
    int calls, idle; ///< of go_on: in all, and while paused
    uint64_t steps;
    double paused_for;
    double force_before, force_paused, force_last;
    sn_safety_cause cause;
} clockwork;

/// Pauses a hand that carries a block, goes on a second of the clock later.
static bool pause_a_while(void* context, sn_session* session, const sn_step_report* report) {
    clockwork* c = context;
    sn_hand_report hand;
    CHECK(sn_session_ask_hand(session, 0, &hand), 0);
    c->calls++;
    c->force_last = hand.force.force.z;
    if (report) c->steps = report->step;
    if (report && report->step == 2000) {
        c->force_before = hand.force.force.z;
        sn_session_pause(session, true);
        CHECK(sn_session_is_paused(session), 0);
    }
    if (report) return true;
    c->idle++;
    CHECK(c->steps == 2000, 0); // no time passes
    if (c->idle == 90) {
        c->force_paused = hand.force.force.z;
        c->cause = hand.safety.cause;
    }
    if (c->idle == 100) sn_session_pause(session, false);
    return true;
}

static void paused_no_time_passes_and_force_comes_back_by_its_ramp(void** state) {
    (void)state;
    const sn_hand_knot rest[] = {playing_knot(0, 0, 0, 0)};
    playing p = playing_begin("version: 1\nobjects:\n"
                              "  - {name: block, box: [0.1, 0.1, 0.1], mass: 0.2}\n",
                              NULL);
    sn_hand_def hold = playing_hold(0);
    hold.damping = 4;
    playing_hand(&p, &hold, "omega3", "firm", rest, 1);
    clockwork c = {0};
    CHECK_STATUS(sn_session_run(p.session, 5, pause_a_while, &c), SN_OK);
    CHECK(c.steps == 5000 && c.calls == 5000 + c.idle, 0);
    CHECK(c.idle >= 100 && c.idle <= 102, 0); // some 100 a second of the person's clock
    CHECK(c.cause == SN_CAUSE_PAUSED && c.force_paused == 0, 0);
    CHECK_NEAR(c.force_before, -0.2 * G, 0.05, 0);
    CHECK_NEAR(c.force_last, -0.2 * G, 0.05, 0);
    CHECK(playing_report(&p, 0).safety.trips == 0, 0); // nothing went wrong
    playing_check_steps(&p, 0);
    playing_end(&p);
}

static bool step_singly(void* context, sn_session* session, const sn_step_report* report) {
    clockwork* c = context;
    if (report) c->steps++;
    if (report && c->steps == 500) sn_session_pause(session, true);
    if (!report && ++c->idle == 5) sn_session_step(session, 3);
    return c->idle < 20;
}

static void single_steps_are_done_one_by_one(void** state) {
    (void)state;
    const sn_hand_knot rest[] = {playing_knot(0, 0, 0, 0)};
    playing p = playing_begin("version: 1\nobjects:\n"
                              "  - {name: block, box: [0.1, 0.1, 0.1], mass: 0.2}\n",
                              NULL);
    sn_hand_def hold = playing_hold(0);
    hold.damping = 4;
    playing_hand(&p, &hold, "omega3", "firm", rest, 1);
    sn_session_step(p.session, 7); // void: it is not paused
    clockwork c = {0};
    CHECK_STATUS(sn_session_run(p.session, INFINITY, step_singly, &c), SN_OK);
    CHECK(c.steps == 503, 0);
    CHECK_NEAR(playing_report(&p, 0).on_body.z, 0.2 * G, 0.3, 0); // it is held meanwhile
    playing_end(&p);
}

static bool change_pace(void* context, sn_session* session, const sn_step_report* report) {
    const double paces[] = {0.01, 1, 0.1, 2, 0.01, 1};
    (void)context;
    if (report->step % 500 == 0)
        CHECK_STATUS(sn_session_set_pace(session, paces[report->step / 500 % 6]), SN_OK);
    // slow as it is, ten steps are enough
    if (report->step % 500 == 10 && sn_session_pace(session) < 0.1)
        CHECK_STATUS(sn_session_set_pace(session, 1), SN_OK);
    return true;
}

static void another_pace_stops_no_force(void** state) {
    (void)state;
    const sn_hand_knot rest[] = {playing_knot(0, 0, 0, 0)};
    playing p = playing_begin("version: 1\nobjects:\n"
                              "  - {name: block, box: [0.1, 0.1, 0.1], mass: 0.2}\n",
                              NULL);
    sn_hand_def hold = playing_hold(0);
    hold.damping = 4;
    playing_hand(&p, &hold, "omega3", "firm", rest, 1);
    CHECK_STATUS(sn_session_run(p.session, 5, change_pace, NULL), SN_OK);
    sn_hand_report report = playing_report(&p, 0);
    CHECK(report.safety.trips == 0 && report.safety.cause == SN_CAUSE_NONE, 0);
    CHECK_NEAR(report.force.force.z, -0.2 * G, 0.1, 0);
    playing_check_steps(&p, 0);
    const double bad[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++)
        CHECK_STATUS(sn_session_set_pace(p.session, bad[i]), SN_ERR_ARGUMENT);
    playing_end(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pointer_lifts_a_mug_and_a_robot_alike),
        cmocka_unit_test(a_pull_has_its_limit),
        cmocka_unit_test(what_a_pointer_holds_comes_along_after_a_stall),
        cmocka_unit_test(a_silent_pointer_lets_be_and_takes_hold_again),
        cmocka_unit_test(twenty_hands_carry_a_bar_and_half_of_them_leave),
        cmocka_unit_test(there_are_as_many_hands_as_were_asked_for),
        cmocka_unit_test(who_comes_after_another_holds_nothing),
        cmocka_unit_test(a_hand_and_a_push_on_one_body_add_up),
        cmocka_unit_test(paused_no_time_passes_and_force_comes_back_by_its_ramp),
        cmocka_unit_test(single_steps_are_done_one_by_one),
        cmocka_unit_test(another_pace_stops_no_force),
    };
    return cmocka_run_group_tests_name("session_live", tests, NULL, NULL);
}
