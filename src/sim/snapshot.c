// SPDX-License-Identifier: Apache-2.0
// Questions to a published snapshot.
#include <string.h>

#include "sim/sn_sim.h"

const sn_snapshot* sn_world_snapshot(sn_world* world) {
    return &world->snapshot[sni_mailbox_fetch(&world->mailbox, NULL)];
}

const sn_model* sn_snapshot_model(const sn_snapshot* snapshot) { return snapshot->model; }

double sn_snapshot_time(const sn_snapshot* s) { return s->time; }
uint64_t sn_snapshot_step(const sn_snapshot* s) { return s->step; }
unsigned sn_snapshot_events(const sn_snapshot* s) { return s->events; }
sn_region_report sn_snapshot_region(const sn_snapshot* s) { return s->region; }

int32_t sn_snapshot_contact_count(const sn_snapshot* s) { return s->contact_count; }
const sn_contact_view* sn_snapshot_contacts(const sn_snapshot* s) { return s->contact; }

int sn_snapshot_group_count(const sn_snapshot* s) {
    return s->sleeps ? s->shape.count : s->groups.count;
}

static bool is_body(const sn_snapshot* s, sn_body_id body) {
    return body.i >= 0 && body.i < s->model->body_count;
}

/// Group of a body, and its pose in it.
static int32_t locate(const sn_snapshot* s, int32_t body, sn_pose* offset) {
    if (s->sleeps) return sni_shape_locate(&s->shape, body, offset);
    *offset = s->groups.offset[body];
    return s->groups.group_of[body];
}

int sn_snapshot_group_of(const sn_snapshot* s, sn_body_id body) {
    sn_pose unused;
    return is_body(s, body) ? locate(s, body.i, &unused) : -1;
}

uint64_t sn_snapshot_arrangement(const sn_snapshot* s) {
    return (s->sleeps ? s->shape.read : s->groups.version) + s->rest_version; // both only grow
}

bool sn_snapshot_is_still(const sn_snapshot* s, sn_body_id joint) {
    if (!is_body(s, joint)) return true; // the world
    return s->sleeps ? sni_shape_is_still(&s->shape, joint.i) : s->groups.held[joint.i];
}

bool sn_snapshot_is_resting(const sn_snapshot* s, sn_body_id body) {
    return is_body(s, body) && s->resting[body.i];
}

sn_pose sn_snapshot_group_pose(const sn_snapshot* s, int group) {
    if (group < 0 || group >= sn_snapshot_group_count(s)) return sn_pose_identity();
    return s->sleeps ? s->shape.pose[group] : s->group_pose[group];
}

sn_pose sn_snapshot_offset(const sn_snapshot* s, sn_body_id body) {
    sn_pose offset = sn_pose_identity();
    if (is_body(s, body)) locate(s, body.i, &offset);
    return offset;
}

sn_pose sn_snapshot_pose(const sn_snapshot* s, sn_body_id body) {
    if (!is_body(s, body)) return sn_pose_identity(); // the world
    sn_pose offset;
    int32_t group = locate(s, body.i, &offset);
    return sn_pose_mul(sn_snapshot_group_pose(s, group), offset);
}

void sn_snapshot_joint(const sn_snapshot* s, sn_body_id body, double* q, double* v) {
    if (!is_body(s, body)) return;
    const sni_joint* joint = &s->model->joint[body.i];
    if (q) memcpy(q, (s->sleeps ? s->shape.q : s->q) + joint->iq, joint->nq * sizeof *q);
    if (v) memcpy(v, (s->sleeps ? s->shape.v : s->v) + joint->iv, joint->nv * sizeof *v);
}
