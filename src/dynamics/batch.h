// SPDX-License-Identifier: Apache-2.0
/// The kernel that runs the passes on four states at once, a state per lane.
#ifndef SN_DYNAMICS_BATCH_H
#define SN_DYNAMICS_BATCH_H

#include "base/arena.h"
#include "model/sn_model.h"

enum { SN_BATCH_LANES = 4 };

/// Four states, number by number: x[4 k + s] is number k of state s.
typedef struct sni_batch_kernel {
    /// False when this machine cannot run it.
    bool (*works)(void);
    void* (*layout)(const sn_model* model, sni_arena* arena);
    /// Between four rows, a state each, and lanes. Rows may be the same.
    void (*spread)(double* lanes, const double* const row[SN_BATCH_LANES], size_t width);
    void (*gather)(double* const row[SN_BATCH_LANES], const double* lanes, size_t width);
    /// Bit s of the result: state s has a D that is not positive or an answer that is not finite.
    unsigned (*forward)(const sn_model* model, void* memory, sn_vec3 ground_a, const double* q,
                        const double* v, const double* tau, double* qdd);
} sni_batch_kernel;

extern const sni_batch_kernel sni_batch_avx2;

#endif
