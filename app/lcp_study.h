// SPDX-License-Identifier: Apache-2.0
/// What `sinew reproduce lcp-vs-nsgs` measures: the same problems solved with pyramids of 4, 8 and 16 facets
/// and with exact cones.
#ifndef SINEW_APP_LCP_STUDY_H
#define SINEW_APP_LCP_STUDY_H

#include <stdbool.h>
#include <stdint.h>

#include "sinew/contact.h"

enum {
    LCP_CONTENDER_COUNT = 4,
    LCP_EXACT = LCP_CONTENDER_COUNT - 1,
    LCP_ANGLES_MOST = 64,
    LCP_PILES_MOST = 8
};

typedef struct lcp_contender {
    const char* solver;
    int facets; ///< 0: exact cones
    char label[32];
} lcp_contender;

/// One solve.
typedef struct lcp_run {
    double residual;  ///< against the exact cones
    double direction; ///< largest angle between friction and what it should oppose, degrees
    double seconds;   ///< the fastest of several
    int64_t iterations;
} lcp_run;

typedef struct lcp_study {
    lcp_contender contender[LCP_CONTENDER_COUNT];
    // a box on four feet slides in all directions
    int angles;
    double angle_deg[LCP_ANGLES_MOST];
    lcp_run slide[LCP_CONTENDER_COUNT][LCP_ANGLES_MOST];
    // towers whose boxes slide on each other
    int piles;
    double contacts[LCP_PILES_MOST];
    lcp_run pile[LCP_CONTENDER_COUNT][LCP_PILES_MOST];
    // what came of it, per contender
    double slide_direction[LCP_CONTENDER_COUNT]; ///< largest, degrees
    double mean_residual[LCP_CONTENDER_COUNT];   ///< of all problems
    double pile_seconds[LCP_CONTENDER_COUNT];    ///< of all towers together
    double pile_work[LCP_EXACT]; ///< numbers of tableaux that pivots of Lemke's method went through
    bool holds;
} lcp_study;

/// False, with the reason said, when a problem cannot be solved at all.
bool lcp_study_measure(lcp_study* study, bool quick);

#endif
