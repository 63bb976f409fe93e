// SPDX-License-Identifier: Apache-2.0
// Every profile, hand and interaction: whole sessions with certified gains are stable and passive. The table of all of
// them is written to $SINEW_STABILITY_REPORT, or session_stability.html where the test runs.
#include <stdio.h>

#include "support/playing_matrix.h"

static FILE* open_report(void) {
    const char* path = getenv("SINEW_STABILITY_REPORT");
    if (!path) path = "session_stability.html";
    FILE* file = fopen(path, "w");
    CHECK(file, 0);
    print_message("report: %s\n", path);
    fputs("<!doctype html><meta charset=utf-8><title>Stability of sessions</title>\n"
          "<style>body{font-family:sans-serif}td,th{padding:2px 8px;text-align:right}"
          ".bad{background:#f99}</style>\n<h1>Stability of sessions</h1>\n"
          "<p>Whole sessions in virtual time, with the gains that are certified for each "
          "device.</p>\n"
          "<table><tr><th>interaction<th>device<th>hand<th>stiffness N/m<th>ripple N<th>at rest "
          "after s"
          "<th>produced mJ<th>observer, lowest mJ<th>largest step / slew limit<th>trips</tr>\n",
          file);
    return file;
}

static void write_row(FILE* file, playing_case which, const char* device, const char* hand,
                      const playing_verdict* v) {
    (void)fprintf(
        file, "<tr%s><td>%s<td>%s<td>%s<td>%.0f<td>%.4f<td>%.0f<td>%.3f<td>%.3f<td>%.2f<td>%d\n",
        v->good ? "" : " class=bad", playing_case_text(which), device, hand, v->stiffness,
        v->ripple, v->seconds, 1e3 * v->produced, 1e3 * v->energy, v->step, (int)v->trips);
}

static void every_device_hand_and_interaction_is_stable_and_passive(void** state) {
    (void)state;
    sn_device_profile p;
    sn_hand_model model;
    const char* hand;
    FILE* file = open_report();
    int bad = 0;
    for (int which = 0; which < PLAYING_CASES; which++) {
        for (int i = 0; sn_device_profile_at(i, &p); i++) {
            for (int h = 0; (hand = sn_hand_model_at(h, &model)) != NULL; h++) {
                playing_verdict v = playing_try((playing_case)which, p.name, hand);
                write_row(file, (playing_case)which, p.name, hand, &v);
                bad += !v.good;
            }
        }
    }
    fputs("</table>\n", file);
    CHECK(fclose(file) == 0, 0);
    CHECK(bad == 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_device_hand_and_interaction_is_stable_and_passive),
    };
    return cmocka_run_group_tests_name("session_stability_soak", tests, NULL, NULL);
}
