// SPDX-License-Identifier: Apache-2.0
/// Touch: a point or a tool that a hand moves along surfaces, at haptic rate, on the local geometry that the
/// simulation publishes (sn_local_geometry of sinew/collision.h).   docs/touch.md
///
///   sn_proxy         a ball that follows the device but stays outside of everything; friction   [ZS95, RKK97]
///   sn_god_object    a tool of many balls that moves and turns; frictionless, Gauss' least constraint   [ORC07]
///
/// The hand feels a spring and damper between the device and what it would have to be; what is touched gets the
/// opposite, to be pushed. Surfaces move on between records at their velocities. All are plain structs; nothing here
/// allocates, waits or knows a world. Thread: one haptic loop each. Realtime: yes.
#ifndef SINEW_TOUCH_H
#define SINEW_TOUCH_H

#include "sinew/collision.h"
#include "sinew/coupling.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- surfaces as time goes on ---------------------------------------------------------------------------------------

/// The newest record, moved on since it was taken.
typedef struct sn_surfaces {
    sn_vec3 centre;
    double reach; ///< m: nothing but the pieces is within this of the centre
    int32_t count;
    double age;     ///< s since the record was taken
    double horizon; ///< s: older records stand still
    sn_piece piece[SN_LOCAL_PIECES];
} sn_surfaces;

// ---- a point ------------------------------------------------------------------------------------------------------------

typedef struct sn_touch_def {
    double stiffness;      ///< N/m between device and proxy
    double damping;        ///< N s/m along what pushes, only while it pushes
    double turn_stiffness; ///< Nm/rad; of tools
    double turn_damping;   ///< Nm s/rad
    double radius;         ///< m of the proxy; 0: a point
    double skin;           ///< m: it stays so far outside, so that rounding lets nothing through
    double friction;       ///< times that of the surfaces; 0: none
    double push_gain;      ///< force on what is touched, over that on the hand
    double horizon;        ///< s: surfaces of older records stand still
} sn_touch_def;

/// 800 N/m, 1 N s/m, 4 Nm/rad, 5e-3 Nm s/rad, a point with a skin of 20 um, friction and push as they are, 50 ms.
sn_touch_def sn_touch_def_default(void);
/// NULL, or what is wrong with it.
const char* sn_touch_def_trouble(const sn_touch_def* def);

enum { SN_TOUCH_MAX = 3 };

/// Where a surface is touched.
typedef struct sn_touched {
    sn_body_id body; ///< -1: the world
    int shape;
    int32_t triangle; ///< of a mesh or hull; -1
    sn_vec3 x, n;     ///< point, outward normal; world
    sn_vec3 force;    ///< N on the body, push gain included
} sn_touched;

typedef struct sn_touch {
    sn_vec3 force;  ///< N on the hand
    sn_vec3 torque; ///< Nm on the hand about the device's origin; of tools
    int32_t count;  ///< surfaces touched
    sn_touched at[SN_TOUCH_MAX];
    bool slips;    ///< friction is at its limit
    bool squeezed; ///< surfaces leave no room: it is where they overlap least
    bool beyond;   ///< the device is farther away than the record reaches
} sn_touch;

/// All zero but def: not yet started.
typedef struct sn_proxy {
    sn_touch_def def;
    sn_surfaces surfaces;
    bool started;
    bool slips;
    sn_vec3 p;                     ///< where it is
    int32_t held;                  ///< piece that carries it; -1: none
    double clear[SN_LOCAL_PIECES]; ///< m: no piece is nearer than that
} sn_proxy;

/// SN_ERR_ARGUMENT when def makes no sense.
sn_status sn_proxy_init(sn_proxy* proxy, const sn_touch_def* def);
/// Puts it where the device is; out of anything that is there.
void sn_proxy_start(sn_proxy* proxy, sn_vec3 device);
/// Takes over a new record, which describes now. Surfaces that were in the last one may have moved farther than was
/// thought: they take the proxy along, never over it.
void sn_proxy_refresh(sn_proxy* proxy, const sn_local_geometry* local);
/// One tick of `period` seconds. A sample that is not finite: SN_ERR_NUMERIC, no force, nothing moves but surfaces.
sn_status sn_proxy_tick(sn_proxy* proxy, sn_vec3 device, sn_vec3 velocity, double period,
                        sn_touch* touch);

// ---- a tool ---------------------------------------------------------------------------------------------------------------

enum { SN_TOOL_POINTS = 64, SN_TOOL_CONTACTS = 64, SN_TOOL_TOUCHED = 16 };

/// Balls in the frame of the handle.
typedef struct sn_tool {
    int32_t count;
    sn_vec3 point[SN_TOOL_POINTS];
    double radius[SN_TOOL_POINTS];
} sn_tool;

/// Corners of a box and points between them on its edges and faces, `divisions` to an edge, 1 to 3: 8, 26, 56 points.
sn_tool sn_tool_box(sn_pose X_hb, sn_vec3 edges, int divisions);

typedef struct sn_tool_touch {
    sn_wrench wrench; ///< on the hand: torque about the handle's origin, and force; world axes
    int32_t count;    ///< surfaces touched, the strongest of them listed
    int32_t listed;
    sn_touched at[SN_TOOL_TOUCHED];
    bool squeezed; ///< as of a proxy
    bool beyond;
} sn_tool_touch;

/// All zero but def and tool: not yet started.
typedef struct sn_god_object {
    sn_touch_def def;
    sn_tool tool;
    sn_surfaces surfaces;
    bool started;
    sn_pose X;   ///< where it is
    double size; ///< m: of the farthest point of the tool from the handle
    double clear[SN_TOOL_POINTS][SN_LOCAL_PIECES]; ///< m: no piece is nearer to a point than that
} sn_god_object;

/// SN_ERR_ARGUMENT when def or tool make no sense. The radius of def is not used, nor its friction.
sn_status sn_god_object_init(sn_god_object* object, const sn_touch_def* def, const sn_tool* tool);
/// Puts it where the device is; points that are inside something then are not held by it until they are out.
void sn_god_object_start(sn_god_object* object, sn_pose device);
void sn_god_object_refresh(sn_god_object* object, const sn_local_geometry* local);
/// One tick; velocity in world axes. As sn_proxy_tick.
sn_status sn_god_object_tick(sn_god_object* object, const sn_hand* device, double period,
                             sn_tool_touch* touch);

#ifdef __cplusplus
}
#endif
#endif
