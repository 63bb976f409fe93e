// SPDX-License-Identifier: Apache-2.0
#include "server/sim_side.h"

static const int64_t TELL_NS = 2000000; // between two facts: io looks 60 times a second

void sni_sim_side_show(sni_sim_side* side, const sn_server_view* view, uint64_t show) {
    sn_clock clock = sn_clock_real();
    bool was_replay = side->view.is_replay;
    sni_edit_give_up(side);
    side->view = view ? *view : (sn_server_view){0};
    side->world = !view ? NULL : view->sim ? sn_simulation_world(view->sim) : view->world;
    side->show = show;
    side->told = NULL;
    side->stepped = false;
    side->sampled = (sni_sampled){.time = -1};
    side->fault[0] = side->recording[0] = '\0';
    if (!view || !view->is_replay || !was_replay) side->player = (sn_player){.pace = 1};
    side->wish = (sn_wish){0};
    side->means = (sni_means){0};
    side->told_ns = 0;
    for (int k = 0; k < SNI_HANDS_MOST; k++)
        side->hand[k].taken = false; // they went with the session
    for (int k = 0; k < SNI_CLIENTS_MOST; k++) {
        side->client[k].watch.count = 0;
        side->client[k].inspect = -1;
    }
    side->sums = (sni_sim_sums){.since_ns = clock.now_ns(clock.context),
                                .since_time = side->world ? sn_world_time(side->world) : 0};
    if (!side->world) return;
    sni_tell_items(side);
    sni_tell_facts(side, side->sums.since_ns);
}

/// Trouble of a step that a person should know of, once.
static void tell_events(sni_sim_side* side, const sn_step_report* report) {
    unsigned fresh = report->events & ~side->report.events;
    if (fresh & SN_EVENT_FULL)
        sni_tell_event(side, SN_LOG_WARNING,
                       "more contacts than there is room for: some are left out");
    if (fresh & SN_EVENT_LOST)
        sni_tell_event(side, SN_LOG_WARNING, "a body has no finite pose: it touches nothing");
    if (fresh & SN_EVENT_CONTROL)
        sni_tell_event(side, SN_LOG_WARNING, "control failed and is switched off");
}

void sni_sim_side_after(sni_sim_side* side, const sn_step_report* report) {
    if (!side->world) return;
    sn_clock clock = sn_clock_real();
    if (report) {
        tell_events(side, report);
        sni_sums_add(side, report);
        side->report = *report;
        side->stepped = true;
    }
    int done = sni_carry_out(side);
    sni_edit_go_on(side);
    if (sn_world_model(side->world) != side->told) sni_tell_items(side);
    int64_t now = clock.now_ns(clock.context);
    if (side->view.session) sni_pointer_look(side, now);
    if (report) sni_watch_sample(side, report);
    if (done > 0 || now - side->told_ns >= TELL_NS) sni_tell_facts(side, now);
}
