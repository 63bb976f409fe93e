// SPDX-License-Identifier: Apache-2.0
#include "bench_ratios.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

const double BENCH_RBDL_CHAIN_NS = 252, BENCH_RBDL_HUMANOID_US = 7.65, BENCH_RBDL_HUMANOID_DOF = 35;

// The fastest peer on a line; one that computes something else does not count.
static const bench_row* fastest_peer(const bench_rows* rows, const char* line) {
    const bench_row* best = NULL;
    for (int i = 0; i < rows->count; i++) {
        const bench_row* row = &rows->at[i];
        if (!row->peer || row->disagrees || !isfinite(row->median_us)) continue;
        if (strcmp(row->line, line) != 0) continue;
        if (!best || row->median_us < best->median_us) best = row;
    }
    return best;
}

static void find_duels(const bench_rows* rows, bench_ratios* r) {
    const char* lines[BENCH_LINES_MOST];
    int count = bench_rows_lines(rows, lines, BENCH_LINES_MOST);
    r->worst = -1;
    for (int i = 0; i < count; i++) {
        const bench_row *ours = bench_rows_find(rows, lines[i], BENCH_OURS),
                        *theirs = fastest_peer(rows, lines[i]);
        if (!ours || !theirs) continue;
        bench_duel duel = {ours, theirs, theirs->median_us / ours->median_us};
        r->duels[r->duel_count] = duel;
        if (r->worst < 0 || duel.ratio < r->duels[r->worst].ratio) r->worst = r->duel_count;
        r->duel_count += 1;
    }
}

static double batch_gain(const bench_rows* rows, const char* line) {
    const bench_row* alone = bench_rows_find(rows, line, BENCH_OURS);
    const bench_row* batch = bench_rows_find(rows, line, BENCH_OUR_BATCH);
    return alone && batch ? alone->median_us / batch->median_us : NAN;
}

bench_ratios bench_ratios_find(const bench_rows* rows) {
    bench_ratios r = {.long_growth = NAN, .rbdl_chain = NAN, .rbdl_hrp2 = NAN};
    find_duels(rows, &r);
    const bench_row* thousand = bench_rows_find(rows, "chain1e3", BENCH_OURS);
    const bench_row* million = bench_rows_find(rows, "chain1e6", BENCH_OURS);
    if (thousand && million) {
        r.long_growth = bench_ns_per_joint(million) / bench_ns_per_joint(thousand);
    }
    r.batch_chain = batch_gain(rows, "chain128");
    r.batch_hrp2 = batch_gain(rows, "hrp2");
    const bench_row* chain = bench_rows_find(rows, "chain128", BENCH_OURS);
    const bench_row* hrp2 = bench_rows_find(rows, "hrp2", BENCH_OURS);
    if (chain) r.rbdl_chain = BENCH_RBDL_CHAIN_NS / bench_ns_per_joint(chain);
    if (hrp2) {
        r.rbdl_hrp2 =
            BENCH_RBDL_HUMANOID_US / BENCH_RBDL_HUMANOID_DOF / (hrp2->median_us / hrp2->dof);
    }
    return r;
}

static void write_number(json_writer* w, const char* key, double value) {
    jw_key(w, key);
    jw_number(w, value);
}

void bench_ratios_write(const bench_ratios* r, json_writer* w) {
    jw_key(w, "ratios");
    jw_object(w);
    write_number(w, "vs_fastest_peer_min", r->worst < 0 ? NAN : r->duels[r->worst].ratio);
    jw_key(w, "vs_fastest_peer");
    jw_object(w);
    for (int i = 0; i < r->duel_count; i++) {
        write_number(w, r->duels[i].ours->line, r->duels[i].ratio);
    }
    jw_object_end(w);
    write_number(w, "per_joint_1e6_over_1e3", r->long_growth);
    write_number(w, "batch64", r->batch_chain);
    write_number(w, "batch64_hrp2", r->batch_hrp2);
    jw_key(w, "vs_rbdl_noted");
    jw_object(w);
    jw_key(w, "note");
    jw_text(w, "RBDL 3.3.1 was measured on another day, not in this run: 252 ns per joint on "
               "chain128, 7.65 us on a humanoid of 35 degrees of freedom (compared with hrp2 per "
               "degree of freedom)");
    write_number(w, "chain128", r->rbdl_chain);
    write_number(w, "hrp2", r->rbdl_hrp2);
    jw_object_end(w);
    jw_object_end(w);
}
