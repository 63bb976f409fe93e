// SPDX-License-Identifier: Apache-2.0
/// Pieces of Siconos' format that both of its problems need.
#ifndef SN_LOAD_CONTACT_WRITE_H
#define SN_LOAD_CONTACT_WRITE_H

#include "load/text.h"
#include "sinew/contact_file.h"

/// A sparse block matrix as it is written: its blocks line by line, columns increasing.
typedef struct sni_block_matrix {
    int32_t lines, columns;               ///< of blocks
    const int32_t *line_end, *column_end; ///< last row, last column of each, and one
    int64_t count;
    const int64_t* start;  ///< [lines + 1] first block of a line
    const int32_t* column; ///< [count]
    const int64_t* offset; ///< [count] first number of the block
    const double* value;   ///< each block row-major
} sni_block_matrix;

void sni_put_block_matrix(sni_text* out, const sni_block_matrix* A);
/// Numbers on one line.
void sni_put_line(sni_text* out, int64_t count, const double* values);

/// Siconos' global problem, of a problem by bodies.
sn_status sni_put_global(sni_text* out, const sn_contact_problem* problem, sn_error* error);

#endif
