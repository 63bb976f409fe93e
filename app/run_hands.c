// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_argument.h"
#include "extent.h"
#include "hand_script_argument.h"
#include "memory.h"
#include "message.h"
#include "run.h"
#include "sinew/simulated_device.h"
#include "suggest.h"

static const double ABOVE = 0.03; // m between what is to be touched and the device's origin
enum { NAMES_MOST = 64 };

// ---- scripts -------------------------------------------------------------------------------------------------------

// The hand rests where the device's origin is, with these buttons held.
static sn_hand_script* resting_script(uint32_t buttons) {
    const sn_hand_knot knot = {.pose = sn_pose_identity(), .buttons = buttons};
    sn_hand_script* script = NULL;
    if (sn_hand_script_create(&knot, 1, &script, NULL)) message_error("not enough memory");
    return script;
}

static bool script_holds_button(const sn_hand_script* script, uint32_t bit) {
    const sn_hand_knot* knots;
    int count = sn_hand_script_knots(script, &knots);
    for (int i = 0; i < count; i++)
        if (knots[i].buttons & bit) return true;
    return false;
}

// ---- devices -------------------------------------------------------------------------------------------------------

// "sim", or "sim:PROFILE,HAND".
static bool is_simulated(const char* word) {
    return strncmp(word, "sim", 3) == 0 && (word[3] == '\0' || word[3] == ':');
}

static bool choose_profile(const char* name, sn_device_profile* profile) {
    const char* names[NAMES_MOST];
    sn_device_profile all[NAMES_MOST];
    int count = 0;
    if (sn_device_profile_find(name, profile)) return true;
    for (; count < NAMES_MOST && sn_device_profile_at(count, &all[count]); count++)
        names[count] = all[count].name;
    const char* near = suggest_name(name, names, count);
    message_error("there is no simulated device '%s'; %s%s%s", name,
                  near ? "did you mean 'sim:" : "`sinew devices` lists them", near ? near : "",
                  near ? "'?" : "");
    return false;
}

static bool choose_hand(const char* name, sn_hand_model* hand) {
    if (sn_hand_model_find(name, hand)) return true;
    message_error("there is no hand '%s'; choose one of light, medium, firm, arm, none, mass",
                  name);
    return false;
}

// What "sim:PROFILE,HAND" says, and --hand after it.
static bool choose_simulated(const char* word, const run_options* o, sn_simulated_device_def* def) {
    const char* rest = word[3] == ':' ? word + 4 : "";
    size_t length = strcspn(rest, ",");
    char* profile = memory_text("%.*s", (int)length, rest);
    const char* hand = rest[length] ? rest + length + 1 : "";
    bool good = (!profile[0] || choose_profile(profile, &def->profile)) &&
                (!hand[0] || choose_hand(hand, &def->hand)) &&
                (!o->hand || choose_hand(o->hand, &def->hand));
    free(profile);
    return good;
}

// The bit of the button that must be held for force; 0: none.
static uint32_t enable_bit(const sn_hand_def* def, const sn_device_profile* profile) {
    if (def->enable > 0) return 1u << (def->enable - 1);
    return def->enable == 0 && profile->enable_button ? 1u : 0u;
}

// What the hand wants. `number`: of the simulated hands; one script is for all, several are one each.
static sn_hand_script* script_for(const run_options* o, const run_hand* hand, int number,
                                  const sn_device_profile* profile) {
    const text_list* files = &o->scripts;
    if (files->count > 1 && number >= files->count) {
        message_error("--script: %d files, but there are more simulated hands; give one for all, "
                      "or one for each",
                      files->count);
        return NULL;
    }
    uint32_t enable = enable_bit(&hand->def, profile);
    if (files->count == 0) return resting_script(enable);
    sn_hand_script* script = hand_script_read(files->items[files->count > 1 ? number : 0]);
    if (script && enable && !script_holds_button(script, enable))
        message_note("hand '%s': %s has an enable button, which the script never holds, so there "
                     "will be no force; end its lines with %" PRIu32
                     ", as in: 0.5 0 0 0.01 %" PRIu32,
                     hand->def.name, hand->device, enable, enable);
    return script;
}

static sn_device* open_simulated(const run_options* o, const run_hand* hand, int number) {
    sn_error error = {0};
    sn_device* device = NULL;
    sn_simulated_device_def def = sn_simulated_device_def_default();
    if (!choose_simulated(hand->device, o, &def)) return NULL;
    sn_hand_script* script = script_for(o, hand, number, &def.profile);
    if (!script) return NULL;
    def.script = script;
    def.seed = (uint64_t)o->seed + (uint64_t)number;
    if (sn_simulated_device_create(&def, &device, &error)) message_error_from(&error);
    sn_hand_script_free(script);
    return device;
}

static sn_device* open_device(const run_options* o, const run_hand* hand, int* simulated) {
    sn_error error = {0};
    sn_device* device = NULL;
    if (is_simulated(hand->device)) return open_simulated(o, hand, (*simulated)++);
    if (o->virtual_time) {
        message_error("--virtual-time: %s is a device of this world, whose time nobody can hurry; "
                      "leave it out, or take a simulated device such as sim:touch",
                      hand->device);
        return NULL;
    }
    if (sn_device_open(hand->device, &device, &error)) message_error_from(&error);
    return device;
}

// ---- hands ---------------------------------------------------------------------------------------------------------

static void change_terms(const run_options* o, sn_hand_def* def) {
    if (o->law >= 0) def->law = (sn_feedback_law)o->law;
    if (o->mode >= 0) def->mode = (sn_hand_mode)o->mode;
    if (o->six) def->six = true;
    if (o->stiffness >= 0) def->stiffness = o->stiffness, def->fit = false;
    if (o->damping >= 0) def->damping = o->damping;
    if (o->scale >= 0) def->scale = o->scale;
    if (o->force_scale >= 0) def->force_scale = o->force_scale;
}

// Adds it to the session; holds what it is to hold.
static bool add_hand(run_hands* hands, run_hand* hand, const run_options* o, sn_session* session,
                     int* simulated) {
    sn_error error = {0};
    sn_hand_def def = hand->def;
    hands->at[hands->count++] = *hand;
    sn_device* device = open_device(o, hand, simulated);
    if (!device) return false;
    def.item = -1; // what it holds is said below
    error.status = sn_session_add_hand(session, &def, device, NULL, &error);
    if (!error.status && hand->id.i >= 0 && def.mode == SN_HAND_ATTACH)
        error.status = sn_session_hold(session, hands->count - 1, hand->id, hand->point);
    if (!error.status && hand->still)
        error.status =
            sn_session_hold_still(session, hands->count - 1, hand->still, hand->def.still_count);
    if (!error.status) return true;
    if (error.text[0]) {
        message_error_from(&error);
    } else {
        message_error("hand '%s': %s", def.name, sn_status_text(error.status));
    }
    return false;
}

// ---- hands of the scene --------------------------------------------------------------------------------------------

static bool is_pointer(const sn_device_def* device) {
    return strcmp(device->driver, "pointer") == 0;
}

static bool has_pointers(const sn_scene* scene) {
    for (int i = 0; i < sn_scene_hand_count(scene); i++)
        if (is_pointer(sn_scene_device(scene, sn_scene_hand(scene, i)->device))) return true;
    return false;
}

// Word of a device of the scene; NULL, with a note, when it is none for here. What is asked for takes the place of pointers.
static char* device_word(const sn_device_def* device, const sn_hand_def* hand,
                         const run_options* o) {
    if (is_pointer(device) && o->device) return memory_copy(o->device);
    if (is_pointer(device)) { // in the viewer people bring their own
        if (o->headless)
            message_note("hand '%s' is moved by a pointer, for which there is no viewer here: it "
                         "is left out; --device sim:touch gives it a simulated device",
                         hand->name);
        return NULL;
    }
    bool simulated = strcmp(device->driver, "simulated") == 0 || strcmp(device->driver, "sim") == 0;
    if (!simulated) return memory_copy(device->driver);
    return memory_text("sim:%s", device->profile[0] ? device->profile : "touch");
}

static bool add_scene_hands(run_hands* hands, const run_options* o, sn_simulation* sim,
                            sn_session* session, int* simulated) {
    const sn_scene* scene = sn_simulation_scene(sim);
    const sn_model* whole = sn_world_model(sn_simulation_world(sim));
    for (int i = 0; i < sn_scene_hand_count(scene); i++) {
        const sn_hand_def* def = sn_scene_hand(scene, i);
        const sn_device_def* device = sn_scene_device(scene, def->device);
        char* word = device_word(device, def, o);
        if (!word) continue;
        if (hands->count == RUN_HANDS) {
            message_error("more than %d hands", RUN_HANDS);
            free(word);
            return false;
        }
        run_hand hand = {.device = word, .id = {-1}, .point = def->point, .def = *def};
        if (def->item >= 0) {
            const sn_item* item = sn_scene_item(scene, def->item);
            int32_t first = sn_simulation_first_body(sim, sn_simulation_find_item(sim, item->name));
            if (first >= 0) hand.id = sn_body(first + def->body.i);
            if (first >= 0 && def->still_count > 0) {
                hand.still = memory_take((size_t)def->still_count, sizeof *hand.still);
                for (int k = 0; k < def->still_count; k++)
                    hand.still[k] = sn_body(first + def->still[k].i);
            }
        }
        if (hand.id.i >= 0) hand.body = memory_copy(sn_model_body(whole, hand.id).name);
        if (hand.id.i >= 0 && is_pointer(device)) // a pointer is where it takes hold
            hand.def.place_in.p = sn_pose_apply(
                sn_dynamics_pose(sn_world_dynamics(sn_simulation_world(sim)), hand.id), hand.point);
        change_terms(o, &hand.def);
        if (!add_hand(hands, &hand, o, session, simulated)) return false;
    }
    return true;
}

// ---- the hand that was asked for -----------------------------------------------------------------------------------

// A part of a molecule, by its item's prefix and its own name. 0: it is none; -1: the reason is said.
static int find_part(sn_simulation* sim, const char* name, run_hand* hand) {
    const sn_scene* scene = sn_simulation_scene(sim);
    for (int i = 0; i < sn_scene_molecule_count(scene); i++) {
        const sn_scene_molecule* m = sn_scene_molecule_at(scene, i);
        const sn_item* item = sn_scene_item(scene, m->item);
        size_t length = strlen(item->prefix);
        sn_error error = {0};
        sn_molecule_part part;
        int32_t first = sn_simulation_first_body(sim, sn_simulation_find_item(sim, item->name));
        if (strncmp(name, item->prefix, length) != 0 || first < 0) continue;
        if (sn_torsion_tree_find_part(m->tree, name + length, &part, NULL, 0, &error)) {
            message_error("--hold: %s", error.text);
            return -1;
        }
        hand->still = memory_take((size_t)part.still + 1, sizeof *hand->still);
        hand->def.still_count = part.still;
        (void)sn_torsion_tree_find_part(m->tree, name + length, &part, hand->still, part.still,
                                        NULL); // as before
        for (int k = 0; k < part.still; k++) hand->still[k].i += first;
        hand->id = sn_body(first + part.body.i);
        hand->point = part.point;
        return 1;
    }
    return 0;
}

// BODY[@X,Y,Z], or a part of a molecule.
static bool parse_hold(const char* word, sn_simulation* sim, run_hand* hand) {
    const sn_model* model = sn_world_model(sn_simulation_world(sim));
    double p[3] = {0, 0, 0};
    bool is_body = sn_model_find_body(model, word).i >= 0 || strchr(word, '@');
    int part = is_body ? 0 : find_part(sim, word, hand);
    if (part) return part > 0;
    const char* sign = strrchr(word, '@');
    if (sign && parse_numbers(sign + 1, p, 3) != 3) {
        message_error("--hold: '%s' is not BODY or BODY@X,Y,Z; write hand@0,0,0.1 for a point in "
                      "the body (m)",
                      word);
        return false;
    }
    char* name = memory_text("%.*s", (int)(sign ? (size_t)(sign - word) : strlen(word)), word);
    hand->id = body_argument_find(model, "--hold", name);
    hand->point = sn_vec3_make(p[0], p[1], p[2]);
    free(name);
    return hand->id.i >= 0;
}

// The last body of the first item that moves; -1: nothing does.
static sn_body_id last_of_first(const sn_simulation* sim) {
    for (int i = 0; i < sn_simulation_item_count(sim); i++) {
        sn_item_id id = sn_simulation_item_at(sim, i);
        int bodies = sn_model_body_count(sn_simulation_item(sim, id)->model);
        if (bodies > 0) return sn_body(sn_simulation_first_body(sim, id) + bodies - 1);
    }
    return sn_body_world();
}

// A point above all of a body that can be touched.
static sn_vec3 point_above(const sn_model* model, sn_body_id body, sn_pose X, sn_vec3 point) {
    const sn_vec3 up = sn_vec3_make(0, 0, 1);
    sn_vec3 at = sn_pose_apply(X, point);
    for (int s = 0; s < sn_model_shape_count(model); s++) {
        sn_shape_info shape = sn_model_shape(model, s);
        if (shape.body.i != body.i || !extent_is_bounded(&shape)) continue;
        at.z = fmax(at.z, extent_support(&shape, sn_pose_mul(X, shape.X_bs), up).z + ABOVE);
    }
    return at;
}

static bool add_asked_hand(run_hands* hands, const run_options* o, sn_simulation* sim,
                           sn_session* session, int* simulated) {
    sn_world* world = sn_simulation_world(sim);
    const sn_model* model = sn_world_model(world);
    bool molecular = sn_scene_molecule_count(sn_simulation_scene(sim)) > 0;
    run_hand hand = {.id = last_of_first(sim),
                     .def = {.name = "hand",
                             .item = -1,
                             .stiffness = molecular ? 0 : 500,
                             .damping = 2,
                             .turn_stiffness = 2,
                             .turn_damping = 0.02,
                             .scale = molecular ? 0 : 1,
                             .weight = true}};
    if (o->hold && !parse_hold(o->hold, sim, &hand)) {
        free(hand.still);
        return false;
    }
    if (hand.id.i < 0) {
        message_error("%s: nothing in it moves, so there is nothing to hold", o->scene);
        return false;
    }
    change_terms(o, &hand.def);
    sn_pose X = sn_dynamics_pose(sn_world_dynamics(world), hand.id);
    sn_vec3 place = hand.def.mode == SN_HAND_TOUCH ? point_above(model, hand.id, X, hand.point)
                                                   : sn_pose_apply(X, hand.point);
    if (!isnan(o->at[0])) place = sn_vec3_make(o->at[0], o->at[1], o->at[2]);
    hand.def.place_in = sn_pose_make(sn_mat3_identity(), place);
    hand.device = memory_copy(o->device ? o->device : "sim:touch");
    bool whole = !hand.still && !(o->hold && strchr(o->hold, ' ')); // else as it was asked for
    hand.body = memory_copy(whole ? sn_model_body(model, hand.id).name : o->hold);
    return add_hand(hands, &hand, o, session, simulated);
}

// ---- all -----------------------------------------------------------------------------------------------------------

// Options that only simulated hands follow.
static bool options_fit(const run_options* o, int simulated) {
    if (o->scripts.count > 1 && simulated < o->scripts.count) {
        message_error("--script: %d files, but %d simulated hand%s", o->scripts.count, simulated,
                      simulated == 1 ? "" : "s");
        return false;
    }
    const char* given = o->hand ? "hand" : o->scripts.count > 0 ? "script" : NULL;
    if (simulated == 0 && given) {
        message_error("--%s is for simulated devices, such as --device sim:touch; this one is in "
                      "the hand of a person",
                      given);
        return false;
    }
    if (simulated > 0 && o->scripts.count == 0)
        message_note("the simulated hand rests; --script FILE moves it: a line for each knot with "
                     "seconds, metres and buttons, as in 0.5 0 0 0.01 1");
    return true;
}

bool run_hands_add(run_hands* hands, const run_options* o, sn_simulation* sim,
                   sn_session* session) {
    int simulated = 0;
    bool of_scene = !o->hold && (!o->device || has_pointers(sn_simulation_scene(sim)));
    if (of_scene && !add_scene_hands(hands, o, sim, session, &simulated)) return false;
    bool wanted = o->headless || o->device || o->hold;
    if (wanted && hands->count == 0 && !add_asked_hand(hands, o, sim, session, &simulated))
        return false;
    return options_fit(o, simulated);
}

void run_hands_free(run_hands* hands) {
    for (int i = 0; i < hands->count; i++) {
        free(hands->at[i].device);
        free(hands->at[i].body);
        free(hands->at[i].still);
    }
    *hands = (run_hands){0};
}
