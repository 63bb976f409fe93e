// SPDX-License-Identifier: Apache-2.0
// One term at a time.
#include "molecule/terms.h"

static void push(sn_vec3* f, double s, sn_vec3 direction) {
    f->x += s * direction.x;
    f->y += s * direction.y;
    f->z += s * direction.z;
}

double sni_bond_energy(const sni_bond_term* term, const sn_vec3* p, sn_vec3* f) {
    sn_vec3 d = sn_vec3_sub(p[term->a], p[term->b]);
    double r = sn_vec3_norm(d), stretch = r - term->length;
    double g = r > 0 ? -term->k * stretch / r : 0;
    push(&f[term->a], g, d);
    push(&f[term->b], -g, d);
    return 0.5 * term->k * stretch * stretch;
}

double sni_angle_energy(const sni_angle_term* term, const sn_vec3* p, sn_vec3* f) {
    sn_vec3 u = sn_vec3_sub(p[term->a], p[term->b]), v = sn_vec3_sub(p[term->c], p[term->b]);
    sn_vec3 normal = sn_vec3_cross(u, v);
    double area = sn_vec3_norm(normal);
    double bend = atan2(area, sn_vec3_dot(u, v)) - term->angle;
    // d theta/d a = (u x n)/(|u|^2 |n|), pointing away from c; likewise for c
    double u2 = sn_vec3_dot(u, u), v2 = sn_vec3_dot(v, v);
    if (area > 0) {
        sn_vec3 fa = sn_vec3_scale(-term->k * bend / (u2 * area), sn_vec3_cross(u, normal));
        sn_vec3 fc = sn_vec3_scale(-term->k * bend / (v2 * area), sn_vec3_cross(normal, v));
        push(&f[term->a], 1, fa);
        push(&f[term->c], 1, fc);
        push(&f[term->b], -1, sn_vec3_add(fa, fc));
    }
    return 0.5 * term->k * bend * bend;
}

/// What a dihedral is made of, named as in [BK96]: F = a - b, G = b - c, H = d - c, A = F x G, B = H x G.
typedef struct dihedral_frame {
    sn_vec3 F, G, H, A, B;
    double A2, B2, G_norm;
} dihedral_frame;

static dihedral_frame frame_of(sn_vec3 a, sn_vec3 b, sn_vec3 c, sn_vec3 d) {
    dihedral_frame t;
    t.F = sn_vec3_sub(a, b), t.G = sn_vec3_sub(b, c), t.H = sn_vec3_sub(d, c);
    t.A = sn_vec3_cross(t.F, t.G), t.B = sn_vec3_cross(t.H, t.G);
    t.A2 = sn_vec3_dot(t.A, t.A), t.B2 = sn_vec3_dot(t.B, t.B);
    t.G_norm = sn_vec3_norm(t.G);
    return t;
}

static sni_dihedral angle_in(const dihedral_frame* t) {
    double size = sqrt(t->A2 * t->B2);
    if (!(size > 0)) return (sni_dihedral){0, 0};
    return (sni_dihedral){sn_vec3_dot(t->A, t->B) / size,
                          sn_vec3_dot(sn_vec3_cross(t->B, t->A), t->G) / (size * t->G_norm)};
}

sni_dihedral sni_dihedral_of(sn_vec3 a, sn_vec3 b, sn_vec3 c, sn_vec3 d) {
    dihedral_frame t = frame_of(a, b, c, d);
    return angle_in(&t);
}

/// Forces of a torque -dE/dphi on the four atoms.   [BK96 eq 27]
static void twist_atoms(const dihedral_frame* t, double torque, sn_vec3* fa, sn_vec3* fb,
                        sn_vec3* fc, sn_vec3* fd) {
    double on_a = -t->G_norm / t->A2, on_d = t->G_norm / t->B2;
    double mix_a = sn_vec3_dot(t->F, t->G) / (t->A2 * t->G_norm);
    double mix_d = sn_vec3_dot(t->H, t->G) / (t->B2 * t->G_norm);
    push(fa, torque * on_a, t->A);
    push(fd, torque * on_d, t->B);
    push(fb, torque * (mix_a - on_a), t->A);
    push(fb, -torque * mix_d, t->B);
    push(fc, -torque * mix_a, t->A);
    push(fc, torque * (mix_d - on_d), t->B);
}

double sni_torsion_energy(const sni_torsion_term* term, const sn_vec3* p, sn_vec3* f) {
    dihedral_frame t = frame_of(p[term->a], p[term->b], p[term->c], p[term->d]);
    sni_dihedral phi = angle_in(&t);
    if (phi.cosine == 0 && phi.sine == 0) return 0; // three on a line: no angle, no force
    double at = term->n * atan2(phi.sine, phi.cosine) - term->phase;
    twist_atoms(&t, term->k * term->n * sin(at), &f[term->a], &f[term->b], &f[term->c],
                &f[term->d]);
    return term->k * (1 + cos(at));
}

sni_pair_energy sni_scaled_energy(const sni_pair_law* law, const sni_pair_term* term,
                                  const sn_vec3* p, sn_vec3* f) {
    sn_vec3 d = sn_vec3_sub(p[term->a], p[term->b]);
    double g;
    sni_pair_energy energy =
        sni_pair_evaluate(law, sn_vec3_dot(d, d), term->sigma, term->epsilon, term->qq, &g);
    push(&f[term->a], g, d);
    push(&f[term->b], -g, d);
    return energy;
}
