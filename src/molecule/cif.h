// SPDX-License-Identifier: Apache-2.0
/// The syntax of CIF files [HM05]: a data block of tables, each of which is a loop of rows or one row of pairs of name and value.
/// Goes through a text once and hands the rows of the tables that are wanted to whoever wants them.
#ifndef SN_MOLECULE_CIF_H
#define SN_MOLECULE_CIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sinew/status.h"

/// A piece of the text.
typedef struct sni_cif_value {
    const char* text; ///< NULL: there is none, or the file has . or ? here
    size_t length;
    int32_t line, column; ///< from 1
} sni_cif_value;

enum { SN_CIF_COLUMNS = 24 }; ///< most that one table may want

/// A table that is wanted.
typedef struct sni_cif_table {
    const char* category;                ///< "_atom_site."
    const char* columns[SN_CIF_COLUMNS]; ///< names behind it; NULL after the last
    /// A row: a value for each of the columns above. Anything but SN_OK ends the reading.
    sn_status (*row)(void* context, const sni_cif_value* values);
} sni_cif_table;

/// Whether a text begins as a CIF file does, behind blanks and comments: with data_.
bool sni_cif_is(const char* text, size_t length);
/// Reads the first data block; others and everything else are passed over.
sn_status sni_cif_read(const char* text, size_t length, const char* file,
                       const sni_cif_table* tables, int count, void* context, sn_error* error);

#endif
