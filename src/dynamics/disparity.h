// SPDX-License-Identifier: Apache-2.0
/// Neighbours of very different mass. A light body between heavy ones has a large inverse inertia that
/// must cancel: methods built on inverse inertias lose as many digits as the ratio of masses has.
#ifndef SN_DYNAMICS_DISPARITY_H
#define SN_DYNAMICS_DISPARITY_H

#include "model/sn_model.h"

typedef struct sni_disparity {
    double ratio;         ///< of the masses of a joint's two bodies, the largest; 1: none
    int32_t light, heavy; ///< bodies
} sni_disparity;

sni_disparity sni_disparity_of(const sn_model* model);

/// From here on the user is told.
#define SNI_DISPARITY_WARN 1e4
/// Beyond this no refinement helps: another method is used.
#define SNI_DISPARITY_MOST 1e6
/// Below this nothing is lost that matters.
#define SNI_DISPARITY_NONE 1e2

#endif
