// SPDX-License-Identifier: Apache-2.0
#include "eval_qdd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval_answer.h"
#include "memory.h"
#include "sinew/batch.h"

enum {
    TOGETHER_LEAST = 8,  // cases that are worth a batch
    TOGETHER_MOST = 1024 // cases copied side by side at once
};

typedef struct work {
    const eval_files* files;
    sn_dynamics* dynamics;
    const int* v_order;
    size_t nq, nv;
    eval_qdd* result;
} work;

// The case's numbers, from the order of the API to that of the files.
static void keep(const work* w, int i, const double* api, sn_status status) {
    double* out = w->result->at + (size_t)i * w->nv;
    for (size_t k = 0; k < w->nv; k++) out[k] = api[w->v_order[k]];
    w->result->status[i] = status;
}

static void compute_alone(const work* w, int i) {
    const eval_case* c = &w->files->cases[i];
    double* qdd = memory_take(w->nv, sizeof *qdd);
    eval_case_apply(c, w->dynamics);
    sn_status status = sn_dynamics_forward(w->dynamics, c->q, c->v, c->tau, qdd);
    keep(w, i, qdd, status);
    free(qdd);
}

static bool all_finite(const double* x, size_t count) {
    for (size_t k = 0; k < count; k++) {
        if (!isfinite(x[k])) return false;
    }
    return true;
}

// Computes the listed cases, all of one gravity, side by side.
static void compute_block(const work* w, sn_batch* batch, const int* list, int count) {
    size_t nq = w->nq, nv = w->nv, n = (size_t)count;
    double* q = memory_take(n * nq, sizeof *q);
    double* v = memory_take(n * nv, sizeof *v);
    double* tau = memory_take(n * nv, sizeof *tau);
    double* qdd = memory_take(n * nv, sizeof *qdd);
    for (size_t s = 0; s < n; s++) {
        const eval_case* c = &w->files->cases[list[s]];
        memcpy(q + s * nq, c->q, nq * sizeof *q);
        memcpy(v + s * nv, c->v, nv * sizeof *v);
        memcpy(tau + s * nv, c->tau, nv * sizeof *tau);
    }
    sn_status status = sn_dynamics_batch(batch, count, q, v, tau, qdd, NULL);
    for (size_t s = 0; s < n; s++) {
        // A state that is not finite leaves the others right.
        bool good = status == SN_OK || (status == SN_ERR_NUMERIC && all_finite(qdd + s * nv, nv));
        keep(w, list[s], qdd + s * nv, good ? SN_OK : status);
    }
    free(q);
    free(v);
    free(tau);
    free(qdd);
}

static void compute_together(const work* w, const int* list, int count) {
    sn_batch* batch = NULL;
    if (sn_batch_create(sn_dynamics_model(w->dynamics), &batch, NULL) != SN_OK) {
        for (int i = 0; i < count; i++) compute_alone(w, list[i]);
        return;
    }
    sn_batch_set_gravity(batch, w->files->cases[list[0]].gravity);
    for (int from = 0; from < count; from += TOGETHER_MOST) {
        int left = count - from;
        compute_block(w, batch, list + from, left < TOGETHER_MOST ? left : TOGETHER_MOST);
    }
    sn_batch_free(batch);
}

// ---- which cases go together ---------------------------------------------------------------------

typedef struct place {
    double gravity[3];
    int index;
} place;

static int compare_gravity(const void* a, const void* b) {
    const place *x = a, *y = b;
    for (int k = 0; k < 3; k++) {
        if (x->gravity[k] != y->gravity[k]) return x->gravity[k] < y->gravity[k] ? -1 : 1;
    }
    return 0;
}

static int compare_places(const void* a, const void* b) {
    const place *x = a, *y = b;
    int order = compare_gravity(a, b);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

// Puts cases of equal gravity side by side; those with wrenches are computed here.
static int sort_cases(const work* w, place* places) {
    int count = 0;
    for (int i = 0; i < w->files->count; i++) {
        const eval_case* c = &w->files->cases[i];
        if (c->fext_count > 0) {
            compute_alone(w, i);
        } else {
            places[count++] = (place){{c->gravity.x, c->gravity.y, c->gravity.z}, i};
        }
    }
    qsort(places, (size_t)count, sizeof *places, compare_places);
    return count;
}

static void compute_groups(const work* w) {
    place* places = memory_take((size_t)w->files->count, sizeof *places);
    int* list = memory_take((size_t)w->files->count, sizeof *list);
    int count = sort_cases(w, places);
    for (int from = 0, to; from < count; from = to) {
        for (to = from; to < count && compare_gravity(&places[from], &places[to]) == 0; to++) {
            list[to - from] = places[to].index;
        }
        if (to - from >= TOGETHER_LEAST) {
            compute_together(w, list, to - from);
        } else {
            for (int i = 0; i < to - from; i++) compute_alone(w, list[i]);
        }
    }
    free(places);
    free(list);
}

eval_qdd eval_qdd_compute(const eval_files* files, sn_dynamics* dynamics, const int* v_order,
                          bool together) {
    const sn_model* model = sn_dynamics_model(dynamics);
    eval_qdd result;
    work w = {files, dynamics, v_order, 0, 0, &result};
    w.nq = (size_t)sn_model_nq(model), w.nv = (size_t)sn_model_nv(model);
    result.at = memory_take((size_t)files->count * w.nv, sizeof *result.at);
    result.status = memory_take((size_t)files->count, sizeof *result.status);
    if (together) {
        compute_groups(&w);
    } else {
        for (int i = 0; i < files->count; i++) compute_alone(&w, i);
    }
    return result;
}

void eval_qdd_free(eval_qdd* qdd) {
    free(qdd->at);
    free(qdd->status);
    *qdd = (eval_qdd){0};
}
