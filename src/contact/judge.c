// SPDX-License-Identifier: Apache-2.0
#include "contact/judge.h"

#include <math.h>
#include <stdlib.h>

#include "contact/operator.h"

static bool has_normal(const sn_contact_law* law) {
    return law->kind == SN_CONTACT_POINT || law->kind == SN_CONTACT_PATCH ||
           law->kind == SN_CONTACT_LIMIT;
}

/// |r - proj_K(r - u^/scale)|^2 of a point whose friction does not depend on speed.
static double point_defect(double mu, double scale, const double* r, const double* u,
                           double speed) {
    double step = 1 / scale, x_n = r[0] - step * (u[0] + mu * speed);
    double x_1 = r[1] - step * u[1], x_2 = r[2] - step * u[2];
    double t = sqrt(x_1 * x_1 + x_2 * x_2), n = 0, fit = 0; // mu t <= -x_n: the apex
    if (mu * t > -x_n) {
        bool inside = t <= mu * x_n;
        n = inside ? x_n : (x_n + mu * t) / (1 + mu * mu);
        fit = inside ? 1 : t > 0 ? mu * n / t : 0;
    }
    double F_n = r[0] - n, F_1 = r[1] - fit * x_1, F_2 = r[2] - fit * x_2;
    return F_n * F_n + F_1 * F_1 + F_2 * F_2;
}

static double limit_defect(double scale, double r, double u) {
    double x = r - u / scale, F = r - (x < 0 ? 0 : x);
    return F * F;
}

static double law_defect(const sn_contact_law* law, double scale, const double* r,
                         const double* u) {
    double F[SN_CONTACT_ROWS_MAX], sum = 0;
    sni_law_defect(law, scale, r, u, F);
    for (int32_t k = 0; k < law->rows; k++) sum += F[k] * F[k];
    return sum;
}

void sni_tally_add(sni_tally* t, const sn_contact_law* law, double scale, const double* q,
                   const double* r, const double* u) {
    if (law->kind == SN_CONTACT_POINT && law->mu_kinetic == law->mu && law->viscous == 0) {
        double speed = sqrt(u[1] * u[1] + u[2] * u[2]);
        t->defect += point_defect(law->mu, scale, r, u, speed);
        t->defect_given += point_defect(law->mu, 1, r, u, speed);
    } else if (law->kind == SN_CONTACT_LIMIT) {
        t->defect += limit_defect(scale, r[0], u[0]);
        t->defect_given += limit_defect(1, r[0], u[0]);
    } else {
        t->defect += law_defect(law, scale, r, u);
        t->defect_given += law_defect(law, 1, r, u);
    }
    for (int32_t k = 0; k < law->rows; k++) {
        t->q += q[k] * q[k];
        t->r += r[k] * r[k];
        t->u += u[k] * u[k];
        t->power += r[k] * (u[k] + q[k]);
    }
    if (has_normal(law) && !(-u[0] <= t->deepest)) t->deepest = -u[0];
}

sn_contact_verdict sni_tally_verdict(const sni_tally* t, double scale) {
    sn_contact_verdict verdict = {.energy = t->power / 2, .penetration = t->deepest};
    double largest = fmax(fmax(sqrt(t->q), sqrt(t->u)) / scale, sqrt(t->r));
    verdict.residual = largest > 0 ? sqrt(t->defect) / largest : sqrt(t->defect);
    verdict.unmet = t->q > 0 ? sqrt(t->defect / t->q) * scale : verdict.residual;
    verdict.error = t->q > 0 ? sqrt(t->defect_given / t->q) : sqrt(t->defect_given);
    return verdict;
}

sn_contact_verdict sni_judge(const sn_contact_problem* problem, double scale, const double* r,
                             double* scratch) {
    sni_tally t = {0};
    sni_operator_spread(problem, r, scratch);
    for (int32_t i = 0; i < problem->count; i++) {
        double u[SN_CONTACT_ROWS_MAX];
        int32_t first = problem->first[i];
        sni_operator_row(problem, i, r, scratch, u);
        for (int32_t k = 0; k < problem->law[i].rows; k++) u[k] += problem->q[first + k];
        sni_tally_add(&t, &problem->law[i], scale, problem->q + first, r + first, u);
    }
    return sni_tally_verdict(&t, scale);
}

sn_contact_verdict sn_contact_judge(const sn_contact_problem* problem, const double* r) {
    int64_t size = sni_operator_scratch(problem);
    double* scratch = size > 0 ? malloc((size_t)size * sizeof *scratch) : NULL;
    sn_contact_verdict verdict = {NAN, NAN, NAN, NAN, NAN}; // without memory: no tolerance is met
    if (size == 0 || scratch) verdict = sni_judge(problem, sni_operator_scale(problem), r, scratch);
    free(scratch);
    return verdict;
}
