// SPDX-License-Identifier: Apache-2.0
#include "support/stability_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char HEAD[] =
    "<!doctype html>\n<html lang=en><meta charset=utf-8><title>Stability of sessions</title>\n"
    "<style>\n"
    "body{font:15px/1.45 sans-serif;margin:2em auto;max-width:72em;padding:0 1em;color:#222}\n"
    "table{border-collapse:collapse;margin:.5em 0 1.5em}\n"
    "td,th{border:1px solid #ccc;padding:3px 9px;text-align:right;white-space:nowrap}\n"
    "th{background:#f3f3f3;text-align:left}\n"
    "td.good{background:#dff2df}td.bad{background:#f9b5a8;font-weight:bold}\n"
    "td a{color:inherit;text-decoration:none}td a:hover{text-decoration:underline}\n"
    "tr:target td{background:#fff3b0}code{font-size:13px}.left{text-align:left}\n"
    "</style>\n<h1>Stability of sessions</h1>\n";

static const char METHOD[] =
    "<p>Whole sessions in virtual time: simulation, coupling and haptics at 1 kHz, a simulated "
    "device, a simulated hand that moves and then keeps still, and the gains that are certified "
    "for the device. A cell is good (&#10003;) when the force comes to rest to within 0.05 N, the "
    "motors have put no more energy into the hand than the tolerance of "
    "<code>docs/haptics_safety.md</code>, the passivity observer stays inside its bound, no step "
    "of the force is above the slew limit, nothing trips, and the gains are inside the certified "
    "map. It is bad (&#10007;) otherwise, and says what is wrong. The number in a cell is what "
    "the force still varies by after it has come to rest, in N; it leads to all numbers and to "
    "the command that repeats the cell.</p>\n";

void stability_page_add(stability_page* page, playing_case which, const char* device,
                        const char* hand, const playing_verdict* verdict) {
    if (page->count == page->room) {
        page->room = page->room ? 2 * page->room : 64;
        page->cell = realloc(page->cell, (size_t)page->room * sizeof *page->cell);
        CHECK(page->cell, 0);
    }
    stability_cell* cell = &page->cell[page->count++];
    *cell = (stability_cell){.which = which, .hand = hand, .verdict = *verdict};
    (void)snprintf(cell->device, sizeof cell->device, "%s", device);
}

int stability_page_faults(const stability_page* page) {
    int faults = 0;
    for (int i = 0; i < page->count; i++) faults += page->cell[i].verdict.fault != NULL;
    return faults;
}

void stability_page_free(stability_page* page) {
    free(page->cell);
    *page = (stability_page){0};
}

// ---- the page -------------------------------------------------------------------------------------------------------

static const stability_cell* find(const stability_page* page, playing_case which,
                                  const char* device, const char* hand) {
    for (int i = 0; i < page->count; i++) {
        const stability_cell* c = &page->cell[i];
        if (c->which == which && strcmp(c->device, device) == 0 && strcmp(c->hand, hand) == 0)
            return c;
    }
    return NULL;
}

/// One line for each interaction: the worst of its cells.
static void write_worst(const stability_page* page, FILE* out) {
    fputs("<h2>The worst of each interaction</h2>\n<table><tr><th>interaction<th>good cells"
          "<th>ripple [N]<th>at rest after [s]<th>energy made / tolerance<th>observer / bound"
          "<th>force step / limit<th>trips\n",
          out);
    for (int which = 0; which < PLAYING_CASES; which++) {
        playing_verdict worst = {0};
        int count = 0, good = 0;
        double made = -INFINITY, seen = 0;
        for (int i = 0; i < page->count; i++) {
            const playing_verdict* v = &page->cell[i].verdict;
            if ((int)page->cell[i].which != which) continue;
            count++, good += !v->fault;
            worst.ripple = fmax(worst.ripple, v->ripple);
            worst.seconds = fmax(worst.seconds, v->seconds);
            worst.step = fmax(worst.step, v->step);
            worst.trips += v->trips;
            if (isfinite(v->produced_most)) made = fmax(made, v->produced / v->produced_most);
            seen = fmax(seen, v->energy / v->energy_least);
        }
        if (!count) continue;
        (void)fprintf(out, "<tr><th>%s<td class=%s>%s %d of %d<td>%.4f<td>%.0f<td>",
                      playing_case_text((playing_case)which), good == count ? "good" : "bad",
                      good == count ? "&#10003;" : "&#10007;", good, count, worst.ripple,
                      worst.seconds);
        if (isfinite(made))
            (void)fprintf(out, "%.2f", made);
        else
            fputs("&ndash;", out);
        (void)fprintf(out, "<td>%.2f<td>%.2f<td>%d\n", seen, worst.step, (int)worst.trips);
    }
    fputs("</table>\n<p>&ndash;: gravity or motors of the robot put energy in; the observer, which "
          "knows of that, is the judge.</p>\n",
          out);
}

static void write_grid(const stability_page* page, playing_case which, FILE* out) {
    sn_device_profile p;
    sn_hand_model model;
    const char* hand;
    (void)fprintf(out, "<h2>%s</h2>\n<table><tr><th>device", playing_case_text(which));
    for (int h = 0; (hand = sn_hand_model_at(h, &model)) != NULL; h++)
        (void)fprintf(out, "<th>%s", hand);
    fputs("\n", out);
    for (int i = 0; sn_device_profile_at(i, &p); i++) {
        (void)fprintf(out, "<tr><th>%s", p.name);
        for (int h = 0; (hand = sn_hand_model_at(h, &model)) != NULL; h++) {
            const stability_cell* c = find(page, which, p.name, hand);
            if (!c) {
                fputs("<td>", out);
                continue;
            }
            (void)fprintf(out, "<td class=%s><a href='#%s-%s-%s'>%s %.4f%s%s</a>",
                          c->verdict.fault ? "bad" : "good", playing_case_word(which), p.name, hand,
                          c->verdict.fault ? "&#10007;" : "&#10003;", c->verdict.ripple,
                          c->verdict.fault ? " " : "", c->verdict.fault ? c->verdict.fault : "");
        }
        fputs("\n", out);
    }
    fputs("</table>\n", out);
}

static void write_all(const stability_page* page, FILE* out) {
    fputs("<h2>All numbers</h2>\n<table><tr><th>again by<th>what is wrong<th>stiffness [N/m]"
          "<th>ripple [N]<th>at rest after [s]<th>energy made [mJ]<th>tolerance [mJ]"
          "<th>observer, lowest [mJ]<th>bound [mJ]<th>force step / limit<th>trips\n",
          out);
    for (int i = 0; i < page->count; i++) {
        const stability_cell* c = &page->cell[i];
        const playing_verdict* v = &c->verdict;
        const char* word = playing_case_word(c->which);
        (void)fprintf(out,
                      "<tr id='%s-%s-%s'><td class=left><code>build/tests/"
                      "test_session_stability_soak %s %s %s</code><td class='%s left'>%s<td>%.0f"
                      "<td>%.4f<td>%.0f<td>%.4f<td>",
                      word, c->device, c->hand, word, c->device, c->hand, v->fault ? "bad" : "good",
                      v->fault ? v->fault : "&#10003;", v->stiffness, v->ripple, v->seconds,
                      1e3 * v->produced);
        if (isfinite(v->produced_most))
            (void)fprintf(out, "%.4f", 1e3 * v->produced_most);
        else
            fputs("&ndash;", out);
        (void)fprintf(out, "<td>%.4f<td>%.4f<td>%.2f<td>%d\n", 1e3 * v->energy,
                      1e3 * v->energy_least, v->step, (int)v->trips);
    }
    fputs("</table>\n", out);
}

bool stability_page_write(const stability_page* page, const char* path) {
    FILE* out = fopen(path, "w");
    if (!out) return false;
    int faults = stability_page_faults(page);
    fputs(HEAD, out);
    (void)fprintf(out, "<p><b>%s %d of %d cells are good.</b></p>\n",
                  faults ? "&#10007;" : "&#10003;", page->count - faults, page->count);
    fputs(METHOD, out);
    write_worst(page, out);
    for (int which = 0; which < PLAYING_CASES; which++) {
        bool any = false;
        for (int i = 0; i < page->count; i++) any |= (int)page->cell[i].which == which;
        if (any) write_grid(page, (playing_case)which, out);
    }
    write_all(page, out);
    return fclose(out) == 0;
}
