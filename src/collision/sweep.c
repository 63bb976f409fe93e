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

/// How far at most a corner x of its shapes' bounds, |x| <= r, goes from where it was last told to be, and how fast it is:
///   |(R - R_0) x + p - p_0|^2 <= 2 (|R - R_0|^2 r^2 + |p - p_0|^2),   |v + w x R x|^2 <= 2 (|w|^2 r^2 + |v|^2)
static void measure_motion(sni_carrier* carrier, const sn_pose* X_wb, const sn_twist* velocity) {
    const double *now = &X_wb->R.m[0][0], *last = &carrier->X_wb.R.m[0][0], *wv = &velocity->w.x;
    double far = carrier->reach * carrier->reach;
    sni_lane4 a = sni_load4(now) - sni_load4(last), b = sni_load4(now + 4) - sni_load4(last + 4);
    sni_lane4 c = sni_load4(now + 8) - sni_load4(last + 8); // the last number of R, then p
    sni_lane4 w = sni_load4(wv), v = sni_load4(wv + 2);     // w and v.x; w.z and v
    sni_lane4 way = (a * a + b * b) * far + c * c * (sni_lane4){far, 1, 1, 1};
    sni_lane4 speed = w * w * (sni_lane4){far, far, far, 1} + v * v * (sni_lane4){0, 0, 1, 1};
    carrier->away += sqrt(2 * sni_sum4(way));
    carrier->speed = sqrt(2 * sni_sum4(speed));
}

/// Of a motion that is not finite, or was measured from a place that is not: whether the carrier is lost. One that is not may be
/// anywhere.
static void look_for(sn_collider* collider, sni_carrier* carrier, const sn_pose* X_wb,
                     const sn_twist* velocity) {
    bool lost = !is_finite(X_wb, velocity);
    collider->lost_count += lost - carrier->lost;
    carrier->lost = lost;
    if (!(carrier->away + carrier->speed < INFINITY)) carrier->away = carrier->speed = DBL_MAX;
}

static void move_carrier(sn_collider* collider, int32_t body, const sn_pose* X_wb,
                         const sn_twist* velocity) {
    sni_carrier* carrier = &collider->carrier[body + 1];
    measure_motion(carrier, X_wb, velocity);
    if (carrier->lost || !(carrier->away + carrier->speed < INFINITY))
        look_for(collider, carrier, X_wb, velocity);
    carrier->X_wb = *X_wb;
    carrier->velocity = *velocity;
    carrier->fresh = false;
    if (collider->guest && !carrier->lost)
        sni_detector_guest_move(collider->guest, body, X_wb, velocity);
    if (carrier->moved) return;
    carrier->moved = true;
    collider->moved[collider->moved_count++] = body + 1;
}

void sn_collider_move(sn_collider* collider, sn_body_id body, sn_pose X_wb, sn_twist velocity) {
    if (!sni_is_carrier(collider, body.i) || !sni_collider_carries(collider, body.i)) return;
    if (body.i < 0) sni_loose_forget(&collider->loose); // its planes reach everywhere
    move_carrier(collider, body.i, &X_wb, &velocity);
}

SN_HOT void sni_collider_move_all(sn_collider* collider, const sn_pose* X_wb,
                                  const sn_twist* velocity, const bool* still) {
    for (int32_t i = 0; i < collider->model->body_count; i++)
        if (!still[i] && sni_collider_carries(collider, i))
            move_carrier(collider, i, &X_wb[i], &velocity[i]);
}

// ---- boxes ----------------------------------------------------------------------------------------------

void sni_placed_measure(sni_placed* placed, sni_carrier* carrier) {
    sni_box bounds = placed->solid.bounds;
    sn_mat3 axes = sn_mat3_identity();
    placed->turned = memcmp(&placed->X_bs.R, &axes, sizeof axes) != 0;
    placed->middle = sn_vec3_scale(0.5, sn_vec3_add(bounds.high, bounds.low));
    placed->centred = sn_vec3_norm(placed->middle) == 0;
    placed->half = sn_vec3_scale(0.5, sn_vec3_sub(bounds.high, bounds.low));
    placed->around = sn_vec3_norm(placed->half);
    double reach = sn_vec3_norm(sn_pose_apply(placed->X_bs, placed->middle)) + placed->around;
    if (placed->solid.type != SN_SHAPE_PLANE) carrier->reach = fmax(carrier->reach, reach);
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

static sni_box box_of(const sni_placed* placed, const sni_carrier* carrier, double h, double turn,
                      double margin) {
    return placed->solid.type == SN_SHAPE_PLANE ? plane_box(&placed->X_ws, carrier, h, margin)
                                                : swept_box(placed, carrier, h, turn, margin);
}

static void place_shapes(const sn_collider* collider, sni_carrier* carrier) {
    static const sni_box nowhere = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    carrier->fresh = true;
    carrier->w = sn_mat3_apply(carrier->X_wb.R, carrier->velocity.w);
    carrier->v = sn_mat3_apply(carrier->X_wb.R, carrier->velocity.v);
    double h = collider->h, turn = h * sn_vec3_norm(carrier->w),
           margin = 0.5 * collider->def.margin;
    for (int32_t s = carrier->first; s < carrier->end && !carrier->lost; s++) {
        place(carrier, &collider->shape[s]);
        collider->box[s] = box_of(&collider->shape[s], carrier, h, turn, margin);
    }
    for (int32_t s = carrier->first; s < carrier->end && carrier->lost; s++)
        collider->box[s] = nowhere;
}

SN_HOT void sni_collider_place(const sn_collider* collider, sni_carrier* carrier) {
    place_shapes(collider, carrier);
}

// ---- near pairs -----------------------------------------------------------------------------------------

/// Boxes of what has moved, for the broad phase.
SN_HOT static void give_boxes(sn_collider* collider) {
    for (int32_t k = 0; k < collider->moved_count; k++) {
        sni_carrier* carrier = &collider->carrier[collider->moved[k]];
        carrier->moved = false;
        place_shapes(collider, carrier);
        for (int32_t s = carrier->first; s < carrier->end; s++)
            sni_broad_set(collider->broad, s, &collider->box[s]);
    }
}

void sni_collider_refit(sn_collider* collider, double h) {
    collider->h = h;
    if (sni_are_few(collider->shape_count))
        sni_loose_update(collider);
    else
        give_boxes(collider);
    collider->moved_count = 0;
}

int32_t sni_collider_find_near(sn_collider* collider) {
    if (sni_are_few(collider->shape_count))
        return sni_loose_find(collider, collider->near, collider->pair_most);
    return sni_broad_find(collider->broad, sni_collider_wants, collider, collider->near,
                          collider->pair_most);
}
