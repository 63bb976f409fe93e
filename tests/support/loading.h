// SPDX-License-Identifier: Apache-2.0
/// Loading a text in a test: the model or the error, and every warning that was given.
#ifndef SINEW_TESTS_LOADING_H
#define SINEW_TESTS_LOADING_H

#include <stdbool.h>

#include "sinew/load.h"
#include "support/check.h"

typedef struct loaded_warning {
    sn_log_level level;
    int line, column;
    char file[128];
    char text[512];
} loaded_warning;

enum { LOADED_WARNINGS = 80 };

typedef struct loaded {
    sn_status status;
    sn_model* model;
    sn_error error;
    int warning_count;
    loaded_warning warnings[LOADED_WARNINGS];
} loaded;

/// Loads with the default options, but for `base`. Free with loaded_free.
loaded* load_text(const char* text, sn_load_base base);
loaded* load_bytes(const char* bytes, size_t length, const char* name, sn_load_def def);
loaded* load_file(const char* path, sn_load_base base);
void loaded_free(loaded* l);

/// The first warning that contains `text`, or NULL.
const loaded_warning* find_warning(const loaded* l, const char* text);
/// Fails the test, showing what was loaded instead.
void check_loads(const loaded* l, const char* file, int line);
void check_fails(const loaded* l, int at_line, const char* text, const char* file, int line);
void check_warned(const loaded* l, int at_line, const char* text, const char* file, int line);

/// The text became a model.
#define CHECK_LOADS(l) check_loads(l, __FILE__, __LINE__)
/// It did not: the error names the file, this line (0: not looked at), and contains the text.
#define CHECK_FAILS(l, at_line, text) check_fails(l, at_line, text, __FILE__, __LINE__)
/// There is exactly one warning with the text, and it is at this line (0: not looked at).
#define CHECK_WARNED(l, at_line, text) check_warned(l, at_line, text, __FILE__, __LINE__)

/// Two models agree in every name, order and number, to the last bit (but for the sign of zero).
void check_same_model(const sn_model* a, const sn_model* b, uint64_t seed);

/// start, then `piece` many times, then end; to be freed.
char* repeated(const char* start, const char* piece, int count, const char* end);
/// A new empty folder for temporary files.
void make_scratch_folder(char path[64]);
/// Sets a locale that writes 0,5: one of the system's, or one made for the test. Skips the test when there
/// is none. setlocale(LC_ALL, "C") afterwards.
void use_comma_locale(void);
/// The whole of a file, to be freed; NULL when it cannot be read.
char* read_whole_file(const char* path, size_t* length);
/// Calls `visit` for every file of the folder with that ending, in order of name; returns how many.
int for_each_file(const char* folder, const char* ending, void (*visit)(const char* path));

#endif
