// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "server/net.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "server/connection.h"
#include "sinew/clock.h"

static const int64_t PATIENCE_NS = 10 * (int64_t)1000000000; // for a request, and for an end
static const int64_t LINGER_NS = 1000000000;                 // after the last word
enum { BACKLOG = 16 };

struct sni_net {
    sni_net_owner owner;
    int listener;
    int port;
    sni_connection connection[SN_CONNECTIONS_MOST];
    uint64_t sent, received;
};

static int64_t now_ns(void) {
    sn_clock clock = sn_clock_real();
    return clock.now_ns(clock.context);
}

// ---- beginning and end --------------------------------------------------------------------------------------------

static bool listen_on(sni_net* net, int port) {
    const int on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    net->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (net->listener < 0) return false;
    (void)setsockopt(net->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on); // only convenient
    if (bind(net->listener, (const struct sockaddr*)&address, size) ||
        listen(net->listener, BACKLOG) ||
        getsockname(net->listener, (struct sockaddr*)&address, &size))
        return false;
    net->port = ntohs(address.sin_port);
    return true;
}

sn_status sni_net_create(int port, const sni_net_owner* owner, sni_net** out, sn_error* error) {
    sni_net* net = calloc(1, sizeof *net);
    *out = NULL;
    if (!net) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    net->owner = *owner;
    if (!listen_on(net, port)) {
        sn_status status =
            sni_fail(error, SN_ERR_FILE, sni_nowhere(), "port %d of 127.0.0.1 cannot be had: %s",
                     port, strerror(errno));
        if (net->listener >= 0) close(net->listener);
        free(net);
        return status;
    }
    *out = net;
    return SN_OK;
}

/// The owner is told when it was a WebSocket.
static void forget(sni_net* net, int id) {
    sni_connection* c = &net->connection[id];
    bool tell = c->was_opened;
    sni_connection_close(c);
    if (tell) net->owner.closed(net->owner.context, id);
}

void sni_net_free(sni_net* net) {
    if (!net) return;
    for (int id = 0; id < SN_CONNECTIONS_MOST; id++)
        sni_net_close(net, id, SNI_WS_GOING_AWAY, "the program has ended");
    sni_net_flush(net);
    for (int id = 0; id < SN_CONNECTIONS_MOST; id++)
        if (net->connection[id].talk != SNI_TALK_NONE) forget(net, id);
    close(net->listener);
    free(net);
}

int sni_net_port(const sni_net* net) { return net->port; }
uint64_t sni_net_sent(const sni_net* net) { return net->sent; }

// ---- sending ------------------------------------------------------------------------------------------------------

void sni_net_send(sni_net* net, int id, const void* message, size_t count) {
    sni_connection* c = &net->connection[id];
    if (c->talk == SNI_TALK_WEBSOCKET) sni_connection_put(c, SNI_WS_BINARY, message, count);
}

size_t sni_net_waiting(const sni_net* net, int id) {
    return sni_connection_waiting(&net->connection[id]);
}

void sni_net_close(sni_net* net, int id, sni_ws_status status, const char* why) {
    sni_connection* c = &net->connection[id];
    if (c->talk == SNI_TALK_WEBSOCKET) sni_connection_end(c, status, why);
}

void sni_net_flush(sni_net* net) {
    for (int id = 0; id < SN_CONNECTIONS_MOST; id++) {
        sni_connection* c = &net->connection[id];
        if (c->talk != SNI_TALK_NONE && sni_connection_waiting(c) > 0 &&
            !sni_connection_write(c, &net->sent))
            forget(net, id);
    }
}

// ---- HTTP ---------------------------------------------------------------------------------------------------------

static const char* status_text(int status) {
    switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    default: return "Error";
    }
}

static sni_response plain(int status, const char* text) {
    return (sni_response){status, "text/plain; charset=utf-8", text, strlen(text), false};
}

static void respond(sni_connection* c, const sni_response* r, bool head_only, bool keep_alive) {
    // the page needs nothing from elsewhere, and nobody else may show it
    static const char* const safety =
        "Content-Security-Policy: default-src 'self'; img-src 'self' data: blob:; "
        "style-src 'self' 'unsafe-inline'; worker-src 'self' blob:; connect-src 'self' ws:; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'\r\n"
        "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
        "Cache-Control: no-store\r\n";
    char head[1024];
    int length = snprintf(head, sizeof head,
                          "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%s%s%s\r\n",
                          r->status, status_text(r->status), r->type, r->size,
                          r->gzip ? "Content-Encoding: gzip\r\n" : "", safety,
                          keep_alive ? "" : "Connection: close\r\n");
    sni_put(&c->out, head, (size_t)length);
    if (!head_only) sni_put(&c->out, r->body, r->size);
    if (!keep_alive || c->out.failed) c->talk = SNI_TALK_ENDING;
}

static void upgrade(sni_net* net, int id, const sni_request* request) {
    sni_connection* c = &net->connection[id];
    char accept[SN_WS_ACCEPT_ROOM], head[256];
    const char* why = "";
    int refused = net->owner.refuses(net->owner.context, request, &why);
    sni_ws_accept(request->key, accept);
    int length = snprintf(head, sizeof head,
                          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                          "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n%s\r\n",
                          accept, request->protocol ? "Sec-WebSocket-Protocol: sinew.1\r\n" : "");
    sni_put(&c->out, head, (size_t)length);
    c->talk = SNI_TALK_WEBSOCKET;
    if (refused) {
        sni_connection_end(c, (sni_ws_status)refused, why);
        return;
    }
    c->was_opened = true;
    net->owner.opened(net->owner.context, id);
}

static void answer(sni_net* net, int id, const sni_request* request) {
    sni_connection* c = &net->connection[id];
    bool head_only = strcmp(request->method, "HEAD") == 0;
    sni_response response;
    if (!sni_http_host_is_local(request)) { // another name that leads here: not our page
        response = plain(403, "this server is for 127.0.0.1 and localhost only\n");
    } else if (!head_only && strcmp(request->method, "GET") != 0) {
        response = plain(405, "only GET\n");
    } else if (strcmp(request->path, "/ws") == 0 && request->upgrade && !head_only) {
        upgrade(net, id, request);
        return;
    } else if (strcmp(request->path, "/ws") == 0) {
        response = plain(400, "here a WebSocket can be opened (docs/protocol.md)\n");
    } else {
        response = net->owner.get(net->owner.context, request);
    }
    respond(c, &response, head_only, request->keep_alive && !request->has_body);
}

static void hear_requests(sni_net* net, int id) {
    sni_connection* c = &net->connection[id];
    while (c->talk == SNI_TALK_HTTP) {
        sni_request request;
        size_t length = 0;
        sni_http_found found = sni_http_read((const char*)c->in.at, c->in.count, &request, &length);
        if (found == SNI_HTTP_MORE) return;
        if (found == SNI_HTTP_WRONG) {
            sni_response bad = plain(400, "this is no request\n");
            respond(c, &bad, false, false);
            return;
        }
        c->in.count -= length;
        memmove(c->in.at, c->in.at + length, c->in.count);
        answer(net, id, &request);
    }
}

// ---- turns --------------------------------------------------------------------------------------------------------

static void accept_all(sni_net* net, int64_t now) {
    const int on = 1;
    for (;;) {
        int fd = accept4(net->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), id = 0;
        if (fd < 0) return;
        while (id < SN_CONNECTIONS_MOST && net->connection[id].talk != SNI_TALK_NONE) id++;
        if (id == SN_CONNECTIONS_MOST) {
            close(fd); // too many at once
            continue;
        }
        (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); // only faster
        sni_connection_open(&net->connection[id], fd, now);
    }
}

static void hear(sni_net* net, int id, int64_t now) {
    sni_connection* c = &net->connection[id];
    const unsigned char* message;
    size_t count;
    if (!sni_connection_read(c, now, &net->received)) {
        forget(net, id);
        return;
    }
    if (c->talk == SNI_TALK_ENDING) c->in.count = 0; // nobody listens any more
    hear_requests(net, id);
    while (sni_connection_message(c, &message, &count))
        net->owner.heard(net->owner.context, id, message, count);
}

/// One that ends: all is said, so the other end may close; what it still sends is read away, or the reason could be lost.
static void end_talk(sni_net* net, int id, int64_t now) {
    sni_connection* c = &net->connection[id];
    if (c->was_opened) net->owner.closed(net->owner.context, id);
    c->was_opened = false;
    if (c->ended_ns || sni_connection_waiting(c) > 0) return;
    (void)shutdown(c->fd, SHUT_WR); // it may be gone already
    c->ended_ns = now;
}

/// Ended a while ago, or silent for too long where something is due.
static bool is_over(const sni_connection* c, int64_t now) {
    if (c->ended_ns && now - c->ended_ns > LINGER_NS) return true;
    return c->talk != SNI_TALK_WEBSOCKET && now - c->quiet_ns > PATIENCE_NS;
}

static void tidy(sni_net* net) {
    int64_t now = now_ns();
    for (int id = 0; id < SN_CONNECTIONS_MOST; id++) {
        if (net->connection[id].talk == SNI_TALK_ENDING) end_talk(net, id, now);
        if (net->connection[id].talk != SNI_TALK_NONE && is_over(&net->connection[id], now))
            forget(net, id);
    }
}

void sni_net_turn(sni_net* net, int wait_ms) {
    struct pollfd ask[SN_CONNECTIONS_MOST + 1] = {{net->listener, POLLIN, 0}};
    int of[SN_CONNECTIONS_MOST + 1], count = 1;
    for (int id = 0; id < SN_CONNECTIONS_MOST; id++) {
        const sni_connection* c = &net->connection[id];
        if (c->talk == SNI_TALK_NONE) continue;
        short events = (short)(POLLIN | (sni_connection_waiting(c) > 0 ? POLLOUT : 0));
        of[count] = id;
        ask[count++] = (struct pollfd){c->fd, events, 0};
    }
    if (poll(ask, (nfds_t)count, wait_ms) > 0) {
        int64_t now = now_ns();
        for (int k = 1; k < count; k++)
            if (ask[k].revents & (POLLIN | POLLHUP | POLLERR)) hear(net, of[k], now);
        if (ask[0].revents) accept_all(net, now);
    }
    sni_net_flush(net);
    tidy(net);
}
