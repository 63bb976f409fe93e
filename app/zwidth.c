// SPDX-License-Identifier: Apache-2.0
#include "zwidth.h"

#include <math.h>
#include <stdlib.h>

#include "bench.h"
#include "command.h"
#include "json_writer.h"
#include "memory.h"
#include "message.h"
#include "options.h"
#include "output_file.h"

static const double RANGE = 4; // times the passive bound, that the map reaches to in stiffness
static const double DAMPING_RANGE = 2; // the same in damping
static const double DELAY_MOST = 0.03; // s

static const command_page PAGE = {
    "zwidth",
    "--device PROFILE [--hand HAND] [OPTIONS]",
    "What a haptic device can render: tries springs and dampers on the simulated device in "
    "virtual\n"
    "time, and maps where force comes to rest, where energy is made and where it swings for ever,\n"
    "beside the bounds that the gains are certified by. The certified gains are tried, too.\n",
    "  sinew zwidth --device touch --hand firm\n"
    "  sinew zwidth --device omega3 --hand none --task grip --output omega3.svg\n"
    "  sinew zwidth --device touch_x --delay 0.002 --rate 2000 --json\n",
    "PROFILE is one of `sinew devices`, with sim: before it or not; HAND is light, medium, firm, "
    "arm,\n"
    "none or mass. How to read the map: docs/zwidth.md. Takes some seconds. Exit status 1: the\n"
    "certified gains are not stable.\n",
    0,
    0,
};

typedef struct request {
    const char *device, *hand, *output;
    double rate, delay;
    int task;
    bool json;
    zwidth_trial trial;
} request;

static const char* const TASK_NAMES = "wall|grip";

// ---- what is asked for ------------------------------------------------------------------------------

static bool find_device(request* r) {
    const char* prefix = "sim:";
    int i = 0;
    while (prefix[i] && r->device[i] == prefix[i]) i++;
    if (!prefix[i]) r->device += i;
    if (sn_device_profile_find(r->device, &r->trial.profile)) return true;
    message_error("there is no profile '%s'; `sinew devices` lists them", r->device);
    return false;
}

static bool look(request* r) {
    if (!r->device) {
        message_error("--device is missing; `sinew devices` lists the profiles");
        return false;
    }
    if (!find_device(r)) return false;
    if (!sn_hand_model_find(r->hand, &r->trial.hand)) {
        message_error("there is no hand '%s'; there are light, medium, firm, arm, none and mass",
                      r->hand);
        return false;
    }
    if (!(r->rate >= 100 && r->rate <= 1e5)) {
        message_error("--rate is between 100 and 100000 Hz");
        return false;
    }
    if (!(r->delay <= DELAY_MOST)) {
        message_error("--delay is at most %g s", DELAY_MOST);
        return false;
    }
    r->trial.task = (zwidth_task)r->task;
    r->trial.period = 1 / r->rate;
    return true;
}

// ---- the map ----------------------------------------------------------------------------------------

static void fill_bounds(const request* r, zwidth_map* m) {
    sn_certify_def def = sn_certify_def_default(&r->trial.profile);
    sn_certificate plain;
    def.period = r->trial.period;
    def.delay = r->delay;
    (void)sn_certify(&def, &plain, NULL, 0); // its numbers were looked at
    m->certified = plain.gains;
    m->slowness = plain.delay;
    def.margin = 1;
    (void)sn_certify(&def, &plain, NULL, 0); // the same
    m->friction = r->trial.profile.friction_viscous > 0 ? r->trial.profile.friction_viscous
                                                        : plain.most.stiffness * plain.delay;
    double step =
        r->trial.profile
            .resolution; // of the encoder, with what no hand feels: docs/haptics_safety.md
    m->encoder = step > 0 ? 2 * fmax(r->trial.profile.friction_dry, 0.02) / step : INFINITY;
}

static bool fill_map(const request* r, zwidth_map* m) {
    zwidth_trial t = r->trial;
    t.profile.latency += r->delay;
    m->device = r->device, m->hand = r->hand, m->task = t.task;
    m->period = t.period, m->delay = r->delay;
    fill_bounds(r, m);
    m->stiffness_high = RANGE * m->friction / m->slowness;
    m->damping_high = DAMPING_RANGE * m->friction;
    t.stiffness = m->certified.stiffness, t.damping = m->certified.damping;
    if (!zwidth_try(&t, &m->at_certified)) return false;
    for (int row = 0; row < ZWIDTH_ROWS; row++) {
        bench_progress("damping %d of %d", row + 1, ZWIDTH_ROWS);
        t.damping = m->damping[row] = m->damping_high * (row + 0.5) / ZWIDTH_ROWS;
        for (int c = 0; c < ZWIDTH_COLUMNS; c++) {
            t.stiffness = m->stiffness[c] = m->stiffness_high * (c + 0.5) / ZWIDTH_COLUMNS;
            if (!zwidth_try(&t, &m->cell[row][c])) return false;
        }
    }
    bench_progress_end();
    return true;
}

static bool is_stable(const zwidth_result* r) { return !r->swings && !r->active; }

// ---- showing it -------------------------------------------------------------------------------------

static void print_map(const zwidth_map* m) {
    printf("%s, hand %s, %s, %g Hz, %.3g ms of delay beyond the device's own\n\n", m->device,
           m->hand, m->task == ZWIDTH_WALL ? "wall" : "grip", 1 / m->period, 1e3 * m->delay);
    for (int row = ZWIDTH_ROWS - 1; row >= 0; row--) {
        printf("%8.2f  ", m->damping[row]);
        for (int c = 0; c < ZWIDTH_COLUMNS; c++) {
            const zwidth_result* r = &m->cell[row][c];
            putchar(r->swings ? '#' : r->active ? '/' : '.');
        }
        printf(row == ZWIDTH_ROWS - 1 ? "   damping [N s/m]\n" : "\n");
    }
    printf("          %-*.0f%.0f   stiffness [N/m]\n\n", ZWIDTH_COLUMNS, m->stiffness[0],
           m->stiffness[ZWIDTH_COLUMNS - 1]);
    printf(". stable   / makes energy, comes to rest   # limit cycle above %g N\n", ZWIDTH_FELT);
    printf("passive: K * %.3g ms + B <= %.3g N s/m%s", 1e3 * m->slowness, m->friction,
           isfinite(m->encoder) ? "" : "\n");
    if (isfinite(m->encoder)) printf(", K <= %.4g N/m by the encoder\n", m->encoder);
    printf("certified: %.4g N/m and %.3g N s/m, %s (cycle %.2g N)\n", m->certified.stiffness,
           m->certified.damping, is_stable(&m->at_certified) ? "stable" : "NOT stable",
           m->at_certified.cycle);
}

static void write_number(json_writer* w, const char* key, double value) {
    jw_key(w, key);
    jw_number(w, value);
}

static void write_cells(json_writer* w, const zwidth_map* m) {
    jw_key(w, "cells");
    jw_array(w);
    for (int row = 0; row < ZWIDTH_ROWS; row++) {
        for (int c = 0; c < ZWIDTH_COLUMNS; c++) {
            const zwidth_result* r = &m->cell[row][c];
            jw_object_line(w);
            write_number(w, "stiffness", m->stiffness[c]);
            write_number(w, "damping", m->damping[row]);
            write_number(w, "cycle", r->cycle);
            write_number(w, "produced", r->produced);
            jw_key(w, "stable");
            jw_boolean(w, is_stable(r));
            jw_object_end(w);
        }
    }
    jw_array_end(w);
}

static void write_json(const zwidth_map* m) {
    json_writer w = jw_start(stdout);
    jw_object(&w);
    jw_key(&w, "device");
    jw_text(&w, m->device);
    jw_key(&w, "hand");
    jw_text(&w, m->hand);
    jw_key(&w, "task");
    jw_text(&w, m->task == ZWIDTH_WALL ? "wall" : "grip");
    write_number(&w, "rate_hz", 1 / m->period);
    write_number(&w, "delay", m->delay);
    write_number(&w, "friction", m->friction);
    write_number(&w, "slowness", m->slowness);
    write_number(&w, "encoder_stiffness", m->encoder);
    jw_key(&w, "certified");
    jw_object_line(&w);
    write_number(&w, "stiffness", m->certified.stiffness);
    write_number(&w, "damping", m->certified.damping);
    write_number(&w, "cycle", m->at_certified.cycle);
    write_number(&w, "produced", m->at_certified.produced);
    jw_key(&w, "stable");
    jw_boolean(&w, is_stable(&m->at_certified));
    jw_object_end(&w);
    write_cells(&w, m);
    jw_object_end(&w);
    jw_finish(&w);
}

static int show(const request* r, zwidth_map* m) {
    output_file file = {0};
    if (r->output && !output_open(&file, r->output)) return STATUS_FAILED;
    if (!fill_map(r, m)) {
        output_discard(&file);
        return STATUS_FAILED;
    }
    if (r->json)
        write_json(m);
    else
        print_map(m);
    if (r->output) {
        zwidth_draw(m, file.stream);
        if (!output_commit(&file)) return STATUS_FAILED;
    }
    if (is_stable(&m->at_certified)) return STATUS_DONE;
    message_error("the certified gains are not stable on %s", m->device);
    return STATUS_FAILED;
}

int command_zwidth(int argc, char** argv) {
    request r = {.hand = "medium", .rate = 1000};
    text_list arguments = {0};
    const option options[] = {
        {"device", "PROFILE", "device to simulate, such as touch or omega3", OPTION_TEXT,
         &r.device},
        {"hand", "HAND", "that holds it; medium if not given", OPTION_TEXT, &r.hand},
        {"task", TASK_NAMES, "what is rendered; wall if not given", OPTION_CHOICE, &r.task},
        {"rate", "HZ", "of the haptic loop; 1000 if not given", OPTION_POSITIVE, &r.rate},
        {"delay", "S", "of the loop beyond what the device has; 0 if not given", OPTION_LEAST,
         &r.delay},
        {"output", "FILE", "also draw the map as SVG", OPTION_TEXT, &r.output},
        {"json", NULL, "one JSON object on standard output", OPTION_FLAG, &r.json},
    };
    options_result parsed =
        options_parse(&PAGE, options, sizeof options / sizeof options[0], argc, argv, &arguments);
    int status = parsed == OPTIONS_HELP ? STATUS_DONE : STATUS_USAGE;
    if (parsed == OPTIONS_RUN && look(&r)) {
        zwidth_map* map = memory_take(1, sizeof *map);
        status = show(&r, map);
        free(map);
    }
    text_list_free(&arguments);
    return status;
}
