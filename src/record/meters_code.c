// SPDX-License-Identifier: Apache-2.0
#include "record/meters_code.h"

static void code_i64(sni_coder* coder, int64_t* value) { sni_code(coder, value, sizeof *value); }

/// A count, then so many counts. Of a program that has more of them only those that are known here are kept.
static void code_counts(sni_coder* coder, uint64_t* counts, uint32_t known) {
    uint32_t count = known;
    sni_code_count(coder, &count, sizeof *counts);
    for (uint32_t k = 0; k < count && !coder->failed; k++) {
        uint64_t beyond = 0;
        sni_code_u64(coder, k < known ? &counts[k] : &beyond);
    }
}

static void code_loop(sni_coder* coder, sn_loop_meter* m) {
    sni_code_u64(coder, &m->ticks);
    sni_code_u64(coder, &m->late);
    code_i64(coder, &m->first_ns);
    code_i64(coder, &m->last_ns);
    code_i64(coder, &m->worst_ns);
    code_counts(coder, m->jitter, SN_JITTER_BINS);
}

static void code_latency(sni_coder* coder, sn_latency_meter* m) {
    sni_code_u64(coder, &m->count);
    code_i64(coder, &m->sum_ns);
    code_i64(coder, &m->worst_ns);
    code_counts(coder, m->below, SN_JITTER_BINS);
}

static void code_cause(sni_coder* coder, sn_safety_cause* cause) {
    int value = (int)*cause;
    sni_code_choice(coder, &value, SN_CAUSES);
    *cause = (sn_safety_cause)value;
}

static void code_safety(sni_coder* coder, sn_safety_report* s) {
    code_counts(coder, s->count, SN_SAFETY_ELEMENTS);
    sni_code_u64(coder, &s->trips);
    code_cause(coder, &s->last_trip);
    code_cause(coder, &s->cause);
    sni_code_bool(coder, &s->latched);
    double* const numbers[] = {&s->gain,      &s->energy,         &s->energy_least,
                               &s->heat,      &s->max_force_step, &s->max_torque_step,
                               &s->max_force, &s->max_torque};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) sni_code_f64(coder, numbers[k]);
}

void sni_code_meters(sni_coder* coder, sn_meters* meters) {
    int loop = (int)meters->loop;
    sni_code_u64(coder, &meters->step);
    sni_code_choice(coder, &loop, SN_LOOPS);
    meters->loop = (sn_loop)loop;
    sni_code_text(coder, &meters->hand, false);
    code_loop(coder, &meters->meter);
    if (meters->loop != SN_LOOP_HAPTICS) return;
    code_latency(coder, &meters->latency);
    code_safety(coder, &meters->safety);
}
