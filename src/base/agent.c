// SPDX-License-Identifier: Apache-2.0
#include "base/agent.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/thread.h"
#include "sinew/clock.h"

enum { LOOK_AGAIN_NS = 500000 };

struct sni_agent {
    atomic_uint gone; ///< how many of the two owners have let go
    sni_thread* thread;
    void (*work)(void* context);
    void (*release)(void* context);
    void* context;
};

/// Lets go of the agent; true for the last, who frees.
static bool is_last(sni_agent* agent) {
    return atomic_fetch_add_explicit(&agent->gone, 1, memory_order_acq_rel) == 1;
}

static void release(sni_agent* agent) {
    agent->release(agent->context);
    free(agent);
}

static void run(void* context) {
    sni_agent* agent = context;
    agent->work(agent->context);
    if (is_last(agent)) release(agent);
}

sni_agent* sni_agent_start(void (*work)(void* context), void (*release_context)(void* context),
                           void* context) {
    sni_agent* agent = malloc(sizeof *agent);
    if (!agent) return NULL;
    atomic_init(&agent->gone, 0);
    agent->work = work;
    agent->release = release_context;
    agent->context = context;
    agent->thread = sni_thread_start(run, agent);
    if (agent->thread) return agent;
    free(agent);
    return NULL;
}

bool sni_agent_has_ended(const sni_agent* agent) {
    return atomic_load_explicit(&agent->gone, memory_order_acquire) > 0;
}

bool sni_agent_leave(sni_agent* agent, int64_t wait_ns) {
    sn_clock clock = sn_clock_real();
    int64_t until = clock.now_ns(clock.context) + wait_ns;
    while (!sni_agent_has_ended(agent) && clock.now_ns(clock.context) < until)
        sni_thread_rest(LOOK_AGAIN_NS);
    bool ended = sni_agent_has_ended(agent);
    if (ended)
        sni_thread_join(agent->thread);
    else
        sni_thread_leave(agent->thread);
    if (is_last(agent)) release(agent);
    return ended;
}
