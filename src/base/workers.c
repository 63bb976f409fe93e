// SPDX-License-Identifier: Apache-2.0
// A loop is announced under the lock by a new number; helpers that are wanted see it, take turns from a
// shared counter until there are none, and leave. The caller does the same and waits for the last to
// leave, so no helper can meet the next loop with the counter of this one.
#include "base/workers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct helper {
    sni_workers* workers;
    pthread_t thread;
    int who;
} helper;

struct sni_workers {
    pthread_mutex_t lock;
    pthread_cond_t announced; ///< there is a loop, or the end
    pthread_cond_t left;      ///< the last helper has left a loop
    // under the lock
    unsigned long loop; ///< number of the loop
    int wanted;         ///< helpers 1 .. wanted take part in it
    int inside;         ///< of them, not yet left
    bool end;
    // of the loop
    sni_job* work;
    void* context;
    int count;
    atomic_int next; ///< turn to be taken
    int helpers;
    helper helper[];
};

static void take_turns(sni_workers* workers, int who) {
    for (;;) {
        int turn = atomic_fetch_add_explicit(&workers->next, 1, memory_order_relaxed);
        if (turn >= workers->count) return;
        workers->work(workers->context, turn, who);
    }
}

static void* help(void* context) {
    const helper* self = context;
    sni_workers* workers = self->workers;
    unsigned long seen = 0;
    pthread_mutex_lock(&workers->lock);
    for (;;) {
        while (!workers->end && (workers->loop == seen || self->who > workers->wanted)) {
            seen = workers->loop;
            pthread_cond_wait(&workers->announced, &workers->lock);
        }
        if (workers->end) break;
        seen = workers->loop;
        pthread_mutex_unlock(&workers->lock);
        take_turns(workers, self->who);
        pthread_mutex_lock(&workers->lock);
        if (--workers->inside == 0) pthread_cond_signal(&workers->left);
    }
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

sni_workers* sni_workers_create(int helpers) {
    if (helpers < 0) return NULL;
    sni_workers* workers = calloc(1, sizeof *workers + (size_t)helpers * sizeof(helper));
    if (!workers) return NULL;
    pthread_mutex_init(&workers->lock, NULL);
    pthread_cond_init(&workers->announced, NULL);
    pthread_cond_init(&workers->left, NULL);
    atomic_init(&workers->next, 0);
    for (int i = 0; i < helpers; i++) {
        workers->helper[i].workers = workers;
        workers->helper[i].who = i + 1;
        if (pthread_create(&workers->helper[i].thread, NULL, help, &workers->helper[i]) != 0) {
            sni_workers_free(workers);
            return NULL;
        }
        workers->helpers++;
    }
    return workers;
}

void sni_workers_free(sni_workers* workers) {
    if (!workers) return;
    pthread_mutex_lock(&workers->lock);
    workers->end = true;
    pthread_cond_broadcast(&workers->announced);
    pthread_mutex_unlock(&workers->lock);
    for (int i = 0; i < workers->helpers; i++) pthread_join(workers->helper[i].thread, NULL);
    pthread_cond_destroy(&workers->left);
    pthread_cond_destroy(&workers->announced);
    pthread_mutex_destroy(&workers->lock);
    free(workers);
}

static int least(int a, int b) { return a < b ? a : b; }

void sni_workers_run(sni_workers* workers, int helpers, sni_job* work, void* context, int count) {
    int wanted = workers ? least(least(helpers, workers->helpers), count - 1) : 0;
    if (wanted <= 0) {
        for (int turn = 0; turn < count; turn++) work(context, turn, 0);
        return;
    }
    pthread_mutex_lock(&workers->lock);
    workers->work = work;
    workers->context = context;
    workers->count = count;
    atomic_store_explicit(&workers->next, 0, memory_order_relaxed);
    workers->wanted = workers->inside = wanted;
    workers->loop++;
    pthread_cond_broadcast(&workers->announced);
    pthread_mutex_unlock(&workers->lock);
    take_turns(workers, 0);
    pthread_mutex_lock(&workers->lock);
    while (workers->inside > 0) pthread_cond_wait(&workers->left, &workers->lock);
    pthread_mutex_unlock(&workers->lock);
}
