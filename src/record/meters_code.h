// SPDX-License-Identifier: Apache-2.0
/// Meters of a loop as bytes.   docs/recording.md
#ifndef SN_RECORD_METERS_CODE_H
#define SN_RECORD_METERS_CODE_H

#include "record/coder.h"
#include "sinew/record.h"

enum { SN_METERS_LEAST = 8 + 1 + 5 }; ///< bytes

void sni_code_meters(sni_coder* coder, sn_meters* meters);

#endif
