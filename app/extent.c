// SPDX-License-Identifier: Apache-2.0
#include "extent.h"

#include <math.h>

sn_pose extent_shape_pose(const sn_shape_info* shape, const sn_pose* poses) {
    return shape->body.i < 0 ? shape->X_bs : sn_pose_mul(poses[shape->body.i], shape->X_bs);
}

bool extent_is_bounded(const sn_shape_info* shape) {
    bool corners = shape->type == SN_SHAPE_MESH || shape->type == SN_SHAPE_HULL;
    return shape->type != SN_SHAPE_PLANE && (!corners || shape->vertex_count > 0);
}

static sn_vec3 farthest_corner(const sn_shape_info* shape, sn_vec3 d) {
    int32_t best = 0;
    for (int32_t i = 1; i < shape->vertex_count; i++) {
        if (sn_vec3_dot(shape->vertices[i], d) > sn_vec3_dot(shape->vertices[best], d)) best = i;
    }
    return shape->vertices[best];
}

// Along d, in the shape's frame.
static sn_vec3 support(const sn_shape_info* shape, sn_vec3 d) {
    double along = sn_vec3_norm(d), across = hypot(d.x, d.y), r = shape->size.x;
    sn_vec3 end = sn_vec3_make(0, 0, copysign(0.5 * shape->size.z, d.z)); // of a cylinder's axis
    sn_vec3 ball = along > 0 ? sn_vec3_scale(r / along, d) : sn_vec3_zero();
    switch (shape->type) {
    case SN_SHAPE_SPHERE: return ball;
    case SN_SHAPE_CAPSULE: return sn_vec3_add(end, ball);
    case SN_SHAPE_CYLINDER:
        if (!(across > 0)) return end;
        return sn_vec3_add(end, sn_vec3_make(r * d.x / across, r * d.y / across, 0));
    case SN_SHAPE_BOX:
        return sn_vec3_make(copysign(0.5 * shape->size.x, d.x), copysign(0.5 * shape->size.y, d.y),
                            end.z);
    case SN_SHAPE_MESH:
    case SN_SHAPE_HULL: return farthest_corner(shape, d);
    case SN_SHAPE_PLANE: break;
    }
    return sn_vec3_zero();
}

sn_vec3 extent_support(const sn_shape_info* shape, sn_pose X_ws, sn_vec3 direction) {
    sn_vec3 d = sn_mat3_apply_transposed(X_ws.R, direction);
    return sn_pose_apply(X_ws, support(shape, d));
}
