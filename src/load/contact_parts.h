// SPDX-License-Identifier: Apache-2.0
/// What contact problems are made of on their way from a file, or into one: entries of sparse matrices
/// with their lines, 3 x 3 blocks of W, and a problem of point contacts.
#ifndef SN_LOAD_CONTACT_PARTS_H
#define SN_LOAD_CONTACT_PARTS_H

#include "load/scan.h"
#include "load/sn_load.h"
#include "sinew/contact_file.h"

/// Most rows of a matrix in a file: indices stay far from the end of int32_t.
#define SN_CONTACT_FILE_ROWS ((int32_t)1 << 28)

typedef struct sni_entry {
    int32_t row, column;
    int32_t line; ///< of the file
    double value;
} sni_entry;

/// A sparse matrix as a list. Start from {0}; free `at` with free.
typedef struct sni_entries {
    int32_t rows, columns;
    sni_entry* at;
    int64_t count, capacity;
} sni_entries;

/// False without memory.
bool sni_entries_add(sni_entries* entries, sni_entry entry);
/// Sorts by blocks of `block` rows and columns, line of blocks by line of blocks, within a block by row;
/// fails when a place is given twice.
sn_status sni_entries_sort(sni_entries* entries, int32_t block, const sni_scan* scan,
                           const char* name);

typedef struct sni_block {
    int32_t row, column; ///< contacts
    double value[9];     ///< row-major
} sni_block;

typedef struct sni_blocks {
    sni_block* at;
    int64_t count, capacity;
} sni_blocks;

bool sni_blocks_add(sni_blocks* blocks, const sni_block* block);
/// Sorts by row and column and adds those of one place up, in the order in which they came.
/// False without memory.
bool sni_blocks_sum(sni_blocks* blocks);
/// From entries that were sorted with block 3.
bool sni_blocks_from_entries(sni_blocks* blocks, const sni_entries* entries);

/// Point contacts with one coefficient each: what a file can hold. Start from {0}.
typedef struct sni_points {
    int32_t count;
    double *mu, *q;    ///< [count], [3 count]
    sni_blocks blocks; ///< sorted, one of a place
} sni_points;

/// Takes memory for mu and q. False without memory.
bool sni_points_take(sni_points* points, int32_t count);
void sni_points_free(sni_points* points);
/// mu, in a file where they come together: none negative.
sn_status sni_points_scan_mu(sni_points* points, sni_scan* scan);
sn_status sni_points_to_problem(const sni_points* points, sn_contact_problem** problem);

// ---- readers ----------------------------------------------------------------------------------------

/// Both leave what they took in points, also after a failure.
sn_status sni_fc3d_read(sni_scan* scan, sni_points* points);
sn_status sni_siconos_read(sni_scan* scan, sni_points* points);

/// A matrix as Siconos writes it: dense, sparse block or sparse.
sn_status sni_siconos_matrix(sni_scan* scan, const char* name, sni_entries* entries);

/// A global problem: M v = H r + f, u = H' v + w. M and H were sorted with block 1.
typedef struct sni_global {
    sni_entries M, H;
    double *f, *w; ///< [rows of M], [columns of H]
} sni_global;

/// W = H' M^-1 H into the blocks, q = H' M^-1 f + w. M may be asymmetric; its parts that are not connected
/// are solved apart.
sn_status sni_global_reduce(const sni_global* global, const sni_scan* scan, sni_points* points);

static inline sn_status sni_scan_no_memory(const sni_scan* scan) {
    sn_place place = {scan->file, 0, 0};
    return sni_fail(scan->error, SN_ERR_MEMORY, place, "not enough memory");
}

#endif
