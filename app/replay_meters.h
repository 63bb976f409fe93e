// SPDX-License-Identifier: Apache-2.0
/// What the loops of a recorded session had counted at its end, one row for each loop and hand.
#ifndef SINEW_APP_REPLAY_METERS_H
#define SINEW_APP_REPLAY_METERS_H

#include "json_writer.h"
#include "sinew/record.h"

/// Nothing where the recording has no meters.
void replay_meters_print(sn_recording* recording);
/// "loops": a list, empty where there are none.
void replay_meters_json(json_writer* writer, sn_recording* recording);

#endif
