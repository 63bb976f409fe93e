// SPDX-License-Identifier: Apache-2.0
/// Names, units and orders of joint coordinates.
///
/// The C API and our files order some joints differently: files (docs/eval.md) write quaternions
/// x,y,z,w and put the linear part of a free joint first; the API has w,x,y,z and angular first.
/// Everything that crosses goes through the two orders here: file[k] = api[order[k]].
#ifndef SINEW_APP_COORDINATES_H
#define SINEW_APP_COORDINATES_H

#include <stdbool.h>
#include <stddef.h>

#include "sinew/model.h"
#include "sinew/units.h"

/// nq and nv numbers; free with free().
int* coordinates_q_order(const sn_model* model);
int* coordinates_v_order(const sn_model* model);

/// True when number k of v (API order) is an angular rate, false when linear.
bool coordinates_v_is_angular(sn_joint_type type, int k);
/// True when number k of q (API order) is an angle in radians.
bool coordinates_q_is_angle(sn_joint_type type, int k);

/// Column name with unit, "q:knee_rad", "q:root[qw]", "v:root[vx]_m/s"; k in API order.
void coordinates_q_name(const sn_body_info* joint, int k, const sn_units* units, char* name,
                        size_t size);
void coordinates_v_name(const sn_body_info* joint, int k, const sn_units* units, char* name,
                        size_t size);

#endif
