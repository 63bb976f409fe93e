// SPDX-License-Identifier: Apache-2.0
#include "scenario_play.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hand_script_argument.h"
#include "memory.h"
#include "message.h"
#include "scene_argument.h"
#include "sinew/simulated_device.h"

enum { EVERY = 20, SAMPLES_MOST = 1024 };
static const char *const PROFILE = "omega3", *const HAND = "firm";
// Hz: of the coupling loop. A humanoid on all its points is refreshed in some milliseconds, so faster it would not be in real
// time either; and it is what takes the time of a virtual one.
static const double COUPLING_RATE = 200;

/// One scene being played.
typedef struct play {
    const scenario_part* part;
    sn_simulation* sim;
    scenario_trace* traces;
    int count;
    int steps;
} play;

static void sample(play* p, const sn_hand_report* hand) {
    double now = sn_world_time(sn_simulation_world(p->sim));
    for (int i = 0; i < p->count; i++) {
        scenario_trace* a = &p->traces[i];
        if (a->count == SAMPLES_MOST) continue;
        a->t[a->count] = now;
        a->value[a->count++] = scenario_sensor(p->sim, a->sensor)[a->number];
    }
    if (p->part->watch.see) p->part->watch.see(p->part->watch.context, p->sim, hand);
}

static bool play_alone(play* p, double duration) {
    double h = sn_world_step_size(sn_simulation_world(p->sim));
    while (sn_world_time(sn_simulation_world(p->sim)) < duration - h) {
        if (!scenario_step(p->sim, EVERY * h)) return false;
        sample(p, NULL);
    }
    return true;
}

// ---- by hand --------------------------------------------------------------------------------------------

/// The script beside a scene that comes with sinew; NULL, with the reason said.
static sn_hand_script* read_script(const char* name) {
    char* scene = scene_argument_shipped(name);
    if (!scene) return NULL; // it was read before
    char* path = memory_text("%.*s_hand.txt", (int)(strlen(scene) - strlen(".yaml")), scene);
    sn_hand_script* script = hand_script_read(path);
    free(path), free(scene);
    return script;
}

static sn_device* make_device(const char* name) {
    sn_error error = {0};
    sn_device* device = NULL;
    sn_simulated_device_def def = sn_simulated_device_def_default();
    sn_hand_script* script = read_script(name);
    if (!script) return NULL;
    def.script = script;
    bool known =
        sn_device_profile_find(PROFILE, &def.profile) && sn_hand_model_find(HAND, &def.hand);
    if (!known || sn_simulated_device_create(&def, &device, &error)) message_error_from(&error);
    sn_hand_script_free(script);
    return device;
}

/// The first hand of the scene, on the device, where it takes hold.
static bool add_hand(sn_session* session, sn_simulation* sim, sn_device* device) {
    sn_error error = {0};
    const sn_scene* scene = sn_simulation_scene(sim);
    sn_hand_def def = *sn_scene_hand(scene, 0);
    const sn_item* item = sn_scene_item(scene, def.item);
    int32_t first = sn_simulation_first_body(sim, sn_simulation_find_item(sim, item->name));
    sn_body_id body = sn_body(first + def.body.i);
    sn_pose X = sn_dynamics_pose(sn_world_dynamics(sn_simulation_world(sim)), body);
    def.place_in.p = sn_pose_apply(X, def.point);
    def.item = -1; // what it holds is said below
    if (sn_session_add_hand(session, &def, device, NULL, &error)) {
        message_error_from(&error);
        return false;
    }
    return sn_session_hold(session, 0, body, def.point) == SN_OK;
}

static bool after_step(void* context, sn_session* session, const sn_step_report* report) {
    play* p = context;
    sn_hand_report hand;
    if (!report || ++p->steps % EVERY != 0) return true;
    sample(p, sn_session_ask_hand(session, 0, &hand) ? &hand : NULL);
    return true;
}

static bool play_by_hand(play* p, double duration) {
    sn_error error = {0};
    sn_session* session = NULL;
    sn_session_def def = sn_session_def_default();
    def.virtual_time = true;
    def.coupling_rate = COUPLING_RATE;
    sn_device* device = make_device(p->part->name);
    if (!device) return false;
    if (sn_session_create(p->sim, &def, &session, &error)) {
        message_error_from(&error);
        sn_device_free(device);
        return false;
    }
    bool good = add_hand(session, p->sim, device);
    sn_status status = good ? sn_session_run(session, duration, after_step, p) : SN_OK;
    if (status) message_error("%s stopped: %s", p->part->name, sn_status_text(status));
    sn_session_free(session);
    return good && !status;
}

bool scenario_play(scenario_result* result, const scenario_part* part, scenario_trace* traces,
                   int count) {
    play p = {part, scenario_start(scenario_scene(part->name)), traces, count, 0};
    if (!p.sim) return false;
    double duration = sn_scene_duration(sn_simulation_scene(p.sim));
    for (int i = 0; i < count; i++) {
        traces[i].t = scenario_numbers(result, SAMPLES_MOST);
        traces[i].value = scenario_numbers(result, SAMPLES_MOST);
    }
    bool runs = (!part->command || scenario_command(p.sim, "%s", part->command)) &&
                (part->by_hand ? play_by_hand(&p, duration) : play_alone(&p, duration));
    sn_simulation_free(p.sim);
    return runs;
}

// ---- traces ---------------------------------------------------------------------------------------------

double scenario_lowest(const scenario_trace* a) {
    double low = INFINITY;
    for (int i = 0; i < a->count; i++) low = fmin(low, a->value[i]);
    return low;
}

double scenario_highest(const scenario_trace* a) {
    double high = -INFINITY;
    for (int i = 0; i < a->count; i++) high = fmax(high, a->value[i]);
    return high;
}

double scenario_range(const scenario_trace* a, double from) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < a->count; i++) {
        if (a->t[i] < from) continue;
        low = fmin(low, a->value[i]), high = fmax(high, a->value[i]);
    }
    return high - low;
}

double scenario_value_at(const scenario_trace* a, double time) {
    for (int i = 0; i < a->count; i++)
        if (a->t[i] >= time) return a->value[i];
    return a->count ? a->value[a->count - 1] : (double)NAN;
}
