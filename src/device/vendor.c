// SPDX-License-Identifier: Apache-2.0
#include "device/vendor.h"

#include <stdlib.h>
#include <string.h>

#include "device/sn_device.h"
#include "sinew/clock.h"

enum { LOOK_AGAIN_NS = 500000, PAUSE_NS = 10000000, REOPEN_LEAST_MS = 100, REOPEN_MOST_MS = 4000 };

static const char LOST[] = "the device is lost: unplugged, switched off, or its driver failed; the "
                           "force is off, and it is tried to open it again";

// Of all vendors' devices of this process.
static sni_shown patience_open, patience_close; // ns; 0: the usual
static sni_shown left_behind;                   // agents that nobody waits for any more

void sni_device_set_patience(int64_t open_ns, int64_t close_ns) {
    sni_show(&patience_open, (uint64_t)open_ns);
    sni_show(&patience_close, (uint64_t)close_ns);
}

static int64_t patience(const sni_shown* chosen, int64_t usual) {
    int64_t ns = (int64_t)sni_shown_value(chosen);
    return ns > 0 ? ns : usual;
}
int64_t sni_vendor_open_patience(void) { return patience(&patience_open, 10000000000); }
static int64_t close_patience(void) { return patience(&patience_close, 2000000000); }

int sn_device_left_behind(void) { return (int)sni_shown_value(&left_behind); }

// ---- for drivers ------------------------------------------------------------------------------------------------

int64_t sni_vendor_now(void) {
    sn_clock clock = sn_clock_real();
    return clock.now_ns(clock.context);
}

void sni_vendor_enter(sni_vendor* v, const char* call) { sni_show(&v->call, (uintptr_t)call); }

bool sni_vendor_must_stop(const sni_vendor* v) { return sni_shown_value(&v->stop); }

void sni_vendor_take(sni_vendor* v, sni_shown* library) {
    if (sni_try_take(library)) return;
    sni_vendor_enter(v, "an earlier call of the vendor's library");
    while (!sni_try_take(library)) sni_thread_rest(LOOK_AGAIN_NS);
}

// ---- the agent ----------------------------------------------------------------------------------------------------

/// Until it works or nobody wants it any more; false: the latter.
static bool open_again(sni_vendor* v) {
    int64_t pause_ms = REOPEN_LEAST_MS;
    while (!sni_vendor_must_stop(v)) {
        int64_t until = sni_vendor_now() + pause_ms * 1000000;
        while (sni_vendor_now() < until && !sni_vendor_must_stop(v)) sni_thread_rest(PAUSE_NS);
        if (sni_vendor_must_stop(v)) return false;
        if (v->ops->begin(v, NULL) == SN_OK) return true;
        if (pause_ms < REOPEN_MOST_MS) pause_ms *= 2;
    }
    return false;
}

static void work(void* context) {
    sni_vendor* v = context;
    sn_status status = v->ops->begin(v, &v->error);
    sni_show(&v->opening, 1 + (uint64_t)status);
    bool open = status == SN_OK;
    while (open && !sni_vendor_must_stop(v)) {
        if (v->ops->serve(v)) continue;
        sni_link_tell(&v->link, LOST);
        v->ops->end(v);
        open = open_again(v);
        if (open) sni_link_tell(&v->link, "");
    }
    if (open) v->ops->end(v);
}

// ---- the loop's and the owner's side ----------------------------------------------------------------------------

static sn_status read_sample(void* memory, int64_t now_ns, sn_device_sample* sample) {
    sni_vendor* v = memory;
    (void)now_ns; // the servo has no other clock than the machine's
    return sni_link_read(&v->link, sni_vendor_now(), sample);
}

static sn_status write_force(void* memory, int64_t now_ns, const sn_device_force* force) {
    sni_vendor* v = memory;
    (void)now_ns;
    return sni_link_write(&v->link, sni_vendor_now(), force);
}

static const char* trouble(void* memory) {
    const sni_vendor* v = memory;
    return sni_link_trouble(&v->link, sni_vendor_now());
}

static void leave(sni_vendor* v, int64_t wait_ns) {
    sni_show(&v->stop, 1);
    sni_show_more(&left_behind, 1); // taken back when it is released
    (void)sni_agent_leave(v->agent, wait_ns);
}

static void close_device(void* memory) { leave(memory, close_patience()); }

static void release(void* context) {
    free(context);
    sni_show_more(&left_behind, -1);
}

sni_vendor* sni_vendor_create(const sni_vendor_ops* ops) {
    size_t size = (ops->size + SN_CACHE_LINE - 1) / SN_CACHE_LINE * SN_CACHE_LINE;
    sni_vendor* v = aligned_alloc(SN_CACHE_LINE, size);
    if (!v) return NULL;
    memset(v, 0, size);
    v->ops = ops;
    sni_link_init(&v->link);
    return v;
}

/// Status of the first begin; -1: it has not returned.
static int wait_for_opening(const sni_vendor* v, int64_t wait_ns) {
    int64_t until = sni_vendor_now() + wait_ns;
    uint64_t opened;
    while (!(opened = sni_shown_value(&v->opening)) && sni_vendor_now() < until)
        sni_thread_rest(LOOK_AGAIN_NS);
    return (int)opened - 1;
}

sn_status sni_vendor_open(sni_vendor* v, int times, sn_device** device, sn_error* error) {
    static const sn_device_ops OPS = {read_sample, write_force, close_device, trouble};
    int64_t wait_ns = times * sni_vendor_open_patience();
    v->agent = sni_agent_start(work, release, v);
    if (!v->agent) {
        free(v);
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "no thread for the device's driver");
    }
    int status = wait_for_opening(v, wait_ns);
    if (status == SN_OK) return sn_device_create(&OPS, v, &v->profile, device, error);
    if (status > SN_OK) {
        if (error) *error = v->error;
        leave(v, close_patience());
        return (sn_status)status;
    }
    const char* call = (const char*)(uintptr_t)sni_shown_value(&v->call);
    leave(v, 0);
    return sni_fail(error, SN_ERR_FAULT, sni_nowhere(),
                    "%s has not returned after %.3g s; switch the device off and on, and start the "
                    "program again",
                    call ? call : "opening", (double)wait_ns * 1e-9);
}
