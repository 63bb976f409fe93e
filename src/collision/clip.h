// SPDX-License-Identifier: Apache-2.0
/// Clipping of what two solids turn to each other, seen along the normal: u and v across it, z along it.
#ifndef SN_COLLISION_CLIP_H
#define SN_COLLISION_CLIP_H

#include "collision/facing.h"

/// Over the size of the smaller face: how far outside points still count as inside.
static const double SN_CLIP_SLACK = 1e-6;

enum { SN_CLIP_POINTS = 2 * SN_FACING_CORNERS };

typedef struct sni_flat_point {
    double u, v, z;
    int32_t
        edge; ///< that follows: the subject's own k, or ~k for the clip's; a cut end of an edge: ~k
} sni_flat_point;

typedef struct sni_flat {
    int32_t count;
    double size;
    double slack; ///< of a clip: it is grown by so much
    sni_flat_point at[SN_FACING_CORNERS];
} sni_flat;

/// The corner after k, around.
static inline int32_t sni_next_around(int32_t k, int32_t count) {
    return k + 1 < count ? k + 1 : 0;
}

/// Part of the subject, a face, that lies over the clip. sign: 1 when the clip runs counter-clockwise, else -1.
/// Writes up to SN_CLIP_POINTS; returns how many.
int32_t sni_clip_face(const sni_flat* subject, const sni_flat* clip, double sign,
                      sni_flat_point* out);
/// Of an edge: its two ends, or none.
int32_t sni_clip_edge(const sni_flat* subject, const sni_flat* clip, double sign,
                      sni_flat_point* out);
/// Whether a corner lies over the clip.
bool sni_clip_has(const sni_flat* clip, double sign, const sni_flat_point* p);

#endif
