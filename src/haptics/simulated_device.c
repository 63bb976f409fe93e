// SPDX-License-Identifier: Apache-2.0
// A device and the hand that holds it, as one body on springs.
//
//   m x'' = f_motor + k (x_r - x) + c (x_r' - x') - b x' - dry friction + stop        m: handle and hand
//
// and the same for turning. Read and write are events in time: a sample shows the device as it was half the latency
// ago, so that is how far a read moves it on; a force that is written acts half the latency later, so it waits in a
// line until the device has come there. Between two events the command of the motors is constant, and the midpoint
// rule is exact for a mass under constant force; spring, damper and friction are implicit in it:
//
//   (2 m + h (b + c) + h^2 k / 2) v_m = 2 m v + h (f + k (x_r - x) + c x_r') - h dry v_m/|v_m| ,   v+ = 2 v_m - v
//
// Dry friction takes from the right side what it can, and when that is all of it the device stands still: stiction,
// with no chatter. Every share of the work is f v_m h, exactly what the step did.
#include "sinew/simulated_device.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hot.h"
#include "base/rng.h"
#include "haptics/device.h"
#include "haptics/hand_script.h"
#include "haptics/heat.h"
#include "haptics/velocity.h"
#include "math/least.h"
#include "math/small_angle.h"

enum { COMMANDS = 256 }; // written, not yet there
static const int64_t LONGEST_GAP_NS =
    1000 * 1000 * 1000; // of two calls; what is beyond does not pass
static const double STOP_STIFFNESS = 4000, STOP_RATIO = 0.7; // N/m, share of critical damping
static const double LONGEST_LATENCY = 0.05; // s, that the line of commands has room for

typedef struct command {
    int64_t time_ns; ///< when the motors get it
    sn_device_force force;
} command;

/// Three directions of moving, or of turning.
typedef struct drive {
    // device and hand
    double mass, viscous, dry;
    double hand_mass, damping, stiffness;
    double peak, continuous, thermal_time;
    double warming, cooling; ///< 1/(s N^2), 1/s: heat' = warming |f|^2 - cooling heat
    // state
    sn_vec3 velocity;
    sn_vec3 commanded;
    sn_vec3 motor, hand; ///< forces
    double heat;
    double motor_work, hand_work, viscous_loss, dry_loss;
} drive;

/// What follows from the length of a step. A tick is up to three, of lengths that come back tick by tick.
typedef struct stride {
    double h;                   ///< s; 0: not filled
    bool held;                  ///< by the hand
    double lag_decay, lag_mean; ///< of the amplifier
    double move, turn;          ///< 1/M of the header
} stride;
enum { STRIDES = 3 };

typedef struct simulated {
    sn_device_profile profile;
    sn_hand_script* script;
    int knot; ///< of the script, where it was last
    double jitter;
    int64_t step_ns, delay_ns; ///< longest step; half the latency
    sni_rng rng;
    bool started;
    int64_t now_ns;    ///< of the last call
    int64_t time_ns;   ///< as far as the device has come
    int64_t origin_ns; ///< time 0 of the script
    // state
    sn_vec3 p;
    sn_quat r;
    drive move, turn;
    double stop_loss;
    stride strides[STRIDES];
    int oldest; ///< of them
    command line[COMMANDS];
    int first, waiting;
    // measuring
    sni_velocity estimate;
    sn_vec3 turned; ///< sum of all small turns, for the estimate
    sn_quat seen;   ///< orientation of the last sample
    sn_twist velocity;
    sn_simulated_trouble trouble;
    bool is_frozen;
    sn_device_sample frozen; ///< what it shows for ever
} simulated;

// ---- physics --------------------------------------------------------------------------------------------------------

static sn_vec3 shortened(sn_vec3 v, double most) {
    double square = sn_vec3_dot(v, v);
    return square > most * most ? sn_vec3_scale(most / sqrt(square), v) : v;
}

static double one_over_M(const drive* d, double h, bool held) {
    double m = d->mass + (held ? d->hand_mass : 0);
    double k = held ? d->stiffness : 0, c = held ? d->damping : 0;
    return 1 / (2 * m + h * (d->viscous + c) + 0.5 * h * h * k);
}

/// Amplifier: first order, exact for a constant command. lag_decay: what is left of a difference after h; lag_mean: its
/// mean.
static const stride* stride_of(simulated* s, double h, bool held) {
    for (int i = 0; i < STRIDES; i++)
        if (s->strides[i].h == h && s->strides[i].held == held) return &s->strides[i];
    stride* made = &s->strides[s->oldest];
    double lag = s->profile.lag, decay = lag > 0 ? exp(-h / lag) : 0;
    s->oldest = (s->oldest + 1) % STRIDES;
    *made = (stride){.h = h,
                     .held = held,
                     .lag_decay = decay,
                     .lag_mean = lag > 0 ? lag / h * (1 - decay) : 0,
                     .move = one_over_M(&s->move, h, held)};
    if (s->profile.inputs == 6) made->turn = one_over_M(&s->turn, h, held);
    return made;
}

/// Mean force of the motors over a step.
static inline sn_vec3 motor_force(const stride* by, drive* d) {
    double limit = sni_heat_limit(d->heat, d->peak, d->continuous, d->thermal_time);
    sn_vec3 target = shortened(d->commanded, limit);
    sn_vec3 behind = sn_vec3_sub(d->motor, target);
    d->motor = sn_vec3_add(target, sn_vec3_scale(by->lag_decay, behind));
    sn_vec3 mean = sn_vec3_add(target, sn_vec3_scale(by->lag_mean, behind));
    d->heat += by->h * (d->warming * sn_vec3_dot(mean, mean) - d->cooling * d->heat);
    return mean;
}

/// One step; returns the velocity in its middle, that moves the device. stretch: from where the device is to where
/// the hand wants it in the middle of the step.
static inline sn_vec3 drive_step(drive* d, const stride* by, double one_over, sn_vec3 stretch,
                                 sn_vec3 v_r, sn_vec3 motor, sn_vec3 stop) {
    double h = by->h, m = d->mass + (by->held ? d->hand_mass : 0);
    double k = by->held ? d->stiffness : 0, c = by->held ? d->damping : 0;
    sn_vec3 pull = sn_vec3_add(sn_vec3_scale(k, stretch), sn_vec3_scale(c, v_r));
    sn_vec3 right = sn_vec3_add(sn_vec3_scale(2 * m, d->velocity),
                                sn_vec3_scale(h, sn_vec3_add(sn_vec3_add(motor, stop), pull)));
    double dry = h * d->dry, size = dry > 0 ? sn_vec3_norm(right) : 0;
    if (dry > 0 && size <= dry) { // stiction
        d->dry_loss += 0.5 * m * sn_vec3_dot(d->velocity, d->velocity);
        d->velocity = sn_vec3_zero();
        d->hand = pull;
        return d->velocity;
    }
    double slower = dry > 0 ? (1 - dry / size) * one_over : one_over;
    sn_vec3 middle = sn_vec3_scale(slower, right);
    d->velocity = sn_vec3_sub(sn_vec3_scale(2, middle), d->velocity);
    d->hand = sn_vec3_sub(pull, sn_vec3_scale(c + 0.5 * h * k, middle));
    d->motor_work += h * sn_vec3_dot(motor, middle);
    d->hand_work += h * sn_vec3_dot(d->hand, middle);
    d->viscous_loss += h * d->viscous * sn_vec3_dot(middle, middle);
    d->dry_loss += dry * slower * size; // its speed
    return middle;
}

/// Beyond the workspace a spring with a damper, which only pushes.
static sn_vec3 stop_force(const simulated* s, bool held) {
    double square = sn_vec3_dot(s->p, s->p), room = s->profile.workspace;
    if (!(room > 0 && square > room * room)) return sn_vec3_zero();
    double distance = sqrt(square), over = distance - room;
    sn_vec3 out = sn_vec3_scale(1 / distance, s->p);
    double m = s->move.mass + (held ? s->move.hand_mass : 0);
    double damping = 2 * STOP_RATIO * sqrt(STOP_STIFFNESS * m);
    double push = STOP_STIFFNESS * over + damping * sn_vec3_dot(out, s->move.velocity);
    return sn_vec3_scale(-sni_most(push, 0), out);
}

static void step_move(simulated* s, double time, double h) {
    sni_hand_way want;
    bool held = !sni_hand_script_way(s->script, time + 0.5 * h, &s->knot, &want)->released;
    const stride* by = stride_of(s, h, held);
    sn_vec3 stop = stop_force(s, held);
    sn_vec3 motor = motor_force(by, &s->move);
    sn_vec3 stretch = sn_vec3_sub(want.p, s->p);
    sn_vec3 v = drive_step(&s->move, by, by->move, stretch, want.v, motor, stop);
    s->stop_loss -= h * sn_vec3_dot(stop, v);
    s->p = sn_vec3_add(s->p, sn_vec3_scale(h, v));
}

static void step_turn(simulated* s, double time, double h) {
    sni_hand_turn want;
    bool held = !sni_hand_script_turn(s->script, time + 0.5 * h, &s->knot, &want)->released;
    const stride* by = stride_of(s, h, held);
    sn_vec3 motor = s->profile.outputs == 6 ? motor_force(by, &s->turn) : sn_vec3_zero();
    sn_vec3 stretch = held ? sn_quat_log(sn_quat_mul(want.r, sn_quat_conj(s->r))) : sn_vec3_zero();
    sn_vec3 w = drive_step(&s->turn, by, by->turn, stretch, want.w, motor, sn_vec3_zero());
    if (!(sn_vec3_dot(w, w) > 0)) return;
    s->r = sni_unit_again(sn_quat_mul(sn_quat_exp(sn_vec3_scale(h, w)), s->r));
}

static double script_time(const simulated* s, int64_t ns) {
    return 1e-9 * (double)(ns - s->origin_ns);
}

typedef void step_function(simulated* s, double time, double h);

/// With the command of the motors constant.
static inline void advance_steps(simulated* s, int64_t from_ns, int64_t until_ns, int64_t longest,
                                 step_function* step) {
    int64_t span = until_ns - from_ns, steps = 1;
    double h = 1e-9 * (double)span, start = script_time(s, from_ns);
    if (span > longest) {
        steps = (span + longest - 1) / longest;
        h /= (double)steps;
    }
    for (int64_t i = 0; i < steps; i++) step(s, start + (double)i * h, h);
}

static void take_command(simulated* s) {
    const command* c = &s->line[s->first];
    s->move.commanded = c->force.force;
    s->turn.commanded = c->force.torque;
    s->first = (s->first + 1) % COMMANDS;
    s->waiting--;
}

/// Where no motor turns the handle, no command changes how it turns, and what does is slow: steps are twice as long,
/// and a tick of 1 kHz is one.
static void advance(simulated* s, int64_t until_ns) {
    int64_t start_ns = s->time_ns;
    bool turns = s->profile.inputs == 6, driven = s->profile.outputs == 6;
    while (s->time_ns < until_ns) {
        while (s->waiting && s->line[s->first].time_ns <= s->time_ns) take_command(s);
        int64_t next = until_ns;
        if (s->waiting && s->line[s->first].time_ns < next) next = s->line[s->first].time_ns;
        advance_steps(s, s->time_ns, next, s->step_ns, step_move);
        if (turns && driven) advance_steps(s, s->time_ns, next, s->step_ns, step_turn);
        s->time_ns = next;
    }
    if (turns && !driven && start_ns < until_ns)
        advance_steps(s, start_ns, until_ns, 2 * s->step_ns, step_turn);
}

// ---- time -----------------------------------------------------------------------------------------------------------

static void shift_times(simulated* s, int64_t by_ns) {
    s->time_ns += by_ns, s->origin_ns += by_ns;
    for (int i = 0; i < COMMANDS; i++) s->line[i].time_ns += by_ns;
    s->estimate.count = 0;
}

/// A clock that jumps is followed, but no time passes by that.
static void look_at_clock(simulated* s, int64_t now_ns) {
    if (!s->started) {
        s->started = true;
        s->origin_ns = now_ns;
        s->time_ns = now_ns - s->delay_ns;
    } else if (now_ns < s->now_ns) {
        shift_times(s, now_ns - s->now_ns);
    } else if (now_ns - s->now_ns > LONGEST_GAP_NS) {
        shift_times(s, now_ns - s->now_ns - LONGEST_GAP_NS);
    }
    s->now_ns = now_ns;
}

// ---- measuring ------------------------------------------------------------------------------------------------------

/// The nearest whole number, of numbers below 2^51: what is above the binary point is all that is left of the sum.
static double whole(double x) {
    const double shift = 6755399441055744.0; // 1.5 * 2^52
    return (x + shift) - shift;
}

static sn_vec3 quantised3(sn_vec3 x, double quantum) {
    if (!(quantum > 0)) return x;
    double per = 1 / quantum;
    return sn_vec3_make(quantum * whole(per * x.x), quantum * whole(per * x.y),
                        quantum * whole(per * x.z));
}

static void measure_velocity(simulated* s, int64_t now_ns, sn_vec3 p, sn_quat r) {
    const sn_device_profile* profile = &s->profile;
    double move = profile->resolution, turn = profile->turn_resolution;
    if (profile->inputs == 6)
        s->turned = sn_vec3_add(s->turned, sn_quat_log(sn_quat_mul(r, sn_quat_conj(s->seen))));
    s->seen = r;
    const double x[6] = {p.x, p.y, p.z, s->turned.x, s->turned.y, s->turned.z};
    const double quantum[6] = {move, move, move, turn, turn, turn};
    double v[6] = {s->velocity.v.x, s->velocity.v.y, s->velocity.v.z,
                   s->velocity.w.x, s->velocity.w.y, s->velocity.w.z};
    sni_velocity_update(&s->estimate, now_ns, x, quantum, profile->inputs, v);
    s->velocity = sn_twist_make(sn_vec3_make(v[3], v[4], v[5]), sn_vec3_make(v[0], v[1], v[2]));
}

static void measure(simulated* s, int64_t now_ns, sn_device_sample* sample) {
    const sn_hand_knot* knot =
        sni_hand_script_knot(s->script, script_time(s, s->time_ns), &s->knot);
    sn_vec3 p = quantised3(s->p, s->profile.resolution);
    sn_quat r = s->r;
    if (s->profile.inputs == 6 && s->profile.turn_resolution > 0)
        r = sn_quat_exp(quantised3(sn_quat_log(s->r), s->profile.turn_resolution));
    measure_velocity(s, now_ns, p, r);
    uint32_t all = s->profile.buttons >= 32 ? UINT32_MAX : (1u << s->profile.buttons) - 1;
    *sample = (sn_device_sample){now_ns, sn_pose_make(sn_quat_matrix(r), p), s->velocity,
                                 knot->released ? 0 : knot->buttons & all, 0};
}

// ---- the driver's functions -----------------------------------------------------------------------------------------

SN_HOT static void read_now(simulated* s, int64_t now_ns, sn_device_sample* sample) {
    look_at_clock(s, now_ns);
    int64_t late_ns = (int64_t)(1e9 * s->jitter * sni_rng_uniform(&s->rng, 0, 1));
    advance(s, now_ns - s->delay_ns - late_ns);
    bool frozen = s->trouble == SN_SIMULATED_FROZEN;
    if (frozen && s->is_frozen)
        *sample = s->frozen;
    else
        measure(s, now_ns, sample);
    if (frozen && !s->is_frozen) s->frozen = *sample;
    s->is_frozen = frozen;
    sample->time_ns = now_ns;
}

static sn_status simulated_read(void* memory, int64_t now_ns, sn_device_sample* sample) {
    simulated* s = memory;
    read_now(s, now_ns, sample);
    if (s->trouble == SN_SIMULATED_LOST) return SN_ERR_FAULT;
    if (s->trouble == SN_SIMULATED_NAN) sample->pose.p.x = NAN;
    return SN_OK;
}

static sn_status simulated_write(void* memory, int64_t now_ns, const sn_device_force* force) {
    simulated* s = memory;
    if (s->trouble == SN_SIMULATED_LOST) return SN_ERR_FAULT;
    look_at_clock(s, now_ns);
    if (s->waiting == COMMANDS)
        take_command(s); // more than fit into the latency: the oldest acts early
    command* c = &s->line[(s->first + s->waiting) % COMMANDS];
    *c = (command){now_ns + s->delay_ns, *force};
    if (s->profile.outputs == 3) c->force.torque = sn_vec3_zero();
    s->waiting++;
    return SN_OK;
}

static void simulated_close(void* memory) {
    simulated* s = memory;
    sn_hand_script_free(s->script);
    free(s);
}

static const char* simulated_trouble(void* memory) {
    const simulated* s = memory;
    switch (s->trouble) {
    case SN_SIMULATED_WELL: return "";
    case SN_SIMULATED_LOST: return "the simulated device is unplugged";
    case SN_SIMULATED_NAN: return "the simulated device gives samples that are not numbers";
    case SN_SIMULATED_FROZEN: return "the simulated device gives the same sample again and again";
    }
    return "";
}

static const sn_device_ops ops = {simulated_read, simulated_write, simulated_close,
                                  simulated_trouble};

// ---- creation -------------------------------------------------------------------------------------------------------

sn_simulated_device_def sn_simulated_device_def_default(void) {
    sn_simulated_device_def def = {.start = sn_pose_identity(), .step = 0.9e-3, .seed = 1};
    (void)sn_device_profile_find("touch", &def.profile); // both are in our own tables
    (void)sn_hand_model_find("medium", &def.hand);
    return def;
}

static bool is_amount(double x) { return x >= 0 && isfinite(x); }

static const char* def_fault(const sn_simulated_device_def* def) {
    const sn_hand_model* hand = &def->hand;
    const double amounts[] = {hand->mass,    hand->damping,      hand->stiffness,
                              hand->inertia, hand->turn_damping, hand->turn_stiffness};
    for (int i = 0; i < 6; i++)
        if (!is_amount(amounts[i])) return "a hand's numbers are finite and not negative";
    if (!(def->profile.mass > 0)) return "a simulated device has a mass";
    if (def->profile.inputs == 6 && !(def->profile.inertia > 0))
        return "a simulated device that turns has an inertia";
    if (!(def->profile.latency <= LONGEST_LATENCY)) return "latency is at most 0.05 s";
    if (!is_amount(def->jitter) || def->jitter > LONGEST_LATENCY)
        return "jitter is between 0 and 0.05 s";
    if (!(def->step >= 1e-6 && def->step <= 0.01)) return "step is between 1e-6 and 0.01 s";
    if (!isfinite(sn_vec3_norm(def->velocity))) return "velocity is not finite";
    for (int i = 0; i < 3; i++)
        if (!isfinite(sn_vec3_norm(sn_mat3_row(def->start.R, i)))) return "start is not finite";
    if (!isfinite(sn_vec3_norm(def->start.p))) return "start is not finite";
    return NULL;
}

static void fill_drives(simulated* s, const sn_simulated_device_def* def) {
    const sn_device_profile* p = &def->profile;
    const sn_hand_model* hand = &def->hand;
    s->move = (drive){.mass = p->mass,
                      .viscous = p->friction_viscous,
                      .dry = p->friction_dry,
                      .hand_mass = hand->mass,
                      .damping = hand->damping,
                      .stiffness = hand->stiffness,
                      .peak = p->peak_force,
                      .continuous = p->continuous_force,
                      .thermal_time = p->continuous_force > 0 ? p->thermal_time : 0,
                      .velocity = def->velocity};
    s->turn = (drive){.mass = p->inertia,
                      .viscous = p->turn_viscous,
                      .hand_mass = hand->inertia,
                      .damping = hand->turn_damping,
                      .stiffness = hand->turn_stiffness,
                      .peak = p->peak_torque,
                      .continuous = p->continuous_torque,
                      .thermal_time = p->continuous_torque > 0 ? p->thermal_time : 0};
    for (int i = 0; i < 2; i++) {
        drive* d = i ? &s->turn : &s->move;
        d->cooling = d->thermal_time > 0 ? 1 / d->thermal_time : 0;
        d->warming = d->thermal_time > 0 ? d->cooling / (d->continuous * d->continuous) : 0;
    }
}

static simulated* make(const sn_simulated_device_def* def) {
    simulated* s = calloc(1, sizeof *s);
    if (!s) return NULL;
    const sn_hand_knot stay = {0, def->start, 0, false};
    sn_hand_script* script = NULL;
    if (def->script)
        script = sni_hand_script_copy(def->script);
    else
        (void)sn_hand_script_create(&stay, 1, &script, NULL); // NULL tells
    if (!script) {
        free(s);
        return NULL;
    }
    sn_hand_intent first;
    sn_hand_script_at(script, 0, &first);
    s->profile = def->profile;
    s->script = script;
    s->jitter = def->jitter;
    s->step_ns = (int64_t)(1e9 * def->step);
    s->delay_ns = (int64_t)(0.5e9 * def->profile.latency);
    s->rng.state = def->seed;
    s->p = first.pose.p;
    s->r = def->profile.inputs == 6 ? sn_quat_from_matrix(first.pose.R) : sn_quat_identity();
    s->seen = s->r;
    fill_drives(s, def);
    return s;
}

sn_status sn_simulated_device_create(const sn_simulated_device_def* def, sn_device** device,
                                     sn_error* error) {
    *device = NULL;
    sn_status status = sni_device_profile_check(&def->profile, error);
    if (status) return status;
    const char* fault = def_fault(def);
    if (fault)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "simulated device: %s", fault);
    simulated* s = make(def);
    if (!s) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "no memory for a device");
    return sn_device_create(&ops, s, &def->profile, device, error);
}

// ---- looking inside -------------------------------------------------------------------------------------------------

static double kinetic_of(const drive* d, bool held) {
    double m = d->mass + (held ? d->hand_mass : 0);
    return 0.5 * m * sn_vec3_dot(d->velocity, d->velocity);
}

bool sn_simulated_device_state(const sn_device* device, sn_simulated_state* state) {
    const simulated* s = sni_device_memory(device, &ops);
    if (!s) return false;
    sn_hand_intent want;
    sn_hand_script_at(s->script, script_time(s, s->time_ns), &want);
    const drive *move = &s->move, *turn = &s->turn;
    *state = (sn_simulated_state){
        .pose = sn_pose_make(sn_quat_matrix(s->r), s->p),
        .velocity = sn_twist_make(turn->velocity, move->velocity),
        .motor = {move->motor, turn->motor},
        .hand = {move->hand, turn->hand},
        .heat = move->heat,
        .turn_heat = turn->heat,
        .motor_work = move->motor_work + turn->motor_work,
        .hand_work = move->hand_work + turn->hand_work,
        .viscous_loss = move->viscous_loss + turn->viscous_loss,
        .dry_loss = move->dry_loss,
        .stop_loss = s->stop_loss,
        .kinetic = kinetic_of(move, !want.released) + kinetic_of(turn, !want.released),
    };
    return true;
}

bool sn_simulated_device_trouble(sn_device* device, sn_simulated_trouble trouble) {
    simulated* s = sni_device_memory(device, &ops);
    if (!s) return false;
    s->trouble = trouble;
    if (trouble == SN_SIMULATED_LOST) {
        s->waiting = 0;
        s->move.commanded = s->turn.commanded = sn_vec3_zero();
    }
    return true;
}
