// SPDX-License-Identifier: Apache-2.0
// Messages of two clients to a viewer with a running scene behind it, carried out for real: hands, edits, joints, time,
// quantities, frames of what comes of it. In virtual time and without sockets. The input is one message after the
// other: two bytes of length, of which the highest bit says whose it is, then its bytes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "server/talk.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { CLIENTS = 2, MESSAGES_MOST = 24, STEPS_BETWEEN = 3, STEPS_AFTER = 20, MESSAGE_MOST = 2048 };
static const int64_t TURN_NS = 20000000; // longer than a frame lasts

static const char SCENE[] = "version: 1\n"
                            "floor: true\n"
                            "contact: {contacts: 32, constraints: 4}\n"
                            "models:\n"
                            "- {name: arm, generate: 'chain:3', at: [0, 0, 2]}\n"
                            "objects:\n"
                            "- {name: box, box: [0.1, 0.1, 0.1], at: [0.5, 0, 0.05]}\n"
                            "- {name: ball, sphere: 0.1, at: [-0.5, 0, 0.3], w: [1, 2, 3]}\n"
                            "controllers: [{name: hold, item: arm, kp: 5, kd: 1}]\n"
                            "sensors: [{name: where, type: pose, item: ball}]\n";

static void expect(bool holds) {
    if (!holds) abort();
}

typedef struct drive {
    sn_server* server;
    sn_simulation* sim;
    const uint8_t* data;
    size_t left;
    int messages, calls;
    int64_t now_ns;
} drive;

/// Whoever breaks the rules is thrown out, as its socket would be, and comes again.
static void say(drive* d, int connection, const uint8_t* message, size_t count) {
    sni_order order;
    for (int k = 0; k < SNI_CLIENTS_MOST; k++) {
        sni_client* client = &d->server->client[k];
        if (!client->open || client->connection != connection) continue;
        sni_server_hear(d->server, client, message, count, d->now_ns);
        break;
    }
    if (!sni_order_read(message, count, &order)) return;
    sni_server_close(d->server, connection);
    sni_server_open(d->server, connection);
}

/// The next message, in memory of its exact size, so that reading past its end is seen.
static void say_next(drive* d) {
    if (d->left < 2) return;
    size_t length = (size_t)(d->data[0] | (d->data[1] & 0x7f) << 8);
    int connection = d->data[1] >> 7;
    if (length > d->left - 2) length = d->left - 2;
    if (length > MESSAGE_MOST) length = MESSAGE_MOST;
    uint8_t* message = malloc(length + 1);
    expect(message != NULL);
    memcpy(message, d->data + 2, length);
    d->data += 2 + length;
    d->left -= 2 + length;
    d->messages++;
    say(d, connection, message, length);
    free(message);
}

static void check(const drive* d) {
    const sn_world* world = sn_simulation_world(d->sim);
    const sn_model* model = sn_world_model(world);
    for (int k = 0; k < sn_model_nq(model); k++) expect(isfinite(sn_world_q(world)[k]));
    int bodies = 0;
    for (int i = 0; i < sn_simulation_item_count(d->sim); i++) {
        sn_item_id id = sn_simulation_item_at(d->sim, i);
        expect(sn_simulation_first_body(d->sim, id) == bodies);
        bodies += sn_model_body_count(sn_simulation_item(d->sim, id)->model);
    }
    expect(bodies == sn_model_body_count(model));
}

/// After each step, and while it is paused: both sides have their turns.
static bool go_on(void* context, sn_session* session, const sn_step_report* report) {
    drive* d = context;
    sn_wish wish;
    (void)session;
    sni_sim_side_after(&d->server->side, report);
    (void)sn_server_take_wish(d->server, &wish); // nobody grants it
    if (d->calls++ % STEPS_BETWEEN == 0) {
        d->now_ns += TURN_NS;
        if (d->messages < MESSAGES_MOST) say_next(d);
        sni_talk_turn(d->server, d->now_ns);
        check(d);
    }
    bool more = d->left >= 2 && d->messages < MESSAGES_MOST;
    if (more) d->calls %= STEPS_BETWEEN;
    return more || d->calls < STEPS_AFTER;
}

static void show(sn_server* server, const sn_server_view* view) {
    uint64_t number = sni_server_offer(server, view);
    sni_talk_turn(server, 0);
    sni_sim_side_show(&server->side, view, number);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const sn_gallery_entry gallery = {.name = "other", .about = "another scene"};
    sn_scene* scene = NULL;
    sn_session* session = NULL;
    drive d = {.data = data, .left = size, .now_ns = TURN_NS};
    sn_session_def def = sn_session_def_default();
    sn_server_def server = {.gallery = &gallery, .gallery_count = 1, .recordings = "/nowhere"};
    sn_simulation_def options = sn_simulation_def_default();
    def.virtual_time = true;
    def.most_hands = 8;
    expect(!sn_scene_load_memory(SCENE, strlen(SCENE), "fuzz", &options.load, &scene, NULL));
    expect(!sn_simulation_create(scene, &options, &d.sim, NULL));
    expect(!sn_session_create(d.sim, &def, &session, NULL));
    expect(!sni_server_create(&server, &d.server, NULL));
    show(d.server, &(sn_server_view){.name = "fuzz", .sim = d.sim, .session = session});
    for (int k = 0; k < CLIENTS; k++) sni_server_open(d.server, k);
    (void)sn_session_run(session, 1e9, go_on,
                         &d); // it may have come to a fault: that is told, not hidden
    show(d.server, NULL);
    sn_server_free(d.server);
    sn_session_free(session);
    sn_simulation_free(d.sim);
    return 0;
}
