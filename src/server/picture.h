// SPDX-License-Identifier: Apache-2.0
/// A snapshot as clients want it: poses of groups as floats, which body is where in which group, who sleeps. Made once
/// a frame for all clients; what does not move with every step is looked at only when it has changed.
#ifndef SN_SERVER_PICTURE_H
#define SN_SERVER_PICTURE_H

#include "server/bytes.h"
#include "sinew/world.h"

/// Position, quaternion w x y z.
typedef struct sni_pose32 {
    float at[7];
} sni_pose32;

/// A body in its group.
typedef struct sni_place32 {
    uint32_t group;
    sni_pose32 pose;
} sni_place32;

typedef enum sni_shade { SNI_MOVES, SNI_SLEEPS, SNI_RESTS, SNI_LOCKED } sni_shade;

typedef struct sni_picture {
    const sn_snapshot* shot;
    const sn_model* model;
    bool adaptive; ///< what stands still in its group sleeps; else it is locked
    int groups, bodies;
    sni_pose32* pose;     // [groups] of [bodies + 1]
    sni_place32* place;   // [bodies]
    uint8_t* shade;       // [bodies] sni_shade
    uint64_t arrangement; ///< that places and shades are of
    uint64_t version;     ///< counts those
} sni_picture;

sni_pose32 sni_pose32_of(sn_pose X);

/// For another model. False: no memory, and the picture is empty.
bool sni_picture_begin(sni_picture* picture, const sn_model* model, bool adaptive);
/// Takes a snapshot of that model.
void sni_picture_take(sni_picture* picture, const sn_snapshot* shot);
void sni_picture_free(sni_picture* picture);

#endif
