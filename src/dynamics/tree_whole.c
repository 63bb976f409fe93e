// SPDX-License-Identifier: Apache-2.0
#include "dynamics/tree_whole.h"

#include <math.h>
#include <string.h>

const sni_whole_kernel* sni_whole_kernel_pick(void) {
    return sni_tree_kernel_avx2.works() ? &sni_whole_kernel_avx2 : &sni_whole_kernel_scalar;
}

/// The products of components of w that z holds after its 1.
static const int first[] = {0, 1, 2, 0, 0, 1}, second[] = {0, 1, 2, 1, 2, 2};
enum { PRODUCTS = 6 };

static sn_vec3 axis(int i) { return sn_vec3_make(i == 0, i == 1, i == 2); }

/// Coefficient of product k in w x (w x p).
static sn_vec3 centripetal(int k, sn_vec3 p) {
    sn_vec3 a = axis(first[k]), b = axis(second[k]);
    sn_vec3 c = sn_vec3_cross(a, sn_vec3_cross(b, p));
    if (first[k] == second[k]) return c;
    return sn_vec3_add(c, sn_vec3_cross(b, sn_vec3_cross(a, p)));
}

/// Coefficient of product k in w x (J w).
static sn_vec3 gyroscopic(int k, sn_mat3 J) {
    sn_vec3 a = axis(first[k]), b = axis(second[k]);
    sn_vec3 c = sn_vec3_cross(a, sn_mat3_apply(J, b));
    if (first[k] == second[k]) return c;
    return sn_vec3_add(c, sn_vec3_cross(b, sn_mat3_apply(J, a)));
}

void sni_add_centripetal(sn_vec3 p, double sign, sni_row6 rows[SNI_Z]) {
    for (int k = 0; k < PRODUCTS; k++) {
        sn_vec3 c = centripetal(k, p);
        rows[1 + k].x[3] += sign * c.x;
        rows[1 + k].x[4] += sign * c.y;
        rows[1 + k].x[5] += sign * c.z;
    }
}

// n = J alpha + h x a + w x J w       f = m a + alpha x h + w x (w x h)
void sni_whole_of_body(const sni_rigid* I, sn_wrench F, sni_whole* out) {
    sni_rigid_inverse(I, &out->phi[0]);
    sni_row6 push = sni_row6_from_wrench(F);
    out->b_u[0] = sni_mat6_transposed_apply(&out->phi[0], &push);
    for (int k = 0; k < PRODUCTS; k++) {
        sn_wrench f =
            sn_wrench_make(sn_vec3_neg(gyroscopic(k, I->J)), sn_vec3_neg(centripetal(k, I->h)));
        push = sni_row6_from_wrench(f);
        out->b_u[1 + k] = sni_mat6_transposed_apply(&out->phi[0], &push);
    }
    memset(out->eta, 0, sizeof out->eta);
}

sni_view sni_whole_view(const sni_whole* w, bool has_joints) {
    sni_view v = {w->phi, has_joints ? w->psi : NULL, w->b_u, w->b_d, w->p_u, w->p_d, w->eta};
    return v;
}

sni_view sni_moment_view(const sni_whole* w, bool has_joints, const sni_moment* m) {
    sni_view v = {w->phi, has_joints ? w->psi : NULL, &m->b_u, &m->b_d, &m->p_u, &m->p_d, &m->eta};
    return v;
}

static sni_row6 at_z(const sni_row6 rows[SNI_Z], const double* z) {
    sni_row6 sum = rows[0];
    for (int k = 1; k < SNI_Z; k++) sni_row6_add_scaled(&sum, z[k], &rows[k]);
    return sum;
}

/// From the classical acceleration of the origin to the spatial one.
static void make_spatial(sni_row6* a, sn_twist v) {
    sn_vec3 c = sn_vec3_cross(v.w, v.v);
    a->x[3] -= c.x, a->x[4] -= c.y, a->x[5] -= c.z;
}

void sni_whole_at(const sni_whole* w, bool has_joints, sn_twist v_u, sn_twist v_d, bool has_d,
                  sni_moment* m) {
    sn_vec3 o = v_u.w;
    const double z[SNI_Z] = {1, o.x * o.x, o.y * o.y, o.z * o.z, o.x * o.y, o.x * o.z, o.y * o.z};
    m->b_u = at_z(w->b_u, z);
    make_spatial(&m->b_u, v_u);
    if (has_d) {
        m->b_d = at_z(w->b_d, z);
        make_spatial(&m->b_d, v_d);
    }
    m->eta = 0;
    if (!has_joints) return;
    m->p_u = at_z(w->p_u, z);
    if (has_d) m->p_d = at_z(w->p_d, z);
    const double* eta = w->eta;
    for (int i = 0; i < SNI_Z; i++)
        for (int j = 0; j <= i; j++) m->eta += *eta++ * z[i] * z[j] * (i == j ? 1 : 2);
}

double sni_view_metric(const sni_view* view, bool has_d, const sni_row6* f_u, const sni_row6* f_d) {
    if (!view->psi) return 0;
    sni_row6 t = sni_mat6_transposed_apply(&view->psi[0], f_u);
    sni_row6_add(&t, view->p_u);
    double sum = sni_row6_dot(&t, f_u) + view->eta[0];
    if (has_d) {
        t = sni_mat6_transposed_apply(&view->psi[2], f_d);
        sni_row6 cross = sni_mat6_apply(&view->psi[1], f_u);
        sni_row6_add_scaled(&t, 2, &cross);
        sni_row6_add(&t, view->p_d);
        sum += sni_row6_dot(&t, f_d);
    }
    return fmax(sum, 0); // a difference of large numbers
}
