// SPDX-License-Identifier: Apache-2.0
/// The sentences below the tables of `sinew bench dynamics`.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench_print.h"

void bench_format_us(double us, char* text, size_t size) {
    int decimals = us >= 1000 ? 0 : us >= 100 ? 1 : us >= 10 ? 2 : 3;
    snprintf(text, size, "%.*f", decimals, us);
}

void bench_sentences_add(bench_sentences* s, const char* format, ...) {
    va_list list;
    if (s->count == BENCH_SENTENCES_MOST) return;
    va_start(list, format);
    vsnprintf(s->at[s->count++], BENCH_SENTENCE_SIZE, format, list);
    va_end(list);
}

static void say_duels(bench_sentences* s, const bench_ratios* r) {
    if (r->worst < 0) return;
    const bench_duel* worst = &r->duels[r->worst];
    double best = 0;
    for (int i = 0; i < r->duel_count; i++) best = fmax(best, r->duels[i].ratio);
    char theirs[32], ours[32];
    bench_format_us(worst->theirs->median_us, theirs, sizeof theirs);
    bench_format_us(worst->ours->median_us, ours, sizeof ours);
    bench_sentences_add(
        s,
        "sinew:aba against the fastest other engine of each line: %.2f to %.2f times as fast; "
        "least "
        "on %s, where %s takes %s us and sinew:aba %s us.",
        worst->ratio, best, worst->ours->line, worst->theirs->engine, theirs, ours);
}

static void say_growth(bench_sentences* s, const bench_rows* rows, const bench_ratios* r) {
    const bench_row* chain = bench_rows_find(rows, "chain128", BENCH_OURS);
    if (chain)
        bench_sentences_add(s, "A joint of chain128 takes %.1f ns.", bench_ns_per_joint(chain));
    if (isfinite(r->long_growth)) {
        bench_sentences_add(
            s, "A joint of a chain of 10^6 takes %.2f times what one of a chain of 10^3 takes.",
            r->long_growth);
    }
    if (isfinite(r->batch_chain) && isfinite(r->batch_hrp2)) {
        bench_sentences_add(
            s,
            "In a batch of 64, states of chain128 are computed %.2f times as fast as one by one, "
            "those of hrp2 %.2f times.",
            r->batch_chain, r->batch_hrp2);
    }
}

static void say_rbdl(bench_sentences* s, const bench_ratios* r) {
    if (!isfinite(r->rbdl_chain) && !isfinite(r->rbdl_hrp2)) return;
    char chain[80] = "", hrp2[120] = "";
    if (isfinite(r->rbdl_chain)) {
        snprintf(chain, sizeof chain, " %.0f ns a joint on chain128, %.2f times ours;",
                 BENCH_RBDL_CHAIN_NS, r->rbdl_chain);
    }
    if (isfinite(r->rbdl_hrp2)) {
        snprintf(hrp2, sizeof hrp2,
                 " %.2f us on a humanoid of %.0f DOF, per DOF %.2f times ours on hrp2;",
                 BENCH_RBDL_HUMANOID_US, BENCH_RBDL_HUMANOID_DOF, r->rbdl_hrp2);
    }
    bench_sentences_add(
        s, "RBDL, not measured in this run but noted on another day:%s%s a hint, not a comparison.",
        chain, hrp2);
}

// The engine that differs most, among ours or among the others.
static const bench_row* worst_agreement(const bench_rows* rows, bool peer) {
    const bench_row* worst = NULL;
    for (int i = 0; i < rows->count; i++) {
        const bench_row* row = &rows->at[i];
        if (row->peer != peer || isnan(row->agree)) continue;
        if (!worst || row->agree > worst->agree) worst = row;
    }
    return worst;
}

static void say_agreement(bench_sentences* s, const bench_rows* rows) {
    const bench_row* ours = worst_agreement(rows, false);
    const bench_row* theirs = worst_agreement(rows, true);
    bool all = true;
    for (int i = 0; i < rows->count; i++) all = all && !rows->at[i].disagrees;
    if (!ours) return;
    char others[160] = "";
    if (theirs) {
        snprintf(others, sizeof others, ", of the others' %.1e (%s, %s)", theirs->agree,
                 theirs->engine, theirs->line);
    }
    bench_sentences_add(
        s,
        "%s on qdd. Largest difference from sinew:reference, relative: of our engines' %.1e (%s, "
        "%s)%s.",
        all ? "All engines agree" : "NOT all engines agree", ours->agree, ours->engine, ours->line,
        others);
}

bench_sentences bench_say(const bench_rows* rows, const bench_ratios* ratios) {
    bench_sentences s = {.count = 0};
    say_duels(&s, ratios);
    say_growth(&s, rows, ratios);
    say_rbdl(&s, ratios);
    say_agreement(&s, rows);
    return s;
}
