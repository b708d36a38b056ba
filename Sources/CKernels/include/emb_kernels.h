#pragma once

// Inner loops of Raster, and of the filters of PNG.

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

int emb_has_avx2(void);

// One output pixel of the horizontal pass: the weighted sum of `pairs` pairs of pixels.
typedef struct emb_run {
    // The index of the first pixel in the row.
    intptr_t start;
    // The index of the first word in `weights`.
    intptr_t first;
    // The second weight of the last pair may be 0.
    intptr_t pairs;
} emb_run;

// The inner loops of Raster for one kind of processor. All tables give the same bits.
//
// Between the two passes of resampling a value is a signed 16-bit number in 1/64 of a pixel level.
// Two neighbouring pixels are interleaved (red red, green green, blue blue, alpha alpha). Each word
// of `weights` holds the weights of two inputs, that of the first one in the lower half. Sums are
// divided by 2^shift, rounded to the nearest and saturated.
typedef struct emb_kernels {
    // Computes the weighted sum of rows of pixels, of which there are 2 * pairs.
    void (*blend_rows)(
        const uint8_t *_Nonnull const *_Nonnull rows, const int32_t *weights, size_t pairs,
        int32_t shift, int16_t *target, size_t count);

    // Computes the weighted sums of pixels of one row, given by `runs`; the results are not
    // interleaved. Up to 16 bytes after the last pair of a run are read.
    void (*blend_columns)(
        const int16_t *row, const emb_run *runs, const int32_t *weights, int32_t shift,
        int16_t *target, size_t count);

    // Rounds 16-bit values to bytes, and limits each colour to its alpha, which a kernel's
    // overshoot can exceed.
    void (*store_pixels)(const int16_t *values, uint8_t *pixels, size_t count);

    // Adds four rows of bytes with the weights 1, 3, 3, 1.
    void (*sum_rows)(const uint8_t *_Nonnull const *_Nonnull rows, int16_t *sums, size_t count);

    // Adds four neighbouring pixels with the weights 1, 3, 3, 1 for every second pixel, adds
    // `roundings` and divides by 64, rounding down.
    void (*halve_pixels)(
        const int16_t *sums, const int16_t *roundings, uint8_t *pixels, size_t count);

    // The same for planes of one byte per value, like all following loops but the last two.
    void (*halve_plane)(
        const int16_t *sums, const int16_t *roundings, uint8_t *target, size_t count);

    // Adds three rows with the weights 3, 10, 3.
    void (*smooth_down)(
        const uint8_t *above, const uint8_t *here, const uint8_t *below, uint16_t *sums,
        size_t count);

    // Adds three neighbouring sums with the weights 3, 10, 3, divides by 256 and rounds to the
    // nearest.
    void (*smooth_across)(const uint16_t *sums, uint8_t *target, size_t count);

    // Averages blocks of two by two values, rounded to the nearest.
    void (*average_plane)(
        const uint8_t *upper, const uint8_t *lower, uint8_t *target, size_t count);

    // Multiplies values by alpha / 255, in place.
    void (*premultiply_plane)(uint8_t *values, const uint8_t *alphas, size_t count);

    // Multiplies values by 255 / alpha, in place; values with alpha 0 are unchanged.
    void (*unpremultiply_plane)(uint8_t *values, const uint8_t *alphas, size_t count);

    // Converts YUV of lossy WebP to straight RGBA, opaque if `alpha` is null.
    void (*yuv_to_rgba)(
        const uint8_t *luma, const uint8_t *blue, const uint8_t *red,
        const uint8_t *_Nullable alpha, uint8_t *pixels, size_t count);

    // Converts straight to premultiplied RGBA, also in place. Returns the AND of the pixels, alpha
    // in the highest byte.
    uint32_t (*premultiply_pixels)(const uint8_t *source, uint8_t *result, size_t count);

    // Composites premultiplied pixels over others (Porter-Duff source over).
    void (*composite_over)(const uint8_t *source, uint8_t *target, size_t count);
} emb_kernels;

// The plain loops; those with vectors of 16 bytes, SSE2 or NEON, which every processor has; and the
// fastest for this processor.
const emb_kernels *emb_plain_kernels(void);
const emb_kernels *emb_common_kernels(void);
const emb_kernels *emb_best_kernels(void);

// The filters of PNG, for pixels of `step` bytes, at most eight. The functions that end in
// `_common` use the vectors that every processor has; the others choose the fastest loop.

// Computes the sum of absolute differences for each of the five filters. Both rows must be preceded
// by eight zero bytes and followed by 32 readable bytes.
void emb_filter_sums(
    const uint8_t *row, const uint8_t *above, size_t count, size_t step, uint64_t *sums);
void emb_filter_sums_common(
    const uint8_t *row, const uint8_t *above, size_t count, size_t step, uint64_t *sums);

// Applies the Paeth filter to a row of `count` bytes. Both rows must be preceded by eight zero
// bytes and followed by 32 readable bytes, and `result` must be followed by 32 writable bytes.
void emb_apply_paeth(
    const uint8_t *row, const uint8_t *above, uint8_t *result, size_t count, size_t step);
void emb_apply_paeth_common(
    const uint8_t *row, const uint8_t *above, uint8_t *result, size_t count, size_t step);

// Reverses the Sub filter in a row of four-byte pixels. Both rows must be followed by 32 bytes that
// can be read and overwritten.
void emb_undo_sub_4(const uint8_t *row, uint8_t *result, size_t count);

// Reverses the Paeth filter in a row of `count` bytes. All rows must be followed by 32 bytes that
// can be read and overwritten.
void emb_undo_paeth(
    const uint8_t *source, const uint8_t *above, uint8_t *result, size_t count, size_t step);
void emb_undo_paeth_common(
    const uint8_t *source, const uint8_t *above, uint8_t *result, size_t count, size_t step);

// Reverses the Paeth filter in two consecutive rows of pixels of at most four bytes. The lower row
// is processed two pixels behind the upper row, whose results it needs. Two rows take as long as
// one: each pixel waits for the result of the pixel before it, so one row leaves the processor
// partly idle.
void emb_undo_paeth_two(
    const uint8_t *upper, const uint8_t *lower, const uint8_t *above, uint8_t *upper_result,
    uint8_t *lower_result, size_t count, size_t step);
void emb_undo_paeth_two_common(
    const uint8_t *upper, const uint8_t *lower, const uint8_t *above, uint8_t *upper_result,
    uint8_t *lower_result, size_t count, size_t step);

#pragma clang assume_nonnull end
