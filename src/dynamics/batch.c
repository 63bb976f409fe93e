// SPDX-License-Identifier: Apache-2.0
// Forward dynamics of many states: four at a time in the lanes of the vector unit where there is one,
// one after the other elsewhere.
#include "dynamics/batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "dynamics/kernel.h"
#include "sinew/batch.h"

struct sn_batch {
    const sn_model* model;
    bool lanes; ///< four at a time
    sni_arena arena;
    void* memory; ///< the kernel's
    sn_vec3 gravity;
    double *q, *v, *tau, *qdd; // four states, number by number
    double* unused;            // [nv] answers of lanes without a state
    bool* locked;              // [body_count] nothing is
};

static void layout(sn_batch* batch, sni_arena* arena) {
    const sn_model* model = batch->model;
    const size_t width = SN_BATCH_LANES * sizeof(double);
    batch->memory =
        batch->lanes ? sni_batch_avx2.layout(model, arena) : sni_kernel_scalar.layout(model, arena);
    batch->q = sni_arena_take(arena, (size_t)model->nq, width);
    batch->v = sni_arena_take(arena, (size_t)model->nv, width);
    batch->tau = sni_arena_take(arena, (size_t)model->nv, width);
    batch->qdd = sni_arena_take(arena, (size_t)model->nv, width);
    batch->unused = SN_ARENA_ARRAY(arena, double, model->nv);
    batch->locked = SN_ARENA_ARRAY(arena, bool, model->body_count);
}

sn_status sn_batch_create(const sn_model* model, sn_batch** out, sn_error* error) {
    if (!out) return SN_ERR_ARGUMENT;
    *out = NULL;
    if (!model) return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "no model given");
    if (model->loop_count > 0)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "a batch does not close the loops of '%s'; use sn_dynamics_forward",
                        model->name);
    sn_batch* batch = calloc(1, sizeof *batch);
    if (!batch) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    batch->model = model;
    batch->lanes = sni_batch_avx2.works();
    batch->gravity = sn_vec3_make(0, 0, -9.81);
    sni_arena arena = {0};
    layout(batch, &arena);
    if (!sni_arena_allocate(&arena)) {
        free(batch);
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(),
                        "not enough memory for a batch of %d bodies", model->body_count);
    }
    layout(batch, &arena);
    batch->arena = arena;
    *out = batch;
    return SN_OK;
}

void sn_batch_free(sn_batch* batch) {
    if (!batch) return;
    sni_arena_free(&batch->arena);
    free(batch);
}

void sn_batch_set_gravity(sn_batch* batch, sn_vec3 g_w) { batch->gravity = g_w; }

/// Rows of states to lanes; where there are fewer than four the last one is repeated.
static void spread(double* lanes, const double* rows, size_t width, int states) {
    const double* row[SN_BATCH_LANES];
    for (int s = 0; s < SN_BATCH_LANES; s++)
        row[s] = rows + (size_t)(s < states ? s : states - 1) * width;
    sni_batch_avx2.spread(lanes, row, width);
}

/// Four states or fewer from rows to rows. Bit s of the result: state s is not to be trusted.
static unsigned solve_lanes(sn_batch* batch, int states, const double* q, const double* v,
                            const double* tau, double* qdd) {
    size_t nq = (size_t)batch->model->nq, nv = (size_t)batch->model->nv;
    spread(batch->q, q, nq, states);
    if (v) spread(batch->v, v, nv, states);
    if (tau) spread(batch->tau, tau, nv, states);
    unsigned bad = sni_batch_avx2.forward(batch->model, batch->memory, sn_vec3_neg(batch->gravity),
                                          batch->q, batch->v, batch->tau, batch->qdd);
    double* row[SN_BATCH_LANES];
    for (int s = 0; s < SN_BATCH_LANES; s++)
        row[s] = s < states ? qdd + (size_t)s * nv : batch->unused;
    sni_batch_avx2.gather(row, batch->qdd, nv);
    return bad;
}

/// The same without lanes.
static unsigned solve_singly(sn_batch* batch, int states, const double* q, const double* v,
                             const double* tau, double* qdd) {
    const sni_kernel* kernel = &sni_kernel_scalar;
    const sn_model* model = batch->model;
    size_t nq = (size_t)model->nq, nv = (size_t)model->nv;
    unsigned bad = 0;
    for (int s = 0; s < states; s++) {
        size_t at = (size_t)s * nv;
        kernel->forward(model, batch->memory, sn_vec3_neg(batch->gravity), q + (size_t)s * nq,
                        v ? v + at : batch->v, NULL);
        bool good = kernel->backward(model, batch->memory, tau ? tau + at : batch->tau,
                                     model->dof.armature, batch->locked);
        kernel->accelerate(model, batch->memory, qdd + at);
        for (size_t k = 0; k < nv; k++) good = good && isfinite(qdd[at + k]);
        if (!good) bad |= 1u << s;
    }
    return bad;
}

sn_status sn_dynamics_batch(sn_batch* batch, int count, const double* q, const double* v,
                            const double* tau, double* qdd, int* bad) {
    if (!batch || count < 0 || (count > 0 && (!q || !qdd))) return SN_ERR_ARGUMENT;
    size_t nq = (size_t)batch->model->nq, nv = (size_t)batch->model->nv;
    int first_bad = count;
    if (!v) memset(batch->v, 0, SN_BATCH_LANES * nv * sizeof *batch->v);
    if (!tau) memset(batch->tau, 0, SN_BATCH_LANES * nv * sizeof *batch->tau);
    for (int first = 0; first < count; first += SN_BATCH_LANES) {
        int states = count - first < SN_BATCH_LANES ? count - first : SN_BATCH_LANES;
        size_t at = (size_t)first * nv;
        unsigned wrong = (batch->lanes ? solve_lanes : solve_singly)(
            batch, states, q + (size_t)first * nq, v ? v + at : NULL, tau ? tau + at : NULL,
            qdd + at);
        for (int s = 0; s < states && first_bad == count; s++)
            if (wrong >> s & 1) first_bad = first + s;
    }
    if (bad) *bad = first_bad;
    return first_bad < count ? SN_ERR_NUMERIC : SN_OK;
}
