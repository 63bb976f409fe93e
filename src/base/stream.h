// SPDX-License-Identifier: Apache-2.0
/// Stream of messages of any length from one writer thread to one reader thread, wait-free on both sides. A full
/// stream refuses the message; nothing is ever overwritten.
///
/// A message is its kind and bytes. The writer begins one, adds its bytes in as many parts as it likes, and may
/// begin more; the reader sees none of them until they are published, all at once. The reader looks at a
/// message, copies its bytes, and lets go of it when it has done with it.
///
/// State machine: `written` and `taken` count bytes since the beginning; taken <= written <= taken + capacity.
/// Bytes [taken, written) belong to the reader, the others to the writer. Only the writer moves `written`, only
/// the reader moves `taken`; each keeps what it last saw of the other, and looks again when that is too little.
#ifndef SN_BASE_STREAM_H
#define SN_BASE_STREAM_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

typedef struct sni_message {
    uint32_t kind;
    uint32_t size; ///< bytes that follow
} sni_message;

typedef struct sni_stream {
    unsigned char* bytes;
    size_t capacity;
    alignas(64) atomic_size_t written; ///< published
    size_t end;                        ///< the writer's: what it has added, published or not
    size_t at;                         ///< the writer's: place of `end` in the ring
    size_t seen_taken;                 ///< the writer's
    alignas(64) atomic_size_t taken;
    size_t next;         ///< the reader's: end of the message it looks at
    size_t seen_written; ///< the reader's
} sni_stream;

static inline void sni_stream_layout(sni_stream* stream, sni_arena* arena, size_t capacity) {
    stream->bytes = sni_arena_take(arena, capacity, 1);
    stream->capacity = capacity;
    atomic_init(&stream->written, 0);
    atomic_init(&stream->taken, 0);
    stream->end = stream->at = stream->seen_taken = stream->next = stream->seen_written = 0;
}

// ---- thread: writer. Realtime: yes ------------------------------------------------------------------------

/// Whether `size` more bytes fit.
static inline bool sni_stream_has_room(sni_stream* stream, size_t size) {
    if (size > stream->capacity) return false;
    size_t most = stream->capacity - size;
    if (stream->end - stream->seen_taken <= most) return true;
    stream->seen_taken = atomic_load_explicit(&stream->taken, memory_order_acquire);
    return stream->end - stream->seen_taken <= most;
}

/// Continues a message that was begun; never more than its size.
static inline void sni_stream_add(sni_stream* stream, const void* bytes, size_t size) {
    if (size == 0) return;
    size_t first = stream->capacity - stream->at;
    stream->end += size;
    if (size < first) {
        memcpy(stream->bytes + stream->at, bytes, size);
        stream->at += size;
        return;
    }
    memcpy(stream->bytes + stream->at, bytes, first);
    stream->at = size - first;
    if (stream->at > 0) memcpy(stream->bytes, (const unsigned char*)bytes + first, stream->at);
}

/// Begins a message of `size` bytes; false, nothing begun, when there is no room for all of it and `spare` bytes.
static inline bool sni_stream_begin(sni_stream* stream, uint32_t kind, uint32_t size,
                                    size_t spare) {
    sni_message message = {kind, size};
    if (!sni_stream_has_room(stream, sizeof message + size + spare)) return false;
    sni_stream_add(stream, &message, sizeof message);
    return true;
}

/// Hands everything over that was added.
static inline void sni_stream_publish(sni_stream* stream) {
    atomic_store_explicit(&stream->written, stream->end, memory_order_release);
}

/// About `size` bytes will be added soon: they are fetched to be written while there is other work. A hint.
static inline void sni_stream_expect(const sni_stream* stream, size_t size) {
    enum { LINE = 64 };
    for (size_t k = 0; k < size && stream->at + k < stream->capacity; k += LINE)
        __builtin_prefetch(stream->bytes + stream->at + k, 1);
}

/// Takes back what was added since the last publish.
static inline void sni_stream_cancel(sni_stream* stream) {
    stream->end = atomic_load_explicit(&stream->written, memory_order_relaxed);
    stream->at = stream->end % stream->capacity;
}

/// Where the next message begins, in bytes since the first; and whether the reader has let go of all before.
static inline size_t sni_stream_place(const sni_stream* stream) { return stream->end; }
static inline bool sni_stream_has_passed(const sni_stream* stream, size_t place) {
    return atomic_load_explicit(&stream->taken, memory_order_acquire) >= place;
}

// ---- thread: reader. Realtime: yes ------------------------------------------------------------------------

static inline void sni_stream_fetch(const sni_stream* stream, size_t at, void* to, size_t size) {
    if (size == 0) return;
    at %= stream->capacity;
    size_t first = stream->capacity - at;
    if (first > size) first = size;
    memcpy(to, stream->bytes + at, first);
    if (size > first) memcpy((unsigned char*)to + first, stream->bytes, size - first);
}

/// Looks at the next message; false when there is none.
static inline bool sni_stream_look(sni_stream* stream, sni_message* message) {
    size_t taken = atomic_load_explicit(&stream->taken, memory_order_relaxed);
    if (stream->seen_written == taken)
        stream->seen_written = atomic_load_explicit(&stream->written, memory_order_acquire);
    if (stream->seen_written == taken) return false;
    sni_stream_fetch(stream, taken, message, sizeof *message);
    stream->next = taken + sizeof *message + message->size;
    return true;
}

/// Copies the bytes of the message that is looked at.
static inline void sni_stream_copy(const sni_stream* stream, const sni_message* message,
                                   void* bytes) {
    sni_stream_fetch(stream, stream->next - message->size, bytes, message->size);
}

/// Lets go of the message that is looked at.
static inline void sni_stream_release(sni_stream* stream) {
    atomic_store_explicit(&stream->taken, stream->next, memory_order_release);
}

#endif
