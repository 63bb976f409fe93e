// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "base/workers.h"
#include "support/check.h"

enum { TURNS_MOST = 300, HELPERS_MOST = 4 };

typedef struct job {
    int done[TURNS_MOST]; ///< how often a turn was taken
    int busy[HELPERS_MOST + 1];
    double value[TURNS_MOST];
    double scratch[HELPERS_MOST + 1][64];
} job;

/// Uses the memory of its worker as if it were alone with it.
static void work(void* context, int turn, int who) {
    job* j = context;
    double* scratch = j->scratch[who];
    j->busy[who]++;
    for (int k = 0; k < 64; k++) scratch[k] = turn + k;
    double sum = 0;
    for (int k = 0; k < 64; k++) sum += sqrt(scratch[k]);
    j->done[turn]++;
    j->value[turn] = sum;
    j->busy[who]--;
}

static void every_turn_is_taken_once_whoever_helps(void** state) {
    (void)state;
    static job alone, together;
    memset(&alone, 0, sizeof alone);
    sni_workers_run(NULL, 9, work, &alone, TURNS_MOST);
    for (int threads = 0; threads <= HELPERS_MOST; threads++) {
        sni_workers* workers = sni_workers_create(threads);
        assert_non_null(workers);
        for (int loop = 0; loop < 200; loop++) {
            int count = loop * 7 % TURNS_MOST, helpers = loop % (HELPERS_MOST + 2);
            memset(&together, 0, sizeof together);
            sni_workers_run(workers, helpers, work, &together, count);
            for (int i = 0; i < TURNS_MOST; i++) {
                assert_int_equal(together.done[i], i < count);
                if (i < count) assert_true(together.value[i] == alone.value[i]);
            }
        }
        sni_workers_free(workers);
    }
}

static void loops_follow_each_other_at_once(void** state) {
    (void)state;
    static job j;
    sni_workers* workers = sni_workers_create(2);
    memset(&j, 0, sizeof j);
    for (int loop = 0; loop < 5000; loop++) sni_workers_run(workers, 2, work, &j, 3);
    for (int i = 0; i < 3; i++) assert_int_equal(j.done[i], 5000);
    sni_workers_free(workers);
}

static void no_turns_and_no_helpers_are_fine(void** state) {
    (void)state;
    static job j;
    sni_workers* workers = sni_workers_create(1);
    memset(&j, 0, sizeof j);
    sni_workers_run(workers, 1, work, &j, 0);
    sni_workers_run(workers, 0, work, &j, 2);
    assert_int_equal(j.done[0] + j.done[1], 2);
    sni_workers_free(workers);
    sni_workers_free(NULL); // as free
    assert_null(sni_workers_create(-1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_turn_is_taken_once_whoever_helps),
        cmocka_unit_test(loops_follow_each_other_at_once),
        cmocka_unit_test(no_turns_and_no_helpers_are_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
