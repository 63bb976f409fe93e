// SPDX-License-Identifier: Apache-2.0
/// All experiments of a paper, one after the other, as one HTML report.
#ifndef SINEW_APP_REPRODUCE_PAPER_H
#define SINEW_APP_REPRODUCE_PAPER_H

#include "reproduce.h"

/// One experiment of the list.
typedef struct experiment {
    const char* name;
    const char* source; ///< key of docs/references.md
    const char* claim;
    int (*run)(const reproduce_options* options);
} experiment;

/// Runs those of `list` that have this source and writes the report; the exit status, 1 when one claim did not show.
int reproduce_paper(const char* name, const char* heading, const char* source,
                    const experiment* list, int count, const reproduce_options* options);

#endif
