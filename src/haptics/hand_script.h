// SPDX-License-Identifier: Apache-2.0
/// Scripts of hands, within this module.
#ifndef SN_HAPTICS_HAND_SCRIPT_H
#define SN_HAPTICS_HAND_SCRIPT_H

#include "sinew/simulated_device.h"

/// NULL without memory.
sn_hand_script* sni_hand_script_copy(const sn_hand_script* script);

/// Where a hand wants to be, and how it wants to move.
typedef struct sni_hand_way {
    sn_vec3 p, v;
} sni_hand_way;

/// The same of its orientation.
typedef struct sni_hand_turn {
    sn_quat r;
    sn_vec3 w;
} sni_hand_turn;

/// The knot at a time. *near: where it was last, a number of the caller's; 0 to begin with. Realtime: yes.
const sn_hand_knot* sni_hand_script_knot(const sn_hand_script* script, double time, int* near);
/// What is wanted there; both return the knot. Realtime: yes.
const sn_hand_knot* sni_hand_script_way(const sn_hand_script* script, double time, int* near,
                                        sni_hand_way* way);
const sn_hand_knot* sni_hand_script_turn(const sn_hand_script* script, double time, int* near,
                                         sni_hand_turn* turn);

#endif
