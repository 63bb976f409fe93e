// SPDX-License-Identifier: Apache-2.0
/// Forward dynamics of many states of one model at once, for sweeps, sampling controllers and
/// learning: the lanes of the vector unit hold different states, so a state costs a fraction of what
/// it costs alone. One sn_batch per thread; nothing allocates after creation.
#ifndef SINEW_BATCH_H
#define SINEW_BATCH_H

#include "sinew/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_batch sn_batch;

/// The model must outlive the batch. Gravity is (0, 0, -9.81) unless set. Models with loops are refused.
sn_status sn_batch_create(const sn_model* model, sn_batch** batch, sn_error* error);
void sn_batch_free(sn_batch* batch);
void sn_batch_set_gravity(sn_batch* batch, sn_vec3 g_w);

/// qdd = M^-1 (tau - bias) for `count` states: q holds count rows of nq numbers, v, tau and qdd rows of
/// nv. v NULL: at rest; tau NULL: zero. Armature is included; there are no external wrenches and no
/// locked joints. SN_ERR_NUMERIC when some result is not finite: *bad (may be NULL) is the first such
/// state, and the others are right.
sn_status sn_dynamics_batch(sn_batch* batch, int count, const double* q, const double* v,
                            const double* tau, double* qdd, int* bad);

#ifdef __cplusplus
}
#endif
#endif
