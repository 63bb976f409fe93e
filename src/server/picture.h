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

/// Bodies of one item in one group, as one mass point.
typedef struct sni_lump {
    int32_t item, group;
    double mass;
    sn_vec3 moment; ///< mass times place in the group
} sni_lump;

typedef struct sni_picture {
    const sn_snapshot* shot;
    const sn_model* model;
    bool adaptive; ///< what stands still in its group sleeps; else it is locked
    int groups, bodies;
    sni_pose32* pose;   // [groups] of [bodies + 1]
    sni_place32* place; // [bodies]
    uint8_t* shade;     // [bodies] sni_shade
    sni_lump* lump;     // [lumps] of [bodies]
    int lumps;
    int items;
    int32_t* item_of;     // [bodies]
    uint64_t arrangement; ///< that places, shades and lumps are of
    uint64_t version;     ///< counts those
} sni_picture;

sni_pose32 sni_pose32_of(sn_pose X);

/// For another model; item_of is copied. False: no memory, and the picture is empty.
bool sni_picture_begin(sni_picture* picture, const sn_model* model, bool adaptive, int items,
                       const int32_t* item_of);
/// Takes a snapshot of that model.
void sni_picture_take(sni_picture* picture, const sn_snapshot* shot);
void sni_picture_free(sni_picture* picture);

#endif
