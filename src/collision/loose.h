// SPDX-License-Identifier: Apache-2.0
/// Near pairs of few shapes, most of which move little from step to step. A carrier is on a leash: all pairs that can be
/// near while nobody strays farther are chosen, each with how far apart its boxes were, and kept for as long. Of these only those are
/// looked at, with boxes made for them, whose carriers have strayed so far that they may be near. What is found does not depend on
/// what is kept.
#ifndef SN_COLLISION_LOOSE_H
#define SN_COLLISION_LOOSE_H

#include "collision/broad.h"
#include "sinew/collision.h"

typedef struct sni_loose_pair {
    sni_near_pair shapes;
    int32_t carrier_a, carrier_b;
    double apart; ///< m along the axis along which it was most; negative: boxes overlapped
} sni_loose_pair;

typedef struct sni_loose {
    double*
        strayed; // [carriers] m: how far their boxes reach, at most, out of those when pairs were chosen; -INFINITY: lost
    double* leash;        // [carriers] m: farther, and there may be more pairs
    sni_loose_pair* pair; // [count] of [shapes (shapes - 1) / 2] wanted, by (a, b)
    int32_t count;        ///< -1: none are kept yet
} sni_loose;

/// More than so many shapes are left to the broad phase, whose slabs cost 25 us whatever there is.
static inline bool sni_are_few(int32_t shapes) { return shapes <= 192; }

void sni_loose_layout(sni_loose* loose, sni_arena* arena, int32_t shapes, int32_t carriers);
/// Keeps nothing: other pairs are wanted now.
void sni_loose_forget(sni_loose* loose);
/// Looks where carriers that moved have strayed to. When one is off its leash, chooses pairs anew, and gives the broad phase boxes that
/// hold as long as they do.
void sni_loose_update(sn_collider* collider);
/// As sni_broad_find, of a collider's shapes.
int32_t sni_loose_find(const sn_collider* collider, sni_near_pair* out, int32_t most);

#endif
