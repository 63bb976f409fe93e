// SPDX-License-Identifier: Apache-2.0
// Works for anybody: what is not permitted must be said, what is said to be granted must be so.
#define _GNU_SOURCE
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "sinew/realtime.h"
#include "support/check.h"

static const sn_realtime_def NOTHING = {.priority = 0, .lock_memory = false, .cpu = -1};

// Sanitizers make mlockall do nothing, because of what they map themselves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SANITIZED 0
#endif

/// What the kernel says of locked memory of this process, in kB.
static long locked_kb(void) {
    char line[128];
    long kb = -1;
    FILE* file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmLck: %ld", &kb) == 1) break;
    if (file) fclose(file);
    return kb;
}

static void priority_is_granted_or_refused_with_the_remedy(void** state) {
    (void)state;
    sn_realtime_def def = NOTHING;
    def.priority = 50;
    sn_realtime granted = sn_realtime_enter(&def);
    CHECK((sched_getscheduler(0) == SCHED_FIFO) == (granted.priority > 0), 0);
    if (granted.priority > 0) {
        struct sched_param parameter;
        sched_getparam(0, &parameter);
        CHECK(parameter.sched_priority == granted.priority, 0);
    }
    CHECK((granted.priority == 50) == (granted.why_not_priority[0] == '\0'), 0);
    if (granted.priority < 50) CHECK(strstr(granted.why_not_priority, "limits.conf"), 0);
    sn_realtime_leave(&granted);
    CHECK(sched_getscheduler(0) == SCHED_OTHER, 0);
}

static void memory_is_locked_or_refused_with_the_remedy(void** state) {
    (void)state;
    sn_realtime_def def = NOTHING;
    def.lock_memory = true;
    long before = locked_kb();
    sn_realtime granted = sn_realtime_enter(&def);
    if (granted.locked) {
        CHECK(SANITIZED || locked_kb() > before, 0);
        CHECK(!granted.why_not_locked[0], 0);
    } else {
        CHECK(strstr(granted.why_not_locked, "memlock"), 0);
    }
    sn_realtime_leave(&granted);
    CHECK(locked_kb() == before, 0);
}

static void a_thread_stays_on_its_processor_and_leaves_it(void** state) {
    (void)state;
    cpu_set_t before, now;
    sched_getaffinity(0, sizeof before, &before);
    size_t first = 0;
    while (!CPU_ISSET(first, &before)) first++;
    sn_realtime_def def = NOTHING;
    def.cpu = (int)first;
    sn_realtime granted = sn_realtime_enter(&def);
    CHECK(granted.pinned && !granted.why_not_pinned[0], 0);
    sched_getaffinity(0, sizeof now, &now);
    CHECK(CPU_COUNT(&now) == 1 && CPU_ISSET(first, &now), 0);
    sn_realtime_leave(&granted);
    sched_getaffinity(0, sizeof now, &now);
    CHECK(CPU_EQUAL(&now, &before), 0);
}

static void a_processor_that_is_not_there_is_refused(void** state) {
    (void)state;
    const int bad[] = {1000, 1000000};
    for (int i = 0; i < 2; i++) {
        sn_realtime_def def = NOTHING;
        def.cpu = bad[i];
        sn_realtime granted = sn_realtime_enter(&def);
        CHECK(!granted.pinned, 0);
        CHECK(strstr(granted.why_not_pinned, "taskset"), 0);
        sn_realtime_leave(&granted);
    }
}

static void nothing_asked_for_is_nothing_done(void** state) {
    (void)state;
    sn_realtime granted = sn_realtime_enter(&NOTHING);
    CHECK(!granted.priority && !granted.locked && !granted.pinned, 0);
    CHECK(!granted.why_not_priority[0] && !granted.why_not_locked[0] && !granted.why_not_pinned[0],
          0);
    CHECK(sched_getscheduler(0) == SCHED_OTHER, 0);
}

static void what_is_permitted_is_known_without_taking_it(void** state) {
    (void)state;
    sn_realtime_limits limits = sn_realtime_limits_of_process();
    CHECK(sched_getscheduler(0) == SCHED_OTHER, 0);
    CHECK(limits.priority >= 0 && limits.priority <= 99, 0);
    CHECK(limits.lock_most >= 0, 0);
    CHECK(limits.cpus >= 1, 0);
    sn_realtime_def def = sn_realtime_def_default();
    def.lock_memory = false;
    sn_realtime granted = sn_realtime_enter(&def);
    int expected = limits.priority < def.priority ? limits.priority : def.priority;
    CHECK(granted.priority == expected, 0);
    sn_realtime_leave(&granted);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(priority_is_granted_or_refused_with_the_remedy),
        cmocka_unit_test(memory_is_locked_or_refused_with_the_remedy),
        cmocka_unit_test(a_thread_stays_on_its_processor_and_leaves_it),
        cmocka_unit_test(a_processor_that_is_not_there_is_refused),
        cmocka_unit_test(nothing_asked_for_is_nothing_done),
        cmocka_unit_test(what_is_permitted_is_known_without_taking_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
