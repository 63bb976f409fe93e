// SPDX-License-Identifier: Apache-2.0
// What the side that steps tells the other one.
#include <stdio.h>
#include <string.h>

#include "server/sim_side.h"

/// One message of two parts; what does not fit is lost, and samples leave room for the rest.
static void tell(sni_sim_side* side, sni_news_kind kind, const void* head, size_t head_size,
                 const void* rest, size_t rest_size) {
    sni_stream* news = &side->meeting->news;
    if (!sni_stream_begin(news, kind, (uint32_t)(head_size + rest_size), 0)) return;
    sni_stream_add(news, head, head_size);
    sni_stream_add(news, rest, rest_size);
    sni_stream_publish(news);
}

static void answer(sni_sim_side* side, const sni_envelope* to, bool good, const char* text) {
    sni_answer head = {to->from, to->order.request, good};
    if (head.request) tell(side, SNI_NEWS_ANSWER, &head, sizeof head, text, strlen(text));
}

void sni_tell_good(sni_sim_side* side, const sni_envelope* to, const char* members) {
    answer(side, to, true, members);
}

void sni_tell_bad(sni_sim_side* side, const sni_envelope* to, const char* why) {
    answer(side, to, false, why);
}

void sni_tell_event(sni_sim_side* side, sn_log_level level, const char* text) {
    sni_event head = {side->world ? sn_world_time(side->world) : 0, (uint32_t)level, 0};
    tell(side, SNI_NEWS_EVENT, &head, sizeof head, text, strlen(text));
}

void sni_tell_hand(sni_sim_side* side, sni_client_id to, int hand, sn_device* device,
                   sn_vec3 position) {
    sni_hand_news head = {to, hand, 0, device, position, side->show};
    tell(side, SNI_NEWS_HAND, &head, sizeof head, NULL, 0);
}

static const char* item_name(const sn_simulation* sim, int i, sni_item_place* place) {
    sn_item_id id = sn_simulation_item_at(sim, i);
    const sn_item* item = sn_simulation_item(sim, id);
    *place = (sni_item_place){sn_simulation_first_body(sim, id), sn_model_body_count(item->model)};
    return item->name;
}

void sni_tell_items(sni_sim_side* side) {
    const sn_simulation* sim = side->view.sim; // NULL: of a replay only bodies are known
    sni_stream* news = &side->meeting->news;
    int count = sim ? sn_simulation_item_count(sim) : 0;
    sni_item_place place;
    size_t names = 0;
    for (int i = 0; i < count; i++) names += strlen(item_name(sim, i, &place)) + 1;
    const sn_model* model = sn_world_model(side->world);
    sni_items_head head = {.model = model,
                           .show = side->show,
                           .bodies = (uint32_t)sn_model_body_count(model),
                           .count = (uint32_t)count,
                           .name_bytes = (uint32_t)names};
    size_t size = sizeof head + (size_t)count * sizeof place + names;
    if (!sni_stream_begin(news, SNI_NEWS_ITEMS, (uint32_t)size, 0))
        return; // the next step tries again
    sni_stream_add(news, &head, sizeof head);
    for (int i = 0; i < count; i++) {
        (void)item_name(sim, i, &place); // only its place
        sni_stream_add(news, &place, sizeof place);
    }
    for (int i = 0; i < count; i++) {
        const char* name = item_name(sim, i, &place);
        sni_stream_add(news, name, strlen(name) + 1);
    }
    sni_stream_publish(news);
    side->told = head.model;
}
