// SPDX-License-Identifier: Apache-2.0
/// The passes of the fast algorithms on one state, behind one table: portable code, and code for the
/// vector unit of the machine, picked when an sn_dynamics is created.
///
/// World axes, origin at each body frame, classical accelerations: nothing turns but R, and inertias
/// are only shifted from origin to origin. Bias accelerations run forward from the ground, which
/// accelerates against gravity, so the backward pass has no bias of its own.   [F08 ch 7]
#ifndef SN_DYNAMICS_KERNEL_H
#define SN_DYNAMICS_KERNEL_H

#include "dynamics/sn_dynamics.h"

/// Motion of a body in world axes at the origin of its canonical frame.
typedef struct sni_kernel_motion {
    sn_mat3 R;     ///< axes of the body in the world
    sn_vec3 r;     ///< from the parent's origin to the body's
    sn_vec3 w;     ///< angular velocity
    sn_vec3 alpha; ///< angular acceleration
    sn_vec3 a;     ///< classical acceleration of the origin, minus gravity
} sni_kernel_motion;

/// How `backward` took a joint out.
enum { SNI_WAY_LOCKED, SNI_WAY_HINGE, SNI_WAY_BALL, SNI_WAY_OTHER };

/// Where a kernel keeps what `backward` left of the joints: first numbers, and strides from one body or
/// degree of freedom to the next. World axes; V is V/D, U is U/D.
///   hinge  V, U at the parent's origin; turns about z
///   ball   V: rows of a D^-1, U: rows of D^-1 H, axis_v: rows of D^-1; a: its armature
///   other  V, U at the body's origin, one degree of freedom after the other, the last taken out first
typedef struct sni_factors {
    const double *z,
        *r; ///< of bodies, known after forward: axis of a hinge; from the parent's origin
    const double *V, *U;   ///< of degrees of freedom, and so on
    const double* inverse; ///< 1/D
    const double *axis_w, *axis_v;
    size_t body_stride, factor_stride, inverse_stride, axis_stride;
    const uint8_t* way; ///< [body_count]
} sni_factors;

typedef struct sni_kernel {
    const char* name;
    /// False when this machine cannot run it.
    bool (*works)(void);
    /// Takes its memory from the arena; NULL while measuring.
    void* (*layout)(const sn_model* model, sni_arena* arena);
    void (*prepare)(const sn_model* model, void* memory);
    /// Motion of all bodies and their bias forces. qdd NULL means zero, and then their inertias too, for
    /// `backward`; otherwise it is for `inverse`.
    void (*forward)(const sn_model* model, void* memory, sn_vec3 ground_a, const double* q,
                    const double* v, const double* qdd);
    /// After forward: a wrench on a body, world axes, about its origin.
    void (*push)(void* memory, int32_t body, sn_wrench f_w);
    /// Joint forces that keep the bodies on this motion; uses the bias forces up.
    void (*inverse)(const sn_model* model, void* memory, double* tau);
    /// Eliminates all joints, leaf to root; uses inertias and bias forces up. False when some joint has
    /// no inertia.
    bool (*backward)(const sn_model* model, void* memory, const double* tau, const double* armature,
                     const bool* locked);
    void (*accelerate)(const sn_model* model, void* memory, double* qdd);
    /// With the factors of the last backward: hit bodies, then solve.
    void (*hit)(void* memory, int32_t body, sn_wrench f_w);
    void (*impulse)(const sn_model* model, void* memory, const double* tau, double* dv);
    /// The factors themselves, good until the next forward.
    sni_factors (*factors)(const void* memory);
    /// Motion after forward; solved: with the accelerations of the last accelerate.
    sni_kernel_motion (*motion)(const void* memory, int32_t body, bool solved);
    /// The same of all bodies after a forward with these velocities; origins and what users ask for.
    void (*place)(const sn_model* model, const void* memory, const double* v, sni_places* to);
    /// Velocity change of a body in the last impulse, world axes.
    sn_twist (*change)(const void* memory, int32_t body);
    /// Motion subspace of a degree of freedom of a body after forward, world axes.
    sn_twist (*axis)(const sn_model* model, const void* memory, int32_t body, int32_t dof);
} sni_kernel;

extern const sni_kernel sni_kernel_scalar;
extern const sni_kernel sni_kernel_avx2; ///< does not work on other machines

/// The fastest that works here.
const sni_kernel* sni_kernel_pick(void);

#endif
