// SPDX-License-Identifier: Apache-2.0
// What contact tells the choice of active joints: while it is made, the contact forces of the last step act as
// external wrenches. Without them everything that lies on a floor would seem to fall.
#include "sim/sn_sim.h"

static sn_wrench in_body_axes(const sn_dynamics* d, int32_t body, sn_axes axes, sn_wrench f) {
    if (axes == SN_AXES_BODY) return f;
    sn_mat3 R = sn_dynamics_pose(d, sn_body(body)).R;
    return sn_wrench_make(sn_mat3_apply_transposed(R, f.n), sn_mat3_apply_transposed(R, f.f));
}

/// Keeps what the user said of the body's wrench.
static sni_kept_wrench keep(const sn_dynamics* d, sn_body_id body) {
    int32_t slot = d->wrenches.slot[body.i] - 1;
    if (slot < 0) return (sni_kept_wrench){body, SN_AXES_BODY, sn_wrench_zero()};
    return (sni_kept_wrench){body, d->wrenches.axes[slot], d->wrenches.wrench[slot]};
}

void sni_press(sn_world* world) {
    sni_contacts* contacts = &world->contacts;
    sn_dynamics* d = world->dynamics;
    world->work.kept_count = 0;
    if (!sni_has_contact(world) || !contacts->solved) return;
    sn_body_wrench* impulse = world->work.wrench;
    // where joints sleep their rows act on bodies, so that no impulse is a joint's alone
    int count = sn_contact_set_wrenches(contacts->set, sn_contact_set_problem(contacts->set),
                                        sn_contact_set_impulses(contacts->set),
                                        world->work.joint_impulse, impulse);
    for (int k = 0; k < count; k++) {
        sni_kept_wrench user = keep(d, impulse[k].body);
        sn_wrench f = sn_wrench_add(in_body_axes(d, user.body.i, user.axes, user.wrench),
                                    sn_wrench_scale(1 / world->h, impulse[k].wrench));
        // one that is not finite is refused: then there is nothing to take back
        if (sn_dynamics_set_wrench(d, user.body, SN_AXES_BODY, f)) continue;
        world->work.kept[world->work.kept_count++] = user;
    }
}

void sni_release(sn_world* world) {
    for (int32_t k = 0; k < world->work.kept_count; k++) {
        sni_kept_wrench user = world->work.kept[k];
        (void)sn_dynamics_set_wrench(world->dynamics, user.body, user.axes,
                                     user.wrench); // was valid
    }
}
