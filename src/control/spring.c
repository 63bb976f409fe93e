// SPDX-License-Identifier: Apache-2.0
#include "control/sn_control.h"

// At the end of the step, q+ = q + h v+ and v+ = v + h qdd:
//   kp (error - h v+) + kd (v_target - v+)
//     = kp (error - h v) + kd (v_target - v)  -  (h kd + h^2 kp) qdd
sn_pull sn_spring_pull(double kp, double kd, double error, double v, double v_target, double h) {
    return (sn_pull){kp * (error - h * v) + kd * (v_target - v), h * (kd + h * kp)};
}
