// SPDX-License-Identifier: Apache-2.0
// CASES: no_table wrong_version wrong_size no_name no_init no_step no_cleanup missing_symbol
// CASES: init_fails init_fails_without_words provide_fails provide_fails_without_words name_taken name_twice table_incomplete
// CASES: step_fails control_fails control_nan good
// One way each in which a plugin can be wrong.
#include <math.h>
#include <stdio.h>

#include "sinew/plugin.h"

static sn_status init(sn_simulation* sim, const char* options, void** memory, sn_error* error) {
    (void)sim, (void)options, (void)error;
    *memory = NULL;
#if defined(CASE_init_fails)
    (void)snprintf(error->text, sizeof error->text, "the moon is not full");
    return SN_ERR_ARGUMENT;
#elif defined(CASE_init_fails_without_words)
    return SN_ERR_MEMORY;
#endif
    return SN_OK;
}

static sn_status step(void* memory, sn_simulation* sim) {
    (void)memory;
#if defined(CASE_step_fails)
    if (sn_world_step_count(sn_simulation_world(sim)) == 3) return SN_ERR_MODEL;
#endif
    (void)sim;
    return SN_OK;
}

static void cleanup(void* memory) { (void)memory; }

static sn_status control(void* memory, sn_simulation* sim, double* tau) {
    (void)memory, (void)sim;
    tau[0] = 1;
#if defined(CASE_control_fails)
    return SN_ERR_CAPACITY;
#elif defined(CASE_control_nan)
    tau[0] = NAN;
#endif
    return SN_OK;
}

static sn_status make(void* context, const sn_model* model, void** memory, sn_error* error) {
    (void)context, (void)model, (void)memory, (void)error;
    return SN_OK;
}

static void unmake(void* context, void* memory) { (void)context, (void)memory; }

static sn_status advance(void* context, void* memory, sn_world* world, double h, const double* tau,
                         double* q, double* v) {
    (void)context, (void)memory, (void)world, (void)h, (void)tau, (void)q, (void)v;
    return SN_OK;
}

static sn_status provide(sn_modules* modules, sn_error* error) {
    sn_simulator_module simulator = {
        .name = "still", .create = make, .free = unmake, .advance = advance};
#if defined(CASE_provide_fails)
    (void)snprintf(error->text, sizeof error->text, "no modules on Sundays");
    return SN_ERR_CAPACITY;
#elif defined(CASE_provide_fails_without_words)
    return SN_ERR_CAPACITY;
#elif defined(CASE_name_taken)
    simulator.name = "sinew";
#elif defined(CASE_name_twice)
    sn_status status = sn_modules_add_simulator(modules, &simulator, error);
    if (status) return status;
#elif defined(CASE_table_incomplete)
    simulator.advance = NULL;
#endif
    return sn_modules_add_simulator(modules, &simulator, error);
}

#if defined(CASE_missing_symbol)
void sn_of_another_version(void);
void* sn_pointer_to_it(void);
void* sn_pointer_to_it(void) { return (void*)(size_t)sn_of_another_version; }
#endif

#if defined(CASE_no_table)
const sn_plugin not_the_table = {
#else
const sn_plugin sn_plugin_table = {
#endif
#if defined(CASE_wrong_version)
    .version = SN_PLUGIN_VERSION + 1,
    .size = sizeof(sn_plugin),
#elif defined(CASE_wrong_size)
    .version = SN_PLUGIN_VERSION,
    .size = sizeof(sn_plugin) - 8,
#else
SN_PLUGIN_HEAD,
#endif
#if !defined(CASE_no_name)
    .name = "bad",
#endif
    .about = "a plugin of the tests",
    .provide = provide,
#if !defined(CASE_no_init)
    .init = init,
#endif
#if !defined(CASE_no_step)
    .step = step,
#endif
#if !defined(CASE_no_cleanup)
    .cleanup = cleanup,
#endif
    .control = control,
};

// what a case leaves out is used all the same
extern const void* const unused[3];
const void* const unused[3] = {(const void*)(size_t)init, (const void*)(size_t)step,
                               (const void*)(size_t)cleanup};
