// SPDX-License-Identifier: Apache-2.0
#include "server/http.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/// A piece of the head.
typedef struct piece {
    const char* at;
    size_t length;
} piece;

/// False: it does not fit.
static bool copy(piece from, char* to, size_t room) {
    if (from.length >= room) return false;
    memcpy(to, from.at, from.length);
    to[from.length] = '\0';
    return true;
}

static bool is(piece a, const char* word) {
    return strlen(word) == a.length && strncasecmp(a.at, word, a.length) == 0;
}

static piece trimmed(piece p) {
    while (p.length > 0 && (p.at[0] == ' ' || p.at[0] == '\t')) p.at++, p.length--;
    while (p.length > 0 && (p.at[p.length - 1] == ' ' || p.at[p.length - 1] == '\t')) p.length--;
    return p;
}

/// Takes what is before the first `sign`, or all.
static piece cut(piece* rest, char sign) {
    const char* end = rest->length ? memchr(rest->at, sign, rest->length) : NULL;
    piece first = {rest->at, end ? (size_t)(end - rest->at) : rest->length};
    size_t used = first.length + (end ? 1 : 0);
    rest->at += used;
    rest->length -= used;
    return first;
}

/// Whether a list with commas has a word; what follows a ';' in an element does not count.
static bool lists(piece list, const char* word) {
    while (list.length > 0) {
        piece element = cut(&list, ',');
        if (is(trimmed(cut(&element, ';')), word)) return true;
    }
    return false;
}

static bool read_target(piece target, sni_request* request) {
    piece path = cut(&target, '?');
    if (path.length == 0 || path.at[0] != '/') return false;
    while (target.length > 0) {
        piece value = cut(&target, '&');
        if (is(cut(&value, '='), "token") && !copy(value, request->token, sizeof request->token))
            return false;
    }
    return copy(path, request->path, sizeof request->path);
}

static bool read_first_line(piece line, sni_request* request) {
    piece method = cut(&line, ' '), target = cut(&line, ' ');
    if (method.length == 0 || !copy(method, request->method, sizeof request->method)) return false;
    request->keep_alive = is(line, "HTTP/1.1");
    return (request->keep_alive || is(line, "HTTP/1.0")) && read_target(target, request);
}

/// What of an upgrade is there, as bits.
enum { HAS_UPGRADE = 1, HAS_CONNECTION = 2, HAS_VERSION = 4, HAS_KEY = 8, HAS_ALL = 15 };

static bool read_field(piece name, piece value, sni_request* request, unsigned* has) {
    if (is(name, "host")) // twice is nobody's
        return !request->host[0] && copy(value, request->host, sizeof request->host);
    if (is(name, "origin")) {
        bool first = !request->has_origin;
        request->has_origin = true;
        return first && copy(value, request->origin, sizeof request->origin);
    }
    if (is(name, "accept-encoding")) request->gzip = lists(value, "gzip");
    if (is(name, "connection")) {
        if (lists(value, "close")) request->keep_alive = false;
        if (lists(value, "upgrade")) *has |= HAS_CONNECTION;
    }
    if (is(name, "upgrade") && lists(value, "websocket")) *has |= HAS_UPGRADE;
    if (is(name, "sec-websocket-version") && is(value, "13")) *has |= HAS_VERSION;
    if (is(name, "sec-websocket-protocol") && lists(value, "sinew.1")) request->protocol = true;
    if (is(name, "sec-websocket-key") && value.length == SN_WS_KEY_LENGTH) {
        (void)copy(value, request->key, sizeof request->key); // it has the length
        *has |= HAS_KEY;
    }
    if (is(name, "transfer-encoding")) request->has_body = true;
    if (is(name, "content-length") && !is(value, "0")) request->has_body = true;
    return true;
}

/// One line without its end; false: there is no end.
static bool take_line(piece* rest, piece* line) {
    if (rest->length == 0 || !memchr(rest->at, '\n', rest->length)) return false;
    *line = cut(rest, '\n');
    if (line->length > 0 && line->at[line->length - 1] == '\r') line->length--;
    return true;
}

sni_http_found sni_http_read(const char* bytes, size_t count, sni_request* request,
                             size_t* length) {
    piece rest = {bytes, count < SN_HTTP_HEAD_MOST ? count : SN_HTTP_HEAD_MOST}, line;
    const sni_http_found unfinished = count < SN_HTTP_HEAD_MOST ? SNI_HTTP_MORE : SNI_HTTP_WRONG;
    unsigned has = 0;
    *request = (sni_request){0};
    if (count > 0 && memchr(bytes, '\0', rest.length)) return SNI_HTTP_WRONG;
    if (!take_line(&rest, &line)) return unfinished;
    if (!read_first_line(line, request)) return SNI_HTTP_WRONG;
    while (take_line(&rest, &line)) {
        if (line.length == 0) {
            *length = (size_t)(rest.at - bytes);
            request->upgrade = has == HAS_ALL;
            return SNI_HTTP_HEAD;
        }
        piece name = cut(&line, ':');
        if (name.length == 0 || !read_field(name, trimmed(line), request, &has))
            return SNI_HTTP_WRONG;
    }
    return unfinished;
}

bool sni_http_host_is_local(const sni_request* request) {
    static const char* const names[] = {"127.0.0.1", "localhost"};
    const char* colon = strrchr(request->host, ':');
    piece name = {request->host, colon ? (size_t)(colon - request->host) : strlen(request->host)};
    return is(name, names[0]) || is(name, names[1]);
}

bool sni_http_origin_is_own(const sni_request* request) {
    char own[sizeof request->host + 8];
    snprintf(own, sizeof own, "http://%s", request->host);
    return !request->has_origin || strcmp(own, request->origin) == 0;
}
