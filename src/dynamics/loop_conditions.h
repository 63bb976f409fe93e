// SPDX-License-Identifier: Apache-2.0
/// What a loop joint demands of the two frames it holds: one number per motion that it does not leave
/// free, zero where the loop is closed, with the derivatives the dynamics needs.
///
/// Frame A is the loop frame on body a, frame B the one on body b, both in canonical axes. X_ab = (R, p)
/// is the pose of B in A, u = (w, v) the twist of B relative to A, in B:   R' = R [w]x,   p' = R v.
#ifndef SN_DYNAMICS_LOOP_CONDITIONS_H
#define SN_DYNAMICS_LOOP_CONDITIONS_H

#include "model/sn_model.h"

enum { SN_LOOP_ROWS_MAX = 6 };

typedef struct sni_condition {
    double value;       ///< m, or rad (exactly so when small)
    sn_wrench gradient; ///< value' = gradient . u; a column of T where the loop is closed
    double bias;        ///< gradient' . u, so that value'' = gradient . u' + bias
    sn_twist direction; ///< in B, of the motion that opens the loop this way
} sni_condition;

/// Fills loop->rows conditions.
void sni_loop_conditions(const sni_loop* loop, sn_pose X_ab, sn_twist u,
                         sni_condition conditions[SN_LOOP_ROWS_MAX]);

#endif
