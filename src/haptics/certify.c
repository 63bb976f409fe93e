// SPDX-License-Identifier: Apache-2.0
// Gains that a device stays passive with, whatever passive hand holds it.
//
//   a (K (T/2 + t) + B) <= margin b       T period, t delay, b viscous friction of the device [CS97], [GIL09]
//   a K <= 2 f / step                     f dry friction, step of the encoder [AO05]
//
// a is 1 for a spring and its damper; a reaction may answer a displacement with up to a times the grip's force.
#include "sinew/certify.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"

static const double RATED_HALF_PERIOD = 0.5e-3; // s, half of the period that stiffness is rated at
static const double DAMPING_SHARE = 0.25; // of the bound, that damping may have before stiffness
static const double NOT_FELT = 0.02;      // N: chatter of an encoder that no hand feels
static const double TURN_NOT_FELT = 1e-3; // Nm

sn_certify_def sn_certify_def_default(const sn_device_profile* profile) {
    sn_certify_def def = {.profile = *profile, .period = 1e-3, .amplification = 1, .margin = 0.8};
    def.wanted = (sn_gains){DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX};
    return def;
}

/// What bounds the gains of moving, or of turning.
typedef struct bound {
    double friction; ///< N s/m
    double encoder;  ///< N/m
    double damping;  ///< N s/m
    bool rendered;
} bound;

/// Friction of the device, or what it must have for the stiffness it is rated at.
static double friction_of(double friction, double stiffness, const sn_device_profile* p) {
    return friction > 0 ? friction : stiffness * (RATED_HALF_PERIOD + p->lag + p->latency);
}

static double encoder_bound(double dry, double step) { return step > 0 ? 2 * dry / step : DBL_MAX; }

static bound move_bound(const sn_device_profile* p) {
    return (bound){friction_of(p->friction_viscous, p->stiffness, p),
                   encoder_bound(fmax(p->friction_dry, NOT_FELT), p->resolution), p->damping, true};
}

static bound turn_bound(const sn_device_profile* p) {
    return (bound){friction_of(p->turn_viscous, p->turn_stiffness, p),
                   encoder_bound(TURN_NOT_FELT, p->turn_resolution), p->turn_damping,
                   p->outputs == 6};
}

typedef struct pair {
    double stiffness, damping;
} pair;

/// The gains for a bound: a quarter of what there is for damping, stiffness of the rest, damping of what that leaves.
static sn_certify_limit fit(const bound* b, const sn_certify_def* def, double amplification,
                            double delay, pair wanted, pair* gains, pair* most) {
    *gains = *most = (pair){0, 0};
    if (!b->rendered) return wanted.stiffness > 0 ? SN_LIMIT_NO_OUTPUT : SN_LIMIT_NONE;
    double budget = def->margin * b->friction / amplification;
    double encoder = b->encoder / amplification, damping = fmin(wanted.damping, b->damping);
    *most = (pair){fmin(budget / delay, encoder), fmin(b->damping, budget)};
    double passive = (budget - fmin(damping, DAMPING_SHARE * budget)) / delay;
    gains->stiffness = fmin(wanted.stiffness, fmin(passive, encoder));
    gains->damping = fmax(0, fmin(damping, budget - gains->stiffness * delay));
    if (gains->stiffness == wanted.stiffness) return SN_LIMIT_NONE;
    return encoder < passive ? SN_LIMIT_ENCODER : SN_LIMIT_PASSIVITY;
}

// ---- words ----------------------------------------------------------------------------------------------------------

typedef struct words {
    char* text;
    size_t room, length;
} words;

static void say(words* w, const char* format, ...) SN_PRINTF(2, 3);
static void say(words* w, const char* format, ...) {
    if (!w->text || w->length >= w->room) return;
    va_list arguments;
    va_start(arguments, format);
    int wrote = vsnprintf(w->text + w->length, w->room - w->length, format, arguments);
    va_end(arguments);
    if (wrote > 0) w->length += (size_t)wrote;
}

static void say_wanted(words* w, double wanted) {
    if (wanted < DBL_MAX)
        say(w, "%.4g", wanted);
    else
        say(w, "the most");
}

typedef struct terms {
    const char *what, *unit, *friction_unit;
} terms;

static void say_stiffness(words* w, const sn_certify_def* def, const terms* t,
                          sn_certify_limit limit, const bound* b, double delay, double wanted,
                          double got) {
    if (limit == SN_LIMIT_NONE) return;
    say(w, "%s%s: ", w->length ? "; " : "", t->what);
    say_wanted(w, wanted);
    say(w, " cut to %.4g %s: ", got, t->unit);
    if (limit == SN_LIMIT_NO_OUTPUT)
        say(w, "%s renders no torque", def->profile.name);
    else if (limit == SN_LIMIT_ENCODER)
        say(w, "more would chatter on the steps of the encoder of %s", def->profile.name);
    else
        say(w,
            "%s has %.3g %s of friction, which at %.3g ms a tick and %.3g ms of delay pays for "
            "%.4g, "
            "used to %.0f %% and shared with damping",
            def->profile.name, b->friction, t->friction_unit, 1e3 * def->period,
            1e3 * (delay - 0.5 * def->period), b->friction / delay, 100 * def->margin);
}

static void say_damping(words* w, const terms* t, double wanted, double got) {
    if (wanted == got) return;
    say(w, "%s%s: ", w->length ? "; " : "", t->what);
    say_wanted(w, wanted);
    say(w, " cut to %.3g %s", got, t->unit);
}

// ---- together -------------------------------------------------------------------------------------------------------

static bool is_amount(double x) { return x >= 0 && isfinite(x); }

static bool makes_sense(const sn_certify_def* d) {
    const sn_gains* g = &d->wanted;
    return d->period > 0 && isfinite(d->period) && is_amount(d->delay) && is_amount(g->stiffness) &&
           is_amount(g->damping) && is_amount(g->turn_stiffness) && is_amount(g->turn_damping) &&
           d->margin > 0 && d->margin <= 1 &&
           (d->law == SN_LAW_SPRING || (d->amplification >= 1 && isfinite(d->amplification)));
}

sn_status sn_certify(const sn_certify_def* def, sn_certificate* c, char* text, size_t room) {
    static const terms moving = {"stiffness", "N/m", "N s/m"};
    static const terms turning = {"turn stiffness", "Nm/rad", "Nm s/rad"};
    static const terms damping = {"damping", "N s/m", ""};
    static const terms turn_damping = {"turn damping", "Nm s/rad", ""};
    *c = (sn_certificate){.limit = SN_LIMIT_NONE};
    if (text && room) text[0] = 0;
    if (!makes_sense(def)) return SN_ERR_ARGUMENT;
    const sn_device_profile* p = &def->profile;
    const sn_gains* want = &def->wanted;
    bound move = move_bound(p), turn = turn_bound(p);
    bool reaction = def->law == SN_LAW_REACTION;
    double amplification = reaction ? def->amplification : 1;
    double delay = 0.5 * def->period + p->lag + p->latency + def->delay;
    pair got, most, turn_got, turn_most;
    c->limit =
        fit(&move, def, amplification, delay, (pair){want->stiffness, want->damping}, &got, &most);
    c->turn_limit = fit(&turn, def, amplification, delay,
                        (pair){want->turn_stiffness, want->turn_damping}, &turn_got, &turn_most);
    c->gains = (sn_gains){got.stiffness, got.damping, turn_got.stiffness, turn_got.damping};
    c->most = (sn_gains){most.stiffness, most.damping, turn_most.stiffness, turn_most.damping};
    c->delay = delay;
    c->needs_passivity_controller = reaction;
    words w = {text, room, 0};
    say_stiffness(&w, def, &moving, c->limit, &move, delay, want->stiffness, got.stiffness);
    say_damping(&w, &damping, want->damping, got.damping);
    say_stiffness(&w, def, &turning, c->turn_limit, &turn, delay, want->turn_stiffness,
                  turn_got.stiffness);
    if (turn.rendered) say_damping(&w, &turn_damping, want->turn_damping, turn_got.damping);
    if (amplification > 1)
        say(&w,
            "%sa reaction is felt up to %.3g times as stiff as its grip, which is that much softer",
            w.length ? "; " : "", amplification);
    return SN_OK;
}
