// SPDX-License-Identifier: Apache-2.0
/// Counts calls to the allocator while `armed`, and has no more memory after `refuse_after` calls. For programs test_*_noalloc.c, which are linked with -Wl,--wrap
/// for the functions below, so that every call of the library comes here first. Include it once.
#ifndef SINEW_TESTS_NOALLOC_H
#define SINEW_TESTS_NOALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

static bool armed;             ///< nothing may be allocated now
static long violations;        ///< calls to the allocator while armed
static long refuse_after = -1; ///< calls for memory that still succeed; -1: all do

// the linker's names for the real functions and for ours
void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* p, size_t size);
void __real_free(void* p);
void* __real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void** p, size_t alignment, size_t size);
void* __real_mmap(void* at, size_t size, int protection, int flags, int file, off_t offset);
int __real_munmap(void* p, size_t size);
void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* p, size_t size);
void __wrap_free(void* p);
void* __wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void** p, size_t alignment, size_t size);
void* __wrap_mmap(void* at, size_t size, int protection, int flags, int file, off_t offset);
int __wrap_munmap(void* p, size_t size);

/// Whether there is memory for one more call.
static bool noalloc_take(void) {
    violations += armed;
    if (refuse_after > 0) refuse_after--;
    return refuse_after != 0;
}

void* __wrap_malloc(size_t size) {
    if (!noalloc_take()) return NULL;
    return __real_malloc(size);
}
void* __wrap_calloc(size_t count, size_t size) {
    if (!noalloc_take()) return NULL;
    return __real_calloc(count, size);
}
void* __wrap_realloc(void* p, size_t size) {
    if (!noalloc_take()) return NULL;
    return __real_realloc(p, size);
}
void __wrap_free(void* p) {
    violations += armed;
    __real_free(p);
}
void* __wrap_aligned_alloc(size_t alignment, size_t size) {
    violations += armed;
    return __real_aligned_alloc(alignment, size);
}
int __wrap_posix_memalign(void** p, size_t alignment, size_t size) {
    violations += armed;
    return __real_posix_memalign(p, alignment, size);
}
void* __wrap_mmap(void* at, size_t size, int protection, int flags, int file, off_t offset) {
    if (!noalloc_take()) return MAP_FAILED;
    return __real_mmap(at, size, protection, flags, file, offset);
}
int __wrap_munmap(void* p, size_t size) {
    violations += armed;
    return __real_munmap(p, size);
}

#endif
