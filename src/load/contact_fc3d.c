// SPDX-License-Identifier: Apache-2.0
// Plain contact problems, .fc3d: comments from # on; contacts, rows and entries of W; mu; q; then an entry
// of W a line, "row column value", counted from 0.
#include <stdlib.h>

#include "load/contact_parts.h"

static sn_status read_entries(sni_scan* scan, int32_t rows, int32_t count, sni_entries* W) {
    *W = (sni_entries){.rows = rows, .columns = rows};
    for (int32_t k = 0; k < count; k++) {
        sni_entry entry;
        sn_status status = sni_scan_whole(scan, "row of W", 0, rows - 1, &entry.row);
        if (!status) status = sni_scan_whole(scan, "column of W", 0, rows - 1, &entry.column);
        if (!status) status = sni_scan_number(scan, "W", k, &entry.value);
        if (status) return status;
        entry.line = scan->line;
        if (!sni_entries_add(W, entry)) return sni_scan_no_memory(scan);
    }
    return SN_OK;
}

static sn_status read_matrix(sni_scan* scan, sni_points* points, int32_t count) {
    sni_entries W;
    sn_status status = read_entries(scan, 3 * points->count, count, &W);
    if (!status) status = sni_entries_sort(&W, 3, scan, "W");
    if (!status && !sni_blocks_from_entries(&points->blocks, &W)) status = sni_scan_no_memory(scan);
    free(W.at);
    return status;
}

sn_status sni_fc3d_read(sni_scan* scan, sni_points* points) {
    int32_t count, rows, entries;
    scan->comments = true;
    sn_status status =
        sni_scan_whole(scan, "number of contacts", 0, SN_CONTACT_FILE_ROWS / 3, &count);
    if (!status) status = sni_scan_whole(scan, "rows, 3 a contact", 3 * count, 3 * count, &rows);
    if (!status) status = sni_scan_whole(scan, "entries of W", 0, INT32_MAX, &entries);
    if (!status)
        status = sni_scan_room(scan, "mu, q and W", 4 * (int64_t)count + 3 * (int64_t)entries);
    if (status) return status;
    if (!sni_points_take(points, count)) return sni_scan_no_memory(scan);
    status = sni_points_scan_mu(points, scan);
    if (!status) status = sni_scan_numbers(scan, "q", rows, points->q);
    if (!status) status = read_matrix(scan, points, entries);
    sni_word word;
    if (!status && sni_scan_next(scan, &word))
        status = sni_scan_fail(
            scan, "expected the end of the file after %d entries of W, found more", (int)entries);
    return status;
}
