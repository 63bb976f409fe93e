// SPDX-License-Identifier: Apache-2.0
// Two meshes: corners of one over triangles of the other, and sharp edges beside each other, for all pairs of
// triangles whose boxes are near. Where triangles cross, corners that are behind the other surface too, as deep as a
// tenth of the smaller mesh. A contact counts when both surfaces can have its normal.
#include "collision/box.h"
#include "collision/mesh_site.h"

// How much farther a corner's neighbours may reach: a face that lies flat but for three degrees touches with all its
// corners.
static const double CORNER_SLOPE = 0.05;
static const double DEEPEST = 0.1;
// Square of the sine below which two edges are parallel.
static const double PARALLEL = 1e-6;

enum { NAME_CORNER = 7, NAME_FACE, NAME_EDGES, STACK = 256 };

typedef struct two_meshes {
    sni_site* site;
    const sni_mesh *m, *o;
    const sn_pose* X_mo;
    double deepest;
    bool cross; ///< some triangles do
} two_meshes;

static sn_vec3 to_m(const two_meshes* w, sn_vec3 x_o) { return sn_pose_apply(*w->X_mo, x_o); }
static sn_vec3 to_o(const two_meshes* w, sn_vec3 x) {
    return sn_mat3_apply_transposed(w->X_mo->R, sn_vec3_sub(x, w->X_mo->p));
}
static sn_vec3 turn_to_m(const two_meshes* w, sn_vec3 d_o) {
    return sn_mat3_apply(w->X_mo->R, d_o);
}
static sn_vec3 turn_to_o(const two_meshes* w, sn_vec3 d) {
    return sn_mat3_apply_transposed(w->X_mo->R, d);
}

/// Height of the lowest point of a mesh along d, in its own frame.
static double lowest_along(const sni_mesh* mesh, sn_vec3 d) {
    double lowest = INFINITY;
    for (int32_t at = 0; at < mesh->node_count;) {
        const sni_mesh_node* node = &mesh->node[at];
        sn_vec3 x = sn_vec3_make(d.x > 0 ? node->box.low.x : node->box.high.x,
                                 d.y > 0 ? node->box.low.y : node->box.high.y,
                                 d.z > 0 ? node->box.low.z : node->box.high.z);
        if (sn_vec3_dot(d, x) >= lowest) {
            at = node->next;
            continue;
        }
        for (int32_t i = 3 * node->first; i < 3 * (node->first + node->count); i++)
            lowest = fmin(lowest, sn_vec3_dot(d, sni_mesh_corner(mesh, i / 3, i % 3)));
        at++;
    }
    return lowest;
}

/// A point x of the first mesh that the other is at a gap from, along d. `farthest`: nothing of the mesh around reaches
/// farther along d, so that all of the other is as far from it as from x.
static void add(const two_meshes* w, sn_vec3 x, sn_vec3 d, double gap, bool farthest,
                uint32_t feature, int32_t triangle) {
    double apart = gap;
    if (gap < 0) {
        sn_vec3 d_o = turn_to_o(w, d);
        apart = farthest ? lowest_along(w->o, d_o) - sn_vec3_dot(d_o, to_o(w, x)) : -INFINITY;
    }
    x = sn_vec3_add(x, sn_vec3_scale(0.5 * gap, d));
    sni_site_add(w->site, (sni_site_point){x, d, gap, apart, feature, triangle});
}

// ---- corners over faces ---------------------------------------------------------------------------------

/// Corner k of triangle j of the other mesh, at p, over triangle i with a gap from `least` to the margin.
static bool corner_over(const two_meshes* w, int32_t i, int32_t j, int k, sn_vec3 p, double least) {
    const sni_mesh_triangle *t = &w->m->triangle[i], *u = &w->o->triangle[j];
    double gap = sn_vec3_dot(t->n, p) - t->offset;
    if (gap < least || gap > w->site->margin || !sni_mesh_is_over(w->m, i, p, w->site->slack) ||
        !sni_mesh_can_face(w->o, j, 4 + k, turn_to_o(w, sn_vec3_neg(t->n)), CORNER_SLOPE))
        return false;
    add(w, sn_vec3_sub(p, sn_vec3_scale(gap, t->n)), t->n, gap, true,
        sni_site_name(NAME_CORNER, (uint32_t)t->facet, (uint32_t)u->corner[k]), i);
    return true;
}

/// Corner k of triangle i, at p_o in the other's frame, over triangle j of the other mesh.
static bool corner_below(const two_meshes* w, int32_t i, int32_t j, int k, sn_vec3 p_o,
                         double least) {
    const sni_mesh_triangle *t = &w->m->triangle[i], *u = &w->o->triangle[j];
    double gap = sn_vec3_dot(u->n, p_o) - u->offset;
    sn_vec3 d = turn_to_m(w, sn_vec3_neg(u->n));
    if (gap < least || gap > w->site->margin || !sni_mesh_is_over(w->o, j, p_o, w->site->slack) ||
        !sni_mesh_can_face(w->m, i, 4 + k, d, CORNER_SLOPE))
        return false;
    add(w, sni_mesh_corner(w->m, i, k), d, gap,
        sni_mesh_can_face(w->m, i, 4 + k, d, SNI_SITE_SLOPE),
        sni_site_name(NAME_FACE, (uint32_t)t->corner[k], (uint32_t)u->facet), i);
    return true;
}

static bool has_sharp_corner(const sni_mesh* mesh, int32_t triangle, int k) {
    const sni_mesh_triangle* t = &mesh->triangle[triangle];
    return t->has_corner[k] && mesh->sharp[t->corner[k]];
}

/// A corner behind the surface of the mesh `out_of`, where it is at p: goes out through triangles around the nearest, and if it
/// cannot, farther ones.
static void corner_out(const two_meshes* w, const sni_mesh* out_of, sn_vec3 p, int32_t triangle,
                       int k) {
    sni_mesh_point at = sni_mesh_nearest(out_of, p, w->deepest);
    bool done = !(at.distance < 0);
    for (double r = -at.distance; !done && r < w->deepest;) {
        r = fmin(w->deepest, 4 * r + w->site->slack);
        sni_box box = {sn_vec3_make(p.x - r, p.y - r, p.z - r),
                       sn_vec3_make(p.x + r, p.y + r, p.z + r)};
        sni_mesh_walk walk = sni_mesh_walk_begin(out_of, &box);
        for (int32_t i = sni_mesh_walk_next(&walk); i >= 0; i = sni_mesh_walk_next(&walk))
            done |= out_of == w->m ? corner_over(w, i, triangle, k, p, -r)
                                   : corner_below(w, triangle, i, k, p, -r);
    }
}

/// Corners of one mesh that are behind the surface of the other.
static void corners_out(const two_meshes* w, const sni_mesh* of, const sni_box* near) {
    sni_mesh_walk walk = sni_mesh_walk_begin(of, near);
    for (int32_t i = sni_mesh_walk_next(&walk); i >= 0; i = sni_mesh_walk_next(&walk))
        for (int k = 0; k < 3; k++) {
            if (!has_sharp_corner(of, i, k)) continue;
            sn_vec3 x = sni_mesh_corner(of, i, k);
            if (of == w->m)
                corner_out(w, w->o, to_o(w, x), i, k);
            else
                corner_out(w, w->m, to_m(w, x), i, k);
        }
}

// ---- edges ----------------------------------------------------------------------------------------------

/// A sharp edge in the frame of the first mesh.
typedef struct sharp_edge {
    sn_vec3 p, e; ///< an end, and from it to the other
    sn_vec3 out;  ///< sum of the normals beside it
    const sni_mesh* mesh;
    int32_t triangle;
    int k;
} sharp_edge;

/// False: the edge is not sharp, or had by another triangle.
static bool edge_of(const two_meshes* w, const sni_mesh* mesh, int32_t triangle, int k,
                    sharp_edge* edge) {
    const sni_mesh_triangle* t = &mesh->triangle[triangle];
    if (!t->has_edge[k] || t->edge[k] < SN_EDGE_CONVEX) return false;
    sn_vec3 p = sni_mesh_corner(mesh, triangle, k), q = sni_mesh_corner(mesh, triangle, k + 1);
    sn_vec3 out = t->n;
    if (t->beside[k] >= 0) out = sn_vec3_add(out, mesh->triangle[t->beside[k]].n);
    if (mesh == w->o) {
        p = to_m(w, p);
        q = to_m(w, q);
        out = turn_to_m(w, out);
    }
    *edge = (sharp_edge){p, sn_vec3_sub(q, p), out, mesh, triangle, k};
    return true;
}

static void add_edges(const two_meshes* w, const sharp_edge* a, int part_a, const sharp_edge* b,
                      int part_b, sn_vec3 x, sn_vec3 d, double gap) {
    if (!(gap <= w->site->margin) || !(gap >= -w->deepest) || !(sn_vec3_dot(d, a->out) > 0) ||
        !(sn_vec3_dot(d, b->out) < 0) ||
        !sni_mesh_can_face(w->m, a->triangle, part_a, d, SNI_SITE_SLOPE) ||
        !sni_mesh_can_face(w->o, b->triangle, part_b, turn_to_o(w, sn_vec3_neg(d)), SNI_SITE_SLOPE))
        return;
    uint32_t name = sni_site_part_name(w->o, b->triangle, part_b, NAME_EDGES);
    add(w, x, d, gap, true, sni_site_part_name(w->m, a->triangle, part_a, name), a->triangle);
}

/// The edge itself or one of its ends.
static int part_at(const sharp_edge* edge, double t) {
    return t <= 0 ? 4 + edge->k : t >= 1 ? 4 + (edge->k + 1) % 3 : 1 + edge->k;
}

static double clamp(double t) { return t > 0 ? t < 1 ? t : 1 : 0; }

/// Edges that cross have a normal across both, also where they overlap; others touch with an end, from outside.
static void touch_edges(const two_meshes* w, const sharp_edge* a, const sharp_edge* b) {
    sn_vec3 c = sn_vec3_cross(a->e, b->e), r = sn_vec3_sub(b->p, a->p);
    double aa = sn_vec3_dot(a->e, a->e), bb = sn_vec3_dot(b->e, b->e), square = sn_vec3_dot(c, c);
    double s = 0, t = 0;
    if (square > PARALLEL * aa * bb) {
        s = sn_vec3_dot(sn_vec3_cross(r, b->e), c) / square;
        t = sn_vec3_dot(sn_vec3_cross(r, a->e), c) / square;
    }
    if (s > 0 && s < 1 && t > 0 && t < 1) {
        sn_vec3 d = sn_vec3_scale((sn_vec3_dot(c, a->out) < 0 ? -1 : 1) / sqrt(square), c);
        add_edges(w, a, 1 + a->k, b, 1 + b->k, sn_vec3_add(a->p, sn_vec3_scale(s, a->e)), d,
                  sn_vec3_dot(d, r));
        return;
    }
    // nearest points of the segments: clamp one, then the other, then the first again   [E05 5.1.9]
    double ab = sn_vec3_dot(a->e, b->e), ar = sn_vec3_dot(a->e, r), br = sn_vec3_dot(b->e, r);
    s = clamp(s);
    t = clamp((ab * s - br) / bb);
    s = clamp((ab * t + ar) / aa);
    sn_vec3 x = sn_vec3_add(a->p, sn_vec3_scale(s, a->e));
    sn_vec3 to = sn_vec3_sub(sn_vec3_add(b->p, sn_vec3_scale(t, b->e)), x);
    double gap = sn_vec3_norm(to);
    if (!(gap > w->site->slack)) return; // no direction; they cross, or corners tell
    add_edges(w, a, part_at(a, s), b, part_at(b, t), x, sn_vec3_scale(1 / gap, to), gap);
}

// ---- triangles ------------------------------------------------------------------------------------------

/// A triangle with its corners in the frame of the first mesh.
typedef struct placed {
    sn_vec3 v[3], n;
} placed;

/// Whether an edge of a goes through b.
static bool pierces(const placed* a, const placed* b) {
    double height[3];
    for (int k = 0; k < 3; k++) height[k] = sn_vec3_dot(b->n, sn_vec3_sub(a->v[k], b->v[0]));
    for (int k = 0; k < 3; k++) {
        double from = height[k], to = height[(k + 1) % 3];
        if ((from > 0) == (to > 0)) continue;
        sn_vec3 e = sn_vec3_sub(a->v[(k + 1) % 3], a->v[k]);
        sn_vec3 x = sn_vec3_add(a->v[k], sn_vec3_scale(from / (from - to), e));
        bool inside = true;
        for (int l = 0; l < 3; l++) {
            sn_vec3 side = sn_vec3_sub(b->v[(l + 1) % 3], b->v[l]);
            sn_vec3 arm = sn_vec3_sub(x, b->v[l]);
            inside = inside && sn_vec3_dot(b->n, sn_vec3_cross(side, arm)) >= 0;
        }
        if (inside) return true;
    }
    return false;
}

static void touch_triangles(two_meshes* w, int32_t i, int32_t j) {
    const double least = -w->site->slack; // deeper ones come later
    placed a = {.n = w->m->triangle[i].n}, b = {.n = turn_to_m(w, w->o->triangle[j].n)};
    for (int k = 0; k < 3; k++) {
        a.v[k] = sni_mesh_corner(w->m, i, k);
        b.v[k] = to_m(w, sni_mesh_corner(w->o, j, k));
    }
    for (int k = 0; k < 3; k++) {
        if (has_sharp_corner(w->o, j, k)) corner_over(w, i, j, k, b.v[k], least);
        if (has_sharp_corner(w->m, i, k)) corner_below(w, i, j, k, to_o(w, a.v[k]), least);
    }
    for (int k = 0; k < 3; k++) {
        sharp_edge p, q;
        if (!edge_of(w, w->m, i, k, &p)) continue;
        for (int l = 0; l < 3; l++)
            if (edge_of(w, w->o, j, l, &q)) touch_edges(w, &p, &q);
    }
    w->cross = w->cross || pierces(&a, &b) || pierces(&b, &a);
}

// ---- trees ----------------------------------------------------------------------------------------------

/// The box around a box that is turned by X, with a margin.
static sni_box turned(const sn_pose* X, const sni_box* box, double margin) {
    sn_vec3 c = sn_pose_apply(*X, sn_vec3_scale(0.5, sn_vec3_add(box->low, box->high)));
    sn_vec3 h = sn_vec3_scale(0.5, sn_vec3_sub(box->high, box->low));
    const double(*R)[3] = X->R.m;
    sn_vec3 e =
        sn_vec3_make(fabs(R[0][0]) * h.x + fabs(R[0][1]) * h.y + fabs(R[0][2]) * h.z + margin,
                     fabs(R[1][0]) * h.x + fabs(R[1][1]) * h.y + fabs(R[1][2]) * h.z + margin,
                     fabs(R[2][0]) * h.x + fabs(R[2][1]) * h.y + fabs(R[2][2]) * h.z + margin);
    return (sni_box){sn_vec3_sub(c, e), sn_vec3_add(c, e)};
}

static double size_of(const sni_mesh* mesh) {
    return 0.5 * sn_vec3_norm(sn_vec3_sub(mesh->node[0].box.high, mesh->node[0].box.low));
}

/// All pairs of triangles whose boxes are nearer than the margin.
static void touch_near(two_meshes* w) {
    int32_t stack[STACK][2], depth = 1;
    stack[0][0] = stack[0][1] = 0;
    while (depth > 0) {
        depth--;
        int32_t a = stack[depth][0], b = stack[depth][1];
        const sni_mesh_node *p = &w->m->node[a], *q = &w->o->node[b];
        sni_box box = turned(w->X_mo, &q->box, w->site->margin + w->site->slack);
        if (!sni_box_overlap(&p->box, &box)) continue;
        if (p->count > 0 && q->count > 0) {
            for (int32_t i = p->first; i < p->first + p->count; i++)
                for (int32_t j = q->first; j < q->first + q->count; j++) touch_triangles(w, i, j);
            continue;
        }
        bool first = q->count > 0 || (p->count == 0 && p->next - a >= q->next - b);
        int32_t near = first ? a + 1 : b + 1;
        int32_t far = first ? w->m->node[near].next : w->o->node[near].next;
        for (int side = 0; side < 2; side++) {
            int32_t child = side ? near : far;
            stack[depth][0] = first ? child : a;
            stack[depth][1] = first ? b : child;
            depth++;
        }
    }
}

void sni_site_mesh(sni_site* site, const sni_mesh* other, const sn_pose* X_mo) {
    two_meshes w = {site, site->mesh, other, X_mo, 0, false};
    w.deepest = DEEPEST * fmin(size_of(site->mesh), size_of(other));
    touch_near(&w);
    if (!w.cross) return;
    sn_pose X_om = sn_pose_inverse(*X_mo);
    sni_box here = turned(X_mo, &other->node[0].box, w.deepest),
            there = turned(&X_om, &site->mesh->node[0].box, w.deepest);
    corners_out(&w, other, &there);
    corners_out(&w, site->mesh, &here);
}
