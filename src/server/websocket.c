// SPDX-License-Identifier: Apache-2.0
#include "server/websocket.h"

#include <string.h>

#include "server/sha1.h"

static void base64(const unsigned char* bytes, size_t count, char* text) {
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t at = 0;
    for (size_t k = 0; k < count; k += 3) {
        size_t have = count - k < 3 ? count - k : 3;
        uint32_t three = (uint32_t)bytes[k] << 16 | (have > 1 ? (uint32_t)bytes[k + 1] << 8 : 0) |
                         (have > 2 ? bytes[k + 2] : 0);
        for (size_t d = 0; d < 4; d++)
            text[at++] = d <= have ? digit[three >> (18 - 6 * d) & 63] : '=';
    }
    text[at] = '\0';
}

void sni_ws_accept(const char* key, char answer[SN_WS_ACCEPT_ROOM]) {
    static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"; // [RFC6455 ch 1.3]
    char text[SN_WS_KEY_LENGTH + sizeof guid];
    unsigned char digest[SN_SHA1_SIZE];
    memcpy(text, key, SN_WS_KEY_LENGTH);
    memcpy(text + SN_WS_KEY_LENGTH, guid, sizeof guid);
    sni_sha1(text, sizeof text - 1, digest);
    base64(digest, sizeof digest, answer);
}

static uint64_t big_endian(const unsigned char* bytes, int count) {
    uint64_t value = 0;
    for (int k = 0; k < count; k++) value = value << 8 | bytes[k];
    return value;
}

static bool is_known(unsigned opcode) {
    return opcode <= SNI_WS_BINARY || (opcode >= SNI_WS_CLOSE && opcode <= SNI_WS_PONG);
}

sni_ws_found sni_ws_read(const unsigned char* bytes, size_t count, sni_ws_frame* frame) {
    enum { FINAL = 0x80, RESERVED = 0x70, OPCODE = 0x0f, MASKED = 0x80, CONTROL_MOST = 125 };
    if (count < 2) return SNI_WS_MORE;
    unsigned opcode = bytes[0] & OPCODE, length = bytes[1] & ~(unsigned)MASKED;
    bool control = opcode >= SNI_WS_CLOSE;
    frame->final = bytes[0] & FINAL;
    frame->opcode = (sni_opcode)opcode;
    // clients mask; nothing was agreed on that would use the reserved bits   [RFC6455 ch 5]
    if (bytes[0] & RESERVED || !(bytes[1] & MASKED) || !is_known(opcode)) return SNI_WS_WRONG;
    if (control && (!frame->final || length > CONTROL_MOST)) return SNI_WS_WRONG;
    int extra = length == 126 ? 2 : length == 127 ? 8 : 0;
    frame->header = 2 + (size_t)extra + sizeof frame->mask;
    if (count < frame->header) return SNI_WS_MORE;
    frame->size = extra ? big_endian(bytes + 2, extra) : length;
    if (frame->size >> 63) return SNI_WS_WRONG;
    memcpy(frame->mask, bytes + 2 + extra, sizeof frame->mask);
    return SNI_WS_FRAME;
}

void sni_ws_unmask(const sni_ws_frame* frame, unsigned char* payload, size_t count) {
    for (size_t k = 0; k < count; k++) payload[k] ^= frame->mask[k % sizeof frame->mask];
}

size_t sni_ws_header(sni_opcode opcode, size_t size, unsigned char header[SN_WS_HEADER_MOST]) {
    int extra = size < 126 ? 0 : size <= UINT16_MAX ? 2 : 8;
    header[0] = (unsigned char)(0x80 | (unsigned)opcode);
    header[1] = (unsigned char)(extra == 0 ? size : extra == 2 ? 126 : 127);
    for (int k = 0; k < extra; k++)
        header[2 + k] = (unsigned char)((uint64_t)size >> 8 * (extra - 1 - k));
    return 2 + (size_t)extra;
}
