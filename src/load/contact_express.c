// SPDX-License-Identifier: Apache-2.0
// With rows E of equalities (u_E = 0) and the others N:
//   W' = W_NN - W_NE W_EE^-1 W_EN ,   q' = q_N - W_NE W_EE^-1 q_E
// which is what Gauss' elimination of the rows E leaves in the rows N.
#include "load/contact_express.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A dense W of at most 4096 rows, 128 MB.
static const int64_t DENSE_MOST = (int64_t)1 << 24;
// Pivots below this part of the largest entry among equalities are what rounding leaves of redundant ones.
static const double RANK = 1e-12;
// What rounding may leave of a redundant row, in parts of the largest entries before.
static const double LEFT_OVER = 1e-9;

static sn_status no_memory(sn_error* error) {
    return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory to write the problem");
}

// ---- what can be told -------------------------------------------------------------------------------

static const char* trouble_of(const sn_contact_law* law, bool equal) {
    switch (law->kind) {
    case SN_CONTACT_POINT:
        if (law->viscous != 0) return "has viscous friction";
        if (law->mu_kinetic != law->mu) return "has friction that depends on the speed";
        return NULL;
    case SN_CONTACT_LIMIT: return NULL;
    case SN_CONTACT_EQUAL: return equal ? NULL : "is an equality";
    case SN_CONTACT_PATCH: return "is a patch, with friction moments";
    case SN_CONTACT_DRY: return "is dry friction of a joint";
    case SN_CONTACT_KIND_COUNT: break;
    }
    return "is of no known kind";
}

sn_status sni_express_check(const sn_contact_problem* problem, bool equal, sn_error* error) {
    for (int32_t i = 0; i < problem->count; i++) {
        const char* trouble = trouble_of(&problem->law[i], equal);
        if (trouble)
            return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                            "contact %d %s, which this format cannot hold; leave it out%s", (int)i,
                            trouble, equal ? "" : ", or write a local problem");
    }
    return SN_OK;
}

// ---- places -----------------------------------------------------------------------------------------

/// Which contacts stay, and under which number.
typedef struct places {
    int32_t* number; ///< [count] of each contact among those that stay; -1: eliminated
    int32_t kept;
} places;

static bool places_make(const sn_contact_problem* problem, places* p) {
    *p = (places){malloc(((size_t)problem->count + 1) * sizeof *p->number), 0};
    for (int32_t i = 0; p->number && i < problem->count; i++)
        p->number[i] = problem->law[i].kind == SN_CONTACT_EQUAL ? -1 : p->kept++;
    return p->number != NULL;
}

/// A block on every place of the diagonal, which other solvers count on.
static bool add_diagonals(sni_points* points) {
    for (int32_t i = 0; i < points->count; i++) {
        sni_block zero = {i, i, {0}};
        if (!sni_blocks_add(&points->blocks, &zero)) return false;
    }
    return true;
}

/// mu, and q out of a list by rows of the problem.
static void put_rows(const sn_contact_problem* problem, const places* p, const double* q,
                     sni_points* points) {
    for (int32_t i = 0; i < problem->count; i++) {
        int32_t to = p->number[i];
        if (to < 0) continue;
        points->mu[to] = problem->law[i].kind == SN_CONTACT_POINT ? problem->law[i].mu : 0;
        memcpy(points->q + 3 * (size_t)to, q + problem->first[i],
               (size_t)problem->law[i].rows * sizeof *q);
    }
}

// ---- W where there are no equalities ----------------------------------------------------------------

static bool put_matrix(const sn_contact_problem* problem, sni_points* points) {
    const sn_contact_matrix* W = &problem->matrix;
    for (int32_t i = 0; i < problem->count; i++) {
        sni_block compliance = {i, i, {problem->law[i].compliance}};
        if (!sni_blocks_add(&points->blocks, &compliance)) return false;
        for (int32_t k = W->start[i]; k < W->start[i + 1]; k++) {
            int32_t j = W->column[k], rows = problem->law[i].rows, columns = problem->law[j].rows;
            sni_block block = {i, j, {0}};
            for (int32_t r = 0; r < rows; r++)
                memcpy(block.value + 3 * r, W->value + W->offset[k] + (int64_t)r * columns,
                       (size_t)columns * sizeof(double));
            if (!sni_blocks_add(&points->blocks, &block)) return false;
        }
    }
    return true;
}

/// Column by column, as W answers unit impulses.
static bool put_responses(const sn_contact_problem* problem, sni_points* points) {
    size_t rows = (size_t)sn_contact_rows(problem);
    double *unit = calloc(rows + 1, sizeof *unit), *out = calloc(3 * rows + 1, sizeof *out);
    bool good = unit && out;
    for (int32_t j = 0; j < problem->count && good; j++) {
        int32_t columns = problem->law[j].rows;
        for (int32_t c = 0; c < columns; c++) {
            unit[problem->first[j] + c] = 1;
            sn_contact_apply(problem, unit, out + (size_t)c * rows);
            unit[problem->first[j] + c] = 0;
        }
        for (int32_t i = 0; i < problem->count && good; i++) {
            sni_block block = {i, j, {0}};
            bool any = false;
            for (int32_t r = 0; r < problem->law[i].rows; r++) {
                for (int32_t c = 0; c < columns; c++) {
                    double value = out[(size_t)c * rows + (size_t)(problem->first[i] + r)];
                    block.value[3 * r + c] = value;
                    any = any || value != 0;
                }
            }
            if (any) good = sni_blocks_add(&points->blocks, &block);
        }
    }
    free(unit);
    free(out);
    return good;
}

// ---- equalities -------------------------------------------------------------------------------------

/// W and q being eliminated.
typedef struct elimination {
    size_t rows;
    double *W, *q;             ///< [rows x rows], [rows]
    int32_t* contact;          ///< [rows]
    bool* open;                ///< [rows] an equality whose row was no pivot yet
    bool* open_column;         ///< [rows] the same of columns
    double largest, largest_q; ///< among equalities; of q
} elimination;

static void elimination_free(elimination* e) {
    free(e->W);
    free(e->q);
    free(e->contact);
    free(e->open);
    free(e->open_column);
}

static bool elimination_make(const sn_contact_problem* problem, elimination* e) {
    size_t n = (size_t)sn_contact_rows(problem);
    *e = (elimination){.rows = n};
    e->W = malloc((n * n + 1) * sizeof *e->W);
    e->q = malloc((n + 1) * sizeof *e->q);
    e->contact = malloc((n + 1) * sizeof *e->contact);
    e->open = calloc(n + 1, sizeof *e->open);
    e->open_column = calloc(n + 1, sizeof *e->open_column);
    if (!e->W || !e->q || !e->contact || !e->open || !e->open_column) return false;
    sn_contact_dense(problem, e->W);
    memcpy(e->q, problem->q, n * sizeof *e->q);
    for (int32_t i = 0; i < problem->count; i++) {
        for (int32_t r = problem->first[i]; r < problem->first[i + 1]; r++) {
            e->contact[r] = i;
            e->open[r] = e->open_column[r] = problem->law[i].kind == SN_CONTACT_EQUAL;
            e->largest_q = fmax(e->largest_q, fabs(e->q[r]));
        }
    }
    return true;
}

/// The largest entry among open rows and columns.
static double find_pivot(const elimination* e, size_t* row, size_t* column) {
    double best = -1;
    for (size_t i = 0; i < e->rows; i++) {
        for (size_t j = 0; j < e->rows && e->open[i]; j++) {
            double size = fabs(e->W[i * e->rows + j]);
            if (!e->open_column[j] || !(size > best)) continue;
            best = size;
            *row = i;
            *column = j;
        }
    }
    return best;
}

static void eliminate(elimination* e) {
    size_t row = 0, column = 0;
    e->largest = find_pivot(e, &row, &column);
    while (find_pivot(e, &row, &column) > RANK * e->largest) {
        const double* pivot = e->W + row * e->rows;
        e->open[row] = e->open_column[column] = false;
        for (size_t i = 0; i < e->rows; i++) {
            double* W = e->W + i * e->rows;
            double factor = W[column] / pivot[column];
            if (i == row || factor == 0) continue;
            for (size_t j = 0; j < e->rows; j++) W[j] -= factor * pivot[j];
            e->q[i] -= factor * e->q[row];
        }
    }
}

/// A row that is left is redundant, and then empty; or it contradicts the others.
static sn_status check_left(const sn_contact_problem* problem, const elimination* e,
                            sn_error* error) {
    for (size_t i = 0; i < e->rows; i++) {
        bool bad = e->open[i] && !(fabs(e->q[i]) <= LEFT_OVER * e->largest_q);
        for (size_t j = 0; j < e->rows && e->open[i]; j++) {
            bool stays = problem->law[e->contact[j]].kind != SN_CONTACT_EQUAL;
            bad = bad || (stays && !(fabs(e->W[i * e->rows + j]) <= LEFT_OVER * e->largest));
        }
        if (bad)
            return sni_fail(error, SN_ERR_NUMERIC, sni_nowhere(),
                            "contact %d is an equality that contradicts others: it cannot be "
                            "eliminated",
                            (int)e->contact[i]);
    }
    return SN_OK;
}

static bool put_eliminated(const sn_contact_problem* problem, const places* p, const elimination* e,
                           sni_points* points) {
    for (int32_t i = 0; i < problem->count; i++) {
        for (int32_t j = 0; j < problem->count && p->number[i] >= 0; j++) {
            sni_block block = {p->number[i], p->number[j], {0}};
            bool any = false;
            if (p->number[j] < 0) continue;
            for (int32_t r = 0; r < problem->law[i].rows; r++) {
                for (int32_t c = 0; c < problem->law[j].rows; c++) {
                    size_t at = (size_t)(problem->first[i] + r) * e->rows;
                    block.value[3 * r + c] = e->W[at + (size_t)(problem->first[j] + c)];
                    any = any || block.value[3 * r + c] != 0;
                }
            }
            if (any && !sni_blocks_add(&points->blocks, &block)) return false;
        }
    }
    return true;
}

static sn_status express_eliminated(const sn_contact_problem* problem, const places* p,
                                    sni_points* points, sn_error* error) {
    int64_t rows = sn_contact_rows(problem);
    if (rows * rows > DENSE_MOST)
        return sni_fail(error, SN_ERR_CAPACITY, sni_nowhere(),
                        "%lld rows are too many to eliminate equalities from", (long long)rows);
    elimination e;
    sn_status status = elimination_make(problem, &e) ? SN_OK : no_memory(error);
    if (!status) eliminate(&e);
    if (!status) status = check_left(problem, &e, error);
    if (!status && !put_eliminated(problem, p, &e, points)) status = no_memory(error);
    if (!status) put_rows(problem, p, e.q, points);
    elimination_free(&e);
    return status;
}

// ---- all of it --------------------------------------------------------------------------------------

sn_status sni_express(const sn_contact_problem* problem, sni_points* points, sn_error* error) {
    places p;
    sn_status status = places_make(problem, &p) ? SN_OK : no_memory(error);
    if (!status && (!sni_points_take(points, p.kept) || !add_diagonals(points)))
        status = no_memory(error);
    if (!status && p.kept < problem->count) {
        status = express_eliminated(problem, &p, points, error);
    } else if (!status) {
        bool good =
            problem->matrix.start ? put_matrix(problem, points) : put_responses(problem, points);
        put_rows(problem, &p, problem->q, points);
        if (!good) status = no_memory(error);
    }
    if (!status && !sni_blocks_sum(&points->blocks)) status = no_memory(error);
    free(p.number);
    return status;
}
