// SPDX-License-Identifier: Apache-2.0
// Which contacts press, stick and slide, told by impulses and speeds.
#include <math.h>
#include <string.h>

#include "contact/coupling.h"

// Over the largest impulse: less than this is none.
static const double NO_LOAD = 1e-9;
// Over the limit: friction nearer to it than this slides.
static const double AT_LIMIT = 1e-6;

int sni_parts_of(const sn_contact_law* law, double speed, sni_part parts[SNI_PARTS]) {
    parts[0] = (sni_part){1, 2, sni_law_mu(law, speed)};
    if (law->kind != SN_CONTACT_PATCH) return 1;
    parts[1] = (sni_part){3, 1, law->spin};
    parts[2] = (sni_part){4, 2, law->roll};
    return SNI_PARTS;
}

static sni_column* add(sni_closed* closed, int32_t entry) {
    sni_column* column = &closed->column[closed->count++];
    *column = (sni_column){.entry = entry};
    return column;
}

/// A row that must not move but by its compliance.
static void add_row(sni_closed* closed, int32_t entry, int32_t row, double compliance, double y) {
    sni_column* column = add(closed, entry);
    column->N[row] = column->F[row] = 1;
    column->compliance = compliance;
    column->y = y;
}

static double length_of(const double* x, int32_t rows) {
    return rows == 1 ? fabs(x[0]) : sqrt(x[0] * x[0] + x[1] * x[1]);
}

/// Across the slip, friction turns with the direction of motion: at speed s it resists by limit r_n/s.
static void add_across(sni_closed* closed, int32_t entry, const sni_part* part, const double* slip,
                       double speed, double most) {
    if (part->rows < 2 || !(most > 0)) return;
    sni_column* column = add(closed, entry);
    column->N[part->row] = column->F[part->row] = -slip[1];
    column->N[part->row + 1] = column->F[part->row + 1] = slip[0];
    column->compliance = speed / most;
}

static double viscous_of(const sn_contact_law* law) {
    return law->kind == SN_CONTACT_POINT ? law->viscous : 0;
}

static void add_viscous(sni_closed* closed, int32_t entry, double viscous, const double* u) {
    for (int32_t k = 1; k < 3; k++) add_row(closed, entry, k, 1 / viscous, -viscous * u[k]);
}

/// A part at its limit: impulse limit times the normal one along `slip`.
static void slide(sni_closed* closed, int32_t entry, const sn_contact_law* law,
                  const sni_part* part, const double* dry, int32_t first, sn_sliding sliding,
                  double* slip) {
    double length = length_of(dry, part->rows);
    for (int32_t k = 0; k < part->rows; k++) slip[k] = length > 0 ? dry[k] / length : 0;
    bool tips = law->carries && part->row == 4;
    sni_column* normal = &closed->column[closed->standing[entry].normal];
    for (int32_t k = 0; k < part->rows; k++) {
        double pull = part->limit * slip[k];
        // the edge about which an area tips stays where it is, so its row is that of the edge
        if (tips) normal->N[part->row + k] = normal->F[part->row + k] = pull;
        if (tips || pull == 0) continue;
        if (sliding == SN_SLIDING_FROZEN) {
            closed->c[first + part->row + k] = dry[k];
        } else {
            normal->F[part->row + k] = pull;
            closed->symmetric = false;
        }
    }
    closed->sliding++;
}

static void close_surface(const sn_coupling_contacts* contacts, int32_t i, const double* r,
                          const double* u, sn_sliding sliding, sni_closed* closed) {
    const sn_contact_law* law = &contacts->law[i];
    sni_standing* standing = &closed->standing[i];
    int32_t first = contacts->first[i];
    sni_part parts[SNI_PARTS];
    int count = sni_parts_of(law, length_of(u + 1, 2), parts);
    double viscous = viscous_of(law);
    standing->normal = closed->count;
    add_row(closed, i, 0, law->compliance, r[0]);
    for (int p = 0; p < count; p++) {
        const sni_part* part = &parts[p];
        double dry[2], most = part->limit * r[0];
        for (int32_t k = 0; k < part->rows; k++)
            dry[k] = r[part->row + k] + (p == 0 ? viscous * u[part->row + k] : 0);
        standing->slides[p] = length_of(dry, part->rows) >= (1 - AT_LIMIT) * most;
        standing->part[p] = closed->count;
        if (!standing->slides[p]) {
            for (int32_t k = 0; k < part->rows; k++) add_row(closed, i, part->row + k, 0, dry[k]);
            continue;
        }
        slide(closed, i, law, part, dry, first, sliding, standing->slip[p]);
        if (!(law->carries && p == 2))
            add_across(closed, i, part, standing->slip[p], length_of(u + part->row, part->rows),
                       most);
        if (p == 0 && viscous > 0) add_viscous(closed, i, viscous, u);
    }
}

static void close_dry(const sn_contact_law* law, int32_t i, int32_t first, const double* r,
                      sni_closed* closed) {
    sni_standing* standing = &closed->standing[i];
    standing->normal = closed->count;
    standing->slides[0] = fabs(r[0]) >= (1 - AT_LIMIT) * law->bound;
    if (!standing->slides[0]) {
        add_row(closed, i, 0, law->compliance, r[0]);
        return;
    }
    closed->sliding++;
    closed->c[first] = r[0];
    standing->slip[0][0] = r[0] < 0 ? -1 : 1;
}

void sni_closed_find(const sn_coupling_contacts* contacts, const double* r, const double* u,
                     sn_sliding sliding, sni_closed* closed) {
    double most = 0;
    for (int32_t k = 0; k < contacts->rows; k++) most = fmax(most, fabs(r[k]));
    closed->count = closed->sliding = 0;
    closed->symmetric = true;
    memset(closed->c, 0, sizeof closed->c);
    for (int32_t i = 0; i < contacts->count; i++) {
        const sn_contact_law* law = &contacts->law[i];
        int32_t first = contacts->first[i];
        sni_standing* standing = &closed->standing[i];
        *standing = (sni_standing){.closed = true, .normal = closed->count};
        switch (law->kind) {
        case SN_CONTACT_POINT:
        case SN_CONTACT_PATCH:
            standing->closed = r[first] > NO_LOAD * most;
            if (standing->closed)
                close_surface(contacts, i, r + first, u + first, sliding, closed);
            else if (viscous_of(law) > 0) // drags before it presses
                add_viscous(closed, i, law->viscous, u + first);
            break;
        case SN_CONTACT_LIMIT:
            standing->closed = r[first] > NO_LOAD * most;
            if (standing->closed) add_row(closed, i, 0, law->compliance, r[first]);
            break;
        case SN_CONTACT_DRY: close_dry(law, i, first, r + first, closed); break;
        case SN_CONTACT_EQUAL:
        case SN_CONTACT_KIND_COUNT:
            for (int32_t k = 0; k < law->rows; k++)
                add_row(closed, i, k, law->compliance, r[first + k]);
            break;
        }
    }
}
