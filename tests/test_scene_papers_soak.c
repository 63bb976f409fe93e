// SPDX-License-Identifier: Apache-2.0
// The scenes of the papers for a minute each, far past the end of their scripts: all stays finite, nothing sinks into
// anything, and once scripts and motions are over, energy stays what it is.
#include <math.h>
#include <string.h>

#include "sinew/simulation.h"
#include "support/loading.h"
#include "support/scenes.h"

enum { STEPS = 60000, SCENES = 14 };
static const double OVERLAP = 1e-3; // m
static const double SWAY = 0.1;     // J: of energy after the scene's own time

static double total_of(sn_world* world) {
    sn_energy energy = sn_world_energy(world);
    return energy.kinetic + energy.potential + energy.spring;
}

static void run_a_minute(const char* path) {
    sn_simulation_def def = sn_simulation_def_default();
    sn_simulation* sim = NULL;
    def.load = scene_def();
    def.ignore_recording = true;
    check_context(path);
    CHECK_STATUS(sn_simulation_load(path, &def, &sim, NULL), SN_OK);
    sn_world* world = sn_simulation_world(sim);
    double over = sn_scene_duration(sn_simulation_scene(sim)) + 2; // s: all has come to rest
    double deepest = 0, low = INFINITY, high = -INFINITY;
    for (int i = 0; i < STEPS; i++) {
        sn_step_report report;
        CHECK_STATUS(sn_simulation_step(sim, &report), SN_OK);
        CHECK(!(report.events & (SN_EVENT_NOT_FINITE | SN_EVENT_CONTROL | SN_EVENT_NO_CONTACT)),
              (uint64_t)i);
        for (int32_t k = 0; k < sn_world_contact_count(world); k++)
            deepest = fmax(deepest, -sn_world_contacts(world)[k].gap);
        if (i % 100 || sn_world_time(world) < over) continue;
        low = fmin(low, total_of(world)), high = fmax(high, total_of(world));
    }
    print_message("%-40s overlap %.2e m, energy %.3f J, sways by %.2e J\n", strrchr(path, '/') + 1,
                  deepest, high, high - low);
    CHECK(deepest < OVERLAP, 0);
    CHECK(high - low < SWAY, 0);
    CHECK(sn_world_energy(world).kinetic < SWAY, 0);
    sn_simulation_free(sim);
    check_context(NULL);
}

static void every_scene_of_the_papers_lasts_a_minute(void** state) {
    (void)state;
    CHECK(for_each_file(SN_TEST_SCENES_DIR "/papers", ".yaml", run_a_minute) == SCENES, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scene_of_the_papers_lasts_a_minute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
