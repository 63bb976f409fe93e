// SPDX-License-Identifier: Apache-2.0
// A motor at a joint.   [C12 22], with the signs of friction that oppose motion
#include <math.h>
#include <stddef.h>

#include "control/sn_control.h"

sn_actuator sn_actuator_default(void) {
    return (sn_actuator){.gear = 1, .torque = INFINITY, .speed = INFINITY};
}

static bool is_coefficient(double x) { return x >= 0 && isfinite(x); }

const char* sn_actuator_trouble(const sn_actuator* a) {
    if (!(isfinite(a->gear) && a->gear != 0)) return "the gear ratio must be a number other than 0";
    if (!is_coefficient(a->rotor) || !isfinite(a->gear * a->gear * a->rotor))
        return "the rotor's inertia must not be negative";
    if (!is_coefficient(a->viscous) || !is_coefficient(a->friction))
        return "friction must not be negative";
    if (!(a->torque > 0) || !(a->speed > 0)) return "torque and speed must be positive";
    return NULL;
}

void sn_actuator_join(const sn_actuator* a, sn_joint_def* joint) {
    for (int k = 0; k < sn_joint_type_nv(joint->type); k++) {
        joint->armature[k] += a->gear * a->gear * a->rotor;
        joint->damping[k] += a->viscous;
        joint->friction[k] += a->friction;
        joint->effort[k] = fmin(joint->effort[k], a->torque);
    }
}

void sn_actuator_bounds(const sn_actuator* a, double v, double* lower, double* upper) {
    double part = isfinite(a->torque) ? fmax(0, 1 - fabs(v) / a->speed) : 1;
    *lower = v < 0 ? -a->torque * part : -a->torque;
    *upper = v > 0 ? a->torque * part : a->torque;
}

double sn_gain_factor(sn_gain_side side, double gear) {
    switch (side) {
    case SN_GAINS_MOTOR: return gear * gear;
    case SN_GAINS_MIXED: return gear;
    case SN_GAINS_JOINT:
    case SN_GAIN_SIDE_COUNT: break;
    }
    return 1;
}
