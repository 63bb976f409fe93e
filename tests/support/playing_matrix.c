// SPDX-License-Identifier: Apache-2.0
#include "support/playing_matrix.h"

#include <math.h>
#include <stdio.h>

#include "sinew/certify.h"

static const double CYCLE = 0.05;  // N, that a hand does not feel
static const double PATIENCE = 60; // s
static const double MOST = 1e5;    // N/m: more than any device is certified for

#define TEXT(name, word, text) text,
const char* playing_case_text(playing_case which) {
    static const char* const texts[] = {PLAYING_CASE_LIST(TEXT)};
    return texts[which];
}
#undef TEXT

#define WORD(name, word, text) word,
const char* playing_case_word(playing_case which) {
    static const char* const words[] = {PLAYING_CASE_LIST(WORD)};
    return words[which];
}
#undef WORD

// The robot's jaws point to x and end 1 mm before the wall; its shoulder carries the arm and presses it on. The chain
// hangs along x.
static const char* const scenes[PLAYING_CASES] = {
    [PLAYING_FREE] = "version: 1\ngravity: [0, 0, 0]\nobjects:\n"
                     "  - {name: ball, sphere: 0.05, mass: 0.2}\n",
    [PLAYING_WALL] = "version: 1\nenvironment:\n"
                     "  - {name: wall, box: [0.2, 0.2, 0.2], at: [0, 0, -0.11]}\n",
    [PLAYING_ROBOT] = "version: 1\nmodels:\n"
                      "  - {name: robot, file: " SN_TEST_MODELS_DIR
                      "/hrp2.urdf, base: fixed, at: [0, 0, 1], q: {l_elbow: -90deg}}\n"
                      "environment:\n"
                      "  - {name: wall, box: [0.1, 0.6, 0.6], at: [0.481, 0.25, 1.23]}\n"
                      "controllers:\n  - {name: all, item: robot, frequency: 3, "
                      "target: {l_elbow: -90deg, l_shoulder_pitch: -6deg}}\n",
    [PLAYING_CHAIN] = "version: 1\ngravity: [9.81, 0, 0]\nmodels:\n"
                      "  - {name: chain, generate: 'cable:300', base: fixed}\n",
    [PLAYING_BAR] = "version: 1\ngravity: [0, 0, 0]\nobjects:\n"
                    "  - {name: bar, box: [0.4, 0.03, 0.03], mass: 0.4}\n",
};

/// A weight of half of what device and hand can carry for ever; without a hand that carries it, the mass alone.
static playing begin_heavy(const sn_device_profile* profile, const sn_hand_model* hand) {
    char text[200];
    bool held = hand->stiffness > 0;
    double most = held ? hand->stiffness * profile->workspace : INFINITY;
    double weight = 0.5 * fmin(profile->continuous_force, most);
    (void)snprintf(text, sizeof text,
                   "version: 1\ngravity: [0, 0, %g]\nobjects:\n"
                   "  - {name: ball, sphere: 0.05, mass: %g}\n",
                   held ? -9.81 : 0, weight / 9.81);
    return playing_begin(text, NULL);
}

static void add_hands(playing* p, playing_case which, const sn_device_profile* profile,
                      const sn_hand_model* model, const char* preset) {
    // on the wall no farther than motors can press for ever: they would warm, and the force go down for a minute
    double most = which == PLAYING_ROBOT ? 0.5 * profile->continuous_force : INFINITY;
    double way = fmin(0.015, model->stiffness > 0 ? most / model->stiffness : INFINITY);
    const sn_hand_knot go[] = {playing_knot(0, 0, 0, 0), playing_knot(0.7, 0, 0, 0),
                               playing_knot(1.2, way, 2 * way / 3, 2 * way / 3)};
    const sn_hand_knot down[] = {playing_knot(0, 0, 0, 0), playing_knot(0.7, 0, 0, 0),
                                 playing_knot(1.2, 0, 0, -0.013)};
    sn_hand_def def = which == PLAYING_WALL ? playing_touch(MOST) : playing_hold(0);
    def.stiffness = def.damping = MOST;
    def.turn_stiffness = def.turn_damping = MOST;
    def.six = profile->outputs == 6 && which != PLAYING_BAR;
    if (which == PLAYING_CHAIN) def.body = sn_body(299);
    if (which == PLAYING_ROBOT) {
        def.body = sn_body(23);
        def.point = sn_vec3_make(0, 0.0225, -0.18);
    }
    if (which == PLAYING_BAR) {
        def.point = sn_vec3_make(0.2, 0, 0);
        playing_hand(p, &def, profile->name, preset, go, 1);
        def.point = sn_vec3_make(-0.2, 0, 0);
    }
    playing_hand(p, &def, profile->name, preset, which == PLAYING_WALL ? down : go, 3);
}

static bool is_within_certificate(const sn_hand_report* report) {
    sn_certify_def asked = sn_certify_def_default(&report->profile);
    sn_certificate given;
    CHECK_STATUS(sn_certify(&asked, &given, NULL, 0), SN_OK);
    return report->stiffness > 0 && report->stiffness <= given.most.stiffness &&
           report->damping <= given.most.damping;
}

/// Force between robot and wall, N.
static double pressed(const playing* p) {
    const sn_world* world = sn_simulation_world(p->sim);
    sn_vec3 sum = sn_vec3_zero();
    for (int32_t i = 0; i < sn_world_contact_count(world); i++)
        sum = sn_vec3_add(sum, sn_world_contact_force(world, i).f);
    return sn_vec3_norm(sum);
}

static void blame(playing_verdict* v, bool good, const char* fault) {
    if (!good && !v->fault) v->fault = fault;
}

static void judge(const playing* p, int hand, playing_verdict* v) {
    sn_hand_report report = playing_report(p, hand);
    const playing_tap* tap = p->tap[hand];
    double slew = playing_slew(p, hand);
    v->ripple = fmax(v->ripple, tap->ripple);
    v->energy = fmin(v->energy, report.safety.energy_least);
    v->step = fmax(v->step, tap->largest_step / slew);
    v->stiffness = report.stiffness;
    v->trips += report.safety.trips;
    blame(v, tap->ripple <= CYCLE, "limit cycle");
    blame(v, report.safety.energy_least >= v->energy_least, "observer");
    blame(v, tap->largest_step <= slew * (1 + 1e-9), "force step");
    blame(v, report.safety.trips == 0, "trip");
    blame(v, is_within_certificate(&report), "certificate");
}

playing_verdict playing_try(playing_case which, const char* name, const char* preset) {
    sn_device_profile profile;
    sn_hand_model model;
    CHECK(sn_device_profile_find(name, &profile) && sn_hand_model_find(preset, &model), 0);
    bool held = model.stiffness > 0;
    playing p =
        which == PLAYING_HEAVY ? begin_heavy(&profile, &model) : playing_begin(scenes[which], NULL);
    p.thrown = sn_vec3_make(0.03, 0.02, -0.05);
    add_hands(&p, which, &profile, &model, preset);
    // the way of a force is known to one step of the encoder: docs/haptics_safety.md
    double unknown = profile.peak_force * profile.resolution;
    if (profile.outputs == 6) unknown += profile.peak_torque * profile.turn_resolution;
    playing_verdict v = {.energy_least = -unknown, .produced_most = unknown};
    CHECK_STATUS(playing_settle(&p, CYCLE, 3, PATIENCE), SN_OK);
    v.produced = p.produced;
    v.seconds = 1e-9 * (double)p.session->meter.last_ns;
    // gravity and motors of the robot may put energy in
    if ((which == PLAYING_HEAVY && held) || which == PLAYING_ROBOT || which == PLAYING_CHAIN)
        v.produced_most = INFINITY;
    if (which == PLAYING_ROBOT) v.pressed = pressed(&p);
    for (int i = 0; i < p.hands; i++) judge(&p, i, &v);
    blame(&v, v.produced <= v.produced_most, "energy");
    blame(&v, which != PLAYING_ROBOT || v.pressed > 0.1, "no contact");
    playing_end(&p);
    return v;
}
