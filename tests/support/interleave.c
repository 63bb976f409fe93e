// SPDX-License-Identifier: Apache-2.0
#include "support/interleave.h"

#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

enum { STACK = 1 << 16, CHOICES_MOST = 64 };

/// The run that goes on.
typedef struct schedule {
    const interleaved* sides;
    ucontext_t scheduler, at[2];
    bool ended[2];
    int turn;                  ///< side that runs
    bool choice[CHOICES_MOST]; ///< side that was chosen where both could go on
    int count, known;          ///< choices made, and given before the run
} schedule;

static schedule* now; ///< one at a time

bool interleave_works(void) {
#if defined(__SANITIZE_THREAD__)
    return false;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
    return false;
#else
    return true;
#endif
#else
    return true;
#endif
}

void interleave_point(void) {
    if (now) swapcontext(&now->at[now->turn], &now->scheduler);
}

void interleave_load(memory_order order) {
    if (now && (order != memory_order_relaxed || now->sides->relaxed_too)) interleave_point();
}

static void run_side(void) {
    now->sides->side[now->turn](now->sides->context);
    now->ended[now->turn] = true;
}

static int choose(schedule* s) {
    if (s->ended[0] || s->ended[1]) return s->ended[0];
    if (s->count == CHOICES_MOST) abort(); // sides that long have too many schedules to try
    if (s->count == s->known) s->choice[s->known++] = false;
    return s->choice[s->count++];
}

static void prepare(schedule* s, int side, char* stack) {
    ucontext_t* at = &s->at[side];
    getcontext(at);
    at->uc_stack.ss_sp = stack;
    at->uc_stack.ss_size = STACK;
    at->uc_link = &s->scheduler;
    makecontext(at, run_side, 0);
    s->ended[side] = false;
}

static void run(schedule* s, char* stacks) {
    s->count = 0;
    prepare(s, 0, stacks);
    prepare(s, 1, stacks + STACK);
    now = s;
    while (!s->ended[0] || !s->ended[1]) {
        s->turn = choose(s);
        swapcontext(&s->scheduler, &s->at[s->turn]);
    }
    now = NULL;
}

/// The next schedule in the order of its choices; false past the last.
static bool advance(schedule* s) {
    s->known = s->count;
    while (s->known > 0 && s->choice[s->known - 1]) s->known--;
    if (s->known == 0) return false;
    s->choice[s->known - 1] = true;
    return true;
}

static void print_choices(const schedule* s) {
    fputs("the schedule: ", stderr);
    for (int k = 0; k < s->count; k++) fputc(s->choice[k] ? '1' : '0', stderr);
    fputc('\n', stderr);
}

long interleave_all(const interleaved* sides) {
    schedule s = {.sides = sides};
    char* stacks = malloc(2 * STACK);
    if (!stacks) abort();
    long count = 0;
    bool good = true;
    do {
        sides->begin(sides->context);
        run(&s, stacks);
        good = sides->good(sides->context);
        count++;
    } while (good && advance(&s));
    free(stacks);
    if (!good) print_choices(&s);
    return good ? count : -1;
}
