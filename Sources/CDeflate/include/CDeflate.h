#pragma once

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// At most so many bytes come of `count`.
size_t emb_deflate_bound(size_t count);

// What the bytes are: rows of `length` bytes, of which the first names the filter, and then pixels
// of `step` bytes. It is for the size alone: any bytes come back from any shape.
typedef struct emb_deflate_rows {
    size_t length;
    size_t step;
} emb_deflate_rows;

// How much is done for a small stream.
typedef enum emb_deflate_effort { EMB_DEFLATE_QUICK, EMB_DEFLATE_THOROUGH } emb_deflate_effort;

// Compresses rows of a picture as RFC 1951 has it: well and quickly where nine of ten bytes are
// part of matches that are long. The same bytes, shape and effort give
// the same stream everywhere.
//
// `output` holds what `emb_deflate_bound` says. Returns the size of the stream, or 0 where memory
// is short.
size_t emb_deflate(
    const uint8_t *source, size_t count, emb_deflate_rows rows, emb_deflate_effort effort,
    uint8_t *output);

#pragma clang assume_nonnull end
