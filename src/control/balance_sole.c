// SPDX-License-Identifier: Apache-2.0
// How large a sole is, by the shapes of its body.
#include <math.h>

#include "sinew/balance.h"

static void widen(sn_sole* sole, sn_vec3 p, double reach) {
    if (fabs(p.z) > reach) return;
    sole->x0 = fmin(sole->x0, p.x);
    sole->x1 = fmax(sole->x1, p.x);
    sole->y0 = fmin(sole->y0, p.y);
    sole->y1 = fmax(sole->y1, p.y);
}

/// A shape's points that are lowest in the frame.
static void measure_shape(sn_sole* sole, const sn_shape_info* shape, sn_pose X_fs, double reach) {
    sn_vec3 down = sn_mat3_apply_transposed(X_fs.R, sn_vec3_make(0, 0, -1));
    if (shape->type == SN_SHAPE_BOX)
        for (int k = 0; k < 8; k++) {
            sn_vec3 half = sn_vec3_scale(0.5, shape->size);
            sn_vec3 c = {k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y,
                         k & 4 ? half.z : -half.z};
            widen(sole, sn_pose_apply(X_fs, c), reach);
        }
    for (int k = 0; k < shape->vertex_count; k++)
        widen(sole, sn_pose_apply(X_fs, shape->vertices[k]), reach);
    if (shape->type != SN_SHAPE_SPHERE && shape->type != SN_SHAPE_CAPSULE) return;
    double half = shape->type == SN_SHAPE_CAPSULE ? 0.5 * shape->size.z : 0;
    sn_vec3 lowest = sn_vec3_scale(shape->size.x, down);
    for (int end = -1; end <= 1; end += 2)
        widen(sole, sn_pose_apply(X_fs, sn_vec3_add(lowest, sn_vec3_make(0, 0, end * half))),
              reach);
}

bool sn_sole_measure(const sn_model* model, sn_frame_id frame, double reach, sn_sole* sole) {
    sn_frame_info info = sn_model_frame(model, frame);
    *sole = (sn_sole){frame, INFINITY, -INFINITY, INFINITY, -INFINITY};
    sn_pose X_fb = sn_pose_inverse(info.X_bf);
    for (int i = 0; i < sn_model_shape_count(model); i++) {
        sn_shape_info shape = sn_model_shape(model, i);
        if (shape.body.i != info.body.i || !(shape.use & SN_SHAPE_COLLISION)) continue;
        measure_shape(sole, &shape, sn_pose_mul(X_fb, shape.X_bs), reach);
    }
    return sole->x1 > sole->x0 && sole->y1 > sole->y0;
}
