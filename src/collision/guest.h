// SPDX-License-Identifier: Apache-2.0
/// A user's functions that find contacts (sn_detector_module) inside a collider of ours, whose shapes go on
/// answering everything else.
#ifndef SN_COLLISION_GUEST_H
#define SN_COLLISION_GUEST_H

#include "collision/collider.h"

struct sni_detector_guest {
    sn_detector_module table;
    void* memory;       ///< the user's
    sn_pose* X_wb;      // [body_count] where bodies were last told to be
    sn_twist* velocity; // [body_count]
    int32_t answer;     ///< what the last collide returned
    bool broken;        ///< a number of the last collide was not finite
};

/// Makes the user's memory for the collider's model and def. *guest is NULL when it fails.
sn_status sni_detector_guest_create(const sn_collider* collider, const sn_detector_module* table,
                                    sni_detector_guest** guest, sn_error* error);
void sni_detector_guest_free(sni_detector_guest* guest);
void sni_detector_guest_layout(sni_detector_guest* guest, sni_arena* arena, const sn_model* model);
void sni_detector_guest_move(sni_detector_guest* guest, int32_t body, const sn_pose* X_wb,
                             const sn_twist* velocity);
/// Fills the collider's list; returns how many there are, or the guest's negative number.
int32_t sni_detector_guest_collide(sn_collider* collider, double h);

#endif
