// SPDX-License-Identifier: Apache-2.0
// Makes recordings for the tests of the command line and of the reader, with what went into them beside.
//   make_recording pile FILE [FOLDER]     contact, sensors, every kind of table row, bodies that come; truth
//   make_recording chain FILE             without contact, from a run's middle
//   make_recording middle FILE            with contact, from a run's middle: not exact
//   make_recording tiny FILE              a seed for fuzzing
//   make_recording edited FILE            another: the pile, in few steps
//   make_recording module FILE PLUGIN dynamics|detector|solver|simulator NAME
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/plugin.h"
#include "sinew/record.h"

enum { SENSOR_NUMBERS = 4, EVERY = 2 };

static void must(bool good, const char* what) {
    if (good) return;
    fprintf(stderr, "make_recording: %s\n", what);
    exit(1);
}

static void done(sn_status status, const char* what) { must(status == SN_OK, what); }

// ---- models ---------------------------------------------------------------------------------------------

static void add_shape(sn_model_builder* builder, const char* body, sn_shape_type type,
                      double size) {
    sn_shape_def shape = sn_shape_def_default();
    shape.body = body;
    shape.type = type;
    shape.use = SN_SHAPE_COLLISION;
    if (type != SN_SHAPE_PLANE) shape.size = sn_vec3_make(size, size, size);
    done(sn_model_builder_add_shape(builder, &shape), "shape");
}

/// A floor, an arm on the world, and boxes.
static sn_model* make_pile(int boxes) {
    sn_model_builder* builder = sn_model_builder_create("pile");
    add_shape(builder, NULL, SN_SHAPE_PLANE, 0);
    sn_body_def arm = sn_body_def_default();
    arm.name = "arm/upper";
    arm.joint.name = "elbow";
    arm.joint.type = SN_JOINT_REVOLUTE;
    arm.joint.axis = sn_vec3_make(0, 1, 0);
    arm.joint.placement.p = sn_vec3_make(2, 0, 1);
    arm.inertia = sn_inertia_box(1, sn_vec3_make(0.1, 0.1, 0.5));
    arm.inertia.com = sn_vec3_make(0.1, 0, -0.2);
    done(sn_model_builder_add_body(builder, &arm), "arm");
    for (int k = 0; k < boxes; k++) {
        char name[16];
        snprintf(name, sizeof name, "box%d", k);
        sn_body_def body = sn_body_def_default();
        body.name = name;
        body.joint.type = SN_JOINT_FREE;
        body.joint.placement.p = sn_vec3_make(0.02 * k, 0.01 * k, 0.06 + 0.11 * k);
        body.inertia = sn_inertia_box(1, sn_vec3_make(0.1, 0.1, 0.1));
        done(sn_model_builder_add_body(builder, &body), "box");
        add_shape(builder, name, SN_SHAPE_BOX, 0.1);
    }
    sn_model* model = NULL;
    done(sn_model_builder_compile(builder, NULL, &model, NULL), "model");
    sn_model_builder_free(builder);
    return model;
}

// ---- truth ------------------------------------------------------------------------------------------------

/// What went in, for check_export.py: numbers of each sample, names of each model, inputs as lines.
typedef struct truth {
    const char* folder; ///< NULL: nobody asks
    FILE *samples, *inputs;
    int eras;
} truth;

static FILE* open_truth(const truth* t, const char* name, int era) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s%d", t->folder, name, era);
    FILE* file = fopen(path, "wb");
    must(file != NULL, path);
    return file;
}

static void truth_era(truth* t, const sn_model* model) {
    if (!t->folder) return;
    if (t->samples) fclose(t->samples);
    if (!t->inputs) t->inputs = open_truth(t, "inputs", 0);
    t->samples = open_truth(t, "samples", t->eras);
    FILE* names = open_truth(t, "names", t->eras++);
    fprintf(names, "%d %d %d\n", sn_model_nq(model), sn_model_nv(model),
            sn_model_body_count(model));
    for (int b = 0; b < sn_model_body_count(model); b++)
        fprintf(names, "%s %s\n", sn_model_body(model, sn_body(b)).name,
                sn_model_body(model, sn_body(b)).joint_name);
    fclose(names);
}

static void put(const truth* t, const double* numbers, int count) {
    must(fwrite(numbers, sizeof *numbers, (size_t)count, t->samples) == (size_t)count, "truth");
}

/// time, step, q, v, pose matrices, sensors, contacts, deepest, residual, events, hash's bits.
static void truth_sample(const truth* t, sn_world* world, const sn_step_report* report,
                         const double* sensors) {
    if (!t->folder || report->step % EVERY != 0) return;
    const sn_model* model = sn_world_model(world);
    double first[] = {sn_world_time(world), (double)report->step};
    put(t, first, 2);
    put(t, sn_world_q(world), sn_model_nq(model));
    put(t, sn_world_v(world), sn_model_nv(model));
    const sn_snapshot* shot = sn_world_snapshot(world);
    for (int b = 0; b < sn_model_body_count(model); b++) {
        sn_pose X = sn_snapshot_pose(shot, sn_body(b));
        put(t, (double[]){X.p.x, X.p.y, X.p.z}, 3);
        put(t, &X.R.m[0][0], 9);
    }
    put(t, sensors, SENSOR_NUMBERS);
    double hash;
    uint64_t bits = sn_world_hash(world);
    memcpy(&hash, &bits, sizeof hash);
    double last[] = {report->contact.points, report->contact.found.deepest,
                     report->contact.residual, report->events, hash};
    put(t, last, 5);
}

static void truth_input(const truth* t, uint64_t step, const char* kind, int body,
                        const double* numbers, int count) {
    if (!t->folder) return;
    fprintf(t->inputs, "%" PRIu64 " %s %d", step, kind, body);
    for (int k = 0; k < count; k++) fprintf(t->inputs, " %.17g", numbers[k]);
    fprintf(t->inputs, "\n");
}

static void truth_close(truth* t) {
    if (t->samples) fclose(t->samples);
    if (t->inputs) fclose(t->inputs);
}

// ---- scenarios --------------------------------------------------------------------------------------------

static sn_world_def contact_def(void) {
    sn_world_def def = sn_world_def_default();
    def.contact.on = true;
    def.contact.collider.contacts = 64;
    def.contact.collider.pairs = 64;
    def.contact.constraints = 4;
    def.command_capacity = 8;
    return def;
}

/// What is done before step `next`, and told to the truth.
static void act(const truth* t, sn_world* world, uint64_t next) {
    int nv = sn_model_nv(sn_world_model(world)), nq = sn_model_nq(sn_world_model(world));
    double zeros[64] = {0}, forces[64] = {0.5};
    switch (next) {
    case 3: {
        sn_wrench wrench = sn_wrench_make(sn_vec3_make(0.1, 0, 0.2), sn_vec3_make(1, 2, 1.0 / 3));
        double numbers[] = {1, 0.1, 0, 0.2, 1, 2, 1.0 / 3};
        done(sn_world_set_wrench(world, sn_body(1), SN_AXES_WORLD, wrench), "wrench");
        truth_input(t, next, "wrench", 1, numbers, 7);
        break;
    }
    case 5: {
        sn_command command = {.type = SN_COMMAND_FORCE, .body = sn_body(0), .force = {0.25}};
        done(sn_world_post(world, &command), "force");
        truth_input(t, next, "force", 0, command.force, 1);
        break;
    }
    case 7:
        done(sn_world_set_gravity(world, sn_vec3_make(0.1, 0, -9.7)), "gravity");
        truth_input(t, next, "gravity", -1, (double[]){0.1, 0, -9.7}, 3);
        break;
    case 9:
        done(sn_world_lock(world, sn_body(0), true), "lock");
        truth_input(t, next, "lock", 0, NULL, 0);
        break;
    case 11:
        done(sn_world_lock(world, sn_body(0), false), "unlock");
        done(sn_world_set_force(world, forces), "forces");
        truth_input(t, next, "unlock", 0, NULL, 0);
        truth_input(t, next, "forces", -1, forces, nv);
        break;
    case 13: {
        double all[66] = {1, 1};
        memcpy(all + 2, sn_world_q(world), (size_t)nq * sizeof *all);
        done(sn_world_set_state(world, sn_world_q(world), zeros), "state");
        truth_input(t, next, "state", -1, all, 2 + nq + nv);
        break;
    }
    case 15:
        done(sn_world_set_solve(world, 1e-6, 50), "solve");
        truth_input(t, next, "solve", -1, (double[]){1e-6, 50}, 2);
        break;
    default: break;
    }
}

/// The last body is new.
static void grow(const truth* t, sn_world* world, uint64_t next, sn_model* larger) {
    sn_body_id from[16];
    sn_replacement* replacement = NULL;
    int bodies = sn_model_body_count(larger);
    for (int b = 0; b < bodies; b++) from[b] = sn_body(b < bodies - 1 ? b : -1);
    done(sn_world_prepare(world, sn_world_model(world), larger, from, &replacement, NULL),
         "prepare");
    done(sn_world_replace(world, replacement), "replace");
    truth_input(t, next, "replace", -1, (double[]){bodies}, 1);
}

/// Of a loop, and of a hand's; numbers that tell which they are.
static void meter(sn_recorder* recorder, uint64_t step) {
    sn_meters m = {.step = step, .loop = SN_LOOP_COUPLING};
    m.meter = (sn_loop_meter){
        .ticks = step, .late = 3, .first_ns = 5, .last_ns = 1000 * (int64_t)step, .worst_ns = 77};
    for (uint64_t k = 0; k < SN_JITTER_BINS; k++) m.meter.jitter[k] = k;
    sn_recorder_meters(recorder, &m);
    m.loop = SN_LOOP_HAPTICS;
    m.hand = "left";
    m.latency = (sn_latency_meter){.count = step, .sum_ns = 9000, .worst_ns = 11};
    for (uint64_t k = 0; k < SN_JITTER_BINS; k++) m.latency.below[k] = 100 + k;
    m.safety = (sn_safety_report){.trips = 2,
                                  .last_trip = 3,
                                  .cause = 1,
                                  .latched = true,
                                  .gain = 0.5,
                                  .energy = 0.25,
                                  .energy_least = -0.125,
                                  .heat = 0.75,
                                  .max_force_step = 1,
                                  .max_torque_step = 2,
                                  .max_force = 3,
                                  .max_torque = 4};
    for (uint64_t k = 0; k < SN_SAFETY_ELEMENTS; k++) m.safety.count[k] = 200 + k;
    sn_recorder_meters(recorder, &m);
}

/// A body comes before step `growth`.
static void record_pile(const char* path, const char* folder, uint64_t steps, uint64_t growth) {
    sn_model *model = make_pile(2), *larger = make_pile(3);
    sn_world_def def = contact_def();
    sn_world* world = NULL;
    sn_recorder* recorder = NULL;
    const char* names[] = {"hand/force", "angle"};
    int numbers[] = {3, 1};
    sn_recorder_def options = sn_recorder_def_default();
    options.every = EVERY;
    options.wait = true;
    options.scene = "version: 1\nname: a pile, and \"quotes\"\n";
    options.sensor_names = names;
    options.sensor_numbers = numbers;
    options.sensors = 2;
    truth t = {.folder = folder};
    done(sn_world_create(model, &def, &world, NULL), "world");
    done(sn_recorder_create(path, world, &def, &options, &recorder, NULL), "recorder");
    truth_era(&t, model);
    for (uint64_t next = 1; next <= steps; next++) {
        sn_step_report report;
        act(&t, world, next);
        if (next == growth) grow(&t, world, next, larger);
        if (next == growth) truth_era(&t, larger);
        done(sn_world_step(world, &report), "step");
        double values[SENSOR_NUMBERS] = {(double)next / 3, 1e-300, -0.0, sn_world_q(world)[0]};
        sn_recorder_step(recorder, world, &report, values);
        truth_sample(&t, world, &report, values);
        if (next == growth || next == steps) meter(recorder, next);
    }
    sn_recorder_free(recorder, NULL);
    truth_close(&t);
    sn_world_free(world);
    sn_model_free(model);
    sn_model_free(larger);
}

/// `before` steps, then `steps` that are recorded.
static void record_plain(const char* path, int boxes, const sn_world_def* def, int before,
                         int steps) {
    sn_model* model = make_pile(boxes);
    sn_world* world = NULL;
    sn_recorder* recorder = NULL;
    sn_recorder_def options = sn_recorder_def_default();
    sn_error error = {0};
    options.wait = true;
    if (sn_world_create(model, def, &world, &error)) must(false, error.text);
    for (int k = 0; k < before; k++) done(sn_world_step(world, NULL), "step");
    if (sn_recorder_create(path, world, def, &options, &recorder, &error)) must(false, error.text);
    for (int k = 0; k < steps; k++) {
        sn_step_report report;
        sn_wrench push = sn_wrench_make(sn_vec3_zero(), sn_vec3_make(0, 0, k));
        done(sn_world_set_wrench(world, sn_body(0), SN_AXES_BODY, push), "wrench");
        done(sn_world_step(world, &report), "step");
        sn_recorder_step(recorder, world, &report, NULL);
    }
    sn_recorder_free(recorder, NULL);
    sn_world_free(world);
    sn_model_free(model);
}

static void record_module(const char* path, const char* plugin, const char* kind,
                          const char* name) {
    const char* paths[] = {plugin, NULL};
    sn_plugin_modules* modules = NULL;
    sn_error error = {0};
    if (sn_plugin_modules_load(paths, &modules, &error)) must(false, error.text);
    sn_world_def def = contact_def();
    def.modules = sn_plugin_modules_get(modules);
    if (strcmp(kind, "dynamics") == 0) def.dynamics = name;
    if (strcmp(kind, "detector") == 0) def.contact.detector = name;
    if (strcmp(kind, "solver") == 0) def.contact.solver = name;
    if (strcmp(kind, "simulator") == 0) def.simulator = name;
    record_plain(path, 2, &def, 0, 100);
    sn_plugin_modules_free(modules);
}

int main(int argc, char** argv) {
    must(argc >= 3, "usage: make_recording pile|chain|middle|tiny|edited|module FILE ...");
    const char *what = argv[1], *path = argv[2], *more = argc > 3 ? argv[3] : NULL;
    sn_world_def contact = contact_def(), free_fall = sn_world_def_default();
    if (strcmp(what, "pile") == 0)
        record_pile(path, more, 120, 60);
    else if (strcmp(what, "edited") == 0)
        record_pile(path, NULL, 12, 6);
    else if (strcmp(what, "chain") == 0)
        record_plain(path, 2, &free_fall, 10, 200);
    else if (strcmp(what, "middle") == 0)
        record_plain(path, 2, &contact, 80, 50);
    else if (strcmp(what, "tiny") == 0)
        record_plain(path, 1, &contact, 0, 4);
    else if (strcmp(what, "module") == 0 && argc == 6)
        record_module(path, argv[3], argv[4], argv[5]);
    else
        must(false, "no such recording");
    return 0;
}
