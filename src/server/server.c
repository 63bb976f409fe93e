// SPDX-License-Identifier: Apache-2.0
// Making a server, who may connect, and what its caller asks of it.
#include <stdio.h>
#include <sys/random.h>

#include "server/page.h"
#include "server/talk.h"

enum { PORT = 8570 };

/// Told apart also by people who see few colours (Paul Tol's bright palette).
static const char* const palette[] = {"#4477aa", "#ee6677", "#228833", "#ccbb44",
                                      "#66ccee", "#aa3377", "#bbbbbb"};
enum { COLOURS = sizeof palette / sizeof palette[0] };
static const uint32_t DEVICE_COLOUR = 0xff202020; // of hands that hold devices

sn_server_def sn_server_def_default(void) {
    return (sn_server_def){.port = PORT, .recordings = "."};
}

const char* sni_talk_colour(sni_client_id id) { return palette[id.slot % COLOURS]; }

/// "#rrggbb" as u32 whose bytes are r, g, b, a.
static uint32_t rgba_of(const char* text) {
    unsigned r, g, b;
    if (sscanf(text, "#%2x%2x%2x", &r, &g, &b) != 3) return DEVICE_COLOUR;
    return r | g << 8 | b << 16 | 0xffu << 24;
}

// ---- who may connect ------------------------------------------------------------------------------------------------

static bool make_token(char token[SNI_TOKEN_LENGTH + 1]) {
    unsigned char bytes[SNI_TOKEN_LENGTH / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (size_t k = 0; k < sizeof bytes; k++) snprintf(token + 2 * k, 3, "%02x", bytes[k]);
    return true;
}

static bool could_be_token(const char* token) {
    return strlen(token) == SNI_TOKEN_LENGTH &&
           strspn(token, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") ==
               SNI_TOKEN_LENGTH;
}

/// Takes as long whatever is wrong.
static bool is_token(const sn_server* server, const char* given) {
    unsigned different = strlen(given) != SNI_TOKEN_LENGTH;
    char padded[SNI_TOKEN_LENGTH + 1] = {0};
    memcpy(padded, given, strnlen(given, SNI_TOKEN_LENGTH));
    for (int k = 0; k < SNI_TOKEN_LENGTH; k++)
        different |= (unsigned char)padded[k] ^ (unsigned char)server->token[k];
    return different == 0;
}

static int free_slot(const sn_server* server) {
    int slot = 0;
    while (slot < SNI_CLIENTS_MOST && server->client[slot].open) slot++;
    return slot;
}

static int refuses(void* context, const sni_request* request, const char** why) {
    const sn_server* server = context;
    if (!sni_http_origin_is_own(request)) {
        *why = "a page from elsewhere";
        return SNI_WS_POLICY;
    }
    if (!is_token(server, request->token)) {
        *why = "the token is wrong: open the address that the program prints";
        return SNI_WS_POLICY;
    }
    *why = "too many viewers";
    return free_slot(server) < SNI_CLIENTS_MOST ? 0 : SNI_WS_TRY_LATER;
}

static sni_response get(void* context, const sni_request* request) {
    static const char missing[] = "there is no such file\n";
    const char* path = strcmp(request->path, "/") == 0 ? "/index.html" : request->path;
    (void)context; // the page is no secret
    for (int i = 0; i < sni_page_count; i++)
        if (strcmp(sni_page[i].path, path) == 0)
            return (sni_response){200, sni_page[i].type, sni_page[i].gzip, sni_page[i].size, true};
    return (sni_response){404, "text/plain; charset=utf-8", missing, sizeof missing - 1, false};
}

// ---- clients ----------------------------------------------------------------------------------------------------------

static sni_client* client_of(sn_server* server, int connection) {
    for (int k = 0; k < SNI_CLIENTS_MOST; k++)
        if (server->client[k].open && server->client[k].connection == connection)
            return &server->client[k];
    return NULL;
}

static void opened(void* context, int connection) {
    sn_server* server = context;
    sn_clock clock = sn_clock_real();
    int slot = free_slot(server);
    sni_client* client = &server->client[slot];
    *client = (sni_client){.open = true,
                           .id = {slot, ++server->clients_ever},
                           .connection = connection,
                           .seen = {.version = UINT64_MAX},
                           .heard_ns = clock.now_ns(clock.context)};
    sni_client_tell(client, server->net, SNI_HELLO,
                    sni_words_hello(&server->def, client->id.number, sni_talk_colour(client->id)));
}

static void heard(void* context, int connection, const unsigned char* message, size_t count) {
    sn_server* server = context;
    sn_clock clock = sn_clock_real();
    sni_client* client = client_of(server, connection);
    if (client) sni_server_hear(server, client, message, count, clock.now_ns(clock.context));
}

static void closed(void* context, int connection) {
    sn_server* server = context;
    sni_client* client = client_of(server, connection);
    if (!client) return;
    sni_envelope gone = {.gone = true};
    (void)sni_server_order(server, client, NULL, &gone); // else its pointers fall silent
    sni_client_close(client);
}

// ---- beginning and end --------------------------------------------------------------------------------------------------

static bool lay_out_meeting(sni_meeting* meeting) {
    for (int pass = 0; pass < 2; pass++) {
        sni_ring_layout(&meeting->orders, &meeting->arena, SNI_ORDERS, sizeof(sni_parcel));
        sni_stream_layout(&meeting->news, &meeting->arena, SNI_NEWS_BYTES);
        if (pass == 0 && !sni_arena_allocate(&meeting->arena)) return false;
    }
    sni_mailbox_init(&meeting->facts_box);
    return true;
}

sn_status sn_server_create(const sn_server_def* def, sn_server** out, sn_error* error) {
    sni_net_owner owner = {NULL, get, refuses, opened, heard, closed};
    if (out) *out = NULL;
    if (!def || !out || def->port < 0 || def->port > UINT16_MAX)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "ports are 0 to 65535");
    if (def->token && !could_be_token(def->token))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "a token has %d letters and digits",
                        SNI_TOKEN_LENGTH);
    sn_server* server = aligned_alloc(alignof(sn_server), sizeof *server);
    if (server) memset(server, 0, sizeof *server);
    if (!server || !lay_out_meeting(&server->meeting) || !make_token(server->token)) {
        sn_server_free(server);
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory for a server");
    }
    server->def = *def;
    if (def->token) memcpy(server->token, def->token, sizeof server->token);
    server->side.meeting = &server->meeting;
    server->side.recordings = def->recordings ? def->recordings : ".";
    sni_mailbox_init(&server->meter_box);
    for (int k = 0; k < SNI_CLIENTS_MOST; k++) server->colour[k] = rgba_of(palette[k % COLOURS]);
    server->colour[SNI_CLIENTS_MOST] = DEVICE_COLOUR;
    owner.context = server;
    sn_status status = sni_net_create(def->port, &owner, &server->net, error);
    if (!status) {
        snprintf(server->address, sizeof server->address, "http://127.0.0.1:%d/?token=%s",
                 sni_net_port(server->net), server->token);
        server->thread = sni_thread_start(sni_talk, server);
        if (!server->thread)
            status = sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "no thread can be had");
    }
    if (status) {
        sn_server_free(server);
        return status;
    }
    *out = server;
    return SN_OK;
}

/// What clients asked for and nobody did.
static void drop_orders(sn_server* server) {
    sni_parcel parcel;
    while (server->meeting.arena.block && sni_ring_take(&server->meeting.orders, &parcel)) {
        sn_device_free(parcel.envelope.device);
        sn_edit_free(parcel.envelope.edit);
    }
}

void sn_server_free(sn_server* server) {
    if (!server) return;
    sni_show(&server->end, 1);
    sni_thread_join(server->thread);
    if (server->meeting.arena.block) sni_talk_hear_news(server);
    sni_net_free(server->net);
    drop_orders(server);
    for (int k = 0; k < SNI_CLIENTS_MOST; k++)
        if (server->client[k].open) sni_client_close(&server->client[k]);
    sni_bytes_free(&server->stage.scene_message);
    sni_bytes_free(&server->message);
    sni_bytes_free(&server->news);
    sni_arena_free(&server->meeting.arena);
    free(server);
}

const char* sn_server_address(const sn_server* server) { return server->address; }
int sn_server_port(const sn_server* server) { return sni_net_port(server->net); }

// ---- what is shown ----------------------------------------------------------------------------------------------------

sn_status sn_server_show(sn_server* server, const sn_server_view* view, sn_error* error) {
    enum { GLANCE_NS = 500000 };
    if (!server || (view && !view->sim && !view->world))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "there is nothing to be shown");
    uint64_t show = sni_shown_value(&server->wanted) + 1;
    server->next = view ? *view : (sn_server_view){0};
    snprintf(server->next_name, sizeof server->next_name, "%s",
             view && view->name ? view->name : "");
    server->next.name = NULL;
    sni_show(&server->wanted, show);
    while (sni_shown_value(&server->taken) != show) sni_thread_rest(GLANCE_NS);
    sni_sim_side_show(&server->side, view, show);
    if (server->side.world)
        (void)sn_world_energy(server->side.world); // what measures it is made now
    return SN_OK;
}

void sn_server_after(sn_server* server, const sn_step_report* report) {
    sni_sim_side_after(&server->side, report);
}

void sn_server_say(sn_server* server, sn_log_level level, const char* text) {
    sni_tell_event(&server->side, level, text);
}

void sn_server_say_fault(sn_server* server, const char* text) {
    snprintf(server->side.fault, sizeof server->side.fault, "%s", text);
    sni_tell_event(&server->side, SN_LOG_WARNING, text);
}

bool sn_server_has_wish(const sn_server* server) { return server->side.wish.type != SN_WISH_NONE; }

bool sn_server_take_wish(sn_server* server, sn_wish* wish) {
    *wish = server->side.wish;
    server->side.wish = (sn_wish){0};
    return wish->type != SN_WISH_NONE;
}

sn_player sn_server_player(sn_server* server) {
    sn_player player = server->side.player;
    server->side.player.steps = 0;
    server->side.player.seek = false;
    return player;
}

void sn_server_pause_player(sn_server* server) { server->side.player.paused = true; }

sn_server_meter sn_server_ask(sn_server* server) {
    return server->meter[sni_mailbox_fetch(&server->meter_box, NULL)];
}
