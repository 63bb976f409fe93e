// SPDX-License-Identifier: Apache-2.0
// Nearest point to the origin of a point, segment, triangle or tetrahedron.   [E05 ch 5.1]
#include "collision/gjk.h"

/// The nearest point as a sum of corners.
typedef struct blend {
    int32_t count;
    int32_t corner[3];
    double weight[3];
    sn_vec3 v;
    double square;
} blend;

static blend blend_one(const sni_simplex* s, int32_t i) {
    sn_vec3 v = s->at[i].w;
    return (blend){1, {i}, {1}, v, sn_vec3_dot(v, v)};
}

static blend blend_two(const sni_simplex* s, int32_t i, int32_t j, double weight_j) {
    sn_vec3 p = s->at[i].w, q = s->at[j].w;
    sn_vec3 v = sn_vec3_add(p, sn_vec3_scale(weight_j, sn_vec3_sub(q, p)));
    return (blend){2, {i, j}, {1 - weight_j, weight_j}, v, sn_vec3_dot(v, v)};
}

static blend nearest_of_segment(const sni_simplex* s, int32_t i, int32_t j) {
    sn_vec3 p = s->at[i].w, along = sn_vec3_sub(s->at[j].w, p);
    double t = -sn_vec3_dot(p, along), square = sn_vec3_dot(along, along);
    if (!(t > 0)) return blend_one(s, i);
    if (!(t < square)) return blend_one(s, j);
    return blend_two(s, i, j, t / square);
}

/// The plane's normal gives the distance to the plane more exactly than the weighted sum of corners does.
static blend blend_three(const sni_simplex* s, const int32_t corner[3], sn_vec3 normal, double u,
                         double v, double w) {
    double sum = 1 / (u + v + w), square = sn_vec3_dot(normal, normal);
    sn_vec3 mean =
        sn_vec3_scale(1.0 / 3, sn_vec3_add(s->at[corner[0]].w,
                                           sn_vec3_add(s->at[corner[1]].w, s->at[corner[2]].w)));
    blend b = {
        3, {corner[0], corner[1], corner[2]}, {u * sum, v * sum, w * sum}, sn_vec3_zero(), 0};
    b.v = sn_vec3_scale(sn_vec3_dot(mean, normal) / square, normal);
    b.square = sn_vec3_dot(b.v, b.v);
    return b;
}

static blend better(blend a, blend b) { return b.square < a.square ? b : a; }

static blend nearest_of_triangle(const sni_simplex* s, int32_t i, int32_t j, int32_t k) {
    sn_vec3 p = s->at[i].w, q = s->at[j].w, r = s->at[k].w;
    sn_vec3 pq = sn_vec3_sub(q, p), qr = sn_vec3_sub(r, q), rp = sn_vec3_sub(p, r);
    sn_vec3 normal = sn_vec3_cross(pq, qr);
    // weights, times |normal|^2: areas of the triangles that the origin's projection makes with the edges; by
    // differences of corners, for these simplices become small before they are done
    double u = sn_vec3_dot(normal, sn_vec3_cross(q, qr));
    double v = sn_vec3_dot(normal, sn_vec3_cross(r, rp));
    double w = sn_vec3_dot(normal, sn_vec3_cross(p, pq));
    if (u > 0 && v > 0 && w > 0)
        return blend_three(s, (const int32_t[3]){i, j, k}, normal, u, v, w);
    // outside: on one of the edges that see it; all of them when the triangle has no area
    bool flat = !(sn_vec3_dot(normal, normal) > 0);
    blend best = {.square = INFINITY};
    if (u <= 0 || flat) best = better(best, nearest_of_segment(s, j, k));
    if (v <= 0 || flat) best = better(best, nearest_of_segment(s, k, i));
    if (w <= 0 || flat) best = better(best, nearest_of_segment(s, i, j));
    return best;
}

/// Six times the volume of the tetrahedron of the origin and three corners.
static double volume(sn_vec3 p, sn_vec3 q, sn_vec3 r) {
    return sn_vec3_dot(p, sn_vec3_cross(sn_vec3_sub(q, p), sn_vec3_sub(r, p)));
}

/// The newest corner is the last; faces without it were nearest before and cannot be again.
static bool nearest_of_tetrahedron(const sni_simplex* s, blend* best) {
    sn_vec3 p = s->at[0].w, q = s->at[1].w, r = s->at[2].w, t = s->at[3].w;
    sn_vec3 tp = sn_vec3_sub(p, t), tq = sn_vec3_sub(q, t), tr = sn_vec3_sub(r, t);
    double whole = sn_vec3_dot(tp, sn_vec3_cross(tq, tr));
    double sign = whole < 0 ? -1 : 1;
    double of_p = sign * volume(q, t, r), of_q = sign * volume(t, p, r); // weights of the corners
    double of_r = sign * volume(q, p, t), of_t = sign * volume(p, q, r);
    if (whole != 0 && of_p > 0 && of_q > 0 && of_r > 0 && of_t > 0) return false; // inside
    *best = nearest_of_triangle(s, 0, 1, 3);
    *best = better(*best, nearest_of_triangle(s, 1, 2, 3));
    *best = better(*best, nearest_of_triangle(s, 2, 0, 3));
    return true;
}

sn_vec3 sni_simplex_nearest(sni_simplex* simplex) {
    blend best;
    if (simplex->count == 1)
        best = blend_one(simplex, 0);
    else if (simplex->count == 2)
        best = nearest_of_segment(simplex, 0, 1);
    else if (simplex->count == 3)
        best = nearest_of_triangle(simplex, 0, 1, 2);
    else if (!nearest_of_tetrahedron(simplex, &best))
        return sn_vec3_zero();
    sni_difference kept[3];
    for (int32_t k = 0; k < best.count; k++) kept[k] = simplex->at[best.corner[k]];
    for (int32_t k = 0; k < best.count; k++) {
        simplex->at[k] = kept[k];
        simplex->weight[k] = best.weight[k];
    }
    simplex->count = best.count;
    return best.v;
}
