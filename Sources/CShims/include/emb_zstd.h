#pragma once

#include <stddef.h>

// Returns whether libzstd is installed.
int emb_zstd_is_found(void);

// Decompresses all frames of `source` into `target` and returns the number of
// bytes, or -1 if the data is damaged or does not fit.
ptrdiff_t emb_zstd_decompress(
    void *target, size_t target_size, const void *source, size_t source_size);
