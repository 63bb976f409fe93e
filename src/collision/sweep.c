// SPDX-License-Identifier: Apache-2.0
// Where the shapes of a collider are, and the boxes they stay in within a step.
#include "collision/guest.h"
#include "model/sn_model.h"

static bool finite3(sn_vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

static bool is_finite(const sn_pose* X, const sn_twist* v) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            if (!isfinite(X->R.m[r][c])) return false;
    return finite3(X->p) && finite3(v->w) && finite3(v->v);
}

void sn_collider_move(sn_collider* collider, sn_body_id body, sn_pose X_wb, sn_twist velocity) {
    if (!sni_is_carrier(collider, body.i)) return;
    sni_carrier* carrier = &collider->carrier[body.i + 1];
    if (carrier->first == carrier->end && !collider->guest) return;
    bool lost = !is_finite(&X_wb, &velocity);
    collider->lost_count += lost - carrier->lost;
    carrier->lost = lost;
    carrier->X_wb = X_wb;
    carrier->w = sn_mat3_apply(X_wb.R, velocity.w);
    carrier->v = sn_mat3_apply(X_wb.R, velocity.v);
    if (collider->guest && !lost)
        sni_detector_guest_move(collider->guest, body.i, &X_wb, &velocity);
    if (carrier->moved) return;
    carrier->moved = true;
    collider->moved[collider->moved_count++] = body.i + 1;
}

static sni_box infinite_box(void) {
    return (sni_box){sn_vec3_make(-INFINITY, -INFINITY, -INFINITY),
                     sn_vec3_make(INFINITY, INFINITY, INFINITY)};
}

/// Where a shape may be within h seconds: its box, drawn out along the way of its centre, and as far all around
/// as turning takes it.
static sni_box swept_box(const sni_placed* placed, const sni_carrier* carrier, double h,
                         double around) {
    const sni_solid* solid = &placed->solid;
    if (solid->type == SN_SHAPE_PLANE) return infinite_box();
    const sn_pose* X = &placed->X_ws;
    sn_vec3 half = sn_vec3_scale(0.5, sn_vec3_sub(solid->bounds.high, solid->bounds.low));
    sn_vec3 middle = sn_vec3_scale(0.5, sn_vec3_add(solid->bounds.high, solid->bounds.low));
    sn_vec3 c = X->p, e = half;
    if (solid->type != SN_SHAPE_SPHERE) {
        c = sn_pose_apply(*X, middle);
        const double(*R)[3] = X->R.m;
        e.x = fabs(R[0][0]) * half.x + fabs(R[0][1]) * half.y + fabs(R[0][2]) * half.z;
        e.y = fabs(R[1][0]) * half.x + fabs(R[1][1]) * half.y + fabs(R[1][2]) * half.z;
        e.z = fabs(R[2][0]) * half.x + fabs(R[2][1]) * half.y + fabs(R[2][2]) * half.z;
    }
    sn_vec3 arm = sn_vec3_sub(c, carrier->X_wb.p);
    sn_vec3 way = sn_vec3_scale(h, sn_vec3_add(carrier->v, sn_vec3_cross(carrier->w, arm)));
    around += h * sn_vec3_norm(carrier->w) * sn_vec3_norm(half);
    sni_box box = {
        sn_vec3_make(c.x - e.x - around + fmin(way.x, 0), c.y - e.y - around + fmin(way.y, 0),
                     c.z - e.z - around + fmin(way.z, 0)),
        sn_vec3_make(c.x + e.x + around + fmax(way.x, 0), c.y + e.y + around + fmax(way.y, 0),
                     c.z + e.z + around + fmax(way.z, 0))};
    return box;
}

void sni_collider_refit(sn_collider* collider, double h) {
    static const sni_box empty = {{1, 1, 1}, {-1, -1, -1}};
    for (int32_t k = 0; k < collider->moved_count; k++) {
        sni_carrier* carrier = &collider->carrier[collider->moved[k]];
        carrier->moved = false;
        for (int32_t s = carrier->first; s < carrier->end; s++) {
            sni_placed* placed = &collider->shape[s];
            sni_box box = empty;
            if (!carrier->lost) {
                placed->X_ws = sn_pose_mul(carrier->X_wb, placed->X_bs);
                box = swept_box(placed, carrier, h, 0.5 * collider->def.margin);
            }
            sni_broad_set(collider->broad, s, &box);
        }
    }
    collider->moved_count = 0;
}
