// SPDX-License-Identifier: Apache-2.0
/// Groups as dense matrices, for the methods that are here to be compared with: simple, O(rows^2) each.
///
/// What is returned is the best r that was ever shown to sni_dense_offer.
#ifndef SN_CONTACT_DENSE_H
#define SN_CONTACT_DENSE_H

#include "contact/sn_contact.h"

typedef struct sni_dense_group {
    int32_t n;       ///< rows
    double* W;       // [n x n] row-major
    const double* q; // [n]
    double* r;       // [n] the impulse the method is improving; within the cones when opened
    double* best;    // [n]
    double least;    ///< defect of best
} sni_dense_group;

typedef struct sni_dense {
    sni_dense_group* group; // [contacts]
    bool* done;             // [contacts] for sni_rounds_run
    double* W;              // [rows x rows] all groups'
    double *r, *best;       // [rows]
    double* u;              // [rows] of one group at a time
} sni_dense;

void sni_dense_layout(sni_dense* dense, const sn_contact_capacity* capacity, sni_arena* arena);
/// Fills all groups, and offers what they start from.
void sni_dense_open(sni_dense* dense, const sni_solve* solve);
/// u = W r + q of rows first .. last - 1, into u[0 ..].
void sni_dense_rows(const sni_dense_group* group, const double* r, int32_t first, int32_t last,
                    double* u);
/// Keeps r if it is the best so far. True: it solves the group.
bool sni_dense_offer(sni_dense* dense, const sni_solve* solve, int32_t g, const double* r);
/// Hands the best impulses to the groups.
void sni_dense_close(const sni_dense* dense, const sni_solve* solve);

/// Whether nothing moves along a row, so that no impulse there can help.
bool sni_dense_is_still(const sni_dense_group* group, int32_t row);
/// W = (W + W')/2; returns the largest |W - W'| over the largest |W|.
double sni_dense_symmetrise(sni_dense_group* group);

#endif
