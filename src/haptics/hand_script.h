// SPDX-License-Identifier: Apache-2.0
/// Scripts of hands, within this module.
#ifndef SN_HAPTICS_HAND_SCRIPT_H
#define SN_HAPTICS_HAND_SCRIPT_H

#include "sinew/simulated_device.h"

/// NULL without memory.
sn_hand_script* sni_hand_script_copy(const sn_hand_script* script);

/// sn_hand_intent with the orientation as it is computed.
typedef struct sni_hand_want {
    sn_vec3 p;
    sn_quat r;
    sn_twist velocity;
} sni_hand_want;

/// The knot at a time. *near: where it was last, a number of the caller's; 0 to begin with. Realtime: yes.
const sn_hand_knot* sni_hand_script_knot(const sn_hand_script* script, double time, int* near);
/// What is wanted there; returns the knot. Realtime: yes.
const sn_hand_knot* sni_hand_script_want(const sn_hand_script* script, double time, int* near,
                                         sni_hand_want* want);

#endif
