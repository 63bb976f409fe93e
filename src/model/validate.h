// SPDX-License-Identifier: Apache-2.0
/// Reasons why a list of definitions is not a model, each with the place it came from.
#ifndef SN_MODEL_VALIDATE_H
#define SN_MODEL_VALIDATE_H

#include "model/builder.h"

/// The joint a loop is closed by.
static inline sn_joint_def sni_loop_joint(const sn_loop_def* def) {
    sn_joint_def joint = sn_joint_def_default();
    joint.type = def->type;
    joint.axis = def->axis;
    joint.axis2 = def->axis2;
    joint.pitch = def->pitch;
    return joint;
}

/// Checks one body's own numbers: finite, axes not zero, rotations orthonormal, limits ordered.
sn_status sni_validate_body(const sn_body_def* def, sn_error* error);
/// Checks what moves: with all that is fixed to it, a body needs mass and a positive definite
/// inertia. Warns when no real body has such an inertia.
sn_status sni_validate_inertia(const sn_body_def* def, const sn_inertia* inertia, const sn_log* log,
                               sn_error* error);
sn_status sni_validate_shape(const sn_shape_def* def, sn_error* error);
/// Checks one loop's own numbers. Warns when it holds nothing.
sn_status sni_validate_loop(const sn_loop_def* def, const sn_log* log, sn_error* error);

/// Vectors whose directions differ by less than this are taken as given by the user.
extern const double SN_DIRECTION_TOLERANCE;

#endif
