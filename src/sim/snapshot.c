// SPDX-License-Identifier: Apache-2.0
// Questions to a published snapshot.
#include <string.h>

#include "sim/sn_sim.h"

const sn_snapshot* sn_world_snapshot(sn_world* world) {
    return &world->snapshot[sni_mailbox_fetch(&world->mailbox, NULL)];
}

double sn_snapshot_time(const sn_snapshot* s) { return s->time; }
uint64_t sn_snapshot_step(const sn_snapshot* s) { return s->step; }
unsigned sn_snapshot_events(const sn_snapshot* s) { return s->events; }
int sn_snapshot_group_count(const sn_snapshot* s) { return s->groups.count; }

static bool is_body(const sn_snapshot* s, sn_body_id body) {
    return body.i >= 0 && body.i < s->model->body_count;
}

int sn_snapshot_group_of(const sn_snapshot* s, sn_body_id body) {
    return is_body(s, body) ? s->groups.group_of[body.i] : -1;
}

sn_pose sn_snapshot_group_pose(const sn_snapshot* s, int group) {
    return group >= 0 && group < s->groups.count ? s->group_pose[group] : sn_pose_identity();
}

sn_pose sn_snapshot_offset(const sn_snapshot* s, sn_body_id body) {
    return is_body(s, body) ? s->groups.offset[body.i] : sn_pose_identity();
}

sn_pose sn_snapshot_pose(const sn_snapshot* s, sn_body_id body) {
    if (!is_body(s, body)) return sn_pose_identity(); // the world
    const sni_groups* groups = &s->groups;
    return sn_pose_mul(s->group_pose[groups->group_of[body.i]], groups->offset[body.i]);
}

void sn_snapshot_joint(const sn_snapshot* s, sn_body_id body, double* q, double* v) {
    if (!is_body(s, body)) return;
    const sni_joint* joint = &s->model->joint[body.i];
    if (q) memcpy(q, s->q + joint->iq, joint->nq * sizeof *q);
    if (v) memcpy(v, s->v + joint->iv, joint->nv * sizeof *v);
}
