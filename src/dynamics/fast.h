// SPDX-License-Identifier: Apache-2.0
/// What the fast algorithms share: a kernel, its memory, and the questions it answers.
#ifndef SN_DYNAMICS_FAST_H
#define SN_DYNAMICS_FAST_H

#include "dynamics/kernel.h"

struct sni_fast {
    const sni_kernel* kernel;
    void* memory; ///< the kernel's
    bool ready;   ///< the kernel holds inertias and bias forces of the state, qdd zero
    bool solved;  ///< accelerations are those of the last accelerate
    sni_places at;
    double* scratch;      // [nv]
    sni_rigid* composite; // [body_count] inertia of a body and all it carries, world axes
    sn_vec3* r;           // [body_count] from the parent's origin
    sn_twist* S;          // [nv] motion subspace, world axes
};

void sni_fast_layout(sni_fast* fast, const sni_kernel* kernel, const sn_model* model,
                     sni_arena* arena);

/// Once, when there is memory: the kernel's constants, and places for users.
void sni_fast_start(sn_dynamics* d, sni_fast* fast);
void sni_fast_kinematics(sn_dynamics* d, sni_fast* fast);
/// Inertias and bias forces of the state with its external wrenches, ready for `backward`.
void sni_fast_load(sn_dynamics* d, sni_fast* fast);
void sni_fast_inverse(sn_dynamics* d, sni_fast* fast, const double* qdd, bool moving, double* tau);
void sni_fast_mass_matrix(sn_dynamics* d, sni_fast* fast, const sni_rows* rows);
sn_vec3 sni_fast_momentum(sn_dynamics* d, sni_fast* fast, sn_wrench* column);

/// Finds where bodies are, unless that is known.
void sni_fast_place(const sn_dynamics* d, sni_fast* fast);
sn_pose sni_fast_pose(const sn_dynamics* d, sni_fast* fast, int32_t body);
sn_twist sni_fast_velocity(const sn_dynamics* d, sni_fast* fast, int32_t body);
/// a' = a - gravity's, spatial, body axes.
sn_twist sni_fast_acceleration(const sn_dynamics* d, sni_fast* fast, int32_t body);

#endif
