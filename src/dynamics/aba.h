// SPDX-License-Identifier: Apache-2.0
/// What "aba" and "aba-scalar" let others see: the factors of the last forward.
#ifndef SN_DYNAMICS_ABA_H
#define SN_DYNAMICS_ABA_H

#include "dynamics/delassus_kernel.h"

/// Whether the algorithm is one of the two.
bool sni_aba_has_factors(const sn_dynamics* d);
// of such an algorithm
sni_factors sni_aba_factors(const sn_dynamics* d);
/// The code that works on the factors.
const sni_delassus_kernel* sni_aba_columns(const sn_dynamics* d);
/// The compressed tree of the last response.
const sni_keys* sni_aba_keys(const sn_dynamics* d);
/// The axes that the user gave a body, in the world.
sn_mat3 sni_aba_user_axes(const sn_dynamics* d, int32_t body);

#endif
