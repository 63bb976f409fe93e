// SPDX-License-Identifier: Apache-2.0
/// What we use of OpenHaptics' HDAPI (libHD, version 3): prototypes and numbers of our own. Lengths are in mm, forces in
/// N, torques in mN m, angles in rad.
#ifndef SN_DEVICE_OPENHAPTICS_API_H
#define SN_DEVICE_OPENHAPTICS_API_H

typedef unsigned hd_handle;      ///< HHD
typedef unsigned long hd_serial; ///< HDSchedulerHandle

typedef struct hd_error {
    unsigned code;
    int internal;
    hd_handle device;
} hd_error;

enum {
    HD_BUTTONS = 0x2000,
    HD_VELOCITY = 0x2051,  ///< 3, mm/s
    HD_TRANSFORM = 0x2052, ///< 16, by columns, mm
    HD_TURNING = 0x2053,   ///< 3, rad/s
    HD_MODEL = 0x2501,
    HD_USABLE_WORKSPACE = 0x2551, ///< 6, mm: least x, y, z, most x, y, z
    HD_INPUT_DOF = 0x2553,
    HD_OUTPUT_DOF = 0x2554,
    HD_CALIBRATION_STYLE = 0x2555,
    HD_MAX_FORCE = 0x2603,        ///< N
    HD_CONTINUOUS_FORCE = 0x2604, ///< N
    HD_FORCE = 0x2700,            ///< 3, N
    HD_TORQUE = 0x2701,           ///< 3, mN m

    HD_FORCE_OUTPUT = 0x4000,
    HD_MAX_FORCE_CLAMPING = 0x4001,

    HD_CALIBRATION_OK = 0x5000,
    HD_CALIBRATION_NEEDS_UPDATE = 0x5001,
    HD_CALIBRATION_NEEDS_HANDS = 0x5002,
    HD_STYLE_ENCODER_RESET = 1,
    HD_STYLE_AUTO = 2,
    HD_STYLE_INKWELL = 4,

    HD_WARM_MOTORS = 0x200,
    HD_EXCEEDED_FORCE = 0x201,
    HD_EXCEEDED_IMPULSE = 0x202,
    HD_EXCEEDED_VELOCITY = 0x203,
    HD_FORCE_ERROR = 0x204,
    HD_DEVICE_FAULT = 0x300,
    HD_ALREADY_INITIATED = 0x301,
    HD_COMM_ERROR = 0x302,
    HD_COMM_CONFIG_ERROR = 0x303,
    HD_TIMER_ERROR = 0x304,
    HD_INVALID_LICENSE = 0x600,

    HD_CALLBACK_DONE = 0,
    HD_CALLBACK_CONTINUE = 1,
    HD_MAX_PRIORITY = 0xffff
};
#define HD_NO_DEVICE 0xffffffffu

/// Each function: X(result, name, arguments).
#define HD_FUNCTIONS(X)                                                                            \
    X(hd_handle, hdInitDevice, (const char* name))                                                 \
    X(void, hdDisableDevice, (hd_handle device))                                                   \
    X(void, hdMakeCurrentDevice, (hd_handle device))                                               \
    X(void, hdEnable, (unsigned ability))                                                          \
    X(void, hdStartScheduler, (void))                                                              \
    X(void, hdStopScheduler, (void))                                                               \
    X(void, hdSetSchedulerRate, (unsigned long hz))                                                \
    X(hd_serial, hdScheduleAsynchronous,                                                           \
      (unsigned (*callback)(void*), void* data, unsigned short priority))                          \
    X(void, hdUnschedule, (hd_serial serial))                                                      \
    X(void, hdBeginFrame, (hd_handle device))                                                      \
    X(void, hdEndFrame, (hd_handle device))                                                        \
    X(void, hdGetDoublev, (unsigned what, double* values))                                         \
    X(void, hdGetIntegerv, (unsigned what, int* values))                                           \
    X(const char*, hdGetString, (unsigned what))                                                   \
    X(void, hdSetDoublev, (unsigned what, const double* values))                                   \
    X(hd_error, hdGetError, (void))                                                                \
    X(const char*, hdGetErrorString, (unsigned code))                                              \
    X(unsigned, hdCheckCalibration, (void))                                                        \
    X(void, hdUpdateCalibration, (unsigned style))

#define HD_POINTER(result, name, arguments) result(*name) arguments;
typedef struct hd_api {
    HD_FUNCTIONS(HD_POINTER)
} hd_api;
#undef HD_POINTER

#endif
