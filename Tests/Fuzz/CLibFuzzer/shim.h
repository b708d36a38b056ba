#pragma once

#include <stddef.h>
#include <stdint.h>

// The engine as a library: it calls back with one input after the other.
int LLVMFuzzerRunDriver(
    int *count, char ***arguments, int (*test)(const uint8_t *bytes, size_t length));
