// SPDX-License-Identifier: Apache-2.0
#include "csv.h"

#include <string.h>

csv_writer csv_start(FILE* file) { return (csv_writer){file, false}; }

static void separate(csv_writer* csv) {
    if (csv->begun) fputc(',', csv->file);
    csv->begun = true;
}

void csv_text(csv_writer* csv, const char* text) {
    separate(csv);
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, csv->file);
        return;
    }
    fputc('"', csv->file);
    for (; *text; text++) {
        if (*text == '"') fputc('"', csv->file);
        fputc(*text, csv->file);
    }
    fputc('"', csv->file);
}

void csv_unit(csv_writer* csv, const char* name, sn_unit unit) {
    char title[96];
    snprintf(title, sizeof title, "%s_%s", name, unit.symbol);
    csv_text(csv, title);
}

void csv_number(csv_writer* csv, double value) {
    separate(csv);
    fprintf(csv->file, "%.17g", value);
}

void csv_end_row(csv_writer* csv) {
    fputc('\n', csv->file);
    csv->begun = false;
}
