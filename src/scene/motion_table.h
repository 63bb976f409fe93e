// SPDX-License-Identifier: Apache-2.0
/// Motions of files: tables with a column 'time' and one for each joint.
#ifndef SN_SCENE_MOTION_TABLE_H
#define SN_SCENE_MOTION_TABLE_H

#include "scene/read.h"

/// A motion with room for `count` postures, to be filled through time and q; NULL without memory.
sn_motion* sni_motion_make(sni_reader* reader, const sni_controller_keys* keys, size_t nq,
                           size_t count, double** time, double** q);
/// Joints without a column stay where the controller's target is.
sn_status sni_motion_read_table(sni_reader* reader, const sni_controller_keys* keys,
                                const char* path, const char* text, sn_controller_def* controller);

#endif
