// SPDX-License-Identifier: Apache-2.0
/// A program that answers each line it is given with one line. It may die or fall silent at any time:
/// that is an answer too.
#ifndef SINEW_APP_CHILD_H
#define SINEW_APP_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct child {
    pid_t pid; ///< 0: none
    int fd;    ///< its standard input and output; standard error goes nowhere
    char* text;
    size_t length, capacity; ///< of what came and was not asked for yet
} child;

typedef enum child_result {
    CHILD_ANSWERED,
    CHILD_ENDED,  ///< it closed its output or ended
    CHILD_SILENT, ///< it took longer than it may
    CHILD_CHATTY  ///< its line is longer than any answer
} child_result;

/// Starts the program at path; false when it cannot be run.
bool child_start(child* c, const char* path);
/// The program words[0], looked for as a shell does, with the other words, NULL after the last.
bool child_start_with(child* c, const char* const* words);

/// Sends a line (without its end) and waits up to `seconds` for the answer, which stays valid until
/// the next call.
child_result child_ask(child* c, const char* line, double seconds, const char** answer);

/// Closes its input, waits a moment for it to end, ends it if it does not. `how` tells how it ended:
/// "exit status 3", "signal 11 (Segmentation fault)".
void child_end(child* c, char* how, size_t size);

#endif
