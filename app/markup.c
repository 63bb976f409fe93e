// SPDX-License-Identifier: Apache-2.0
#include "markup.h"

void markup_write(FILE* out, const char* text) {
    for (; *text; text++) {
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default:
            if ((unsigned char)*text >= 0x20) fputc(*text, out);
        }
    }
}
