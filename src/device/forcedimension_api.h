// SPDX-License-Identifier: Apache-2.0
/// What we use of the Force Dimension SDK (libdrd, version 3, which contains libdhd): prototypes and numbers of our own.
/// m, m/s, N, Nm, rad. A result below zero is an error; DHD_TIMEGUARD, 1, is none. The device's number comes last.
#ifndef SN_DEVICE_FORCEDIMENSION_API_H
#define SN_DEVICE_FORCEDIMENSION_API_H

#include <stdbool.h>

/// Types of devices, as dhdGetSystemType gives them.
enum {
    DHD_OMEGA3 = 33,
    DHD_OMEGA6_RIGHT = 34,
    DHD_OMEGA7_RIGHT = 35,
    DHD_OMEGA6_LEFT = 36,
    DHD_OMEGA7_LEFT = 37,
    DHD_FALCON = 60,
    DHD_DELTA3 = 63,
    DHD_SIGMA7_RIGHT = 104,
    DHD_SIGMA7_LEFT = 105,
    DHD_LAMBDA7_RIGHT = 108,
    DHD_LAMBDA7_LEFT = 109,
    DHD_LAMBDA6_RIGHT = 131,
    DHD_LAMBDA6_LEFT = 132,
    DHD_LAMBDA3 = 203,
    DHD_SIGMA3 = 206
};

/// Each function: X(must, result, name, arguments).
#define DHD_FUNCTIONS(X)                                                                           \
    X(true, int, dhdGetAvailableCount, (void))                                                     \
    X(true, int, dhdOpenID, (char id))                                                             \
    X(true, int, dhdClose, (char id))                                                              \
    X(true, int, dhdGetSystemType, (char id))                                                      \
    X(true, int, dhdEnableForce, (unsigned char on, char id))                                      \
    X(true, int, dhdGetPositionAndOrientationFrame,                                                \
      (double* x, double* y, double* z, double R[3][3], char id))                                  \
    X(true, int, dhdGetLinearVelocity, (double* x, double* y, double* z, char id))                 \
    X(true, int, dhdGetAngularVelocityRad, (double* x, double* y, double* z, char id))             \
    X(true, int, dhdGetGripperAngleRad, (double* angle, char id))                                  \
    X(true, unsigned, dhdGetButtonMask, (char id))                                                 \
    X(true, int, dhdSetForceAndTorqueAndGripperForce,                                              \
      (double fx, double fy, double fz, double tx, double ty, double tz, double grip, char id))    \
    X(true, const char*, dhdErrorGetLastStr, (void))                                               \
    X(false, int, dhdSetWatchdog, (unsigned char eighths_of_ms, char id))                          \
    X(false, int, dhdSetGravityCompensation, (int on, char id))                                    \
    X(false, int, drdOpenID, (char id))                                                            \
    X(false, bool, drdIsInitialized, (char id))                                                    \
    X(false, int, drdAutoInit, (char id))                                                          \
    X(false, int, drdStop, (bool force_on, char id))                                               \
    X(false, int, drdClose, (char id))

#define DHD_POINTER(must, result, name, arguments) result(*name) arguments;
typedef struct dhd_api {
    DHD_FUNCTIONS(DHD_POINTER)
} dhd_api;
#undef DHD_POINTER

#endif
