// SPDX-License-Identifier: Apache-2.0
// Any bytes as a hand script: an error with a reason, or a script that is finite at all times.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "sinew/simulated_device.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void expect(bool holds) {
    if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    sn_hand_script* script;
    sn_error error = {SN_OK, "", 0, 0, ""};
    sn_status status = sn_hand_script_parse((const char*)data, size, "fuzz", &script, &error);
    if (status) {
        expect(!script && error.status == status && error.text[0]);
        return 0;
    }
    const sn_hand_knot* knots;
    int count = sn_hand_script_knots(script, &knots);
    expect(count > 0 && sn_hand_script_end(script) == knots[count - 1].time);
    for (int i = 0; i < 16; i++) {
        sn_hand_intent want;
        double span = sn_hand_script_end(script) - knots[0].time;
        sn_hand_script_at(script, knots[0].time + i / 15.0 * span, &want);
        for (int k = 0; k < 9; k++) expect(isfinite(want.pose.R.m[k / 3][k % 3]));
    }
    sn_hand_script_free(script);
    return 0;
}
