// SPDX-License-Identifier: Apache-2.0
/// Reasons why a list of definitions is not a model, each with the place it came from.
#ifndef SN_MODEL_VALIDATE_H
#define SN_MODEL_VALIDATE_H

#include "model/builder.h"

/// Checks one body's own numbers: finite, axes not zero, rotations orthonormal, limits ordered.
sn_status sni_validate_body(const sn_body_def* def, sn_error* error);
/// Checks what moves: with all that is fixed to it, a body needs mass and a positive definite
/// inertia. Warns when no real body has such an inertia.
sn_status sni_validate_inertia(const sn_body_def* def, const sn_inertia* inertia, const sn_log* log,
                               sn_error* error);
sn_status sni_validate_shape(const sn_shape_def* def, sn_error* error);

/// Vectors whose directions differ by less than this are taken as given by the user.
extern const double SN_DIRECTION_TOLERANCE;

#endif
