// SPDX-License-Identifier: Apache-2.0
#include "server/cast.h"

#include <stdlib.h>
#include <string.h>

void sni_cast_free(sni_cast* cast) {
    for (int i = 0; i < cast->count; i++) free(cast->item[i].name);
    free(cast->item);
    free(cast->item_of);
    *cast = (sni_cast){0};
}

static bool add(sni_cast* cast, const char* name, size_t length, int32_t first, int32_t bodies) {
    sni_cast_item* item = &cast->item[cast->count];
    *item = (sni_cast_item){strndup(name, length), first, bodies};
    if (!item->name) return false;
    for (int32_t b = first; b < first + bodies; b++) cast->item_of[b] = cast->count;
    cast->count++;
    return true;
}

/// Bodies that begin alike up to a '/' and follow each other.
static bool add_by_names(sni_cast* cast) {
    int count = sn_model_body_count(cast->model);
    for (int first = 0, next; first < count; first = next) {
        const char* name = sn_model_body(cast->model, sn_body(first)).name;
        size_t length = strcspn(name, "/");
        bool alone = name[length] == '\0';
        for (next = first + 1; next < count; next++) {
            const char* other = sn_model_body(cast->model, sn_body(next)).name;
            bool other_alone = !strchr(other, '/');
            if (alone != other_alone || (!alone && strncmp(name, other, length + 1) != 0)) break;
        }
        const char* whole = sn_model_name(cast->model);
        if (!add(cast, alone ? whole : name, alone ? strlen(whole) : length, first, next - first))
            return false;
    }
    return true;
}

bool sni_cast_read(sni_cast* cast, const unsigned char* news) {
    sni_items_head head;
    memcpy(&head, news, sizeof head);
    const unsigned char* places = news + sizeof head;
    const char* name = (const char*)places + head.count * sizeof(sni_item_place);
    size_t bodies = head.bodies;
    size_t most = head.count ? head.count : bodies;
    sni_cast_free(cast);
    *cast = (sni_cast){.model = head.model, .show = head.show};
    cast->item = calloc(most + 1, sizeof *cast->item);
    cast->item_of = calloc(bodies + 1, sizeof *cast->item_of);
    bool good = cast->item && cast->item_of;
    for (uint32_t i = 0; good && i < head.count; i++) {
        sni_item_place place;
        memcpy(&place, places + i * sizeof place, sizeof place);
        good = add(cast, name, strlen(name), place.first, place.bodies);
        name += strlen(name) + 1;
    }
    if (good && head.count == 0 && bodies > 0) good = add_by_names(cast); // of a replay: it stays
    if (!good) sni_cast_free(cast);
    return good;
}
