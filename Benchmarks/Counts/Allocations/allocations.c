#include "emb_allocations.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

// The C library's own functions, under the names that it reserves for replacements.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_uint_fast64_t calls;
static atomic_uint_fast64_t bytes;

// A build with a sanitizer keeps the allocator of the sanitizer, so it counts nothing.
#if !__has_feature(address_sanitizer)

static void note(size_t size) {
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
}

void *malloc(size_t size) {
    note(size);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    note(count * size);
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    note(size);
    return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note(size);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    note(size);
    *block = __libc_memalign(alignment, size);
    return *block == NULL ? ENOMEM : 0;
}

#endif

uint64_t emb_allocations(void) {
    return atomic_load_explicit(&calls, memory_order_relaxed);
}

uint64_t emb_allocated_bytes(void) {
    return atomic_load_explicit(&bytes, memory_order_relaxed);
}

__attribute__((noinline)) void emb_counted(void (*work)(void *), void *context) {
    work(context);
    // Prevents a tail call. The profiler stops when this function returns, and a tail call has no
    // return.
    __asm__ volatile("" ::: "memory");
}
