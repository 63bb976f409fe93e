// SPDX-License-Identifier: Apache-2.0
/// A thread that makes calls which may never come back, such as those of a vendor's library: it can be left behind.
///
/// What it works on has two owners, the thread and who started it; the last one to let go releases it. So a call
/// that comes back after an hour still finds its memory.
#ifndef SN_BASE_AGENT_H
#define SN_BASE_AGENT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sni_agent sni_agent;

/// Runs work(context); release(context) is called once, when it has returned and was left. NULL: no memory, or no
/// thread to be had; nothing is released.
sni_agent* sni_agent_start(void (*work)(void* context), void (*release)(void* context),
                           void* context);
/// Whether the work has returned.
bool sni_agent_has_ended(const sni_agent* agent);
/// Waits up to so long for the work to return, and lets go. False: it goes on without us. Whoever wants it to end
/// soon has told it so before.
bool sni_agent_leave(sni_agent* agent, int64_t wait_ns);

#endif
