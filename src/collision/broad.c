// SPDX-License-Identifier: Apache-2.0
// Sweep and prune, made anew for every find: boxes are sorted into slabs, and rows of neighbouring slabs swept
// together. That costs less than keeping an order good while everything moves.
#include "collision/broad.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "collision/slabs.h"

enum { SCANS = 8 }; // questions answered from the boxes before slabs are made for more

/// What is made when somebody asks, also through a const sni_broad.
typedef struct broad_work {
    sni_slabs slabs;
    uint64_t* mark; ///< one bit a box
    bool stale;     ///< boxes were set since slabs were made
    int32_t scans;  ///< questions since then
} broad_work;

struct sni_broad {
    int32_t boxes;
    sni_box* box;         ///< [boxes] NaN: is not there, and overlaps nothing
    bool* still;          ///< [boxes]
    int32_t* partners;    ///< [boxes] of each box, as the smaller one of a pair
    int32_t* begin;       ///< [boxes + 1] where its pairs begin
    sni_near_pair* spare; ///< [spare_pairs] to sort by way of
    broad_work* work;
};

/// More pairs than that are sorted where they are, several times slower.
static int32_t spare_pairs(int32_t boxes) { return boxes < INT32_MAX / 16 ? 16 * boxes : boxes; }

static sni_box nowhere(void) {
    return (sni_box){sn_vec3_make(NAN, NAN, NAN), sn_vec3_make(NAN, NAN, NAN)};
}

sni_broad* sni_broad_layout(sni_arena* arena, int32_t boxes) {
    sni_broad* broad = SN_ARENA_ARRAY(arena, sni_broad, 1);
    sni_broad b = {.boxes = boxes};
    b.work = SN_ARENA_ARRAY(arena, broad_work, 1);
    b.box = SN_ARENA_ARRAY(arena, sni_box, boxes);
    b.still = SN_ARENA_ARRAY(arena, bool, boxes);
    b.partners = SN_ARENA_ARRAY(arena, int32_t, boxes);
    b.begin = SN_ARENA_ARRAY(arena, int32_t, (size_t)boxes + 1);
    b.spare = SN_ARENA_ARRAY(arena, sni_near_pair, spare_pairs(boxes));
    uint64_t* mark = SN_ARENA_ARRAY(arena, uint64_t, (size_t)boxes / 64 + 1);
    sni_slabs slabs = {0};
    sni_slabs_layout(&slabs, arena, boxes);
    if (!broad) return NULL;
    for (int32_t k = 0; k < boxes; k++) b.box[k] = nowhere();
    b.work->slabs = slabs;
    b.work->mark = mark;
    b.work->stale = true;
    *broad = b;
    return broad;
}

void sni_broad_set(sni_broad* broad, int32_t k, const sni_box* box) {
    SN_ASSERT(k >= 0 && k < broad->boxes);
    broad->box[k] = sni_box_is_there(box) ? *box : nowhere();
    broad->work->stale = true;
}

void sni_broad_still(sni_broad* broad, int32_t k, bool still) { broad->still[k] = still; }

static const sni_slabs* slabs_now(const sni_broad* broad) {
    broad_work* work = broad->work;
    if (work->stale) {
        sni_slabs_make(&work->slabs, broad->box, broad->boxes);
        work->stale = false;
        work->scans = 0;
    }
    return &work->slabs;
}

// ---- pairs ----------------------------------------------------------------------------------------------

typedef struct pair_search {
    const sni_broad* broad;
    const sni_slabs* slabs;
    bool (*wanted)(const void* context, int32_t a, int32_t b);
    const void* context;
    sni_near_pair* out;
    int32_t most;
    int32_t limit; ///< only pairs with a below this are looked for
    int64_t found;
} pair_search;

static bool is_wanted(const pair_search* s, int32_t a, int32_t b) {
    return !(s->broad->still[a] && s->broad->still[b]) &&
           (!s->wanted || s->wanted(s->context, a, b));
}

static void offer(pair_search* s, int32_t i, int32_t j) {
    int32_t a = i < j ? i : j, b = i < j ? j : i;
    if (a >= s->limit || !sni_box_overlap(&s->broad->box[a], &s->broad->box[b])) return;
    if (!is_wanted(s, a, b)) return;
    if (s->found < s->most) s->out[s->found] = (sni_near_pair){a, b};
    s->found++;
    s->broad->partners[a]++;
}

/// Pairs of a box with ends e and those at places from `from` to `end` of one row.
static inline void scan(pair_search* s, int32_t box, const sni_ends* e, int32_t from, int32_t end) {
    bool more = true;
    for (int32_t place = from; more && place < end; place += SNI_SLABS_SCAN) {
        unsigned some = sni_slabs_scan(s->slabs, place, e, &more);
        if (end - place < SNI_SLABS_SCAN) some &= ~(~0u << (end - place));
        for (; some; some &= some - 1) offer(s, box, s->slabs->box[place + __builtin_ctz(some)]);
    }
}

/// Pairs of two boxes of one row.
static void sweep_row(pair_search* s, int32_t row) {
    int32_t end = s->slabs->first[row + 1];
    for (int32_t i = s->slabs->first[row]; i < end; i++) {
        sni_ends e = sni_slabs_at(s->slabs, i);
        scan(s, s->slabs->box[i], &e, i + 1, end);
    }
}

/// Pairs of boxes of two rows.
static void sweep_rows(pair_search* s, int32_t row, int32_t other) {
    int32_t end = s->slabs->first[row + 1], other_end = s->slabs->first[other + 1];
    int32_t from = s->slabs->first[other];
    for (int32_t i = s->slabs->first[row]; i < end; i++) {
        sni_ends e = sni_slabs_at(s->slabs, i);
        float reach = sni_slabs_reach(s->slabs, other, e.low[0]);
        while (from < other_end && s->slabs->low[0][from] < reach) from++;
        if (from == other_end) break;
        scan(s, s->slabs->box[i], &e, from, other_end);
    }
}

/// Pairs of one wide box and one that is not.
static void sweep_wide(pair_search* s) {
    const sni_slabs* slabs = s->slabs;
    int32_t first, last;
    for (int32_t i = slabs->first[SNI_SLABS_WIDE]; i < slabs->count; i++) {
        sni_ends e = sni_slabs_at(slabs, i);
        sni_slabs_reached(slabs, &s->broad->box[slabs->box[i]], &first, &last);
        for (int32_t row = first; row <= last; row++)
            if (slabs->first[row] < slabs->first[row + 1])
                scan(s, slabs->box[i], &e, sni_slabs_seek(slabs, row, e.low[0]),
                     slabs->first[row + 1]);
    }
}

static void search_all(pair_search* s) {
    memset(s->broad->partners, 0, (size_t)s->broad->boxes * sizeof *s->broad->partners);
    s->found = 0;
    for (int32_t row = 0; row < SNI_SLABS; row++) {
        sweep_row(s, row);
        if (row + 1 < SNI_SLABS) sweep_rows(s, row, row + 1);
    }
    sweep_row(s, SNI_SLABS_WIDE);
    sweep_wide(s);
}

// ---- order ----------------------------------------------------------------------------------------------

static void sift_down(sni_near_pair* heap, int32_t at, int32_t n) {
    sni_near_pair moved = heap[at];
    for (int32_t child = 2 * at + 1; child < n; child = 2 * at + 1) {
        if (child + 1 < n && heap[child + 1].b > heap[child].b) child++;
        if (heap[child].b <= moved.b) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

/// Pairs of one a by b, as a heap.
static void sort_by_b(sni_near_pair* pair, int32_t n) {
    for (int32_t at = n / 2 - 1; at >= 0; at--) sift_down(pair, at, n);
    for (int32_t last = n - 1; last > 0; last--) {
        sni_near_pair top = pair[0];
        pair[0] = pair[last];
        pair[last] = top;
        sift_down(pair, 0, last);
    }
}

/// Turns counts into where each one's begin; returns their sum.
static int32_t to_places(int32_t* count, int32_t n) {
    int32_t sum = 0;
    for (int32_t k = 0; k < n; k++) {
        int32_t of = count[k];
        count[k] = sum;
        sum += of;
    }
    return sum;
}

/// Puts n pairs in order, by b into spare memory and by a back. `partners` counts them.
static void sort_by_way_of_spare(const sni_broad* broad, sni_near_pair* pair, int32_t n) {
    int32_t* place = broad->begin;
    memset(place, 0, (size_t)broad->boxes * sizeof *place);
    for (int32_t i = 0; i < n; i++) place[pair[i].b]++;
    to_places(place, broad->boxes);
    for (int32_t i = 0; i < n; i++) broad->spare[place[pair[i].b]++] = pair[i];
    to_places(broad->partners, broad->boxes);
    for (int32_t i = 0; i < n; i++) pair[broad->partners[broad->spare[i].a]++] = broad->spare[i];
}

/// Puts pairs in order where they are: each is swapped to the next free place of its a.
static void sort_in_place(const sni_broad* broad, sni_near_pair* pair) {
    int32_t *next = broad->partners, *begin = broad->begin;
    int32_t n = to_places(next, broad->boxes);
    memcpy(begin, next, (size_t)broad->boxes * sizeof *begin);
    begin[broad->boxes] = n;
    for (int32_t a = 0; a < broad->boxes; a++) {
        for (; next[a] < begin[a + 1]; next[a]++) {
            sni_near_pair moved = pair[next[a]];
            while (moved.a != a) {
                sni_near_pair* home = &pair[next[moved.a]++];
                sni_near_pair evicted = *home;
                *home = moved;
                moved = evicted;
            }
            pair[next[a]] = moved;
        }
        sort_by_b(pair + begin[a], begin[a + 1] - begin[a]);
    }
}

static void sort_pairs(const sni_broad* broad, sni_near_pair* pair, int32_t n) {
    if (n <= spare_pairs(broad->boxes))
        sort_by_way_of_spare(broad, pair, n);
    else
        sort_in_place(broad, pair);
}

// ---- marks ----------------------------------------------------------------------------------------------

/// Marks boxes of one row that overlap the given one.
static void mark_row(const sni_broad* broad, const sni_box* box, const sni_ends* e, int32_t row) {
    const sni_slabs* slabs = &broad->work->slabs;
    int32_t end = slabs->first[row + 1];
    if (slabs->first[row] == end) return;
    bool more = true;
    for (int32_t place = sni_slabs_seek(slabs, row, e->low[0]); more && place < end;
         place += SNI_SLABS_SCAN) {
        unsigned some = sni_slabs_scan(slabs, place, e, &more);
        if (end - place < SNI_SLABS_SCAN) some &= ~(~0u << (end - place));
        for (; some; some &= some - 1) {
            int32_t k = slabs->box[place + __builtin_ctz(some)];
            if (sni_box_overlap(&broad->box[k], box)) broad->work->mark[k / 64] |= 1ull << (k % 64);
        }
    }
}

static void mark_overlapping(const sni_broad* broad, const sni_box* box) {
    const sni_slabs* slabs = slabs_now(broad);
    memset(broad->work->mark, 0, ((size_t)broad->boxes / 64 + 1) * sizeof *broad->work->mark);
    sni_ends e = sni_slabs_ends(slabs, box);
    int32_t first, last;
    sni_slabs_reached(slabs, box, &first, &last);
    for (int32_t row = first; row <= last; row++) mark_row(broad, box, &e, row);
    mark_row(broad, box, &e, SNI_SLABS_WIDE);
}

/// The marked box after `from`, or the number of boxes.
static int32_t next_marked(const sni_broad* broad, int32_t from) {
    int32_t words = broad->boxes / 64 + 1;
    for (int32_t w = (from + 1) / 64; w < words; w++) {
        uint64_t some = broad->work->mark[w];
        if (w == (from + 1) / 64) some &= ~0ull << ((from + 1) % 64);
        if (some) return 64 * w + __builtin_ctzll(some);
    }
    return broad->boxes;
}

// ---- the door -------------------------------------------------------------------------------------------

/// There are more pairs than room: finds those again that come first, whole partners of whole boxes, and as many of
/// the next box as fit.
static void find_first(pair_search* s) {
    const sni_broad* broad = s->broad;
    int64_t sum = 0;
    int32_t a = 0;
    while (sum + broad->partners[a] <= s->most) sum += broad->partners[a++];
    s->limit = a;
    search_all(s);
    sort_pairs(broad, s->out, (int32_t)s->found);
    mark_overlapping(broad, &broad->box[a]);
    int32_t n = (int32_t)s->found;
    for (int32_t b = next_marked(broad, a); n < s->most; b = next_marked(broad, b))
        if (is_wanted(s, a, b)) s->out[n++] = (sni_near_pair){a, b};
}

int32_t sni_broad_find(sni_broad* broad, bool (*wanted)(const void* context, int32_t a, int32_t b),
                       const void* context, sni_near_pair* out, int32_t most) {
    pair_search s = {broad, slabs_now(broad), wanted, context, out, most, broad->boxes, 0};
    search_all(&s);
    int64_t found = s.found;
    if (found <= most)
        sort_pairs(broad, out, (int32_t)found);
    else
        find_first(&s);
    return found < INT32_MAX ? (int32_t)found : INT32_MAX;
}

int32_t sni_broad_overlapping(const sni_broad* broad, const sni_box* box, int32_t* out,
                              int32_t most) {
    int32_t found = 0;
    if (!sni_box_is_there(box)) return 0;
    if (broad->work->stale && broad->work->scans++ < SCANS) { // not worth slabs yet
        for (int32_t k = 0; k < broad->boxes; k++)
            if (sni_box_overlap(&broad->box[k], box)) {
                if (found < most) out[found] = k;
                found++;
            }
        return found;
    }
    mark_overlapping(broad, box);
    for (int32_t k = next_marked(broad, -1); k < broad->boxes; k = next_marked(broad, k)) {
        if (found < most) out[found] = k;
        found++;
    }
    return found;
}
