// SPDX-License-Identifier: Apache-2.0
// The doors for contact problems: a file or a text comes in, a problem goes out.
#include "sinew/contact_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "load/contact_parts.h"
#include "load/file.h"

static bool is_named(const sni_scan* scan, const char* ending) {
    size_t length = strlen(scan->file), tail = strlen(ending);
    return length >= tail && strcmp(scan->file + length - tail, ending) == 0;
}

/// Plain problems start with a comment, or with a line of three numbers, the second of which is three times
/// the first; Siconos has the dimension and the number of contacts there. Where three numbers do not fit, the
/// name tells what was meant.
static bool is_fc3d(const sni_scan* scan) {
    sni_scan ahead = *scan, again = *scan;
    sn_error ignored;
    sni_word word;
    int32_t contacts, rows;
    if (!sni_scan_next(&ahead, &word) || word.text[0] == '#') return true;
    int line = ahead.line, words = 1;
    while (sni_scan_next(&ahead, &word) && ahead.line == line) words += 1;
    if (words != 3) return false;
    again.error = &ignored;
    bool fits = sni_scan_whole(&again, "", 0, SN_CONTACT_FILE_ROWS / 3, &contacts) == SN_OK &&
                sni_scan_whole(&again, "", 3 * contacts, 3 * contacts, &rows) == SN_OK;
    return fits || is_named(scan, ".fc3d");
}

static sn_status check_text(const sni_scan* scan) {
    static const char HDF5[] = "\x89HDF\r\n\x1a\n";
    sn_place place = {scan->file, 0, 0};
    if (scan->length > SN_FILE_LIMIT)
        return sni_fail(scan->error, SN_ERR_FILE, place, "%s", SN_FILE_TOO_LARGE);
    if (scan->length >= 8 && memcmp(scan->text, HDF5, 8) == 0)
        return sni_fail(scan->error, SN_ERR_FORMAT, place,
                        "an HDF5 file (FCLIB), which is not read; have Siconos write it as .dat");
    sni_scan ahead = *scan;
    sni_word word;
    if (!sni_scan_next(&ahead, &word))
        return sni_fail(scan->error, SN_ERR_FORMAT, place,
                        "the file is empty; give a contact problem, .fc3d or Siconos' .dat");
    return SN_OK;
}

static sn_status read_problem(sni_scan* scan, sn_contact_problem** problem) {
    sni_points points = {0};
    sn_status status =
        is_fc3d(scan) ? sni_fc3d_read(scan, &points) : sni_siconos_read(scan, &points);
    if (!status && sni_points_to_problem(&points, problem) != SN_OK)
        status = sni_scan_no_memory(scan);
    sni_points_free(&points);
    sn_error reason = {0};
    if (!status && (status = sn_contact_check(*problem, &reason)) != SN_OK) {
        sn_place place = {scan->file, 0, 0};
        sn_contact_problem_free(*problem);
        *problem = NULL;
        return sni_fail(scan->error, status, place, "%s", reason.text);
    }
    return status;
}

sn_status sn_contact_problem_load_memory(const char* text, size_t length, const char* name,
                                         sn_contact_problem** problem, sn_error* error) {
    if (problem) *problem = NULL;
    if (!problem || (!text && length > 0))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "sn_contact_problem_load_memory needs a text and a place for the problem");
    sni_scan scan = {.file = name && *name ? name : "memory",
                     .text = text ? text : "",
                     .length = length,
                     .line = 1,
                     .error = error};
    sn_status status = check_text(&scan);
    if (status) return status;
    char* copy = malloc(length + 1); // numbers are read up to the end of a string
    sni_number_scope scope;
    if (!copy || !sni_number_scope_begin(&scope)) {
        free(copy);
        return sni_scan_no_memory(&scan);
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    scan.text = copy;
    status = read_problem(&scan, problem);
    sni_number_scope_end(&scope);
    free(copy);
    return status;
}

sn_status sn_contact_problem_load(const char* path, sn_contact_problem** problem, sn_error* error) {
    if (problem) *problem = NULL;
    if (!problem || !path)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "sn_contact_problem_load needs a path and a place for the problem");
    char* text;
    size_t length;
    sn_status status = sni_file_read(path, &text, &length, error);
    if (!status) status = sn_contact_problem_load_memory(text, length, path, problem, error);
    free(text);
    return status;
}
