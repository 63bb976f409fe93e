// SPDX-License-Identifier: Apache-2.0
// Where a coupling law with contact holds: forces that press and stick, speeds that separate and slide, all affine in
// the wrenches of the hands.
#include <math.h>
#include <string.h>

#include "contact/coupling.h"

typedef struct making {
    const sn_coupling_contacts* contacts;
    const sni_closed* closed;
    const sni_answer* answer;
    sn_coupling_bounds* to;
    int32_t n;
} making;

static void add_bound(making* m, sn_bound_kind kind, int32_t entry, int32_t rows, double limit) {
    sn_coupling_bounds* to = m->to;
    to->bound[to->count++] = (sn_bound){kind, entry, to->rows - rows, rows, limit};
}

/// The force of a column.
static void add_force(making* m, int32_t column) {
    sn_coupling_bounds* to = m->to;
    double h = m->contacts->h;
    const double* slope = m->answer->slope + (ptrdiff_t)column * m->n;
    to->at[to->rows] = m->answer->at[column] / h;
    for (int32_t c = 0; c < m->n; c++) to->slope[to->rows * m->n + c] = slope[c] / h;
    to->rows++;
}

/// The speed that `part` of an entry's rows, from `row` on, make: part' (W (F y + c) + q + h G f_u).
static void add_speed(making* m, int32_t entry, int32_t row, int32_t rows, const double* part) {
    const sn_coupling_contacts* contacts = m->contacts;
    sn_coupling_bounds* to = m->to;
    int32_t first = contacts->first[entry] + row;
    double W[SN_HELD_ROWS] = {0}, at = 0;
    double* slope = to->slope + (ptrdiff_t)to->rows * m->n;
    memset(slope, 0, (size_t)m->n * sizeof *slope);
    for (int32_t k = 0; k < rows; k++) {
        at += part[k] * contacts->q[first + k];
        for (int32_t c = 0; c < contacts->rows; c++)
            W[c] += part[k] * sni_held_row(contacts, first + k)[c];
        for (int32_t c = 0; c < m->n; c++)
            slope[c] += part[k] * contacts->h * contacts->G[(first + k) * m->n + c];
    }
    for (int32_t c = 0; c < contacts->rows; c++) at += W[c] * m->closed->c[c];
    for (int32_t j = 0; j < m->closed->count; j++) {
        const sni_column* column = &m->closed->column[j];
        int32_t begin = contacts->first[column->entry];
        double WF = 0;
        for (int32_t k = 0; k < contacts->law[column->entry].rows; k++)
            WF += W[begin + k] * column->F[k];
        at += WF * m->answer->at[j];
        for (int32_t c = 0; c < m->n; c++)
            slope[c] += WF * m->answer->slope[(ptrdiff_t)j * m->n + c];
    }
    to->at[to->rows++] = at;
}

/// Something that slides goes on in its direction, which is against its impulse.
static void add_slip(making* m, int32_t entry, int32_t row, int32_t rows, const double* slip) {
    double against[2] = {-slip[0], -slip[1]};
    add_speed(m, entry, row, rows, against);
    add_bound(m, SN_BOUND_POSITIVE, entry, 1, 0);
}

static void bound_surface(making* m, int32_t i) {
    const sn_contact_law* law = &m->contacts->law[i];
    const sni_standing* standing = &m->closed->standing[i];
    sni_part parts[SNI_PARTS];
    int count = sni_parts_of(law, 0, parts);
    add_force(m, standing->normal);
    add_bound(m, SN_BOUND_POSITIVE, i, 1, 0);
    for (int p = 0; p < count; p++) {
        const sni_part* part = &parts[p];
        if (standing->slides[p]) {
            if (part->limit > 0) add_slip(m, i, part->row, part->rows, standing->slip[p]);
            continue;
        }
        add_force(m, standing->normal);
        for (int32_t k = 0; k < part->rows; k++) add_force(m, standing->part[p] + k);
        add_bound(m, SN_BOUND_CONE, i, 1 + part->rows, part->limit);
    }
}

static void bound_entry(making* m, int32_t i) {
    const sn_contact_law* law = &m->contacts->law[i];
    const sni_standing* standing = &m->closed->standing[i];
    const double one = 1;
    switch (law->kind) {
    case SN_CONTACT_POINT:
    case SN_CONTACT_PATCH:
        if (standing->closed) {
            bound_surface(m, i);
            return;
        }
        break;
    case SN_CONTACT_LIMIT:
        if (!standing->closed) break;
        add_force(m, standing->normal);
        add_bound(m, SN_BOUND_POSITIVE, i, 1, 0);
        return;
    case SN_CONTACT_DRY:
        if (standing->slides[0]) {
            add_slip(m, i, 0, 1, standing->slip[0]);
            return;
        }
        add_force(m, standing->normal);
        add_bound(m, SN_BOUND_BAND, i, 1, law->bound / m->contacts->h);
        return;
    case SN_CONTACT_EQUAL:
    case SN_CONTACT_KIND_COUNT: return;
    }
    add_speed(m, i, 0, 1, &one); // is open and stays so
    add_bound(m, SN_BOUND_POSITIVE, i, 1, 0);
}

void sni_bounds_make(const sn_coupling_contacts* contacts, const sni_closed* closed,
                     const sni_answer* answer, const sn_wrench* f_u, sn_coupling_bounds* bounds) {
    making m = {contacts, closed, answer, bounds, 6 * contacts->free.count};
    bounds->count = bounds->rows = 0;
    bounds->hands = contacts->free.count;
    memcpy(bounds->f_u, f_u, (size_t)bounds->hands * sizeof *f_u);
    for (int32_t i = 0; i < contacts->count; i++) bound_entry(&m, i);
}

// ---- at haptic rate ---------------------------------------------------------------------------------------------------

/// Where a + s b, a >= 0, becomes negative; 1: not before.
static double until_negative(double a, double b) {
    if (!(a + b < 0)) return 1;
    return a > 0 ? a / (a - (a + b)) : 0;
}

/// Where |t + s dt| leaves limit (n + s dn): the first root of a quadratic whose value at 0 is not negative.
static double until_outside(double limit, const double* at, const double* change, int32_t rows) {
    double n = limit * at[0], dn = limit * change[0];
    double a = dn * dn, b = n * dn, c = n * n;
    for (int32_t k = 1; k < rows; k++) {
        a -= change[k] * change[k];
        b -= at[k] * change[k];
        c -= at[k] * at[k];
    }
    // n^2 - t^2 = c + 2 b s + a s^2; c is negative by rounding only
    if (c < 0) c = 0;
    double inside = b * b - a * c, s = 1;
    if (b < 0 && inside >= 0) s = c / (sqrt(inside) - b);
    if (b >= 0 && a < 0) s = (b + sqrt(inside)) / -a;
    return fmin(s, until_negative(n, dn));
}

double sn_coupling_reach(const sn_coupling_bounds* bounds, const sn_wrench* f_u, int32_t* broken) {
    int32_t n = 6 * bounds->hands;
    double from[SN_GRAB_ROWS], to[SN_GRAB_ROWS], reach = 1;
    memcpy(from, bounds->f_u, (size_t)bounds->hands * sizeof *f_u);
    memcpy(to, f_u, (size_t)bounds->hands * sizeof *f_u);
    if (broken) *broken = -1;
    for (int32_t i = 0; i < bounds->count; i++) {
        const sn_bound* bound = &bounds->bound[i];
        double at[SN_CONTACT_ROWS_MAX], change[SN_CONTACT_ROWS_MAX];
        for (int32_t k = 0; k < bound->rows; k++) {
            const double* slope = bounds->slope + (ptrdiff_t)(bound->row + k) * n;
            at[k] = bounds->at[bound->row + k];
            change[k] = 0;
            for (int32_t c = 0; c < n; c++) {
                at[k] += slope[c] * from[c];
                change[k] += slope[c] * (to[c] - from[c]);
            }
        }
        double s = 1;
        switch (bound->kind) {
        case SN_BOUND_POSITIVE: s = until_negative(at[0], change[0]); break;
        case SN_BOUND_CONE: s = until_outside(bound->limit, at, change, bound->rows); break;
        case SN_BOUND_BAND:
            s = fmin(until_negative(bound->limit - at[0], -change[0]),
                     until_negative(bound->limit + at[0], change[0]));
            break;
        }
        if (!(s < reach)) continue;
        reach = s;
        if (broken) *broken = i;
    }
    return reach;
}

// Beyond the reach, a' = Lambda' f + a0' + Lambda (f_u - f), f where the law ends: contact forces are those at f.
sn_status sn_coupling_contact_tick(const sn_coupling_law* law, const sn_coupling_law* free,
                                   const sn_coupling_bounds* bounds, const sn_wrench* f_u,
                                   sn_wrench* f_feed, double* reach) {
    double s = sn_coupling_reach(bounds, f_u, NULL);
    if (reach) *reach = s;
    if (s >= 1) return sn_coupling_tick(law, f_u, f_feed);
    int n = 6 * law->count;
    sn_wrench at[SN_GRAB_MAX];
    double beyond[SN_GRAB_ROWS], felt[SN_GRAB_ROWS];
    for (int i = 0; i < law->count; i++) {
        sn_wrench way = sn_wrench_sub(f_u[i], bounds->f_u[i]), rest = sn_wrench_scale(1 - s, way);
        at[i] = sn_wrench_add(bounds->f_u[i], sn_wrench_scale(s, way));
        memcpy(beyond + 6 * i, &rest, sizeof rest);
    }
    sn_status status = sn_coupling_tick(law, at, f_feed);
    if (status) return status;
    memcpy(felt, f_feed, (size_t)law->count * sizeof *f_feed);
    double not_finite = 0;
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < n; c++) felt[r] += free->K[r * n + c] * beyond[c];
        not_finite += 0 * felt[r];
    }
    memcpy(f_feed, felt, (size_t)law->count * sizeof *f_feed);
    if (not_finite == 0) return SN_OK;
    for (int i = 0; i < law->count; i++) f_feed[i] = sn_wrench_zero();
    return SN_ERR_NUMERIC;
}
