// SPDX-License-Identifier: Apache-2.0
// Where the shapes of a collider are, and the boxes they stay in within a step.
#include <float.h>
#include <string.h>

#include "base/hot.h"
#include "collision/guest.h"
#include "math/lane4.h"
#include "model/sn_model.h"

// Zero times what is not finite is not zero, and stays so in a sum.
static bool is_finite(const sn_pose* X, const sn_twist* v) {
    const double *pose = &X->R.m[0][0], *twist = &v->w.x;
    sni_lane4 pairs = (sni_load4(pose) * 0 + sni_load4(pose + 4) * 0) + (sni_load4(pose + 8) * 0);
    return sni_sum4(pairs + (sni_load4(twist) * 0 + sni_load4(twist + 2) * 0)) == 0;
}

static void move_carrier(sn_collider* collider, int32_t body, const sn_pose* X_wb,
                         const sn_twist* velocity) {
    sni_carrier* carrier = &collider->carrier[body + 1];
    bool lost = !is_finite(X_wb, velocity);
    collider->lost_count += lost - carrier->lost;
    carrier->lost = lost;
    carrier->X_wb = *X_wb;
    carrier->w = sn_mat3_apply(X_wb->R, velocity->w);
    carrier->v = sn_mat3_apply(X_wb->R, velocity->v);
    if (collider->guest && !lost) sni_detector_guest_move(collider->guest, body, X_wb, velocity);
    if (carrier->moved) return;
    carrier->moved = true;
    collider->moved[collider->moved_count++] = body + 1;
}

void sn_collider_move(sn_collider* collider, sn_body_id body, sn_pose X_wb, sn_twist velocity) {
    if (!sni_is_carrier(collider, body.i) || !sni_collider_carries(collider, body.i)) return;
    move_carrier(collider, body.i, &X_wb, &velocity);
}

SN_HOT void sni_collider_move_all(sn_collider* collider, const sn_pose* X_wb,
                                  const sn_twist* velocity, const bool* still) {
    for (int32_t i = 0; i < collider->model->body_count; i++)
        if (!still[i] && sni_collider_carries(collider, i))
            move_carrier(collider, i, &X_wb[i], &velocity[i]);
}

// ---- boxes ----------------------------------------------------------------------------------------------

void sni_placed_measure(sni_placed* placed) {
    sni_box bounds = placed->solid.bounds;
    sn_mat3 axes = sn_mat3_identity();
    placed->turned = memcmp(&placed->X_bs.R, &axes, sizeof axes) != 0;
    placed->middle = sn_vec3_scale(0.5, sn_vec3_add(bounds.high, bounds.low));
    placed->centred = sn_vec3_norm(placed->middle) == 0;
    placed->half = sn_vec3_scale(0.5, sn_vec3_sub(bounds.high, bounds.low));
    placed->around = sn_vec3_norm(placed->half);
}

static double at_most_zero(double x) { return x < 0 ? x : 0; }
static double at_least_zero(double x) { return x > 0 ? x : 0; }

/// All that is below a plane, and what it may be within h seconds. It has an end when the plane faces along an axis and
/// does not turn; where there is a tilt, the plane is anywhere in some distance.
static sni_box plane_box(const sn_pose* X_ws, const sni_carrier* carrier, double h, double margin) {
    static const double TILT = 4 * DBL_EPSILON; // what rounding makes of a plane along an axis
    sni_box box = {sn_vec3_make(-INFINITY, -INFINITY, -INFINITY),
                   sn_vec3_make(INFINITY, INFINITY, INFINITY)};
    sn_vec3 n = sn_mat3_column(X_ws->R, 2), p = X_ws->p, way = sn_vec3_scale(h, carrier->v);
    if (sn_vec3_dot(carrier->w, carrier->w) > 0) return box;
    for (int k = 0; k < 3; k++) {
        if (fabs((&n.x)[(k + 1) % 3]) > TILT || fabs((&n.x)[(k + 2) % 3]) > TILT) continue;
        if ((&n.x)[k] > 0)
            (&box.high.x)[k] = (&p.x)[k] + margin + at_least_zero((&way.x)[k]);
        else
            (&box.low.x)[k] = (&p.x)[k] - margin + at_most_zero((&way.x)[k]);
    }
    return box;
}

static sni_lane4 absolute4(sni_lane4 x) {
    return (sni_lane4)((sni_mask4)x & (sni_mask4){INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX});
}

/// Half edges of the box along the axes around a box that is turned.
static sni_lane4 turned_edges(const sn_mat3* R, sni_lane4 half) {
    sni_lane4 x = absolute4(sni_load4(R->m[0])) * half, y = absolute4(sni_load4(R->m[1])) * half;
    sni_lane4 z = absolute4(sni_load3(R->m[2])) * half, none = sni_lane4_zero();
    sni_transpose4(&x, &y, &z, &none);
    return (x + y) + z;
}

/// Where a shape may be within h seconds: its box, drawn out along the way of its centre, and as far all around
/// as turning, by an angle of `turn`, takes it.
static sni_box swept_box(const sni_placed* placed, const sni_carrier* carrier, double h,
                         double turn, double margin) {
    const sn_pose* X = &placed->X_ws;
    sn_vec3 centre = placed->centred ? X->p : sn_pose_apply(*X, placed->middle);
    sni_lane4 half = sni_load3(&placed->half.x), c = sni_load3(&centre.x), e = half;
    if (placed->solid.type != SN_SHAPE_SPHERE) e = turned_edges(&X->R, half);
    sni_lane4 arm = c - sni_load3(&carrier->X_wb.p.x), w = sni_load3(&carrier->w.x);
    sni_lane4 way = h * (sni_load3(&carrier->v.x) + sni_cross4(w, arm));
    sni_mask4 back = (sni_mask4)(way < sni_lane4_zero());
    e += margin + turn * placed->around;
    return (sni_box){sni_lane4_vec(c - e + (sni_lane4)((sni_mask4)way & back)),
                     sni_lane4_vec(c + e + (sni_lane4)((sni_mask4)way & ~back))};
}

/// Puts a shape where its carrier is, which is not lost.
static void place(const sni_carrier* carrier, sni_placed* placed) {
    if (placed->turned)
        placed->X_ws.R = sn_mat3_mul(carrier->X_wb.R, placed->X_bs.R);
    else
        placed->X_ws.R = carrier->X_wb.R;
    placed->X_ws.p = sn_pose_apply(carrier->X_wb, placed->X_bs.p);
}

static void refit_carrier(sn_collider* collider, const sni_carrier* carrier, double h) {
    static const sni_box empty = {{1, 1, 1}, {-1, -1, -1}};
    double margin = 0.5 * collider->def.margin, turn = h * sn_vec3_norm(carrier->w);
    for (int32_t s = carrier->first; s < carrier->end; s++) {
        sni_placed* placed = &collider->shape[s];
        sni_box box = empty;
        if (!carrier->lost) {
            place(carrier, placed);
            box = placed->solid.type == SN_SHAPE_PLANE
                      ? plane_box(&placed->X_ws, carrier, h, margin)
                      : swept_box(placed, carrier, h, turn, margin);
        }
        sni_broad_set(collider->broad, s, &box);
    }
}

SN_HOT void sni_collider_refit(sn_collider* collider, double h) {
    for (int32_t k = 0; k < collider->moved_count; k++) {
        sni_carrier* carrier = &collider->carrier[collider->moved[k]];
        carrier->moved = false;
        refit_carrier(collider, carrier, h);
    }
    collider->moved_count = 0;
}
