// SPDX-License-Identifier: Apache-2.0
/// What bodies and atoms did at a sample: computed from its coordinates.
#ifndef SINEW_APP_EXPORT_MOTION_H
#define SINEW_APP_EXPORT_MOTION_H

#include "export.h"

typedef struct export_motion export_motion;

/// NULL: what is wanted needs none. `what`: EXPORT_POSES, EXPORT_ATOMS. The recording outlives it.
export_motion* export_motion_create(const sn_recording* recording, unsigned what);
void export_motion_free(export_motion* motion);
/// Samples that follow are of this model. False, with the reason said.
bool export_motion_begin(export_motion* motion, const sn_model* model);
/// Of a sample; valid until the next. motion may be NULL.
export_frame export_motion_compute(export_motion* motion, const sn_sample* sample);

#endif
