// SPDX-License-Identifier: Apache-2.0
// How it is now, for the side that talks.
#include <stdio.h>
#include <string.h>

#include "server/sim_side.h"

static const int64_t SUM_NS = 500000000; // over which rates and means are taken

void sni_sums_add(sni_sim_side* side, const sn_step_report* report) {
    sni_sim_sums* sums = &side->sums;
    sums->steps++;
    sums->stage_count = report->stage_count;
    for (int k = 0; k < report->stage_count; k++) sums->stage_ns[k] += report->stage_ns[k];
}

/// Ticks of a loop since the sums began, a second.
static double rate(const sn_loop_meter* meter, uint64_t* ticks, double seconds) {
    double more = (double)(meter->ticks - *ticks);
    *ticks = meter->ticks;
    return more / seconds;
}

/// Makes means of the sums, and begins anew.
static void close_sums(sni_sim_side* side, int64_t now_ns) {
    sni_sim_sums* sums = &side->sums;
    sni_means* means = &side->means;
    double seconds = (double)(now_ns - sums->since_ns) * 1e-9, time = sn_world_time(side->world);
    double steps = sums->steps > 0 ? (double)sums->steps : 1;
    means->real_time_factor = (time - sums->since_time) / seconds;
    means->stage_count = sums->stage_count;
    means->step_us = 0;
    for (int k = 0; k < sums->stage_count; k++) {
        means->stage_us[k] = (double)sums->stage_ns[k] * 1e-3 / steps;
        means->step_us += means->stage_us[k];
    }
    means->rate[0] = (double)sums->steps / seconds;
    if (side->view.session) {
        means->simulation = sn_session_ask_loop(side->view.session, SN_LOOP_SIMULATION);
        means->coupling = sn_session_ask_loop(side->view.session, SN_LOOP_COUPLING);
        means->rate[1] = rate(&means->coupling, &sums->ticks[1], seconds);
    }
    means->pointer_ms = sums->latencies > 0 ? sums->latency_ms / (double)sums->latencies : 0;
    means->pointer_worst_ms = sums->latency_worst_ms;
    *sums = (sni_sim_sums){.since_ns = now_ns, .since_time = time, .ticks = {0, sums->ticks[1]}};
}

static void tell_hands(const sni_sim_side* side, sni_facts* facts) {
    const sn_session* session = side->view.session;
    facts->hand_count = 0;
    for (int i = 0; session && i < sn_session_hand_count(session); i++) {
        sni_hand_fact* fact = &facts->hand[facts->hand_count];
        int number = sn_session_hand_at(session, i);
        if (facts->hand_count == SNI_HANDS_MOST ||
            !sn_session_ask_hand(session, number, &fact->report))
            continue;
        const sni_owned_hand* owned = sni_pointer_find(side, number);
        snprintf(fact->name, sizeof fact->name, "%s", fact->report.name);
        fact->report.name = NULL; // it may be gone when this is read
        fact->owner = owned ? owned->owner.number : 0;
        fact->slot = owned ? owned->owner.slot : -1;
        facts->hand_count++;
    }
}

static void tell_joint(const sni_sim_side* side, int slot, sni_joint_fact* fact) {
    const sn_world* world = side->world;
    const sn_model* model = sn_world_model(world);
    const sni_sim_client* client = &side->client[slot];
    *fact = (sni_joint_fact){.client = client->number, .body = -1};
    if (!client->number || client->inspect < 0 || client->inspect >= sn_model_body_count(model))
        return;
    sn_body_info joint = sn_model_body(model, sn_body(client->inspect));
    fact->body = client->inspect;
    fact->nq = joint.nq;
    fact->nv = joint.nv;
    memcpy(fact->q, sn_world_q(world) + joint.iq, (size_t)joint.nq * sizeof *fact->q);
    memcpy(fact->v, sn_world_v(world) + joint.iv, (size_t)joint.nv * sizeof *fact->v);
    for (int k = 0; k < joint.nv; k++)
        fact->force[k] =
            sn_world_force(world)[joint.iv + k] + sn_world_control(world)[joint.iv + k];
}

static void tell_world(const sni_sim_side* side, sni_facts* facts) {
    sn_dynamics* dynamics = sn_world_dynamics(side->world);
    sn_adaptivity options;
    bool adaptive = !sn_dynamics_adaptivity(dynamics, &options);
    facts->joints = sn_model_body_count(sn_world_model(side->world));
    facts->max_active = adaptive && options.max_active >= 0 ? options.max_active : facts->joints;
    facts->active = side->stepped ? side->report.active : sn_world_region(side->world).active;
    facts->gravity = sn_world_gravity(side->world);
    facts->contact = side->report.contact;
    snprintf(facts->dynamics, sizeof facts->dynamics, "%s", sn_dynamics_name(dynamics));
}

void sni_tell_facts(sni_sim_side* side, int64_t now_ns) {
    if (now_ns - side->sums.since_ns >= SUM_NS) close_sums(side, now_ns);
    sni_facts* facts = &side->meeting->facts[sni_mailbox_back(&side->meeting->facts_box)];
    const sn_session* session = side->view.session;
    facts->show = side->show;
    facts->time = sn_world_time(side->world);
    facts->paused = session ? sn_session_is_paused(session) : side->player.paused;
    facts->pace = session ? sn_session_pace(session) : side->player.pace;
    facts->means = side->means;
    memcpy(facts->recording, side->recording, sizeof facts->recording);
    memcpy(facts->fault, side->fault, sizeof facts->fault);
    tell_world(side, facts);
    tell_hands(side, facts);
    for (int slot = 0; slot < SNI_CLIENTS_MOST; slot++) tell_joint(side, slot, &facts->joint[slot]);
    sni_mailbox_publish(&side->meeting->facts_box);
    side->told_ns = now_ns;
}
