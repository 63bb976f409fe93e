// SPDX-License-Identifier: Apache-2.0
// Boxes, cylinders and hulls on a mesh, triangle by triangle. Where a triangle has no sharp edge only its face can be
// touched, by what of the solid faces it. Elsewhere the two are asked like any two convex solids which way
// they touch, and the answer counts when the mesh around allows it.
#include "collision/facing.h"
#include "collision/mesh_site.h"

// Over the radius: a rim's lowest point this little below the corners that stand for it is none.
static const double RIM_LOWER = 1e-5;

enum { NAME_CORNER = 3, NAME_RIM, NAME_PAIR, NAME_EDGE };

typedef struct convex {
    const sni_solid* solid;
    const sn_pose* X_ms;
    sni_core core;       ///< in the frame of the mesh
    sni_site_point last; ///< of overlaps along impossible normals, the one that leans least
    double upright;      ///< cosine of how it leans; 0: none
    // what faces the last triangle: those of a floor have one normal
    sn_vec3 n;
    double low, high; ///< along it
    sni_facing facing;
} convex;

/// Looks at the solid along the normal of a triangle.
static void look_along(convex* c, sn_vec3 n) {
    if (n.x == c->n.x && n.y == c->n.y && n.z == c->n.z) return;
    sn_vec3 down = sn_vec3_neg(n);
    c->n = n;
    c->low = sn_vec3_dot(n, sni_core_support(&c->core, down));
    c->high = sn_vec3_dot(n, sni_core_support(&c->core, n));
    sni_facing_find(&c->core, down, &c->facing);
}

// ---- on the face ----------------------------------------------------------------------------------------

/// A point p of the solid at a height over the triangle; the lowest is at `low`.
static void add_over(sni_site* site, int32_t triangle, sn_vec3 p, double height, double low,
                     uint32_t feature) {
    sn_vec3 n = site->mesh->triangle[triangle].n;
    sn_vec3 x = sn_vec3_sub(p, sn_vec3_scale(0.5 * height, n));
    sni_site_add(site, (sni_site_point){x, n, height, low, feature, triangle});
}

/// Whether a point below a triangle is behind the surface, not out again on another side of it.
static bool is_inside(const sni_site* site, sn_vec3 p, double height) {
    if (height >= 0) return true;
    return sni_mesh_nearest(site->mesh, p, INFINITY).distance < 0;
}

/// A point of the solid, if it is over the triangle.
static void touch_point(sni_site* site, int32_t triangle, sn_vec3 p, double low, uint32_t feature) {
    const sni_mesh_triangle* t = &site->mesh->triangle[triangle];
    double height = sn_vec3_dot(t->n, p) - t->offset;
    if (height <= site->margin && sni_mesh_is_over(site->mesh, triangle, p, site->slack) &&
        is_inside(site, p, height))
        add_over(site, triangle, p, height, low, feature);
}

/// Corners of what faces the triangle; `low` is the height of the lowest point.
static void touch_corners(sni_site* site, int32_t triangle, const sni_facing* facing, convex* c,
                          double low) {
    const sni_mesh_triangle* t = &site->mesh->triangle[triangle];
    uint32_t facet = (uint32_t)t->facet;
    double lowest = INFINITY;
    for (int32_t k = 0; k < facing->count; k++) {
        lowest = fmin(lowest, sn_vec3_dot(t->n, facing->at[k]) - t->offset);
        touch_point(site, triangle, facing->at[k], low,
                    sni_site_name(NAME_CORNER, facet, facing->id[k]));
    }
    if (facing->disc && low < lowest - RIM_LOWER * c->solid->half.x)
        touch_point(site, triangle, sni_core_support(&c->core, sn_vec3_neg(t->n)), low,
                    sni_site_name(NAME_RIM, facet, 0));
}

/// Part of the edge p + t e, t from 0 to 1, that is under a face of the solid; false: none.
static bool clip(const sni_facing* facing, sn_vec3 n, sn_vec3 p, sn_vec3 e, double part[2]) {
    part[0] = 0;
    part[1] = 1;
    for (int32_t k = 0; k < facing->count; k++) {
        sn_vec3 a = facing->at[k], b = facing->at[(k + 1) % facing->count];
        sn_vec3 inward = sn_vec3_cross(sn_vec3_sub(b, a), n); // it runs clockwise seen along -n
        double here = sn_vec3_dot(inward, sn_vec3_sub(p, a)), slope = sn_vec3_dot(inward, e);
        if (slope > 0)
            part[0] = fmax(part[0], -here / slope);
        else if (slope < 0)
            part[1] = fmin(part[1], -here / slope);
        else if (here < 0)
            return false;
    }
    return part[0] <= part[1];
}

/// Sharp edges of the triangle under a face of the solid: where they begin and end to be.
static void touch_edges_below_face(sni_site* site, int32_t triangle, const sni_facing* facing,
                                   double low) {
    const sni_mesh_triangle* t = &site->mesh->triangle[triangle];
    double down = sn_vec3_dot(facing->normal, t->n);
    for (int k = 0; k < 3; k++) {
        if (t->edge[k] < SN_EDGE_CONVEX) continue;
        sn_vec3 p = sni_mesh_corner(site->mesh, triangle, k);
        sn_vec3 e = sn_vec3_sub(sni_mesh_corner(site->mesh, triangle, k + 1), p);
        double part[2];
        if (!clip(facing, t->n, p, e, part)) continue;
        for (uint32_t end = 0; end < 2; end++) {
            sn_vec3 x = sn_vec3_add(p, sn_vec3_scale(part[end], e));
            double height = sn_vec3_dot(facing->normal, sn_vec3_sub(facing->at[0], x)) / down;
            add_over(site, triangle, sn_vec3_add(x, sn_vec3_scale(height, t->n)), height, low,
                     sni_site_part_name(site->mesh, triangle, 1 + k, NAME_EDGE + end));
        }
    }
}

/// Sharp edges of the triangle that an edge of the solid crosses.
static void touch_edges_below_edge(sni_site* site, int32_t triangle, const sni_facing* facing,
                                   double low) {
    const sni_mesh_triangle* t = &site->mesh->triangle[triangle];
    sn_vec3 q = facing->at[0], f = sn_vec3_sub(facing->at[1], q);
    for (int k = 0; k < 3; k++) {
        if (t->edge[k] < SN_EDGE_CONVEX) continue;
        sn_vec3 p = sni_mesh_corner(site->mesh, triangle, k);
        sn_vec3 e = sn_vec3_sub(sni_mesh_corner(site->mesh, triangle, k + 1), p);
        double cross = sn_vec3_dot(t->n, sn_vec3_cross(f, e));
        double own = sn_vec3_dot(t->n, sn_vec3_cross(sn_vec3_sub(p, q), e)) / cross;
        double other = sn_vec3_dot(t->n, sn_vec3_cross(sn_vec3_sub(p, q), f)) / cross;
        if (!(own >= 0 && own <= 1 && other >= 0 && other <= 1)) continue; // NaN: parallel
        sn_vec3 y = sn_vec3_add(q, sn_vec3_scale(own, f));
        add_over(site, triangle, y, sn_vec3_dot(t->n, y) - t->offset, low,
                 sni_site_part_name(site->mesh, triangle, 1 + k, NAME_EDGE));
    }
}

/// Points with the normal of the face. Without `edges`, only corners of the solid.
static void touch_face(sni_site* site, int32_t triangle, convex* c, bool edges) {
    const sni_mesh_triangle* t = &site->mesh->triangle[triangle];
    look_along(c, t->n);
    double low = c->low - t->offset;
    touch_corners(site, triangle, &c->facing, c, low);
    if (edges && c->facing.count > 2) touch_edges_below_face(site, triangle, &c->facing, low);
    if (edges && c->facing.count == 2) touch_edges_below_edge(site, triangle, &c->facing, low);
}

// ---- out of the mesh ------------------------------------------------------------------------------------

/// Normals of a sharp edge: from that of the triangle (0) to that beside it, or to the side of a border.
typedef struct arc {
    sn_vec3 v;    ///< an end of the edge
    sn_vec3 e;    ///< from it to the other
    sn_vec3 n, w; ///< at angle 0, and a quarter turn on
    double angle; ///< of the last one
} arc;

static arc arc_of(const sni_mesh* mesh, int32_t triangle, int k) {
    const sni_mesh_triangle* t = &mesh->triangle[triangle];
    arc a = {.v = sni_mesh_corner(mesh, triangle, k), .n = t->n, .angle = M_PI / 2};
    a.e = sn_vec3_sub(sni_mesh_corner(mesh, triangle, k + 1), a.v);
    a.w = sn_vec3_cross(sn_vec3_scale(1 / sn_vec3_norm(a.e), a.e), t->n);
    if (t->beside[k] >= 0) {
        sn_vec3 other = mesh->triangle[t->beside[k]].n;
        a.angle = atan2(sn_vec3_dot(other, a.w), sn_vec3_dot(other, t->n));
        if (a.angle < 0) a.angle = M_PI; // a blade, but for rounding
    }
    return a;
}

static sn_vec3 arc_at(const arc* a, double angle) {
    return sn_vec3_add(sn_vec3_scale(cos(angle), a->n), sn_vec3_scale(sin(angle), a->w));
}

/// How far the solid is from the edge along the normal at an angle.
static double apart_at(convex* c, const arc* a, double angle) {
    sn_vec3 d = arc_at(a, angle);
    return sn_vec3_dot(d, sn_vec3_sub(sni_core_support(&c->core, sn_vec3_neg(d)), a->v));
}

/// The angle along which the solid is farthest apart from the edge: the least way out.
static double best_angle(convex* c, const arc* a) {
    enum { PLACES = 8, HALVINGS = 40 };
    const double golden = 0.6180339887498949;
    double best = apart_at(c, a, 0);
    int place = 0;
    for (int k = 1; k <= PLACES; k++) {
        double here = apart_at(c, a, a->angle * k / PLACES);
        if (here > best) best = here, place = k;
    }
    double low = a->angle * fmax(place - 1, 0) / PLACES;
    double high = a->angle * fmin(place + 1, PLACES) / PLACES;
    for (int k = 0; k < HALVINGS; k++) {
        double p = high - golden * (high - low), q = low + golden * (high - low);
        if (apart_at(c, a, p) >= apart_at(c, a, q))
            high = q;
        else
            low = p;
    }
    double middle = 0.5 * (low + high);
    return apart_at(c, a, middle) > best ? middle : a->angle * place / PLACES;
}

/// The solid over an edge, along one of the normals that are the edge's own. There, a little turn one way or the other
/// makes one or the other end of an edge of the solid the lowest: that edge crosses.
static void touch_edge(sni_site* site, int32_t triangle, int k, convex* c, const arc* a,
                       double angle) {
    const double turn = 1e-6;
    sn_vec3 d = arc_at(a, angle);
    sn_vec3 p = sni_core_support(&c->core, sn_vec3_neg(arc_at(a, angle - turn)));
    sn_vec3 q = sni_core_support(&c->core, sn_vec3_neg(arc_at(a, angle + turn)));
    sn_vec3 f = sn_vec3_sub(q, p), across = sn_vec3_cross(d, a->e);
    double slope = sn_vec3_dot(across, f), own = 0;
    if (slope != 0) own = sn_vec3_dot(across, sn_vec3_sub(a->v, p)) / slope;
    if (!(own >= 0 && own <= 1)) return;
    sn_vec3 x = sn_vec3_sub(sn_vec3_add(p, sn_vec3_scale(own, f)), a->v);
    double t = sn_vec3_dot(a->e, x) / sn_vec3_dot(a->e, a->e), gap = sn_vec3_dot(d, x);
    // past an end, as far as it is deep, the next edge may be one that the solid does not reach
    double past = fabs(gap) / sn_vec3_norm(a->e);
    if (!(t >= -past && t <= 1 + past)) return;
    t = fmin(fmax(t, 0), 1);
    x = sn_vec3_add(sn_vec3_add(a->v, sn_vec3_scale(t, a->e)), sn_vec3_scale(0.5 * gap, d));
    sni_site_add(site, (sni_site_point){x, d, gap, gap,
                                        sni_site_part_name(site->mesh, triangle, 1 + k, NAME_EDGE),
                                        triangle});
}

/// A corner of the mesh inside the solid: out of it the shortest way, if the mesh can be left that way.
static void touch_corner(sni_site* site, int32_t triangle, int k, convex* c) {
    sn_vec3 v = sni_mesh_corner(site->mesh, triangle, k), x, n;
    sn_vec3 v_s = sn_mat3_apply_transposed(c->X_ms->R, sn_vec3_sub(v, c->X_ms->p));
    double gap = sni_solid_nearest(c->solid, v_s, &x, &n);
    sn_vec3 d = sn_vec3_neg(sn_mat3_apply(c->X_ms->R, n));
    if (!(gap <= 0) || !sni_mesh_can_face(site->mesh, triangle, 4 + k, d, SNI_SITE_SLOPE)) return;
    sni_site_add(site, (sni_site_point){sn_vec3_add(v, sn_vec3_scale(0.5 * gap, d)), d, gap, gap,
                                        sni_site_part_name(site->mesh, triangle, 4 + k, NAME_PAIR),
                                        triangle});
}

/// Overlap with a small triangle, where the least way out of the triangle alone is none out of the mesh: its
/// edges and corners one by one, with the normals they can have; its face, where that is the least way.
static void touch_parts(sni_site* site, int32_t triangle, convex* c) {
    const sni_mesh_triangle* t = &site->mesh->triangle[triangle];
    bool face = true;
    for (int k = 0; k < 3; k++) {
        if (t->has_corner[k] && site->mesh->sharp[t->corner[k]]) touch_corner(site, triangle, k, c);
        if (t->edge[k] < SN_EDGE_CONVEX) continue;
        arc a = arc_of(site->mesh, triangle, k);
        double angle = best_angle(c, &a), slope = fmin(SNI_SITE_SLOPE, 0.01 * a.angle);
        if (angle <= slope) continue;
        face = false;
        if (angle < a.angle - slope) touch_edge(site, triangle, k, c, &a, angle);
    }
    touch_face(site, triangle, c, face);
}

// ---- any way --------------------------------------------------------------------------------------------

/// What of a triangle is farthest along d, as parts are numbered.
static int part_along(const sni_mesh* mesh, int32_t triangle, sn_vec3 d) {
    const sni_mesh_triangle* t = &mesh->triangle[triangle];
    if (sn_vec3_dot(d, t->n) >= 1 - 0.5 * SNI_SITE_SLOPE * SNI_SITE_SLOPE) return 0;
    double along[3];
    int top = 0;
    for (int k = 0; k < 3; k++) {
        along[k] = sn_vec3_dot(d, sni_mesh_corner(mesh, triangle, k));
        if (along[k] > along[top]) top = k;
    }
    int after = (top + 1) % 3, before = (top + 2) % 3,
        next = along[after] > along[before] ? after : before;
    sn_vec3 arm =
        sn_vec3_sub(sni_mesh_corner(mesh, triangle, next), sni_mesh_corner(mesh, triangle, top));
    if (along[top] - along[next] > SNI_SITE_SLOPE * sn_vec3_norm(arm)) return 4 + top;
    return 1 + (next == after ? top : before);
}

typedef enum outcome { TOUCHED, APART, OVERLAP } outcome;

/// As two convex solids. APART, OVERLAP: they are, along a normal that this mesh has not here.
static outcome touch_as_convex(sni_site* site, int32_t triangle, convex* c) {
    enum { POINTS = 32 };
    const sn_pose identity = sn_pose_identity();
    const sni_mesh* mesh = site->mesh;
    sni_triangle flat;
    sni_touch point[POINTS];
    sni_touches touches = {point, 0, POINTS, 0};
    sni_pair_memory memory = {.axis = mesh->triangle[triangle].n};
    sni_triangle_set(&flat, sni_mesh_corner(mesh, triangle, 0), sni_mesh_corner(mesh, triangle, 1),
                     sni_mesh_corner(mesh, triangle, 2));
    sni_touch_convex(c->solid, c->X_ms, &flat.solid, &identity, site->margin, &memory, &touches);
    if (touches.count == 0) return APART; // a corner can be below it nevertheless
    int part = part_along(mesh, triangle, point[0].n);
    if (part == 0) {
        touch_face(site, triangle, c, true);
        return TOUCHED;
    }
    if (!sni_mesh_can_face(mesh, triangle, part, point[0].n, SNI_SITE_SLOPE)) {
        if (point[0].gap >= 0) return APART;
        double upright = sn_vec3_dot(point[0].n, mesh->triangle[triangle].n);
        if (upright > c->upright) {
            c->upright = upright;
            c->last = (sni_site_point){point[0].x,
                                       point[0].n,
                                       point[0].gap,
                                       point[0].gap,
                                       sni_site_part_name(mesh, triangle, 0, NAME_PAIR),
                                       triangle};
        }
        return OVERLAP;
    }
    uint32_t name = sni_site_part_name(mesh, triangle, part, NAME_PAIR);
    double least = INFINITY;
    for (int32_t k = 0; k < touches.count; k++) least = fmin(least, point[k].gap);
    for (int32_t k = 0; k < touches.count; k++)
        sni_site_add(site,
                     (sni_site_point){point[k].x, point[k].n, point[k].gap, least,
                                      sni_site_name(NAME_PAIR, name, point[k].feature), triangle});
    return TOUCHED;
}

/// Whether a triangle is many sizes of the solid away, and turned so that it cannot be touched: seen from there, the solid
/// is hardly more than a point. Fast bodies ask for all triangles on their way.
static bool is_far_and_turned_away(const sni_site* site, int32_t triangle, const convex* c) {
    enum { SIZES = 8 };
    double size = c->solid->radius;
    if (site->margin < SIZES * size) return false;
    int part;
    sn_vec3 to =
        sn_vec3_sub(c->X_ms->p, sni_mesh_nearest_on(site->mesh, triangle, c->X_ms->p, &part));
    double distance = sn_vec3_norm(to), slope = 2 * size / distance;
    return distance > SIZES * size &&
           !sni_mesh_can_face(site->mesh, triangle, part, sn_vec3_scale(1 / distance, to), slope);
}

static void touch(sni_site* site, int32_t triangle, convex* c) {
    const sni_mesh_triangle* t = &site->mesh->triangle[triangle];
    if (is_far_and_turned_away(site, triangle, c)) return;
    look_along(c, t->n);
    double low = c->low - t->offset, high = c->high - t->offset;
    if (low > site->margin || 3 * high < -low) return; // less than a quarter is in front
    outcome way = t->sharp ? touch_as_convex(site, triangle, c) : APART;
    if (way == APART) touch_face(site, triangle, c, false);
    if (way == OVERLAP) touch_parts(site, triangle, c);
}

/// Whatever shape a mesh has: a solid that overlaps a triangle is not let through because no way out was found.
static void touch_anyhow(sni_site* site, const convex* c) {
    if (!(c->upright > 0)) return;
    for (int32_t k = 0; k < site->count; k++)
        if (site->at[k].gap < 0) return;
    sni_site_add(site, c->last);
}

void sni_site_convex(sni_site* site, const sni_solid* solid, const sn_pose* X_ms) {
    convex c = {.solid = solid, .X_ms = X_ms, .core = sni_core_make(solid, X_ms, sn_vec3_zero())};
    double m = site->margin;
    sn_vec3 x = sn_vec3_make(1, 0, 0), y = sn_vec3_make(0, 1, 0), z = sn_vec3_make(0, 0, 1);
    sni_box box = {sn_vec3_make(sni_core_support(&c.core, sn_vec3_neg(x)).x - m,
                                sni_core_support(&c.core, sn_vec3_neg(y)).y - m,
                                sni_core_support(&c.core, sn_vec3_neg(z)).z - m),
                   sn_vec3_make(sni_core_support(&c.core, x).x + m,
                                sni_core_support(&c.core, y).y + m,
                                sni_core_support(&c.core, z).z + m)};
    sni_mesh_walk walk = sni_mesh_walk_begin(site->mesh, &box);
    for (int32_t i = sni_mesh_walk_next(&walk); i >= 0; i = sni_mesh_walk_next(&walk))
        touch(site, i, &c);
    touch_anyhow(site, &c);
}
