// SPDX-License-Identifier: Apache-2.0
/// Tables of text with aligned columns.
#ifndef SINEW_APP_TABLE_H
#define SINEW_APP_TABLE_H

#include <stdio.h>

typedef struct table table;

/// One letter of `align` a column, 'l' or 'r'; `titles` separated by '|', NULL: no title row.
table* table_create(const char* align, const char* titles);
/// The next cell; rows fill from left to right.
void table_cell(table* t, const char* format, ...) __attribute__((format(printf, 2, 3)));
/// A value with a title beside it: the two cells of a row of a two-column table.
void table_pair(table* t, const char* title, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
/// Prints it with `indent` spaces before each line, and frees it.
void table_print(table* t, int indent, FILE* out);
/// Frees it without printing.
void table_free(table* t);

#endif
