// SPDX-License-Identifier: Apache-2.0
/// Axes of vendors, turned to ours: x to the right, y away from the person, z up.
#ifndef SN_DEVICE_FRAMES_H
#define SN_DEVICE_FRAMES_H

#include "sinew/device.h"

/// A vendor's frame: ours = A theirs, and the middle of the workspace in theirs.
typedef struct sni_frame {
    sn_mat3 A;
    sn_vec3 middle; ///< m
} sni_frame;

/// The handle's own axes are turned as the frame is, so that what is not turned there is not turned here.
static inline sn_pose sni_frame_pose(sni_frame f, sn_mat3 R, sn_vec3 p) {
    sn_pose pose = {sn_mat3_mul(f.A, sn_mat3_mul(R, sn_mat3_transpose(f.A))),
                    sn_mat3_apply(f.A, sn_vec3_sub(p, f.middle))};
    return pose;
}

static inline sn_vec3 sni_frame_in(sni_frame f, sn_vec3 theirs) {
    return sn_mat3_apply(f.A, theirs);
}

static inline sn_vec3 sni_frame_out(sni_frame f, sn_vec3 ours) {
    return sn_mat3_apply(sn_mat3_transpose(f.A), ours);
}

#endif
