#pragma once

#include <stdint.h>

// The heap allocations of the whole process so far, including libraries: this library replaces the
// C library's allocator.
uint64_t emb_allocations(void);
uint64_t emb_allocated_bytes(void);

// Calls `work`. A profiler starts and stops at this function's name.
void emb_counted(void (*work)(void *), void *context);
