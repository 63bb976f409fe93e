// SPDX-License-Identifier: Apache-2.0
// A device that is moved by messages at the rate of a screen. The haptic loop reads a movement without corners:
//
//   x'' = (target - x) / T^2 - 2 x' / T        solved exactly over a tick, since the target rests between messages
#include "sinew/pointer_device.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mailbox.h"
#include "haptics/device.h"

typedef struct pointer {
    sn_pointer_def def;
    sni_mailbox box;
    sn_pointer_sample said[SN_MAILBOX_SLOTS];
    sn_pointer_sample last; ///< of the thread that moves it
    // of the haptic loop
    bool heard; ///< something, and not too long ago
    int64_t heard_ns, now_ns;
    sn_vec3 p, v;
    sn_quat r;
    sn_vec3 w;
} pointer;

sn_pointer_def sn_pointer_def_default(void) { return (sn_pointer_def){0.02, 1}; }

sn_device_profile sn_pointer_profile(void) {
    return (sn_device_profile){
        .name = "pointer",
        .inputs = 6,
        .outputs = 6,
        .buttons = 8,
        .gripper = true,
        .shown = true,
        .workspace = 1000,
        .peak_force = 1e5,
        .continuous_force = 1e5,
        .peak_torque = 1e4,
        .continuous_torque = 1e4,
        .stiffness = 1e6,
        .damping = 1e6,
        .turn_stiffness = 1e5,
        .turn_damping = 1e5,
        .friction_viscous = 1e6, // no force moves it, so no loop is closed
        .turn_viscous = 1e5,
    };
}

/// What is left of a way e that ends, and the velocity, after h seconds; v is that of e's end.
static void glide(double T, double h, sn_vec3* e, sn_vec3* v) {
    double s = h / T, decay = exp(-s);
    sn_vec3 slope = sn_vec3_sub(sn_vec3_scale(1 / T, *e), *v); // e(t) = (e0 + slope t) exp(-t/T)
    sn_vec3 left = sn_vec3_scale(decay, sn_vec3_add(*e, sn_vec3_scale(h, slope)));
    *v = sn_vec3_sub(sn_vec3_scale(1 / T, left), sn_vec3_scale(decay, slope));
    *e = left;
}

/// Puts it where it says it is, at rest.
static void appear(pointer* p, const sn_pointer_sample* to) {
    p->p = to->position;
    p->r = to->orientation;
    p->v = p->w = sn_vec3_zero();
}

static void follow(pointer* p, const sn_pointer_sample* to, double h) {
    sn_vec3 e = sn_vec3_sub(to->position, p->p);
    sn_vec3 turn = sn_quat_log(sn_quat_mul(to->orientation, sn_quat_conj(p->r)));
    glide(p->def.smoothing, h, &e, &p->v);
    glide(p->def.smoothing, h, &turn, &p->w);
    p->p = sn_vec3_sub(to->position, e);
    sn_quat back = sn_quat_exp(sn_vec3_scale(-1, turn));
    p->r = sn_quat_normalized(sn_quat_mul(back, to->orientation));
}

static sn_status pointer_read(void* memory, int64_t now_ns, sn_device_sample* sample) {
    pointer* p = memory;
    bool fresh;
    const sn_pointer_sample* to = &p->said[sni_mailbox_fetch(&p->box, &fresh)];
    double h = p->heard ? 1e-9 * (double)(now_ns - p->now_ns) : 0;
    if (fresh) p->heard_ns = now_ns;
    if (fresh && !p->heard) appear(p, to);
    p->heard = (fresh || p->heard) && 1e-9 * (double)(now_ns - p->heard_ns) < p->def.silence;
    p->now_ns = now_ns;
    if (!p->heard) return SN_ERR_FILE; // as a device that is gone
    if (h > 0) follow(p, to, h);
    *sample = (sn_device_sample){.time_ns = now_ns,
                                 .pose = sn_pose_make(sn_quat_matrix(p->r), p->p),
                                 .velocity = sn_twist_make(p->w, p->v),
                                 .buttons = to->buttons,
                                 .gripper = to->gripper};
    return SN_OK;
}

static sn_status pointer_write(void* memory, int64_t now_ns, const sn_device_force* force) {
    (void)memory, (void)now_ns, (void)force; // who shows it asks the session
    return SN_OK;
}

static const sn_device_ops ops = {pointer_read, pointer_write, free, NULL};

sn_status sn_pointer_device_create(const sn_pointer_def* def, sn_device** device, sn_error* error) {
    *device = NULL;
    if (!def || !(def->smoothing > 0 && def->smoothing <= 1) || !(def->silence > 0))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "a pointer is smoothed over up to a second, and silent after some time");
    pointer* p = aligned_alloc(alignof(pointer), sizeof *p);
    if (!p) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "no memory for a device");
    memset(p, 0, sizeof *p);
    p->def = *def;
    p->last.orientation = sn_quat_identity();
    sni_mailbox_init(&p->box);
    sn_device_profile profile = sn_pointer_profile();
    return sn_device_create(&ops, p, &profile, device, error);
}

/// The orientation that is meant; false: none is.
static bool orient(const sn_quat* given, sn_quat before, sn_quat* out) {
    double norm = sn_quat_norm(*given);
    *out = norm > 0 ? sn_quat_normalized(*given) : before;
    return norm == 0 || (norm > 0.9 && norm < 1.1); // of length 1, as far as a message has digits
}

sn_status sn_pointer_device_move(sn_device* device, const sn_pointer_sample* sample) {
    pointer* p = sni_device_memory(device, &ops);
    if (!p || !sample) return SN_ERR_ARGUMENT;
    sn_pointer_sample said = *sample;
    sn_vec3 x = sample->position;
    bool finite = isfinite(x.x) && isfinite(x.y) && isfinite(x.z) && isfinite(sample->gripper);
    if (!finite || !orient(&sample->orientation, p->last.orientation, &said.orientation))
        return SN_ERR_NUMERIC;
    p->last = p->said[sni_mailbox_back(&p->box)] = said;
    sni_mailbox_publish(&p->box);
    return SN_OK;
}
