// SPDX-License-Identifier: Apache-2.0
// Problem -> text that contact_file.c reads back, to the last bit of every number.
#include "load/contact_write.h"

#include <stdlib.h>

#include "base/number.h"
#include "load/contact_express.h"

void sni_put_line(sni_text* out, int64_t count, const double* values) {
    for (int64_t i = 0; i < count; i++) {
        if (i) sni_text_add(out, " ");
        sni_text_number(out, values[i]);
    }
    sni_text_add(out, "\n");
}

static void put_wholes(sni_text* out, int64_t count, const int32_t* values) {
    for (int64_t i = 0; i < count; i++) sni_text_add(out, "%d ", (int)values[i]);
    sni_text_add(out, "\n");
}

// ---- plain ------------------------------------------------------------------------------------------

static int64_t count_entries(const sni_blocks* blocks) {
    int64_t count = 0;
    for (int64_t k = 0; k < blocks->count; k++)
        for (int e = 0; e < 9; e++) count += blocks->at[k].value[e] != 0;
    return count;
}

static void put_fc3d(sni_text* out, const sni_points* points) {
    sni_text_add(out,
                 "# fc3d: contacts, rows, entries of W; mu; q; row column value of W (from 0), "
                 "u = W r + q, rows (normal, tangent 1, tangent 2)\n");
    sni_text_add(out, "%d %d %lld\n", (int)points->count, 3 * (int)points->count,
                 (long long)count_entries(&points->blocks));
    sni_put_line(out, points->count, points->mu);
    sni_put_line(out, 3 * (int64_t)points->count, points->q);
    for (int64_t k = 0; k < points->blocks.count; k++) {
        const sni_block* block = &points->blocks.at[k];
        for (int e = 0; e < 9; e++) {
            if (block->value[e] == 0) continue;
            sni_text_add(out, "%d %d ", 3 * (int)block->row + e / 3,
                         3 * (int)block->column + e % 3);
            sni_text_number(out, block->value[e]);
            sni_text_add(out, "\n");
        }
    }
}

// ---- Siconos ----------------------------------------------------------------------------------------

static void put_block(sni_text* out, const double* value, int32_t rows, int32_t columns) {
    for (int32_t j = 0; j < columns; j++) {
        for (int32_t i = 0; i < rows; i++) {
            sni_text_number(out, value[(int64_t)i * columns + j]);
            sni_text_add(out, "\n");
        }
    }
}

void sni_put_block_matrix(sni_text* out, const sni_block_matrix* A) {
    sni_text_add(out, "1\n%d\n%d\n%lld\n%d\n%d\n", (int)A->line_end[A->lines - 1],
                 (int)A->column_end[A->columns - 1], (long long)A->count, (int)A->lines,
                 (int)A->columns);
    put_wholes(out, A->lines, A->line_end);
    put_wholes(out, A->columns, A->column_end);
    sni_text_add(out, "%d\n%lld\n", (int)A->lines + 1, (long long)A->count);
    for (int32_t i = 0; i <= A->lines; i++) sni_text_add(out, "%lld ", (long long)A->start[i]);
    sni_text_add(out, "\n");
    put_wholes(out, A->count, A->column);
    for (int32_t i = 0; i < A->lines; i++) {
        int32_t rows = A->line_end[i] - (i ? A->line_end[i - 1] : 0);
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++) {
            int32_t j = A->column[k];
            sni_text_add(out, "%lld\n", (long long)k);
            put_block(out, A->value + A->offset[k], rows,
                      A->column_end[j] - (j ? A->column_end[j - 1] : 0));
        }
    }
}

/// W of a loaded problem or of one that looks like it: all blocks are 3 x 3.
static bool put_points(sni_text* out, const sn_contact_problem* problem) {
    const sn_contact_matrix* W = &problem->matrix;
    int64_t* start = malloc(((size_t)problem->count + 1) * sizeof *start);
    if (!start) return false;
    for (int32_t i = 0; i <= problem->count; i++) start[i] = W->start[i];
    sni_block_matrix blocks = {problem->count,
                               problem->count,
                               problem->first + 1,
                               problem->first + 1,
                               start[problem->count],
                               start,
                               W->column,
                               W->offset,
                               W->value};
    sni_text_add(out, "3\n%d\n", (int)problem->count);
    sni_put_block_matrix(out, &blocks);
    sni_put_line(out, sn_contact_rows(problem), problem->q);
    for (int32_t i = 0; i < problem->count; i++) {
        if (i) sni_text_add(out, " ");
        sni_text_number(out, problem->law[i].mu);
    }
    sni_text_add(out, "\n");
    free(start);
    return true;
}

static sn_status put_siconos(sni_text* out, const sni_points* points, sn_error* error) {
    sn_contact_problem* problem = NULL;
    if (points->count == 0)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "the problem has no contact; Siconos' files need one");
    bool good = sni_points_to_problem(points, &problem) == SN_OK && put_points(out, problem);
    sn_contact_problem_free(problem);
    return good ? SN_OK : sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
}

// ---- doors ------------------------------------------------------------------------------------------

static sn_status put_local(sni_text* out, const sn_contact_problem* problem,
                           sn_contact_format format, sn_error* error) {
    sni_points points = {0};
    sn_status status = sni_express_check(problem, true, error);
    if (!status) status = sni_express(problem, &points, error);
    if (!status && format == SN_CONTACT_FC3D)
        put_fc3d(out, &points);
    else if (!status)
        status = put_siconos(out, &points, error);
    sni_points_free(&points);
    return status;
}

sn_status sn_contact_problem_write(const sn_contact_problem* problem, sn_contact_format format,
                                   char** text, sn_error* error) {
    if (text) *text = NULL;
    if (!problem || !text || (int)format < SN_CONTACT_FC3D || format > SN_CONTACT_SICONOS_GLOBAL)
        return sni_fail(
            error, SN_ERR_ARGUMENT, sni_nowhere(),
            "sn_contact_problem_write needs a problem, a format and a place for the text");
    sn_status status = sn_contact_check(problem, error);
    sni_number_scope scope;
    if (status) return status;
    if (!sni_number_scope_begin(&scope))
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    sni_text out = {0};
    status = format == SN_CONTACT_SICONOS_GLOBAL ? sni_put_global(&out, problem, error)
                                                 : put_local(&out, problem, format, error);
    sni_number_scope_end(&scope);
    if (!status && out.failed)
        status = sni_fail(error, SN_ERR_MEMORY, sni_nowhere(),
                          "not enough memory to write the problem as text");
    if (status)
        free(out.bytes);
    else
        *text = out.bytes;
    return status;
}
