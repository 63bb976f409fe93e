// SPDX-License-Identifier: Apache-2.0
// Every profile, hand and interaction: whole sessions with certified gains are stable and passive. The table of all of
// them is written to $SINEW_STABILITY_REPORT, or stability.html where the test runs.
//
// usage: test_session_stability_soak [INTERACTION [DEVICE [HAND]]]        each one's name, or all; all if not given
#include <stdio.h>
#include <string.h>

#include "support/playing_matrix.h"
#include "support/stability_page.h"

static const char* wanted[3] = {"all", "all", "all"};

static bool is_wanted(int which, const char* name) {
    return strcmp(wanted[which], "all") == 0 || strcmp(wanted[which], name) == 0;
}

static void try_interaction(stability_page* page, playing_case which) {
    sn_device_profile p;
    sn_hand_model model;
    const char* hand;
    for (int i = 0; sn_device_profile_at(i, &p); i++) {
        for (int h = 0; (hand = sn_hand_model_at(h, &model)) != NULL; h++) {
            if (!is_wanted(1, p.name) || !is_wanted(2, hand)) continue;
            playing_verdict v = playing_try(which, p.name, hand);
            stability_page_add(page, which, p.name, hand, &v);
            print_message("%-6s %-15s %-7s ripple %.4f N after %2.0f s, produced %8.4f mJ of "
                          "%.4f, observer %8.4f mJ of %.4f, step %.2f, %d trips%s%s\n",
                          playing_case_word(which), p.name, hand, v.ripple, v.seconds,
                          1e3 * v.produced, 1e3 * v.produced_most, 1e3 * v.energy,
                          1e3 * v.energy_least, v.step, (int)v.trips, v.fault ? "  FAULT: " : "",
                          v.fault ? v.fault : "");
            (void)fflush(stdout);
        }
    }
}

static void every_device_hand_and_interaction_is_stable_and_passive(void** state) {
    (void)state;
    const char* path = getenv("SINEW_STABILITY_REPORT");
    if (!path) path = "stability.html";
    stability_page page = {0};
    for (int which = 0; which < PLAYING_CASES; which++) {
        if (!is_wanted(0, playing_case_word((playing_case)which))) continue;
        try_interaction(&page, (playing_case)which);
        CHECK(stability_page_write(&page, path), 0); // so far
    }
    print_message("report: %s\n", path);
    CHECK(page.count > 0, 0);
    CHECK(stability_page_faults(&page) == 0, 0);
    stability_page_free(&page);
}

int main(int argc, char** argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_device_hand_and_interaction_is_stable_and_passive),
    };
    for (int i = 1; i < argc && i <= 3; i++) wanted[i - 1] = argv[i];
    return cmocka_run_group_tests_name("session_stability_soak", tests, NULL, NULL);
}
