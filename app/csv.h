// SPDX-License-Identifier: Apache-2.0
/// Comma-separated values as spreadsheets and numpy read them: a row of names, rows of numbers with
/// all 17 digits.
#ifndef SINEW_APP_CSV_H
#define SINEW_APP_CSV_H

#include <stdbool.h>
#include <stdio.h>

#include "sinew/units.h"

typedef struct csv_writer {
    FILE* file;
    bool begun; ///< the row has a cell
} csv_writer;

csv_writer csv_start(FILE* file);
void csv_text(csv_writer* csv, const char* text); ///< quoted where it must be
void csv_number(csv_writer* csv, double value);
/// A title that ends with its unit: "time_s".
void csv_unit(csv_writer* csv, const char* name, sn_unit unit);
void csv_end_row(csv_writer* csv);

#endif
