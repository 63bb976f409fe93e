// SPDX-License-Identifier: Apache-2.0
/// Forward dynamics by a user's functions (sn_dynamics_module) inside an sn_dynamics of ours.
///
/// The ops of such an sn_dynamics are those of "aba", which keeps poses, velocities, inverse dynamics and the
/// inertia matrix, with forward and impulse replaced. What the user's functions return is looked at
/// before anybody else sees it.
#ifndef SN_DYNAMICS_GUEST_H
#define SN_DYNAMICS_GUEST_H

#include "dynamics/sn_dynamics.h"

struct sni_dynamics_guest {
    sni_dynamics_ops ops;
    sn_dynamics_module table;
    void* memory;           ///< the user's
    sn_body_wrench* wrench; // [body_count] external ones, for the call
    double* dv;             // [nv] of the last impulse; scratch of forward
    sn_twist* change;       // [body_count] of the last impulse, world axes
    bool spread;            ///< change belongs to dv
};

/// Makes the user's memory for the model. *guest is NULL when it fails.
sn_status sni_dynamics_guest_create(const sn_model* model, const sn_dynamics_module* table,
                                    sni_dynamics_guest** guest, sn_error* error);
void sni_dynamics_guest_free(sni_dynamics_guest* guest);

#endif
