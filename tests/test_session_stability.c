// SPDX-License-Identifier: Apache-2.0
// Whole sessions with certified gains are stable and passive: of the matrix of devices, hands and interactions a part.
// test_session_stability_soak.c has all of it.
#include <stdio.h>

#include "support/playing_matrix.h"

/// One hand for each `every`-th profile, another one each time.
static void look_at(playing_case which, int every) {
    sn_device_profile p;
    sn_hand_model model;
    int hands = 0;
    while (sn_hand_model_at(hands, &model)) hands++;
    for (int i = (int)which % every; sn_device_profile_at(i, &p); i += every) {
        const char* hand = sn_hand_model_at((i + (int)which) % hands, &model);
        char text[200];
        (void)snprintf(text, sizeof text, "%s: %s, %s", playing_case_text(which), p.name, hand);
        check_context(text);
        playing_verdict v = playing_try(which, p.name, hand);
        if (v.fault)
            print_message("%s: %s: ripple %g N after %g s, produced %g J, observer %g J, step %g, "
                          "%d trips\n",
                          text, v.fault, v.ripple, v.seconds, v.produced, v.energy, v.step,
                          (int)v.trips);
        CHECK(!v.fault, 0);
    }
    check_context(NULL);
}

static void free_motion_is_stable(void** state) {
    (void)state;
    look_at(PLAYING_FREE, 1);
}
static void a_stiff_wall_is_stable(void** state) {
    (void)state;
    look_at(PLAYING_WALL, 1);
}
static void a_heavy_body_is_stable(void** state) {
    (void)state;
    look_at(PLAYING_HEAVY, 1);
}
static void a_robots_hand_on_a_wall_is_stable(void** state) {
    (void)state;
    look_at(PLAYING_ROBOT, 6);
}
static void the_end_of_a_long_chain_is_stable(void** state) {
    (void)state;
    look_at(PLAYING_CHAIN, 6);
}
static void two_hands_on_a_bar_are_stable(void** state) {
    (void)state;
    look_at(PLAYING_BAR, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_motion_is_stable),
        cmocka_unit_test(a_stiff_wall_is_stable),
        cmocka_unit_test(a_heavy_body_is_stable),
        cmocka_unit_test(a_robots_hand_on_a_wall_is_stable),
        cmocka_unit_test(the_end_of_a_long_chain_is_stable),
        cmocka_unit_test(two_hands_on_a_bar_are_stable),
    };
    return cmocka_run_group_tests_name("session_stability", tests, NULL, NULL);
}
