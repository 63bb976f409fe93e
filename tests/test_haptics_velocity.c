// SPDX-License-Identifier: Apache-2.0
// The estimate of velocity against its definition, written out sample by sample and channel by channel.
#include <string.h>

#include "haptics/velocity.h"
#include "support/fixture.h"

enum { CASES = 300, SAMPLES = 120, CHANNELS = SN_VELOCITY_CHANNELS, AGREEING = 40, STEADY };
static const double TOL_TWO_WAYS = 1e-12;             // of a difference over a time, two ways
static const double WINDOW = 15e-3, SPACING = 0.9e-3; // s, as the header says

/// All samples that were kept, the oldest first.
typedef struct history {
    int count;
    int64_t time_ns[SAMPLES];
    double x[SAMPLES][CHANNELS];
} history;

/// Slope of the longest line through the newest sample that passes within a quantum of those before.
static double slope_of(const history* h, int64_t now_ns, double x, double quantum, int channel) {
    double low = -HUGE_VAL, high = HUGE_VAL;
    int seen = 0;
    for (int i = h->count - 1; i >= 0 && seen < SN_VELOCITY_KEPT; i--, seen++) {
        double age = 1e-9 * (double)(now_ns - h->time_ns[i]);
        if (seen > 0 && age > WINDOW) break;
        double from = fmax(low, (x - quantum - h->x[i][channel]) / age);
        double to = fmin(high, (x + quantum - h->x[i][channel]) / age);
        if (!(from <= to)) break;
        low = from, high = to;
    }
    return seen ? 0.5 * (low + high) : 0;
}

static void remember(history* h, int64_t now_ns, const double* x) {
    if (h->count && now_ns - h->time_ns[h->count - 1] < (int64_t)(1e9 * SPACING)) return;
    h->time_ns[h->count] = now_ns;
    memcpy(h->x[h->count++], x, sizeof h->x[0]);
}

static int64_t next_time(test_rng* rng, int64_t now_ns, double period) {
    double jitter = test_uniform(rng, 0.5, 1.5), gap = test_uniform(rng, 0, 1) < 0.03 ? 20 : 1;
    return now_ns + (int64_t)(1e9 * period * jitter * gap);
}

static void it_is_the_longest_line_that_explains_the_samples(void** state) {
    (void)state;
    for (uint64_t k = 0; k < CASES; k++) {
        uint64_t seed = test_case_seed(AGREEING, k);
        test_rng rng = test_rng_make(seed);
        history kept = {0};
        sni_velocity v;
        memset(&v, 0, sizeof v);
        int channels = 1 + (int)(k % CHANNELS);
        double period = k % 3 ? 1e-3 : 0.25e-3, x[CHANNELS] = {0}, quantum[CHANNELS];
        double velocity[CHANNELS] = {0};
        int64_t now_ns = (int64_t)test_uniform(&rng, 0, 1e15);
        for (int c = 0; c < channels; c++) quantum[c] = test_uniform(&rng, 0, 50e-6);
        for (int i = 0; i < SAMPLES; i++) {
            now_ns = next_time(&rng, now_ns, period);
            bool jolt = test_uniform(&rng, 0, 1) < 0.1;
            for (int c = 0; c < channels; c++)
                x[c] += (jolt ? 1e-3 : 2e-5) * test_uniform(&rng, -1, 1) + 1e-4;
            sni_velocity_update(&v, now_ns, x, quantum, channels, velocity);
            for (int c = 0; c < channels; c++) {
                double wanted = slope_of(&kept, now_ns, x[c], quantum[c], c);
                CHECK_NEAR(velocity[c], wanted, TOL_TWO_WAYS * (1 + fabs(wanted)), seed);
            }
            remember(&kept, now_ns, x);
        }
    }
}

/// After a whole window of steady motion the slope is known to one quantum at either end.
static void steady_motion_is_known_to_two_steps_of_the_encoder_in_a_window(void** state) {
    (void)state;
    for (uint64_t k = 0; k < CASES; k++) {
        uint64_t seed = test_case_seed(STEADY, k);
        test_rng rng = test_rng_make(seed);
        sni_velocity v;
        memset(&v, 0, sizeof v);
        double quantum = test_uniform(&rng, 1e-6, 60e-6), speed = test_uniform(&rng, -1, 1);
        double start = test_uniform(&rng, -1, 1), velocity = 0;
        for (int i = 0; i < SAMPLES; i++) {
            double x = quantum * nearbyint((start + 1e-3 * i * speed) / quantum);
            sni_velocity_update(&v, (int64_t)i * 1000 * 1000, &x, &quantum, 1, &velocity);
            if (i >= 16) CHECK_NEAR(velocity, speed, 2 * quantum / WINDOW, seed);
        }
    }
}

int main(void) {
    (void)test_seed(); // print it first
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_longest_line_that_explains_the_samples),
        cmocka_unit_test(steady_motion_is_known_to_two_steps_of_the_encoder_in_a_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
