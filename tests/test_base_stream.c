// SPDX-License-Identifier: Apache-2.0
// Messages come out as they went in, whole and in order, whatever their sizes and wherever the ring wraps. Every
// order of the two sides: test_base_interleave.c.
#include "base/stream.h"

#include <pthread.h>
#include <sched.h>

#include "support/check.h"

typedef struct held {
    sni_stream stream;
    sni_arena arena;
} held;

static void held_make(held* h, size_t capacity) {
    *h = (held){0};
    sni_stream_layout(&h->stream, &h->arena, capacity);
    assert_true(sni_arena_allocate(&h->arena));
    sni_stream_layout(&h->stream, &h->arena, capacity);
}

/// Byte k of message number n.
static unsigned char byte_of(uint32_t n, size_t k) { return (unsigned char)(31 * n + 7 * k + 1); }

static void fill(unsigned char* bytes, uint32_t number, size_t size) {
    for (size_t k = 0; k < size; k++) bytes[k] = byte_of(number, k);
}

static bool is_right(const unsigned char* bytes, uint32_t number, size_t size) {
    for (size_t k = 0; k < size; k++)
        if (bytes[k] != byte_of(number, k)) return false;
    return true;
}

// ---- one thread -------------------------------------------------------------------------------------------

static void messages_of_all_sizes_come_out_at_every_place_of_the_ring(void** state) {
    (void)state;
    enum { CAPACITY = 61 }; // a prime: every place is a beginning
    held h;
    unsigned char bytes[CAPACITY], back[CAPACITY];
    held_make(&h, CAPACITY);
    uint32_t number = 0;
    for (uint32_t size = 0; size + sizeof(sni_message) <= CAPACITY; size++) {
        for (int turn = 0; turn < CAPACITY; turn++, number++) {
            sni_message message = {0};
            fill(bytes, number, size);
            assert_true(sni_stream_begin(&h.stream, number, size, 0));
            sni_stream_add(&h.stream, bytes, size / 2);
            sni_stream_add(&h.stream, bytes + size / 2, size - size / 2);
            assert_false(sni_stream_look(&h.stream, &message)); // not before it is published
            sni_stream_publish(&h.stream);
            assert_true(sni_stream_look(&h.stream, &message));
            assert_true(message.kind == number && message.size == size);
            sni_stream_copy(&h.stream, &message, back);
            assert_true(is_right(back, number, size));
            sni_stream_release(&h.stream);
            assert_false(sni_stream_look(&h.stream, &message));
        }
    }
    sni_arena_free(&h.arena);
}

static void a_full_stream_refuses_and_loses_nothing(void** state) {
    (void)state;
    held h;
    sni_message message;
    held_make(&h, 64);
    assert_false(sni_stream_begin(&h.stream, 0, 57, 0)); // never
    assert_false(sni_stream_begin(&h.stream, 0, 48, 9)); // not with so much to spare
    for (uint32_t k = 0; k < 4; k++) {
        uint64_t number = k;
        assert_true(sni_stream_begin(&h.stream, k, sizeof number, 0));
        sni_stream_add(&h.stream, &number, sizeof number);
    }
    assert_false(sni_stream_begin(&h.stream, 4, 0, 0));
    sni_stream_publish(&h.stream);
    for (uint32_t k = 0; k < 4; k++) {
        uint64_t number;
        assert_true(sni_stream_look(&h.stream, &message));
        assert_int_equal(message.kind, k);
        sni_stream_copy(&h.stream, &message, &number);
        assert_int_equal(number, k);
        sni_stream_release(&h.stream);
        assert_true(sni_stream_begin(&h.stream, 9, 8, 0)); // the place is free again
        sni_stream_cancel(&h.stream);
    }
    assert_false(sni_stream_look(&h.stream, &message));
    sni_arena_free(&h.arena);
}

static void what_is_cancelled_was_never_there(void** state) {
    (void)state;
    held h;
    sni_message message;
    held_make(&h, 64);
    for (int turn = 0; turn < 20; turn++) {
        size_t place = sni_stream_place(&h.stream);
        assert_true(sni_stream_begin(&h.stream, 1, 30, 0));
        sni_stream_cancel(&h.stream);
        assert_true(sni_stream_place(&h.stream) == place);
        assert_true(sni_stream_begin(&h.stream, 2, 3, 0));
        sni_stream_add(&h.stream, "abc", 3);
        sni_stream_publish(&h.stream);
        place = sni_stream_place(&h.stream);
        assert_true(sni_stream_look(&h.stream, &message) && message.kind == 2);
        assert_false(sni_stream_has_passed(&h.stream, place));
        sni_stream_release(&h.stream);
        assert_true(sni_stream_has_passed(&h.stream, place));
    }
    sni_arena_free(&h.arena);
}

// ---- two real threads -----------------------------------------------------------------------------------------

enum { MESSAGES = 30000, LONGEST = 300, RING = 1021 };

/// Its length.
static uint32_t length_of(uint32_t number) { return number * 2654435761u % LONGEST; }

static void* write_all(void* context) {
    sni_stream* stream = context;
    unsigned char bytes[LONGEST];
    for (uint32_t k = 0; k < MESSAGES; k++) {
        uint32_t size = length_of(k);
        fill(bytes, k, size);
        while (!sni_stream_begin(stream, k, size, 0)) {
            sni_stream_publish(stream);
            sched_yield();
        }
        sni_stream_add(stream, bytes, size / 3);
        sni_stream_add(stream, bytes + size / 3, size - size / 3);
        if (k % 3 == 0) sni_stream_publish(stream);
    }
    sni_stream_publish(stream);
    return NULL;
}

static void two_threads_pass_every_message_once(void** state) {
    (void)state;
    held h;
    pthread_t writer;
    unsigned char bytes[LONGEST];
    held_make(&h, RING);
    assert_int_equal(pthread_create(&writer, NULL, write_all, &h.stream), 0);
    for (uint32_t k = 0; k < MESSAGES;) {
        sni_message message;
        if (!sni_stream_look(&h.stream, &message)) {
            sched_yield();
            continue;
        }
        assert_int_equal(message.kind, k);
        assert_int_equal(message.size, length_of(k));
        sni_stream_copy(&h.stream, &message, bytes);
        assert_true(is_right(bytes, k, message.size));
        sni_stream_release(&h.stream);
        k++;
    }
    pthread_join(writer, NULL);
    sni_arena_free(&h.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_of_all_sizes_come_out_at_every_place_of_the_ring),
        cmocka_unit_test(a_full_stream_refuses_and_loses_nothing),
        cmocka_unit_test(what_is_cancelled_was_never_there),
        cmocka_unit_test(two_threads_pass_every_message_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
