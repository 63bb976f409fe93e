// SPDX-License-Identifier: Apache-2.0
/// What the fast algorithms share: a kernel, its memory, and the questions it answers.
#ifndef SN_DYNAMICS_FAST_H
#define SN_DYNAMICS_FAST_H

#include "dynamics/kernel.h"

/// Where a body is and how it moves: world axes, at its origin.
typedef struct sni_fast_motion {
    sn_mat3 R;
    sn_vec3 p, w, v;
} sni_fast_motion;

struct sni_fast {
    const sni_kernel* kernel;
    void* memory;            ///< the kernel's
    bool ready;              ///< the kernel holds inertias and bias forces of the state, qdd zero
    bool solved;             ///< accelerations are those of the last accelerate
    bool placed;             ///< the motion below belongs to the state
    sni_fast_motion* motion; // [body_count]
    double* scratch;         // [nv]
    sni_rigid* composite;    // [body_count] inertia of a body and all it carries, world axes
    sn_vec3* r;              // [body_count] from the parent's origin
    sn_twist* S;             // [nv] motion subspace, world axes
};

void sni_fast_layout(sni_fast* fast, const sni_kernel* kernel, const sn_model* model,
                     sni_arena* arena);

void sni_fast_kinematics(sn_dynamics* d, sni_fast* fast);
/// Inertias and bias forces of the state with its external wrenches, ready for `backward`.
void sni_fast_load(sn_dynamics* d, sni_fast* fast);
void sni_fast_inverse(sn_dynamics* d, sni_fast* fast, const double* qdd, bool moving, double* tau);
void sni_fast_mass_matrix(sn_dynamics* d, sni_fast* fast, const sni_rows* rows);

/// Makes the motion of all bodies.
void sni_fast_place(const sn_dynamics* d, sni_fast* fast);
/// Good until the state changes.
static inline const sni_fast_motion* sni_fast_motion_of(const sn_dynamics* d, sni_fast* fast,
                                                        int32_t body) {
    if (!fast->placed) sni_fast_place(d, fast);
    return &fast->motion[body];
}
sn_pose sni_fast_pose(const sn_dynamics* d, sni_fast* fast, int32_t body);
sn_twist sni_fast_velocity(const sn_dynamics* d, sni_fast* fast, int32_t body);
/// a' = a - gravity's, spatial, body axes.
sn_twist sni_fast_acceleration(const sn_dynamics* d, sni_fast* fast, int32_t body);

#endif
