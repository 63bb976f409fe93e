// SPDX-License-Identifier: Apache-2.0
// What each kind of contact allows, and how far an impulse and a velocity are from obeying it.
#include <math.h>

#include "contact/sn_contact.h"

sn_contact_law sn_contact_law_make(sn_contact_kind kind) {
    sn_contact_law law = {.kind = kind, .rows = 1};
    if (kind == SN_CONTACT_POINT) law.rows = 3;
    if (kind == SN_CONTACT_PATCH) law.rows = 6;
    return law;
}

double sni_law_mu(const sn_contact_law* law, double speed) {
    if (law->mu_kinetic == law->mu || !(speed > 0)) return law->mu;
    double ratio = speed / law->stribeck_speed;
    return law->mu_kinetic + (law->mu - law->mu_kinetic) * exp(-ratio * ratio);
}

static double length2(const double* x) { return sqrt(x[0] * x[0] + x[1] * x[1]); }

/// Nearest point of {|r_t| <= mu r_n}. What is projected to zero comes first: without friction, a point on
/// the axis below the apex would pass for one inside.
static void project_cone(double mu, const double* x, double* r) {
    double t = length2(x + 1);
    if (mu * t <= -x[0]) {
        r[0] = r[1] = r[2] = 0;
    } else if (t <= mu * x[0]) {
        r[0] = x[0], r[1] = x[1], r[2] = x[2];
    } else {
        double r_n = (x[0] + mu * t) / (1 + mu * mu);
        double shrink = t > 0 ? mu * r_n / t : 0;
        r[0] = r_n, r[1] = shrink * x[1], r[2] = shrink * x[2];
    }
}

// ---- patches: |r_t| <= mu r_n, |m_n| <= spin r_n, |m_t| <= roll r_n ----------------------

enum { PATCH_PARTS = 3 };
static const int part_first[PATCH_PARTS] = {1, 3, 4};
static const int part_rows[PATCH_PARTS] = {2, 1, 2};

typedef struct patch_part {
    double limit; ///< of its length, over r_n
    double length;
} patch_part;

static double part_length(const double* x, int part) {
    return part_rows[part] == 1 ? fabs(x[part_first[part]]) : length2(x + part_first[part]);
}

/// Which of the parts not yet taken asks for the largest r_n.
static int most_wanting(const patch_part* part, const int* taken) {
    int best = -1;
    for (int k = 0; k < PATCH_PARTS; k++) {
        if (taken[k]) continue;
        if (best < 0 || part[k].length * part[best].limit > part[best].length * part[k].limit)
            best = k;
    }
    return best;
}

/// The nearest r_n minimises (r_n - x_n)^2 + sum of max(0, length - limit r_n)^2: the parts that stick
/// out of the cone pull it up.
static void project_patch(const sn_contact_law* law, double mu, const double* x, double* r) {
    patch_part part[PATCH_PARTS];
    const double limit[PATCH_PARTS] = {mu, law->spin, law->roll};
    int taken[PATCH_PARTS] = {0};
    for (int k = 0; k < PATCH_PARTS; k++) part[k] = (patch_part){limit[k], part_length(x, k)};
    double sum = x[0], weight = 1;
    for (int i = 0; i < PATCH_PARTS; i++) {
        int k = most_wanting(part, taken);
        if (part[k].length <= part[k].limit * fmax(sum / weight, 0)) break;
        sum += part[k].limit * part[k].length;
        weight += part[k].limit * part[k].limit;
        taken[k] = 1;
    }
    double r_n = sum / weight;
    if (r_n < 0) r_n = 0; // NaN stays
    r[0] = r_n;
    for (int k = 0; k < PATCH_PARTS; k++) {
        double most = part[k].limit * r_n;
        double shrink = part[k].length <= most ? 1 : most / part[k].length;
        for (int j = part_first[k]; j < part_first[k] + part_rows[k]; j++) r[j] = shrink * x[j];
    }
}

// ---- all kinds ----------------------------------------------------------------------------------------

static double clamp(double x, double bound) { return x < -bound ? -bound : x > bound ? bound : x; }

void sn_contact_project(const sn_contact_law* law, double speed, const double* x, double* r) {
    switch (law->kind) {
    case SN_CONTACT_POINT: project_cone(sni_law_mu(law, speed), x, r); return;
    case SN_CONTACT_PATCH: project_patch(law, sni_law_mu(law, speed), x, r); return;
    case SN_CONTACT_LIMIT: r[0] = x[0] < 0 ? 0 : x[0]; return;
    case SN_CONTACT_DRY: r[0] = clamp(x[0], law->bound); return;
    case SN_CONTACT_EQUAL:
    case SN_CONTACT_KIND_COUNT: break;
    }
    for (int k = 0; k < law->rows; k++) r[k] = x[k];
}

double sni_law_shift(const sn_contact_law* law, const double* u) {
    if (law->kind != SN_CONTACT_POINT && law->kind != SN_CONTACT_PATCH) return 0;
    double speed = length2(u + 1), shift = sni_law_mu(law, speed) * speed;
    if (law->kind == SN_CONTACT_POINT) return shift;
    shift += law->spin * fabs(u[3]);
    return law->carries ? shift : shift + law->roll * length2(u + 4);
}

// u_t = y and r_t = d - viscous y with d in the cone: x_t = d - (viscous + 1/scale) y. So d is the point of
// the cone nearest to x where lengths along the plane count 1/sqrt(1 + viscous scale) as much.
void sni_law_answer(const sn_contact_law* law, double speed, double scale, const double* x,
                    double* r) {
    sn_contact_project(law, speed, x, r);
    if (law->kind != SN_CONTACT_POINT || !(law->viscous > 0)) return;
    double stretch = sqrt(1 + law->viscous * scale);
    const double wide[3] = {x[0], x[1] / stretch, x[2] / stretch};
    project_cone(sni_law_mu(law, speed) / stretch, wide, r);
    for (int k = 1; k < 3; k++) {
        double dry = stretch * r[k], y = (dry - x[k]) * scale / (stretch * stretch);
        r[k] = dry - law->viscous * y;
    }
}

void sni_law_defect(const sn_contact_law* law, double scale, const double* r, const double* u,
                    double* F) {
    double dry[SN_CONTACT_ROWS_MAX], x[SN_CONTACT_ROWS_MAX], nearest[SN_CONTACT_ROWS_MAX];
    bool rubs = law->kind == SN_CONTACT_POINT || law->kind == SN_CONTACT_PATCH;
    for (int k = 0; k < law->rows; k++) {
        bool drags = law->kind == SN_CONTACT_POINT && k > 0;
        dry[k] = r[k] + (drags ? law->viscous * u[k] : 0);
        x[k] = dry[k] - u[k] / scale;
    }
    x[0] -= sni_law_shift(law, u) / scale;
    sn_contact_project(law, rubs ? length2(u + 1) : 0, x, nearest);
    for (int k = 0; k < law->rows; k++) F[k] = dry[k] - nearest[k];
}
