// SPDX-License-Identifier: Apache-2.0
// Scenes of a hundred thousand bodies become worlds that step.
#include <stdio.h>
#include <string.h>

#include "sinew/simulation.h"
#include "support/scenes.h"

enum { BODIES = 100000 };

static void runs(const char* text) {
    sn_scene_load_def def = scene_def();
    sn_scene* scene = NULL;
    sn_simulation* sim = NULL;
    sn_error error = {0};
    CHECK_STATUS(sn_scene_load_memory(text, strlen(text), "test.yaml", &def, &scene, &error),
                 SN_OK);
    sn_status status = sn_simulation_create(scene, NULL, &sim, &error);
    if (status) print_error("%s\n", error.text);
    CHECK_STATUS(status, SN_OK);
    CHECK(sn_model_body_count(sn_world_model(sn_simulation_world(sim))) == BODIES, 0);
    CHECK_STATUS(sn_simulation_step(sim, NULL), SN_OK);
    sn_simulation_free(sim);
}

static void a_grid_of_boxes(void** state) {
    (void)state;
    runs("version: 1\nfloor: true\nobjects:\n"
         "- {name: b, box: [0.1, 0.1, 0.1], at: [0, 0, 0.1], "
         "repeat: {count: [100, 100, 10], spacing: [0.2, 0.2, 0.2]}}\n");
}

static void a_chain(void** state) {
    (void)state;
    runs("version: 1\ncontact: false\nmodels: [{name: c, generate: 'chain:100000'}]\n");
}

static void a_list_of_boxes_with_names(void** state) {
    (void)state;
    enum { LINE = 96 };
    char* text = malloc(64 + (size_t)BODIES * LINE);
    size_t used = (size_t)sprintf(text, "version: 1\nobjects:\n");
    for (int i = 0; i < BODIES; i++) // sizes differ, so models do
        used += (size_t)snprintf(text + used, LINE,
                                 "- {name: b%d, box: [0.1, 0.1, 0.%d], at: [%d, %d, 0]}\n", i,
                                 1 + i % 7, i % 300, i / 300);
    runs(text);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_of_boxes),
        cmocka_unit_test(a_chain),
        cmocka_unit_test(a_list_of_boxes_with_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
