// SPDX-License-Identifier: Apache-2.0
// Any bytes from a client of the viewer: as a request, as frames of a WebSocket, as a message, as quantities to watch.
// The first byte chooses. What is accepted must be what docs/protocol.md allows.
#include <math.h>
#include <stdlib.h>

#include "server/connection.h"
#include "server/http.h"
#include "server/order.h"
#include "server/quantities.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void expect(bool holds) {
    if (!holds) abort();
}

static void read_request(const uint8_t* data, size_t size) {
    sni_request request;
    size_t length = 0;
    sni_http_found found = sni_http_read((const char*)data, size, &request, &length);
    expect(found != SNI_HTTP_MORE || size < SN_HTTP_HEAD_MOST);
    if (found != SNI_HTTP_HEAD) return;
    expect(length > 0 && length <= size && request.path[0] == '/');
    expect(!request.upgrade || request.key[SN_WS_KEY_LENGTH - 1]);
    (void)sni_http_host_is_local(&request);
    (void)sni_http_origin_is_own(&request);
}

static void read_order(const uint8_t* data, size_t size) {
    sni_order order;
    if (sni_order_read(data, size, &order)) return;
    expect(order.type > 0 && order.type < SNI_ORDER_TYPES && isfinite(order.value));
    expect(order.count >= 0 && order.count <= SN_JOINT_MAX_NQ);
    for (int k = 0; k < order.count; k++) expect(isfinite(order.joint[k]));
    for (int k = 0; k < 2; k++) expect(isfinite(sn_vec3_norm(order.vector[k])));
    expect(order.length <= size);
}

/// The same bytes in one piece and byte by byte: the same messages.
static void read_frames(const uint8_t* data, size_t size) {
    uint64_t sum[2] = {0, 0};
    int count[2] = {0, 0};
    for (int way = 0; way < 2; way++) {
        sni_connection c = {.talk = SNI_TALK_WEBSOCKET, .fd = -1};
        size_t step = way == 0 ? size : 1;
        for (size_t at = 0; at < size && c.talk == SNI_TALK_WEBSOCKET; at += step) {
            const unsigned char* message;
            size_t length;
            sni_put(&c.in, data + at, step);
            while (sni_connection_message(&c, &message, &length)) {
                expect(length <= SN_MESSAGE_MOST);
                for (size_t k = 0; k < length; k++) sum[way] = sum[way] * 31 + message[k];
                count[way]++;
                read_order(message, length);
            }
        }
        sni_bytes_free(&c.in);
        sni_bytes_free(&c.message);
        sni_bytes_free(&c.out);
    }
    expect(sum[0] == sum[1] && count[0] == count[1]);
}

static void read_quantities(const uint8_t* data, size_t size) {
    static sn_scene* scene;
    static sn_model* model;
    sn_scene_load_def def = sn_scene_load_def_default();
    if (!scene) expect(!sn_scene_load("chain:3", &def, &scene, NULL));
    if (!model) expect(!sn_scene_compile(scene, NULL, &model, NULL));
    char why[160] = "";
    sni_watch watch;
    json_t* answer = sni_quantities_read((const char*)data, size, model, scene,
                                         sn_units_of(SN_UNITS_MOLECULAR), &watch, why, sizeof why);
    expect(answer ? watch.count <= SNI_QUANTITIES_MOST : why[0]);
    for (int k = 0; answer && k < watch.count; k++) expect(watch.at[k].kind < SNI_QUANTITIES);
    json_decref(answer);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    switch (data[0] % 4) {
    case 0: read_request(data + 1, size - 1); break;
    case 1: read_frames(data + 1, size - 1); break;
    case 2: read_order(data + 1, size - 1); break;
    default: read_quantities(data + 1, size - 1);
    }
    return 0;
}
