// SPDX-License-Identifier: Apache-2.0
/// Messages of words: HELLO, STATE, METERS, EVENT, ANSWER as JSON.   docs/protocol.md
#ifndef SN_SERVER_WORDS_H
#define SN_SERVER_WORDS_H

#include <jansson.h>

#include "server/show.h"

json_t* sni_words_hello(const sn_server_def* def, uint32_t client, const char* colour);

typedef struct sni_guest {
    uint32_t client;
    const char* colour;
} sni_guest;

/// facts NULL: nothing is shown.
json_t* sni_words_state(const sni_facts* facts, const sn_server_view* view, const sni_guest* guests,
                        int count);

typedef struct sni_server_load {
    double cpu; ///< cores that the server's thread uses
    double bytes_s, frames_s;
} sni_server_load;

json_t* sni_words_meters(const sni_facts* facts, const sni_server_load* load);
json_t* sni_words_event(const sni_event* event, const char* text, size_t length);

#endif
