// SPDX-License-Identifier: Apache-2.0
#include <stdatomic.h>

#include "base/agent.h"
#include "base/thread.h"
#include "support/check.h"
#include "support/eventually.h"

enum { LONG_NS = 1000000000 };

typedef struct job {
    atomic_bool blocked;
    atomic_int begun, released;
} job;

static void work(void* context) {
    job* j = context;
    atomic_fetch_add(&j->begun, 1);
    while (atomic_load(&j->blocked)) sni_thread_rest(100000);
}

static void release(void* context) { atomic_fetch_add(&((job*)context)->released, 1); }

static void work_that_returns_is_waited_for_and_released_once(void** state) {
    (void)state;
    for (int i = 0; i < 200; i++) {
        job j = {false, 0, 0};
        sni_agent* agent = sni_agent_start(work, release, &j);
        CHECK(agent != NULL, 0);
        CHECK(sni_agent_leave(agent, (int64_t)30 * LONG_NS), 0);
        CHECK(j.begun == 1 && j.released == 1, 0);
    }
}

static void work_that_blocks_is_left_and_releases_itself_later(void** state) {
    (void)state;
    static job j = {true, 0, 0};
    sni_agent* agent = sni_agent_start(work, release, &j);
    CHECK(agent != NULL, 0);
    CHECK(EVENTUALLY(atomic_load(&j.begun) == 1), 0);
    CHECK(!sni_agent_has_ended(agent), 0);
    CHECK(!sni_agent_leave(agent, 1000000), 0);
    CHECK(j.released == 0, 0);
    atomic_store(&j.blocked, false);
    CHECK(EVENTUALLY(atomic_load(&j.released) == 1), 0);
}

static void leaving_while_it_ends_releases_once(void** state) {
    (void)state;
    static job jobs[500]; // outlive agents that are left
    for (int i = 0; i < 500; i++) {
        sni_agent* agent = sni_agent_start(work, release, &jobs[i]);
        CHECK(agent != NULL, 0);
        if (i % 2) sni_thread_rest(0);
        (void)sni_agent_leave(agent, 0);
    }
    for (int i = 0; i < 500; i++) CHECK(EVENTUALLY(atomic_load(&jobs[i].released) == 1), 0);
}

static void only_one_thread_has_what_was_taken(void** state) {
    (void)state;
    sni_shown taken = {0};
    CHECK(sni_try_take(&taken), 0);
    CHECK(!sni_try_take(&taken), 0);
    sni_give(&taken);
    CHECK(sni_try_take(&taken), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_that_returns_is_waited_for_and_released_once),
        cmocka_unit_test(work_that_blocks_is_left_and_releases_itself_later),
        cmocka_unit_test(leaving_while_it_ends_releases_once),
        cmocka_unit_test(only_one_thread_has_what_was_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
