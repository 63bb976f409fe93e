// SPDX-License-Identifier: Apache-2.0
/// Rigid groups: bodies whose joints are locked at rest move with their parent as one.
///
/// Which body belongs where changes only when joints are locked or freed or the state is set, so a
/// snapshot keeps its own copy and renews it when the version differs.
#ifndef SN_SIM_GROUPS_H
#define SN_SIM_GROUPS_H

#include "dynamics/sn_dynamics.h"

typedef struct sni_groups {
    uint64_t version;  ///< changes with the rest
    int32_t count;     ///< groups
    int32_t* group_of; // [body_count]
    int32_t* leader;   // [count] of [body_count] body whose frame is the group's
    bool* held;        // [body_count] its joint is locked at rest
    sn_pose* offset;   // [body_count] body in its group, user's body frames
} sni_groups;

void sni_groups_layout(sni_groups* groups, sni_arena* arena, const sn_model* model);
/// Finds the groups of the state the dynamics holds.
void sni_groups_find(sni_groups* groups, const sn_dynamics* dynamics);
void sni_groups_copy(sni_groups* to, const sni_groups* from, const sn_model* model);

#endif
