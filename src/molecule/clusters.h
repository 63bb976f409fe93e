// SPDX-License-Identifier: Apache-2.0
/// An order of atoms in which neighbours follow each other, so that every eight of them, and every four and every 64,
/// fill a small box.
#ifndef SN_MOLECULE_CLUSTERS_H
#define SN_MOLECULE_CLUSTERS_H

#include <stdint.h>

#include "sinew/math.h"

enum {
    SNI_CLUSTER_I = 4,    ///< atoms on one side of a pair of clusters: rows
    SNI_CLUSTER_J = 8,    ///< atoms on the other: lanes
    SNI_CLUSTER_SUPER = 8 ///< J clusters in a group that is looked at as a whole first
};

/// Sorts the atoms in order[0 .. count). The same positions give the same order. Realtime: yes.
void sni_clusters_sort(const sn_vec3* p, int32_t* order, int32_t count);

#endif
