// SPDX-License-Identifier: Apache-2.0
/// JSON written as it comes, without building it in memory. Lists of numbers take one line.
/// A number that is not finite becomes null: JSON has no word for it.
#ifndef SINEW_APP_JSON_WRITER_H
#define SINEW_APP_JSON_WRITER_H

#include <stdbool.h>
#include <stdio.h>

enum { JSON_DEPTH_MOST = 16 };

typedef struct json_writer {
    FILE* file;
    int depth;
    bool after_key;
    bool filled[JSON_DEPTH_MOST];   ///< something was written at this depth
    bool one_line[JSON_DEPTH_MOST]; ///< no line breaks at this depth and below
    bool members[JSON_DEPTH_MOST];  ///< an object: a space after each comma
} json_writer;

json_writer jw_start(FILE* file);
/// Ends the line after the outermost value.
void jw_finish(json_writer* w);

void jw_object(json_writer* w);      ///< { one member a line
void jw_object_line(json_writer* w); ///< { all on one line
void jw_object_end(json_writer* w);
void jw_array(json_writer* w);
void jw_array_line(json_writer* w);
void jw_array_end(json_writer* w);

void jw_key(json_writer* w, const char* key);
void jw_text(json_writer* w, const char* text);
void jw_number(json_writer* w, double value); ///< as few digits as read back to the same bits
void jw_integer(json_writer* w, long long value);
void jw_boolean(json_writer* w, bool value);
void jw_numbers(json_writer* w, const double* values, int count); ///< an array on one line
/// count rows of `width` numbers, nested arrays, a row a line.
void jw_matrix(json_writer* w, const double* values, int count, int width);

#endif
