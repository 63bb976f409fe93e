// SPDX-License-Identifier: Apache-2.0
// Quantities that clients plot: one sample a step, at most 1000 a second of the simulation.
#include <math.h>

#include "server/sim_side.h"

static const double LEAST =
    0.9999e-3; // s between two samples, but for rounding of steps of a millisecond

static double energy(sni_sim_side* side, int index) {
    sn_energy e = sn_world_energy(side->world);
    switch (index) {
    case 0: return e.kinetic;
    case 1: return e.potential;
    case 2: return e.spring;
    default: return e.kinetic + e.potential + e.spring;
    }
}

static double coordinate(const sni_sim_side* side, const sni_quantity* q, bool velocity) {
    const sn_model* model = sn_world_model(side->world);
    if (q->body < 0 || q->body >= sn_model_body_count(model)) return NAN;
    sn_body_info joint = sn_model_body(model, sn_body(q->body));
    if (q->index < 0 || q->index >= (velocity ? joint.nv : joint.nq)) return NAN;
    return velocity ? sn_world_v(side->world)[joint.iv + q->index]
                    : sn_world_q(side->world)[joint.iq + q->index];
}

/// Size of the sum of contact forces on a body; -1: sum of all normal forces.
static double contact_force(const sni_sim_side* side, int32_t body) {
    int32_t count = sn_world_contact_count(side->world);
    const sn_contact* contact = sn_world_contacts(side->world);
    sn_vec3 sum = sn_vec3_zero();
    double normal = 0;
    for (int32_t i = 0; i < count; i++) {
        sn_vec3 f = sn_world_contact_force(side->world, i).f;
        normal += sn_vec3_dot(f, contact[i].n);
        if (contact[i].a.i == body) sum = sn_vec3_add(sum, f);
        if (contact[i].b.i == body) sum = sn_vec3_sub(sum, f);
    }
    return body < 0 ? normal : sn_vec3_norm(sum);
}

static double force_of_hand(const sni_sim_side* side, int hand, bool felt) {
    sn_hand_report report;
    if (!side->view.session || !sn_session_ask_hand(side->view.session, hand, &report)) return NAN;
    return sn_vec3_norm(felt ? report.on_hand : report.on_body);
}

/// Of a hand, or (-1) of all that the client has: 0 when it holds nothing.
static double force_of_hands(const sni_sim_side* side, uint32_t client, int hand, bool felt) {
    if (hand >= 0) return force_of_hand(side, hand, felt);
    double sum = 0;
    for (int k = 0; k < SNI_HANDS_MOST; k++)
        if (side->hand[k].taken && side->hand[k].owner.number == client)
            sum += force_of_hand(side, side->hand[k].hand, felt);
    return sum;
}

static double sensor(const sni_sim_side* side, int index) {
    int count = 0;
    const double* numbers = side->view.sim ? sn_simulation_sensors(side->view.sim, &count) : NULL;
    return index >= 0 && index < count ? numbers[index] : NAN;
}

static double measure(sni_sim_side* side, uint32_t client, const sni_quantity* q,
                      const sn_step_report* report) {
    switch (q->kind) {
    case SNI_WATCH_ENERGY: return energy(side, q->index);
    case SNI_WATCH_JOINT: return coordinate(side, q, false);
    case SNI_WATCH_VELOCITY: return coordinate(side, q, true);
    case SNI_WATCH_CONTACT: return contact_force(side, q->body);
    case SNI_WATCH_FELT: return force_of_hands(side, client, q->hand, true);
    case SNI_WATCH_PULL: return force_of_hands(side, client, q->hand, false);
    case SNI_WATCH_RATE: return side->means.rate[q->index];
    case SNI_WATCH_ACTIVE: return report->active;
    case SNI_WATCH_RESIDUAL: return report->contact.residual;
    case SNI_WATCH_POINTS: return report->contact.points;
    case SNI_WATCH_SENSOR: return sensor(side, q->index);
    default: return NAN;
    }
}

static void sample_client(sni_sim_side* side, int slot, const sn_step_report* report) {
    const sni_sim_client* client = &side->client[slot];
    sni_stream* news = &side->meeting->news;
    double number[SNI_QUANTITIES_MOST];
    size_t size = (size_t)client->watch.count * sizeof *number;
    sni_sample_head head = {
        {slot, client->number}, client->watch_request, (uint32_t)client->watch.count, report->time};
    if (!sni_stream_begin(news, SNI_NEWS_SAMPLE, (uint32_t)(sizeof head + size), SNI_NEWS_SPARE))
        return; // nobody took the ones before
    for (int k = 0; k < client->watch.count; k++)
        number[k] = client->watch.at[k].factor *
                    measure(side, client->number, &client->watch.at[k], report);
    sni_stream_add(news, &head, sizeof head);
    sni_stream_add(news, number, size);
    sni_stream_publish(news);
}

void sni_watch_sample(sni_sim_side* side, const sn_step_report* report) {
    if (report->time - side->sampled < LEAST && report->time >= side->sampled) return;
    side->sampled = report->time;
    for (int slot = 0; slot < SNI_CLIENTS_MOST; slot++)
        if (side->client[slot].number && side->client[slot].watch.count > 0)
            sample_client(side, slot, report);
}
