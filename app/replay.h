// SPDX-License-Identifier: Apache-2.0
/// Parts of `sinew replay`: the run that is compared, and what is said of it.
#ifndef SINEW_APP_REPLAY_H
#define SINEW_APP_REPLAY_H

#include <stdbool.h>
#include <stdio.h>

#include "sinew/record.h"
#include "viewer.h"

typedef enum replay_verdict {
    REPLAY_NONE,     ///< nobody asked
    REPLAY_SAME,     ///< every step that is in it
    REPLAY_GAP,      ///< up to where steps are missing
    REPLAY_DIFFERS,  ///< from a step on
    REPLAY_NONSENSE, ///< what is recorded there cannot be followed
    REPLAY_UNREADABLE
} replay_verdict;

/// What became of a recording that was simulated once more.
typedef struct replay_result {
    replay_verdict verdict;
    uint64_t same;          ///< steps that came out the same
    uint64_t step;          ///< the first that did not, as the world counts
    uint64_t block, offset; ///< that hold it
    char worst[160];        ///< coordinate that is farthest off at that step; "": no sample of it
    double recorded, again; ///< of that coordinate
    double seconds;         ///< by the clock
} replay_result;

/// Simulates it step by step up to the first difference. False, with the reason said: there is no world to do it in.
bool replay_verify(sn_recording* recording, const sn_modules* modules, bool quiet,
                   replay_result* result);
/// Plays it in the viewer until Ctrl-C; exit status.
int replay_in_viewer(sn_recording* recording, const sn_modules* modules, const char* path,
                     const viewer_options* options);
/// Words that a script may look for: "same", "gap", "differs", ...
const char* replay_verdict_name(replay_verdict verdict);

#endif
