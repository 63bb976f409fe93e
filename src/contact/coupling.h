// SPDX-License-Identifier: Apache-2.0
/// Inside of refreshing a coupling law (sinew/coupling_contact.h): what of the contacts is closed, as columns.
///
/// Impulses are r = F y + c: y of what presses, sticks or holds, one number a column; c of dry friction that slides at
/// its bound. Each column keeps one combination N of its entry's rows: N u + compliance y = 0. With
/// u = W r + q + h G f_u that is
///   S y = -N (q + W c + h G f_u) ,   S = N W F + compliance
/// and y is affine in f_u. F is N' but for what slides: there the normal column pulls friction along.   MATH 6.6
#ifndef SN_CONTACT_COUPLING_H
#define SN_CONTACT_COUPLING_H

#include "contact/sn_contact.h"
#include "sinew/coupling_contact.h"

typedef struct sni_column {
    int32_t entry;
    double N[SN_CONTACT_ROWS_MAX]; ///< of the entry's rows
    double F[SN_CONTACT_ROWS_MAX];
    double compliance;
    double y; ///< of the impulses that the solver found
} sni_column;

enum { SNI_PARTS = 3, SNI_COLUMNS = 2 * SN_HELD_ROWS };

/// What an entry does.
typedef struct sni_standing {
    bool closed;
    int32_t normal;            ///< column; of DRY and EQUAL the first
    bool slides[SNI_PARTS];    ///< tangents, spin, roll; of DRY the first
    int32_t part[SNI_PARTS];   ///< first column of a part that sticks
    double slip[SNI_PARTS][2]; ///< of a part that slides: unit vector along its impulse
} sni_standing;

typedef struct sni_closed {
    int32_t count;
    int32_t sliding;
    bool symmetric; ///< F = N'
    sni_column column[SNI_COLUMNS];
    sni_standing standing[SN_HELD_MAX];
    double c[SN_HELD_ROWS];
} sni_closed;

/// Rows and limits of the parts of a POINT or PATCH; how many there are.
typedef struct sni_part {
    int32_t row, rows;
    double limit; ///< of its impulse, over the normal one
} sni_part;
int sni_parts_of(const sn_contact_law* law, double speed, sni_part parts[SNI_PARTS]);

/// From impulses r and the speeds u that they give.
void sni_closed_find(const sn_coupling_contacts* contacts, const double* r, const double* u,
                     sn_sliding sliding, sni_closed* closed);

/// y = at + slope f_u of the columns, n numbers of slope each; N s.
typedef struct sni_answer {
    double at[SNI_COLUMNS];
    double slope[SNI_COLUMNS * SN_GRAB_ROWS];
} sni_answer;

/// Bounds of a law that was made with these.
void sni_bounds_make(const sn_coupling_contacts* contacts, const sni_closed* closed,
                     const sni_answer* answer, const sn_wrench* f_u, sn_coupling_bounds* bounds);

static inline const double* sni_held_row(const sn_coupling_contacts* contacts, int32_t row) {
    return contacts->W + (ptrdiff_t)row * contacts->rows;
}

#endif
