// SPDX-License-Identifier: Apache-2.0
/// What sinew doctor finds out: a list of findings, each with what to do about it.
#ifndef SINEW_APP_DOCTOR_H
#define SINEW_APP_DOCTOR_H

#include <stdbool.h>

#include "sinew/realtime.h"

typedef enum verdict { VERDICT_FINE, VERDICT_BETTER, VERDICT_BROKEN } verdict;

typedef struct finding {
    const char* topic;
    verdict verdict;
    char text[512];
    char remedy[512]; ///< "" when there is nothing to do
} finding;

enum { FINDINGS_MOST = 48 };

typedef struct findings {
    finding items[FINDINGS_MOST];
    int count;
} findings;

/// Adds a finding; the caller adds a remedy.
finding* doctor_find(findings* list, const char* topic, verdict v, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
void doctor_advise(finding* f, const char* format, ...) __attribute__((format(printf, 2, 3)));

/// What the system permits and how it is set up. `root` is put before /proc, /sys, /etc: "" but in tests.
void doctor_look_at_system(findings* list, const char* root);
/// Vendors' libraries and devices, udev rules, groups.
void doctor_look_at_devices(findings* list, const char* root);

// ---- the clock ----------------------------------------------------------------------------------------------------

enum { JITTER_BINS = 10 };

/// How late a loop of 1 kHz woke up.
typedef struct jitter {
    int count;                       ///< ticks
    int bins[JITTER_BINS];           ///< ticks by lateness, below JITTER_BELOW_US each
    double median, p99, p999, worst; ///< us
    sn_realtime granted;             ///< what the loop ran with
} jitter;

extern const double JITTER_BELOW_US[JITTER_BINS]; ///< the last is infinite

jitter doctor_measure_clock(double seconds);
void doctor_judge_clock(findings* list, const jitter* j);

#endif
