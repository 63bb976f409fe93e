// SPDX-License-Identifier: Apache-2.0
// Balance for a minute, and pushes from twelve sides that it comes back from.
#include <math.h>

#include "support/standing.h"

static void it_stands_for_a_minute_without_moving(void** state) {
    (void)state;
    static const char* const MODELS[] = {"hrp2", "human"};
    for (int m = 0; m < 2; m++) {
        sn_simulation* sim = standing(MODELS[m], "");
        running_step(sim, 2000);
        sn_vec3 first = sn_world_momentum(sn_simulation_world(sim)).com;
        double fastest = 0;
        for (int i = 0; i < 580; i++) {
            running_step(sim, 100);
            fastest = fmax(fastest, sn_world_energy(sn_simulation_world(sim)).kinetic);
        }
        sn_vec3 last = sn_world_momentum(sn_simulation_world(sim)).com;
        CHECK(sn_vec3_norm(sn_vec3_sub(last, first)) < 1e-3, 0);
        CHECK(fastest < 1e-4, 0);
        CHECK(standing_is_up(sim), 0);
        sn_simulation_free(sim);
    }
}

static void it_comes_back_from_50_newtons_from_twelve_sides(void** state) {
    (void)state;
    enum { SIDES = 12 };
    for (int i = 0; i < SIDES; i++) {
        sn_simulation* sim = standing("hrp2", "");
        running_step(sim, 1000);
        sn_vec3 before = sn_world_momentum(sn_simulation_world(sim)).com;
        standing_push(sim, 50, 2 * M_PI * i / SIDES);
        running_step(sim, 5000);
        CHECK(standing_is_up(sim), (uint64_t)i);
        sn_momentum after = sn_world_momentum(sn_simulation_world(sim));
        CHECK(sn_vec3_norm(sn_vec3_sub(after.com, before)) < 0.01, (uint64_t)i);
        CHECK(sn_vec3_norm(after.linear) < 0.1, (uint64_t)i);
        sn_simulation_free(sim);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_stands_for_a_minute_without_moving),
        cmocka_unit_test(it_comes_back_from_50_newtons_from_twelve_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
