// SPDX-License-Identifier: Apache-2.0
/// Memory of this process and of the machine, as the system tells it.
#ifndef SINEW_APP_BENCH_MEMORY_H
#define SINEW_APP_BENCH_MEMORY_H

/// The most this process has held so far, MB (10^6 bytes); NAN when the system does not say.
double bench_memory_peak(void);
/// What could still be taken without swapping, MB; NAN when the system does not say.
double bench_memory_free(void);

#endif
