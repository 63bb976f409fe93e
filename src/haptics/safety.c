// SPDX-License-Identifier: Apache-2.0
// The safety chain: its order is sn_safety_apply and nothing else.
#include "sinew/safety.h"

#include <string.h>

#include "base/error.h"
#include "haptics/device.h"
#include "math/least.h"
#include "math/small_angle.h"

#define TEXT(name, text) text,
const char* sn_safety_element_text(sn_safety_element element) {
    static const char* const texts[] = {SN_SAFETY_ELEMENT_LIST(TEXT)};
    return (unsigned)element < SN_SAFETY_ELEMENTS ? texts[element] : "unknown element";
}

const char* sn_safety_cause_text(sn_safety_cause cause) {
    static const char* const texts[] = {SN_SAFETY_CAUSE_LIST(TEXT)};
    return (unsigned)cause < SN_CAUSES ? texts[cause] : "unknown cause";
}
#undef TEXT

// ---- settings -------------------------------------------------------------------------------------------------------

// Shares of the peak force that an energy is: over these ways of the handle.
static const double CREDIT_WAY = 2e-3, SLACK_WAY = 1e-4, REFILL_WAY = 1e-3;    // m; the last m/s
static const double CREDIT_TURN = 2e-2, SLACK_TURN = 1e-3, REFILL_TURN = 1e-2; // rad
static const double MOST_DEBT = 10;                                            // credits
// What no device and no law can mean: taken for a fault.
static const double FAR = 1e3, FAST = 1e6, STIFF = 1e6, MUCH = 1e3; // m, m/s and rad/s, N/m, J
static const double FORGET = 1.0;                                   // s
static const double CLOCK_JUMP = 1.0;                               // s

/// From nothing to the peak in the time in which the device, on the stiffest spring that it renders, swings from the
/// middle to the end, or somewhat faster: a limit that is slower would be a delay within the loop.
static double slew_time_of(const sn_device_profile* p) {
    const double usual = 0.01, longest = 0.02;
    if (!(p->stiffness > 0 && p->mass > 0)) return usual;
    return fmin(longest, 0.8 * sqrt(p->mass / p->stiffness));
}

sn_safety_def sn_safety_def_default(const sn_device_profile* profile, double period) {
    return (sn_safety_def){
        .profile = *profile,
        .period = period,
        .slew_time = slew_time_of(profile),
        .rise = 0.5,
        .fall = 0.05,
        .calm = 0.2,
        .lost_most = 1,
        .speed_trips = 3,
        .speed_memory = 10,
        .gap = 0.02,
        .stale_least = 0.05,
        .stale_periods = 3,
        .stale_most = 5,
        .thermal_share = 0.95,
        .friction_share = 0.8,
        .enable_button = profile->enable_button,
    };
}

static const char* settings_fault(const sn_safety_def* d) {
    const double times[] = {d->period,    d->slew_time,    d->rise,        d->fall,
                            d->lost_most, d->gap,          d->stale_least, d->stale_periods,
                            d->calm,      d->speed_memory, d->stale_most};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        if (!(times[i] > 0) || !isfinite(times[i])) return "times are above zero and finite";
    if (!(d->delay >= 0) || !isfinite(d->delay)) return "delay is finite and not negative";
    if (!(d->law_period >= 0) || !isfinite(d->law_period))
        return "law_period is finite and not negative";
    if (!(d->slew_time < d->fall && d->fall <= d->rise)) return "slew_time < fall <= rise";
    if (!(d->period < d->slew_time)) return "period < slew_time";
    if (!(d->thermal_share > 0 && d->thermal_share <= 1)) return "thermal_share is in (0, 1]";
    if (!(d->friction_share >= 0 && d->friction_share <= 1)) return "friction_share is in [0, 1]";
    if (d->speed_trips < 1 || d->speed_trips > SN_SPEED_TRIPS) return "speed_trips is 1 to 8";
    if (d->profile.outputs == 6 && !(d->profile.peak_torque > 0)) return "peak_torque is not known";
    if (d->enable_button && (d->button < 0 || d->button >= d->profile.buttons))
        return "the device has no such enable button";
    return NULL;
}

/// The rate leaves room for the ramp: slew and ramp together change the output by peak/slew_time at most.
static double slew_rate(const sn_safety_def* d, double peak) {
    return peak * (1 / d->slew_time - 1 / d->fall);
}

static void init_axes(sn_safety_axes* a, const sn_safety_def* d, bool turning) {
    const sn_device_profile* p = &d->profile;
    double peak = turning ? p->peak_torque : p->peak_force;
    a->passivity.friction = d->friction_share * (turning ? p->turn_viscous : p->friction_viscous);
    a->passivity.most_damping = turning ? p->turn_damping : p->damping;
    a->passivity.credit = peak * (turning ? CREDIT_TURN : CREDIT_WAY);
    a->passivity.most_debt = MOST_DEBT * a->passivity.credit;
    a->passivity.slack = peak * (turning ? SLACK_TURN : SLACK_WAY);
    a->passivity.forget = FORGET;
    a->passivity.delay = p->lag + p->latency + d->delay;
    a->tank.capacity = a->passivity.credit;
    a->tank.refill = peak * (turning ? REFILL_TURN : REFILL_WAY);
    a->thermal.peak = peak;
    a->thermal.continuous =
        d->thermal_share * (turning ? p->continuous_torque : p->continuous_force);
    a->thermal.time = p->thermal_time;
    a->slew.rate = slew_rate(d, peak);
    sn_tank_reset(&a->tank);
}

sn_status sn_safety_init(sn_safety* s, const sn_safety_def* def, sn_error* error) {
    sn_status status = sni_device_profile_check(&def->profile, error);
    if (status) return status;
    const char* fault = settings_fault(def);
    if (fault) return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "safety: %s", fault);
    memset(s, 0, sizeof *s);
    s->def = *def;
    init_axes(&s->move, def, false);
    init_axes(&s->turn, def, true);
    s->ramp = (sn_ramp){def->rise, def->fall, 0};
    s->speed = (sn_speed_trip){def->profile.speed_limit, def->profile.turn_speed_limit, false};
    s->watchdog = (sn_watchdog){.gap = def->gap,
                                .jump = CLOCK_JUMP,
                                .stale_least = def->stale_least,
                                .stale_periods = def->stale_periods,
                                .stale_most = def->stale_most,
                                .law_period = def->law_period};
    s->enable = (sn_enable){def->enable_button, def->button};
    s->calm_for = def->calm;
    s->report.cause = SN_CAUSE_IDLE;
    return SN_OK;
}

void sn_safety_reset(sn_safety* s) {
    s->report.latched = false;
    s->report.cause = SN_CAUSE_IDLE;
    s->calm_for = s->def.calm;
    s->lost_for = 0;
    s->speed_count = 0;
}

// ---- one tick -------------------------------------------------------------------------------------------------------

typedef struct tick {
    const sn_safety_input* in;
    double h, passed; ///< s: for what is limited, for what is counted
    bool sampled;     ///< there is a sample that can be used
    bool known;       ///< what the law says about its force makes sense
    bool finite;      ///< so does the force
    bool fresh;       ///< there is a new state of the simulation
    sn_vec3 moved, turned;
    sn_twist velocity;
    sn_watchdog_verdict verdict;
} tick;

static void act(sn_safety* s, sn_safety_element element, bool acted) {
    if (acted) s->report.acted |= 1u << element;
}

/// Not so of a vector that is not finite.
static bool is_within(sn_vec3 v, double most) { return sn_vec3_dot(v, v) <= most * most; }

static bool sample_is_usable(const sn_device_sample* sample) {
    for (int i = 0; i < 3; i++)
        if (!is_within(sn_mat3_row(sample->pose.R, i), 2)) return false; // 1 in a rotation
    return is_within(sample->pose.p, FAR) && is_within(sample->velocity.v, FAST) &&
           is_within(sample->velocity.w, FAST) && isfinite(sample->gripper);
}

static bool law_is_usable(const sn_safety_input* in) {
    return in->law == SN_OK && in->stiffness >= 0 && in->stiffness <= STIFF &&
           in->turn_stiffness >= 0 && in->turn_stiffness <= STIFF && fabs(in->supplied) <= MUCH &&
           fabs(in->turn_supplied) <= MUCH && fabs(in->taken) <= MUCH &&
           fabs(in->turn_taken) <= MUCH;
}

static void look_at_sample(sn_safety* s, tick* t) {
    t->sampled = t->in->read == SN_OK && sample_is_usable(t->in->sample);
    t->moved = t->turned = sn_vec3_zero();
    t->velocity = sn_twist_zero();
    if (!t->sampled) return;
    const sn_device_sample* sample = t->in->sample;
    t->velocity = sample->velocity;
    if (s->has_pose) {
        t->moved = sn_vec3_sub(sample->pose.p, s->pose.p);
        if (s->def.profile.outputs == 6) t->turned = sni_small_turn(&s->pose.R, &sample->pose.R);
    }
    s->pose = sample->pose;
    s->has_pose = true;
}

static bool is_trouble(sn_safety_cause cause) { return cause > SN_CAUSE_BUTTON; }

static sn_safety_cause cause_of_verdict(sn_watchdog_verdict verdict) {
    switch (verdict) {
    case SN_WATCHDOG_WELL: return SN_CAUSE_NONE;
    case SN_WATCHDOG_STALE: return SN_CAUSE_STALE;
    case SN_WATCHDOG_GAP: return SN_CAUSE_GAP;
    case SN_WATCHDOG_CLOCK: return SN_CAUSE_CLOCK;
    }
    return SN_CAUSE_CLOCK;
}

/// What stands against force in this tick.
static sn_safety_cause find_cause(sn_safety* s, const tick* t) {
    if (!t->sampled) return SN_CAUSE_LOST;
    bool fast = sn_speed_trip_apply(&s->speed, &t->velocity);
    bool held = sn_enable_apply(&s->enable, t->in->sample->buttons);
    sn_safety_cause watch = cause_of_verdict(t->verdict);
    if (t->in->paused) return SN_CAUSE_PAUSED;
    if (!t->in->engaged) return SN_CAUSE_IDLE;
    act(s, SN_SAFETY_SPEED, fast);
    act(s, SN_SAFETY_WATCHDOG, watch != SN_CAUSE_NONE);
    act(s, SN_SAFETY_ENABLE, !held);
    if (!t->finite) return SN_CAUSE_NOT_FINITE;
    if (fast) return SN_CAUSE_SPEED;
    if (watch) return watch;
    return held ? SN_CAUSE_NONE : SN_CAUSE_BUTTON;
}

static bool too_many_speed_trips(sn_safety* s, int64_t now_ns) {
    uint64_t needed = (uint64_t)s->def.speed_trips;
    s->speed_ns[s->speed_count++ % SN_SPEED_TRIPS] = now_ns;
    if (s->speed_count < needed) return false;
    int64_t first = s->speed_ns[(s->speed_count - needed) % SN_SPEED_TRIPS];
    return 1e-9 * (double)(now_ns - first) <= s->def.speed_memory;
}

/// Counts a trip when trouble begins; latches by the rules.
static void note_trouble(sn_safety* s, const tick* t, sn_safety_cause cause) {
    bool begins = !(s->calm_for <= 0 && s->report.cause == cause);
    s->lost_for = cause == SN_CAUSE_LOST ? s->lost_for + t->passed : 0;
    s->calm_for = 0;
    if (begins) s->report.trips++;
    if (begins && cause == SN_CAUSE_SPEED && too_many_speed_trips(s, t->in->now_ns))
        s->report.latched = true;
    if (cause == SN_CAUSE_NOT_FINITE || s->lost_for > s->def.lost_most) s->report.latched = true;
    s->report.last_trip = s->report.cause = cause;
}

/// Whether there is to be force; report.cause says why not.
static bool is_open(sn_safety* s, const tick* t) {
    sn_safety_cause cause = find_cause(s, t);
    if (s->report.latched) return false;
    if (is_trouble(cause)) {
        note_trouble(s, t, cause);
        return false;
    }
    s->lost_for = 0;
    s->calm_for = sni_least(s->calm_for + t->passed, s->def.calm);
    if (s->calm_for < s->def.calm) return false; // the cause stays to be read
    s->report.cause = cause;
    return cause == SN_CAUSE_NONE;
}

/// The elements that work on a force, in three directions.
static sn_vec3 limit(sn_safety* s, sn_safety_axes* a, const tick* t, bool turning, sn_vec3 f) {
    const sn_safety_input* in = t->in;
    double heat_limit = sn_thermal_limit(&a->thermal);
    double stiffness = 0, supplied = 0, taken = 0, size = sn_vec3_norm(f);
    // of the force that is wanted, and so of the energy that its other end puts in
    double rendered = s->ramp.gain * (size > heat_limit ? heat_limit / size : 1);
    if (t->known) {
        stiffness = turning ? in->turn_stiffness : in->stiffness;
        supplied = turning ? in->turn_supplied : in->supplied;
        taken = turning ? in->turn_taken : in->taken;
    }
    sn_passivity_input seen = {.h = t->passed,
                               .moved = turning ? t->turned : t->moved,
                               .velocity = turning ? t->velocity.w : t->velocity.v,
                               .stiffness = stiffness,
                               .limit = heat_limit,
                               .share = s->ramp.gain,
                               .supplied = rendered * supplied};
    act(s, SN_SAFETY_PEAK,
        sn_peak_apply(a->thermal.peak, &f)); // nothing absurd into what remembers
    f = sn_passivity_apply(&a->passivity, &seen, f);
    act(s, SN_SAFETY_PASSIVITY, a->passivity.damping > 0);
    a->tank.release = sni_most(s->watchdog.law_period, s->def.period);
    f = sn_tank_apply(&a->tank, t->h, t->fresh, seen.moved, stiffness, taken, f);
    (void)sn_peak_apply(2 * a->thermal.peak, &a->tank.held); // more is never rendered
    act(s, SN_SAFETY_TANK, sn_vec3_dot(a->tank.held, a->tank.held) > 0);
    act(s, SN_SAFETY_PEAK, sn_peak_apply(a->thermal.peak, &f));
    act(s, SN_SAFETY_HEAT, sn_peak_apply(heat_limit, &f));
    act(s, SN_SAFETY_SLEW, sn_slew_apply(&a->slew, t->h, &f));
    return f;
}

static void note_size(sn_vec3 v, double* largest) {
    if (!is_within(v, *largest)) *largest = sn_vec3_norm(v);
}

static void note_sent(sn_safety_axes* a, double passed, sn_vec3 force, sn_vec3 before,
                      double* largest, double* largest_step) {
    sn_thermal_warm(&a->thermal, passed, force);
    sn_passivity_sent(&a->passivity, force);
    note_size(force, largest);
    note_size(sn_vec3_sub(force, before), largest_step);
}

static void send(sn_safety* s, const tick* t, sn_device_force out) {
    sn_safety_report* r = &s->report;
    note_sent(&s->move, t->passed, out.force, s->output.force, &r->max_force, &r->max_force_step);
    if (s->def.profile.outputs == 6)
        note_sent(&s->turn, t->passed, out.torque, s->output.torque, &r->max_torque,
                  &r->max_torque_step);
    s->output = out;
    r->ticks++;
    for (uint32_t left = r->acted, e = 0; left; left >>= 1, e++) r->count[e] += left & 1u;
    r->gain = s->ramp.gain;
    r->energy = s->move.passivity.energy + s->turn.passivity.energy;
    r->energy_least = sni_least(r->energy_least, r->energy);
    r->tank = s->move.tank.level + s->turn.tank.level;
    r->heat = sni_most(s->move.thermal.heat, s->turn.thermal.heat);
}

static void forget_energy(sn_safety* s) {
    sn_passivity_reset(&s->move.passivity);
    sn_passivity_reset(&s->turn.passivity);
    sn_tank_reset(&s->move.tank);
    sn_tank_reset(&s->turn.tank);
}

sn_status sn_safety_apply(sn_safety* s, const sn_safety_input* in, sn_device_force* out) {
    tick t = {.in = in, .fresh = in->law_ns != s->watchdog.law_ns};
    s->report.acted = 0;
    t.verdict =
        sn_watchdog_apply(&s->watchdog, s->def.period, in->now_ns, in->law_ns, &t.h, &t.passed);
    look_at_sample(s, &t);
    sn_device_force f = in->wanted;
    t.known = law_is_usable(in);
    t.finite = sn_finite_apply(&s->finite, t.sampled && t.known, &f);
    act(s, SN_SAFETY_FINITE, !t.finite);
    f.force = limit(s, &s->move, &t, false, f.force);
    f.torque =
        s->def.profile.outputs == 6 ? limit(s, &s->turn, &t, true, f.torque) : sn_vec3_zero();
    double before = s->ramp.gain, gain = sn_ramp_apply(&s->ramp, t.h, is_open(s, &t));
    act(s, SN_SAFETY_RAMP, gain < 1);
    if (before > 0 && !(gain > 0)) forget_energy(s);
    out->force = sn_vec3_scale(gain, f.force);
    out->torque = sn_vec3_scale(gain, f.torque);
    send(s, &t, *out);
    return s->report.latched ? SN_ERR_FAULT : SN_OK;
}
