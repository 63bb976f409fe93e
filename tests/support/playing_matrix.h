// SPDX-License-Identifier: Apache-2.0
/// Interactions that every device and hand must be stable in: the whole session, with the gains that it certifies.
///
///     playing_verdict v = playing_try(PLAYING_WALL, "omega3", "firm");
#ifndef SINEW_TESTS_PLAYING_MATRIX_H
#define SINEW_TESTS_PLAYING_MATRIX_H

#include "support/playing.h"

/// X(name, word, text)
#define PLAYING_CASE_LIST(X)                                                                       \
    X(FREE, "free", "free motion")                                                                 \
    X(WALL, "wall", "stiff wall touched")                                                          \
    X(HEAVY, "heavy", "heavy body attached")                                                       \
    X(ROBOT, "robot", "attached hand of hrp2 pressed on a wall")                                   \
    X(CHAIN, "chain", "chain of 300 joints")                                                       \
    X(BAR, "bar", "two hands on one bar")

#define PLAYING_ENUM(name, word, text) PLAYING_##name,
typedef enum playing_case { PLAYING_CASE_LIST(PLAYING_ENUM) PLAYING_CASES } playing_case;
#undef PLAYING_ENUM
const char* playing_case_text(playing_case which);
const char* playing_case_word(playing_case which);

typedef struct playing_verdict {
    double ripple;   ///< N, half of what the force varied by in the last second
    double seconds;  ///< that it took to come to rest
    double produced; ///< J, by the motors beyond what viscous friction took
    double
        produced_most;   ///< J, of that is no sign of trouble; INFINITY: where others put energy in
    double energy;       ///< J, lowest of the observer
    double energy_least; ///< J, that is no sign of trouble
    double pressed;      ///< N, between the robot and its wall in the end
    double step;         ///< largest change of force in a tick, over the slew limit
    double stiffness;    ///< N/m, certified
    uint64_t trips;
    const char* fault; ///< the first thing that is wrong, or NULL
} playing_verdict;

/// Of all hands the worst.
playing_verdict playing_try(playing_case which, const char* profile, const char* hand);

#endif
