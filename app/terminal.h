// SPDX-License-Identifier: Apache-2.0
/// What the place we print to can show.
#ifndef SINEW_APP_TERMINAL_H
#define SINEW_APP_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/// True when a person looks at the stream.
bool terminal_is(FILE* stream);
/// True when the stream is a terminal and NO_COLOR is not set.
bool terminal_colours(FILE* stream);
/// Columns of the terminal, 80 when it is none.
int terminal_width(FILE* stream);
/// True when the locale's characters are UTF-8 (main has called setlocale).
bool terminal_utf8(void);
/// Columns that a UTF-8 text takes: its code points.
int terminal_columns(const char* text);

#endif
