// SPDX-License-Identifier: Apache-2.0
// How long steps may be: the fastest motion of the torsions by Lanczos' method, with M for the measure of lengths and
// differences of torques for products with H.   [GVL96 ch 9.1]
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/rng.h"
#include "molecule/torsion_tree.h"
#include "sinew/molecule_step.h"

enum { ROUNDS_MOST = 40 };
static const double GOOD_ENOUGH =
    0.02; // relative, of w^2: the part of the bound that is used leaves room
// A vector of length 1 by M moves an atom of 1 u by 1 nm; differences are over so much of it, nm: far above what single
// precision leaves of forces, far below where they change.
static const double DIFFERENCE = 5e-3;

typedef struct search {
    const sn_torsion_tree* tree;
    const sn_model* model;
    sn_molecule_forces* forces;
    sn_dynamics* dynamics;
    int nv;
    double *q, *q_off, *f, *f_off, *w;                // where, forces on joints there; scratch
    double *v[ROUNDS_MOST + 1], *p[ROUNDS_MOST + 1];  // orthonormal vectors, and M times them
    double alpha[ROUNDS_MOST], beta[ROUNDS_MOST + 1]; // beta[k] couples k - 1 and k
    double* memory;
    sn_wrench* wrench;
} search;

static void search_free(search* s) {
    sn_dynamics_free(s->dynamics);
    sn_molecule_forces_free(s->forces);
    free(s->memory);
    free(s->wrench);
}

static sn_status search_create(search* s, const sn_molecule_forces_def* def, sn_error* error) {
    size_t nv = (size_t)s->nv, nq = (size_t)sn_model_nq(s->model);
    size_t vectors = 3 + 2 * (ROUNDS_MOST + 1);
    sn_molecule_forces_def still = def ? *def : sn_molecule_forces_def_default();
    still.friction = 0;
    s->memory = calloc(2 * nq + vectors * nv + 1, sizeof *s->memory);
    s->wrench = calloc((size_t)sn_model_body_count(s->model) + 1, sizeof *s->wrench);
    if (!s->memory || !s->wrench)
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    s->q = s->memory, s->q_off = s->q + nq, s->f = s->q_off + nq, s->f_off = s->f + nv;
    s->w = s->f_off + nv;
    for (int k = 0; k <= ROUNDS_MOST; k++) {
        s->v[k] = s->w + nv * (size_t)(1 + 2 * k);
        s->p[k] = s->v[k] + nv;
    }
    sn_status status = sn_molecule_forces_create(s->tree, &still, &s->forces, error);
    if (!status) status = sn_dynamics_create(s->model, "aba", &s->dynamics, error);
    if (!status) sn_dynamics_set_gravity(s->dynamics, sn_vec3_zero());
    return status;
}

static double dot(const search* s, const double* a, const double* b) {
    double sum = 0;
    for (int i = 0; i < s->nv; i++) sum += a[i] * b[i];
    return sum;
}

static void add(const search* s, double factor, const double* x, double* sum) {
    for (int i = 0; i < s->nv; i++) sum[i] += factor * x[i];
}

// ---- products --------------------------------------------------------------------------------------

/// Forces of the field on the joints at q.
static sn_status forces_at(search* s, const double* q, double* f) {
    int bodies = sn_model_body_count(s->model);
    memset(s->wrench, 0, (size_t)bodies * sizeof *s->wrench);
    sn_status status = sn_dynamics_kinematics(s->dynamics, q, NULL);
    if (!status)
        status =
            sn_molecule_forces_compute(s->forces, s->dynamics, 0, sn_pose_identity(), 0, s->wrench);
    for (int i = 0; i < bodies && !status; i++)
        status = sn_dynamics_set_wrench(s->dynamics, sn_body(i), SN_AXES_WORLD, s->wrench[i]);
    if (!status) status = sn_dynamics_inverse(s->dynamics, q, NULL, NULL, f);
    for (int i = 0; i < s->nv; i++) f[i] = -f[i];
    sn_dynamics_clear_wrenches(s->dynamics);
    return status;
}

/// w = H v.
static sn_status curvature_along(search* s, const double* v, double* w) {
    for (int i = 0; i < s->nv; i++) w[i] = DIFFERENCE * v[i];
    sn_model_integrate(s->model, s->q, w, s->q_off);
    sn_status status = forces_at(s, s->q_off, s->f_off);
    for (int i = 0; i < s->nv; i++) w[i] = (s->f[i] - s->f_off[i]) / DIFFERENCE;
    return status;
}

/// Measures vector k by M, whose product with it is p: makes its length 1. Its length before.
static double normalise(search* s, int k) {
    double length = sqrt(fmax(0, dot(s, s->v[k], s->p[k])));
    for (int i = 0; i < s->nv && length > 0; i++) s->v[k][i] /= length, s->p[k][i] /= length;
    return length;
}

static sn_status first_vector(search* s) {
    sni_rng rng = {1};
    for (int i = 0; i < s->nv; i++) s->p[0][i] = sni_rng_uniform(&rng, -1, 1);
    // as a force, so that light groups move most
    sn_status status = sn_dynamics_forward(s->dynamics, s->q, NULL, s->p[0], s->v[0]);
    normalise(s, 0);
    return status;
}

/// Row k of the tridiagonal matrix, and vector k + 1.
static sn_status next_vector(search* s, int k) {
    double *v = s->v[k + 1], *p = s->p[k + 1];
    sn_status status = curvature_along(s, s->v[k], p);
    if (status) return status;
    s->alpha[k] = dot(s, s->v[k], p);
    status = sn_dynamics_forward(s->dynamics, s->q, NULL, p, v); // v = M^-1 p
    for (int twice = 0; twice < 2; twice++) {                    // rounding lets old ones come back
        for (int j = 0; j <= k; j++) {
            double part = dot(s, s->p[j], v);
            add(s, -part, s->v[j], v);
            add(s, -part, s->p[j], p);
        }
    }
    s->beta[k + 1] = normalise(s, k + 1);
    return status;
}

// ---- the tridiagonal matrix --------------------------------------------------------------------------

/// Whether all eigenvalues of the first n rows are below x: by Sturm's sequence.   [GVL96 ch 8.5]
static bool all_below(const search* s, int n, double x) {
    double d = 1;
    for (int k = 0; k < n; k++) {
        double back = k > 0 ? s->beta[k] * s->beta[k] / d : 0;
        d = s->alpha[k] - x - back;
        if (!(d < 0)) return false;
    }
    return true;
}

static double largest_eigenvalue(const search* s, int n) {
    double low = s->alpha[0], high = 0;
    for (int k = 0; k < n; k++) {
        double around = fabs(k > 0 ? s->beta[k] : 0) + fabs(k + 1 < n ? s->beta[k + 1] : 0);
        low = fmax(low, s->alpha[k]);
        high = fmax(high, s->alpha[k] + around);
    }
    if (high < low) high = low;
    for (int k = 0; k < 60; k++) { // to rounding
        double middle = 0.5 * (low + high);
        if (all_below(s, n, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

/// Its vector x, of length 1, from the first row on: (alpha_0 - y) x_0 + beta_1 x_1 = 0 and so on.
static void eigenvector(const search* s, int n, double y, double* x) {
    double size = 1;
    x[0] = 1;
    for (int k = 1; k < n; k++) {
        double before = k > 1 ? s->beta[k - 1] * x[k - 2] : 0;
        x[k] = -((s->alpha[k - 1] - y) * x[k - 1] + before) / s->beta[k];
        size += x[k] * x[k];
    }
    for (int k = 0; k < n; k++) x[k] /= sqrt(size);
}

// ---- the choice ----------------------------------------------------------------------------------------

/// The torsion that has the largest part of x'M x, for x the sum of the vectors by `part`.
static int most_moved(search* s, int n, const double* part) {
    double *x = s->f_off, *m = s->w, most = -1;
    int found = 0;
    memset(x, 0, (size_t)s->nv * sizeof *x);
    memset(m, 0, (size_t)s->nv * sizeof *m);
    for (int k = 0; k < n; k++) {
        add(s, part[k], s->v[k], x);
        add(s, part[k], s->p[k], m);
    }
    for (int t = 0; t < sn_torsion_tree_torsion_count(s->tree); t++) {
        int iv = sn_model_body(s->model, sn_torsion_tree_torsion(s->tree, t).body).iv;
        if (fabs(x[iv] * m[iv]) <= most) continue;
        most = fabs(x[iv] * m[iv]);
        found = t;
    }
    return found;
}

static sn_status find_fastest(search* s, sn_step_choice* choice) {
    double part[ROUNDS_MOST], square = 0;
    int n = 0;
    sn_status status = forces_at(s, s->q, s->f);
    if (!status) status = first_vector(s);
    for (bool done = s->nv == 0; !status && !done;) {
        status = next_vector(s, n);
        if (status) break;
        n++;
        double found = largest_eigenvalue(s, n);
        eigenvector(s, n, found, part);
        double off =
            s->beta[n] * fabs(part[n - 1]); // an eigenvalue of M^-1 H is so near   [GVL96 ch 9.1.4]
        square = found + off;
        done =
            n == ROUNDS_MOST || n == s->nv || off <= GOOD_ENOUGH * fabs(found) || !(s->beta[n] > 0);
    }
    if (status) return status;
    choice->frequency = sqrt(fmax(0, square));
    choice->torsion = most_moved(s, n, part);
    return isfinite(choice->frequency) ? SN_OK : SN_ERR_NUMERIC;
}

/// The largest h with (w h)^2 + 2 g h <= 4.
static double stable_bound(double w, double g) {
    return w > 0 || g > 0 ? 4 / (g + sqrt(g * g + 4 * w * w)) : INFINITY;
}

/// A round number, not above x.
static double two_digits(double x) {
    double unit = pow(10, floor(log10(x)) - 1);
    return unit * floor(x / unit * (1 + 1e-12));
}

sn_status sn_molecule_choose_step(const sn_torsion_tree* tree, const sn_molecule_forces_def* def,
                                  const double* q, sn_step_choice* choice, sn_error* error) {
    *choice = (sn_step_choice){.torsion = -1};
    if (!tree)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "a step needs a torsion tree");
    search s = {.tree = tree, .model = tree->model, .nv = sn_model_nv(tree->model)};
    sn_status status = search_create(&s, def, error);
    if (!status) {
        sn_model_neutral(s.model, s.q);
        if (q) memcpy(s.q, q, (size_t)sn_model_nq(s.model) * sizeof *q);
        status = find_fastest(&s, choice);
        if (status)
            status = sni_fail(error, status, sni_nowhere(),
                              "no step is stable here: forces are not finite");
    }
    search_free(&s);
    if (status) return status;
    double friction = def ? def->friction : sn_molecule_forces_def_default().friction;
    choice->bound = stable_bound(choice->frequency, friction);
    choice->step = two_digits(fmin(SN_STEP_SHARE * choice->bound, SN_STEP_MOST));
    return SN_OK;
}
