// SPDX-License-Identifier: Apache-2.0
// What a user says about adaptive dynamics, and is told: options, weights, kept bodies, the region.
#include <math.h>
#include <string.h>

#include "dynamics/tree_adaptive.h"

// ---- weights of the metric -------------------------------------------------------------------------------------

// A joint counts by the inertia it carries, S' I^C S of all that is outboard of it, at the state in which it
// is asked for; so all types of joint have one unit.
static void weigh_by_inertia(sn_dynamics* d) {
    sni_tree_dynamics* m = sni_tree_of(d);
    sni_rigid* composite = m->fast.composite;
    for (int32_t i = 0; i < d->model->body_count; i++) composite[i] = d->model->inertia[i];
    for (int32_t i = d->model->body_count - 1; i >= 0; i--) {
        const sni_joint* joint = &d->model->joint[i];
        const double* q = d->q + joint->iq;
        sn_twist S[SN_JOINT_MAX_NV];
        sni_joint_subspace(joint, q, S);
        for (int k = 0; k < joint->nv; k++)
            m->adaptive->frozen.weight[joint->iv + k] =
                sn_power(sni_rigid_mul(&composite[i], S[k]), S[k]);
        if (joint->parent < 0) continue;
        sn_pose X = sn_pose_mul(joint->X_pj, sni_joint_pose(joint, q));
        sni_rigid felt = sni_rigid_moved(X, &composite[i]);
        composite[joint->parent] = sni_rigid_sum(&composite[joint->parent], &felt);
    }
}

void sni_weigh(sn_dynamics* d) {
    sni_adaptive* a = sni_adaptive_of(d);
    if (!a->weights_due) return;
    a->weights_due = false;
    if (a->options.metric == SN_METRIC_INERTIA) weigh_by_inertia(d);
    if (a->options.metric == SN_METRIC_UNIT)
        for (int32_t k = 0; k < d->model->nv; k++) a->frozen.weight[k] = 1;
}

// ---- options and answers -----------------------------------------------------------------------------------------

sn_adaptivity sn_adaptivity_default(void) {
    sn_adaptivity r = {.max_active = -1,
                       .threshold = 0,
                       .settling_time = 0.1,
                       .period = 10,
                       .metric = SN_METRIC_INERTIA};
    return r;
}

sn_status sn_dynamics_set_adaptivity(sn_dynamics* d, const sn_adaptivity* options) {
    if (!d || !options || d->ops != &sni_adaptive_ops) return SN_ERR_ARGUMENT;
    if (!(options->threshold >= 0) || !(options->settling_time > 0) || options->period < 1 ||
        (unsigned)options->metric >= SN_METRIC_COUNT)
        return SN_ERR_ARGUMENT;
    sni_adaptive* a = sni_adaptive_of(d);
    if (a->options.metric != options->metric) a->weights_due = a->reset_due = true;
    a->options = *options;
    d->factored = false;
    return SN_OK;
}

sn_status sn_dynamics_adaptivity(const sn_dynamics* d, sn_adaptivity* options) {
    if (!d || !options || d->ops != &sni_adaptive_ops) return SN_ERR_ARGUMENT;
    *options = sni_adaptive_of(d)->options;
    return SN_OK;
}

sn_status sn_dynamics_set_metric_weights(sn_dynamics* d, const double* weights) {
    if (!d || !weights || d->ops != &sni_adaptive_ops) return SN_ERR_ARGUMENT;
    for (int32_t k = 0; k < d->model->nv; k++)
        if (!(weights[k] > 0 && isfinite(weights[k]))) return SN_ERR_ARGUMENT;
    sni_adaptive* a = sni_adaptive_of(d);
    memcpy(a->frozen.weight, weights, (size_t)d->model->nv * sizeof *weights);
    a->options.metric = SN_METRIC_GIVEN;
    a->all_stale = true;
    return SN_OK;
}

sn_status sn_dynamics_keep_active(sn_dynamics* d, sn_body_id body, bool active) {
    if (!d || d->ops != &sni_adaptive_ops || body.i < 0 || body.i >= d->model->body_count)
        return SN_ERR_ARGUMENT;
    sni_adaptive* a = sni_adaptive_of(d);
    if (a->wanted[body.i] == active) return SN_OK;
    a->wanted[body.i] = active;
    if (active) {
        a->wanted_list[a->wanted_count++] = body.i;
        return SN_OK;
    }
    int32_t k = 0;
    while (a->wanted_list[k] != body.i) k++;
    a->wanted_list[k] = a->wanted_list[--a->wanted_count];
    return SN_OK;
}

bool sni_is_kept_active(const sn_dynamics* d, int32_t body) {
    return d->ops == &sni_adaptive_ops && sni_adaptive_of(d)->wanted[body];
}

sn_region_report sn_dynamics_region(const sn_dynamics* d) {
    sn_region_report r = {.active = d->model->body_count, .rigid = d->model->body_count};
    if (d->ops != &sni_adaptive_ops) return r;
    const sni_tree_dynamics* m = sni_tree_of(d);
    r.active = m->adaptive->active;
    r.rigid = 0; // every joint of the region carries one
    for (int32_t k = 0; k < m->region.hinge_count; k++) r.rigid += m->region.hinge[k].joint >= 0;
    r.error = sqrt(m->adaptive->error2);
    r.total = sqrt(m->adaptive->total2);
    r.updates = m->adaptive->updates;
    return r;
}

bool sn_dynamics_is_active(const sn_dynamics* d, sn_body_id joint) {
    if (joint.i < 0 || joint.i >= d->model->body_count) return false;
    if (d->ops != &sni_adaptive_ops) return !d->locked[joint.i];
    const sni_tree_dynamics* m = sni_tree_of(d);
    int32_t p = m->part_of[d->tree->node_of[joint.i]];
    return p >= 0 && m->region.part[p].kind != SNI_NODE_LEAF && !m->adaptive->held[joint.i];
}
