// SPDX-License-Identifier: Apache-2.0
// Matrices as Siconos' NM_write_in_file has them: storage, rows, columns, then
//   0 dense         rows and columns again, values column by column
//   1 sparse block  blocks, lines and columns of blocks, where those end, sizes of the two index lists,
//                   first block of each line, column of each block, then each block: its number and its
//                   values column by column
//   2 sparse        an origin, a line about CSparse, then "triplet:" with "row column : value", or columns
//                   with "row : value"
#include <stdlib.h>
#include <string.h>

#include "load/contact_parts.h"

enum { STORAGE_DENSE, STORAGE_BLOCKS, STORAGE_SPARSE };

static sn_status add(sni_scan* scan, sni_entries* out, int32_t row, int32_t column, double value) {
    sni_entry entry = {row, column, scan->line, value};
    return sni_entries_add(out, entry) ? SN_OK : sni_scan_no_memory(scan);
}

// ---- dense ------------------------------------------------------------------------------------------

/// `rows` x `columns` values from (row, column) on. Zeros are left out: a place comes once here.
static sn_status read_columns(sni_scan* scan, const char* name, sni_entries* out, int32_t row,
                              int32_t column, int32_t rows, int32_t columns) {
    for (int32_t j = 0; j < columns; j++) {
        for (int32_t i = 0; i < rows; i++) {
            double value;
            sn_status status = sni_scan_number(scan, name, (int64_t)j * rows + i, &value);
            if (!status && value != 0) status = add(scan, out, row + i, column + j, value);
            if (status) return status;
        }
    }
    return SN_OK;
}

static sn_status read_dense(sni_scan* scan, const char* name, sni_entries* out) {
    int32_t again;
    sn_status status = sni_scan_whole(scan, "rows, again", out->rows, out->rows, &again);
    if (!status)
        status = sni_scan_whole(scan, "columns, again", out->columns, out->columns, &again);
    if (!status) status = sni_scan_room(scan, name, (int64_t)out->rows * out->columns);
    return status ? status : read_columns(scan, name, out, 0, 0, out->rows, out->columns);
}

// ---- sparse block -----------------------------------------------------------------------------------

typedef struct block_index {
    int32_t count, lines, columns; ///< blocks, lines of them, columns of them
    int32_t starts;                ///< lines that have a start, and one
    int32_t *line_end, *column_end, *start, *column;
} block_index;

static void block_index_free(block_index* b) {
    free(b->line_end);
    free(b->column_end);
    free(b->start);
    free(b->column);
}

/// Where lines or columns of blocks end: increasing, the last at the end of the matrix.
static sn_status read_ends(sni_scan* scan, const char* name, int32_t count, int32_t size,
                           int32_t** ends) {
    sn_status status = sni_scan_room(scan, name, count);
    if (status) return status;
    *ends = malloc(((size_t)count + 1) * sizeof **ends);
    if (!*ends) return sni_scan_no_memory(scan);
    for (int32_t i = 0; i < count && !status; i++) {
        int32_t before = i ? (*ends)[i - 1] : 0, left = count - 1 - i;
        // Every block after this one takes a row at least; the last ends with the matrix.
        int32_t least = left ? before + 1 : size;
        status = sni_scan_whole(scan, name, least, size - left, &(*ends)[i]);
    }
    return status;
}

static sn_status read_starts(sni_scan* scan, block_index* b) {
    sn_status status = sni_scan_room(scan, "first blocks of the lines", b->starts);
    if (status) return status;
    b->start = malloc(((size_t)b->starts + 1) * sizeof *b->start);
    if (!b->start) return sni_scan_no_memory(scan);
    for (int32_t i = 0; i < b->starts && !status; i++) {
        int32_t least = i ? b->start[i - 1] : 0, most = i ? b->count : 0;
        if (i == b->starts - 1) least = b->count;
        status = sni_scan_whole(scan, "first block of a line", least, most, &b->start[i]);
    }
    return status;
}

static sn_status read_block_columns(sni_scan* scan, block_index* b) {
    sn_status status = sni_scan_room(scan, "columns of the blocks", b->count);
    if (status) return status;
    b->column = malloc(((size_t)b->count + 1) * sizeof *b->column);
    if (!b->column) return sni_scan_no_memory(scan);
    for (int32_t i = 0; i < b->count && !status; i++)
        status = sni_scan_whole(scan, "column of a block", 0, b->columns - 1, &b->column[i]);
    return status;
}

static sn_status read_index(sni_scan* scan, const sni_entries* out, block_index* b) {
    int32_t entries;
    sn_status status = sni_scan_whole(scan, "number of blocks", 0, INT32_MAX, &b->count);
    if (!status) status = sni_scan_whole(scan, "lines of blocks", 1, out->rows, &b->lines);
    if (!status) status = sni_scan_whole(scan, "columns of blocks", 1, out->columns, &b->columns);
    if (!status)
        status = read_ends(scan, "end of a line of blocks", b->lines, out->rows, &b->line_end);
    if (!status)
        status =
            read_ends(scan, "end of a column of blocks", b->columns, out->columns, &b->column_end);
    // Lines without blocks at the end may have no start.
    if (!status) status = sni_scan_whole(scan, "number of starts", 1, b->lines + 1, &b->starts);
    if (!status) status = sni_scan_whole(scan, "number of columns", b->count, b->count, &entries);
    if (!status) status = read_starts(scan, b);
    return status ? status : read_block_columns(scan, b);
}

/// A block given twice would be two sums in one place: refused where the second begins.
static sn_status check_line(const sni_scan* scan, const block_index* b, int32_t line, bool* seen) {
    sn_status status = SN_OK;
    for (int32_t k = b->start[line]; k < b->start[line + 1] && !status; k++) {
        if (seen[b->column[k]])
            status =
                sni_scan_fail(scan,
                              "block %d: expected each place once, found another block in line "
                              "of blocks %d, column %d",
                              (int)k, (int)line, (int)b->column[k]);
        seen[b->column[k]] = true;
    }
    for (int32_t k = b->start[line]; k < b->start[line + 1]; k++) seen[b->column[k]] = false;
    return status;
}

static sn_status check_blocks(const sni_scan* scan, const block_index* b) {
    bool* seen = calloc((size_t)b->columns + 1, sizeof *seen);
    if (!seen) return sni_scan_no_memory(scan);
    sn_status status = SN_OK;
    for (int32_t line = 0; line + 1 < b->starts && !status; line++)
        status = check_line(scan, b, line, seen);
    free(seen);
    return status;
}

static sn_status read_blocks(sni_scan* scan, const char* name, sni_entries* out,
                             const block_index* b) {
    for (int32_t line = 0; line + 1 < b->starts; line++) {
        int32_t row = line ? b->line_end[line - 1] : 0;
        for (int32_t k = b->start[line]; k < b->start[line + 1]; k++) {
            int32_t at = b->column[k], column = at ? b->column_end[at - 1] : 0, number;
            sn_status status = sni_scan_whole(scan, "number of a block", k, k, &number);
            if (!status)
                status = read_columns(scan, name, out, row, column, b->line_end[line] - row,
                                      b->column_end[at] - column);
            if (status) return status;
        }
    }
    return SN_OK;
}

static sn_status read_sparse_block(sni_scan* scan, const char* name, sni_entries* out) {
    block_index index = {0};
    sn_status status = read_index(scan, out, &index);
    if (!status) status = check_blocks(scan, &index);
    if (!status) status = read_blocks(scan, name, out, &index);
    block_index_free(&index);
    return status;
}

// ---- sparse -----------------------------------------------------------------------------------------

static bool is_word(sni_word word, const char* text) {
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

/// Up to the number of entries: "[triplet:] 3-by-3, nzmax: 16 nnz: 9".
static sn_status read_sparse_head(sni_scan* scan, bool* triplets, int32_t* count) {
    sni_word word;
    int32_t room;
    sni_scan ahead = *scan;
    if (sni_scan_next(&ahead, &word) && !is_word(word, "CSparse")) *scan = ahead; // the origin
    sn_status status = sni_scan_word(scan, "CSparse");
    if (status) return status;
    sni_scan_skip_line(scan);
    *triplets = sni_scan_next(scan, &word) && is_word(word, "triplet:");
    if (*triplets) (void)sni_scan_next(scan, &word); // the size, which is known
    status = sni_scan_word(scan, "nzmax:");
    if (!status) status = sni_scan_whole(scan, "room for entries", 0, INT32_MAX, &room);
    if (!status) status = sni_scan_word(scan, "nnz:");
    if (!status) status = sni_scan_whole(scan, "number of entries", 0, INT32_MAX, count);
    return status;
}

static sn_status read_triplets(sni_scan* scan, const char* name, sni_entries* out, int32_t count) {
    sn_status status = sni_scan_room(scan, name, 4 * (int64_t)count);
    for (int32_t k = 0; k < count && !status; k++) {
        int32_t row, column;
        double value = 0;
        status = sni_scan_whole(scan, "row", 0, out->rows - 1, &row);
        if (!status) status = sni_scan_whole(scan, "column", 0, out->columns - 1, &column);
        if (!status) status = sni_scan_word(scan, ":");
        if (!status) status = sni_scan_number(scan, name, k, &value);
        if (!status) status = add(scan, out, row, column, value);
    }
    return status;
}

/// "col 2 : locations 6 to 8" and as many lines "row : value".
static sn_status read_column(sni_scan* scan, const char* name, sni_entries* out, int32_t column,
                             int32_t count, int32_t* done) {
    int32_t number, last;
    sn_status status = sni_scan_word(scan, "col");
    if (!status) status = sni_scan_whole(scan, "column", column, column, &number);
    if (!status) status = sni_scan_word(scan, ":");
    if (!status) status = sni_scan_word(scan, "locations");
    if (!status) status = sni_scan_whole(scan, "first place", *done, *done, &number);
    if (!status) status = sni_scan_word(scan, "to");
    if (!status) status = sni_scan_whole(scan, "last place", *done - 1, count - 1, &last);
    for (; !status && *done <= last; *done += 1) {
        int32_t row;
        double value = 0;
        status = sni_scan_whole(scan, "row", 0, out->rows - 1, &row);
        if (!status) status = sni_scan_word(scan, ":");
        if (!status) status = sni_scan_number(scan, name, *done, &value);
        if (!status) status = add(scan, out, row, column, value);
    }
    return status;
}

static sn_status read_sparse(sni_scan* scan, const char* name, sni_entries* out) {
    bool triplets = false;
    int32_t count = 0, done = 0;
    double norm;
    sn_status status = read_sparse_head(scan, &triplets, &count);
    if (status || triplets) return status ? status : read_triplets(scan, name, out, count);
    status = sni_scan_word(scan, "1-norm:");
    if (!status) status = sni_scan_number(scan, "norm", -1, &norm);
    for (int32_t column = 0; column < out->columns && !status; column++)
        status = read_column(scan, name, out, column, count, &done);
    if (!status && done != count)
        status =
            sni_scan_fail(scan, "%s: expected %d entries, found %d", name, (int)count, (int)done);
    return status;
}

sn_status sni_siconos_matrix(sni_scan* scan, const char* name, sni_entries* entries) {
    int32_t storage;
    *entries = (sni_entries){0};
    sn_status status =
        sni_scan_whole(scan, "storage of a matrix (0 dense, 1 sparse block, 2 sparse)",
                       STORAGE_DENSE, STORAGE_SPARSE, &storage);
    if (!status)
        status = sni_scan_whole(scan, "rows of a matrix", 1, SN_CONTACT_FILE_ROWS, &entries->rows);
    if (!status)
        status =
            sni_scan_whole(scan, "columns of a matrix", 1, SN_CONTACT_FILE_ROWS, &entries->columns);
    if (status) return status;
    switch (storage) {
    case STORAGE_DENSE: return read_dense(scan, name, entries);
    case STORAGE_BLOCKS: return read_sparse_block(scan, name, entries);
    default: return read_sparse(scan, name, entries);
    }
}
