// SPDX-License-Identifier: Apache-2.0
// Forward dynamics of your own: M qdd = tau - bias with a full matrix and its Cholesky factors.
//
//   sinew sim SCENE --plugin build/examples/plugins/dense_dynamics.so --dynamics dense
//
// O(n^3), against O(n) of "aba", but every line can be read beside a textbook [F08 ch 6]. The inertia matrix and
// the bias force come from an sn_dynamics of our own; another source of them (generated code, say)
// would take its place.
#include <stdlib.h>
#include <string.h>

#include "sinew/plugin.h"

typedef struct dense_memory {
    sn_dynamics* tree;
    int nv, bodies;
    double* armature; // [nv] of the model: part of the inertia matrix already
    double* M;        // [nv nv] row-major; the lower part becomes its Cholesky factor L
    double* force;    // [nv]
    bool* still;      // [nv] degrees of freedom of locked joints
    double* q;        // [nq] of the last forward
} dense_memory;

static void dense_free(void* context, void* memory) {
    dense_memory* d = memory;
    (void)context;
    if (!d) return;
    sn_dynamics_free(d->tree);
    free(d->armature), free(d->M), free(d->force), free(d->still), free(d->q);
    free(d);
}

static sn_status dense_create(void* context, const sn_model* model, void** memory,
                              sn_error* error) {
    dense_memory* d = calloc(1, sizeof *d);
    if (!d) return SN_ERR_MEMORY;
    size_t nv = (size_t)sn_model_nv(model);
    d->nv = (int)nv;
    d->bodies = sn_model_body_count(model);
    d->armature = calloc(nv + 1, sizeof *d->armature);
    d->M = calloc(nv * nv + 1, sizeof *d->M);
    d->force = calloc(nv + 1, sizeof *d->force);
    d->still = calloc(nv + 1, sizeof *d->still);
    d->q = calloc((size_t)sn_model_nq(model) + 1, sizeof *d->q);
    sn_status status = sn_dynamics_create(model, "aba", &d->tree, error);
    if (!status && !(d->armature && d->M && d->force && d->still && d->q)) status = SN_ERR_MEMORY;
    if (status) {
        dense_free(context, d);
        return status;
    }
    for (int i = 0; i < d->bodies; i++) {
        sn_body_info body = sn_model_body(model, sn_body(i));
        for (int k = 0; k < body.nv; k++) d->armature[body.iv + k] = body.armature[k];
    }
    *memory = d;
    return SN_OK;
}

// ---- linear algebra ---------------------------------------------------------------------------------------

/// M = L L', in place. False: not positive definite.
static bool factor(double* M, int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = M[i * n + j];
            for (int k = 0; k < j; k++) sum -= M[i * n + k] * M[j * n + k];
            if (i != j)
                M[i * n + j] = sum / M[j * n + j];
            else if (sum > 0) // NaN is not
                M[i * n + i] = sqrt(sum);
            else
                return false;
        }
    }
    return true;
}

/// x becomes L'^-1 L^-1 x.
static void solve(const double* L, int n, double* x) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) x[i] -= L[i * n + k] * x[k];
        x[i] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= L[k * n + i] * x[k];
        x[i] /= L[i * n + i];
    }
}

// ---- forward dynamics -------------------------------------------------------------------------------------

/// A locked joint's rows and columns are those of the unit matrix, and its force is zero: it does not move.
static void lock(dense_memory* d, const bool* locked) {
    const sn_model* model = sn_dynamics_model(d->tree);
    for (int i = 0; i < d->bodies; i++) {
        sn_body_info body = sn_model_body(model, sn_body(i));
        for (int k = body.iv; k < body.iv + body.nv; k++) d->still[k] = locked[i];
    }
    for (int r = 0; r < d->nv; r++)
        for (int c = 0; c < d->nv; c++)
            if (d->still[r] || d->still[c]) d->M[r * d->nv + c] = r == c;
}

static void let_go_of_locked(const dense_memory* d, double* force) {
    for (int k = 0; k < d->nv; k++)
        if (d->still[k]) force[k] = 0;
}

static sn_status dense_forward(void* context, void* memory, const sn_dynamics_input* in,
                               double* qdd) {
    dense_memory* d = memory;
    (void)context;
    // bias: what the joints must exert so that nothing accelerates, external wrenches included
    sn_dynamics_set_gravity(d->tree, in->gravity);
    sn_dynamics_clear_wrenches(d->tree);
    for (int k = 0; k < in->wrench_count; k++)
        sn_dynamics_set_wrench(d->tree, in->wrenches[k].body, SN_AXES_BODY, in->wrenches[k].wrench);
    sn_status status = sn_dynamics_inverse(d->tree, in->q, in->v, NULL, d->force);
    if (!status) status = sn_dynamics_mass_matrix(d->tree, in->q, d->M);
    if (status) return status;
    for (int k = 0; k < d->nv; k++) { // an implicit integrator adds to the armature
        d->M[k * d->nv + k] += in->armature[k] - d->armature[k];
        qdd[k] = in->tau[k] - d->force[k];
    }
    lock(d, in->locked);
    let_go_of_locked(d, qdd);
    if (!factor(d->M, d->nv)) return SN_ERR_NUMERIC;
    solve(d->M, d->nv, qdd);
    memcpy(d->q, in->q, (size_t)sn_model_nq(sn_dynamics_model(d->tree)) * sizeof *d->q);
    return SN_OK;
}

/// With the factors of the last forward. J' f is what the joints feel of a wrench when nothing else acts:
/// inverse dynamics at rest without gravity, with the opposite sign.
static sn_status dense_impulse(void* context, void* memory, const double* tau,
                               const sn_body_wrench* impulses, int count, double* dv) {
    dense_memory* d = memory;
    (void)context;
    for (int k = 0; k < d->nv; k++) dv[k] = tau ? tau[k] : 0;
    sn_dynamics_set_gravity(d->tree, sn_vec3_zero());
    for (int i = 0; i < count; i++) { // one by one, as a body may come twice
        sn_dynamics_clear_wrenches(d->tree);
        sn_status status =
            sn_dynamics_set_wrench(d->tree, impulses[i].body, SN_AXES_BODY, impulses[i].wrench);
        if (!status) status = sn_dynamics_inverse(d->tree, d->q, NULL, NULL, d->force);
        if (status) return status;
        for (int k = 0; k < d->nv; k++) dv[k] -= d->force[k];
    }
    let_go_of_locked(d, dv);
    solve(d->M, d->nv, dv);
    return SN_OK;
}

static const sn_dynamics_module dense_dynamics = {
    .name = "dense",
    .about = "joint-space inertia as a full matrix, Cholesky",
    .create = dense_create,
    .free = dense_free,
    .forward = dense_forward,
    .impulse = dense_impulse,
};

// ---- the plugin ---------------------------------------------------------------------------------------------

static sn_status dense_provide(sn_modules* modules, sn_error* error) {
    return sn_modules_add_dynamics(modules, &dense_dynamics, error);
}

// It has nothing to do while the simulation runs but what the module does.

static sn_status dense_init(sn_simulation* sim, const char* options, void** memory,
                            sn_error* error) {
    (void)sim, (void)options, (void)memory, (void)error;
    return SN_OK;
}

static sn_status dense_step(void* memory, sn_simulation* sim) {
    (void)memory, (void)sim;
    return SN_OK;
}

static void dense_cleanup(void* memory) { (void)memory; }

const sn_plugin sn_plugin_table = {
    SN_PLUGIN_HEAD,
    .name = "dense_dynamics",
    .about = "forward dynamics \"dense\": a full inertia matrix",
    .provide = dense_provide,
    .init = dense_init,
    .step = dense_step,
    .cleanup = dense_cleanup,
};
