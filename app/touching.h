// SPDX-License-Identifier: Apache-2.0
/// Contact points of bodies against the world, as rows for a Delassus operator: no geometry, only as many
/// points as are wanted, in a grid on each body.
#ifndef SINEW_APP_TOUCHING_H
#define SINEW_APP_TOUCHING_H

#include "sinew/delassus.h"

typedef struct touching {
    sn_delassus_rows* groups; ///< one for each point
    int count, rows;
    sn_body_id* bodies;
    int body_count;
    double* C; ///< rows x 6
    double* W; ///< room for rows x rows
} touching;

/// `points` on each of the bodies, three rows each: normal, then two tangents. Free with touching_free.
touching touching_points(const sn_body_id* bodies, int body_count, int points);
/// All six directions of each body.
touching touching_welds(const sn_body_id* bodies, int body_count);
void touching_free(touching* t);

/// A Delassus operator with room for it; NULL, with the reason said, when it cannot be made.
sn_delassus* touching_operator(const touching* t, sn_dynamics* dynamics, const char* method);

#endif
