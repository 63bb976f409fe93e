// SPDX-License-Identifier: Apache-2.0
// Spheres and capsules on a mesh, in closed form: the ends of the axis are balls, the line between them
// touches edges and corners.
#include "collision/mesh_site.h"

// A ball's normal is exact; what a seam of a floor may rise along it is rounding.
static const double BALL_SLOPE = 1e-6;
// Over the radius: a centre this near to an edge has no direction to it.
static const double AT_EDGE = 1e-9;
// Over its length: a point this near to the end of a segment is the end.
static const double AT_END = 1e-9;

/// Whether so much of a width 2 half about `middle` is in front of a triangle that it counts.
static bool is_in_front(const sni_mesh_triangle* t, sn_vec3 middle, double half) {
    return sn_vec3_dot(t->n, middle) - t->offset >= -0.5 * half;
}

static sni_box box_around(sn_vec3 p, sn_vec3 q, double r) {
    return (sni_box){sn_vec3_make(fmin(p.x, q.x) - r, fmin(p.y, q.y) - r, fmin(p.z, q.z) - r),
                     sn_vec3_make(fmax(p.x, q.x) + r, fmax(p.y, q.y) + r, fmax(p.z, q.z) + r)};
}

/// Balls that a solid is made of: a sphere is one, a capsule as many as its axis has points.
typedef struct capsule {
    sn_vec3 p, axis; ///< an end, and from it to the other
    double length, r;
} capsule;

/// The ball about a point of the axis touches at a distance along d.
static void add(sni_site* site, const capsule* c, sn_vec3 centre, sn_vec3 d, double distance,
                uint32_t feature, int32_t triangle) {
    double r = c->r, gap = distance - r;
    double along = sn_vec3_dot(d, sn_vec3_sub(c->p, centre)),
           other = along + sn_vec3_dot(d, c->axis);
    double apart = gap + fmin(along, other);
    sn_vec3 x = sn_vec3_sub(centre, sn_vec3_scale(r + 0.5 * gap, d));
    sni_site_add(site, (sni_site_point){x, d, gap, apart, feature, triangle});
}

static void ball(sni_site* site, int32_t triangle, const capsule* c, sn_vec3 centre, uint32_t tag) {
    const sni_mesh_triangle* t = &site->mesh->triangle[triangle];
    int part;
    sn_vec3 x = sni_mesh_nearest_on(site->mesh, triangle, centre, &part);
    double height = sn_vec3_dot(t->n, centre) - t->offset, distance = height;
    sn_vec3 d = t->n;
    if (part > 0) {
        if (height < 0) return; // behind, and nearer to a neighbour
        sn_vec3 to = sn_vec3_sub(centre, x);
        distance = sn_vec3_norm(to);
        if (distance > AT_EDGE * c->r) d = sn_vec3_scale(1 / distance, to);
        if (!sni_mesh_can_face(site->mesh, triangle, part, d, BALL_SLOPE)) return;
        if (part < 4 && t->edge[part - 1] == SN_EDGE_FLAT) d = t->n;
    }
    add(site, c, centre, d, distance, sni_site_part_name(site->mesh, triangle, part, tag),
        triangle);
}

void sni_site_sphere(sni_site* site, const sni_solid* solid, const sn_pose* X_ms) {
    double r = solid->half.x;
    const capsule c = {X_ms->p, sn_vec3_zero(), 0, r};
    sni_box box = box_around(X_ms->p, X_ms->p, r + site->margin);
    sni_mesh_walk walk = sni_mesh_walk_begin(site->mesh, &box);
    for (int32_t i = sni_mesh_walk_next(&walk); i >= 0; i = sni_mesh_walk_next(&walk))
        if (is_in_front(&site->mesh->triangle[i], X_ms->p, r)) ball(site, i, &c, X_ms->p, 0);
}

// ---- capsules -------------------------------------------------------------------------------------------

/// Where along the axis, from 0 to 1, it is nearest to a line, and where on that; false: they are parallel.
static bool nearest_on_lines(const capsule* c, sn_vec3 from, sn_vec3 edge, double* s, double* t) {
    double a = sn_vec3_dot(c->axis, c->axis), e = sn_vec3_dot(edge, edge),
           b = sn_vec3_dot(c->axis, edge);
    sn_vec3 r = sn_vec3_sub(c->p, from);
    double det = a * e - b * b;
    if (!(det > AT_END * a * e)) return false;
    double along = sn_vec3_dot(c->axis, r), across = sn_vec3_dot(edge, r);
    *s = (b * across - along * e) / det;
    *t = (a * across - b * along) / det;
    return true;
}

static bool is_between(double t) { return t > AT_END && t < 1 - AT_END; }

/// A point of the axis over a point x of an edge or corner. `out`: a direction out of the mesh there.
static void line_over(sni_site* site, const capsule* c, double s, sn_vec3 x, sn_vec3 out,
                      int32_t triangle, int part) {
    enum { LINE = 2 };
    sn_vec3 centre = sn_vec3_add(c->p, sn_vec3_scale(s, c->axis)), to = sn_vec3_sub(centre, x);
    double distance = sn_vec3_norm(to);
    if (!(distance > AT_EDGE * c->r)) return; // the ends tell the way out
    sn_vec3 d = sn_vec3_scale(1 / distance, to);
    if (sn_vec3_dot(d, out) < 0) { // the axis is below the edge: no more than its radius
        d = sn_vec3_neg(d);
        distance = -distance;
        if (distance < -c->r) return;
    }
    if (!sni_mesh_can_face(site->mesh, triangle, part, d, BALL_SLOPE)) return;
    add(site, c, centre, d, distance, sni_site_part_name(site->mesh, triangle, part, LINE),
        triangle);
}

static void line(sni_site* site, const capsule* c, int32_t triangle) {
    const sni_mesh* mesh = site->mesh;
    const sni_mesh_triangle* t = &mesh->triangle[triangle];
    for (int k = 0; k < 3; k++) {
        sn_vec3 v = sni_mesh_corner(mesh, triangle, k);
        if (t->has_edge[k] && t->edge[k] >= SN_EDGE_CONVEX) {
            sn_vec3 edge = sn_vec3_sub(sni_mesh_corner(mesh, triangle, k + 1), v), out = t->n;
            if (t->beside[k] >= 0) out = sn_vec3_add(out, mesh->triangle[t->beside[k]].n);
            double along, at;
            if (nearest_on_lines(c, v, edge, &along, &at) && is_between(along) && is_between(at))
                line_over(site, c, along, sn_vec3_add(v, sn_vec3_scale(at, edge)), out, triangle,
                          1 + k);
        }
        if (t->has_corner[k] && mesh->sharp[t->corner[k]]) {
            double along = sn_vec3_dot(c->axis, sn_vec3_sub(v, c->p)) / (c->length * c->length);
            if (is_between(along))
                line_over(site, c, along, v, mesh->normal[t->corner[k]], triangle, 4 + k);
        }
    }
}

void sni_site_capsule(sni_site* site, const sni_solid* solid, const sn_pose* X_ms) {
    double r = solid->half.x, h = solid->half.z;
    sn_vec3 axis = sn_mat3_column(X_ms->R, 2);
    sn_vec3 p = sn_vec3_sub(X_ms->p, sn_vec3_scale(h, axis));
    sn_vec3 q = sn_vec3_add(X_ms->p, sn_vec3_scale(h, axis));
    capsule c = {p, sn_vec3_scale(2 * h, axis), 2 * h, r};
    sni_box box = box_around(p, q, r + site->margin);
    sni_mesh_walk walk = sni_mesh_walk_begin(site->mesh, &box);
    for (int32_t i = sni_mesh_walk_next(&walk); i >= 0; i = sni_mesh_walk_next(&walk)) {
        const sni_mesh_triangle* t = &site->mesh->triangle[i];
        if (is_in_front(t, X_ms->p, r + h * fabs(sn_vec3_dot(t->n, axis)))) {
            ball(site, i, &c, p, 0);
            ball(site, i, &c, q, 1);
        }
        if (c.length > 0) line(site, &c, i);
    }
}
