// SPDX-License-Identifier: Apache-2.0
/// Ratios, sentences and method of `sinew bench viewer`.
#include <math.h>
#include <string.h>

#include "bench_viewer.h"

static const bench_row* find(const bench_rows* rows, const char* line) {
    for (int i = 0; i < rows->count; i++)
        if (strcmp(rows->at[i].line, line) == 0 && isfinite(rows->at[i].median_us))
            return &rows->at[i];
    return NULL;
}

static double time_ms(const bench_rows* rows, const char* line) {
    const bench_row* row = find(rows, line);
    return row ? 1e-3 * row->median_us : NAN;
}

static double note_of(const bench_rows* rows, const char* line, const char* note) {
    const bench_row* row = find(rows, line);
    return row ? bench_note_find(row, note) : NAN;
}

static void find_ratios(bench_account* a) {
    const bench_rows* rows = &a->rows;
    bench_account_ratio(a, "core_percent_60hz", note_of(rows, "bodies-10000", "core_percent_60hz"));
    bench_account_ratio(a, "frames_s", note_of(rows, "bodies-10000", "frames_s"));
    bench_account_ratio(a, "pointer_ms", time_ms(rows, "pointer"));
    bench_account_ratio(a, "slower_percent", note_of(rows, "viewers-4", "slower_percent"));
    bench_account_ratio(a, "page_mb", 1e-6 * note_of(rows, "page", "page_bytes"));
    bench_account_ratio(a, "first_picture_s", 1e-3 * time_ms(rows, "first-picture"));
}

static void say_all(bench_account* a) {
    const bench_rows* rows = &a->rows;
    if (find(rows, "bodies-10000"))
        bench_sentences_add(&a->sentences,
                            "A frame of 10^4 moving bodies, %.0f kB, takes the server %.2f ms of "
                            "processor: %.1f %% "
                            "of a core at 60 Hz. %.1f of them came each second.",
                            1e-3 * note_of(rows, "bodies-10000", "frame_bytes"),
                            time_ms(rows, "bodies-10000"),
                            note_of(rows, "bodies-10000", "core_percent_60hz"),
                            note_of(rows, "bodies-10000", "frames_s"));
    if (find(rows, "pointer"))
        bench_sentences_add(&a->sentences,
                            "From the sending of a pointer's move to the end of the first step "
                            "that has it there are %.1f ms, %.1f at worst.",
                            time_ms(rows, "pointer"), 1e-3 * note_of(rows, "pointer", "worst_us"));
    if (find(rows, "viewers-4"))
        bench_sentences_add(&a->sentences,
                            "With one viewer the simulation does %.1f steps a second, with four, "
                            "one of them stalled, %.1f: %.2f %% fewer.",
                            note_of(rows, "viewers-4", "rate_1_hz"),
                            note_of(rows, "viewers-4", "rate_4_hz"),
                            note_of(rows, "viewers-4", "slower_percent"));
    if (find(rows, "page"))
        bench_sentences_add(&a->sentences, "The page is %.0f kB compressed.",
                            1e-3 * note_of(rows, "page", "page_bytes"));
    if (find(rows, "first-picture"))
        bench_sentences_add(
            &a->sentences,
            "In a browser that draws by the processor the first picture of a humanoid is there "
            "%.2f s after the page was opened; in the fastest run its program began after %.0f ms, "
            "and the first frame was read after %.0f of %.0f ms.",
            1e-3 * time_ms(rows, "first-picture"), note_of(rows, "first-picture", "script_ms"),
            note_of(rows, "first-picture", "frame_ms"),
            note_of(rows, "first-picture", "picture_ms"));
}

static const char* const METHOD[] = {
    "bodies-10000: 10^4 balls that all move and turn, stepped at 60 Hz; a client in this program "
    "takes every frame over loopback and acknowledges it. Processor time of the server's thread "
    "by frames that it sent, in quarters of a second; the client's own time is not in it.",
    "pointer: a client grabs a body and moves it by 0.1 m every 0.4 s; the time from before the "
    "move is sent until the end of the first step after which the hand's end of the spring is "
    "elsewhere, by one clock. (The hand then glides to the new place within some 40 ms, "
    "docs/devices.md.)",
    "viewers-4: steps a second by the clock, of a scene at 1 kHz with one viewer and with four, by "
    "turns; one of the four reads nothing once it is connected.",
    "page: the files of the page as a browser asks for them.",
    "first-picture, browser-10000: Chromium without a screen and without a graphics card, at 1280 "
    "x "
    "800, that runs already and has shown the page once (first_visit_ms is that first visit, with "
    "all caches empty), half a second after the page before was closed. The page tells the server "
    "how long it took by its own clock, from opening "
    "the address (navigation start) to when the first picture can be read back. browser-10000 is "
    "bound by drawing on the processor.",
    NULL,
};

void bench_viewer_account(bench_account* a) {
    a->name = "viewer";
    a->heading = "What the viewer costs";
    a->count_of = "bodies";
    a->method = METHOD;
    find_ratios(a);
    say_all(a);
}
