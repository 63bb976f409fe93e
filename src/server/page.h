// SPDX-License-Identifier: Apache-2.0
/// The files of the page, inside the program; made by cmake/page.cmake from web/dist, or from src/server/fallback.html
/// where there is none.
#ifndef SN_SERVER_PAGE_H
#define SN_SERVER_PAGE_H

#include <stddef.h>

typedef struct sni_page_file {
    const char* path; ///< "/app.js"
    const char* type;
    const unsigned char* gzip;
    size_t size;
} sni_page_file;

extern const sni_page_file sni_page[];
extern const int sni_page_count;

#endif
