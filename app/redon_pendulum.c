// SPDX-License-Identifier: Apache-2.0
#include "redon_pendulum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "sinew/generate.h"

const double REDON_STEP = 1e-3;

sn_model* redon_pendulum(int bodies, sn_error* error) {
    sn_model* model = NULL;
    sn_generate_def def = sn_generate_def_default();
    def.shape = SN_GENERATE_PENDULUM;
    def.count = bodies;
    sn_model_builder* builder = sn_model_builder_create("pendulum");
    *error = (sn_error){.status = builder ? sn_generate(&def, builder) : SN_ERR_MEMORY};
    if (error->status == SN_OK) {
        error->status = sn_model_builder_compile(builder, NULL, &model, error);
    }
    sn_model_builder_free(builder);
    return error->status == SN_OK ? model : NULL;
}

// ---- one state ------------------------------------------------------------------------------------

sn_status redon_probe_start(redon_probe* probe, const sn_model* model, sn_error* error) {
    *probe = (redon_probe){0};
    sn_status status = sn_dynamics_create(model, "aba", &probe->full, error);
    if (!status) status = sn_dynamics_create(model, "adaptive", &probe->adaptive, error);
    if (!status) status = sn_dynamics_create(model, "aba", &probe->inertia, error);
    if (status) return status;
    sn_dynamics_set_gravity(probe->inertia, sn_vec3_zero());
    double** arrays[] = {&probe->exact, &probe->hybrid, &probe->difference, &probe->product,
                         &probe->tau};
    size_t nv = (size_t)sn_model_nv(model);
    for (int i = 0; i < 5; i++) *arrays[i] = memory_take(nv, sizeof(double));
    return SN_OK;
}

void redon_probe_free(redon_probe* probe) {
    sn_dynamics_free(probe->full);
    sn_dynamics_free(probe->adaptive);
    sn_dynamics_free(probe->inertia);
    double* arrays[] = {probe->exact, probe->hybrid, probe->difference, probe->product, probe->tau};
    for (int i = 0; i < 5; i++) free(arrays[i]);
    *probe = (redon_probe){0};
}

// |x|_M at q. Without gravity, at rest, inverse dynamics of x is M x.
static double inertia_norm(redon_probe* probe, const double* q, const double* x) {
    if (sn_dynamics_inverse(probe->inertia, q, NULL, x, probe->product) != SN_OK) return NAN;
    double sum = 0;
    for (int k = 0; k < sn_model_nv(sn_dynamics_model(probe->full)); k++) {
        sum += x[k] * probe->product[k];
    }
    return sqrt(sum > 0 ? sum : 0);
}

// The exact accelerations of joints that are locked, 0 of those that are active.
static void keep_locked(const redon_probe* probe, double* x) {
    const sn_model* model = sn_dynamics_model(probe->full);
    memset(x, 0, (size_t)sn_model_nv(model) * sizeof *x);
    for (int i = 0; i < sn_model_body_count(model); i++) {
        if (sn_dynamics_is_active(probe->adaptive, sn_body(i))) continue;
        sn_body_info body = sn_model_body(model, sn_body(i));
        for (int k = body.iv; k < body.iv + body.nv; k++) x[k] = probe->exact[k];
    }
}

sn_status redon_probe_error(redon_probe* probe, const double* q, const double* v, int budget,
                            redon_error* result) {
    int nv = sn_model_nv(sn_dynamics_model(probe->full));
    sn_adaptivity few = sn_adaptivity_default();
    few.max_active = budget;
    few.metric = SN_METRIC_INERTIA;
    memset(probe->tau, 0, (size_t)nv * sizeof(double));
    if (v) sn_dynamics_passive_force(probe->full, q, v, probe->tau);
    sn_status status = sn_dynamics_set_adaptivity(probe->adaptive, &few);
    if (!status) status = sn_dynamics_forward(probe->full, q, v, probe->tau, probe->exact);
    if (!status) status = sn_dynamics_forward(probe->adaptive, q, v, probe->tau, probe->hybrid);
    if (status) return status;
    sn_region_report region = sn_dynamics_region(probe->adaptive);
    double total = inertia_norm(probe, q, probe->exact);
    result->active = region.active;
    result->remaining = region.error / region.total;
    for (int k = 0; k < nv; k++) probe->difference[k] = probe->hybrid[k] - probe->exact[k];
    result->m_norm = inertia_norm(probe, q, probe->difference) / total;
    keep_locked(probe, probe->difference);
    result->bound = inertia_norm(probe, q, probe->difference) / total;
    return SN_OK;
}

// ---- one run --------------------------------------------------------------------------------------

static sn_status create_world(const sn_model* model, const redon_run* run, sn_world** world) {
    sn_world_def def = sn_world_def_default();
    def.step = REDON_STEP;
    def.dynamics = run->dynamics;
    def.adaptivity.max_active = run->budget;
    return sn_world_create(model, &def, world, NULL);
}

static sn_vec3 tip_of(sn_world* world) {
    const sn_model* model = sn_world_model(world);
    sn_body_id last = sn_body(sn_model_body_count(model) - 1);
    sn_vec3 end = sn_vec3_scale(2, sn_model_body(model, last).inertia.com); // of a uniform link
    return sn_pose_apply(sn_snapshot_pose(sn_world_snapshot(world), last), end);
}

sn_status redon_swing(const sn_model* model, redon_run* run, int steps, redon_look* look,
                      void* context) {
    sn_world* world = NULL;
    sn_status status = create_world(model, run, &world);
    for (int i = 0; !status; i++) {
        run->tip[i] = tip_of(world);
        if (look) look(world, i, context);
        if (i == steps) break;
        status = sn_world_step(world, NULL);
    }
    sn_world_free(world);
    return status;
}

sn_status redon_time(const sn_model* model, redon_run* run, int steps, int repeats) {
    sn_clock clock = sn_clock_real();
    sn_status status = SN_OK;
    run->seconds = INFINITY;
    for (int r = 0; r < repeats && !status; r++) {
        sn_world* world = NULL;
        status = create_world(model, run, &world);
        int64_t began = clock.now_ns(clock.context);
        for (int i = 0; i < steps && !status; i++) status = sn_world_step(world, NULL);
        double taken = 1e-9 * (double)(clock.now_ns(clock.context) - began);
        run->seconds = fmin(run->seconds, taken / steps);
        sn_world_free(world);
    }
    return status;
}
