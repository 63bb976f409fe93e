// SPDX-License-Identifier: Apache-2.0
/// sinew doctor: whether this machine is good for haptics, and what to do about it.
#include "doctor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "json_writer.h"
#include "machine.h"
#include "message.h"
#include "options.h"
#include "output_file.h"
#include "svg_bars.h"
#include "terminal.h"

enum { BAR_COLUMNS = 40, WIDTH = 98, TOPIC = 20, INDENT = TOPIC + 3, NAME_ROOM = 32 };

static const command_page PAGE = {
    "doctor",
    "[OPTIONS]",
    "Looks at what a haptic loop of 1 kHz needs: real-time priority, locked memory, kernel, "
    "clock,\n"
    "vendors' libraries and permissions. Each finding is fine, could be better, or does not work,\n"
    "with what to do about it. Measures for some seconds how late a loop wakes up.\n",
    "  sinew doctor                              all of it, in three seconds\n"
    "  sinew doctor --seconds 60 --plot late.svg   a longer look at the clock, as a picture\n"
    "  sinew doctor --json                       for a script\n",
    "Exit status 1: something does not work. What could be better does not count: everything "
    "runs,\n"
    "with more jitter or without a device.\n",
    0,
    0,
};

static const char* const VERDICTS[] = {"fine", "could be better", "does not work"};

// ---- text -------------------------------------------------------------------------------------------------------

static const char* colour_of(verdict v) {
    static const char* const colours[] = {"\033[32m", "\033[33m", "\033[31m"};
    return terminal_colours(stdout) ? colours[v] : "";
}

/// Words of text in lines of WIDTH columns, the first from `column` on, the others behind INDENT spaces.
static void print_wrapped(const char* text, int column) {
    for (const char* word = text; *word;) {
        int n = (int)strcspn(word, " ");
        if (column + 1 + n > WIDTH) {
            printf("\n%*s", INDENT, "");
            column = INDENT;
        } else {
            printf(" ");
            column++;
        }
        printf("%.*s", n, word);
        column += n;
        word += n;
        word += strspn(word, " ");
    }
    printf("\n");
}

static void tell_finding(const finding* f) {
    const char* colour = colour_of(f->verdict);
    const char* word = VERDICTS[f->verdict];
    printf("%-*s%s%s%s:", TOPIC, f->topic, colour, word, colour[0] ? "\033[0m" : "");
    print_wrapped(f->text, TOPIC + (int)strlen(word) + 1);
    if (!f->remedy[0]) return;
    printf("%*s->", TOPIC, "");
    print_wrapped(f->remedy, TOPIC + 2);
}

static void name_bin(int bin, char name[NAME_ROOM]) {
    double below = JITTER_BELOW_US[bin];
    if (isfinite(below))
        (void)snprintf(name, NAME_ROOM, "below %g us", below);
    else
        (void)snprintf(name, NAME_ROOM, "%g us and more", JITTER_BELOW_US[bin - 1]);
}

static void tell_histogram(const jitter* j) {
    int most = 1;
    for (int i = 0; i < JITTER_BINS; i++) most = j->bins[i] > most ? j->bins[i] : most;
    printf("\nhow late a loop of 1 kHz woke up, %d times:\n", j->count);
    for (int i = 0; i < JITTER_BINS; i++) {
        char name[NAME_ROOM];
        name_bin(i, name);
        // by logarithms, so that one in a thousand can be seen
        double part = j->bins[i] > 0 ? (1 + log(j->bins[i])) / (1 + log(most)) : 0;
        int columns = (int)lround(part * BAR_COLUMNS);
        printf("  %-18s%7d ", name, j->bins[i]);
        while (columns-- > 0) putchar('#');
        putchar('\n');
    }
}

// ---- JSON and picture ---------------------------------------------------------------------------------------------

static void write_clock(json_writer* w, const jitter* j) {
    jw_key(w, "clock");
    jw_object(w);
    jw_key(w, "ticks");
    jw_integer(w, j->count);
    jw_key(w, "priority");
    jw_integer(w, j->granted.priority);
    jw_key(w, "locked");
    jw_boolean(w, j->granted.locked);
    const struct {
        const char* key;
        double value;
    } numbers[] = {
        {"median_us", j->median}, {"p99_us", j->p99}, {"p999_us", j->p999}, {"worst_us", j->worst}};
    for (int i = 0; i < 4; i++) {
        jw_key(w, numbers[i].key);
        jw_number(w, numbers[i].value);
    }
    jw_key(w, "histogram");
    jw_array(w);
    for (int i = 0; i < JITTER_BINS; i++) {
        jw_object_line(w);
        jw_key(w, "below_us"); // null: any
        jw_number(w, JITTER_BELOW_US[i]);
        jw_key(w, "count");
        jw_integer(w, j->bins[i]);
        jw_object_end(w);
    }
    jw_array_end(w);
    jw_object_end(w);
}

static void write_json(const findings* list, const jitter* j, bool good) {
    json_writer w = jw_start(stdout);
    machine m = machine_ask();
    jw_object(&w);
    jw_key(&w, "ok");
    jw_boolean(&w, good);
    machine_write(&m, &w);
    jw_key(&w, "findings");
    jw_array(&w);
    for (int i = 0; i < list->count; i++) {
        const finding* f = &list->items[i];
        jw_object_line(&w);
        jw_key(&w, "topic");
        jw_text(&w, f->topic);
        jw_key(&w, "verdict");
        jw_text(&w, VERDICTS[f->verdict]);
        jw_key(&w, "text");
        jw_text(&w, f->text);
        jw_key(&w, "remedy");
        jw_text(&w, f->remedy);
        jw_object_end(&w);
    }
    jw_array_end(&w);
    write_clock(&w, j);
    jw_object_end(&w);
    jw_finish(&w);
}

static void write_picture(const jitter* j, FILE* out) {
    static bar_chart chart; // large
    static char names[JITTER_BINS][NAME_ROOM];
    chart = (bar_chart){.title = "How late a loop of 1 kHz woke up",
                        .subtitle = "bars by logarithm of the number of ticks",
                        .group_count = 1};
    bar_group* group = &chart.groups[0];
    (void)snprintf(group->title, sizeof group->title, "%d ticks, %s", j->count,
                   j->granted.priority > 0 ? "real-time priority" : "ordinary priority");
    for (int i = 0; i < JITTER_BINS; i++) {
        name_bin(i, names[i]);
        bar* b = &group->bars[group->count++];
        b->name = names[i];
        b->value = j->bins[i] > 0 ? 1 + log(j->bins[i]) : 0;
        b->solid = true;
        (void)snprintf(b->text, sizeof b->text, "%d", j->bins[i]);
    }
    svg_bars_write(&chart, out);
}

// ---- the command --------------------------------------------------------------------------------------------------

static int examine(double seconds, const char* picture, bool json) {
    static findings list; // large
    output_file file = {0};
    const char* root = getenv("SINEW_DOCTOR_ROOT"); // files of another machine, for tests
    if (picture && !output_open(&file, picture)) return STATUS_USAGE;
    list.count = 0;
    doctor_look_at_system(&list, root ? root : "");
    jitter j = doctor_measure_clock(seconds);
    doctor_judge_clock(&list, &j);
    doctor_look_at_devices(&list, root ? root : "");
    bool good = true;
    for (int i = 0; i < list.count; i++) good = good && list.items[i].verdict != VERDICT_BROKEN;
    if (json) {
        write_json(&list, &j, good);
    } else {
        for (int i = 0; i < list.count; i++) tell_finding(&list.items[i]);
        tell_histogram(&j);
    }
    if (picture) {
        write_picture(&j, file.stream);
        if (!output_commit(&file)) return STATUS_FAILED;
    }
    return good ? STATUS_DONE : STATUS_FAILED;
}

int command_doctor(int argc, char** argv) {
    bool json = false;
    const char* picture = NULL;
    double seconds = 2;
    text_list none = {0};
    const option options[] = {
        {"seconds", "S", "how long the clock is measured (2)", OPTION_POSITIVE, &seconds},
        {"plot", "FILE", "the histogram of the clock as SVG", OPTION_TEXT, &picture},
        {"json", NULL, "the same as JSON on standard output", OPTION_FLAG, &json},
    };
    options_result parsed =
        options_parse(&PAGE, options, sizeof options / sizeof options[0], argc, argv, &none);
    text_list_free(&none);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_BAD ? STATUS_USAGE : STATUS_DONE;
    return examine(seconds, picture, json);
}
