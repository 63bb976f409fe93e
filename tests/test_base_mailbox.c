// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <string.h>

#include "base/mailbox.h"
#include "support/check.h"

static void the_first_fetch_finds_nothing_fresh(void** state) {
    (void)state;
    sni_mailbox box;
    bool fresh = true;
    sni_mailbox_init(&box);
    sni_mailbox_fetch(&box, &fresh);
    assert_false(fresh);
}

static void the_reader_gets_the_latest_value_and_keeps_it(void** state) {
    (void)state;
    sni_mailbox box;
    int slot[SN_MAILBOX_SLOTS] = {0};
    bool fresh;
    sni_mailbox_init(&box);
    for (int value = 1; value <= 3; value++) {
        slot[sni_mailbox_back(&box)] = value;
        sni_mailbox_publish(&box);
    }
    assert_int_equal(slot[sni_mailbox_fetch(&box, &fresh)], 3);
    assert_true(fresh);
    assert_int_equal(slot[sni_mailbox_fetch(&box, &fresh)], 3);
    assert_false(fresh);
}

// Writer and reader each do one atomic exchange per call, so every interleaving of two threads is a
// sequence of publishes and fetches. All sequences of 12 calls are tried: the three slots stay apart
// and what the reader holds is the newest value published before its fetch.
static void every_interleaving_keeps_slots_apart_and_values_newest(void** state) {
    (void)state;
    enum { CALLS = 12 };
    for (unsigned order = 0; order < 1u << CALLS; order++) {
        sni_mailbox box;
        int slot[SN_MAILBOX_SLOTS] = {0}, newest = 0;
        sni_mailbox_init(&box);
        for (int call = 0; call < CALLS; call++) {
            if (order >> call & 1) {
                slot[sni_mailbox_back(&box)] = ++newest;
                sni_mailbox_publish(&box);
            } else {
                bool fresh;
                unsigned front = sni_mailbox_fetch(&box, &fresh);
                assert_int_equal(slot[front], newest);
            }
            unsigned middle = atomic_load(&box.middle) & 3u;
            assert_int_equal(1u << box.back | 1u << middle | 1u << box.front, 7);
        }
    }
}

// ---- two real threads -------------------------------------------------------------------------------

enum { WORDS = 64, PUBLISHES = 20000 };

typedef struct shared {
    sni_mailbox box;
    int slot[SN_MAILBOX_SLOTS][WORDS];
} shared;

static void* write_all(void* context) {
    shared* s = context;
    for (int value = 1; value <= PUBLISHES; value++) {
        int* words = s->slot[sni_mailbox_back(&s->box)];
        for (int i = 0; i < WORDS; i++) words[i] = value;
        sni_mailbox_publish(&s->box);
    }
    return NULL;
}

static void a_value_is_never_torn_and_never_older_than_the_last(void** state) {
    (void)state;
    static shared s;
    pthread_t writer;
    sni_mailbox_init(&s.box);
    assert_int_equal(pthread_create(&writer, NULL, write_all, &s), 0);
    for (int last = 0; last < PUBLISHES;) {
        const int* words = s.slot[sni_mailbox_fetch(&s.box, NULL)];
        assert_true(words[0] >= last);
        for (int i = 1; i < WORDS; i++) assert_int_equal(words[i], words[0]);
        last = words[0];
    }
    pthread_join(writer, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_fetch_finds_nothing_fresh),
        cmocka_unit_test(the_reader_gets_the_latest_value_and_keeps_it),
        cmocka_unit_test(every_interleaving_keeps_slots_apart_and_values_newest),
        cmocka_unit_test(a_value_is_never_torn_and_never_older_than_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
