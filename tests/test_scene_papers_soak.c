// SPDX-License-Identifier: Apache-2.0
// The scenes of the papers for a minute each, past the end of their scripts: all stays finite, no energy comes from
// nowhere, nothing sinks into anything.
#include <math.h>

#include "sinew/simulation.h"
#include "support/loading.h"
#include "support/scenes.h"

/// Beyond the scripts nobody drives anything, so energy may only sway a little.
static void run_a_minute(const char* path) {
    sn_simulation_def def = sn_simulation_def_default();
    sn_simulation* sim = NULL;
    def.load = scene_def();
    def.ignore_recording = true;
    check_context(path);
    CHECK_STATUS(sn_simulation_load(path, &def, &sim, NULL), SN_OK);
    sn_world* world = sn_simulation_world(sim);
    double deepest = 0, most = -INFINITY, first = NAN;
    for (int i = 0; i < 60000; i++) {
        sn_step_report report;
        CHECK_STATUS(sn_simulation_step(sim, &report), SN_OK);
        CHECK(!(report.events & (SN_EVENT_NOT_FINITE | SN_EVENT_CONTROL | SN_EVENT_NO_CONTACT)),
              (uint64_t)i);
        for (int32_t k = 0; k < sn_world_contact_count(world); k++)
            deepest = fmax(deepest, -sn_world_contacts(world)[k].gap);
        if (i % 100) continue;
        sn_energy energy = sn_world_energy(world);
        double total = energy.kinetic + energy.potential + energy.spring;
        if (i == 0) first = total;
        most = fmax(most, total);
    }
    CHECK(deepest < 2e-3, 0);
    CHECK(most < first + 0.1 * fabs(first) + 10, 0); // J: what scripts and motors lift
    sn_simulation_free(sim);
    check_context(NULL);
}

static void every_scene_of_the_papers_lasts_a_minute(void** state) {
    (void)state;
    CHECK(for_each_file(SN_TEST_SCENES_DIR "/papers", ".yaml", run_a_minute) >= 10, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scene_of_the_papers_lasts_a_minute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
