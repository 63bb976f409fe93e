// SPDX-License-Identifier: Apache-2.0
// Siconos' .dat files: dimension, number of contacts, then
//   local   W, q, mu                     a number behind it (a flag) is not looked at
//   global  M, H, f, w, mu
// A file does not say which of the two it is; what follows the first matrix tells.
#include <stdlib.h>

#include "load/contact_parts.h"

/// A second matrix follows that fits beside the first: then that is M, this is H. Of a local problem only
/// q and mu, four numbers a contact, and a flag can follow; a global one has more, always.
static bool is_global(const sni_scan* scan, const sni_entries* first, int32_t contacts) {
    sni_scan ahead = *scan, silent = *scan;
    sn_error ignored;
    int32_t storage, rows, columns;
    ahead.error = silent.error = &ignored;
    if (first->rows == 3 * contacts && sni_scan_left(&silent) <= 4 * (int64_t)contacts + 1)
        return false;
    return sni_scan_whole(&ahead, "", 0, 2, &storage) == SN_OK &&
           sni_scan_whole(&ahead, "", first->rows, first->rows, &rows) == SN_OK &&
           sni_scan_whole(&ahead, "", 3 * contacts, 3 * contacts, &columns) == SN_OK;
}

static sn_status check_square(const sni_scan* scan, const sni_entries* A, int line) {
    if (A->rows == A->columns) return SN_OK;
    sni_scan there = *scan;
    there.line = line;
    return sni_scan_fail(&there, "first matrix: expected as many rows as columns, found %d x %d",
                         (int)A->rows, (int)A->columns);
}

static sn_status read_local(sni_scan* scan, sni_entries* W, int line, sni_points* points) {
    if (W->rows != 3 * points->count) {
        sni_scan there = *scan;
        there.line = line;
        return sni_scan_fail(
            &there,
            "W: expected %d rows for %d contacts (or M of a global problem, followed "
            "by H with %d rows and %d columns), found %d",
            3 * points->count, (int)points->count, (int)W->rows, 3 * points->count, (int)W->rows);
    }
    sn_status status = sni_scan_room(scan, "q and mu", 4 * (int64_t)points->count);
    if (!status) status = sni_entries_sort(W, 3, scan, "W");
    if (status) return status;
    if (!sni_points_take(points, points->count) || !sni_blocks_from_entries(&points->blocks, W))
        return sni_scan_no_memory(scan);
    return sni_scan_numbers(scan, "q", 3 * (int64_t)points->count, points->q);
}

static sn_status read_vectors(sni_scan* scan, sni_global* global, sni_points* points) {
    int64_t n = global->M.rows, rows = 3 * (int64_t)points->count;
    sn_status status = sni_scan_room(scan, "q, b and mu", n + rows + points->count);
    if (status) return status;
    global->f = malloc(((size_t)n + 1) * sizeof *global->f);
    global->w = malloc(((size_t)rows + 1) * sizeof *global->w);
    if (!global->f || !global->w || !sni_points_take(points, points->count))
        return sni_scan_no_memory(scan);
    status = sni_scan_numbers(scan, "q", n, global->f);
    return status ? status : sni_scan_numbers(scan, "b", rows, global->w);
}

static sn_status read_global(sni_scan* scan, sni_entries* M, sni_points* points) {
    sni_global global = {.M = *M};
    *M = (sni_entries){0}; // global's from here
    sn_status status = sni_siconos_matrix(scan, "H", &global.H);
    if (!status) status = sni_entries_sort(&global.M, 1, scan, "M");
    if (!status) status = sni_entries_sort(&global.H, 1, scan, "H");
    if (!status) status = read_vectors(scan, &global, points);
    if (!status) status = sni_global_reduce(&global, scan, points);
    free(global.M.at);
    free(global.H.at);
    free(global.f);
    free(global.w);
    return status;
}

/// Nothing but one more number, a flag of Siconos, may follow.
static sn_status read_end(sni_scan* scan) {
    sni_word word;
    double flag;
    sni_scan ahead = *scan;
    if (!sni_scan_next(&ahead, &word)) return SN_OK;
    sn_status status = sni_scan_number(scan, "flag at the end", -1, &flag);
    if (!status && sni_scan_next(scan, &word))
        status = sni_scan_fail(scan, "expected the end of the file after mu, found more");
    return status;
}

sn_status sni_siconos_read(sni_scan* scan, sni_points* points) {
    int32_t dimension, contacts;
    sni_entries first;
    sn_status status = sni_scan_whole(scan, "dimension of a contact", 1, 9, &dimension);
    if (!status && dimension != 3)
        status =
            sni_scan_fail(scan, "dimension of a contact: expected 3, found %d", (int)dimension);
    if (!status)
        status = sni_scan_whole(scan, "number of contacts", 1, SN_CONTACT_FILE_ROWS / 3, &contacts);
    if (!status) status = sni_scan_room(scan, "q and mu", 4 * (int64_t)contacts);
    if (status) return status;
    points->count = contacts;
    sni_scan head = *scan; // for the line of the matrix' size
    sni_word word;
    for (int i = 0; i < 3; i++) (void)sni_scan_next(&head, &word);
    status = sni_siconos_matrix(scan, "W (or M)", &first);
    if (!status) status = check_square(scan, &first, head.line);
    if (!status && is_global(scan, &first, contacts))
        status = read_global(scan, &first, points);
    else if (!status)
        status = read_local(scan, &first, head.line, points);
    free(first.at);
    if (!status) status = sni_points_scan_mu(points, scan);
    return status ? status : read_end(scan);
}
