// SPDX-License-Identifier: Apache-2.0
// Two boxes: of the 15 directions in which boxes can be apart, faces of either and edges across each other, the one in
// which they are farthest apart.   [GLM96]
#include "collision/kept.h"
#include "collision/pairs.h"

// Over the sizes: a direction has to be better than the one before by so much, so that equal ones do not take turns.
static const double BETTER = 1e-12;
// Edges are parallel below this sine.
static const double PARALLEL = 1e-12;

/// Two boxes in the frame of a.
typedef struct boxes {
    double a[3], b[3];       ///< half edges
    double R[3][3], A[3][3]; ///< axes of b, and their absolute values
    double p[3];             ///< centre of a less centre of b
    double slack;
} boxes;

/// A direction, from b to a, in the frame of a.
typedef struct best {
    double s;
    double n[3];
    int32_t i, j; ///< edges of a and b; -1: a face
} best;

static void face_of_a(const boxes* x, best* out) {
    for (int32_t i = 0; i < 3; i++) {
        double reach = x->a[i] + x->A[i][0] * x->b[0] + x->A[i][1] * x->b[1] + x->A[i][2] * x->b[2];
        double s = fabs(x->p[i]) - reach;
        if (!(s > out->s + x->slack)) continue;
        *out = (best){s, {0, 0, 0}, -1, -1};
        out->n[i] = copysign(1, x->p[i]);
    }
}

static void face_of_b(const boxes* x, best* out) {
    for (int32_t j = 0; j < 3; j++) {
        double along = x->p[0] * x->R[0][j] + x->p[1] * x->R[1][j] + x->p[2] * x->R[2][j];
        double reach = x->b[j] + x->A[0][j] * x->a[0] + x->A[1][j] * x->a[1] + x->A[2][j] * x->a[2];
        double s = fabs(along) - reach;
        if (!(s > out->s + x->slack)) continue;
        double sign = copysign(1, along);
        *out = (best){s, {sign * x->R[0][j], sign * x->R[1][j], sign * x->R[2][j]}, -1, -1};
    }
}

/// Axis i of a across axis j of b is (0, -R[k][j], R[l][j]) in the order i, l, k.
static void edges(const boxes* x, best* out) {
    for (int32_t i = 0; i < 3; i++) {
        int32_t l = (i + 1) % 3, k = (i + 2) % 3;
        for (int32_t j = 0; j < 3; j++) {
            int32_t m = (j + 1) % 3, o = (j + 2) % 3;
            double u = -x->R[k][j], v = x->R[l][j];
            double along = x->p[l] * u + x->p[k] * v;
            double reach =
                x->a[l] * fabs(u) + x->a[k] * fabs(v) + x->b[m] * x->A[i][o] + x->b[o] * x->A[i][m];
            double above = fabs(along) - reach, square = u * u + v * v;
            // above / sine > s, without the root
            double worth = out->s + x->slack;
            bool promising = above >= 0 ? worth < 0 || above * above > worth * worth * square
                                        : worth < 0 && above * above < worth * worth * square;
            if (!promising || !(square > PARALLEL * PARALLEL)) continue;
            double sine = sqrt(square), sign = copysign(1 / sine, along);
            *out = (best){above / sine, {0, 0, 0}, i, j};
            out->n[l] = sign * u;
            out->n[k] = sign * v;
        }
    }
}

static boxes boxes_of(const sni_core* a, const sni_core* b) {
    sn_vec3 p = sn_mat3_apply_transposed(a->R, sn_vec3_sub(a->p, b->p));
    boxes x = {.a = {a->solid->half.x, a->solid->half.y, a->solid->half.z},
               .b = {b->solid->half.x, b->solid->half.y, b->solid->half.z},
               .p = {p.x, p.y, p.z},
               .slack = BETTER * (a->solid->radius + b->solid->radius)};
    for (int32_t i = 0; i < 3; i++)
        for (int32_t j = 0; j < 3; j++) {
            x.R[i][j] = a->R.m[0][i] * b->R.m[0][j] + a->R.m[1][i] * b->R.m[1][j] +
                        a->R.m[2][i] * b->R.m[2][j];
            x.A[i][j] = fabs(x.R[i][j]);
        }
    return x;
}

/// Nearest points of the two edges along axes i of a and j of b that face each other.
static void set_points(sni_core* a, sni_core* b, const best* of, sni_apart* apart) {
    sn_vec3 u = sn_mat3_column(a->R, of->i), v = sn_mat3_column(b->R, of->j);
    apart->a = sni_core_support(a, sn_vec3_neg(apart->n));
    apart->b = sni_core_support(b, apart->n);
    sn_vec3 cross = sn_vec3_cross(u, v), from = sn_vec3_sub(apart->b, apart->a);
    double square = sn_vec3_dot(cross, cross);
    double s = sn_vec3_dot(sn_vec3_cross(from, v), cross) / square;
    double t = sn_vec3_dot(sn_vec3_cross(from, u), cross) / square;
    apart->a = sn_vec3_add(apart->a, sn_vec3_scale(s, u));
    apart->b = sn_vec3_add(apart->b, sn_vec3_scale(t, v));
}

/// Whether the crossing of two edges' lines is on the edges themselves.
static bool on_box(const sni_core* core, sn_vec3 x, double slack) {
    sn_vec3 at = sn_mat3_apply_transposed(core->R, sn_vec3_sub(x, core->p)), h = core->solid->half;
    return fabs(at.x) <= h.x + slack && fabs(at.y) <= h.y + slack && fabs(at.z) <= h.z + slack;
}

void sni_touch_box(const sni_solid* a, const sn_pose* X_wa, const sni_solid* b, const sn_pose* X_wb,
                   double margin, sni_pair_memory* memory, sni_touches* out) {
    sni_core core_a = sni_core_make(a, X_wa, X_wa->p), core_b = sni_core_make(b, X_wb, X_wa->p);
    if (sni_still_apart(&core_a, &core_b, margin, memory)) return;
    boxes x = boxes_of(&core_a, &core_b);
    best of = {.s = -INFINITY};
    face_of_a(&x, &of);
    face_of_b(&x, &of);
    if (of.s <= margin) edges(&x, &of);
    sn_vec3 n = sn_mat3_apply(X_wa->R, sn_vec3_make(of.n[0], of.n[1], of.n[2]));
    if (of.s <= margin && sni_touch_kept(&core_a, &core_b, of.s, margin, X_wa->p, memory, out))
        return;
    sni_pair_memory before = *memory;
    *memory = (sni_pair_memory){n, SNI_HINT_NONE};
    if (!(of.s <= margin)) return;
    sni_apart apart = {.n = n, .s = of.s, .scale = a->radius + b->radius};
    bool crossing = of.i >= 0;
    if (crossing) set_points(&core_a, &core_b, &of, &apart);
    sni_facing facing_a, facing_b;
    sni_facing_find(&core_a, sn_vec3_neg(n), &facing_a);
    sni_facing_find(&core_b, n, &facing_b);
    bool known =
        crossing &&
        (of.s <= 0 || (on_box(&core_a, apart.a, x.slack) && on_box(&core_b, apart.b, x.slack)));
    if (sni_manifold(&facing_a, &facing_b, &apart, known, margin, X_wa->p, out)) return;
    // the nearest points are at a corner: no face or pair of edges says how far
    if (before.hint == SNI_HINT_NEAREST) *memory = before;
    sni_touch_convex(a, X_wa, b, X_wb, margin, memory, out);
}
