#pragma once

// Inner loops for processors that have more than the least of their kind. Each does, number for
// number, what its plain twin in Swift does; a caller asks first whether it may be called.

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// Whether this processor runs the loops named after AVX2.
int emb_has_avx2(void);

// Mixes rows of pixels into one row of 16-bit values, pairs of pixels interleaved; takes whole
// groups of four pixels and returns how many pixels it did.
size_t emb_blend_pixels_avx2(
    const uint8_t *_Nonnull const *_Nonnull rows, const int32_t *weights, size_t pairs, int32_t shift,
    int16_t *target, size_t count);

// Mixes rows of 16-bit values; takes whole groups of sixteen and returns how many values it did.
size_t emb_blend_values_avx2(
    const int16_t *_Nonnull const *_Nonnull rows, const int32_t *weights, size_t pairs, int32_t shift,
    int16_t *target, size_t count);

// One pixel of the horizontal pass: the sum of `pairs` pairs of pixels from `values`.
typedef struct emb_run {
    intptr_t start;
    intptr_t first;
    intptr_t pairs;
} emb_run;

// Mixes the pixels of one row at the places `runs` names.
void emb_gather_avx2(
    const int16_t *row, const emb_run *runs, const int32_t *weights, int32_t shift,
    int16_t *target, size_t count);

#pragma clang assume_nonnull end
