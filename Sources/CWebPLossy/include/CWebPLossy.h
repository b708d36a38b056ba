#pragma once

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// The maximum side of a picture.
enum { EMB_WEBP_SIDE = 2048 };

// Encodes rows of RGBA, ignoring alpha, as the `VP8 ` chunk of a lossy WebP file. `quantizer` is
// the quantizer index of RFC 6386: 0 (finest) to 127. Returns the size, or 0 if it exceeds
// `capacity` or memory is short.
size_t emb_webp_encode(
    const uint8_t *pixels, int32_t width, int32_t height, int32_t quantizer, uint8_t *output,
    size_t capacity);

// Encodes like `emb_webp_encode` without optional instructions; for comparison in tests.
size_t emb_webp_encode_portable(
    const uint8_t *pixels, int32_t width, int32_t height, int32_t quantizer, uint8_t *output,
    size_t capacity);

#pragma clang assume_nonnull end
