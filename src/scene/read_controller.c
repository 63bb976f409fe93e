// SPDX-License-Identifier: Apache-2.0
// Controllers of a scene file.
#include <math.h>
#include <string.h>

#include "scene/read.h"

/// Gear of the motor of a joint; 1 where there is none.
static double gear_of(const sn_scene* scene, int item, int body) {
    for (int i = 0; i < scene->actuator_count; i++)
        if (scene->actuator[i].item == item && scene->actuator[i].driven[body])
            return scene->actuator[i].motor.gear;
    return 1;
}

/// Gains of one joint's degrees of freedom; `factor` makes them the joint's.
static void set_gains(const sni_controller_keys* k, double factor, const sn_body_info* joint,
                      const double* inertia, double* kp, double* kd) {
    double w = 2 * acos(-1) * sni_number_or(&k->frequency, 0); // rad/s
    double ratio = sni_number_or(&k->damping_ratio, 1);
    for (int i = joint->iv; i < joint->iv + joint->nv; i++) {
        kp[i] = k->frequency.at ? inertia[i] * w * w : factor * k->kp.number[0];
        kd[i] = k->frequency.at ? 2 * ratio * inertia[i] * w : factor * sni_number_or(&k->kd, 0);
    }
}

/// Springs of controllers are those of the end of a step where Euler takes it; elsewhere they can be too stiff for it.
static bool may_be_too_stiff(const sn_world_def* world) {
    bool ours = !world->simulator || strcmp(world->simulator, "sinew") == 0;
    return world->integrator != SN_INTEGRATE_EULER || !ours;
}

/// Gains of 'frequency' stay at what joints can follow in a step; others are the user's.
static sn_status settle_gains(sni_reader* reader, const sni_controller_keys* k,
                              const sn_controller_def* c, double* kp, double* kd) {
    static const double MOST = 2, TOO_MUCH = 4; // other postures have other inertias
    const sn_item* item = &reader->scene->item[c->item];
    double h = reader->scene->world.step;
    if (!may_be_too_stiff(&reader->scene->world)) return SN_OK;
    double stiffness = sni_gain_stiffness(item, c->target, h, kp, kd);
    if (isnan(stiffness)) return sni_fail_memory(reader);
    if (!k->frequency.at && stiffness > TOO_MUCH)
        sni_say(&reader->def.log, SN_LOG_WARNING, c->place,
                "kp and kd are %.2g times what the joints can follow in steps of %g s: they will "
                "be thrown about; take smaller ones, or a smaller step",
                stiffness / MOST, h);
    if (!k->frequency.at || stiffness <= MOST) return SN_OK;
    sni_say(&reader->def.log, SN_LOG_WARNING, c->place,
            "gains are %.2g of what %g Hz ask for: more the joints cannot follow in steps of %g s",
            MOST / stiffness, k->frequency.number[0], h);
    for (int i = 0; i < sn_model_nv(item->model); i++) {
        kp[i] *= MOST / stiffness;
        kd[i] *= MOST / stiffness;
    }
    return SN_OK;
}

static sn_status fill_balance(sni_reader* reader, const sni_controller_keys* k,
                              sn_controller_def* c) {
    sn_balance_def* balance = sni_memory_take(reader->memory, sizeof *balance);
    if (!balance) return sni_fail_memory(reader);
    sn_status status = sni_read_balance(reader, &k->balance, c->item, balance, &c->rate);
    balance->limit = c->limit;
    c->balance = balance;
    return status;
}

static sn_status fill_controller(sni_reader* reader, const sni_controller_keys* k,
                                 sn_controller_def* c) {
    const sn_item* item = &reader->scene->item[c->item];
    const sn_model* model = item->model;
    size_t nq = (size_t)sn_model_nq(model), nv = (size_t)sn_model_nv(model);
    int bodies = sn_model_body_count(model);
    double* numbers = sni_memory_take(reader->memory, (nq + 4 * nv + 1) * sizeof *numbers);
    bool* marked = sni_memory_take(reader->memory, (size_t)bodies + 1);
    if (!numbers || !marked) return sni_fail_memory(reader);
    double *target = numbers, *kp = target + nq, *kd = kp + nv, *limit = kd + nv;
    double* inertia = limit + nv;
    if (item->q)
        memcpy(target, item->q, nq * sizeof *target);
    else
        sn_model_neutral(model, target);
    if (!sni_inertia_diagonal(model, target, inertia)) return sni_fail_memory(reader);
    sn_status status = sni_read_joint_names(reader, &k->joints, model, marked);
    if (!status) status = sni_read_joints(reader, &k->target, model, false, target);
    if (status) return status;
    for (int i = 0; i < bodies; i++) {
        sn_body_info joint = sn_model_body(model, sn_body(i));
        bool number = k->limit.at && k->limit.is == SN_ACCEPT_NUMBER;
        bool idle = k->balance.at && !marked[i];
        for (int d = 0; d < joint.nv; d++)
            limit[joint.iv + d] = idle ? 0 : number ? k->limit.number[0] : joint.effort[d];
        sn_gain_side side = k->gains.at ? (sn_gain_side)k->gains.word : SN_GAINS_JOINT;
        double factor = sn_gain_factor(side, gear_of(reader->scene, c->item, i));
        if (marked[i] && !k->balance.at) set_gains(k, factor, &joint, inertia, kp, kd);
    }
    c->kp = kp, c->kd = kd, c->target = target, c->limit = limit, c->driven = marked;
    return k->balance.at ? fill_balance(reader, k, c) : settle_gains(reader, k, c, kp, kd);
}

static sn_status read_controller(sni_reader* reader, const sni_node* node) {
    sni_controller_keys k;
    sn_scene* scene = reader->scene;
    sn_controller_def* list = sni_grow(scene->controller, scene->controller_count,
                                       &scene->controller_capacity, sizeof *list);
    if (!list) return sni_fail_memory(reader);
    scene->controller = list;
    sn_controller_def c = {.place = sni_node_place(&reader->source, node)};
    sn_status status = SN_MAP_READ(&reader->source, node, &sni_controller_map, &k);
    if (!status) status = sni_read_item_name(reader, &k.item, &c.item);
    if (!status)
        status = sni_read_new_name(reader, k.name.at ? &k.name : &k.item, list,
                                   scene->controller_count, sizeof *list, &c.name);
    if (!status) status = fill_controller(reader, &k, &c);
    if (!status) status = sni_read_mover(reader, node, &k, &c);
    if (!status) list[scene->controller_count++] = c;
    return status;
}

sn_status sni_read_controllers(sni_reader* reader, const sni_value* list) {
    sni_walk w = sni_walk_list(list);
    sn_status status = SN_OK;
    for (const sni_node* node; !status && (node = sni_walk_on(reader, &w));)
        status = read_controller(reader, node);
    return status;
}
