// SPDX-License-Identifier: Apache-2.0
#include "contact/judge.h"

#include <math.h>
#include <stdlib.h>

#include "contact/operator.h"

/// Sums of squares over the rows, and what else the verdict is made of.
typedef struct tally {
    double q, r, u;
    double defect;       ///< of the scaled natural map
    double defect_given; ///< of the map of the problem as given
    double power;        ///< r'(u + q)
    double deepest;
} tally;

static bool has_normal(const sn_contact_law* law) {
    return law->kind == SN_CONTACT_POINT || law->kind == SN_CONTACT_PATCH ||
           law->kind == SN_CONTACT_LIMIT;
}

static void count_contact(tally* t, const sn_contact_law* law, double scale, const double* q,
                          const double* r, const double* u) {
    double F[SN_CONTACT_ROWS_MAX], F_given[SN_CONTACT_ROWS_MAX];
    sni_law_defect(law, scale, r, u, F);
    sni_law_defect(law, 1, r, u, F_given);
    for (int32_t k = 0; k < law->rows; k++) {
        t->q += q[k] * q[k];
        t->r += r[k] * r[k];
        t->u += u[k] * u[k];
        t->defect += F[k] * F[k];
        t->defect_given += F_given[k] * F_given[k];
        t->power += r[k] * (u[k] + q[k]);
    }
    if (has_normal(law) && !(-u[0] <= t->deepest)) t->deepest = -u[0];
}

sn_contact_verdict sni_judge(const sn_contact_problem* problem, double scale, const double* r,
                             double* scratch) {
    tally t = {0};
    sni_operator_spread(problem, r, scratch);
    for (int32_t i = 0; i < problem->count; i++) {
        double u[SN_CONTACT_ROWS_MAX];
        int32_t first = problem->first[i];
        sni_operator_row(problem, i, r, scratch, u);
        for (int32_t k = 0; k < problem->law[i].rows; k++) u[k] += problem->q[first + k];
        count_contact(&t, &problem->law[i], scale, problem->q + first, r + first, u);
    }
    sn_contact_verdict verdict = {.energy = t.power / 2, .penetration = t.deepest};
    double largest = fmax(fmax(sqrt(t.q), sqrt(t.u)) / scale, sqrt(t.r));
    verdict.residual = largest > 0 ? sqrt(t.defect) / largest : sqrt(t.defect);
    verdict.unmet = t.q > 0 ? sqrt(t.defect / t.q) * scale : verdict.residual;
    verdict.error = t.q > 0 ? sqrt(t.defect_given / t.q) : sqrt(t.defect_given);
    return verdict;
}

sn_contact_verdict sn_contact_judge(const sn_contact_problem* problem, const double* r) {
    int64_t size = sni_operator_scratch(problem);
    double* scratch = size > 0 ? malloc((size_t)size * sizeof *scratch) : NULL;
    sn_contact_verdict verdict = {NAN, NAN, NAN, NAN, NAN}; // without memory: no tolerance is met
    if (size == 0 || scratch) verdict = sni_judge(problem, sni_operator_scale(problem), r, scratch);
    free(scratch);
    return verdict;
}
