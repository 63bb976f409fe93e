// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench_haptics.h"
#include "bench_world.h"
#include "memory.h"
#include "sinew/certify.h"
#include "sinew/simulated_device.h"

enum {
    BLOCK = 1000,           // ticks that are timed at once
    BLOCKS = 5,             // in a repetition
    SINGLE = 100,           // ticks that are timed one by one, in a repetition
    BETWEEN = 10,           // haptic ticks from law to law there
    WARM_UP = 5,            // blocks: the force is on by then
    KNOTS = 2000,           // of the hand's way
    PERIOD_NS = 1000 * 1000 // of a haptic tick
};
static const double KNOT_TIME = 0.5;       // s
static const double SWING = 0.01;          // m, that the hand moves to and fro
static const double TURN = 0.1;            // rad, the same
static const double RADIUS = 0.05;         // m, of a ball
static const char* const DEVICE = "touch"; // the default, six in and three out

// s of this thread's processor.
static double cpu_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- a hand that keeps moving -----------------------------------------------------------------------

// To and fro about a place `down` below the middle.
static sn_hand_script* way_of_hand(double down) {
    sn_hand_knot* knots = memory_take(KNOTS, sizeof *knots);
    sn_hand_script* script = NULL;
    for (int i = 0; i < KNOTS; i++) {
        double side = i % 2 ? 1 : -1;
        sn_mat3 R = sn_quat_matrix(sn_quat_exp(sn_vec3_make(0, side * TURN, side * TURN)));
        knots[i] = (sn_hand_knot){.time = KNOT_TIME * i, .buttons = 1};
        knots[i].pose = sn_pose_make(R, sn_vec3_make(side * SWING, side * SWING, -down));
    }
    (void)sn_hand_script_create(knots, KNOTS, &script, NULL); // NULL tells
    free(knots);
    return script;
}

static sn_device* make_device(const char* profile, double down) {
    sn_simulated_device_def def = sn_simulated_device_def_default();
    sn_hand_script* script = way_of_hand(down);
    sn_device* device = NULL;
    def.script = script;
    (void)sn_hand_model_find("firm", &def.hand); // it is in the table
    if (script && sn_device_profile_find(profile, &def.profile))
        (void)sn_simulated_device_create(&def, &device, NULL); // NULL tells
    sn_hand_script_free(script);
    return device;
}

// ---- an interaction ---------------------------------------------------------------------------------

static sn_status law_comes(bench_rig* rig) {
    sn_status status = sn_session_tick(rig->session, SN_LOOP_SIMULATION, 0, rig->now_ns);
    return status ? status : sn_session_tick(rig->session, SN_LOOP_COUPLING, 0, rig->now_ns);
}

static sn_status run_ticks(bench_rig* rig, int count) {
    sn_status status = SN_OK;
    for (int i = 0; i < count && !status; i++) {
        status = sn_session_tick(rig->session, SN_LOOP_HAPTICS, 0, rig->now_ns);
        rig->now_ns += PERIOD_NS;
    }
    return status;
}

static sn_status begin(bench_rig* rig, const sn_hand_def* hand, double down, sn_error* error) {
    sn_session_def def = sn_session_def_default();
    def.virtual_time = true;
    sn_device* device = make_device(DEVICE, down);
    sn_status status = sn_session_create(rig->sim, &def, &rig->session, error);
    if (status) {
        sn_device_free(device);
        return status;
    }
    status = sn_session_add_hand(rig->session, hand, device, NULL, error);
    for (int i = 0; i < WARM_UP && !status; i++) {
        status = law_comes(rig);
        if (!status) status = run_ticks(rig, BLOCK);
    }
    return status;
}

static void make(bench_rig* rig, const char* scene, int body, double down) {
    bench_row row = {0};
    sn_error error = {0};
    rig->sim = bench_world_start(scene, &row);
    if (!rig->sim) {
        snprintf(rig->trouble, sizeof rig->trouble, "%s", row.trouble);
        return;
    }
    const sn_hand_def hand = {.name = "hand",
                              .mode = SN_HAND_ATTACH,
                              .body = sn_body(body),
                              .six = true,
                              .stiffness = 300,
                              .damping = 0.3,
                              .turn_stiffness = 0.2,
                              .turn_damping = 1e-3,
                              .scale = 1,
                              .place_in = sn_pose_identity()};
    const sn_model* model = sn_world_model(sn_simulation_world(rig->sim));
    rig->joints = sn_model_body_count(model);
    rig->dof = sn_model_nv(model);
    sn_status status = begin(rig, &hand, down, &error);
    sn_hand_report report;
    if (status) {
        snprintf(rig->trouble, sizeof rig->trouble, "%.150s",
                 error.text[0] ? error.text : sn_status_text(status));
        return;
    }
    sn_session_ask_hand(rig->session, 0, &report);
    if (!(report.safety.gain > 0))
        snprintf(rig->trouble, sizeof rig->trouble, "there is no force: %.120s",
                 sn_safety_cause_text(report.safety.cause));
}

void bench_rig_chain(bench_rig* rig, int joints, const char* dynamics) {
    char* scene =
        memory_text("version: 1\ngravity: [0, 0, 0]\ncontact: false\nstep: 0.01\n"
                    "dynamics: %s\n%s"
                    "models: [{name: chain, generate: 'chain:%d'}]\n",
                    dynamics, dynamics[0] == 'a' ? "adaptive: {max_active: 100}\n" : "", joints);
    *rig = (bench_rig){.dynamics = dynamics};
    make(rig, scene, joints / 2, 0);
    free(scene);
}

void bench_rig_contact(bench_rig* rig) {
    char* scene = memory_text("version: 1\nfloor: true\nstep: 0.01\n"
                              "objects: [{name: ball, sphere: %g, mass: 0.2, at: [0, 0, %g]}]\n",
                              RADIUS, RADIUS);
    *rig = (bench_rig){.dynamics = "aba"};
    make(rig, scene, 0, 2 * SWING);
    free(scene);
}

void bench_rig_free(bench_rig* rig) {
    sn_session_free(rig->session);
    sn_simulation_free(rig->sim);
    *rig = (bench_rig){0};
}

// ---- as a contender ---------------------------------------------------------------------------------

static double answer(bench_contender* c, sn_status status, double seconds) {
    if (!status) return seconds;
    bench_trouble(&c->row, "%s", sn_status_text(status));
    return -1;
}

// A simulation of 1 Hz, as the watchdog sees it: slow, not stopped.
static double time_ticks(bench_contender* c, long count) {
    bench_rig* rig = c->self;
    double sum = 0;
    sn_status status = SN_OK;
    for (long i = 0; i < count && !status; i++) {
        status = law_comes(rig);
        double began = cpu_now();
        if (!status) status = run_ticks(rig, BLOCK);
        sum += cpu_now() - began;
    }
    return answer(c, status, sum);
}

static double time_fresh(bench_contender* c, long count) {
    bench_rig* rig = c->self;
    double sum = 0;
    sn_status status = SN_OK;
    for (long i = 0; i < count && !status; i++) {
        status = law_comes(rig);
        double began = cpu_now();
        if (!status) status = run_ticks(rig, 1);
        sum += cpu_now() - began;
        if (!status) status = run_ticks(rig, BETWEEN - 1);
    }
    return answer(c, status, sum);
}

static double time_coupling(bench_contender* c, long count) {
    bench_rig* rig = c->self;
    double sum = 0;
    sn_status status = SN_OK;
    for (long i = 0; i < count && !status; i++) {
        status = sn_session_tick(rig->session, SN_LOOP_SIMULATION, 0, rig->now_ns);
        double began = cpu_now();
        if (!status) status = sn_session_tick(rig->session, SN_LOOP_COUPLING, 0, rig->now_ns);
        sum += cpu_now() - began;
        if (!status) status = run_ticks(rig, BETWEEN);
    }
    return answer(c, status, sum);
}

static void close_nothing(bench_contender* c) { (void)c; } // the rig is not ours

void bench_open_rig(bench_contender* c, bench_rig* rig, bench_rig_task task, const char* name) {
    static const bench_kind KINDS[] = {{NULL, time_ticks, close_nothing},
                                       {NULL, time_fresh, close_nothing},
                                       {NULL, time_coupling, close_nothing}};
    *c = (bench_contender){.kind = &KINDS[task], .self = rig};
    c->states = task == RIG_TICK ? BLOCK : 1;
    c->count = task == RIG_TICK ? BLOCKS : SINGLE;
    c->row = bench_row_on(name, rig->joints, rig->dof);
    snprintf(c->row.engine, sizeof c->row.engine, "sinew:%s", rig->dynamics);
    if (rig->trouble[0]) bench_trouble(&c->row, "%s", rig->trouble);
}

// ---- parts of a tick --------------------------------------------------------------------------------

typedef struct part {
    sn_device* device;
    sn_safety safety;
    sn_gains gains;
    int64_t now_ns;
    sn_device_sample samples[BLOCK]; ///< of the device, for the chain
} part;

// A spring to the middle.
static sn_device_force spring(const part* p, const sn_device_sample* s) {
    return (sn_device_force){sn_vec3_scale(-p->gains.stiffness, s->pose.p),
                             sn_vec3_scale(-p->gains.turn_damping, s->velocity.w)};
}

static double time_device(bench_contender* c, long count) {
    part* p = c->self;
    sn_status status = SN_OK;
    double began = cpu_now();
    for (long i = 0; i < count * BLOCK && !status; i++, p->now_ns += PERIOD_NS) {
        sn_device_sample sample;
        status = sn_device_read(p->device, p->now_ns, &sample);
        sn_device_force force = spring(p, &sample);
        if (!status) status = sn_device_write(p->device, p->now_ns, &force);
    }
    return answer(c, status, cpu_now() - began);
}

static double time_safety(bench_contender* c, long count) {
    part* p = c->self;
    sn_status status = SN_OK;
    double began = cpu_now();
    for (long i = 0; i < count * BLOCK && !status; i++, p->now_ns += PERIOD_NS) {
        const sn_device_sample* sample = &p->samples[i % BLOCK];
        sn_device_force out;
        sn_safety_input in = {.now_ns = p->now_ns,
                              .sample = sample,
                              .engaged = true,
                              .law_ns = p->now_ns - p->now_ns % (BETWEEN * PERIOD_NS),
                              .wanted = spring(p, sample),
                              .stiffness = p->gains.stiffness,
                              .turn_stiffness = p->gains.turn_stiffness};
        status = sn_safety_apply(&p->safety, &in, &out);
    }
    return answer(c, status, cpu_now() - began);
}

static void close_part(bench_contender* c) {
    part* p = c->self;
    sn_device_free(p->device);
    free(p);
}

static sn_status fill_part(part* p, const char* profile) {
    p->device = make_device(profile, 0);
    if (!p->device) return SN_ERR_MEMORY;
    const sn_device_profile* about = sn_device_profile_of(p->device);
    sn_certify_def asked = sn_certify_def_default(about);
    sn_certificate given;
    sn_status status = sn_certify(&asked, &given, NULL, 0);
    p->gains = given.gains;
    for (int i = 0; i < BLOCK && !status; i++, p->now_ns += PERIOD_NS)
        status = sn_device_read(p->device, p->now_ns, &p->samples[i]);
    sn_safety_def def = sn_safety_def_default(about, 1e-9 * PERIOD_NS);
    return status ? status : sn_safety_init(&p->safety, &def, NULL);
}

static void open_part(bench_contender* c, const bench_kind* kind, const char* profile,
                      const char* name) {
    part* p = memory_take(1, sizeof *p);
    *c = (bench_contender){.kind = kind, .self = p, .states = BLOCK, .count = BLOCKS};
    sn_status status = fill_part(p, profile);
    c->row = bench_row_on(name, 0, 0);
    snprintf(c->row.engine, sizeof c->row.engine, "%s", profile);
    if (status) bench_trouble(&c->row, "%s", sn_status_text(status));
}

void bench_open_device(bench_contender* c, const char* profile, const char* name) {
    static const bench_kind KIND = {NULL, time_device, close_part};
    open_part(c, &KIND, profile, name);
}

void bench_open_safety(bench_contender* c, const char* profile, const char* name) {
    static const bench_kind KIND = {NULL, time_safety, close_part};
    open_part(c, &KIND, profile, name);
}
