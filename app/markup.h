// SPDX-License-Identifier: Apache-2.0
/// Text inside SVG and HTML.
#ifndef SINEW_APP_MARKUP_H
#define SINEW_APP_MARKUP_H

#include <stdio.h>

/// Writes text so that nothing in it is taken for markup; control characters are left out.
void markup_write(FILE* out, const char* text);

#endif
