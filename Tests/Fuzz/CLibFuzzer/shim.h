#pragma once

#include <stddef.h>
#include <stdint.h>

// Runs the engine, which calls back once per input.
int LLVMFuzzerRunDriver(
    int *count, char ***arguments, int (*test)(const uint8_t *bytes, size_t length));
