#pragma once

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// Returns the maximum compressed size of `count` bytes.
size_t emb_deflate_bound(size_t count);

// The layout of the bytes: rows of `length` bytes, each a filter byte followed by pixels of `step`
// bytes. It affects only the compressed size.
typedef struct emb_deflate_rows {
    size_t length;
    size_t step;
} emb_deflate_rows;

// The effort to make the stream small.
typedef enum emb_deflate_effort { EMB_DEFLATE_QUICK, EMB_DEFLATE_THOROUGH } emb_deflate_effort;

// Compresses rows of a picture to a DEFLATE stream (RFC 1951). Tuned for data in which long matches
// cover nine of ten bytes. The same bytes, layout and effort give the same stream on every machine.
//
// `output` must hold `emb_deflate_bound(count)` bytes. Returns the size of the stream, or 0 if
// memory is short.
size_t emb_deflate(
    const uint8_t *source, size_t count, emb_deflate_rows rows, emb_deflate_effort effort,
    uint8_t *output);

#pragma clang assume_nonnull end
