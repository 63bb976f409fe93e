// SPDX-License-Identifier: Apache-2.0
// Once a session runs, neither loop allocates, nor what the simulation does for hands around a step.
#include <string.h>

#include "support/playing.h"

#include "support/noalloc.h"

static void ticks_and_what_is_around_a_step_allocate_nothing(void** state) {
    (void)state;
    const sn_hand_knot way[] = {playing_knot(0, 0, 0, 0), playing_knot(0.3, 0.01, 0, -0.01)};
    playing p =
        playing_begin("version: 1\nfloor: true\nobjects:\n"
                      "  - {name: block, box: [0.4, 0.1, 0.1], mass: 1, at: [0, 0, 0.05]}\n",
                      NULL);
    sn_hand_def hold = playing_hold(0), touch = playing_touch(500);
    hold.point = sn_vec3_make(0.2, 0, 0);
    playing_hand(&p, &hold, "omega3", "firm", way, 2);
    hold.point = sn_vec3_make(-0.2, 0, 0);
    playing_hand(&p, &hold, "sigma7", "medium", way, 2);
    playing_hand(&p, &touch, "touch", "light", way, 2);
    uint64_t laws = 0;
    for (int64_t ms = 0; ms < 1500; ms++) {
        armed = true;
        sni_hands_pull(p.session);
        armed = false; // test_sim_noalloc.c and test_scene_noalloc.c look at steps
        CHECK_STATUS(sn_simulation_step(p.sim, NULL), SN_OK);
        armed = true;
        if (sni_hands_make_law(p.session)) sni_hands_publish(p.session), laws++;
        for (int i = 0; i < 2; i++)
            sni_coupling_loop_tick(p.session->coupling, ms * 1000000 + i * 500000);
        for (int i = 0; i < p.hands; i++)
            sni_haptic_loop_tick(p.session->hand[i].loop, ms * 1000000);
        armed = false;
    }
    CHECK(violations == 0, 0);
    CHECK(laws == 1500 && p.session->coupling->made > 0 && p.session->coupling->refused == 0, 0);
    CHECK(p.session->hand[2].loop->proxy.started && p.session->hand[0].loop->terms.hold != 0, 0);
    playing_end(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_and_what_is_around_a_step_allocate_nothing)};
    return cmocka_run_group_tests_name("session_noalloc", tests, NULL, NULL);
}
