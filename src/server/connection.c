// SPDX-License-Identifier: Apache-2.0
#include "server/connection.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

enum { READ_MOST = 64 * 1024, OUT_KEPT = 4 * 1024 * 1024 };

void sni_connection_open(sni_connection* c, int fd, int64_t now_ns) {
    *c = (sni_connection){.talk = SNI_TALK_HTTP, .fd = fd, .quiet_ns = now_ns};
}

void sni_connection_close(sni_connection* c) {
    close(c->fd);
    sni_bytes_free(&c->in);
    sni_bytes_free(&c->message);
    sni_bytes_free(&c->out);
    c->talk = SNI_TALK_NONE;
}

bool sni_connection_read(sni_connection* c, int64_t now_ns, uint64_t* read) {
    size_t before = c->in.count;
    void* room = sni_bytes_grow(&c->in, READ_MOST);
    if (!room) return false;
    ssize_t got = recv(c->fd, room, READ_MOST, 0);
    c->in.count = before + (got > 0 ? (size_t)got : 0);
    if (got > 0) {
        c->quiet_ns = now_ns;
        *read += (uint64_t)got;
    }
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

size_t sni_connection_waiting(const sni_connection* c) { return c->out.count - c->sent; }

bool sni_connection_write(sni_connection* c, uint64_t* sent) {
    while (sni_connection_waiting(c) > 0) {
        ssize_t took = send(c->fd, c->out.at + c->sent, sni_connection_waiting(c), MSG_NOSIGNAL);
        if (took < 0) return errno == EAGAIN || errno == EINTR;
        c->sent += (size_t)took;
        *sent += (uint64_t)took;
    }
    c->sent = 0;
    sni_bytes_clear(&c->out);
    if (c->out.room > OUT_KEPT) sni_bytes_free(&c->out); // a large scene went out
    return true;
}

void sni_connection_put(sni_connection* c, sni_opcode opcode, const void* bytes, size_t count) {
    unsigned char header[SN_WS_HEADER_MOST];
    sni_put(&c->out, header, sni_ws_header(opcode, count, header));
    sni_put(&c->out, bytes, count);
    if (c->out.failed) c->talk = SNI_TALK_ENDING;
}

void sni_connection_end(sni_connection* c, sni_ws_status status, const char* why) {
    enum { WHY_MOST = 120 };
    char text[2 + WHY_MOST] = {(char)(status >> 8), (char)status};
    size_t length = strnlen(why, WHY_MOST);
    memcpy(text + 2, why, length);
    if (c->talk == SNI_TALK_WEBSOCKET) sni_connection_put(c, SNI_WS_CLOSE, text, 2 + length);
    c->talk = SNI_TALK_ENDING;
}

// ---- messages -----------------------------------------------------------------------------------------------------

static void drop(sni_connection* c, size_t count) {
    c->in.count -= count;
    memmove(c->in.at, c->in.at + count, c->in.count);
}

/// Ping, pong, close.
static void control(sni_connection* c, const sni_ws_frame* frame, const unsigned char* payload) {
    if (frame->opcode == SNI_WS_PING)
        sni_connection_put(c, SNI_WS_PONG, payload, (size_t)frame->size);
    if (frame->opcode == SNI_WS_CLOSE) { // the same status back
        sni_connection_put(c, SNI_WS_CLOSE, payload, frame->size >= 2 ? 2 : 0);
        c->talk = SNI_TALK_ENDING;
    }
}

/// Part of a message; false: it breaks the rules, and the connection ends.
static bool add_part(sni_connection* c, const sni_ws_frame* frame, const unsigned char* payload) {
    if (frame->opcode == SNI_WS_TEXT || c->in_message != (frame->opcode == SNI_WS_CONTINUATION)) {
        sni_connection_end(c, SNI_WS_PROTOCOL, "messages are binary, one after the other");
        return false;
    }
    if (!c->in_message) sni_bytes_clear(&c->message);
    if (c->message.count + frame->size > SN_MESSAGE_MOST) {
        sni_connection_end(c, SNI_WS_TOO_LONG, "a message has at most 64 KiB");
        return false;
    }
    sni_put(&c->message, payload, (size_t)frame->size);
    if (c->message.failed) c->talk = SNI_TALK_ENDING;
    c->in_message = !frame->final;
    return !c->message.failed;
}

bool sni_connection_message(sni_connection* c, const unsigned char** message, size_t* count) {
    while (c->talk == SNI_TALK_WEBSOCKET) {
        sni_ws_frame frame;
        sni_ws_found found = sni_ws_read(c->in.at, c->in.count, &frame);
        if (found == SNI_WS_WRONG) sni_connection_end(c, SNI_WS_PROTOCOL, "this is no frame");
        if (found == SNI_WS_FRAME && frame.size > SN_MESSAGE_MOST)
            sni_connection_end(c, SNI_WS_TOO_LONG, "a message has at most 64 KiB");
        if (found != SNI_WS_FRAME || frame.size > SN_MESSAGE_MOST) return false;
        size_t all = frame.header + (size_t)frame.size;
        if (c->in.count < all) return false;
        unsigned char* payload = c->in.at + frame.header;
        sni_ws_unmask(&frame, payload, (size_t)frame.size);
        bool is_part = frame.opcode < SNI_WS_CLOSE;
        bool whole = is_part && add_part(c, &frame, payload) && frame.final;
        if (!is_part) control(c, &frame, payload);
        drop(c, all);
        *message = c->message.at;
        *count = c->message.count;
        if (whole) return true;
    }
    return false;
}
