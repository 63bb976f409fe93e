// SPDX-License-Identifier: Apache-2.0
/// Ratios, sentences and tables of `sinew bench contact`.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_contact.h"
#include "table.h"

// ---- ratios and sentences -----------------------------------------------------------------------------

static const bench_row* ours_on(const bench_rows* rows, const char* scene) {
    return bench_rows_find(rows, scene, BENCH_CONTACT_OURS);
}

static double realtime(const bench_rows* rows, const char* scene) {
    const bench_row* row = ours_on(rows, scene);
    return row ? bench_note_find(row, "realtime") : (double)NAN;
}

// The fastest other engine that went through a scene, NULL: none.
static const bench_row* fastest_peer(const bench_rows* rows, const char* scene) {
    const bench_row* best = NULL;
    for (int i = 0; i < rows->count; i++) {
        const bench_row* row = &rows->at[i];
        if (!row->peer || strcmp(row->line, scene) != 0 || row->trouble[0]) continue;
        if (!best || row->median_us < best->median_us) best = row;
    }
    return best;
}

static void say_realtime(bench_account* a) {
    static const struct {
        const char *scene, *ratio, *what, *paper;
    } all[] = {
        {"hrp2-32", "realtime_hrp2_32", "HRP-2 on 32 points",
         " (Keith 2008: 0.11 times, on a notebook of 1.66 GHz)"},
        {"human-112", "realtime_human_100", "A human on 112 points",
         " (Keith 2008, over 100 points: 0.033 times)"},
        {"pile-1024", "realtime_pile_1000", "A settled pile of 136 boxes, 1,024 points", ""},
    };
    for (int i = 0; i < 3; i++) {
        double speed = realtime(&a->rows, all[i].scene);
        const bench_row* peer = fastest_peer(&a->rows, all[i].scene);
        bench_account_ratio(a, all[i].ratio, speed);
        if (!isfinite(speed)) continue;
        bench_sentences_add(&a->sentences, "%s: %.3g times real time%s.", all[i].what, speed,
                            all[i].paper);
        if (!peer) continue;
        bench_sentences_add(&a->sentences, "There %s is the fastest other engine: %.3g times.",
                            peer->engine, bench_note_find(peer, "realtime"));
    }
}

static void say_broad(bench_account* a) {
    const bench_row* row = bench_rows_find(&a->rows, BENCH_BROAD_LINE, "sinew:collider");
    if (!row) return;
    bench_account_ratio(a, "broad_10000_ms", 1e-3 * row->median_us);
    bench_sentences_add(&a->sentences, "10^4 spheres that all move: %.3g ms a step.",
                        1e-3 * row->median_us);
}

// ---- tables -------------------------------------------------------------------------------------------

static void format_number(double value, char* text, size_t size) {
    snprintf(text, size, "-");
    if (isfinite(value)) snprintf(text, size, fabs(value) < 1e5 ? "%.3g" : "%.1e", value);
}

// Notes that are facts: all but the first few, which every row has.
static bool is_fact(const bench_note* note) {
    static const char* const common[] = {"realtime", "contacts", "depth_mm", "residual"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(note->name, common[i]) == 0) return false;
    }
    return true;
}

// "creep 0.01 mm": a name with its unit after the last underscore.
static void format_fact(const bench_note* note, char* text, size_t size) {
    char value[32], words[40];
    const char* unit = strrchr(note->name, '_');
    snprintf(words, sizeof words, "%.*s", (int)(unit ? unit - note->name : 39), note->name);
    for (char* at = words; *at; at++) {
        if (*at == '_') *at = ' ';
    }
    format_number(note->value, value, sizeof value);
    if (!unit)
        snprintf(text, size, "%s %s", words, value);
    else
        snprintf(text, size, "%s %s %s", words, value, strcmp(unit, "_pct") ? unit + 1 : "%");
}

static void put_facts(table* t, const bench_row* row) {
    char text[160] = "";
    for (int i = 0; i < row->note_count; i++) {
        char fact[96];
        size_t length = strlen(text);
        if (!is_fact(&row->notes[i])) continue;
        format_fact(&row->notes[i], fact, sizeof fact);
        snprintf(text + length, sizeof text - length, "%s%s", length ? ", " : "", fact);
    }
    table_cell(t, "%s", text[0] ? text : "-");
}

static void print_scenes(const bench_rows* rows) {
    table* t =
        table_create("llrrrrl", "scene|engine|us a step|x real time|points|depth [mm]|off by");
    const char* before = "";
    for (int i = 0; i < rows->count; i++) {
        const bench_row* row = &rows->at[i];
        char text[32];
        if (row->part == BENCH_BROAD_PART) continue;
        table_cell(t, "%s", strcmp(before, row->line) ? row->line : "");
        table_cell(t, "%s", row->engine);
        format_number(row->median_us, text, sizeof text);
        table_cell(t, "%s", text);
        static const char* const notes[] = {"realtime", "contacts", "depth_mm"};
        for (int k = 0; k < 3; k++) {
            format_number(bench_note_find(row, notes[k]), text, sizeof text);
            table_cell(t, "%s", text);
        }
        put_facts(t, row);
        before = row->line;
    }
    printf("Whole steps of 1 ms, after landing: median time, points as the engine counts them,\n"
           "deepest overlap, and how far the engine is from what must happen\n");
    table_print(t, 2, stdout);
    printf("\n");
}

static void print_broad(const bench_rows* rows) {
    for (int i = 0; i < rows->count; i++) {
        const bench_row* row = &rows->at[i];
        if (row->part != BENCH_BROAD_PART) continue;
        printf("%s: %d of them %.3g ms a step (smallest %.3g), %g pairs near, %g contacts\n\n",
               BENCH_BROAD_PART, row->n, 1e-3 * row->median_us, 1e-3 * row->min_us,
               bench_note_find(row, "near"), bench_note_find(row, "contacts"));
    }
}

static void print_rows(const bench_rows* rows) {
    print_scenes(rows);
    print_broad(rows);
}

static const char* const METHOD[] = {
    "One core. All engines step the same scene in turns of a tenth of a second; every step is "
    "timed alone, and "
    "median and smallest are of the steps after the scene has settled. Times real time: of the "
    "mean of 50 steps, "
    "the median of all such.",
    "Depth: of free bodies by Sinew's collision detection for all engines alike, of humanoids as "
    "the engine counts it.",
    "Helper programs time the step function alone: collision, dynamics, contact, integration. "
    "Nobody sleeps.",
    "Sinew: exact cones by Gauss-Seidel with Newton, residual 1e-4, all points of all patches.",
    "MuJoCo: elliptic cones, Newton, its own soft contacts; stiff: with the shortest time "
    "constant. It has no "
    "restitution: a spring with the damping that gives it stands in.",
    "Bullet: sequential impulses, 10 and 50 iterations; held joints are motors. ODE: quick step, "
    "20 and 50 "
    "iterations, without humanoids. DART: FCL and Dantzig, a large box for a plane.",
    "Friction and restitution are set so that every pair has those of the scene.",
    NULL,
};

void bench_contact_account(bench_account* a) {
    a->name = "contact";
    a->heading = "Steps with contact";
    a->count_of = "bodies";
    a->print_rows = print_rows;
    a->method = METHOD;
    say_realtime(a);
    say_broad(a);
}
