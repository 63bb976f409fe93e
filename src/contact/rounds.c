// SPDX-License-Identifier: Apache-2.0
#include "contact/rounds.h"

#include <string.h>

void sni_rounds_run(sni_solve* solve, int64_t most, bool* done, sni_advance* advance,
                    void* memory) {
    sn_solve_report* report = solve->report;
    if (solve->options->iterations > 0) most = solve->options->iterations;
    memset(done, 0, (size_t)solve->group_count * sizeof *done);
    for (int64_t round = 0; round < most; round++) {
        int32_t going = 0;
        for (int32_t g = 0; g < solve->group_count; g++) {
            if (done[g]) continue;
            done[g] = advance(memory, solve, g, round);
            if (!done[g]) going++;
        }
        if (going == 0) return;
        report->iterations = round + 1;
        report->sweeps += going;
        if (sni_solve_is_late(solve)) {
            report->late = true;
            return;
        }
    }
}
