// SPDX-License-Identifier: Apache-2.0
#include "support/playing.h"

#include <math.h>
#include <string.h>

// ---- a device that is looked at ---------------------------------------------------------------------------------

static double seconds_of(playing_tap* tap, int64_t now_ns) {
    if (!tap->started) tap->first_ns = now_ns;
    tap->started = true;
    return 1e-9 * (double)(now_ns - tap->first_ns);
}

static sn_status tap_read(void* memory, int64_t now_ns, sn_device_sample* sample) {
    playing_tap* tap = memory;
    double now = seconds_of(tap, now_ns);
    for (int i = 0; i < tap->troubles; i++)
        if (now >= tap->trouble[i].at && (i + 1 == tap->troubles || now < tap->trouble[i + 1].at))
            (void)sn_simulated_device_trouble(tap->inner, tap->trouble[i].trouble);
    return sn_device_read(tap->inner, now_ns, sample);
}

static sn_vec3 least(sn_vec3 a, sn_vec3 b) {
    return sn_vec3_make(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}
static sn_vec3 most(sn_vec3 a, sn_vec3 b) {
    return sn_vec3_make(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}

static double half_range(sn_vec3 low, sn_vec3 high) {
    sn_vec3 d = sn_vec3_sub(high, low);
    return 0.5 * fmax(d.x, fmax(d.y, d.z));
}

static void watch(playing_tap* tap, sn_vec3 force, sn_vec3 handle) {
    bool first = tap->count++ == 0;
    tap->low = first ? force : least(tap->low, force);
    tap->high = first ? force : most(tap->high, force);
    tap->sum = sn_vec3_add(tap->sum, force);
    tap->sum_p = sn_vec3_add(tap->sum_p, handle);
}

/// Second by second.
static void follow(playing_tap* tap, double now, sn_vec3 force) {
    bool begins = (int)now != tap->second;
    if (begins) {
        tap->ripple = half_range(tap->second_low, tap->second_high);
        tap->second = (int)now;
    }
    tap->second_low = begins ? force : least(tap->second_low, force);
    tap->second_high = begins ? force : most(tap->second_high, force);
}

static sn_status tap_write(void* memory, int64_t now_ns, const sn_device_force* force) {
    playing_tap* tap = memory;
    double now = seconds_of(tap, now_ns);
    sn_status status = sn_device_write(tap->inner, now_ns, force);
    sn_vec3 step = sn_vec3_sub(force->force, tap->last.force);
    tap->largest_step = fmax(tap->largest_step, sn_vec3_norm(step));
    tap->last = *force;
    sn_simulated_state state;
    CHECK(sn_simulated_device_state(tap->inner, &state), 0);
    tap->produced = state.motor_work - state.viscous_loss;
    follow(tap, now, force->force);
    if (sn_vec3_norm(force->force) > 0 || sn_vec3_norm(force->torque) > 0) tap->quiet_since = now;
    if (tap->seen) tap->seen(tap->context, now, force);
    if (now >= tap->from && now < tap->to) watch(tap, force->force, state.pose.p);
    return status;
}

static void tap_close(void* memory) {
    playing_tap* tap = memory;
    sn_device_free(tap->inner);
    free(tap);
}

static const sn_device_ops tap_ops = {tap_read, tap_write, tap_close, NULL};

static sn_device* simulated(const playing* p, const char* profile, const char* hand,
                            const sn_hand_knot* knots, int count) {
    sn_simulated_device_def def = sn_simulated_device_def_default();
    sn_hand_script* script = NULL;
    sn_device* device = NULL;
    CHECK(sn_device_profile_find(profile, &def.profile), 0);
    CHECK(sn_hand_model_find(hand, &def.hand), 0);
    CHECK_STATUS(sn_hand_script_create(knots, count, &script, NULL), SN_OK);
    def.script = script;
    if (!(def.hand.stiffness > 0)) def.velocity = p->thrown;
    CHECK_STATUS(sn_simulated_device_create(&def, &device, NULL), SN_OK);
    sn_hand_script_free(script);
    return device;
}

// ---- a session ------------------------------------------------------------------------------------------------------

sn_session_def playing_def(void) {
    sn_session_def def = sn_session_def_default();
    def.virtual_time = true;
    return def;
}

playing playing_begin(const char* scene, const sn_session_def* def) {
    playing p = {.sim = running(scene)};
    sn_session_def defaults = playing_def();
    CHECK_STATUS(sn_session_create(p.sim, def ? def : &defaults, &p.session, NULL), SN_OK);
    return p;
}

void playing_end(playing* p) {
    sn_session_free(p->session);
    sn_simulation_free(p->sim);
}

sn_hand_def playing_hold(int item) {
    return (sn_hand_def){.name = "hand",
                         .mode = SN_HAND_ATTACH,
                         .item = item,
                         .stiffness = 200,
                         .damping = 0.2,
                         .scale = 1,
                         .place_in = sn_pose_identity(),
                         .weight = true};
}

sn_hand_def playing_touch(double stiffness) {
    sn_hand_def def = playing_hold(-1);
    def.mode = SN_HAND_TOUCH;
    def.stiffness = stiffness;
    return def;
}

sn_hand_knot playing_knot(double time, double x, double y, double z) {
    return (sn_hand_knot){.time = time,
                          .pose = sn_pose_make(sn_mat3_identity(), sn_vec3_make(x, y, z)),
                          .buttons = 1};
}

void playing_hand(playing* p, const sn_hand_def* hand, const char* profile, const char* preset,
                  const sn_hand_knot* knots, int count) {
    playing_tap* tap = calloc(1, sizeof *tap);
    sn_device* device = NULL;
    CHECK(tap && p->hands < SN_GRAB_MAX, 0);
    tap->ripple = INFINITY;
    tap->inner = simulated(p, profile, preset, knots, count);
    CHECK_STATUS(sn_device_create(&tap_ops, tap, sn_device_profile_of(tap->inner), &device, NULL),
                 SN_OK);
    p->tap[p->hands++] = tap;
    CHECK_STATUS(sn_session_add_hand(p->session, hand, device, NULL, NULL), SN_OK);
}

void playing_trouble(playing* p, int hand, double at, sn_simulated_trouble trouble) {
    playing_tap* tap = p->tap[hand];
    CHECK(tap->troubles < PLAYING_TROUBLES, 0);
    tap->trouble[tap->troubles].at = at;
    tap->trouble[tap->troubles++].trouble = trouble;
}

void playing_watch(playing* p, double from, double to) {
    for (int i = 0; i < p->hands; i++) {
        playing_tap* tap = p->tap[i];
        tap->from = from, tap->to = to;
        tap->count = 0;
        tap->sum = tap->sum_p = sn_vec3_zero();
    }
}

sn_status playing_run(playing* p, double seconds) {
    return sn_session_run(p->session, seconds, NULL, NULL);
}

typedef struct patience {
    playing* p;
    double ripple, least;
} patience;

static bool still_moves(void* context, sn_session* session, const sn_step_report* report) {
    const patience* how = context;
    double worst = 0, produced = 0;
    bool early = false; // the ripple is of the last second before `least`, or of a later one
    (void)report, (void)session;
    for (int i = 0; i < how->p->hands; i++) {
        const playing_tap* tap = how->p->tap[i];
        worst = fmax(worst, tap->ripple);
        early |= tap->second < how->least;
        produced += tap->produced;
    }
    how->p->produced = fmax(how->p->produced, produced);
    return early || !(worst <= how->ripple);
}

sn_status playing_settle(playing* p, double ripple, double least_time, double most_time) {
    patience how = {p, ripple, least_time};
    return sn_session_run(p->session, most_time * sn_session_pace(p->session), still_moves, &how);
}

sn_hand_report playing_report(const playing* p, int hand) {
    sn_hand_report report;
    sn_session_ask_hand(p->session, hand, &report);
    return report;
}

sn_vec3 playing_place(const playing* p, int32_t body) {
    sn_world* world = sn_simulation_world(p->sim);
    return sn_dynamics_pose(sn_world_dynamics(world), sn_body(body)).p;
}

// ---- looking ----------------------------------------------------------------------------------------------------------

sn_vec3 playing_mean(const playing* p, int hand) {
    const playing_tap* tap = p->tap[hand];
    CHECK(tap->count > 0, 0);
    return sn_vec3_scale(1 / (double)tap->count, tap->sum);
}

sn_vec3 playing_handle(const playing* p, int hand) {
    const playing_tap* tap = p->tap[hand];
    CHECK(tap->count > 0, 0);
    return sn_vec3_scale(1 / (double)tap->count, tap->sum_p);
}

double playing_ripple(const playing* p, int hand) {
    CHECK(p->tap[hand]->count > 0, 0);
    return half_range(p->tap[hand]->low, p->tap[hand]->high);
}

double playing_slew(const playing* p, int hand) {
    const sn_safety_def* def = &p->session->hand[hand].loop->safety.def;
    return def->profile.peak_force * def->period / def->slew_time;
}

void playing_check_steps(const playing* p, int hand) {
    const double rounding = 1 + 1e-9;
    CHECK(p->tap[hand]->largest_step <= rounding * playing_slew(p, hand), 0);
    CHECK(playing_report(p, hand).safety.max_force_step <= rounding * playing_slew(p, hand), 0);
}
