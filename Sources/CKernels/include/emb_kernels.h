#pragma once

// Inner loops. Those named after a kind of processor do, number for number, what their plain twins
// do, in Swift or here; a caller asks first whether they may be called.

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// Whether this processor runs the loops named after AVX2.
int emb_has_avx2(void);

// Whether this processor runs the loops named after AVX-512.
int emb_has_avx512(void);

// Mixes rows of pixels into one row of 16-bit values, pairs of pixels interleaved; takes whole
// groups of four pixels and returns how many pixels it did.
size_t emb_blend_pixels_avx2(
    const uint8_t *_Nonnull const *_Nonnull rows, const int32_t *weights, size_t pairs,
    int32_t shift, int16_t *target, size_t count);

// Four rows of pixels woven into one: in each word a byte of all four. `woven` is aligned to 64
// bytes and takes 16 bytes a pixel of whole groups of sixteen.
void emb_weave_rows_avx512(
    const uint8_t *_Nonnull const *_Nonnull rows, uint8_t *woven, size_t count);

// The weights of four rows, each 256 times its high byte and its low one.
typedef struct emb_split_weight {
    int8_t high[4];
    int8_t low[4];
} emb_split_weight;

// Splits the weights of `pairs` of rows, one at least, the first of which is row `lead` of its
// four; returns how many fours there are. No weight exceeds `EMB_SPLIT_LIMIT`.
size_t emb_split_weights(
    const int32_t *weights, size_t pairs, size_t lead, emb_split_weight *split);

enum { EMB_SPLIT_LIMIT = 32639 };

// As `emb_blend_pixels_avx2`, of woven rows and for all of the pixels; beside a last one without
// partner come zeros.
void emb_blend_woven_avx512(
    const uint8_t *_Nonnull const *_Nonnull woven, const emb_split_weight *weights, size_t quads,
    int32_t shift, int16_t *target, size_t count);

// Mixes rows of 16-bit values; takes whole groups of sixteen and returns how many values it did.
size_t emb_blend_values_avx2(
    const int16_t *_Nonnull const *_Nonnull rows, const int32_t *weights, size_t pairs,
    int32_t shift, int16_t *target, size_t count);

// Adds up four rows of bytes, those in the middle three times; takes whole groups of 32 and returns
// how many bytes it did.
size_t emb_weigh_avx2(const uint8_t *_Nonnull const *_Nonnull rows, int16_t *sums, size_t count);

// Adds up four neighbouring pixels for every other one, those in the middle three times, and cuts
// the fractions off their 64th parts after `roundings` were added; takes whole groups of four
// results and returns how many it did.
size_t emb_halve_avx2(const int16_t *sums, const int16_t *roundings, uint8_t *pixels, size_t count);

// One pixel of the horizontal pass: the sum of `pairs` pairs of pixels from `values`.
typedef struct emb_run {
    intptr_t start;
    intptr_t first;
    intptr_t pairs;
} emb_run;

// Mixes the pixels of one row at the positions `runs` names.
void emb_gather_avx2(
    const int16_t *row, const emb_run *runs, const int32_t *weights, int32_t shift, int16_t *target,
    size_t count);

// Straight RGBA to premultiplied RGBA, in place or apart; takes whole groups of eight pixels and
// returns how many it did. `alphas` gets the AND of the pixels, alpha in the highest byte.
size_t emb_premultiply_avx2(const uint8_t *source, uint8_t *result, size_t count, uint32_t *alphas);

// Lays premultiplied pixels over others; takes whole groups of eight and returns how many it did.
size_t emb_draw_avx2(const uint8_t *source, uint8_t *target, size_t count);

// What the differences of each of PNG's five filters add up to, as distances from zero. Both rows
// are preceded by eight bytes of zero and followed by 32 bytes that can be read.
void emb_filter_sums_avx2(
    const uint8_t *row, const uint8_t *above, size_t count, size_t step, uint64_t *sums);

// Writes a row of `count` bytes as PNG's filter Paeth has it, with rows as above; `result` is
// followed by 32 bytes that can be overwritten.
void emb_apply_paeth(
    const uint8_t *row, const uint8_t *above, uint8_t *result, size_t count, size_t step);
void emb_apply_paeth_avx2(
    const uint8_t *row, const uint8_t *above, uint8_t *result, size_t count, size_t step);

// Undoes PNG's filter Sub in a row of pixels of four bytes. Both rows are followed by 32 bytes that
// can be read and overwritten.
void emb_undo_sub_4(const uint8_t *row, uint8_t *result, size_t count);

// Undoes PNG's filter Paeth in a row of `count` bytes, whose pixels have `step` bytes, at most
// eight. All rows are followed by 32 bytes that can be read and overwritten.
void emb_undo_paeth(
    const uint8_t *source, const uint8_t *above, uint8_t *result, size_t count, size_t step);
void emb_undo_paeth_avx2(
    const uint8_t *source, const uint8_t *above, uint8_t *result, size_t count, size_t step);

// The same in two rows, one below the other, of pixels of at most four bytes: the lower one follows
// two pixels behind, as its neighbours above are there by then. One row alone would wait for each
// pixel as long as two do.
void emb_undo_paeth_two(
    const uint8_t *upper, const uint8_t *lower, const uint8_t *above, uint8_t *upper_result,
    uint8_t *lower_result, size_t count, size_t step);
void emb_undo_paeth_two_avx2(
    const uint8_t *upper, const uint8_t *lower, const uint8_t *above, uint8_t *upper_result,
    uint8_t *lower_result, size_t count, size_t step);

// Planes of one byte a value. All of these take whole groups of sixteen results and return how many
// they did.

// Adds up four neighbouring sums for every other one, those in the middle three times, and cuts the
// fractions off their 64th parts after `roundings` were added.
size_t emb_halve_plane_avx2(
    const int16_t *sums, const int16_t *roundings, uint8_t *target, size_t count);

// Adds up three rows: 3, 10, 3.
size_t emb_smooth_down_avx2(
    const uint8_t *above, const uint8_t *here, const uint8_t *below, uint16_t *sums, size_t count);

// Adds up three neighbouring sums, 3, 10, 3, and rounds their 256th parts.
size_t emb_smooth_across_avx2(const uint16_t *sums, uint8_t *target, size_t count);

// Means of two by two values.
size_t emb_mean_alphas_avx2(
    const uint8_t *upper, const uint8_t *lower, uint8_t *target, size_t count);

// Values times their alphas by 255, in place.
size_t emb_weigh_plane_avx2(uint8_t *values, const uint8_t *alphas, size_t count);

// Values times 255 by their alphas, in place. What has no alpha is left as it is.
size_t emb_straighten_plane_avx2(uint8_t *values, const uint8_t *alphas, size_t count);

// Luma and both colour differences to straight RGBA; opaque where there is no `alpha`.
size_t emb_mix_colors_avx2(
    const uint8_t *luma, const uint8_t *blue, const uint8_t *red, const uint8_t *_Nullable alpha,
    uint8_t *pixels, size_t count);

#pragma clang assume_nonnull end
