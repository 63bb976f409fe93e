// SPDX-License-Identifier: Apache-2.0
/// sinew devices: which haptic devices there are, and which can be simulated.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "json_writer.h"
#include "message.h"
#include "options.h"
#include "sinew/clock.h"
#include "sinew/device.h"
#include "table.h"

enum { FOUND_MOST = 16, WHY_ROOM = 600, TRY_HZ = 1000 };

static const char* const SIMULATED = "sim"; // driver of the devices that are not there

static const command_page PAGE = {
    "devices",
    "[OPTIONS]",
    "Lists haptic devices: for each driver what is connected and the word that opens it, or why\n"
    "there is nothing and what to do about it; then the devices that can be simulated, which need\n"
    "nothing. Nothing is moved, and no force is rendered.\n",
    "  sinew devices                                  all of them\n"
    "  sinew devices --json                           for a script\n",
    "A device is given to other commands by its word, such as sim:touch, openhaptics:Left Device "
    "or\n"
    "forcedimension:0. To try one, sinew devices --try WORD reads it for a second and shows where\n"
    "it is and how often it answers, still without force. Drivers of your own are loaded with\n"
    "--driver FILE.so; docs/devices.md says how to write one, and how to set devices up.\n",
    0,
    0,
};

// What one driver said.
typedef struct survey {
    sn_device_found found[FOUND_MOST];
    int count;
    char why[WHY_ROOM];
} survey;

static void ask(const sn_driver* driver, survey* s) {
    s->count = driver->list(s->found, FOUND_MOST, s->why, sizeof s->why);
    if (s->count > FOUND_MOST) s->count = FOUND_MOST;
}

// ---- text -------------------------------------------------------------------------------------------------------

static void tell_driver(const sn_driver* driver) {
    survey s = {0};
    ask(driver, &s);
    printf("%s: %s\n", driver->name, driver->about);
    if (s.count == 0) printf("  none: %s\n", s.why);
    table* t = table_create("ll", NULL);
    for (int i = 0; i < s.count; i++) table_pair(t, s.found[i].word, "%s", s.found[i].about);
    table_print(t, 2, stdout);
    printf("\n");
}

static void tell_simulated(void) {
    sn_device_profile p;
    table* t = table_create("lrrrrr", "word|DOF in/out|workspace [mm]|force [N]|for ever [N]|"
                                      "stiffness [N/m]");
    for (int i = 0; sn_device_profile_at(i, &p); i++) {
        table_cell(t, "%s:%s", SIMULATED, p.name);
        table_cell(t, "%d/%d", p.inputs, p.outputs);
        table_cell(t, "%.0f", 1e3 * p.workspace);
        table_cell(t, "%.3g", p.peak_force);
        table_cell(t, "%.3g", p.continuous_force);
        table_cell(t, "%.4g", p.stiffness);
    }
    printf("%s: simulated, with a simulated hand on it; always there\n", SIMULATED);
    table_print(t, 2, stdout);
}

// ---- JSON -------------------------------------------------------------------------------------------------------

static void write_driver(json_writer* w, const sn_driver* driver) {
    survey s = {0};
    ask(driver, &s);
    jw_object(w);
    jw_key(w, "driver");
    jw_text(w, driver->name);
    jw_key(w, "about");
    jw_text(w, driver->about);
    jw_key(w, "why_none");
    jw_text(w, s.why);
    jw_key(w, "devices");
    jw_array(w);
    for (int i = 0; i < s.count; i++) {
        jw_object_line(w);
        jw_key(w, "word");
        jw_text(w, s.found[i].word);
        jw_key(w, "about");
        jw_text(w, s.found[i].about);
        jw_object_end(w);
    }
    jw_array_end(w);
    jw_object_end(w);
}

static void write_number(json_writer* w, const char* key, double value) {
    jw_key(w, key);
    jw_number(w, value);
}

static void write_profile(json_writer* w, const sn_device_profile* p) {
    char word[48];
    (void)snprintf(word, sizeof word, "%s:%s", SIMULATED, p->name);
    jw_object_line(w);
    jw_key(w, "word");
    jw_text(w, word);
    jw_key(w, "inputs");
    jw_integer(w, p->inputs);
    jw_key(w, "outputs");
    jw_integer(w, p->outputs);
    jw_key(w, "buttons");
    jw_integer(w, p->buttons);
    jw_key(w, "gripper");
    jw_boolean(w, p->gripper);
    write_number(w, "workspace", p->workspace);
    write_number(w, "peak_force", p->peak_force);
    write_number(w, "continuous_force", p->continuous_force);
    write_number(w, "peak_torque", p->peak_torque);
    write_number(w, "stiffness", p->stiffness);
    jw_object_end(w);
}

static void write_all(void) {
    json_writer w = jw_start(stdout);
    sn_device_profile p;
    jw_object(&w);
    jw_key(&w, "drivers");
    jw_array(&w);
    for (int i = 0; i < sn_driver_count(); i++) write_driver(&w, sn_driver_at(i));
    jw_array_end(&w);
    jw_key(&w, "simulated");
    jw_array(&w);
    for (int i = 0; sn_device_profile_at(i, &p); i++) write_profile(&w, &p);
    jw_array_end(&w);
    jw_object_end(&w);
    jw_finish(&w);
}

// ---- trying one ---------------------------------------------------------------------------------------------------

// What was seen of a device in a second.
typedef struct trial {
    int reads, good; ///< ticks, and those with a sample
    int samples;     ///< other ones than before
    double seconds;  ///< between the first and the last of them
    sn_device_sample last;
    double moved; ///< m, between the ends of the box that it moved in
    char trouble[WHY_ROOM];
} trial;

static void see(trial* t, const sn_device_sample* s, double low[3], double high[3]) {
    const double p[3] = {s->pose.p.x, s->pose.p.y, s->pose.p.z};
    for (int k = 0; k < 3; k++) {
        low[k] = fmin(low[k], p[k]);
        high[k] = fmax(high[k], p[k]);
    }
    if (t->good == 0 || s->time_ns != t->last.time_ns) t->samples++;
    if (t->good > 0) t->seconds += 1e-9 * (double)(s->time_ns - t->last.time_ns);
    t->good++;
    t->last = *s;
}

static trial try_device(sn_device* device, double seconds) {
    static const sn_device_force ZERO = {{0, 0, 0}, {0, 0, 0}};
    trial t = {0};
    sn_clock clock = sn_clock_real();
    int64_t start = clock.now_ns(clock.context);
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (t.reads = 0; t.reads < seconds * TRY_HZ; t.reads++) {
        sn_device_sample sample;
        int64_t now = clock.now_ns(clock.context);
        if (sn_device_read(device, now, &sample) == SN_OK) see(&t, &sample, low, high);
        (void)sn_device_write(device, now, &ZERO); // the trouble, if any, is asked for below
        clock.wait_ns(clock.context, start + (int64_t)(t.reads + 1) * 1000000000 / TRY_HZ);
    }
    (void)snprintf(t.trouble, sizeof t.trouble, "%s", sn_device_trouble(device));
    if (t.good > 0) t.moved = hypot(hypot(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
    return t;
}

static double rate_of(const trial* t) {
    return t->samples > 1 && t->seconds > 0 ? (t->samples - 1) / t->seconds : 0;
}

static void tell_trial(const char* word, const sn_device_profile* p, const trial* t) {
    table* out = table_create("ll", NULL);
    sn_vec3 x = t->last.pose.p;
    printf("%s: %s\n", word, t->good > 0 ? "it answers" : "it does not answer");
    table_pair(out, "profile", "%s, %d degrees of freedom in, %d out, up to %.3g N", p->name,
               p->inputs, p->outputs, p->peak_force);
    table_pair(out, "samples", "%d of %d reads, a new one %.0f times a second", t->good, t->reads,
               rate_of(t));
    if (t->good > 0) {
        table_pair(out, "position", "%.1f mm right, %.1f mm away, %.1f mm up", 1e3 * x.x, 1e3 * x.y,
                   1e3 * x.z);
        table_pair(out, "moved", "%.2f mm%s", 1e3 * t->moved,
                   t->moved > 0 ? "" : "; move the handle while you try it");
        table_pair(out, "buttons", "0x%x", t->last.buttons);
    }
    if (p->gripper) table_pair(out, "gripper", "%.0f %% closed", 100 * t->last.gripper);
    table_pair(out, "trouble", "%s", t->trouble[0] ? t->trouble : "none");
    table_print(out, 2, stdout);
}

static void write_trial(const char* word, const sn_device_profile* p, const trial* t) {
    json_writer w = jw_start(stdout);
    const double x[3] = {t->last.pose.p.x, t->last.pose.p.y, t->last.pose.p.z};
    jw_object(&w);
    jw_key(&w, "word");
    jw_text(&w, word);
    jw_key(&w, "ok");
    jw_boolean(&w, t->good > 0);
    jw_key(&w, "profile");
    jw_text(&w, p->name);
    jw_key(&w, "reads");
    jw_integer(&w, t->reads);
    jw_key(&w, "good");
    jw_integer(&w, t->good);
    write_number(&w, "rate_hz", rate_of(t));
    jw_key(&w, "position");
    jw_numbers(&w, x, 3);
    write_number(&w, "moved", t->moved);
    jw_key(&w, "buttons");
    jw_integer(&w, t->last.buttons);
    write_number(&w, "gripper", t->last.gripper);
    jw_key(&w, "trouble");
    jw_text(&w, t->trouble);
    jw_object_end(&w);
    jw_finish(&w);
}

static int try_word(const char* word, double seconds, bool json) {
    sn_device* device = NULL;
    sn_error error = {0};
    if (sn_device_open(word, &device, &error)) {
        message_error_from(&error);
        return error.status == SN_ERR_ARGUMENT ? STATUS_USAGE : STATUS_FAILED;
    }
    sn_device_profile profile = *sn_device_profile_of(device);
    trial t = try_device(device, seconds);
    sn_device_free(device);
    if (json)
        write_trial(word, &profile, &t);
    else
        tell_trial(word, &profile, &t);
    if (sn_device_left_behind() > 0)
        message_warning("the vendor's library did not let go of the device in time");
    return t.good > 0 ? STATUS_DONE : STATUS_FAILED;
}

// ---- the command --------------------------------------------------------------------------------------------------

static bool load_drivers(const text_list* files) {
    for (int i = 0; i < files->count; i++) {
        sn_error error = {0};
        if (!sn_driver_load(files->items[i], &error)) continue;
        message_error_from(&error);
        return false;
    }
    return true;
}

static int run(const text_list* files, const char* word, double seconds, bool json) {
    if (!load_drivers(files)) return STATUS_USAGE;
    if (word) return try_word(word, seconds, json);
    if (json) {
        write_all();
        return STATUS_DONE;
    }
    for (int i = 0; i < sn_driver_count(); i++)
        if (strcmp(sn_driver_at(i)->name, SIMULATED) != 0) tell_driver(sn_driver_at(i));
    tell_simulated();
    return STATUS_DONE;
}

int command_devices(int argc, char** argv) {
    bool json = false;
    const char* word = NULL;
    double seconds = 1;
    text_list files = {0}, none = {0};
    const option options[] = {
        {"try", "WORD", "open this device and read it for a while, without force", OPTION_TEXT,
         &word},
        {"seconds", "S", "how long (1)", OPTION_POSITIVE, &seconds},
        {"driver", "FILE", "load a driver of your own first; may be given again", OPTION_LIST,
         &files},
        {"json", NULL, "the same as JSON on standard output", OPTION_FLAG, &json},
    };
    options_result parsed =
        options_parse(&PAGE, options, sizeof options / sizeof options[0], argc, argv, &none);
    int status = parsed == OPTIONS_BAD ? STATUS_USAGE : STATUS_DONE;
    if (parsed == OPTIONS_RUN) status = run(&files, word, seconds, json);
    text_list_free(&files);
    text_list_free(&none);
    return status;
}
