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
    void (*work)(void* context);
    void* context;
};

static void* run(void* context) {
    const sni_thread* thread = context;
    thread->work(thread->context);
    return NULL;
}

sni_thread* sni_thread_start(void (*work)(void* context), void* context) {
    sni_thread* thread = malloc(sizeof *thread);
    if (!thread) return NULL;
    thread->work = work;
    thread->context = context;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); // the new thread begins with this mask
    int failed = pthread_create(&thread->thread, NULL, run, thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!failed) return thread;
    free(thread);
    return NULL;
}

void sni_thread_join(sni_thread* thread) {
    if (!thread) return;
    pthread_join(thread->thread, NULL);
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
