// SPDX-License-Identifier: Apache-2.0
// "lcp": Stewart and Trinkle's linear complementarity problem, what the papers argue against.   [ST96]
//
// The cone becomes a pyramid of k facets: friction is a sum of pushes b_f >= 0 along k directions D_f,
//     0 <= u_n             _|_  r_n >= 0
//     0 <= D_f'u_t + l     _|_  b_f >= 0        r_t = sum of b_f D_f
//     0 <= mu r_n - sum b  _|_  l   >= 0        l: sliding speed
// Limits are rows like the first; dry friction at a joint is r = b - bound with 0 <= u + l _|_ b >= 0 and
// 0 <= 2 bound - b _|_ l >= 0; equalities are eliminated first. Lemke's method solves it exactly, in about
// as many pivots as there are variables, each of which touches the whole dictionary: the price of more
// facets is their number cubed. The pyramid lies inside the cone and prefers its edges, so friction is too
// weak or askew between them: the residual, which is of the cone, shows by how much.
#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/dense.h"
#include "contact/lemke.h"
#include "contact/rounds.h"

enum { FACETS_LEAST = 4, FACETS_MOST = 16 };

/// One unknown: a push along a direction in a contact's rows, or (a sliding speed) none.
typedef struct unknown {
    int32_t row;     ///< first row within the group; -1: a sliding speed
    int32_t rows;    ///< of the direction
    double along[3]; ///< N s of each row that 1 stands for; the same for all pushes of a contact
} unknown;

typedef struct pyramid {
    double* A;        // [n x n] W after equalities were eliminated
    double* q;        // [n]
    unknown* unknown; // [lemke.n]
    sni_lemke lemke;
    sni_lemke_state state;
    double unit; ///< of all unknowns
} pyramid;

typedef struct lcp {
    sni_dense dense;
    pyramid* pyramid;                  // [contacts]
    double* A;                         // [rows x rows]
    double* q;                         // [rows]
    bool* equal;                       // [rows] of one group: rows to be eliminated
    unknown* unknown;                  // [unknowns] of all groups
    double* z;                         // [unknowns]
    double* T;                         // [sni_lemke_numbers(unknowns)]
    int32_t *basic, *outside, *column; // [unknowns], [2 unknowns], [3 unknowns]
} lcp;

/// A point, which has three rows, has the most unknowns a row: r_n, the pushes, the sliding speed.
static size_t unknowns_most(const sn_contact_capacity* capacity) {
    return (size_t)capacity->rows * (FACETS_MOST + 2) / 3 + 2;
}

static void* lcp_layout(const sn_contact_capacity* capacity, int workers, sni_arena* arena) {
    (void)workers; // one thread: it is here to be compared with
    lcp measured;
    lcp* memory = SN_ARENA_ARRAY(arena, lcp, 1);
    lcp* l = memory ? memory : &measured;
    size_t rows = (size_t)capacity->rows, unknowns = unknowns_most(capacity);
    sni_dense_layout(&l->dense, capacity, arena);
    l->pyramid = SN_ARENA_ARRAY(arena, pyramid, capacity->contacts);
    l->A = SN_ARENA_ARRAY(arena, double, rows* rows);
    l->q = SN_ARENA_ARRAY(arena, double, rows);
    l->equal = SN_ARENA_ARRAY(arena, bool, rows);
    l->unknown = SN_ARENA_ARRAY(arena, unknown, unknowns);
    l->z = SN_ARENA_ARRAY(arena, double, unknowns);
    l->T = SN_ARENA_ARRAY(arena, double, sni_lemke_numbers(unknowns));
    l->basic = SN_ARENA_ARRAY(arena, int32_t, unknowns);
    l->outside = SN_ARENA_ARRAY(arena, int32_t, 2 * unknowns);
    l->column = SN_ARENA_ARRAY(arena, int32_t, 3 * unknowns);
    return memory;
}

static sn_status lcp_check(const sn_contact_problem* problem, const sn_solve_options* options,
                           sn_error* error) {
    if (options->facets < FACETS_LEAST || options->facets > FACETS_MOST || options->facets % 2)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "pyramids of %d facets; solver 'lcp' takes an even number from %d to %d",
                        options->facets, FACETS_LEAST, FACETS_MOST);
    for (int32_t i = 0; i < problem->count; i++) {
        const sn_contact_law* law = &problem->law[i];
        if (law->kind == SN_CONTACT_PATCH)
            return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                            "contact %d: a patch; solver 'lcp' knows points only, choose another",
                            i);
        if (law->kind == SN_CONTACT_POINT && (law->mu_kinetic != law->mu || law->viscous > 0))
            return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                            "contact %d: its friction depends on speed, which is not linear; "
                            "choose another solver than 'lcp'",
                            i);
    }
    return SN_OK;
}

// ---- equalities ---------------------------------------------------------------------------------------

/// Exchanges u_k = 0 for r_k: row k of A and q then give r_k by the other impulses.
static void eliminate(int32_t n, double* A, double* q, int32_t k) {
    double* pivot_line = A + (ptrdiff_t)k * n;
    double inverse = 1 / pivot_line[k];
    for (int32_t j = 0; j < n; j++) pivot_line[j] *= -inverse;
    pivot_line[k] = inverse;
    q[k] *= -inverse;
    for (int32_t i = 0; i < n; i++) {
        double* line = A + (ptrdiff_t)i * n;
        double factor = line[k];
        if (i == k || factor == 0) continue;
        line[k] = 0;
        for (int32_t j = 0; j < n; j++) line[j] += factor * pivot_line[j];
        q[i] += factor * q[k];
    }
}

/// Largest pivots first. Rows that follow from others, or contradict them, keep r = 0.
static void eliminate_equalities(const sni_group* from, pyramid* p, bool* equal) {
    int32_t n = from->rows;
    double largest = 0;
    memset(equal, 0, (size_t)n * sizeof *equal);
    for (int32_t i = 0; i < from->count; i++)
        for (int32_t k = from->first[i]; k < from->first[i + 1]; k++) {
            equal[k] = sni_group_law(from, i)->kind == SN_CONTACT_EQUAL;
            largest = fmax(largest, p->A[(ptrdiff_t)k * (n + 1)]);
        }
    for (;;) {
        int32_t best = -1;
        double pivot = n * 16 * DBL_EPSILON * largest;
        for (int32_t k = 0; k < n; k++)
            if (equal[k] && p->A[(ptrdiff_t)k * (n + 1)] > pivot)
                best = k, pivot = p->A[(ptrdiff_t)k * (n + 1)];
        if (best < 0) break;
        eliminate(n, p->A, p->q, best);
        equal[best] = false;
    }
    for (int32_t k = 0; k < n; k++) // left: nothing can move them
        for (int32_t j = 0; equal[k] && j < n; j++)
            p->A[(ptrdiff_t)k * n + j] = p->A[(ptrdiff_t)j * n + k] = 0;
    for (int32_t k = 0; k < n; k++)
        if (equal[k]) p->q[k] = 0;
}

// ---- the linear complementarity problem -----------------------------------------------------------------

/// An impulse that moves its contact about as fast as those of others move theirs: 1/sqrt(W_ii).
static double unit_of(const sni_dense_group* group, int32_t first, int32_t last) {
    double trace = 0;
    for (int32_t k = first; k < last; k++) trace += group->W[(ptrdiff_t)k * (group->n + 1)];
    return trace > 0 ? sqrt((last - first) / trace) : 1;
}

static int32_t list_unknowns(const sni_group* from, const sni_dense_group* group, int facets,
                             unknown* list) {
    int32_t n = 0;
    const unknown speed = {.row = -1};
    for (int32_t i = 0; i < from->count; i++) {
        int32_t row = from->first[i];
        const sn_contact_law* law = sni_group_law(from, i);
        double unit = unit_of(group, row, from->first[i + 1]);
        if (law->kind == SN_CONTACT_EQUAL) continue;
        list[n++] = (unknown){row, law->kind == SN_CONTACT_POINT ? 3 : 1, {unit, 0, 0}};
        if (law->kind == SN_CONTACT_POINT && law->mu > 0) {
            for (int f = 0; f < facets; f++) {
                double angle = 2 * 3.14159265358979323846 * f / facets;
                list[n++] = (unknown){row, 3, {0, unit * cos(angle), unit * sin(angle)}};
            }
            list[n++] = speed;
        }
        if (law->kind == SN_CONTACT_DRY) list[n++] = speed;
    }
    return n;
}

/// What equalities leave of a contact that they hold is rounding.
static double without_rounding(double x) { return fabs(x) < 1e-13 ? 0 : x; }

/// Rows of the pushes: velocity along each by all the others.
static void fill_pushes(const sni_group* from, pyramid* p) {
    int32_t n = from->rows;
    for (int32_t v = 0; v < p->lemke.n; v++) {
        const unknown* of_v = &p->unknown[v];
        double* line = sni_lemke_line(&p->lemke, v);
        memset(line, 0, (size_t)(p->lemke.n + 2) * sizeof *line);
        double* constant = &line[p->lemke.n + 1];
        if (of_v->row < 0) continue;
        for (int32_t k = 0; k < of_v->rows; k++)
            *constant += of_v->along[k] * p->q[of_v->row + k] / p->unit;
        *constant = without_rounding(*constant);
        for (int32_t w = 0; w < p->lemke.n; w++) {
            const unknown* of_w = &p->unknown[w];
            if (of_w->row < 0) continue;
            for (int32_t k = 0; k < of_v->rows; k++)
                for (int32_t l = 0; l < of_w->rows; l++)
                    line[w] += of_v->along[k] * of_w->along[l] *
                               p->A[(ptrdiff_t)(of_v->row + k) * n + of_w->row + l];
            line[w] = without_rounding(line[w]);
        }
    }
}

/// What binds the pushes of a contact: its pyramid, or the bounds of dry friction.
static void fill_bounds(const sni_group* from, int facets, pyramid* p) {
    int32_t v = 0, constant = p->lemke.n + 1;
    for (int32_t i = 0; i < from->count; i++) {
        const sn_contact_law* law = sni_group_law(from, i);
        if (law->kind == SN_CONTACT_EQUAL) continue;
        int32_t first = v++;
        if (law->kind == SN_CONTACT_POINT && law->mu > 0) {
            int32_t speed = first + 1 + facets;
            double* bound = sni_lemke_line(&p->lemke, speed);
            bound[first] = law->mu;
            for (; v < speed; v++) {
                bound[v] = -1;
                sni_lemke_line(&p->lemke, v)[speed] = 1;
            }
            v++;
        } else if (law->kind == SN_CONTACT_DRY) {
            int32_t speed = v++;
            double *line = sni_lemke_line(&p->lemke, first),
                   bound = law->bound / (p->unit * p->unknown[first].along[0]);
            for (int32_t w = 0; w < p->lemke.n; w++) // r = b - bound changes the velocities of all
                sni_lemke_line(&p->lemke, w)[constant] -=
                    sni_lemke_line(&p->lemke, w)[first] * bound;
            line[speed] = 1;
            sni_lemke_line(&p->lemke, speed)[first] = -1;
            sni_lemke_line(&p->lemke, speed)[constant] = 2 * bound;
        }
    }
}

static void build(const sni_group* from, int facets, const sni_dense_group* group, pyramid* p,
                  bool* equal) {
    int32_t n = from->rows;
    memcpy(p->A, group->W, (size_t)n * (size_t)n * sizeof *p->A);
    memcpy(p->q, group->q, (size_t)n * sizeof *p->q);
    eliminate_equalities(from, p, equal);
    p->unit = 0;
    for (int32_t i = 0; i < from->count; i++)
        for (int32_t k = from->first[i]; k < from->first[i + 1]; k++)
            p->unit = fmax(p->unit,
                           fabs(group->q[k]) * unit_of(group, from->first[i], from->first[i + 1]));
    if (!(p->unit > 0)) p->unit = 1; // nothing moves; any will do
    fill_pushes(from, p);
    fill_bounds(from, facets, p);
}

/// Impulses of the group from what Lemke's method found.
static void read_solution(const sni_group* from, const pyramid* p, double* z, double* d) {
    int32_t n = from->rows, v = 0;
    sni_lemke_solution(&p->lemke, z);
    memset(d, 0, (size_t)n * sizeof *d);
    for (; v < p->lemke.n; v++)
        for (int32_t k = 0; p->unknown[v].row >= 0 && k < p->unknown[v].rows; k++)
            d[p->unknown[v].row + k] += p->unit * z[v] * p->unknown[v].along[k];
    for (int32_t i = 0; i < from->count; i++) { // what rounding left outside is brought inside
        const sn_contact_law* law = sni_group_law(from, i);
        double inside[SN_CONTACT_ROWS_MAX], *at = d + from->first[i];
        if (law->kind == SN_CONTACT_DRY) *at -= law->bound;
        sn_contact_project(law, 0, at, inside);
        memcpy(at, inside, (size_t)law->rows * sizeof *at);
    }
    for (int32_t i = 0; i < from->count; i++) {
        if (sni_group_law(from, i)->kind != SN_CONTACT_EQUAL) continue;
        for (int32_t k = from->first[i]; k < from->first[i + 1]; k++) {
            const double* line = p->A + (ptrdiff_t)k * n;
            double sum = p->q[k];
            for (int32_t j = 0; j < from->count; j++)
                for (int32_t l = from->first[j]; l < from->first[j + 1]; l++)
                    if (sni_group_law(from, j)->kind != SN_CONTACT_EQUAL) sum += line[l] * d[l];
            d[k] = sum;
        }
    }
}

// ---- solving --------------------------------------------------------------------------------------------

/// The first round is the exchange that sni_lemke_start has made.
static bool pivot(void* memory, const sni_solve* solve, int32_t g, int64_t round) {
    lcp* l = memory;
    pyramid* p = &l->pyramid[g];
    (void)solve; // groups are pivoted apart
    if (p->state != SNI_LEMKE_GOING) return true;
    if (round > 0) p->state = sni_lemke_pivot(&p->lemke);
    return false;
}

static void lcp_solve(void* memory, sni_solve* solve) {
    lcp* l = memory;
    ptrdiff_t row = 0, number = 0, unknowns = 0, numbers = 0;
    int64_t longest = 0;
    int facets = solve->options->facets;
    sni_dense_open(&l->dense, solve);
    for (int32_t g = 0; g < solve->group_count; g++) {
        const sni_group* from = &solve->group[g];
        pyramid* p = &l->pyramid[g];
        p->A = l->A + number;
        p->q = l->q + row;
        p->unknown = l->unknown + unknowns;
        int32_t n = list_unknowns(from, &l->dense.group[g], facets, p->unknown);
        p->lemke = (sni_lemke){.n = n,
                               .T = l->T + numbers,
                               .basic = l->basic + unknowns,
                               .outside = l->outside + unknowns + g,
                               .column = l->column + 2 * unknowns + g};
        build(from, facets, &l->dense.group[g], p, l->equal);
        p->state = sni_lemke_start(&p->lemke);
        row += from->rows;
        number += (ptrdiff_t)from->rows * from->rows;
        unknowns += n;
        numbers += (ptrdiff_t)sni_lemke_numbers((size_t)n);
        if (n > longest) longest = n;
    }
    // Pivots are about as many as unknowns; fifty times as many is a method that has lost its way.
    sni_rounds_run(solve, 50 * longest + 100, l->dense.done, pivot, l);
    for (int32_t g = 0; g < solve->group_count; g++) {
        if (l->pyramid[g].state != SNI_LEMKE_SOLVED)
            continue; // what it started from is the best known
        double* r = l->dense.group[g].r;
        read_solution(&solve->group[g], &l->pyramid[g], l->z, r);
        (void)sni_dense_offer(&l->dense, solve, g, r);
    }
    sni_dense_close(&l->dense, solve);
}

const sni_solver_ops sni_solver_lcp = {
    .name = "lcp",
    .about = "pyramids for cones, Lemke's pivots: exact for 4 to 16 facets, not for friction",
    .check = lcp_check,
    .layout = lcp_layout,
    .solve = lcp_solve,
};
