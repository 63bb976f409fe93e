// SPDX-License-Identifier: Apache-2.0
/// The options of a world as bytes, field by field; algorithms by name. Log, clock and modules are the reader's own.
#ifndef SN_RECORD_OPTIONS_CODE_H
#define SN_RECORD_OPTIONS_CODE_H

#include "record/coder.h"
#include "sinew/world.h"

/// Read: strings point into the bytes; fails when a capacity is beyond all sense.
void sni_code_options(sni_coder* coder, sn_world_def* def);
void sni_code_adaptivity(sni_coder* coder, sn_adaptivity* adaptivity);

#endif
