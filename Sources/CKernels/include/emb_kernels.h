#pragma once

// Inner loops. A function named after an instruction set gives exactly the result of its portable
// version, which is in Swift or in this module. The caller must check that the processor supports
// the instruction set. The other functions use portable vectors of the compiler, which are SSE2 on
// x86-64 and NEON on 64-bit ARM.

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

int emb_has_avx2(void);

int emb_has_avx512(void);

// Computes the weighted sum of rows of pixels as one row of 16-bit values, in which pairs of pixels
// are interleaved: the vertical pass of resampling. Each word of `weights` holds the weights of two
// rows, that of the first one in the lower half. The sums are divided by 2^shift and rounded to the
// nearest. Processes whole groups of four pixels and returns the number of pixels.
size_t emb_blend_pixels(
    const uint8_t *_Nonnull const *_Nonnull rows, const int32_t *weights, size_t pairs,
    int32_t shift, int16_t *target, size_t count);
size_t emb_blend_pixels_avx2(
    const uint8_t *_Nonnull const *_Nonnull rows, const int32_t *weights, size_t pairs,
    int32_t shift, int16_t *target, size_t count);

// Interleaves four rows of pixels byte by byte: each 32-bit word of the result, called woven rows,
// holds one byte of each row. `woven` must be aligned to 64 bytes and hold 16 bytes per pixel, for
// whole groups of sixteen pixels.
void emb_weave_rows_avx512(
    const uint8_t *_Nonnull const *_Nonnull rows, uint8_t *woven, size_t count);

// The weights of four rows; the weight of row i is 256 * high[i] + low[i].
typedef struct emb_split_weight {
    int8_t high[4];
    int8_t low[4];
} emb_split_weight;

// Converts the weights of `pairs` pairs of rows, at least one, to groups of four rows. The first
// row has the index `lead` in its group; the remaining rows of the first and last group get the
// weight 0. Returns the number of groups. No weight may exceed EMB_SPLIT_LIMIT.
size_t emb_split_weights(
    const int32_t *weights, size_t pairs, size_t lead, emb_split_weight *split);

enum { EMB_SPLIT_LIMIT = 32639 };

// Computes the weighted sum of woven rows like `emb_blend_pixels_avx2`, also for the last
// incomplete group of pixels. An odd last pixel is paired with zero.
void emb_blend_woven_avx512(
    const uint8_t *_Nonnull const *_Nonnull woven, const emb_split_weight *weights, size_t quads,
    int32_t shift, int16_t *target, size_t count);

// Adds four rows of bytes with the weights 1, 3, 3, 1. Processes whole groups of sixteen, with AVX2
// of 32, and returns the number of bytes.
size_t emb_sum_rows_1331(const uint8_t *_Nonnull const *_Nonnull rows, int16_t *sums, size_t count);
size_t emb_sum_rows_1331_avx2(
    const uint8_t *_Nonnull const *_Nonnull rows, int16_t *sums, size_t count);

// Adds four neighbouring pixels with the weights 1, 3, 3, 1 for every second pixel, adds
// `roundings` and divides by 64, rounding down. Processes whole groups of two results, with AVX2 of
// four, and returns the number of results.
size_t emb_halve(const int16_t *sums, const int16_t *roundings, uint8_t *pixels, size_t count);
size_t emb_halve_avx2(const int16_t *sums, const int16_t *roundings, uint8_t *pixels, size_t count);

// One output pixel of the horizontal pass: the weighted sum of `pairs` pairs of pixels.
typedef struct emb_run {
    // The index of the first pixel in the row.
    intptr_t start;
    // The index of the first word in `weights`.
    intptr_t first;
    intptr_t pairs;
} emb_run;

// Computes the weighted sums of pixels of one row, given by `runs`.
void emb_blend_columns(
    const int16_t *row, const emb_run *runs, const int32_t *weights, int32_t shift, int16_t *target,
    size_t count);
void emb_blend_columns_avx2(
    const int16_t *row, const emb_run *runs, const int32_t *weights, int32_t shift, int16_t *target,
    size_t count);

// Rounds 16-bit values in 1/64 of a level to bytes, and limits each colour to its alpha. Processes
// whole groups of four pixels and returns the number of pixels.
size_t emb_store_pixels(const int16_t *values, uint8_t *pixels, size_t count);

// Converts straight to premultiplied RGBA, also in place. Processes whole groups of eight pixels
// and returns the number of pixels. `alphas` receives the AND of the pixels, alpha in the highest
// byte.
size_t emb_premultiply_avx2(const uint8_t *source, uint8_t *result, size_t count, uint32_t *alphas);

// Composites premultiplied pixels over others (Porter-Duff source over). Processes whole groups of
// eight pixels and returns the number of pixels.
size_t emb_composite_over_avx2(const uint8_t *source, uint8_t *target, size_t count);

// Computes the sum of absolute differences for each of PNG's five filters. Both rows must be
// preceded by eight zero bytes and followed by 32 readable bytes.
void emb_filter_sums_avx2(
    const uint8_t *row, const uint8_t *above, size_t count, size_t step, uint64_t *sums);

// Applies PNG's Paeth filter to a row of `count` bytes. Both rows must be preceded by eight zero
// bytes and followed by 32 readable bytes, and `result` must be followed by 32 writable bytes.
void emb_apply_paeth(
    const uint8_t *row, const uint8_t *above, uint8_t *result, size_t count, size_t step);
void emb_apply_paeth_avx2(
    const uint8_t *row, const uint8_t *above, uint8_t *result, size_t count, size_t step);

// Reverses PNG's Sub filter in a row of four-byte pixels. Both rows must be followed by 32 bytes
// that can be read and overwritten.
void emb_undo_sub_4(const uint8_t *row, uint8_t *result, size_t count);

// Reverses PNG's Paeth filter in a row of `count` bytes, with pixels of `step` bytes, at most
// eight. All rows must be followed by 32 bytes that can be read and overwritten.
void emb_undo_paeth(
    const uint8_t *source, const uint8_t *above, uint8_t *result, size_t count, size_t step);
void emb_undo_paeth_avx2(
    const uint8_t *source, const uint8_t *above, uint8_t *result, size_t count, size_t step);

// Reverses the Paeth filter in two consecutive rows of pixels of at most four bytes. The lower row
// is processed two pixels behind the upper row, whose results it needs. Two rows take as long as
// one: each pixel waits for the result of the pixel before it, so one row leaves the processor
// partly idle.
void emb_undo_paeth_two(
    const uint8_t *upper, const uint8_t *lower, const uint8_t *above, uint8_t *upper_result,
    uint8_t *lower_result, size_t count, size_t step);
void emb_undo_paeth_two_avx2(
    const uint8_t *upper, const uint8_t *lower, const uint8_t *above, uint8_t *upper_result,
    uint8_t *lower_result, size_t count, size_t step);

// Loops over planes of one byte per value. Each function processes whole groups of sixteen results
// and returns the number of results.

// Adds four neighbouring sums with the weights 1, 3, 3, 1 for every second value, adds `roundings`
// and divides by 64, rounding down.
size_t emb_halve_plane_avx2(
    const int16_t *sums, const int16_t *roundings, uint8_t *target, size_t count);

// Adds three rows with the weights 3, 10, 3.
size_t emb_smooth_down_avx2(
    const uint8_t *above, const uint8_t *here, const uint8_t *below, uint16_t *sums, size_t count);

// Adds three neighbouring sums with the weights 3, 10, 3, divides by 256 and rounds to the nearest.
size_t emb_smooth_across_avx2(const uint16_t *sums, uint8_t *target, size_t count);

// Averages blocks of two by two values.
size_t emb_average_plane_avx2(
    const uint8_t *upper, const uint8_t *lower, uint8_t *target, size_t count);

// Multiplies values by alpha / 255, in place.
size_t emb_premultiply_plane_avx2(uint8_t *values, const uint8_t *alphas, size_t count);

// Multiplies values by 255 / alpha, in place; values with alpha 0 are unchanged.
size_t emb_unpremultiply_plane_avx2(uint8_t *values, const uint8_t *alphas, size_t count);

// Converts YUV of lossy WebP to straight RGBA, opaque if `alpha` is null.
size_t emb_yuv_to_rgba_avx2(
    const uint8_t *luma, const uint8_t *blue, const uint8_t *red, const uint8_t *_Nullable alpha,
    uint8_t *pixels, size_t count);

#pragma clang assume_nonnull end
