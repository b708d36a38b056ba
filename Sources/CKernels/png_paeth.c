#include "emb_kernels.h"

#define EMB_INLINE static inline __attribute__((always_inline))

// Portable vectors of the compiler, available on every processor.
typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef uint8_t bytes4 __attribute__((vector_size(4)));
typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef int16_t lanes __attribute__((vector_size(16)));
typedef int16_t half_lanes __attribute__((vector_size(8)));

EMB_INLINE lanes select_lanes(lanes mask, lanes yes, lanes no) {
    return (yes & mask) | (no & ~mask);
}

// Adds modulo 256 in lanes whose upper byte is zero.
EMB_INLINE lanes add_bytes(lanes a, lanes b) {
    return (lanes)((bytes16)a + (bytes16)b);
}

// Returns the reconstructed byte: `own` plus the Paeth predictor, which is the neighbour nearest to
// left + up - corner, with ties resolved in the order left, up, corner (PNG, 9.4).
//
// With slope = up - corner, left is chosen unless it lies strictly between up and corner - 2 *
// slope. In between, up is chosen if left is on the same side of corner - slope / 2 as up, and
// otherwise the corner. The bounds and two of the three sums depend only on the row above and on
// `own`. Each pixel depends on the result of the pixel before it, so few operations may lie between
// `left` and the result.
EMB_INLINE lanes reconstructed(lanes own, lanes left, lanes up, lanes corner) {
    lanes slope = up - corner;
    lanes beyond = corner - slope - slope;
    lanes middle = corner - ((slope + (slope >> 15)) >> 1);
    lanes low = __builtin_elementwise_min(up, corner);
    lanes high = __builtin_elementwise_max(up, corner);
    lanes is_between = (left > __builtin_elementwise_min(up, beyond)) &
        (left < __builtin_elementwise_max(up, beyond));
    lanes nearer = select_lanes(left < middle, add_bytes(own, low), add_bytes(own, high));
    return select_lanes(is_between, nearer, add_bytes(own, left));
}

// Widens eight bytes to 16-bit lanes.
EMB_INLINE lanes wide(const uint8_t *row) {
    bytes8 values;
    __builtin_memcpy(&values, row, sizeof values);
    return __builtin_convertvector(values, lanes);
}

// Widens four bytes to 16-bit lanes.
EMB_INLINE half_lanes wide_half(const uint8_t *row) {
    bytes4 values;
    __builtin_memcpy(&values, row, sizeof values);
    return __builtin_convertvector(values, half_lanes);
}

void emb_apply_paeth(
    const uint8_t *row, const uint8_t *above, uint8_t *result, size_t count, size_t step) {
    const lanes none = {0};
    for (size_t offset = 0; offset < count; offset += 8) {
        lanes nearest = reconstructed(
            none, wide(row + offset - step), wide(above + offset), wide(above + offset - step));
        bytes8 values = __builtin_convertvector(wide(row + offset) - nearest, bytes8);
        __builtin_memcpy(result + offset, &values, sizeof values);
    }
}

// Reverses the filter in one row.
EMB_INLINE void unfilter(
    const uint8_t *source, const uint8_t *above, uint8_t *result, size_t count, size_t step) {
    lanes left = {0}, corner = {0};
    for (size_t offset = 0; offset < count; offset += step) {
        lanes up = wide(above + offset);
        left = reconstructed(wide(source + offset), left, up, corner);
        corner = up;
        bytes8 values = __builtin_convertvector(left, bytes8);
        __builtin_memcpy(result + offset, &values, sizeof values);
    }
}

// Reverses the filter in two rows; see emb_undo_paeth_two.
EMB_INLINE void unfilter_two(
    const uint8_t *upper, const uint8_t *lower, const uint8_t *above, uint8_t *upper_result,
    uint8_t *lower_result, size_t count, size_t step) {
    // The lower half of each vector holds a pixel of the upper row, and the upper half a pixel of
    // the lower row.
    lanes left = {0}, corner = {0};
    // The upper row's result one pixel before `left`.
    half_lanes older = {0};
    size_t lag = 2 * step;
    for (size_t offset = 0; offset < count + lag; offset += step) {
        half_lanes none = {0}, behind = offset < lag ? none : wide_half(lower + (offset - lag));
        lanes up = __builtin_shufflevector(
            wide_half(above + offset), older, 0, 1, 2, 3, 4, 5, 6, 7);
        lanes own = __builtin_shufflevector(
            wide_half(upper + offset), behind, 0, 1, 2, 3, 4, 5, 6, 7);
        older = __builtin_shufflevector(left, left, 0, 1, 2, 3);
        left = reconstructed(own, left, up, corner);
        corner = up;
        bytes8 values = __builtin_convertvector(left, bytes8);
        __builtin_memcpy(upper_result + offset, &values, 4);
        if (offset >= lag) {
            __builtin_memcpy(lower_result + (offset - lag), (uint8_t *)&values + 4, 4);
        }
    }
}

void emb_undo_paeth(
    const uint8_t *source, const uint8_t *above, uint8_t *result, size_t count, size_t step) {
    unfilter(source, above, result, count, step);
}

void emb_undo_paeth_two(
    const uint8_t *upper, const uint8_t *lower, const uint8_t *above, uint8_t *upper_result,
    uint8_t *lower_result, size_t count, size_t step) {
    unfilter_two(upper, lower, above, upper_result, lower_result, count, step);
}

// The loops above, compiled for AVX2, where a blend is one instruction; a pixel takes two thirds of
// the time.
#if defined(__x86_64__)

#define EMB_AVX2 __attribute__((target("avx2")))

EMB_AVX2 void emb_undo_paeth_avx2(
    const uint8_t *source, const uint8_t *above, uint8_t *result, size_t count, size_t step) {
    unfilter(source, above, result, count, step);
}

EMB_AVX2 void emb_undo_paeth_two_avx2(
    const uint8_t *upper, const uint8_t *lower, const uint8_t *above, uint8_t *upper_result,
    uint8_t *lower_result, size_t count, size_t step) {
    unfilter_two(upper, lower, above, upper_result, lower_result, count, step);
}

#endif
