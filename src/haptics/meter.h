// SPDX-License-Identifier: Apache-2.0
/// How a loop keeps its time: rate, jitter, lateness. Counting costs a few nanoseconds a tick.
#ifndef SN_HAPTICS_METER_H
#define SN_HAPTICS_METER_H

#include "sinew/haptics.h"

/// A tick begins at now_ns and was due at due_ns. Realtime: yes.
void sni_meter_tick(sn_loop_meter* meter, int64_t now_ns, int64_t due_ns, int64_t period_ns);

/// A force was written so long after the sample that it answers was taken. Realtime: yes.
void sni_latency_count(sn_latency_meter* meter, int64_t latency_ns);

#endif
