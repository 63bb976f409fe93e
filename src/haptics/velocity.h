// SPDX-License-Identifier: Apache-2.0
/// Velocity out of quantised positions: the longest straight line that explains the newest samples.   [JHC00]
///
/// A line through the newest sample that passes within one step of the encoder of the one before allows a range of
/// slopes; each older sample narrows the range, until one would leave nothing of it. The estimate is the middle of
/// what is left. So a hand at rest or in steady motion is averaged over the whole window, 15 ms, as is usual, but a
/// hand that starts, stops or bounces is followed within a sample or two, where a window of 15 ms is 7.5 ms late.
#ifndef SN_HAPTICS_VELOCITY_H
#define SN_HAPTICS_VELOCITY_H

#include <stdint.h>

enum {
    SN_VELOCITY_CHANNELS = 6,
    SN_VELOCITY_KEPT = 16, ///< samples, each at least 0.9 ms after the one before
};

/// Samples are from the newest to the oldest, from `newest` on, each at two places: so none of them is beyond the end.
typedef struct sni_velocity {
    int64_t origin_ns;                 ///< time 0 of the samples
    double time[2 * SN_VELOCITY_KEPT]; ///< ns
    double x[2 * SN_VELOCITY_KEPT][SN_VELOCITY_CHANNELS];
    int count, newest;
} sni_velocity;

/// Takes a sample of `channels` positions, each known to its quantum, and writes their velocities: zero for the
/// first sample. A time that does not go on gives the velocities before: `velocity` is left as it is.
void sni_velocity_update(sni_velocity* v, int64_t now_ns, const double* x, const double* quantum,
                         int channels, double* velocity);

#endif
