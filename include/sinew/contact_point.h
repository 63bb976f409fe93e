// SPDX-License-Identifier: Apache-2.0
/// A point where two bodies touch or are about to: what collision detection (sinew/collision.h) finds and
/// what contact sets (sinew/contact_set.h) make into equations.
#ifndef SINEW_CONTACT_POINT_H
#define SINEW_CONTACT_POINT_H

#include "sinew/material.h"
#include "sinew/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A contact at one point: body a is pushed along n, body b against it.
typedef struct sn_contact {
    uint64_t id;     ///< the same in every step for the same pair of features; 0: no warm start
    sn_body_id a, b; ///< two bodies, or one and the world (i = -1)
    sn_vec3 x;       ///< point, world
    sn_vec3 n;       ///< unit normal, from b to a, world
    sn_vec3 t1, t2;  ///< with n an orthonormal right-handed frame
    double gap;      ///< m between the surfaces along n; negative: they overlap
    sn_material material;
    bool
        carries; ///< stands for an area: material.roll is the radius of the disc over which normal force
                 ///< spreads (sn_contact_patch), not friction against rolling
} sn_contact;

/// t1 and t2 that make a right-handed frame with the unit vector n; continuous but near n = -(2, 3, 6)/7.
void sn_contact_frame(sn_vec3 n, sn_vec3* t1, sn_vec3* t2);
/// A contact with such a frame.
sn_contact sn_contact_make(uint64_t id, sn_body_id a, sn_body_id b, sn_vec3 x, sn_vec3 n,
                           double gap, sn_material material);

#ifdef __cplusplus
}
#endif
#endif
