// SPDX-License-Identifier: Apache-2.0
/// What became of the matrix of interactions, devices and hands, as a page for people.
#ifndef SINEW_TESTS_STABILITY_PAGE_H
#define SINEW_TESTS_STABILITY_PAGE_H

#include "support/playing_matrix.h"

typedef struct stability_cell {
    playing_case which;
    char device[32];
    const char* hand;
    playing_verdict verdict;
} stability_cell;

/// Start from {0}.
typedef struct stability_page {
    stability_cell* cell;
    int count, room;
} stability_page;

void stability_page_add(stability_page* page, playing_case which, const char* device,
                        const char* hand, const playing_verdict* verdict);
int stability_page_faults(const stability_page* page);
/// False: the file could not be written.
bool stability_page_write(const stability_page* page, const char* path);
void stability_page_free(stability_page* page);

#endif
