// SPDX-License-Identifier: Apache-2.0
// What passes between threads, in every order of the atomic operations of its two sides: mailbox, ring, stream.
#include "support/interleave.h"
// after it: atomic operations of these are the points of schedules
#include "base/mailbox.h"
#include "base/ring.h"
#include "base/stream.h"

#include "support/check.h"

// ---- mailbox --------------------------------------------------------------------------------------------

enum { VALUES = 3, FETCHES = 3 };

typedef struct letters {
    sni_mailbox box;
    int slot[SN_MAILBOX_SLOTS];
    int published, last;
    bool wrong;
} letters;

static void begin_letters(void* context) {
    letters* l = context;
    *l = (letters){0};
    sni_mailbox_init(&l->box);
}

static void publish_values(void* context) {
    letters* l = context;
    for (int value = 1; value <= VALUES; value++) {
        l->slot[sni_mailbox_back(&l->box)] = -value; // half written
        interleave_point();
        l->slot[sni_mailbox_back(&l->box)] = value;
        sni_mailbox_publish(&l->box);
        l->published = value;
    }
}

/// What is fetched is whole, stays as long as it is looked at, and is none older than what was published before.
static void fetch_values(void* context) {
    letters* l = context;
    for (int k = 0; k < FETCHES; k++) {
        int least = l->published;
        bool fresh;
        unsigned front = sni_mailbox_fetch(&l->box, &fresh);
        int value = l->slot[front];
        if (value < least || value < l->last || fresh != (value > l->last)) l->wrong = true;
        l->last = value;
        interleave_point();
        if (l->slot[front] != value) l->wrong = true;
    }
}

static bool letters_are_good(void* context) {
    letters* l = context;
    unsigned front = sni_mailbox_fetch(&l->box, NULL);
    return !l->wrong && l->slot[front] == VALUES;
}

static void every_interleaving_of_a_mailbox_gives_the_newest_value_whole(void** state) {
    (void)state;
    if (!interleave_works()) skip();
    letters l;
    interleaved sides = {begin_letters, {publish_values, fetch_values}, letters_are_good, &l, true};
    CHECK(interleave_all(&sides) > 1000, 0);
}

// ---- ring -----------------------------------------------------------------------------------------------

enum { RING = 2, PUTS = 4, TAKES = 5 };

typedef struct records {
    sni_ring ring;
    sni_arena arena;
    int sent[PUTS], sent_count, taken;
    bool wrong;
} records;

static void begin_records(void* context) {
    records* r = context;
    r->arena.used = 0;
    sni_ring_layout(&r->ring, &r->arena, RING, sizeof(int));
    r->sent_count = r->taken = 0;
    r->wrong = false;
}

/// The other side may see a record before its writer has returned: it is noted before.
static void put_records(void* context) {
    records* r = context;
    for (int k = 0; k < PUTS; k++) {
        int value = 100 + k;
        r->sent[r->sent_count++] = value;
        if (!sni_ring_put(&r->ring, &value)) r->sent_count--;
    }
}

static void take_one(records* r) {
    int value;
    if (!sni_ring_take(&r->ring, &value)) return;
    if (r->taken >= r->sent_count || value != r->sent[r->taken]) r->wrong = true;
    r->taken++;
}

static void take_records(void* context) {
    for (int k = 0; k < TAKES; k++) take_one(context);
}

static bool records_are_good(void* context) {
    records* r = context;
    for (int k = 0; k < RING; k++) take_one(r);
    return !r->wrong && r->taken == r->sent_count && r->taken >= RING;
}

static void every_interleaving_of_a_ring_passes_records_once_and_in_order(void** state) {
    (void)state;
    if (!interleave_works()) skip();
    records r = {0};
    sni_ring_layout(&r.ring, &r.arena, RING, sizeof(int));
    assert_true(sni_arena_allocate(&r.arena));
    interleaved sides = {begin_records, {put_records, take_records}, records_are_good, &r, false};
    CHECK(interleave_all(&sides) > 1000, 0);
    sni_arena_free(&r.arena);
}

// ---- the test itself ------------------------------------------------------------------------------------

/// Adds one to a number that both have: a load and a store, between which the other side may go.
typedef struct counter {
    atomic_int value;
} counter;

static void begin_counter(void* context) { atomic_init(&((counter*)context)->value, 0); }

static void count_badly(void* context) {
    counter* c = context;
    int value = atomic_load_explicit(&c->value, memory_order_relaxed);
    atomic_store_explicit(&c->value, value + 1, memory_order_relaxed);
}

static bool both_counted(void* context) { return ((counter*)context)->value == 2; }
static bool anything(void* context) { return context != NULL; }

static void a_lost_update_is_found_and_schedules_are_all_there(void** state) {
    (void)state;
    if (!interleave_works()) skip();
    counter c;
    interleaved sides = {begin_counter, {count_badly, count_badly}, both_counted, &c, true};
    CHECK(interleave_all(&sides) == -1, 0);
    sides.good = anything;
    // three pieces each, before, between and after two operations: 6! / (3! 3!) orders
    CHECK(interleave_all(&sides) == 20, 0);
}

// ---- stream -------------------------------------------------------------------------------------------

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

enum { SCRIPT_MOST = 6, LOOKS = 6 };

/// Messages by size; -1: what was begun since the last publish is taken back, -2: it is published.
typedef struct play {
    sni_stream stream;
    sni_arena arena;
    size_t capacity;
    int script[SCRIPT_MOST + 1]; ///< ends with -3
    uint32_t sent[SCRIPT_MOST];  ///< published, in order
    int sent_count;
    int taken;
    bool wrong;
} play;

/// A message that does not fit is dropped, as a recorder drops a step.
static void write_script(void* context) {
    play* p = context;
    unsigned char bytes[64];
    uint32_t begun[SCRIPT_MOST];
    int count = 0;
    for (uint32_t k = 0; p->script[k] != -3; k++) {
        int what = p->script[k];
        if (what == -1) {
            sni_stream_cancel(&p->stream);
            count = 0;
        } else if (what == -2) {
            for (int i = 0; i < count; i++) p->sent[p->sent_count++] = begun[i];
            count = 0;
            sni_stream_publish(&p->stream);
        } else if (sni_stream_begin(&p->stream, k, (uint32_t)what, 0)) {
            fill(bytes, k, (size_t)what);
            sni_stream_add(&p->stream, bytes, (size_t)what);
            begun[count++] = k;
        }
    }
}

/// Takes what there is; sees only what was published, in order.
static void take_some(play* p, int looks) {
    for (int k = 0; k < looks; k++) {
        sni_message message;
        unsigned char bytes[64];
        if (!sni_stream_look(&p->stream, &message)) continue;
        if (p->taken >= p->sent_count || message.kind != p->sent[p->taken] ||
            message.size != (uint32_t)p->script[message.kind]) {
            p->wrong = true;
            return;
        }
        sni_stream_copy(&p->stream, &message, bytes);
        if (!is_right(bytes, message.kind, message.size)) p->wrong = true;
        sni_stream_release(&p->stream);
        p->taken++;
    }
}

static void read_some(void* context) { take_some(context, LOOKS); }

static void begin_play(void* context) {
    play* p = context;
    p->arena.used = 0;
    sni_stream_layout(&p->stream, &p->arena, p->capacity);
    p->sent_count = p->taken = 0;
    p->wrong = false;
}

static bool is_good(void* context) {
    play* p = context;
    if (!p->wrong) take_some(p, SCRIPT_MOST); // the rest
    return !p->wrong && p->taken == p->sent_count;
}

static void every_interleaving_passes_messages_whole_and_in_order(void** state) {
    (void)state;
    if (!interleave_works()) skip();
    static const struct {
        size_t capacity;
        int script[SCRIPT_MOST + 1];
    } plays[] = {
        {32, {8, -2, 5, -2, 16, -2, -3}}, // the third waits for room, and wraps
        {20, {1, -2, 12, -2, 3, -2, -3}}, // one at a time
        {40, {4, 7, -2, 9, 2, -2, -3}},   // two at once
        {40, {4, -2, 9, -1, 8, -2, -3}},  // one taken back
        {16, {0, 0, -2, 0, 0, -2, -3}},   // nothing but heads
    };
    for (size_t k = 0; k < sizeof plays / sizeof *plays; k++) {
        play p = {.capacity = plays[k].capacity};
        sni_stream_layout(&p.stream, &p.arena, p.capacity);
        assert_true(sni_arena_allocate(&p.arena));
        memcpy(p.script, plays[k].script, sizeof p.script);
        interleaved sides = {begin_play, {write_script, read_some}, is_good, &p, false};
        long tried = interleave_all(&sides);
        CHECK(tried > 100, (uint64_t)k); // -1: wrong
        sni_arena_free(&p.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lost_update_is_found_and_schedules_are_all_there),
        cmocka_unit_test(every_interleaving_of_a_mailbox_gives_the_newest_value_whole),
        cmocka_unit_test(every_interleaving_of_a_ring_passes_records_once_and_in_order),
        cmocka_unit_test(every_interleaving_passes_messages_whole_and_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
