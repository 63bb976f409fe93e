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

static void pin_roots(sn_world* world) {
    const sn_model* model = sn_world_model(world);
    int pinned = 0;
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        if (b.type != SN_JOINT_FREE || b.parent.i >= 0) continue;
        sn_world_lock(world, sn_body(i), true);
        pinned += 1;
    }
    if (pinned == 0) message_note("--pin: the model has no free root to pin");
}

bool sim_setup(sn_world* world, const sim_options* options, const scene* made) {
    bool good = scene_start(made, &options->q0, options->hold, world);
    for (int i = 0; good && i < options->keep.count; i++) {
        good = keep_active(world, options->keep.items[i]);
    }
    if (good && options->pin) pin_roots(world);
    return good;
}
