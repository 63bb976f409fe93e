// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "base/thread.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

struct sni_thread {
    pthread_t thread;
};

// What a thread begins with; its own to free, because its starter may have left it by then.
typedef struct beginning {
    void (*work)(void* context);
    void* context;
} beginning;

static void* run(void* context) {
    beginning begin = *(beginning*)context;
    free(context);
    begin.work(begin.context);
    return NULL;
}

sni_thread* sni_thread_start(void (*work)(void* context), void* context) {
    sni_thread* thread = malloc(sizeof *thread);
    beginning* begin = malloc(sizeof *begin);
    int failed = 1;
    if (thread && begin) {
        *begin = (beginning){work, context};
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before); // the new thread begins with this mask
        failed = pthread_create(&thread->thread, NULL, run, begin);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    if (!failed) return thread;
    free(begin);
    free(thread);
    return NULL;
}

void sni_thread_join(sni_thread* thread) {
    if (!thread) return;
    pthread_join(thread->thread, NULL);
    free(thread);
}

void sni_thread_leave(sni_thread* thread) {
    pthread_detach(thread->thread);
    free(thread);
}

void sni_thread_rest(int64_t ns) {
    if (ns <= 0) {
        sched_yield();
        return;
    }
    struct timespec time = {.tv_sec = (time_t)(ns / 1000000000),
                            .tv_nsec = (long)(ns % 1000000000)};
    nanosleep(&time, NULL);
}
