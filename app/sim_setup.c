// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "body_argument.h"
#include "memory.h"
#include "message.h"
#include "sim.h"

// One word of --keep: NAME or NAME,NAME,...
static bool keep_active(sn_world* world, const char* word) {
    bool good = true;
    while (good && *word) {
        int length = (int)strcspn(word, ",");
        char* name = memory_text("%.*s", length, word);
        sn_body_id body = body_argument_find(sn_world_model(world), "--keep", name);
        good = body.i >= 0 && sn_world_keep_active(world, body, true) == SN_OK;
        free(name);
        word += length + (word[length] == ',');
    }
    return good;
}

bool sim_setup(sn_world* world, const sim_options* options) {
    bool good = true;
    for (int i = 0; good && i < options->keep.count; i++) {
        good = keep_active(world, options->keep.items[i]);
    }
    return good;
}
