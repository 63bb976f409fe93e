// SPDX-License-Identifier: Apache-2.0
// Two meshes: corners of one over triangles of the other, and sharp edges beside each other, for all pairs of
// triangles whose boxes are near. A contact counts when both surfaces can have its normal; overlaps deeper than a
// tenth of the smaller mesh are not seen.
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

static bool is_near(const two_meshes* w, double gap) {
    return gap <= w->site->margin && gap >= -w->deepest;
}

// ---- corners over faces ---------------------------------------------------------------------------------

/// Corners of triangle j of the other mesh over triangle i.
static void corners_over(const two_meshes* w, int32_t i, int32_t j) {
    const sni_mesh_triangle *t = &w->m->triangle[i], *u = &w->o->triangle[j];
    for (int k = 0; k < 3; k++) {
        if (!u->has_corner[k] || !w->o->sharp[u->corner[k]]) continue;
        sn_vec3 p = to_m(w, sni_mesh_corner(w->o, j, k));
        double gap = sn_vec3_dot(t->n, p) - t->offset;
        if (!is_near(w, gap) || !sni_mesh_is_over(w->m, i, p, w->site->slack) ||
            !sni_mesh_can_face(w->o, j, 4 + k, turn_to_o(w, sn_vec3_neg(t->n)), CORNER_SLOPE))
            continue;
        sn_vec3 x = sn_vec3_sub(p, sn_vec3_scale(0.5 * gap, t->n));
        sni_site_add(w->site, (sni_site_point){x, t->n, gap, gap,
                                               sni_site_name(NAME_CORNER, (uint32_t)t->facet,
                                                             (uint32_t)u->corner[k]),
                                               i});
    }
}

/// Corners of triangle i below triangle j of the other mesh.
static void corners_below(const two_meshes* w, int32_t i, int32_t j) {
    const sni_mesh_triangle *t = &w->m->triangle[i], *u = &w->o->triangle[j];
    for (int k = 0; k < 3; k++) {
        if (!t->has_corner[k] || !w->m->sharp[t->corner[k]]) continue;
        sn_vec3 p = sni_mesh_corner(w->m, i, k), p_o = to_o(w, p);
        double gap = sn_vec3_dot(u->n, p_o) - u->offset;
        sn_vec3 d = turn_to_m(w, sn_vec3_neg(u->n));
        if (!is_near(w, gap) || !sni_mesh_is_over(w->o, j, p_o, w->site->slack) ||
            !sni_mesh_can_face(w->m, i, 4 + k, d, CORNER_SLOPE))
            continue;
        sn_vec3 x = sn_vec3_add(p, sn_vec3_scale(0.5 * gap, d));
        sni_site_add(w->site,
                     (sni_site_point){
                         x, d, gap, gap,
                         sni_site_name(NAME_FACE, (uint32_t)t->corner[k], (uint32_t)u->facet), i});
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
                      int part_b, sn_vec3 x_a, sn_vec3 d, double gap) {
    if (!is_near(w, gap) || !(sn_vec3_dot(d, a->out) > 0) || !(sn_vec3_dot(d, b->out) < 0) ||
        !sni_mesh_can_face(w->m, a->triangle, part_a, d, SNI_SITE_SLOPE) ||
        !sni_mesh_can_face(w->o, b->triangle, part_b, turn_to_o(w, sn_vec3_neg(d)), SNI_SITE_SLOPE))
        return;
    uint32_t name = sni_site_part_name(w->o, b->triangle, part_b, NAME_EDGES);
    sni_site_add(w->site, (sni_site_point){sn_vec3_add(x_a, sn_vec3_scale(0.5 * gap, d)), d, gap,
                                           gap, sni_site_part_name(w->m, a->triangle, part_a, name),
                                           a->triangle});
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

static void touch_triangles(const two_meshes* w, int32_t i, int32_t j) {
    corners_over(w, i, j);
    corners_below(w, i, j);
    for (int k = 0; k < 3; k++) {
        sharp_edge a, b;
        if (!edge_of(w, w->m, i, k, &a)) continue;
        for (int l = 0; l < 3; l++)
            if (edge_of(w, w->o, j, l, &b)) touch_edges(w, &a, &b);
    }
}

// ---- trees ----------------------------------------------------------------------------------------------

/// Box of the first mesh's frame around a box of the other's.
static sni_box turned(const two_meshes* w, const sni_box* box, double margin) {
    sn_vec3 c = to_m(w, sn_vec3_scale(0.5, sn_vec3_add(box->low, box->high)));
    sn_vec3 h = sn_vec3_scale(0.5, sn_vec3_sub(box->high, box->low));
    const double(*R)[3] = w->X_mo->R.m;
    sn_vec3 e =
        sn_vec3_make(fabs(R[0][0]) * h.x + fabs(R[0][1]) * h.y + fabs(R[0][2]) * h.z + margin,
                     fabs(R[1][0]) * h.x + fabs(R[1][1]) * h.y + fabs(R[1][2]) * h.z + margin,
                     fabs(R[2][0]) * h.x + fabs(R[2][1]) * h.y + fabs(R[2][2]) * h.z + margin);
    return (sni_box){sn_vec3_sub(c, e), sn_vec3_add(c, e)};
}

static double size_of(const sni_mesh* mesh) {
    return 0.5 * sn_vec3_norm(sn_vec3_sub(mesh->node[0].box.high, mesh->node[0].box.low));
}

void sni_site_mesh(sni_site* site, const sni_mesh* other, const sn_pose* X_mo) {
    two_meshes w = {site, site->mesh, other, X_mo, 0};
    w.deepest = DEEPEST * fmin(size_of(site->mesh), size_of(other));
    double around = fmax(site->margin, w.deepest); // behind counts as far
    int32_t stack[STACK][2], depth = 0;
    stack[depth][0] = stack[depth][1] = 0;
    depth++;
    while (depth > 0) {
        depth--;
        int32_t a = stack[depth][0], b = stack[depth][1];
        const sni_mesh_node *p = &w.m->node[a], *q = &w.o->node[b];
        sni_box box = turned(&w, &q->box, around);
        if (!sni_box_overlap(&p->box, &box)) continue;
        if (p->count > 0 && q->count > 0) {
            for (int32_t i = p->first; i < p->first + p->count; i++)
                for (int32_t j = q->first; j < q->first + q->count; j++) touch_triangles(&w, i, j);
            continue;
        }
        bool first = q->count > 0 || (p->count == 0 && p->next - a >= q->next - b);
        int32_t near = first ? a + 1 : b + 1;
        int32_t far = first ? w.m->node[near].next : w.o->node[near].next;
        for (int side = 0; side < 2; side++) {
            int32_t child = side ? near : far;
            stack[depth][0] = first ? child : a;
            stack[depth][1] = first ? b : child;
            depth++;
        }
    }
}
