// SPDX-License-Identifier: Apache-2.0
/// Inside of an sn_collider: its shapes where they are now, and the pairs that are near.
#ifndef SN_COLLISION_COLLIDER_H
#define SN_COLLISION_COLLIDER_H

#include "collision/broad.h"
#include "collision/contact_list.h"
#include "collision/filter.h"
#include "collision/loose.h"
#include "collision/patch.h"
#include "collision/solid.h"
#include "sinew/collision.h"

/// A collision shape where it is.
typedef struct sni_placed {
    sni_solid solid;
    sn_pose X_ws;  ///< where its carrier was when that was fresh
    int32_t shape; ///< of the model
    int32_t body;  ///< -1: the world
    uint32_t group, mask;
    sn_pose X_bs;
    bool turned;          ///< its axes are not those of its body
    bool centred;         ///< the middle of its bounds is its origin
    sn_vec3 middle, half; ///< of its bounds, shape frame
    double around;        ///< |half|
    sn_material material;
} sni_placed;

/// A body that carries shapes, or the world.
typedef struct sni_carrier {
    int32_t first, end; ///< its shapes
    bool moved;         ///< since the last refit
    bool lost;          ///< its pose or velocity is not finite
    bool fresh;         ///< w, v, and X_ws and boxes of its shapes, are of X_wb and velocity
    sn_pose X_wb;
    sn_twist velocity; ///< of its origin, body axes
    double reach;      ///< m: from its origin to the farthest corner of bounds; planes do not count
    double away;       ///< m: no corner went a longer way since pairs were chosen to be kept
    double speed;      ///< m/s: no corner is faster
    double unsure;     ///< m: rounding of boxes
    sn_vec3 w, v;      ///< velocity in world axes
} sni_carrier;

/// A near pair and what it remembers.
typedef struct sni_known_pair {
    sni_near_pair shapes;
    sni_pair_memory memory;
    sn_material material; ///< of both surfaces
} sni_known_pair;

/// A user's functions that find contacts (collision/guest.h).
typedef struct sni_detector_guest sni_detector_guest;

enum { SNI_TOUCHES_MOST = 256 }; ///< points of one pair of shapes

struct sn_collider {
    const sn_model* model;
    sn_collider_def def;
    sni_arena arena;
    int32_t shape_count;
    sni_placed* shape;    // [shape_count] those of the world first, then by body
    sni_carrier* carrier; // [body_count + 1] the world, then the bodies
    int32_t* tree;        // [body_count] a number the bodies of one tree share; loops join trees
    bool* held;           // [body_count] its tree is held to the world by a joint
    int32_t* moved;       // [moved_count] of [body_count + 1] carriers
    int32_t moved_count, lost_count;
    bool* resting;    // [body_count + 1] carriers that are still; the world is
    double h;         ///< s: of the last refit
    sni_box* box;     // [shape_count] where shapes of fresh carriers may be within h seconds
    sni_loose loose;  ///< near pairs, where shapes are few
    sni_broad* broad; ///< finds them where they are many; answers questions either way
    int32_t* found;   // [shape_count] room for questions
    int32_t pair_most, pair_count, last_count;
    sni_near_pair* near;         // [pair_most]
    sni_known_pair *pair, *last; // [pair_count], [last_count] of [pair_most], by (a, b)
    sni_touch touch[SNI_TOUCHES_MOST];
    sni_contact_list contacts;
    sni_patch_work patch;
    sni_switches bodies;       ///< pairs of carriers
    sni_switches shapes;       ///< pairs of shapes
    sni_detector_guest* guest; ///< finds the contacts; NULL: we do
};

/// Whether there is such a body, or it is the world.
bool sni_is_carrier(const sn_collider* collider, int32_t body);
/// Fills what boxes are made from, of a shape that knows its solid and X_bs; its carrier reaches as far.
void sni_placed_measure(sni_placed* placed, sni_carrier* carrier);
/// Whether it matters where a body is.
static inline bool sni_collider_carries(const sn_collider* collider, int32_t body) {
    const sni_carrier* carrier = &collider->carrier[body + 1];
    return carrier->first < carrier->end || collider->guest;
}
/// As sn_collider_move, of all bodies but those that are still.
void sni_collider_move_all(sn_collider* collider, const sn_pose* X_wb, const sn_twist* velocity,
                           const bool* still);
/// As sn_collider_rest, of all bodies.
void sni_collider_rest_all(sn_collider* collider, const bool* resting);
/// Looks at what has moved, for steps of h seconds: until the next time questions and pairs are about where it is now.
void sni_collider_refit(sn_collider* collider, double h);
/// Puts the shapes of a carrier where it is, and makes their boxes: where they may be within the step, and half the margin
/// around; NaN: it is lost.
void sni_collider_place(const sn_collider* collider, sni_carrier* carrier);
/// The same, if that was not done since it moved.
static inline void sni_collider_freshen(const sn_collider* collider, sni_carrier* carrier) {
    if (!carrier->fresh) sni_collider_place(collider, carrier);
}
/// Writes near pairs to `near`, by (a, b), as many as fit; returns how many there are.
int32_t sni_collider_find_near(sn_collider* collider);
/// SN_ERR_ARGUMENT with the reason when a user's table is not complete.
sn_status sni_detector_module_check(const sn_detector_module* table, sn_error* error);
/// What is wrong with what a user's functions returned in the last sn_collider_collide: SN_ERR_FAULT, a negative
/// number; SN_ERR_NUMERIC, a contact that was not finite.
sn_status sni_collider_trouble(const sn_collider* collider);
/// Whether two shapes may touch at all, by filters; sni_loose_forget when these change.
bool sni_collider_wants(const void* collider, int32_t a, int32_t b);

#endif
