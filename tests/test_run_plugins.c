// SPDX-License-Identifier: Apache-2.0
// Plugins that do not fit are refused with the reason; those that fail are stopped and named, and the simulation goes
// on; modules that fail stop the world, which says whose fault it was.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/running.h"

#define OBJECTS "floor: true\nobjects: [{name: ball, sphere: 0.1, mass: 1, at: [0, 0, 0.1]}]\n"

/// A scene with a plugin of the tests.
static const char* scene_of(const char* plugin, const char* rest) {
    static char text[2048];
    (void)snprintf(text, sizeof text,
                   "version: 1\n" OBJECTS "plugins: [{file: " SN_TEST_PLUGINS_DIR "/%s.so}]\n%s",
                   plugin, rest);
    return text;
}

// ---- loading ------------------------------------------------------------------------------------------------

static void plugins_that_do_not_fit_are_refused_with_the_reason(void** state) {
    (void)state;
    static const struct {
        const char* plugin;
        sn_status status;
        const char* why;
    } bad[] = {
        {"there_is_no_such_file", SN_ERR_FILE, "it cannot be loaded"},
        {"missing_symbol", SN_ERR_FILE, "sn_of_another_version"},
        {"no_table", SN_ERR_FORMAT, "it exports no sn_plugin_table"},
        {"wrong_version", SN_ERR_FORMAT, "made for version 2 of plugins"},
        {"wrong_size", SN_ERR_FORMAT, "build it again with the headers of this version"},
        {"no_name", SN_ERR_FORMAT, "its table has no name"},
        {"no_init", SN_ERR_FORMAT, "its table has no init"},
        {"no_step", SN_ERR_FORMAT, "its table has no step"},
        {"no_cleanup", SN_ERR_FORMAT, "its table has no cleanup"},
        {"init_fails", SN_ERR_ARGUMENT, "plugin 'bad' does not begin: the moon is not full"},
        {"init_fails_without_words", SN_ERR_MEMORY, "plugin 'bad' does not begin: out of memory"},
        {"provide_fails", SN_ERR_CAPACITY,
         "plugin 'bad' provides no modules: no modules on Sundays"},
        {"provide_fails_without_words", SN_ERR_CAPACITY, "a fixed capacity is exhausted"},
        {"name_taken", SN_ERR_ARGUMENT, "there is a simulator 'sinew' already"},
        {"name_twice", SN_ERR_ARGUMENT, "there is a simulator 'still' already"},
        {"table_incomplete", SN_ERR_ARGUMENT, "advance"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sn_error error = {0};
        check_context(bad[i].plugin);
        CHECK_STATUS(running_try(scene_of(bad[i].plugin, ""), NULL, &error), bad[i].status);
        running_says(error.text, bad[i].why);
    }
    check_context(NULL);
    CHECK_STATUS(running_try(scene_of("good", ""), NULL, NULL), SN_OK);
}

static void a_plugin_of_the_scene_is_named_by_its_line(void** state) {
    (void)state;
    sn_error error = {0};
    CHECK_STATUS(running_try(scene_of("no_table", ""), NULL, &error), SN_ERR_FORMAT);
    running_says(error.file, "test.yaml");
    CHECK(error.line == 4, 0);
}

static void the_same_plugin_is_loaded_once(void** state) {
    (void)state;
    sn_error error = {0};
    const char* paths[] = {SN_TEST_PLUGINS_DIR "/good.so", NULL};
    sn_simulation_def def = sn_simulation_def_default();
    def.plugins = paths;
    CHECK_STATUS(running_try(scene_of("good", ""), &def, &error), SN_ERR_ARGUMENT);
    running_says(error.text, "there is a plugin 'bad' already; load it once");
    def.plugins = NULL;
    CHECK_STATUS(running_try(scene_of("good", ""), &def, NULL), SN_OK);
}

static void a_module_that_no_plugin_brings_is_not_there(void** state) {
    (void)state;
    static const struct {
        const char *key, *why;
    } bad[] = {
        {"dynamics: dance\n", "there is no dynamics algorithm 'dance'"},
        {"simulator: stil\n", "there is no simulator 'stil'; did you mean 'still'?"},
        {"contact: {solver: magic}\n", "there is no contact solver 'magic'"},
        {"contact: {detector: radar}\n", "there is no collision detector 'radar'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sn_error error = {0};
        CHECK_STATUS(running_try(scene_of("good", bad[i].key), NULL, &error), SN_ERR_ARGUMENT);
        running_says(error.text, bad[i].why);
    }
    // without plugins the scene's reader says so
    sn_error error = {0};
    CHECK(running_try("version: 1\ndynamics: dance\n", NULL, &error) != SN_OK, 0);
    running_says(error.text, "dance");
}

static void a_plugin_beside_the_program_needs_no_path(void** state) {
    (void)state;
    char before[4096];
    CHECK(getcwd(before, sizeof before) && chdir(SN_TEST_PLUGINS_DIR) == 0, 0);
    const char* paths[] = {"good.so", NULL};
    sn_simulation_def def = sn_simulation_def_default();
    def.plugins = paths;
    sn_status status = running_try("version: 1\n", &def, NULL);
    CHECK(chdir(before) == 0, 0);
    CHECK_STATUS(status, SN_OK);
}

// ---- failing ------------------------------------------------------------------------------------------------

static void check_stopped(const char* plugin, const char* why) {
    running_log log;
    sn_simulation_def def = sn_simulation_def_default();
    def.log = running_log_into(&log);
    sn_simulation* sim = running_with(scene_of(plugin, ""), &def);
    CHECK(sn_simulation_plugin_count(sim) == 1 && !sn_simulation_plugin_trouble(sim, 0), 0);
    running_step(sim, 20);
    CHECK(log.count == 1, 0);
    running_says(log.text, "plugin 'bad' is stopped, the simulation goes on without it");
    running_says(log.text, why);
    running_says(sn_simulation_plugin_trouble(sim, 0), why);
    CHECK(sn_world_step_count(sn_simulation_world(sim)) == 20, 0);
    CHECK(sn_world_control(sn_simulation_world(sim))[0] == 0, 0); // its forces are gone
    running_refuse(sim, "plugin: {name: bad}", SN_ERR_ARGUMENT, "there is no plugin that runs");
    sn_simulation_free(sim);
}

static void a_plugin_that_fails_is_stopped_and_named(void** state) {
    (void)state;
    check_stopped("step_fails", "its step failed: model is not valid");
    check_stopped("control_fails", "its control failed: a fixed capacity is exhausted");
    check_stopped("control_nan", "its control failed: numbers are not finite");
}

static void what_a_plugin_controls_acts_until_it_ends(void** state) {
    (void)state;
    sn_simulation* sim = running(scene_of("good", ""));
    running_step(sim, 2);
    CHECK(sn_world_control(sn_simulation_world(sim))[0] == 1, 0);
    sn_simulation_free(sim);
}

// ---- modules that fail --------------------------------------------------------------------------------------

static void check_latched(const char* key, const char* why) {
    sn_simulation* sim = running(scene_of("broken_modules", key));
    sn_status status = SN_OK;
    int good = 0;
    while (!status && good < 100) {
        status = sn_simulation_step(sim, NULL);
        good += !status;
    }
    check_context(key);
    CHECK(status != SN_OK && good < 10, 0);
    running_says(sn_world_fault(sn_simulation_world(sim)), why);
    CHECK(sn_world_step_count(sn_simulation_world(sim)) == (uint64_t)good, 0);
    for (int k = 0; k < 7; k++) CHECK(isfinite(running_q(sim, "ball")[k]), 0);
    CHECK_STATUS(sn_simulation_step(sim, NULL), SN_ERR_FAULT);
    check_context(NULL);
    sn_simulation_free(sim);
}

static void a_module_that_fails_latches_a_fault_with_its_name(void** state) {
    (void)state;
    check_latched("dynamics: failing\n", "dynamics 'failing' returned: a fixed capacity");
    check_latched("dynamics: nan\n", "dynamics 'nan' returned: numbers are not finite");
    check_latched("contact: {detector: failing}\n",
                  "detector 'failing' returned: a negative number");
    check_latched("contact: {detector: nan}\n", "detector 'nan' returned: numbers are not finite");
    check_latched("contact: {solver: failing}\n", "solver 'failing' returned: a fixed capacity");
    check_latched("contact: {solver: nan}\n", "solver 'nan' returned: numbers are not finite");
    check_latched("simulator: failing\n", "simulator 'failing' returned: a fixed capacity");
    check_latched("simulator: nan\n", "simulator 'nan' returned: numbers are not finite");
}

static void a_module_that_refuses_the_model_is_named(void** state) {
    (void)state;
    static const char* const keys[] = {"dynamics: refusing\n", "contact: {detector: refusing}\n",
                                       "contact: {solver: refusing}\n", "simulator: refusing\n"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        sn_error error = {0};
        CHECK_STATUS(running_try(scene_of("broken_modules", keys[i]), NULL, &error), SN_ERR_MODEL);
        running_says(error.text, "'refusing'");
    }
}

// ---- tables at hand -------------------------------------------------------------------------------------------

typedef struct mine {
    int begun, steps, ended, commands;
    sn_status add, init, step;
    char options[32];
} mine;

static mine seen; // what the functions below did
static const sn_plugin MINE;

static sn_status my_init(sn_simulation* sim, const char* options, void** memory, sn_error* error) {
    seen.begun++;
    (void)snprintf(seen.options, sizeof seen.options, "%s", options);
    sn_plugin other = MINE;
    other.name = "other";
    seen.add = sn_simulation_add_plugin(sim, &other, NULL, error); // not here
    *memory = &seen;
    return seen.init;
}

static sn_status my_step(void* memory, sn_simulation* sim) {
    mine* m = memory;
    m->steps++;
    // edits belong to the next step
    if (m->steps == 2) return sn_simulation_command(sim, "remove: ball", NULL, 0, NULL);
    m->step = sn_simulation_step(sim, NULL); // there is no step in a step
    return SN_OK;
}

static void my_cleanup(void* memory) { ((mine*)memory)->ended++; }

static sn_status my_command(void* memory, sn_simulation* sim, const char* words, char* answer,
                            size_t room) {
    (void)sim;
    ((mine*)memory)->commands++;
    (void)snprintf(answer, room, "heard %s", words);
    return strcmp(words, "no") == 0 ? SN_ERR_ARGUMENT : SN_OK;
}

static void my_draw(void* memory, sn_simulation* sim, sn_drawing* drawing) {
    static const double RED[4] = {1, 0, 0, 1};
    (void)memory, (void)sim;
    sn_drawing_line(drawing, sn_vec3_make(0, 0, 0), sn_vec3_make(0, 0, 1), RED);
    sn_drawing_text(drawing, sn_vec3_make(1, 2, 3),
                    "a text that is much longer than there is room for in one stroke", RED);
}

static const sn_plugin MINE = {SN_PLUGIN_HEAD,  .name = "mine",        .init = my_init,
                               .step = my_step, .cleanup = my_cleanup, .command = my_command,
                               .draw = my_draw};

static void a_table_at_hand_takes_part_too(void** state) {
    (void)state;
    sn_simulation* sim = running("version: 1\n" OBJECTS);
    sn_error error = {0};
    char answer[8] = "";
    seen = (mine){0};
    CHECK_STATUS(sn_simulation_add_plugin(sim, &MINE, "loud", &error), SN_OK);
    CHECK(seen.begun == 1 && strcmp(seen.options, "loud") == 0, 0);
    CHECK_STATUS(seen.add, SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_simulation_add_plugin(sim, &MINE, NULL, &error), SN_ERR_ARGUMENT);
    running_says(error.text, "there is a plugin 'mine' already");
    running_step(sim, 1);
    CHECK_STATUS(seen.step, SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_simulation_command(sim, "plugin: {name: mine, words: hello}", answer,
                                       sizeof answer, &error),
                 SN_OK);
    CHECK(strcmp(answer, "heard h") == 0, 0); // cut to the room there is
    running_refuse(sim, "plugin: {name: mine, words: 'no'}", SN_ERR_ARGUMENT,
                   "plugin 'mine' refuses 'no': heard no");
    running_refuse(sim, "plugin: {name: mind}", SN_ERR_ARGUMENT, "did you mean 'mine'?");
    running_step(sim, 1);
    CHECK(sn_simulation_find_item(sim, "ball").generation == 0, 0); // its edit was made
    int count;
    const sn_stroke* strokes = sn_simulation_draw(sim, &count);
    CHECK(count == 2 && strokes[0].to.z == 1 && strokes[0].text[0] == '\0', 0);
    CHECK(strokes[1].from.z == 3 && strokes[1].to.z == 3 && strokes[1].color[0] == 1, 0);
    CHECK(strlen(strokes[1].text) == sizeof strokes[1].text - 1, 0);
    CHECK(sn_simulation_plugin(sim, 0) == &MINE && !sn_simulation_plugin(sim, 1), 0);
    CHECK(!sn_simulation_plugin(sim, -1) && !sn_simulation_plugin_trouble(sim, 5), 0);
    CHECK(seen.steps == 2 && seen.commands == 2 && seen.ended == 0, 0);
    sn_simulation_free(sim);
    CHECK(seen.ended == 1, 0);
}

static void a_table_at_hand_is_checked_too(void** state) {
    (void)state;
    sn_simulation* sim = running("version: 1\n" OBJECTS);
    sn_error error = {0};
    sn_plugin bad = MINE;
    bad.name = NULL;
    CHECK_STATUS(sn_simulation_add_plugin(sim, &bad, NULL, &error), SN_ERR_FORMAT);
    bad = MINE;
    bad.version = 9;
    CHECK_STATUS(sn_simulation_add_plugin(sim, &bad, NULL, &error), SN_ERR_FORMAT);
    seen = (mine){.init = SN_ERR_CAPACITY};
    CHECK_STATUS(sn_simulation_add_plugin(sim, &MINE, NULL, &error), SN_ERR_CAPACITY);
    CHECK(sn_simulation_plugin_count(sim) == 0, 0);
    CHECK_STATUS(sn_simulation_add_plugin(sim, NULL, NULL, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_simulation_add_plugin(NULL, &MINE, NULL, &error), SN_ERR_ARGUMENT);
    running_step(sim, 1);
    sn_simulation_free(sim);
    CHECK(seen.ended == 0, 0); // what did not begin does not end
}

// Modules that the caller has are found beside those of plugins.

static sn_status my_create(void* context, const sn_model* model, void** memory, sn_error* error) {
    (void)context, (void)model, (void)memory, (void)error;
    return SN_OK;
}
static void my_free(void* context, void* memory) { (void)context, (void)memory; }
static sn_status my_advance(void* context, void* memory, sn_world* world, double h,
                            const double* tau, double* q, double* v) {
    (void)memory, (void)world, (void)h, (void)tau, (void)q, (void)v;
    ++*(int*)context;
    return SN_OK;
}

static void modules_of_the_caller_stay_beside_those_of_plugins(void** state) {
    (void)state;
    int calls = 0;
    sn_modules* modules = sn_modules_create();
    sn_simulator_module frozen = {.name = "frozen",
                                  .context = &calls,
                                  .create = my_create,
                                  .free = my_free,
                                  .advance = my_advance};
    CHECK_STATUS(sn_modules_add_simulator(modules, &frozen, NULL), SN_OK);
    sn_world_def world = sn_world_def_default();
    sn_simulation_def def = sn_simulation_def_default();
    world.modules = modules;
    world.simulator = "frozen";
    def.world = &world;
    sn_simulation* sim = running_with(scene_of("good", ""), &def);
    running_step(sim, 3);
    CHECK(calls == 3, 0);
    sn_simulation_free(sim);
    world.simulator = "still"; // the plugin's
    sim = running_with(scene_of("good", ""), &def);
    running_step(sim, 3);
    CHECK(calls == 3, 0);
    sn_simulation_free(sim);
    sn_error error = {0};
    world.simulator = "frost";
    CHECK_STATUS(running_try(scene_of("good", ""), &def, &error), SN_ERR_ARGUMENT);
    running_says(error.text, "sinew, still, frozen");
    sn_modules_free(modules);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plugins_that_do_not_fit_are_refused_with_the_reason),
        cmocka_unit_test(a_plugin_of_the_scene_is_named_by_its_line),
        cmocka_unit_test(the_same_plugin_is_loaded_once),
        cmocka_unit_test(a_module_that_no_plugin_brings_is_not_there),
        cmocka_unit_test(a_plugin_beside_the_program_needs_no_path),
        cmocka_unit_test(a_plugin_that_fails_is_stopped_and_named),
        cmocka_unit_test(what_a_plugin_controls_acts_until_it_ends),
        cmocka_unit_test(a_module_that_fails_latches_a_fault_with_its_name),
        cmocka_unit_test(a_module_that_refuses_the_model_is_named),
        cmocka_unit_test(a_table_at_hand_takes_part_too),
        cmocka_unit_test(a_table_at_hand_is_checked_too),
        cmocka_unit_test(modules_of_the_caller_stay_beside_those_of_plugins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
