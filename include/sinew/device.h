// SPDX-License-Identifier: Apache-2.0
/// Haptic devices: what a hand holds. One interface for simulated devices, scripts, recordings, vendors' drivers and
/// drivers of your own.
///
/// A device is read and written by one haptic loop, at 1 to 4 kHz: neither call may wait, lock, allocate or print. A
/// driver whose vendor's calls can block makes them in a thread of its own and exchanges the newest values with the
/// loop. Everything is in SI units, in the device's frame: x to the right, y away from the person, z up, origin in the
/// middle of the workspace. A device of three degrees of freedom gives the identity as its orientation, and renders
/// no torque: it is one of six otherwise.   docs/devices.md
#ifndef SINEW_DEVICE_H
#define SINEW_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "sinew/math.h"
#include "sinew/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- what a device can do -------------------------------------------------------------------------------------

/// Limits and physics of a device; of directions the worst. 0: it has none (torque, thermal_time: no limit).
typedef struct sn_device_profile {
    char name[32];
    int inputs, outputs; ///< degrees of freedom that are measured, and rendered: 3 or 6
    int buttons;
    bool gripper;             ///< measures a gripper
    bool enable_button;       ///< button 0 can serve as one that must be held for force
    bool shown;               ///< its force is shown, not rendered: no person can be hurt by it
    double workspace;         ///< m, radius
    double peak_force;        ///< N
    double continuous_force;  ///< N, for ever
    double peak_torque;       ///< Nm
    double continuous_torque; ///< Nm
    double thermal_time;      ///< s, time constant of warming
    double stiffness;         ///< N/m, highest that it can render at 1 kHz
    double damping;           ///< N s/m, highest that it can render
    double turn_stiffness;    ///< Nm/rad
    double turn_damping;      ///< Nm s/rad
    double friction_viscous;  ///< N s/m, of the mechanism
    double friction_dry;      ///< N
    double turn_viscous;      ///< Nm s/rad
    double mass;              ///< kg, at the handle
    double inertia;           ///< kg m^2, at the handle
    double resolution;        ///< m, step of the encoders
    double turn_resolution;   ///< rad
    double lag;               ///< s, time constant of the amplifier
    double latency;     ///< s, from a write to the motor and from the handle to a read, together
    double speed_limit; ///< m/s, beyond which something is wrong
    double turn_speed_limit; ///< rad/s
} sn_device_profile;

/// What was measured.
typedef struct sn_device_sample {
    int64_t time_ns;   ///< when, by the clock of the loop
    sn_pose pose;      ///< of the handle
    sn_twist velocity; ///< of the handle, at its origin, device axes
    uint32_t buttons;  ///< bit k: button k is held
    double gripper;    ///< 0 open to 1 closed
} sn_device_sample;

/// What is to be rendered: on the hand.
typedef struct sn_device_force {
    sn_vec3 force;  ///< N
    sn_vec3 torque; ///< Nm, about the origin of the handle
} sn_device_force;

// ---- a device ---------------------------------------------------------------------------------------------------

typedef struct sn_device sn_device;

/// Functions of a driver; `memory` is that of the device.
typedef struct sn_device_ops {
    /// The newest sample at time now_ns. Anything but SN_OK: it is lost for this tick; the loop asks again.
    sn_status (*read)(void* memory, int64_t now_ns, sn_device_sample* sample);
    /// Renders from now on. Zero must always be accepted.
    sn_status (*write)(void* memory, int64_t now_ns, const sn_device_force* force);
    /// Stops all force and frees the memory. May wait.
    void (*close)(void* memory);
    /// Why it does not work, for a person; "" while it does. May be NULL. Thread: any.
    const char* (*trouble)(void* memory);
} sn_device_ops;

/// Makes a device out of a driver's functions; the memory is closed with it, or at once when this fails.
sn_status sn_device_create(const sn_device_ops* ops, void* memory, const sn_device_profile* profile,
                           sn_device** device, sn_error* error);
void sn_device_free(sn_device* device);
const sn_device_profile* sn_device_profile_of(const sn_device* device);
/// Realtime: yes. Samples that are not finite, or whose time goes back, are SN_ERR_NUMERIC; the next is compared with
/// the time of that one, so a clock that jumps back costs one sample. What a driver leaves out is 0, not turned.
sn_status sn_device_read(sn_device* device, int64_t now_ns, sn_device_sample* sample);
/// Realtime: yes. A force that is not finite is written as zero, SN_ERR_NUMERIC.
sn_status sn_device_write(sn_device* device, int64_t now_ns, const sn_device_force* force);
/// "" while it works. Thread: any.
const char* sn_device_trouble(const sn_device* device);
/// How many devices of this process were closed but have a driver that is still inside a vendor's call.
/// Their force is off as far as we can tell; start the program again to use them. Thread: any.
int sn_device_left_behind(void);

// ---- profiles and drivers -----------------------------------------------------------------------------------------

/// Profile i of the devices that can be simulated (docs/devices.md says where its numbers are from); false past the last.
bool sn_device_profile_at(int i, sn_device_profile* profile);
bool sn_device_profile_find(const char* name, sn_device_profile* profile);

/// One that a driver has found.
typedef struct sn_device_found {
    char word[64]; ///< that opens it: "sim:touch", "openhaptics:Default Device", "forcedimension:0"
    char about[128];
} sn_device_found;

typedef struct sn_driver {
    const char* name;  ///< before the colon
    const char* about; ///< one line
    /// Writes up to `most` devices that can be opened now; returns how many there are. Why there are none, or "": `why`.
    int (*list)(sn_device_found* found, int most, char* why, size_t room);
    /// rest: what follows the colon, "" when there is nothing.
    sn_status (*open)(const char* rest, sn_device** device, sn_error* error);
} sn_driver;

/// Opens a device by the driver's name and what the driver wants to know: "openhaptics", "forcedimension:0",
/// "openhaptics:Left Device". May wait for some seconds.
sn_status sn_device_open(const char* word, sn_device** device, sn_error* error);

/// Drivers of this process: ours first, then those that were added. Thread: host, one at a time.
int sn_driver_count(void);
const sn_driver* sn_driver_at(int i);
/// Adds a driver; it stays, and so must what it points to. SN_ERR_ARGUMENT: it lacks something, or its name is taken.
sn_status sn_driver_add(const sn_driver* driver, sn_error* error);
/// Loads a shared library that exports a driver, and adds it. The library is never unloaded.
sn_status sn_driver_load(const char* path, sn_error* error);

/// In the library: SN_DRIVER_EXPORT(my_driver) beside `static const sn_driver my_driver = {...}`. The number is that
/// of this interface, so that a library made for another one is refused.
#define SN_DRIVER_EXPORT(driver)                                                                   \
    const sn_driver* sn_driver_of_library_1(void);                                                 \
    const sn_driver* sn_driver_of_library_1(void) { return &driver; }

#ifdef __cplusplus
}
#endif
#endif
