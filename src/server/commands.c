// SPDX-License-Identifier: Apache-2.0
// What clients want, carried out between two steps.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "server/sim_side.h"

enum { AT_ONCE = 64 }; // orders between two steps; the others wait
static const double PACE_LEAST = 1e-3, PACE_MOST = 100;

void sni_reply(sni_sim_side* side, const sni_envelope* order, sn_status status,
               const sn_error* error) {
    char text[800];
    if (status && error->text[0])
        sn_error_format(error, text, sizeof text);
    else
        snprintf(text, sizeof text, "%s", sn_status_text(status));
    if (status)
        sni_tell_bad(side, order, text);
    else
        sni_tell_good(side, order, "");
}

/// Keeps it for who can do it.
static void wish(sni_sim_side* side, const sni_envelope* order, sn_wish_type type) {
    side->wish.type = type;
    snprintf(side->wish.name, sizeof side->wish.name, "%s", side->parcel.text);
    sni_tell_good(side, order, "");
}

// ---- time -----------------------------------------------------------------------------------------------------------

static void set_paused(sni_sim_side* side, bool paused) {
    side->player.paused = paused;
    if (side->view.session) sn_session_pause(side->view.session, paused);
}

static void pause_or_go_on(sni_sim_side* side, const sni_envelope* order) {
    set_paused(side, order->order.number != 0);
    sni_tell_good(side, order, "");
}

static void do_steps(sni_sim_side* side, const sni_envelope* order) {
    enum { STEPS_MOST = 1000000 };
    if (order->order.number == 0 || order->order.number > STEPS_MOST) {
        sni_tell_bad(side, order, "1 to 1000000 steps");
        return;
    }
    set_paused(side, true);
    side->player.steps += order->order.number;
    if (side->view.session) sn_session_step(side->view.session, (int)order->order.number);
    sni_tell_good(side, order, "");
}

static void set_pace(sni_sim_side* side, const sni_envelope* order) {
    double pace = order->order.value;
    if (!(pace >= PACE_LEAST && pace <= PACE_MOST)) {
        sni_tell_bad(side, order, "the pace is 0.001 to 100 simulated seconds a second");
        return;
    }
    side->player.pace = pace;
    if (side->view.session) (void)sn_session_set_pace(side->view.session, pace); // it is good
    sni_tell_good(side, order, "");
}

static void seek(sni_sim_side* side, const sni_envelope* order) {
    if (!side->view.is_replay) {
        sni_tell_bad(side, order, "only a recording can be wound");
        return;
    }
    side->player.seek = true;
    side->player.seek_time = order->order.value;
    sni_tell_good(side, order, "");
}

// ---- changes ----------------------------------------------------------------------------------------------------------

static void reset(sni_sim_side* side, sni_envelope* order) {
    if (side->view.is_replay) {
        side->player.seek = true;
        side->player.seek_time = side->view.replay_begin;
        sni_tell_good(side, order, "");
    } else if (side->fault[0]) {
        side->wish = (sn_wish){.type = SN_WISH_AGAIN};
        sni_tell_good(side, order, "");
    } else {
        sni_edit_take(side, order);
    }
}

static void set_budget(sni_sim_side* side, const sni_envelope* order) {
    sn_adaptivity options;
    sn_error error = {0};
    if (sn_dynamics_adaptivity(sn_world_dynamics(side->world), &options)) {
        sni_tell_bad(side, order, "joints sleep with adaptive dynamics only: choose \"adaptive\"");
        return;
    }
    options.max_active = order->order.number < INT32_MAX ? (int)order->order.number : -1;
    sni_reply(side, order, sn_world_set_adaptivity(side->world, &options), &error);
}

/// A controller that drives the joint; NULL: none does.
static const char* controller_of(const sni_sim_side* side, int32_t body) {
    const sn_scene* scene = sn_simulation_scene(side->view.sim);
    for (int i = 0; i < sn_scene_controller_count(scene); i++) {
        const sn_controller_def* control = sn_scene_controller(scene, i);
        const sn_item* item = sn_scene_item(scene, control->item);
        sn_item_id id = sn_simulation_find_item(side->view.sim, item->name);
        int32_t in_item = body - sn_simulation_first_body(side->view.sim, id);
        if (!id.generation || in_item < 0 || in_item >= sn_model_body_count(item->model)) continue;
        sn_body_info joint = sn_model_body(item->model, sn_body(in_item));
        for (int k = 0; k < joint.nv; k++)
            if (control->kp[joint.iv + k] != 0) return control->name;
    }
    return NULL;
}

static void set_joint(sni_sim_side* side, const sni_envelope* order) {
    const sn_model* model = sn_world_model(side->world);
    int32_t body = (int32_t)order->order.number;
    sn_error error = {0};
    if (body < 0 || body >= sn_model_body_count(model)) {
        sni_tell_bad(side, order, "there is no such joint");
        return;
    }
    sn_body_info joint = sn_model_body(model, sn_body(body));
    bool target = order->order.flags & SNI_JOINT_TARGET;
    sn_edit change = {.type = target ? SN_EDIT_TARGET : SN_EDIT_MOVE,
                      .name = target ? controller_of(side, body) : "",
                      .body = joint.joint_name,
                      .number_count = order->order.count,
                      .place = sni_nowhere()};
    if (target && !change.name) {
        sni_tell_bad(side, order, "no controller drives this joint");
        return;
    }
    if (order->order.count != joint.nq) {
        sni_tell_bad(side, order, "this joint has another number of coordinates");
        return;
    }
    memcpy(change.number, order->order.joint, (size_t)joint.nq * sizeof *change.number);
    sni_reply(side, order, sn_simulation_apply(side->view.sim, &change, &error), &error);
}

// ---- recording --------------------------------------------------------------------------------------------------------

static void begin_recording(sni_sim_side* side, const sni_envelope* order) {
    char stamp[32], path[200], members[256];
    sn_error error = {0};
    time_t now = time(NULL);
    struct tm parts;
    if (!localtime_r(&now, &parts) || !strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &parts))
        snprintf(stamp, sizeof stamp, "%lld", (long long)now);
    int length = snprintf(path, sizeof path, "%s/sinew-%s.sinew", side->recordings, stamp);
    sn_status status = length > 0 && (size_t)length < sizeof path ? SN_OK : SN_ERR_FILE;
    if (!status) status = sn_simulation_record(side->view.sim, path, 1, false, &error);
    if (status) {
        sni_reply(side, order, status, &error);
        return;
    }
    snprintf(side->recording, sizeof side->recording, "%s", path);
    for (char* c = path; *c; c++) // a folder's name may have what JSON does not
        if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ') *c = '?';
    snprintf(members, sizeof members, "\"path\":\"%s\"", path);
    sni_tell_good(side, order, members);
}

static void record(sni_sim_side* side, const sni_envelope* order) {
    sn_recorder_status status;
    if (order->order.number) {
        begin_recording(side, order);
    } else if (!sn_simulation_recording(side->view.sim, &status)) {
        sni_tell_bad(side, order, "nothing is recorded");
    } else {
        sn_simulation_end_recording(side->view.sim, &status);
        side->recording[0] = '\0';
        if (status.state == SN_RECORDER_RUNS)
            sni_tell_good(side, order, "");
        else
            sni_tell_bad(side, order, status.text[0] ? status.text : "steps are missing in it");
    }
}

// ---- orders -----------------------------------------------------------------------------------------------------------

static sni_sim_client* client_of(sni_sim_side* side, sni_client_id id) {
    sni_sim_client* client = &side->client[id.slot];
    if (client->number != id.number) *client = (sni_sim_client){.number = id.number, .inspect = -1};
    return client;
}

static void watch(sni_sim_side* side, const sni_envelope* order) {
    sni_sim_client* client = client_of(side, order->from);
    client->watch = order->watch;
    client->watch_request = order->order.request;
}

static void inspect(sni_sim_side* side, const sni_envelope* order) {
    client_of(side, order->from)->inspect = (int32_t)order->order.number;
    sni_tell_good(side, order, "");
}

/// Those that a recording cannot do, and those that count bodies.
static bool changes(sni_order_type type) {
    return type == SNI_ORDER_BUDGET || type == SNI_ORDER_EDIT || type == SNI_ORDER_RECORD ||
           type == SNI_ORDER_JOINT || type == SNI_ORDER_DYNAMICS;
}
static bool counts_bodies(sni_order_type type) {
    return type == SNI_ORDER_GRAB || type == SNI_ORDER_JOINT;
}

static void carry_out(sni_sim_side* side, sni_envelope* order) {
    switch (order->order.type) {
    case SNI_ORDER_GRAB: sni_pointer_grab(side, order); break;
    case SNI_ORDER_RELEASE: sni_pointer_release(side, order); break;
    case SNI_ORDER_PAUSE: pause_or_go_on(side, order); break;
    case SNI_ORDER_STEP: do_steps(side, order); break;
    case SNI_ORDER_RESET: reset(side, order); break;
    case SNI_ORDER_PACE: set_pace(side, order); break;
    case SNI_ORDER_BUDGET: set_budget(side, order); break;
    case SNI_ORDER_DYNAMICS: wish(side, order, SN_WISH_DYNAMICS); break;
    case SNI_ORDER_SCENE: wish(side, order, SN_WISH_SCENE); break;
    case SNI_ORDER_EDIT: sni_edit_take(side, order); break;
    case SNI_ORDER_RECORD: record(side, order); break;
    case SNI_ORDER_JOINT: set_joint(side, order); break;
    case SNI_ORDER_WATCH: watch(side, order); break;
    case SNI_ORDER_INSPECT: inspect(side, order); break;
    case SNI_ORDER_SEEK: seek(side, order); break;
    default: break; // the other side's
    }
}

void sni_give_back(sni_sim_side* side, sn_edit* edit) {
    sni_stream* news = &side->meeting->news;
    if (!edit) return;
    if (!sni_stream_begin(news, SNI_NEWS_EDIT, sizeof edit, 0)) {
        sn_edit_free(edit); // rather than keep it for ever
        return;
    }
    sni_stream_add(news, &edit, sizeof edit);
    sni_stream_publish(news);
}

static void take(sni_sim_side* side, sni_envelope* order) {
    const char* why_not = NULL;
    if (order->show != side->show)
        why_not = "the scene has changed";
    else if (counts_bodies(order->order.type) && order->model != sn_world_model(side->world))
        why_not = "bodies came or went just now";
    else if (changes(order->order.type) && !side->view.sim)
        why_not = "a recording cannot be changed";
    if (why_not) {
        sn_device_free(order->device);
        sni_tell_bad(side, order, why_not);
    } else {
        carry_out(side, order);
    }
    sni_give_back(side, order->edit);
}

int sni_carry_out(sni_sim_side* side) {
    sni_parcel* parcel = &side->parcel;
    int done = 0;
    while (done < AT_ONCE && sni_ring_take(&side->meeting->orders, parcel)) {
        sni_envelope* order = &parcel->envelope;
        done++;
        if (!order->gone) {
            take(side, order);
            continue;
        }
        if (order->show == side->show) sni_pointer_release_all(side, order->from);
        client_of(side, order->from)->number = 0;
    }
    return done;
}
