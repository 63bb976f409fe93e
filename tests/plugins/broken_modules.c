// SPDX-License-Identifier: Apache-2.0
// CASES: broken_modules
// Modules of every kind that return an error, or numbers that are not finite, from a given call on.
#include <math.h>

#include "sinew/plugin.h"

enum { CALLS_GOOD = 5 };

/// What it does after that.
typedef enum habit { FAILS, GIVES_NAN, REFUSES } habit;
static habit habits[] = {FAILS, GIVES_NAN, REFUSES};

typedef struct broken {
    sn_dynamics* dynamics; ///< good answers
    int calls;
} broken;

static broken pool[64]; // more than a test makes
static int pool_used;

static sn_status make(void* context, const sn_model* model, void** memory, sn_error* error) {
    const habit* h = context;
    broken* b = &pool[pool_used++ % 64];
    *b = (broken){0};
    if (*h == REFUSES) return SN_ERR_MODEL;
    if (model && sn_dynamics_create(model, NULL, &b->dynamics, error)) return SN_ERR_MEMORY;
    *memory = b;
    return SN_OK;
}

static void unmake(void* context, void* memory) {
    broken* b = memory;
    (void)context;
    if (b) sn_dynamics_free(b->dynamics);
}

/// Whether this call is a bad one.
static bool is_bad(void* memory) { return ((broken*)memory)->calls++ >= CALLS_GOOD; }

static sn_status forward(void* context, void* memory, const sn_dynamics_input* in, double* qdd) {
    broken* b = memory;
    sn_dynamics_set_gravity(b->dynamics, in->gravity);
    sn_status status = sn_dynamics_forward(b->dynamics, in->q, in->v, in->tau, qdd);
    if (!is_bad(memory)) return status;
    if (*(habit*)context == GIVES_NAN) qdd[0] = NAN;
    return *(habit*)context == FAILS ? SN_ERR_CAPACITY : SN_OK;
}

static sn_status impulse(void* context, void* memory, const double* tau,
                         const sn_body_wrench* impulses, int count, double* dv) {
    (void)context;
    return sn_dynamics_impulse(((broken*)memory)->dynamics, tau, impulses, count, dv);
}

static sn_status make_detector(void* context, const sn_model* model, const sn_collider_def* def,
                               void** memory, sn_error* error) {
    (void)def;
    return make(context, model, memory, error);
}

static int32_t collide(void* context, void* memory, const sn_pose* X_wb, const sn_twist* v,
                       const bool* resting, double h, sn_contact* out, int32_t most) {
    (void)v, (void)resting, (void)h, (void)most;
    if (!is_bad(memory)) return 0;
    if (*(habit*)context == FAILS) return -1;
    out[0] = sn_contact_make(1, sn_body(0), sn_body_world(), X_wb[0].p, sn_vec3_make(0, 0, 1), NAN,
                             sn_material_default());
    return 1;
}

static sn_status make_solver(void* context, const sn_contact_capacity* capacity, void** memory,
                             sn_error* error) {
    (void)capacity;
    return make(context, NULL, memory, error);
}

static sn_status solve(void* context, void* memory, const sn_contact_problem* problem,
                       const sn_solve_options* options, double* r, int64_t* iterations) {
    (void)options;
    *iterations = 1;
    for (int32_t k = 0; k < sn_contact_rows(problem); k++) r[k] = 0;
    if (!is_bad(memory)) return SN_OK;
    r[0] = NAN;
    return *(habit*)context == FAILS ? SN_ERR_CAPACITY : SN_OK;
}

static sn_status advance(void* context, void* memory, sn_world* world, double h, const double* tau,
                         double* q, double* v) {
    (void)world, (void)h, (void)tau, (void)v;
    if (!is_bad(memory)) return SN_OK;
    if (*(habit*)context == GIVES_NAN) q[0] = NAN;
    return *(habit*)context == FAILS ? SN_ERR_CAPACITY : SN_OK;
}

static sn_status provide(sn_modules* modules, sn_error* error) {
    static const char* const names[] = {"failing", "nan", "refusing"};
    sn_status status = SN_OK;
    for (int i = 0; i < 3 && !status; i++) {
        const sn_dynamics_module dynamics = {names[i], "broken", &habits[i], make,
                                             unmake,   forward,  impulse};
        const sn_detector_module detector = {names[i],      "broken", &habits[i],
                                             make_detector, unmake,   collide};
        const sn_solver_module solver = {names[i],    "broken", &habits[i],
                                         make_solver, unmake,   solve};
        const sn_simulator_module simulator = {names[i], "broken", &habits[i],
                                               make,     unmake,   advance};
        status = sn_modules_add_dynamics(modules, &dynamics, error);
        if (!status) status = sn_modules_add_detector(modules, &detector, error);
        if (!status) status = sn_modules_add_solver(modules, &solver, error);
        if (!status) status = sn_modules_add_simulator(modules, &simulator, error);
    }
    return status;
}

static sn_status init(sn_simulation* sim, const char* options, void** memory, sn_error* error) {
    (void)sim, (void)options, (void)memory, (void)error;
    return SN_OK;
}

static sn_status step(void* memory, sn_simulation* sim) {
    (void)memory, (void)sim;
    return SN_OK;
}

static void cleanup(void* memory) { (void)memory; }

const sn_plugin sn_plugin_table = {
    SN_PLUGIN_HEAD,
    .name = "broken_modules",
    .about = "modules that break",
    .provide = provide,
    .init = init,
    .step = step,
    .cleanup = cleanup,
};
