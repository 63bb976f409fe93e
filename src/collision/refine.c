// SPDX-License-Identifier: Apache-2.0
// The best direction near a given one. How far apart two cores are along n, s(n) = n . w(n) with w the corner of
// A - B that is nearest along n, has the gradient w(n): at the best n, w is along n but for what n may not change.
// An edge in contact keeps n across it; two edges, or a face, leave it no choice. Where rims touch, Newton's method
// finds n.
#include "collision/refine.h"

#include "sinew/contact_point.h"

// Only normals this near are looked at: cosine of 1e-2, and of 1e-3 for those of faces.
static const double NEAR_COSINE = 1 - 5e-5;
static const double FACE_COSINE = 1 - 5e-7;
// What may be lost over the scale by taking the exact normal of features.
static const double LOSS = 1e-13;
// An edge that is this far, as a sine, from being across n is not in contact.
static const double ACROSS = 0.05;
// Over the scale: two points are where they should be.
static const double SETTLED = 1e-12;
// Angles: the first step away from the start; as near as rounding lets one come.
static const double FIRST_STEP = 1e-5;
static const double ANGLE_ENOUGH = 1e-15;
enum { STEPS = 10, SUMMIT_STEPS = 40 };

typedef struct search {
    sni_core *a, *b;
    sni_apart* apart;
} search;

/// Takes n when the cores are as far apart along it.
static bool take(search* x, sn_vec3 n, double cosine) {
    double norm = sn_vec3_norm(n), along = sn_vec3_dot(n, x->apart->n);
    if (!(norm > 0 && fabs(along) >= cosine * norm)) return false;
    n = sn_vec3_scale((along < 0 ? -1 : 1) / norm, n);
    double s = sni_cores_apart(x->a, x->b, n);
    if (!(s >= x->apart->s - LOSS * x->apart->scale)) return false;
    x->apart->n = n;
    x->apart->s = s;
    return true;
}

static sn_vec3 across(sn_vec3 n, sn_vec3 edge) {
    double square = sn_vec3_dot(edge, edge);
    return sn_vec3_sub(n, sn_vec3_scale(sn_vec3_dot(n, edge) / square, edge));
}

// ---- edges in contact -----------------------------------------------------------------------------------

/// Edges of one core that may be in contact.
typedef struct edges {
    int32_t count;
    sn_vec3 at[4];
} edges;

static void add_edge(edges* out, sn_vec3 edge, sn_vec3 n) {
    double norm = sn_vec3_norm(edge);
    if (!(norm > 0 && fabs(sn_vec3_dot(edge, n)) <= ACROSS * norm)) return;
    out->at[out->count++] = sn_vec3_scale(1 / norm, edge);
}

/// The one that faces n, and those between the points that the search ended with.
static edges edges_of(const sni_core* core, const sni_facing* facing, const sni_apart* apart,
                      bool of_a) {
    edges out = {.count = 0};
    if (facing->count == 2) add_edge(&out, sn_vec3_sub(facing->at[1], facing->at[0]), apart->n);
    if (core->solid->type == SN_SHAPE_CYLINDER) return out; // its side is the only one
    for (int32_t k = 0; k < apart->count; k++) {
        const sni_difference *p = &apart->corner[k], *q = &apart->corner[(k + 1) % apart->count];
        add_edge(&out, sn_vec3_sub(of_a ? q->a : q->b, of_a ? p->a : p->b), apart->n);
    }
    return out;
}

// ---- rims -----------------------------------------------------------------------------------------------

static sn_vec3 w_along(search* x, sn_vec3 n) {
    return sni_difference_farthest(x->a, x->b, sn_vec3_neg(n)).w;
}

/// Directions across an edge: n turned about it.
typedef struct circle {
    sn_vec3 n, t; ///< at angle 0 and at a right angle
} circle;

static sn_vec3 turned(const circle* c, double theta) {
    return sn_vec3_add(sn_vec3_scale(cos(theta), c->n), sn_vec3_scale(sin(theta), c->t));
}

/// Derivative of s on the circle.
static double slope_at(search* x, const circle* c, double theta) {
    sn_vec3 rate = sn_vec3_sub(sn_vec3_scale(cos(theta), c->t), sn_vec3_scale(sin(theta), c->n));
    return sn_vec3_dot(rate, w_along(x, turned(c, theta)));
}

/// Zero of the slope between low, where s rises, and high, where it falls: false position, with the slope of an end that
/// stays halved (the Illinois rule), for near the axis of a rim the slope bends much.
static double summit(search* x, const circle* c, double low, double rise, double high,
                     double fall) {
    for (int32_t step = 0; step < SUMMIT_STEPS; step++) {
        double theta = low + (high - low) * rise / (rise - fall);
        if (!(fabs(high - low) > ANGLE_ENOUGH) || theta == low || theta == high) break;
        double slope = slope_at(x, c, theta);
        if (slope > 0) {
            low = theta;
            rise = slope;
            fall *= 0.5;
        } else {
            high = theta;
            fall = slope;
            rise *= 0.5;
        }
    }
    return low + (high - low) * rise / (rise - fall);
}

/// Turns n about an edge to where the cores are farthest apart.
static bool turn_about(search* x, sn_vec3 edge) {
    circle c = {.n = across(x->apart->n, edge)};
    c.n = sn_vec3_scale(1 / sn_vec3_norm(c.n), c.n);
    c.t = sn_vec3_cross(edge, c.n);
    double theta = 0, slope = slope_at(x, &c, 0), next = copysign(FIRST_STEP, slope);
    if (slope == 0) return take(x, c.n, NEAR_COSINE);
    for (; fabs(next) <= ACROSS; next *= 4) {
        double there = slope_at(x, &c, next);
        if ((there > 0) != (slope > 0)) {
            theta = slope > 0 ? summit(x, &c, theta, slope, next, there)
                              : summit(x, &c, next, there, theta, slope);
            return take(x, turned(&c, theta), NEAR_COSINE);
        }
        theta = next;
        slope = there;
    }
    return false;
}

/// Adds the second derivative of s that a cylinder's rim brings: r over the part of n across the axis, in the direction
/// of the rim.
static void add_rim(const sni_core* core, sn_vec3 n, sn_vec3 t1, sn_vec3 t2, double h[3]) {
    if (core->solid->type != SN_SHAPE_CYLINDER) return;
    sn_vec3 rim = sn_vec3_cross(sn_mat3_column(core->R, 2), n);
    double square = sn_vec3_dot(rim, rim), u = sn_vec3_dot(rim, t1), v = sn_vec3_dot(rim, t2);
    double bend = core->solid->half.x / (square * sqrt(square));
    h[0] -= bend * u * u;
    h[1] -= bend * u * v;
    h[2] -= bend * v * v;
}

/// One step of Newton's method on the sphere of directions; false: n is not near a smooth maximum.
static bool newton_step(search* x, sn_vec3* n) {
    sn_vec3 t1, t2, w = w_along(x, *n);
    sn_contact_frame(*n, &t1, &t2);
    double s = sn_vec3_dot(*n, w), g1 = sn_vec3_dot(t1, w), g2 = sn_vec3_dot(t2, w);
    double h[3] = {-s, 0, -s}; // 11, 12, 22; the sphere itself bends by 1
    add_rim(x->a, *n, t1, t2, h);
    add_rim(x->b, *n, t1, t2, h);
    double det = h[0] * h[2] - h[1] * h[1];
    if (!(h[0] < 0 && det > 0)) return false;
    double u = (h[1] * g2 - h[2] * g1) / det, v = (h[1] * g1 - h[0] * g2) / det;
    if (!(u * u + v * v <= ACROSS * ACROSS)) return false;
    sn_vec3 next = sn_vec3_add(*n, sn_vec3_add(sn_vec3_scale(u, t1), sn_vec3_scale(v, t2)));
    *n = sn_vec3_scale(1 / sn_vec3_norm(next), next);
    return true;
}

/// Newton's method from n. Steps that go too far are halved: near the axis a rim bends much.
static bool newton(search* x, sn_vec3 n) {
    double s = sni_cores_apart(x->a, x->b, n);
    for (int32_t step = 0; step < STEPS; step++) {
        sn_vec3 next = n;
        if (!newton_step(x, &next)) break;
        double there = sni_cores_apart(x->a, x->b, next);
        for (int32_t half = 0; half < STEPS && there < s; half++) {
            next = sn_vec3_add(n, next);
            next = sn_vec3_scale(1 / sn_vec3_norm(next), next);
            there = sni_cores_apart(x->a, x->b, next);
        }
        if (!(there >= s)) break;
        bool done = sn_vec3_norm(sn_vec3_sub(next, n)) <= ANGLE_ENOUGH;
        n = next;
        s = there;
        if (done) break;
    }
    return take(x, n, NEAR_COSINE);
}

/// The point of one core that is nearest along n, as a corner that touches the other, a cylinder, anywhere on it. A rim that
/// is nearly level turns fast with n, but not with this.
static bool corner_on(search* x, sn_vec3 n, bool cylinder_is_a) {
    const sni_core* core = cylinder_is_a ? x->a : x->b;
    if (core->solid->type != SN_SHAPE_CYLINDER) return false;
    sni_difference near = sni_difference_farthest(x->a, x->b, sn_vec3_neg(n));
    sn_vec3 corner = cylinder_is_a ? near.b : near.a, on, there;
    sn_vec3 at = sn_mat3_apply_transposed(core->R, sn_vec3_sub(corner, core->p));
    sni_solid_nearest(core->solid, at, &on, &there);
    return take(x, sn_mat3_apply(core->R, there), NEAR_COSINE);
}

// ---- points ---------------------------------------------------------------------------------------------

/// The two points, when at most one of the cores touches with an edge.
static void set_points(search* x, const sn_vec3* edge_a, const sn_vec3* edge_b) {
    sni_apart* at = x->apart;
    sni_difference near = sni_difference_farthest(x->a, x->b, sn_vec3_neg(at->n));
    sn_vec3 between = sn_vec3_sub(near.a, near.b);
    if (edge_a) near.a = sn_vec3_sub(near.a, sn_vec3_scale(sn_vec3_dot(between, *edge_a), *edge_a));
    if (edge_b) near.b = sn_vec3_add(near.b, sn_vec3_scale(sn_vec3_dot(between, *edge_b), *edge_b));
    at->a = near.a;
    at->b = near.b;
}

/// Two edges cross each other: nearest points of their lines.
static void set_crossing(search* x, sn_vec3 u, sn_vec3 v) {
    sni_apart* at = x->apart;
    sni_difference near = sni_difference_farthest(x->a, x->b, sn_vec3_neg(at->n));
    sn_vec3 cross = sn_vec3_cross(u, v), from = sn_vec3_sub(near.b, near.a);
    double square = sn_vec3_dot(cross, cross);
    double s = sn_vec3_dot(sn_vec3_cross(from, v), cross) / square;
    double t = sn_vec3_dot(sn_vec3_cross(from, u), cross) / square;
    at->a = sn_vec3_add(near.a, sn_vec3_scale(s, u));
    at->b = sn_vec3_add(near.b, sn_vec3_scale(t, v));
}

/// A face of one core touches a corner or rim of the other.
static void set_below(search* x, bool face_of_a) {
    sni_apart* at = x->apart;
    sni_difference near = sni_difference_farthest(x->a, x->b, sn_vec3_neg(at->n));
    if (face_of_a)
        near.a = sn_vec3_add(near.b, sn_vec3_scale(at->s, at->n));
    else
        near.b = sn_vec3_sub(near.a, sn_vec3_scale(at->s, at->n));
    at->a = near.a;
    at->b = near.b;
}

// ---- together -------------------------------------------------------------------------------------------

static bool is_cylinder(const sni_core* core) { return core->solid->type == SN_SHAPE_CYLINDER; }

/// How far a point lies outside of a core.
static double outside(const sni_core* core, sn_vec3 x) {
    sn_vec3 at = sn_mat3_apply_transposed(core->R, sn_vec3_sub(x, core->p)), on, n;
    return sni_solid_nearest(core->solid, at, &on, &n) + core->radius;
}

/// Two points, one in each core, that are s apart along n: no direction near by is better.
static bool settled(const search* x) {
    const sni_apart* at = x->apart;
    sn_vec3 off = sn_vec3_sub(sn_vec3_sub(at->a, at->b), sn_vec3_scale(at->s, at->n));
    double slack = SETTLED * at->scale;
    return sn_vec3_norm(off) <= slack && outside(x->a, at->a) <= slack &&
           outside(x->b, at->b) <= slack;
}

/// n as it is best without an edge in contact.
static bool settle_free(search* x, sn_vec3 n) {
    bool better = corner_on(x, n, true);
    if (corner_on(x, better ? x->apart->n : n, false)) better = true;
    if (newton(x, better ? x->apart->n : n)) better = true;
    if (better) set_points(x, NULL, NULL);
    return better && settled(x);
}

/// n with an edge of one core in contact. Where the point comes out beyond the end of the edge, that end is in contact,
/// and n leans towards it.
static bool settle_edge(search* x, sn_vec3 edge, bool of_a) {
    if (!turn_about(x, edge)) return false;
    set_points(x, of_a ? &edge : NULL, of_a ? NULL : &edge);
    if (settled(x)) return true;
    sn_vec3 n = x->apart->n, lean = sn_vec3_scale(FIRST_STEP, edge);
    return settle_free(x, sn_vec3_add(n, lean)) || settle_free(x, sn_vec3_sub(n, lean));
}

static void refine_rims(search* x, const sni_facing* a, const sni_facing* b) {
    edges of_a = edges_of(x->a, a, x->apart, true), of_b = edges_of(x->b, b, x->apart, false);
    if (settled(x) || settle_free(x, x->apart->n)) return;
    for (int32_t i = 0; i < of_a.count; i++)
        if (settle_edge(x, of_a.at[i], true)) return;
    for (int32_t j = 0; j < of_b.count; j++)
        if (settle_edge(x, of_b.at[j], false)) return;
    for (int32_t i = 0; i < of_a.count; i++)
        for (int32_t j = 0; j < of_b.count; j++)
            if (take(x, sn_vec3_cross(of_a.at[i], of_b.at[j]), NEAR_COSINE))
                set_crossing(x, of_a.at[i], of_b.at[j]);
}

/// Normals of faces and of edges that face each other.
static void snap(search* x, const sni_facing* a, const sni_facing* b) {
    if (a->count == 2 && b->count == 2) {
        sn_vec3 u = sn_vec3_sub(a->at[1], a->at[0]), v = sn_vec3_sub(b->at[1], b->at[0]);
        if (take(x, sn_vec3_cross(u, v), FACE_COSINE)) set_crossing(x, u, v);
    }
    bool rims = is_cylinder(x->a) || is_cylinder(x->b);
    if (b->count > 2 && take(x, b->normal, rims ? NEAR_COSINE : FACE_COSINE) && rims)
        set_below(x, false);
    if (a->count > 2 && take(x, a->normal, rims ? NEAR_COSINE : FACE_COSINE) && rims)
        set_below(x, true);
}

static void find_facing(const search* x, sni_facing* a, sni_facing* b) {
    sni_facing_find(x->a, sn_vec3_neg(x->apart->n), a);
    sni_facing_find(x->b, x->apart->n, b);
}

void sni_refine(sni_core* a, sni_core* b, sni_apart* apart, sni_facing* facing_a,
                sni_facing* facing_b) {
    search x = {a, b, apart};
    sn_vec3 n = apart->n;
    find_facing(&x, facing_a, facing_b);
    snap(&x, facing_a, facing_b);
    bool exact = apart->s >= apart->most - LOSS * apart->scale;
    if (!exact && (is_cylinder(a) || is_cylinder(b))) {
        refine_rims(&x, facing_a, facing_b);
        snap(&x, facing_a, facing_b);
    }
    if (n.x != apart->n.x || n.y != apart->n.y || n.z != apart->n.z)
        find_facing(&x, facing_a, facing_b);
}
