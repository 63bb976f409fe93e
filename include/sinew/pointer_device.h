// SPDX-License-Identifier: Apache-2.0
/// A pointer as a haptic device: a mouse, a finger on glass, a controller in the air, or a program, that says some
/// 60 times a second where a hand is in the world. Its force reaches the eye only.
///
///     sn_device* device;
///     sn_pointer_device_create(&def, &device, &error);
///     sn_session_add_hand(session, &hand, device, &number, &error);    // the device is the session's now
///     sn_pointer_device_move(device, &sample);                         // thread io, as often as there is news
///
/// Between two moves the hand glides: what is read at 1 kHz follows the newest place as a critically damped spring
/// does, so that neither place nor velocity jump, `smoothing` times two later. A pointer that says nothing for
/// `silence` seconds, not even that it rests, is lost: the force goes down by its ramp, what was held is let be, and
/// both come back when it speaks again.   docs/devices.md
#ifndef SINEW_POINTER_DEVICE_H
#define SINEW_POINTER_DEVICE_H

#include "sinew/device.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_pointer_def {
    double smoothing; ///< s, time constant: a steady movement is followed 2 of them behind
    double silence;   ///< s without a move after which it is lost
} sn_pointer_def;

/// 20 ms, 1 s.
sn_pointer_def sn_pointer_def_default(void);

/// "pointer": six degrees of freedom in and out, no limit that a person would meet, nothing to wear out.
sn_device_profile sn_pointer_profile(void);

sn_status sn_pointer_device_create(const sn_pointer_def* def, sn_device** device, sn_error* error);

/// Where a pointer is.
typedef struct sn_pointer_sample {
    sn_vec3 position;    ///< m, world
    sn_quat orientation; ///< of length 1; w = x = y = z = 0: as it was
    uint32_t buttons;    ///< bit k: button k is held
    double gripper;      ///< 0 open to 1 closed
} sn_pointer_sample;

/// Says where it is, or that it is there still. SN_ERR_ARGUMENT: no pointer; SN_ERR_NUMERIC: not finite; both change
/// nothing. Thread: one, such as io; never waits. Not once the session was told to remove the hand.
sn_status sn_pointer_device_move(sn_device* device, const sn_pointer_sample* sample);

#ifdef __cplusplus
}
#endif
#endif
