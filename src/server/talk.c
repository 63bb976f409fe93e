// SPDX-License-Identifier: Apache-2.0
// The thread that talks: news of the other side, pictures for clients, and their messages, one turn after the other.
#include "server/talk.h"

#include <stdio.h>
#include <time.h>

#include "server/encode_scene.h"

static const int64_t FRAME_NS = 1000000000 / 60, STATE_NS = 100000000, METERS_NS = 250000000,
                     STILL_NS = 200000000; // between two frames of what does not change
enum { WORDS_WAIT_MOST = 256 * 1024, ANSWERS_WAIT_MOST = 16 << 20 };

static int64_t now_ns(void) {
    sn_clock clock = sn_clock_real();
    return clock.now_ns(clock.context);
}

static sni_client* find_client(sn_server* server, sni_client_id id) {
    sni_client* client = &server->client[id.slot];
    return client->open && client->id.number == id.number ? client : NULL;
}

// ---- what is shown ----------------------------------------------------------------------------------------------------

static void drop_hands(sn_server* server) {
    for (int k = 0; k < SNI_CLIENTS_MOST; k++) // hands went with the session
        for (int h = 0; h < SNI_CLIENT_HANDS; h++) server->client[k].hand[h].device = NULL;
}

static void forget_scene(sni_stage_view* stage) {
    sni_picture_free(&stage->picture);
    sni_cast_free(&stage->cast);
    stage->is_ready = false;
}

/// A recording that was wound back: another world, the same scene.
static bool is_same_scene(const sni_stage_view* stage, const sn_server_view* next) {
    return stage->view.is_replay && next->is_replay && stage->is_ready &&
           sn_world_model(next->world) == stage->picture.model;
}

void sni_talk_follow_show(sn_server* server) {
    uint64_t wanted = sni_shown_value(&server->wanted);
    sni_stage_view* stage = &server->stage;
    if (wanted == stage->show) return;
    drop_hands(server);
    stage->facts = NULL;
    if (is_same_scene(stage, &server->next))
        stage->picture.arrangement = UINT64_MAX; // counted anew
    else
        forget_scene(stage);
    stage->show = wanted;
    stage->view = server->next;
    memcpy(stage->name, server->next_name, sizeof stage->name);
    stage->world = stage->view.sim ? sn_simulation_world(stage->view.sim) : stage->view.world;
    stage->scene = stage->view.sim ? sn_simulation_scene(stage->view.sim) : NULL;
    sni_show(&server->taken, wanted);
}

/// A scene for a model that was not shown before. False: its items are not known yet.
static bool begin_scene(sn_server* server, const sn_snapshot* shot) {
    sni_stage_view* stage = &server->stage;
    const sn_model* model = sn_snapshot_model(shot);
    if (stage->cast.model != model || stage->cast.show != stage->show || !stage->facts)
        return false;
    bool adaptive = strcmp(stage->facts->dynamics, "adaptive") == 0;
    if (!sni_picture_begin(&stage->picture, model, adaptive, stage->cast.count,
                           stage->cast.item_of))
        return false;
    sni_picture_take(&stage->picture, shot);
    stage->generation++;
    sni_scene_parts parts = {.view = &stage->view,
                             .name = stage->name,
                             .scene = stage->scene,
                             .units = sn_units_of(sn_world_units(stage->world)),
                             .step = sn_world_step_size(stage->world),
                             .cast = &stage->cast,
                             .picture = &stage->picture,
                             .facts = stage->facts,
                             .generation = stage->generation};
    sni_bytes_clear(&stage->scene_message);
    sni_put_u64(&stage->scene_message, 0); // each client has a number of its own here
    sni_encode_scene(&parts, &stage->scene_message);
    return !stage->scene_message.failed;
}

/// The newest of everything.
static void look(sn_server* server) {
    sni_stage_view* stage = &server->stage;
    const sni_facts* facts =
        &server->meeting.facts[sni_mailbox_fetch(&server->meeting.facts_box, NULL)];
    stage->facts = facts->show == stage->show ? facts : NULL;
    if (!stage->world) return;
    const sn_snapshot* shot = sn_world_snapshot(stage->world);
    if (sn_snapshot_model(shot) == stage->picture.model && stage->picture.model)
        sni_picture_take(&stage->picture, shot);
    else
        stage->is_ready = begin_scene(server, shot);
}

// ---- news -------------------------------------------------------------------------------------------------------------

static void hear_answer(sn_server* server, const unsigned char* news, size_t size) {
    sni_answer head;
    memcpy(&head, news, sizeof head);
    const char* text = (const char*)news + sizeof head;
    size_t length = size - sizeof head;
    sni_client* client = find_client(server, head.to);
    server->waiting_answers--;
    if (!client) return;
    char words[1024];
    snprintf(words, sizeof words, head.good ? "{%.*s}" : "%.*s", (int)length, text);
    sni_client_answer(client, server->net, head.request,
                      head.good ? json_loads(words, 0, NULL) : NULL, head.good ? NULL : words);
}

static void hear_event(sn_server* server, const unsigned char* news, size_t size) {
    sni_event head;
    memcpy(&head, news, sizeof head);
    for (int k = 0; k < SNI_CLIENTS_MOST; k++) {
        sni_client* client = &server->client[k];
        if (client->open && sni_net_waiting(server->net, client->connection) < WORDS_WAIT_MOST)
            sni_client_tell(
                client, server->net, SNI_EVENT,
                sni_words_event(&head, (const char*)news + sizeof head, size - sizeof head));
    }
}

static void hear_sample(sn_server* server, const unsigned char* news) {
    sni_sample_head head;
    double number[SNI_QUANTITIES_MOST];
    memcpy(&head, news, sizeof head);
    memcpy(number, news + sizeof head, head.count * sizeof *number);
    sni_client* client = find_client(server, head.to);
    if (client && client->watch_request == head.request &&
        client->samples.numbers == (int)head.count)
        sni_samples_add(&client->samples, head.time, number);
}

/// A hand that nobody has: its client is gone, or it holds nothing any more.
static void give_up(sn_server* server, const sni_hand_news* news) {
    sni_client gone = {.id = news->to};
    sni_order order = {.type = SNI_ORDER_RELEASE, .number = (uint32_t)news->hand};
    (void)sni_server_order(server, &gone, &order, NULL); // else it falls silent and is harmless
}

static void hear_hand(sn_server* server, const unsigned char* bytes) {
    sni_hand_news news;
    memcpy(&news, bytes, sizeof news);
    sni_client* client = find_client(server, news.to);
    if (news.show != server->stage.show) return; // it went with its session
    sni_client_hand* hand = client ? sni_client_find_hand(client, news.hand) : NULL;
    if (!news.device || !client) {
        if (hand) hand->device = NULL;
        give_up(server, &news);
        return;
    }
    for (int k = 0; k < SNI_CLIENT_HANDS && !hand; k++)
        if (!client->hand[k].device) hand = &client->hand[k];
    if (!hand) {
        give_up(server, &news);
        return;
    }
    *hand = (sni_client_hand){.device = news.device,
                              .hand = news.hand,
                              .position = news.position,
                              .turn = sn_quat_identity(),
                              .told_ns = now_ns()};
}

static void hear_edit(const unsigned char* news) {
    sn_edit* edit;
    memcpy(&edit, news, sizeof edit);
    sn_edit_free(edit);
}

void sni_talk_hear_news(sn_server* server) {
    sni_stream* stream = &server->meeting.news;
    sni_message message;
    while (sni_stream_look(stream, &message)) {
        sni_bytes_clear(&server->news);
        unsigned char* news = sni_bytes_grow(&server->news, message.size + 1u);
        if (news) sni_stream_copy(stream, &message, news);
        sni_stream_release(stream);
        if (!news) continue; // no memory
        switch ((sni_news_kind)message.kind) {
        case SNI_NEWS_ANSWER: hear_answer(server, news, message.size); break;
        case SNI_NEWS_EVENT: hear_event(server, news, message.size); break;
        case SNI_NEWS_SAMPLE: hear_sample(server, news); break;
        case SNI_NEWS_ITEMS: (void)sni_cast_read(&server->stage.cast, news); break; // tried again
        case SNI_NEWS_HAND: hear_hand(server, news); break;
        case SNI_NEWS_EDIT: hear_edit(news); break;
        }
    }
}

// ---- to clients ---------------------------------------------------------------------------------------------------------

static void send_scene(sn_server* server, sni_client* client) {
    sni_stage_view* stage = &server->stage;
    sni_bytes* message = &stage->scene_message;
    if (sni_net_waiting(server->net, client->connection) > WORDS_WAIT_MOST) return; // later
    if (message->failed || !sni_seen_begin(&client->seen, stage->picture.bodies)) return;
    uint32_t head[2] = {SNI_SCENE, ++client->messages};
    memcpy(message->at, head, sizeof head);
    (void)sni_client_send(client, server->net, message); // looked at above
    client->generation = stage->generation;
    client->state_hash = 0;
    client->last_ns = 0;
    client->watch_request = 0; // bodies are counted anew
    client->samples.count = client->samples.numbers = 0;
    sni_bytes_clear(&client->samples.at);
}

static void send_frame(sn_server* server, sni_client* client, int64_t now) {
    const sni_stage_view* stage = &server->stage;
    uint64_t step = sn_snapshot_step(stage->picture.shot);
    bool still = step == client->last_step && client->seen.version == stage->picture.version &&
                 (!stage->facts || stage->facts->hand_count == 0);
    if (!sni_client_wants_frame(client, server->net)) return;
    if (still && now - client->last_ns < STILL_NS) return;
    sni_frame_parts parts = {.picture = &stage->picture,
                             .facts = stage->facts,
                             .generation = stage->generation,
                             .colour = server->colour,
                             .slot = client->id.slot,
                             .client = client->id.number};
    sni_client_begin(client, SNI_FRAME, &server->message);
    sni_encode_frame(&parts, &client->seen, &client->samples, &server->message);
    if (!sni_client_send(client, server->net, &server->message)) {
        client->generation = 0; // no memory: it gets all anew
        return;
    }
    sni_client_sent_frame(client, step, now);
    server->load.frames++;
}

static uint64_t hash_of(const char* text) {
    uint64_t hash = 1469598103934665603u; // FNV-1a
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return hash;
}

static void send_state(sn_server* server) {
    sni_guest guest[SNI_CLIENTS_MOST];
    int guests = 0;
    for (int k = 0; k < SNI_CLIENTS_MOST; k++)
        if (server->client[k].open)
            guest[guests++] =
                (sni_guest){server->client[k].id.number, sni_talk_colour(server->client[k].id)};
    json_t* state = sni_words_state(server->stage.facts, &server->stage.view, guest, guests);
    char* text = state ? json_dumps(state, JSON_COMPACT) : NULL;
    uint64_t hash = text ? hash_of(text) : 0;
    for (int k = 0; text && k < SNI_CLIENTS_MOST; k++) {
        sni_client* client = &server->client[k];
        if (!client->open || client->state_hash == hash || !client->generation ||
            sni_net_waiting(server->net, client->connection) > WORDS_WAIT_MOST)
            continue;
        sni_client_tell(client, server->net, SNI_STATE, json_incref(state));
        client->state_hash = hash;
    }
    free(text);
    json_decref(state);
}

/// What this thread does, a second, and for whoever asks.
static void measure(sn_server* server, int64_t now) {
    sni_load* load = &server->load;
    struct timespec cpu;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
    load->cpu = (double)cpu.tv_sec + (double)cpu.tv_nsec * 1e-9;
    load->bytes = sni_net_sent(server->net);
    load->at_ns = now;
    double seconds = (double)(now - server->load_before.at_ns) * 1e-9;
    if (seconds > 0)
        server->load_rate =
            (sni_server_load){(load->cpu - server->load_before.cpu) / seconds,
                              (double)(load->bytes - server->load_before.bytes) / seconds,
                              (double)(load->frames - server->load_before.frames) / seconds};
    server->load_before = *load;
    sn_server_meter* meter = &server->meter[sni_mailbox_back(&server->meter_box)];
    *meter = (sn_server_meter){.frames = load->frames,
                               .bytes = load->bytes,
                               .cpu = load->cpu,
                               .moves = sni_shown_value(&server->meeting.moves)};
    for (int k = 0; k < SNI_CLIENTS_MOST; k++) meter->clients += server->client[k].open;
    if (server->stage.facts) {
        meter->pointer_ms = server->stage.facts->means.pointer_ms;
        meter->pointer_worst_ms = server->stage.facts->means.pointer_worst_ms;
    }
    sni_mailbox_publish(&server->meter_box);
}

static void send_meters(sn_server* server) {
    for (int k = 0; server->stage.facts && k < SNI_CLIENTS_MOST; k++) {
        sni_client* client = &server->client[k];
        if (client->open && client->generation &&
            sni_net_waiting(server->net, client->connection) < WORDS_WAIT_MOST)
            sni_client_tell(client, server->net, SNI_METERS,
                            sni_words_meters(server->stage.facts, &server->load_rate));
    }
}

static void show_clients(sn_server* server, int64_t now) {
    for (int k = 0; k < SNI_CLIENTS_MOST; k++) {
        sni_client* client = &server->client[k];
        if (!client->open) continue;
        if (sni_net_waiting(server->net, client->connection) > ANSWERS_WAIT_MOST)
            sni_net_close(server->net, client->connection, SNI_WS_POLICY,
                          "it asks and does not listen");
        sni_client_keep_hands(client, now);
        if (!server->stage.is_ready) continue;
        if (client->generation != server->stage.generation) send_scene(server, client);
        if (client->generation == server->stage.generation) send_frame(server, client, now);
    }
}

// ---- turns --------------------------------------------------------------------------------------------------------------

/// Whether something is due, which then is so again after a while; time that is lost is let go.
static bool is_due(int64_t* due, int64_t period, int64_t now) {
    if (now < *due) return false;
    *due += period;
    if (*due < now) *due = now + period;
    return true;
}

/// ms until the next frame; less while somebody waits for an answer.
static int patience(const sn_server* server, int64_t now) {
    enum { ANSWER_MS = 2 };
    int64_t left = (server->frame_ns - now + 999999) / 1000000;
    if (server->waiting_answers > 0 && left > ANSWER_MS) left = ANSWER_MS;
    return left > 0 ? (int)left : 0;
}

void sni_talk(void* context) {
    sn_server* server = context;
    server->frame_ns = server->state_ns = server->meters_ns = now_ns();
    while (!sni_shown_value(&server->end)) {
        sni_talk_follow_show(server);
        sni_talk_hear_news(server);
        int64_t now = now_ns();
        if (is_due(&server->frame_ns, FRAME_NS, now)) {
            look(server);
            show_clients(server, now);
        }
        if (is_due(&server->state_ns, STATE_NS, now)) send_state(server);
        if (is_due(&server->meters_ns, METERS_NS, now)) {
            measure(server, now);
            send_meters(server);
        }
        sni_net_turn(server->net, patience(server, now_ns()));
    }
    forget_scene(&server->stage);
}
