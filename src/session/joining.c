// SPDX-License-Identifier: Apache-2.0
// How hands come and go: gains that their devices can render, a loop, a place, and the end of them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "session/sn_session.h"

int sni_find_hand(const sn_session* session, int number) {
    for (int i = 0; i < session->def.most_hands; i++)
        if (session->hand[i].number == number && sni_is_taken(session, i)) return i;
    return -1;
}

int sn_session_hand_count(const sn_session* session) {
    int count = 0;
    for (int i = 0; i < session->def.most_hands; i++) count += sni_is_taken(session, i);
    return count;
}

/// By their numbers: the first above the one before.
int sn_session_hand_at(const sn_session* session, int i) {
    int number = -1;
    for (; i >= 0; i--) {
        int next = session->numbers;
        for (int k = 0; k < session->def.most_hands; k++) {
            const sni_session_hand* hand = &session->hand[k];
            if (sni_is_taken(session, k) && hand->number > number && hand->number < next)
                next = hand->number;
        }
        if (next == session->numbers) return -1;
        number = next;
    }
    return number;
}

// ---- gains ----------------------------------------------------------------------------------------------------------

/// Whether it touches with a box.
static bool has_tool(const sn_hand_def* def) {
    return def->mode == SN_HAND_TOUCH && sn_vec3_norm(def->tool) > 0;
}

/// Gains of the grip at the body that the device can render, as its handle sees them through scale and gain. wanted
/// NULL: the most.
static sn_status certify(const sn_session* session, sni_session_hand* hand,
                         const sn_gains* wanted) {
    const sn_hand_def* def = &hand->def;
    sn_certify_def asked = sn_certify_def_default(sn_device_profile_of(hand->device));
    sn_certificate given;
    double scale = def->scale, gain = 1 / def->force_scale;
    bool turns = def->six || has_tool(def);
    asked.period = 1 / session->def.haptic_rate;
    asked.delay = session->def.delay;
    asked.law = def->law == SN_FEEDBACK_REACTION ? SN_LAW_REACTION : SN_LAW_SPRING;
    asked.amplification = 1;
    if (wanted) // else the most
        asked.wanted =
            (sn_gains){wanted->stiffness * scale * gain, wanted->damping * scale * gain,
                       wanted->turn_stiffness * gain / scale, wanted->turn_damping * gain / scale};
    if (!turns) asked.wanted.turn_stiffness = asked.wanted.turn_damping = 0;
    sn_status status = sn_certify(&asked, &given, hand->reason, sizeof hand->reason);
    if (status) return status;
    hand->terms.stiffness = given.gains.stiffness / (scale * gain);
    hand->terms.damping = given.gains.damping / (scale * gain);
    hand->terms.turn_stiffness = given.gains.turn_stiffness * scale / gain;
    hand->terms.turn_damping = given.gains.turn_damping * scale / gain;
    if (!wanted) hand->reason[0] = '\0'; // nothing was asked for that it did not get
    return SN_OK;
}

// Gains that fit: a spring of FREQUENCY, damped critically, for the mass m = sqrt(effective mass at the point x mass
// of the item). So a free body feels as its own spring of that frequency; a limb of a robot is light to move, and the
// same spring still carries the robot, which is at most HEAVIER times as heavy as the limb seems.
static const double FREQUENCY = 2.5;    // Hz
static const double HEAVIER = 100;      // times the effective mass
static const double PULL = 3 * 9.80665; // m/s^2 that the strongest pull gives the item

/// 3 / trace of what a unit wrench at the point moves: kg or kg m^2, the mean of directions, nearest the lightest.
static void effective(const sn_coupling_law* law, int row, sn_vec3 r, double* mass,
                      double* inertia) {
    int n = 6 * law->count;
    const double* block = law->Lambda + (ptrdiff_t)6 * row * n + 6 * row;
    // acceleration of the point for a unit force there: [-[r] 1] Lambda [-[r] 1]'
    const double arm[3][6] = {
        {0, r.z, -r.y, 1, 0, 0}, {-r.z, 0, r.x, 0, 1, 0}, {r.y, -r.x, 0, 0, 0, 1}};
    double moves = 0, turns = 0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            for (int k = 0; k < 3; k++) moves += arm[k][i] * block[i * n + j] * arm[k][j];
    for (int k = 0; k < 3; k++) turns += block[k * n + k];
    *mass = moves > 0 ? 3 / moves : INFINITY;
    *inertia = turns > 0 ? 3 / turns : INFINITY;
}

static double item_mass(const sn_session* session, const sni_session_hand* hand) {
    const sn_model* model = sn_simulation_item(session->sim, hand->item)->model;
    double mass = 0;
    for (int32_t i = 0; i < sn_model_body_count(model); i++)
        mass += sn_model_body(model, sn_body(i)).inertia.mass;
    return mass;
}

void sni_fit_gains(sn_session* session, sni_session_hand* hand, const sn_coupling_law* law,
                   int row) {
    const double w = 2 * M_PI * FREQUENCY;
    double mass, inertia;
    hand->fitted = hand->terms.hold;
    if (sni_molecule_of(session, hand->item)) {
        sn_gains gains = sni_molecule_gains(&hand->terms.most_force);
        (void)certify(session, hand, &gains); // the numbers are finite and not negative
        return;
    }
    effective(law, row, hand->terms.point, &mass, &inertia);
    double whole = fmin(fmax(item_mass(session, hand), mass), HEAVIER * mass);
    double heavier = sqrt(whole / mass);
    if (!isfinite(mass)) return; // nothing can move it: as it was
    if (!isfinite(inertia)) inertia = 0;
    mass *= heavier, inertia *= heavier;
    sn_gains wanted = {mass * w * w, 2 * mass * w, inertia * w * w, 2 * inertia * w};
    if (certify(session, hand, &wanted)) return; // the numbers are finite and not negative
    hand->terms.most_force = PULL * whole;
    hand->terms.most_torque = hand->terms.turn_stiffness * M_PI / 2;
}

// ---- coming ---------------------------------------------------------------------------------------------------------

/// Button that must be held for force; -1: none.
static int enable_button(const sn_hand_def* def, const sn_device_profile* profile) {
    if (def->enable > 0) return def->enable - 1;
    return def->enable == 0 && profile->enable_button ? 0 : -1;
}

/// Button of the device for the k-th action: those that have to do with force are left out.
static int action_button(const sn_hand_def* def, const sn_device_profile* profile, int k) {
    int enable = enable_button(def, profile);
    return enable >= 0 && k >= enable ? k + 1 : k;
}

static void touch_terms(const sni_session_hand* hand, sni_haptic_def* loop) {
    const sn_hand_def* def = &hand->def;
    loop->touches = true;
    loop->touch = sn_touch_def_default();
    loop->touch.stiffness = hand->terms.stiffness;
    loop->touch.damping = hand->terms.damping;
    loop->has_tool = has_tool(def);
    if (!loop->has_tool) return;
    loop->tool = sn_tool_box(sn_pose_identity(), def->tool, 2);
    loop->touch.turn_stiffness = hand->terms.turn_stiffness;
    loop->touch.turn_damping = hand->terms.turn_damping;
}

/// s that a machine may do other things before a hand that nobody feels lets go.
static const double BUSY_MOST = 1;

static sni_haptic_def loop_def(const sn_session* session, const sni_session_hand* hand) {
    const sn_hand_def* def = &hand->def;
    const sn_device_profile* profile = sn_device_profile_of(hand->device);
    double period = 1 / session->def.haptic_rate;
    sni_haptic_def loop = {
        .map = {def->place_in, def->scale, 1 / def->force_scale,
                def->rate_from > 0 ? def->rate_from : INFINITY, def->rate},
        .safety = sn_safety_def_default(profile, period),
        .period = period,
        .reaction = def->law == SN_FEEDBACK_REACTION,
        .shown = profile->shown,
        .clutch = -1,
        .holds_before = session->holds,
    };
    loop.safety.delay = session->def.delay;
    loop.safety.law_period =
        sn_world_step_size(sn_simulation_world(session->sim)) / sn_session_pace(session);
    if (profile->shown) {
        loop.safety.lost_most = 1e9; // it may be silent for long, and come back
        loop.safety.gap = loop.safety.stale_least = BUSY_MOST;
    }
    int enable = enable_button(def, profile);
    loop.safety.enable_button = enable >= 0;
    loop.safety.button = enable >= 0 ? enable : 0;
    if (!session->def.virtual_time) loop.clock = sn_clock_real();
    if (def->mode == SN_HAND_TOUCH) touch_terms(hand, &loop);
    for (int k = 0; k < def->button_count; k++)
        if (strcmp(def->button[k].action, "clutch") == 0)
            loop.clutch = action_button(def, profile, def->button[k].button);
    return loop;
}

/// A line of its place, without anything of a hand that was there before. What the coupling loop still has of that one
/// is known by the number of its hold.
static sni_hand_line* clear_line(sni_hand_line** line) {
    bool is_new = !*line;
    if (is_new) *line = aligned_alloc(alignof(sni_hand_line), sizeof **line);
    if (!*line) return NULL;
    if (is_new) {
        memset(*line, 0, sizeof **line);
        sni_mailbox_init(&(*line)->feel_box);
        sni_mailbox_init(&(*line)->coupling_box);
    }
    sni_mailbox_init(&(*line)->shape_box);
    sni_mailbox_init(&(*line)->sim_box);
    memset((*line)->to_sim, 0, sizeof(*line)->to_sim);
    memset((*line)->state, 0, sizeof(*line)->state);
    return *line;
}

static sn_status begin_loop(sn_session* session, sni_session_hand* hand, sni_hand_line** line,
                            sn_error* error) {
    sni_haptic_def def = loop_def(session, hand);
    hand->loop = calloc(1, sizeof *hand->loop);
    if (!hand->loop || !clear_line(line))
        return sni_fail(error, SN_ERR_MEMORY, hand->def.place, "not enough memory");
    return sni_haptic_loop_init(hand->loop, &def, hand->device, *line, error);
}

static sn_status copy_words(sni_session_hand* hand, const sn_hand_def* def) {
    hand->name = strdup(def->name ? def->name : "hand");
    if (!hand->name) return SN_ERR_MEMORY;
    for (int k = 0; k < def->button_count; k++) {
        int button = action_button(def, sn_device_profile_of(hand->device), def->button[k].button);
        if (button < 0 || button >= SN_HAND_BUTTONS) continue;
        hand->action[button] = strdup(def->button[k].action);
        if (!hand->action[button]) return SN_ERR_MEMORY;
    }
    return SN_OK;
}

/// What the scene says it holds from the start.
static sn_status hold_first(sn_session* session, int place) {
    const sni_session_hand* hand = &session->hand[place];
    const sn_hand_def* def = &hand->def;
    if (def->item < 0 || def->mode != SN_HAND_ATTACH) return SN_OK;
    const sn_item* item = sn_scene_item(sn_simulation_scene(session->sim), def->item);
    sn_item_id id = sn_simulation_find_item(session->sim, item->name);
    int32_t first = sn_simulation_first_body(session->sim, id);
    if (first < 0) return SN_OK; // the script has taken it away already
    sn_status status =
        sn_session_hold(session, hand->number, sn_body(first + def->body.i), def->point);
    if (status || def->still_count == 0) return status;
    sn_body_id* still = malloc((size_t)def->still_count * sizeof *still);
    if (!still) return SN_ERR_MEMORY;
    for (int i = 0; i < def->still_count; i++) still[i] = sn_body(first + def->still[i].i);
    status = sn_session_hold_still(session, hand->number, still, def->still_count);
    free(still);
    return status;
}

static void free_hand(sni_session_hand* hand) {
    sn_device_free(hand->device);
    for (int k = 0; k < SN_HAND_BUTTONS; k++) free(hand->action[k]);
    free(hand->loop);
    free(hand->still);
    free(hand->name);
    *hand = (sni_session_hand){.body = sn_body_world()};
}

static int free_place(const sn_session* session) {
    for (int i = 0; i < session->def.most_hands; i++)
        if (sni_stage_of(session, i) == SN_PLACE_FREE) return i;
    return -1;
}

/// Everything of a hand but its place in time.
static sn_status prepare(sn_session* session, sni_session_hand* hand, const sn_hand_def* def,
                         sni_hand_line** line, sn_error* error) {
    const sn_gains wanted = {def->stiffness, def->damping, def->turn_stiffness, def->turn_damping};
    hand->def = *def;
    sni_choose_scales(session, hand);
    hand->terms.weight = def->weight;
    const sn_device_profile* profile = sn_device_profile_of(hand->device);
    double strength = hand->def.strength * hand->def.force_scale;
    hand->terms.most_force = strength * profile->peak_force;
    hand->terms.most_torque = strength * hand->def.scale * profile->peak_torque;
    sn_status status = copy_words(hand, def);
    if (!status) status = certify(session, hand, def->stiffness > 0 ? &wanted : NULL);
    // what cannot be turned is left to turn, or the point would be drawn to where it were then
    hand->terms.six =
        def->six && profile->inputs >= 6 && (def->fit || hand->terms.turn_stiffness > 0);
    sni_describe_scales(hand);
    if (!status) status = begin_loop(session, hand, line, error);
    return status;
}

sn_status sn_session_add_hand(sn_session* session, const sn_hand_def* def, sn_device* device,
                              int* number, sn_error* error) {
    sn_status status = session && def && device ? SN_OK : SN_ERR_ARGUMENT;
    int place = status ? -1 : free_place(session);
    if (!status && place < 0)
        status = sni_fail(error, SN_ERR_CAPACITY, def->place, "there are %d hands already",
                          session->def.most_hands);
    if (status) {
        sn_device_free(device);
        return status;
    }
    sni_session_hand* hand = &session->hand[place];
    *hand = (sni_session_hand){.device = device, .body = sn_body_world()};
    hand->number = session->numbers;
    status = prepare(session, hand, def, &session->line[place], error);
    if (status) {
        free_hand(hand);
        return status;
    }
    uint64_t shared = sn_device_profile_of(device)->shown ? SN_PLACE_SHARED : 0;
    sni_show(&session->stage[place], SN_PLACE_TAKEN | shared);
    status = session->crew ? sni_crew_add(session, place) : SN_OK;
    if (status) {
        sni_set_stage(session, place, SN_PLACE_FREE);
        free_hand(hand);
        return sni_fail(error, status, def->place, "no thread for another hand");
    }
    session->numbers++;
    if (number) *number = hand->number;
    if (hand->scales[0])
        sni_say(&session->def.log, SN_LOG_NOTE, def->place, "hand '%s': %s", hand->name,
                hand->scales);
    if (hand->reason[0])
        sni_say(&session->def.log, SN_LOG_NOTE, def->place, "hand '%s': %s", hand->name,
                hand->reason);
    return hold_first(session, place);
}

// ---- going ----------------------------------------------------------------------------------------------------------

sn_status sn_session_remove_hand(sn_session* session, int number) {
    int place = session ? sni_find_hand(session, number) : -1;
    if (place < 0) return SN_ERR_ARGUMENT;
    (void)sn_session_hold(session, number, sn_body_world(), sn_vec3_zero()); // it is there
    sni_open_gripper(session, &session->hand[place]);
    sni_set_stage(session, place, SN_PLACE_LEAVES);
    if (!session->runs) sni_clear_places(session, true); // a run has ended with no force
    return SN_OK;
}

void sni_clear_places(sn_session* session, bool nobody_ticks) {
    for (int i = 0; i < session->def.most_hands; i++) {
        sni_place stage = sni_stage_of(session, i);
        if (stage == SN_PLACE_LEFT || (nobody_ticks && stage == SN_PLACE_LEAVES)) {
            if (session->crew) sni_crew_drop(session, i);
            free_hand(&session->hand[i]);
            sni_set_stage(session, i, SN_PLACE_FREE);
        }
    }
}
