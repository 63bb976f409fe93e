// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "bench_viewer_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "memory.h"
#include "sinew/clock.h"

enum { FRAME = 3, ANSWER = 7, ACK = 1, GRAB = 2, MOVE = 3 }; // types of messages
enum { HEAD = 8, READ_MOST = 1 << 18, GLANCE_MS = 5 };
static const int64_t BETWEEN_MOVES_NS = 400000000; // until what glides after a move is at rest

struct viewer_client {
    viewer_client_kind kind;
    int fd;
    pthread_t thread;
    atomic_bool end;
    atomic_uint_fast64_t frames, frame_bytes;
    atomic_int_fast64_t first_ns, moved_ns;
    // of the thread
    int64_t connected_ns;
    unsigned char* in;
    size_t count, room;
    uint32_t hand;
    bool holds;
    int64_t move_ns; ///< when it moves next
    int moves;
};

static int64_t now_ns(void) {
    sn_clock clock = sn_clock_real();
    return clock.now_ns(clock.context);
}

// ---- sockets ------------------------------------------------------------------------------------------

static int connect_to(int port) {
    const int on = 1;
    struct sockaddr_in place = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0) return -1;
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); // only faster
    if (connect(fd, (const struct sockaddr*)&place, sizeof place) == 0) return fd;
    close(fd);
    return -1;
}

static bool send_all(int fd, const void* bytes, size_t count) {
    const char* at = bytes;
    while (count > 0) {
        ssize_t sent = send(fd, at, count, MSG_NOSIGNAL);
        if (sent <= 0) return false;
        at += sent;
        count -= (size_t)sent;
    }
    return true;
}

static int port_of(const char* address) {
    int port = 0;
    return sscanf(address, "http://127.0.0.1:%d/", &port) == 1 ? port : 0;
}

/// Asks for a path, with more lines of the request's head.
static bool request(int fd, int port, const char* method, const char* path, const char* more) {
    char* head =
        memory_text("%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s\r\n", method, path, port, more);
    bool sent = send_all(fd, head, strlen(head));
    free(head);
    return sent;
}

/// The head of an answer, without what follows it.
static bool read_head(int fd, char* head, size_t room) {
    for (size_t count = 0; count + 1 < room; count++) {
        if (recv(fd, head + count, 1, 0) != 1) return false;
        head[count + 1] = '\0';
        if (count >= 3 && strcmp(head + count - 3, "\r\n\r\n") == 0) return true;
    }
    return false;
}

// ---- messages -------------------------------------------------------------------------------------------

/// One message: type, number of a request, and words of four bytes; masked with zeros, as a mask must be there.
static bool tell(const viewer_client* c, unsigned char type, uint32_t number, const void* rest,
                 size_t size) {
    unsigned char frame[128] = {0x82, (unsigned char)(0x80 | (HEAD + size))};
    enum { BEFORE = 6 }; // the frame's own head
    frame[BEFORE] = type;
    memcpy(frame + BEFORE + 4, &number, sizeof number);
    memcpy(frame + BEFORE + HEAD, rest, size);
    return send_all(c->fd, frame, BEFORE + HEAD + size);
}

static void acknowledge(const viewer_client* c, uint32_t frame) {
    uint32_t words[2] = {frame, 0};
    (void)tell(c, ACK, 0, words, sizeof words); // else the connection ends, and it is seen there
}

static void grab(viewer_client* c) {
    struct {
        uint32_t body, flags;
        float point[3], target[3];
    } rest = {.target = {0, 0, 1}};
    (void)tell(c, GRAB, 1, &rest, sizeof rest); // as above
}

static void move(viewer_client* c) {
    struct {
        uint32_t hand, zero;
        double clock_ms;
        float target[3], turn[4];
        uint32_t unused;
    } rest = {.hand = c->hand, .target = {0, 0, 1}, .turn = {1}};
    enum { SIZE = 16 + 7 * 4 };
    rest.target[0] = ++c->moves % 2 ? 0.1f : 0;
    int64_t now = now_ns();
    rest.clock_ms = 1e-6 * (double)now;
    atomic_store(&c->moved_ns, now);
    (void)tell(c, MOVE, 0, &rest, SIZE); // as above
    c->move_ns = now + BETWEEN_MOVES_NS;
}

static void hear(viewer_client* c, const unsigned char* message, size_t size) {
    uint32_t number;
    memcpy(&number, message + 4, sizeof number);
    if (message[0] == ANSWER && c->kind == CLIENT_PULLS && !c->holds) {
        char* words = memory_text("%.*s", (int)(size - 2 * HEAD), message + 2 * HEAD);
        const char* hand = strstr(words, "\"hand\":");
        c->holds = hand && sscanf(hand, "\"hand\":%u", &c->hand) == 1;
        c->move_ns = now_ns() + BETWEEN_MOVES_NS;
        free(words);
    }
    if (message[0] != FRAME) return;
    if (atomic_load(&c->frames) == 0) {
        atomic_store(&c->first_ns, now_ns() - c->connected_ns);
        if (c->kind == CLIENT_PULLS) grab(c);
    }
    atomic_store(&c->frame_bytes, size);
    atomic_fetch_add(&c->frames, 1);
    acknowledge(c, number);
}

/// Takes whole messages out of what has come.
static void take_messages(viewer_client* c) {
    size_t at = 0;
    while (c->count - at >= 2) {
        size_t head = 2, size = c->in[at + 1];
        if (size == 126) head = 4;
        if (size == 127) head = 10;
        if (c->count - at < head) break;
        if (head > 2) size = 0;
        for (size_t k = 2; k < head; k++) size = size << 8 | c->in[at + k];
        if (c->count - at < head + size) break;
        if (size >= HEAD) hear(c, c->in + at + head, size);
        at += head + size;
    }
    c->count -= at;
    memmove(c->in, c->in + at, c->count);
}

static bool read_more(viewer_client* c) {
    struct pollfd ask = {c->fd, POLLIN, 0};
    if (poll(&ask, 1, GLANCE_MS) <= 0) return true;
    if (c->room - c->count < READ_MOST) {
        c->room = 2 * c->room + READ_MOST;
        c->in = memory_resize(c->in, c->room, 1);
    }
    ssize_t got = recv(c->fd, c->in + c->count, READ_MOST, 0);
    if (got <= 0) return false;
    c->count += (size_t)got;
    take_messages(c);
    return true;
}

static void* look(void* context) {
    viewer_client* c = context;
    while (!atomic_load(&c->end) && read_more(c))
        if (c->holds && now_ns() >= c->move_ns) move(c);
    return NULL;
}

static void* stall(void* context) {
    const viewer_client* c = context;
    while (!atomic_load(&c->end)) poll(NULL, 0, GLANCE_MS);
    return NULL;
}

// ---- beginning and end --------------------------------------------------------------------------------

static bool upgrade(const viewer_client* c, const char* address) {
    char head[1024];
    const char* token = strstr(address, "token=");
    char* path = memory_text("/ws?%s", token ? token : "");
    bool good = request(c->fd, port_of(address), "GET", path,
                        "Upgrade: websocket\r\nConnection: Upgrade\r\n"
                        "Sec-WebSocket-Key: c2luZXcgYmVuY2ggdmlld2U=\r\n"
                        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: sinew.1\r\n") &&
                read_head(c->fd, head, sizeof head) && strstr(head, " 101 ");
    free(path);
    return good;
}

viewer_client* viewer_client_start(const char* address, viewer_client_kind kind) {
    viewer_client* c = memory_take(1, sizeof *c);
    *c = (viewer_client){.kind = kind, .connected_ns = now_ns()};
    c->fd = connect_to(port_of(address));
    if (c->fd >= 0 && upgrade(c, address) &&
        pthread_create(&c->thread, NULL, kind == CLIENT_STALLS ? stall : look, c) == 0)
        return c;
    if (c->fd >= 0) close(c->fd);
    free(c);
    return NULL;
}

void viewer_client_end(viewer_client* c) {
    if (!c) return;
    atomic_store(&c->end, true);
    (void)pthread_join(c->thread, NULL); // it is there
    close(c->fd);
    free(c->in);
    free(c);
}

uint64_t viewer_client_frames(const viewer_client* c) { return atomic_load(&c->frames); }
uint64_t viewer_client_frame_bytes(const viewer_client* c) { return atomic_load(&c->frame_bytes); }
double viewer_client_first_ms(const viewer_client* c) {
    return 1e-6 * (double)atomic_load(&c->first_ns);
}
int64_t viewer_client_moved_ns(const viewer_client* c) { return atomic_load(&c->moved_ns); }

// ---- the page -------------------------------------------------------------------------------------------

/// Bytes that follow the head of an answer; negative: it says nothing of them, or of something else than success.
static long length_of(const char* head) {
    const char* length = strstr(head, "Content-Length:");
    if (!length || !strstr(head, " 200 ")) return -1;
    return strtol(length + strlen("Content-Length:"), NULL, 10);
}

static bool read_all(int fd, char* to, long count) {
    while (count > 0) {
        ssize_t got = recv(fd, to, (size_t)count, 0);
        if (got <= 0) return false;
        to += got;
        count -= got;
    }
    return true;
}

/// What is there, with a zero behind it; *length its bytes. NULL: it could not be had.
static char* fetch(int fd, int port, const char* method, const char* path, long* length) {
    char head[2048];
    if (!request(fd, port, method, path, "Accept-Encoding: gzip\r\n") ||
        !read_head(fd, head, sizeof head) || (*length = length_of(head)) < 0)
        return NULL;
    char* body = memory_take((size_t)*length + 1, 1);
    if (read_all(fd, body, *length)) return body;
    free(body);
    return NULL;
}

char* viewer_http(int port, const char* method, const char* path) {
    long length;
    int fd = connect_to(port);
    char* answer = fd >= 0 ? fetch(fd, port, method, path, &length) : NULL;
    if (fd >= 0) close(fd);
    return answer;
}

bool viewer_page_fetch(const char* address, double* bytes, double* ms) {
    static const char* const files[] = {"/", "/main.js", "/app.js", "/app.css"};
    int port = port_of(address), fd = connect_to(port);
    int64_t start = now_ns();
    bool good = fd >= 0;
    *bytes = 0;
    for (size_t k = 0; k < sizeof files / sizeof files[0] && good; k++) {
        long length = 0;
        char* file = fetch(fd, port, "GET", files[k], &length);
        good = file != NULL;
        *bytes += (double)length;
        free(file);
    }
    *ms = 1e-6 * (double)(now_ns() - start);
    if (fd >= 0) close(fd);
    return good;
}
