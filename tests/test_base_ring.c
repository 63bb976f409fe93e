// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <sched.h>

#include "base/ring.h"
#include "support/check.h"

enum { CAPACITY = 5, RECORDS = 50000 };

typedef struct record {
    int64_t number, twice;
} record;

typedef struct ring_fixture {
    sni_ring ring;
    sni_arena arena;
} ring_fixture;

static ring_fixture fixture;

static int make_ring(void** state) {
    (void)state;
    sni_ring_layout(&fixture.ring, &fixture.arena, CAPACITY, sizeof(record));
    if (!sni_arena_allocate(&fixture.arena)) return -1;
    sni_ring_layout(&fixture.ring, &fixture.arena, CAPACITY, sizeof(record));
    return 0;
}

static int free_ring(void** state) {
    (void)state;
    sni_arena_free(&fixture.arena);
    return 0;
}

static void records_come_out_in_order_across_many_turns(void** state) {
    (void)state;
    sni_ring* ring = &fixture.ring;
    int64_t in = 0, out = 0;
    record r;
    assert_false(sni_ring_take(ring, &r));
    for (int turn = 0; turn < 20; turn++) {
        for (int k = 0; k < 1 + turn % CAPACITY; k++, in++) {
            record put = {in, 2 * in};
            assert_true(sni_ring_put(ring, &put));
        }
        while (sni_ring_take(ring, &r)) {
            assert_int_equal(r.number, out);
            assert_int_equal(r.twice, 2 * out);
            out++;
        }
        assert_int_equal(in, out);
    }
}

static void a_full_ring_refuses_and_loses_nothing(void** state) {
    (void)state;
    sni_ring* ring = &fixture.ring;
    record r = {0, 0};
    for (r.number = 0; r.number < CAPACITY; r.number++) assert_true(sni_ring_put(ring, &r));
    assert_false(sni_ring_put(ring, &r));
    for (int64_t k = 0; k < CAPACITY; k++) {
        assert_true(sni_ring_take(ring, &r));
        assert_int_equal(r.number, k);
    }
    assert_false(sni_ring_take(ring, &r));
}

static void* write_all(void* context) {
    for (int64_t k = 0; k < RECORDS; k++) {
        record r = {k, 2 * k};
        while (!sni_ring_put(context, &r)) sched_yield();
    }
    return NULL;
}

static void two_threads_pass_every_record_once(void** state) {
    (void)state;
    pthread_t writer;
    assert_int_equal(pthread_create(&writer, NULL, write_all, &fixture.ring), 0);
    for (int64_t k = 0; k < RECORDS;) {
        record r;
        if (!sni_ring_take(&fixture.ring, &r)) {
            sched_yield();
            continue;
        }
        assert_int_equal(r.number, k);
        assert_int_equal(r.twice, 2 * k);
        k++;
    }
    pthread_join(writer, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(records_come_out_in_order_across_many_turns, make_ring,
                                        free_ring),
        cmocka_unit_test_setup_teardown(a_full_ring_refuses_and_loses_nothing, make_ring,
                                        free_ring),
        cmocka_unit_test_setup_teardown(two_threads_pass_every_record_once, make_ring, free_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
