// SPDX-License-Identifier: Apache-2.0
// Edits of clients. Models are made by a thread of their own while steps go on, and put in between two of them; edits are
// made in the order they came in, so one that is short waits for a long one before it.
#include "server/sim_side.h"

static void make(void* context) {
    sni_editor* editor = context;
    editor->status = sn_preparation_make(editor->preparation, &editor->error);
    sni_show(&editor->made, 1);
}

void sni_edit_take(sni_sim_side* side, sni_envelope* order) {
    sni_editor* editor = &side->editor;
    if (editor->count == SNI_EDITS_WAIT_MOST) {
        sni_tell_bad(side, order, "too much is asked at once");
        return;
    }
    editor->waiting[editor->count++] = *order;
    order->edit = NULL; // kept
}

/// The first one is answered, and the next one's turn comes.
static void leave(sni_sim_side* side, sn_status status, const sn_error* error) {
    sni_editor* editor = &side->editor;
    sn_preparation_free(editor->preparation);
    editor->preparation = NULL;
    sni_reply(side, &editor->waiting[0], status, error);
    sni_give_back(side, editor->waiting[0].edit);
    editor->count--;
    memmove(editor->waiting, editor->waiting + 1, (size_t)editor->count * sizeof *editor->waiting);
}

static void finish(sni_sim_side* side) {
    sni_editor* editor = &side->editor;
    sn_status status = editor->status;
    if (!status) status = sn_simulation_finish(side->view.sim, editor->preparation, &editor->error);
    if (!status) sn_world_publish(side->world); // it may be paused
    leave(side, status, &editor->error);
}

/// False: it goes on in a thread.
static bool begin(sni_sim_side* side) {
    static const sn_edit reset = {.type = SN_EDIT_RESET};
    sni_editor* editor = &side->editor;
    const sn_edit* edit = editor->waiting[0].edit ? editor->waiting[0].edit : &reset;
    editor->error = (sn_error){0};
    editor->status =
        sn_simulation_prepare(side->view.sim, edit, &editor->preparation, &editor->error);
    if (!editor->status && sn_preparation_is_long(editor->preparation)) {
        sni_show(&editor->made, 0);
        editor->thread = sni_thread_start(make, editor);
        if (editor->thread) return false;
        make(editor); // then the steps wait
    }
    finish(side);
    return true;
}

void sni_edit_go_on(sni_sim_side* side) {
    sni_editor* editor = &side->editor;
    if (editor->thread) {
        if (!sni_shown_value(&editor->made)) return;
        sni_thread_join(editor->thread);
        editor->thread = NULL;
        finish(side);
    }
    while (editor->count > 0 && begin(side)) continue;
}

void sni_edit_give_up(sni_sim_side* side) {
    sni_editor* editor = &side->editor;
    const sn_error changed = {.status = SN_ERR_ARGUMENT, .text = "the scene has changed"};
    if (editor->thread) sni_thread_join(editor->thread);
    editor->thread = NULL;
    while (editor->count > 0) leave(side, SN_ERR_ARGUMENT, &changed);
}
