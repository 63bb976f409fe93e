// SPDX-License-Identifier: Apache-2.0
#include "collision/mesh_site.h"

// Sine of the angle between normals of two points that may be the same one.
static const double SAME_NORMAL = 1e-3;
// Cosine of the angle, a hundredth, beyond which two overlaps push different ways.
static const double OTHER_WAY = 0.99995;

static bool is_there(const sni_site* site, const sni_site_point* p) {
    for (int32_t k = 0; k < site->count; k++) {
        const sni_site_point* q = &site->at[k];
        sn_vec3 off = sn_vec3_sub(p->x, q->x), turn = sn_vec3_sub(p->d, q->d);
        if (sn_vec3_dot(off, off) <= site->slack * site->slack &&
            sn_vec3_dot(turn, turn) <= SAME_NORMAL * SAME_NORMAL)
            return true;
    }
    return false;
}

void sni_site_add(sni_site* site, sni_site_point point) {
    if (!(point.gap <= site->margin) || is_there(site, &point)) return;
    if (site->count < SNI_SITE_POINTS) {
        site->at[site->count++] = point;
        return;
    }
    int32_t farthest = 0;
    for (int32_t k = 1; k < site->count; k++)
        if (site->at[k].gap > site->at[farthest].gap) farthest = k;
    if (point.gap < site->at[farthest].gap) site->at[farthest] = point;
    site->dropped++;
}

// ---- contradictions -------------------------------------------------------------------------------------

/// Whether all of triangle a is behind the plane of b.
static bool is_behind(const sni_site* site, int32_t a, int32_t b) {
    const sni_mesh_triangle* t = &site->mesh->triangle[b];
    for (int k = 0; k < 3; k++)
        if (sn_vec3_dot(t->n, sni_mesh_corner(site->mesh, a, k)) > t->offset + site->slack)
            return false;
    return true;
}

/// Whether q makes it unnecessary to go out at p: less deep, another way, on the same convex part.
static bool replaces(const sni_site* site, const sni_site_point* q, const sni_site_point* p) {
    return q->apart < 0 && q->apart > p->apart && sn_vec3_dot(p->d, q->d) < OTHER_WAY &&
           is_behind(site, p->triangle, q->triangle) && is_behind(site, q->triangle, p->triangle);
}

static bool is_contradicted(const sni_site* site, const sni_site_point* p) {
    if (!(p->apart < 0)) return false;
    for (int32_t k = 0; k < site->count; k++)
        if (replaces(site, &site->at[k], p)) return true;
    return false;
}

void sni_site_finish(sni_site* site, const sn_pose* X_wm, double sign, sni_touches* out) {
    for (int32_t k = 0; k < site->count; k++) {
        const sni_site_point* p = &site->at[k];
        if (is_contradicted(site, p)) continue;
        sn_vec3 n = sn_vec3_scale(sign, sn_mat3_apply(X_wm->R, p->d));
        sni_touches_add(out, (sni_touch){sn_pose_apply(*X_wm, p->x), n, p->gap, p->feature});
    }
    out->dropped += site->dropped;
}

// ---- triangles ------------------------------------------------------------------------------------------

bool sni_mesh_is_over(const sni_mesh* mesh, int32_t triangle, sn_vec3 p, double slack) {
    const sni_mesh_triangle* t = &mesh->triangle[triangle];
    for (int k = 0; k < 3; k++) {
        sn_vec3 a = sni_mesh_corner(mesh, triangle, k), b = sni_mesh_corner(mesh, triangle, k + 1);
        sn_vec3 edge = sn_vec3_sub(b, a);
        double inside = sn_vec3_dot(t->n, sn_vec3_cross(edge, sn_vec3_sub(p, a)));
        if (inside >= -slack * sn_vec3_norm(edge)) continue;
        if (t->edge[k] != SN_EDGE_CONCAVE) return false;
        const sni_mesh_triangle* other = &mesh->triangle[t->beside[k]];
        if (!(sn_vec3_dot(other->n, p) <= other->offset)) return false;
    }
    return true;
}

uint32_t sni_site_part_name(const sni_mesh* mesh, int32_t triangle, int part, uint32_t other) {
    enum { FACET, EDGE, CORNER };
    const sni_mesh_triangle* t = &mesh->triangle[triangle];
    if (part >= 4) return sni_site_name(CORNER, (uint32_t)t->corner[part - 4], other);
    if (part == 0 || t->edge[part - 1] == SN_EDGE_FLAT)
        return sni_site_name(FACET, (uint32_t)t->facet, other);
    uint32_t v = (uint32_t)t->corner[part - 1], w = (uint32_t)t->corner[part % 3];
    return sni_site_name(EDGE, sni_site_name(EDGE, v < w ? v : w, v < w ? w : v), other);
}
