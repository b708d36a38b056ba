#pragma once

#include <stdint.h>

// What was asked of the heap by this whole process so far, its libraries included: this library
// puts itself before the C library's allocator.
uint64_t emb_allocations(void);
uint64_t emb_allocated_bytes(void);

// Calls `work`. Its name is where a profiler is told to begin and to end.
void emb_counted(void (*work)(void *), void *context);
