// SPDX-License-Identifier: Apache-2.0
// A mesh and whatever else: picks the function by type. Planes are done here.
#include "collision/manifold.h"
#include "collision/mesh_site.h"

/// Height of the lowest point of a box over the plane n . x = offset.
static double lowest_of(const sni_box* box, sn_vec3 n, double offset) {
    sn_vec3 x = sn_vec3_make(n.x > 0 ? box->low.x : box->high.x, n.y > 0 ? box->low.y : box->high.y,
                             n.z > 0 ? box->low.z : box->high.z);
    return sn_vec3_dot(n, x) - offset;
}

/// Corners below the margin: of very many the lowest, of those the ones that are spread widest.
static void touch_plane(const sni_mesh* mesh, const sn_pose* X_wm, const sn_pose* X_wp,
                        double margin, sni_touches* out) {
    sni_touch near[SNI_SITE_POINTS];
    int32_t count = 0;
    sn_vec3 n_w = sn_mat3_column(X_wp->R, 2), n = sn_mat3_apply_transposed(X_wm->R, n_w);
    double offset = sn_vec3_dot(n_w, sn_vec3_sub(X_wp->p, X_wm->p));
    for (int32_t at = 0; at < mesh->node_count;) {
        const sni_mesh_node* node = &mesh->node[at];
        if (lowest_of(&node->box, n, offset) > margin) {
            at = node->next;
            continue;
        }
        at++;
        for (int32_t i = 3 * node->first; i < 3 * (node->first + node->count); i++) {
            const sni_mesh_triangle* t = &mesh->triangle[i / 3];
            sn_vec3 x = mesh->vertex[t->corner[i % 3]];
            double gap = sn_vec3_dot(n, x) - offset;
            if (!t->has_corner[i % 3] || !mesh->sharp[t->corner[i % 3]] || !(gap <= margin))
                continue;
            int32_t place = count;
            if (count < SNI_SITE_POINTS) {
                count++;
            } else { // in place of the highest
                place = 0;
                for (int32_t k = 1; k < count; k++)
                    if (near[k].gap > near[place].gap) place = k;
                if (gap >= near[place].gap) continue;
            }
            x = sn_vec3_sub(x, sn_vec3_scale(0.5 * gap, n));
            near[place] =
                (sni_touch){sn_pose_apply(*X_wm, x), n_w, gap, (uint32_t)t->corner[i % 3]};
        }
    }
    sni_touches_spread(near, count, n_w, out);
}

void sni_touch_mesh(const sni_solid* a, const sn_pose* X_wa, const sni_solid* b,
                    const sn_pose* X_wb, double margin, sni_pair_memory* memory, sni_touches* out) {
    (void)memory; // there is a way for every triangle, not one to remember
    if (b->type == SN_SHAPE_PLANE) {
        touch_plane(a->mesh, X_wa, X_wb, margin, out);
        return;
    }
    sni_site site;
    sni_site_begin(&site, a->mesh, margin, b->radius);
    sn_mat3 R_aw = sn_mat3_transpose(X_wa->R);
    sn_pose X_ab = {sn_mat3_mul(R_aw, X_wb->R), sn_mat3_apply(R_aw, sn_vec3_sub(X_wb->p, X_wa->p))};
    switch (b->type) {
    case SN_SHAPE_SPHERE: sni_site_sphere(&site, b, &X_ab); break;
    case SN_SHAPE_CAPSULE: sni_site_capsule(&site, b, &X_ab); break;
    case SN_SHAPE_MESH: sni_site_mesh(&site, b->mesh, &X_ab); break;
    default: sni_site_convex(&site, b, &X_ab); break;
    }
    sni_site_finish(&site, X_wa, -1, out);
}
