// SPDX-License-Identifier: Apache-2.0
// Hands in threads, looked at while they move.
#include "sinew/session.h"
#include "sinew/simulated_device.h"
#include "support/check.h"
#include "support/running.h"

typedef struct watch {
    uint64_t steps;
    uint64_t ticks; ///< of the last look
} watch;

static bool look(void* context, sn_session* session, const sn_step_report* report) {
    watch* w = context;
    sn_hand_report hand;
    (void)report;
    sn_session_ask_hand(session, 0, &hand);
    CHECK(hand.meter.ticks >= w->ticks, w->steps);
    CHECK(hand.meter.ticks > 0, w->steps); // no step begins before the hand is there
    // an account is of one tick: the chain has seen each that the meter has
    CHECK(hand.safety.ticks == hand.meter.ticks, w->steps);
    w->ticks = hand.meter.ticks;
    w->steps++;
    return true;
}

static void a_hand_can_be_looked_at_while_it_moves(void** state) {
    (void)state;
    sn_simulation* sim = running("version: 1\ngravity: [0, 0, 0]\n"
                                 "objects:\n  - {name: ball, sphere: 0.05, mass: 0.5}\n");
    sn_session_def def = sn_session_def_default();
    sn_simulated_device_def simulated = sn_simulated_device_def_default();
    const sn_hand_def hand = {.name = "hand",
                              .item = 0,
                              .stiffness = 200,
                              .damping = 0.2,
                              .scale = 1,
                              .place_in = sn_pose_identity()};
    sn_session* session = NULL;
    sn_device* device = NULL;
    watch w = {0};
    CHECK_STATUS(sn_session_create(sim, &def, &session, NULL), SN_OK);
    CHECK_STATUS(sn_simulated_device_create(&simulated, &device, NULL), SN_OK);
    CHECK_STATUS(sn_session_add_hand(session, &hand, device, NULL, NULL), SN_OK);
    CHECK_STATUS(sn_session_run(session, 0.3, look, &w), SN_OK);
    CHECK(w.steps == 300, 0);
    CHECK(sn_session_ask_loop(session, SN_LOOP_COUPLING).ticks > 0, 0);
    CHECK(sn_session_ask_loop(session, SN_LOOP_HAPTICS).ticks >= w.ticks, 0);
    sn_session_free(session);
    sn_simulation_free(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_hand_can_be_looked_at_while_it_moves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
