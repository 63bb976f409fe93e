// SPDX-License-Identifier: Apache-2.0
// A coupling law with contact: solve for impulses, see what is closed, hold that.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/coupling.h"
#include "dynamics/sn_dynamics.h"
#include "math/orthogonal.h"

// Of constraints scaled to ones on the diagonal: more dependent on others than this is redundant. What the bodies'
// response is rounded by is a thousand times less.
static const double DEPENDENT = 1e-9;

struct sn_coupling_solver {
    sn_contact_solver* solver;
    // W as the solver wants it
    int32_t start[SN_HELD_MAX + 1];
    int32_t column[SN_HELD_MAX * SN_HELD_MAX];
    int64_t offset[SN_HELD_MAX * SN_HELD_MAX];
    double value[SN_HELD_ROWS * SN_HELD_ROWS];
    // the record that r belongs to
    uint64_t step;
    int32_t count;
    uint64_t id[SN_HELD_MAX];
    double r[SN_HELD_ROWS];
    // scratch
    double q[SN_HELD_ROWS]; ///< with the hands
    double u[SN_HELD_ROWS];
    sni_closed closed;
    sni_answer answer;
    double NW[SNI_COLUMNS * SN_HELD_ROWS];
    double NG[SNI_COLUMNS * SN_GRAB_ROWS];
    double S[SNI_COLUMNS * SNI_COLUMNS]; ///< by columns, scaled
    double scale[SNI_COLUMNS];
    double left[SNI_COLUMNS], corner[SNI_COLUMNS], right[SNI_COLUMNS], b[SNI_COLUMNS];
    int32_t order[SNI_COLUMNS];
};

// ---- life -------------------------------------------------------------------------------------------------------------

sn_status sn_coupling_solver_create(sn_coupling_solver** solver, sn_error* error) {
    if (!solver) return SN_ERR_ARGUMENT;
    *solver = calloc(1, sizeof **solver);
    if (!*solver) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    sn_contact_capacity capacity = {.contacts = SN_HELD_MAX,
                                    .rows = SN_HELD_ROWS,
                                    .blocks = (int64_t)SN_HELD_MAX * SN_HELD_MAX};
    sn_status status = sn_contact_solver_create(NULL, &capacity, 0, &(*solver)->solver, error);
    if (!status) return SN_OK;
    free(*solver);
    *solver = NULL;
    return status;
}

void sn_coupling_solver_free(sn_coupling_solver* solver) {
    if (!solver) return;
    sn_contact_solver_free(solver->solver);
    free(solver);
}

const double* sn_coupling_impulses(const sn_coupling_solver* solver) { return solver->r; }

sn_refresh_options sn_refresh_options_default(void) {
    sn_refresh_options options = {.solve = sn_solve_options_default()};
    options.solve.tolerance = 1e-6;
    options.solve.iterations = 50;
    return options;
}

void sn_coupling_contacts_copy(const sn_coupling_contacts* from, sn_coupling_contacts* to) {
    if (from == to) return;
    size_t count = (size_t)from->count, rows = (size_t)from->rows;
    sn_coupling_copy(&from->free, &to->free);
    to->h = from->h;
    to->count = from->count;
    to->rows = from->rows;
    to->dropped = from->dropped;
    to->resting = from->resting;
    memcpy(to->a, from->a, count * sizeof *to->a);
    memcpy(to->b, from->b, count * sizeof *to->b);
    memcpy(to->id, from->id, count * sizeof *to->id);
    memcpy(to->law, from->law, count * sizeof *to->law);
    memcpy(to->first, from->first, (count + 1) * sizeof *to->first);
    memcpy(to->q, from->q, rows * sizeof *to->q);
    memcpy(to->start, from->start, rows * sizeof *to->start);
    memcpy(to->r, from->r, rows * sizeof *to->r);
    memcpy(to->W, from->W, rows * rows * sizeof *to->W);
    memcpy(to->G, from->G, 6 * rows * (size_t)from->free.count * sizeof *to->G);
}

// ---- impulses -----------------------------------------------------------------------------------------------------------

/// The frozen W, block by block.
static sn_contact_problem problem_of(sn_coupling_solver* s, const sn_coupling_contacts* contacts) {
    int32_t count = contacts->count;
    double* value = s->value;
    for (int32_t i = 0; i < count; i++) {
        s->start[i] = i * count;
        for (int32_t j = 0; j < count; j++) {
            s->column[i * count + j] = j;
            s->offset[i * count + j] = value - s->value;
            for (int32_t r = contacts->first[i]; r < contacts->first[i + 1]; r++)
                for (int32_t c = contacts->first[j]; c < contacts->first[j + 1]; c++)
                    *value++ = sni_held_row(contacts, r)[c];
        }
    }
    s->start[count] = count * count;
    return (sn_contact_problem){.count = count,
                                .law = contacts->law,
                                .first = contacts->first,
                                .q = s->q,
                                .matrix = {s->start, s->column, s->offset, s->value}};
}

/// q with the hands: + h G f_u.
static void push_hands(sn_coupling_solver* s, const sn_coupling_contacts* contacts,
                       const double* f_u) {
    int32_t n = 6 * contacts->free.count;
    for (int32_t k = 0; k < contacts->rows; k++) {
        double sum = 0;
        for (int32_t c = 0; c < n; c++) sum += contacts->G[k * n + c] * f_u[c];
        s->q[k] = contacts->q[k] + contacts->h * sum;
    }
}

/// Impulses to start from: of the last refresh, unless the contacts are others.
static void recall(sn_coupling_solver* s, const sn_coupling_contacts* contacts) {
    size_t size = (size_t)contacts->count * sizeof *s->id;
    bool same = s->step == contacts->free.step && s->count == contacts->count &&
                memcmp(s->id, contacts->id, size) == 0;
    if (same) return;
    s->step = contacts->free.step;
    s->count = contacts->count;
    memcpy(s->id, contacts->id, size);
    memcpy(s->r, contacts->r, (size_t)contacts->rows * sizeof *s->r);
}

/// u = W r + q, the hands included.
static void find_speeds(sn_coupling_solver* s, const sn_coupling_contacts* contacts) {
    for (int32_t k = 0; k < contacts->rows; k++) {
        double sum = s->q[k];
        for (int32_t c = 0; c < contacts->rows; c++) sum += sni_held_row(contacts, k)[c] * s->r[c];
        s->u[k] = sum;
    }
}

// ---- what is closed, as constraints ----------------------------------------------------------------------------------

/// x of the rows of a column, times its N or F.
static double along(const sn_coupling_contacts* contacts, const sni_column* column,
                    const double* part, const double* x) {
    int32_t first = contacts->first[column->entry], rows = contacts->law[column->entry].rows;
    double sum = 0;
    for (int32_t k = 0; k < rows; k++) sum += part[k] * x[first + k];
    return sum;
}

/// out = part' A for the rows of a column, of a matrix of `width` columns.
static void combine(const sn_coupling_contacts* contacts, const sni_column* column,
                    const double* part, const double* A, int32_t width, double* out) {
    int32_t first = contacts->first[column->entry], rows = contacts->law[column->entry].rows;
    memset(out, 0, (size_t)width * sizeof *out);
    for (int32_t k = 0; k < rows; k++) {
        const double* row = A + (ptrdiff_t)(first + k) * width;
        for (int32_t c = 0; c < width && part[k] != 0; c++) out[c] += part[k] * row[c];
    }
}

/// NW, NG, and S scaled, by columns.
static void make_system(sn_coupling_solver* s, const sn_coupling_contacts* contacts) {
    const sni_closed* closed = &s->closed;
    int32_t p = closed->count, m = contacts->rows, n = 6 * contacts->free.count;
    for (int32_t i = 0; i < p; i++) {
        const sni_column* column = &closed->column[i];
        double* NW = s->NW + (ptrdiff_t)i * m;
        combine(contacts, column, column->N, contacts->W, m, NW);
        combine(contacts, column, column->N, contacts->G, n, s->NG + (ptrdiff_t)i * n);
        double own = along(contacts, column, column->N, NW) + column->compliance;
        s->scale[i] = own > 0 ? 1 / sqrt(own) : 0; // nothing moves there
    }
    for (int32_t j = 0; j < p; j++) {
        const sni_column* column = &closed->column[j];
        for (int32_t i = 0; i < p; i++) {
            double value = along(contacts, column, column->F, s->NW + (ptrdiff_t)i * m);
            if (i == j) value += column->compliance;
            s->S[(ptrdiff_t)j * p + i] = s->scale[i] * s->scale[j] * value;
        }
    }
}

/// What is left of each constraint with the impulses that the solver found and no hands.
static void find_residual(const sn_coupling_solver* s, const sn_coupling_contacts* contacts,
                          bool settled, double* left) {
    const sni_closed* closed = &s->closed;
    double r[SN_HELD_ROWS], q[SN_HELD_ROWS];
    for (int32_t k = 0; k < contacts->rows; k++) {
        r[k] = closed->c[k];
        q[k] = contacts->q[k] - (settled ? contacts->start[k] : 0);
    }
    for (int32_t j = 0; j < closed->count; j++) { // r = F y + c
        const sni_column* column = &closed->column[j];
        int32_t first = contacts->first[column->entry];
        for (int32_t k = 0; k < contacts->law[column->entry].rows; k++)
            r[first + k] += column->F[k] * column->y;
    }
    for (int32_t i = 0; i < closed->count; i++) {
        const sni_column* column = &closed->column[i];
        double sum = along(contacts, column, column->N, q) + column->compliance * column->y;
        const double* NW = s->NW + (ptrdiff_t)i * contacts->rows;
        for (int32_t k = 0; k < contacts->rows; k++) sum += NW[k] * r[k];
        left[i] = sum;
    }
}

/// x = S^+ b; b is used up.
static void solve_scaled(const sn_coupling_solver* s, const sni_orthogonal* f, double* b,
                         double* x) {
    for (int32_t i = 0; i < f->n; i++) b[i] *= s->scale[i];
    sni_orthogonal_solve(f, b, x);
    for (int32_t i = 0; i < f->n; i++) x[i] *= s->scale[i];
}

// y = y_s - S^+ (what y_s leaves + h N G f_u): where contacts are redundant, impulses stay as near to those that the
// solver found, which obey all laws, as they can.
static int32_t answer_hands(sn_coupling_solver* s, const sn_coupling_contacts* contacts,
                            bool settled) {
    sni_answer* answer = &s->answer;
    int32_t p = s->closed.count, n = 6 * contacts->free.count;
    double x[SNI_COLUMNS];
    make_system(s, contacts);
    sni_orthogonal f = {p, 0, s->S, s->left, s->corner, s->right, s->order};
    sni_orthogonal_factor(&f, DEPENDENT);
    find_residual(s, contacts, settled, s->b);
    solve_scaled(s, &f, s->b, x);
    for (int32_t i = 0; i < p; i++) answer->at[i] = s->closed.column[i].y - x[i];
    for (int32_t c = 0; c < n; c++) {
        for (int32_t i = 0; i < p; i++) s->b[i] = s->NG[(ptrdiff_t)i * n + c];
        solve_scaled(s, &f, s->b, x);
        for (int32_t i = 0; i < p; i++) answer->slope[(ptrdiff_t)i * n + c] = -contacts->h * x[i];
    }
    return f.rank;
}

// Lambda' = Lambda + G' F slope/h ,  a0' = a0 + G' (F at + c)/h.
static void make_law(const sn_coupling_solver* s, const sn_coupling_contacts* contacts,
                     sn_coupling_law* law) {
    const sni_closed* closed = &s->closed;
    int32_t n = 6 * contacts->free.count;
    double FG[SN_GRAB_ROWS];
    sn_coupling_copy(&contacts->free, law);
    for (int32_t k = 0; k < contacts->rows; k++)
        for (int32_t i = 0; i < n; i++)
            law->a0[i] += contacts->G[k * n + i] * closed->c[k] / contacts->h;
    for (int32_t j = 0; j < closed->count; j++) {
        const sni_column* column = &closed->column[j];
        const double* slope = s->answer.slope + (ptrdiff_t)j * n;
        combine(contacts, column, column->F, contacts->G, n, FG);
        for (int32_t i = 0; i < n; i++) {
            law->a0[i] += FG[i] * s->answer.at[j] / contacts->h;
            for (int32_t c = 0; c < n; c++)
                law->Lambda[i * n + c] += FG[i] * slope[c] / contacts->h;
        }
    }
    for (int32_t i = 0; closed->symmetric && i < n; i++) // what rounding left
        for (int32_t c = 0; c < i; c++)
            law->Lambda[i * n + c] = law->Lambda[c * n + i] =
                0.5 * (law->Lambda[i * n + c] + law->Lambda[c * n + i]);
    sni_coupling_weigh(law);
}

static bool law_is_finite(const sn_coupling_law* law) {
    int32_t n = 6 * law->count;
    double sum = 0; // stays zero unless one is not finite
    for (int32_t k = 0; k < n * n; k++) sum += 0 * law->K[k];
    for (int32_t k = 0; k < n; k++) sum += 0 * (law->a0[k] + law->f0[k]);
    return sum == 0;
}

static bool is_record(const sn_coupling_contacts* contacts) {
    return contacts->free.count >= 1 && contacts->free.count <= SN_GRAB_MAX &&
           contacts->count >= 0 && contacts->count <= SN_HELD_MAX && contacts->rows >= 0 &&
           contacts->rows <= SN_HELD_ROWS && contacts->first[contacts->count] == contacts->rows;
}

static int32_t count_closed(const sni_closed* closed, int32_t count) {
    int32_t sum = 0;
    for (int32_t i = 0; i < count; i++) sum += closed->standing[i].closed;
    return sum;
}

sn_status sn_coupling_refresh(sn_coupling_solver* s, const sn_coupling_contacts* contacts,
                              const sn_wrench* f_u, const sn_refresh_options* options,
                              sn_coupling_law* law, sn_coupling_bounds* bounds,
                              sn_refresh_report* report) {
    if (!s || !contacts || !f_u || !options || !law || !is_record(contacts)) return SN_ERR_ARGUMENT;
    double f[SN_GRAB_ROWS];
    memcpy(f, f_u, (size_t)contacts->free.count * sizeof *f_u);
    sn_refresh_report unseen;
    if (!report) report = &unseen;
    memset(report, 0, sizeof *report);
    s->closed.count = 0;
    if (contacts->count > 0) {
        push_hands(s, contacts, f);
        recall(s, contacts);
        sn_contact_problem problem = problem_of(s, contacts);
        sn_status status =
            sn_contact_solve(s->solver, &problem, &options->solve, s->r, &report->solve, NULL);
        if (status) return status;
        find_speeds(s, contacts);
        sni_closed_find(contacts, s->r, s->u, options->sliding, &s->closed);
        report->closed = count_closed(&s->closed, contacts->count);
        report->sliding = s->closed.sliding;
        report->rank = answer_hands(s, contacts, options->settled);
        report->redundant = s->closed.count - report->rank;
    }
    if (report->closed > 0 || s->closed.count > 0)
        make_law(s, contacts, law);
    else
        sn_coupling_copy(&contacts->free, law);
    if (!law_is_finite(law)) return SN_ERR_NUMERIC;
    if (bounds) sni_bounds_make(contacts, &s->closed, &s->answer, f_u, bounds);
    return SN_OK;
}
