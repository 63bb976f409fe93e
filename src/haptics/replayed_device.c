// SPDX-License-Identifier: Apache-2.0
// A device that gives samples again at the pace they were taken.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "haptics/device.h"
#include "sinew/simulated_device.h"

typedef struct replayed {
    sn_device_sample* samples;
    int count, at; ///< newest that has been
    bool started;
    int64_t origin_ns; ///< of the loop, at the time of the first sample
} replayed;

static sn_status replayed_read(void* memory, int64_t now_ns, sn_device_sample* sample) {
    replayed* r = memory;
    if (!r->started || now_ns < r->origin_ns) r->origin_ns = now_ns, r->at = 0;
    r->started = true;
    int64_t then = r->samples[0].time_ns + (now_ns - r->origin_ns);
    while (r->at + 1 < r->count && r->samples[r->at + 1].time_ns <= then) r->at++;
    *sample = r->samples[r->at];
    sample->time_ns = now_ns;
    if (r->at + 1 == r->count && then > r->samples[r->at].time_ns)
        sample->velocity = sn_twist_zero(); // rests there
    return SN_OK;
}

static sn_status replayed_write(void* memory, int64_t now_ns, const sn_device_force* force) {
    (void)memory, (void)now_ns, (void)force;
    return SN_OK;
}

static void replayed_close(void* memory) {
    replayed* r = memory;
    free(r->samples);
    free(r);
}

static const sn_device_ops ops = {replayed_read, replayed_write, replayed_close, NULL};

static const char* fault_of(const sn_device_sample* samples, int count) {
    if (!samples || count < 1) return "there is no sample";
    for (int i = 0; i < count; i++) {
        if (!sni_sample_is_finite(&samples[i])) return "a sample is not finite";
        if (i && samples[i].time_ns < samples[i - 1].time_ns) return "times go back";
    }
    return NULL;
}

sn_status sn_replayed_device_create(const sn_device_profile* profile,
                                    const sn_device_sample* samples, int count, sn_device** device,
                                    sn_error* error) {
    *device = NULL;
    const char* fault = fault_of(samples, count);
    if (fault) return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "replayed device: %s", fault);
    replayed* r = calloc(1, sizeof *r);
    if (r) r->samples = calloc((size_t)count, sizeof *samples);
    if (!r || !r->samples) {
        free(r);
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "no memory for a device");
    }
    memcpy(r->samples, samples, (size_t)count * sizeof *samples);
    r->count = count;
    return sn_device_create(&ops, r, profile, device, error);
}
