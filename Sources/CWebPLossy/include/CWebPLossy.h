#pragma once

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// The longest side that `emb_webp_encode` takes.
enum { EMB_WEBP_SIDE = 2048 };

// Encodes rows of RGBA, alpha aside, as what a lossy WebP file holds under `VP8 `. `quantizer` runs
// from 0, finest, to 127. Returns the size of it, or 0 if it is larger than `capacity` or memory is
// short.
size_t emb_webp_encode(
    const uint8_t *pixels, int32_t width, int32_t height, int32_t quantizer, uint8_t *output,
    size_t capacity);

// The same by instructions that every processor of its kind has; there to be compared with.
size_t emb_webp_encode_plainly(
    const uint8_t *pixels, int32_t width, int32_t height, int32_t quantizer, uint8_t *output,
    size_t capacity);

// The first, and what a reader makes of it before it smooths the borders of blocks: a plane of luma
// with the picture's sides, then two of chroma with half of them, rounded up.
size_t emb_webp_encode_planes(
    const uint8_t *pixels, int32_t width, int32_t height, int32_t quantizer, uint8_t *output,
    size_t capacity, uint8_t *planes);

#pragma clang assume_nonnull end
