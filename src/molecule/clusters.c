// SPDX-License-Identifier: Apache-2.0
// A k-d tree whose leaves are clusters: halves along the longest side, at multiples of whole clusters.
#include "molecule/clusters.h"

#include <stdbool.h>

static double coordinate(const sn_vec3* p, int axis) {
    return axis == 0 ? p->x : axis == 1 ? p->y : p->z;
}

/// By coordinate, then by number, so that no two are equal.
static bool before(const sn_vec3* p, int axis, int32_t a, int32_t b) {
    double x = coordinate(&p[a], axis), y = coordinate(&p[b], axis);
    return x < y || (x == y && a < b);
}

static void swap(int32_t* a, int32_t* b) {
    int32_t t = *a;
    *a = *b, *b = t;
}

/// Moves the k smallest of order[0 .. count) to its front.
static void select_smallest(const sn_vec3* p, int axis, int32_t* order, int32_t count, int32_t k) {
    int32_t low = 0, high = count - 1;
    while (low < high) {
        int32_t pivot = order[low + (high - low) / 2];
        int32_t i = low, j = high;
        while (i <= j) {
            while (before(p, axis, order[i], pivot)) ++i;
            while (before(p, axis, pivot, order[j])) --j;
            if (i <= j) swap(&order[i++], &order[j--]);
        }
        if (k <= j) {
            high = j;
        } else if (k >= i) {
            low = i;
        } else {
            return;
        }
    }
}

static int longest_side(const sn_vec3* p, const int32_t* order, int32_t count) {
    sn_vec3 low = p[order[0]], high = low;
    for (int32_t i = 1; i < count; ++i) {
        sn_vec3 x = p[order[i]];
        low = sn_vec3_make(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = sn_vec3_make(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    sn_vec3 side = sn_vec3_sub(high, low);
    if (side.x >= side.y && side.x >= side.z) return 0;
    return side.y >= side.z ? 1 : 2;
}

// Halves until at most four are left; the parts are whole clusters of the largest size that fits.
void sni_clusters_sort(const sn_vec3* p, int32_t* order, int32_t count) {
    while (count > SNI_CLUSTER_I) {
        int32_t unit = SNI_CLUSTER_I;
        if (count > SNI_CLUSTER_J) unit = SNI_CLUSTER_J;
        if (count > SNI_CLUSTER_J * SNI_CLUSTER_SUPER) unit = SNI_CLUSTER_J * SNI_CLUSTER_SUPER;
        int32_t half = (count + unit - 1) / unit / 2 * unit;
        select_smallest(p, longest_side(p, order, count), order, count, half);
        sni_clusters_sort(p, order, half);
        order += half;
        count -= half;
    }
}
