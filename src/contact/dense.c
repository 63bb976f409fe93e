// SPDX-License-Identifier: Apache-2.0
#include "contact/dense.h"

#include <math.h>
#include <string.h>

void sni_dense_layout(sni_dense* dense, const sn_contact_capacity* capacity, sni_arena* arena) {
    size_t contacts = (size_t)capacity->contacts, rows = (size_t)capacity->rows;
    dense->group = SN_ARENA_ARRAY(arena, sni_dense_group, contacts);
    dense->done = SN_ARENA_ARRAY(arena, bool, contacts);
    dense->W = SN_ARENA_ARRAY(arena, double, rows* rows);
    dense->r = SN_ARENA_ARRAY(arena, double, rows);
    dense->best = SN_ARENA_ARRAY(arena, double, rows);
    dense->u = SN_ARENA_ARRAY(arena, double, rows);
}

void sni_dense_rows(const sni_dense_group* group, const double* r, int32_t first, int32_t last,
                    double* u) {
    const double* line = group->W + (ptrdiff_t)first * group->n;
    for (int32_t i = first; i < last; i++, line += group->n) {
        double sum = group->q[i];
        for (int32_t k = 0; k < group->n; k++) sum += line[k] * r[k];
        u[i - first] = sum;
    }
}

void sni_dense_open(sni_dense* dense, const sni_solve* solve) {
    ptrdiff_t row = 0, number = 0;
    for (int32_t g = 0; g < solve->group_count; g++) {
        const sni_group* from = &solve->group[g];
        sni_dense_group* group = &dense->group[g];
        int32_t n = from->rows;
        *group = (sni_dense_group){.n = n,
                                   .W = dense->W + number,
                                   .q = from->q,
                                   .r = dense->r + row,
                                   .best = dense->best + row,
                                   .least = INFINITY};
        memset(group->best, 0, (size_t)n * sizeof *group->best);
        sni_group_dense(from, group->W);
        for (int32_t i = 0; i < from->count; i++)
            sn_contact_project(sni_group_law(from, i), 0, from->r + from->first[i],
                               group->r + from->first[i]);
        (void)sni_dense_offer(dense, solve, g, group->r); // solved or not: methods ask again
        row += n;
        number += (ptrdiff_t)n * n;
    }
}

bool sni_dense_offer(sni_dense* dense, const sni_solve* solve, int32_t g, const double* r) {
    sni_dense_group* group = &dense->group[g];
    sni_dense_rows(group, r, 0, group->n, dense->u);
    double defect = sni_group_defect(&solve->group[g], r, dense->u);
    // Better by more than rounding: where nothing helps, impulses would grow for nothing.
    if (defect < (1 - 1e-9) * group->least) {
        group->least = defect;
        memcpy(group->best, r, (size_t)group->n * sizeof *r);
    }
    return defect <= solve->group[g].target;
}

void sni_dense_close(const sni_dense* dense, const sni_solve* solve) {
    for (int32_t g = 0; g < solve->group_count; g++)
        memcpy(solve->group[g].r, dense->group[g].best,
               (size_t)solve->group[g].rows * sizeof(double));
}

bool sni_dense_is_still(const sni_dense_group* group, int32_t row) {
    return !(group->W[(ptrdiff_t)row * (group->n + 1)] > 0);
}

double sni_dense_symmetrise(sni_dense_group* group) {
    double difference = 0, largest = 0;
    ptrdiff_t n = group->n;
    for (ptrdiff_t i = 0; i < n; i++) {
        for (ptrdiff_t j = 0; j <= i; j++) {
            double *lower = &group->W[i * n + j], *upper = &group->W[j * n + i];
            difference = fmax(difference, fabs(*lower - *upper));
            largest = fmax(largest, fmax(fabs(*lower), fabs(*upper)));
            *lower = *upper = (*lower + *upper) / 2;
        }
    }
    return largest > 0 ? difference / largest : 0;
}
