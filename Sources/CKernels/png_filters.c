// The filters of PNG: common loops with portable vectors, and loops for AVX2. Both give the same
// bytes.

#include "emb_kernels.h"

#include <string.h>

#define EMB_INLINE static inline __attribute__((always_inline))

// Portable vectors of the compiler, available on every processor.
typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef uint8_t bytes4 __attribute__((vector_size(4)));
typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint32_t pixels4 __attribute__((vector_size(16)));
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

void emb_apply_paeth_common(
    const uint8_t *row, const uint8_t *above, uint8_t *result, size_t count, size_t step) {
    const lanes none = {0};
    for (size_t offset = 0; offset < count; offset += 8) {
        lanes nearest = reconstructed(
            none, wide(row + offset - step), wide(above + offset), wide(above + offset - step));
        bytes8 values = __builtin_convertvector(wide(row + offset) - nearest, bytes8);
        __builtin_memcpy(result + offset, &values, sizeof values);
    }
}

// Adds the absolute values of the low bytes, which are signed.
EMB_INLINE lanes with_magnitudes(lanes sum, lanes difference) {
    return sum + __builtin_elementwise_abs((difference << 8) >> 8);
}

void emb_filter_sums_common(
    const uint8_t *row, const uint8_t *above, size_t count, size_t step, uint64_t *sums) {
    // A lane gets at most 128 from each vector, so that 255 vectors do not overflow it.
    enum { VECTORS = 255 };
    const lanes none = {0}, positions = {0, 1, 2, 3, 4, 5, 6, 7};
    memset(sums, 0, 5 * sizeof *sums);
    for (size_t offset = 0; offset < count;) {
        lanes partial[5] = {{0}};
        for (int vector = 0; vector < VECTORS && offset < count; vector++, offset += 8) {
            // Bytes past the end are zero, so that their differences are zero.
            int16_t left_over = count - offset < 8 ? (int16_t)(count - offset) : 8;
            lanes inside = positions < left_over;
            lanes own = wide(row + offset) & inside, left = wide(row + offset - step) & inside;
            lanes up = wide(above + offset) & inside, corner = wide(above + offset - step) & inside;
            partial[0] = with_magnitudes(partial[0], own);
            partial[1] = with_magnitudes(partial[1], own - left);
            partial[2] = with_magnitudes(partial[2], own - up);
            partial[3] = with_magnitudes(partial[3], own - ((left + up) >> 1));
            partial[4] = with_magnitudes(partial[4], own - reconstructed(none, left, up, corner));
        }
        for (int filter = 0; filter < 5; filter++) {
            for (int lane = 0; lane < 8; lane++) {
                sums[filter] += (uint64_t)partial[filter][lane];
            }
        }
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

void emb_undo_paeth_common(
    const uint8_t *source, const uint8_t *above, uint8_t *result, size_t count, size_t step) {
    unfilter(source, above, result, count, step);
}

void emb_undo_paeth_two_common(
    const uint8_t *upper, const uint8_t *lower, const uint8_t *above, uint8_t *upper_result,
    uint8_t *lower_result, size_t count, size_t step) {
    unfilter_two(upper, lower, above, upper_result, lower_result, count, step);
}

void emb_undo_sub_4(const uint8_t *row, uint8_t *result, size_t count) {
    // A prefix sum over four pixels: adds the pixel to the left, then the sum two pixels to the
    // left, then the last result of the previous group.
    const pixels4 zero = {0};
    pixels4 left = zero;
    for (size_t offset = 0; offset < count; offset += sizeof left) {
        pixels4 own;
        memcpy(&own, row + offset, sizeof own);
        pixels4 before = __builtin_shufflevector(zero, own, 0, 4, 5, 6);
        own = (pixels4)((bytes16)own + (bytes16)before);
        before = __builtin_shufflevector(zero, own, 0, 1, 4, 5);
        own = (pixels4)((bytes16)own + (bytes16)before + (bytes16)left);
        memcpy(result + offset, &own, sizeof own);
        left = __builtin_shufflevector(own, own, 3, 3, 3, 3);
    }
}

#if defined(__x86_64__)

#include <immintrin.h>

#define EMB_AVX2 __attribute__((target("avx2")))

// Returns |a - b| for each byte.
EMB_AVX2 static inline __m256i distance(__m256i a, __m256i b) {
    return _mm256_or_si256(_mm256_subs_epu8(a, b), _mm256_subs_epu8(b, a));
}

// Returns a mask of the bytes for which a <= b.
EMB_AVX2 static inline __m256i not_more(__m256i a, __m256i b) {
    return _mm256_cmpeq_epi8(_mm256_min_epu8(a, b), a);
}

// The Paeth predictor in bytes. The distance to left is |up - corner|, and the distance to up is
// |left - corner|. If left and up are on the same side of the corner, the distance to the corner is
// the sum of these distances, which is never the smallest. Otherwise it is their difference.
EMB_AVX2 static inline __m256i paeth(__m256i left, __m256i up, __m256i corner) {
    __m256i up_more = _mm256_subs_epu8(up, corner), up_less = _mm256_subs_epu8(corner, up);
    __m256i left_more = _mm256_subs_epu8(left, corner), left_less = _mm256_subs_epu8(corner, left);
    __m256i to_left = _mm256_or_si256(up_more, up_less);
    __m256i to_up = _mm256_or_si256(left_more, left_less);
    __m256i one_side = _mm256_or_si256(
        _mm256_min_epu8(up_more, left_more), _mm256_min_epu8(up_less, left_less));
    __m256i two_sides = _mm256_cmpeq_epi8(one_side, _mm256_setzero_si256());
    __m256i to_corner = _mm256_or_si256(
        distance(to_left, to_up), _mm256_andnot_si256(two_sides, _mm256_set1_epi8(-1)));
    __m256i take_left = _mm256_and_si256(not_more(to_left, to_up), not_more(to_left, to_corner));
    __m256i other = _mm256_blendv_epi8(corner, up, not_more(to_up, to_corner));
    return _mm256_blendv_epi8(other, left, take_left);
}

// Adds the absolute values of signed bytes to four 64-bit sums.
EMB_AVX2 static inline __m256i added(__m256i sum, __m256i difference) {
    return _mm256_add_epi64(
        sum, _mm256_sad_epu8(_mm256_abs_epi8(difference), _mm256_setzero_si256()));
}

// Returns the total of four 64-bit sums.
EMB_AVX2 static inline uint64_t total(__m256i sum) {
    __m128i half = _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    return (uint64_t)_mm_cvtsi128_si64(half) + (uint64_t)_mm_extract_epi64(half, 1);
}

EMB_AVX2 static void filter_sums_avx2(
    const uint8_t *row, const uint8_t *above, size_t count, size_t step, uint64_t *sums) {
    // The sums of the filters None, Sub, Up, Average and Paeth.
    __m256i none = _mm256_setzero_si256(), sub = none, over = none, average = none, nearest = none;
    const __m256i ones = _mm256_set1_epi8(1);
    const __m256i positions = _mm256_setr_epi8(
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
        25, 26, 27, 28, 29, 30, 31);
    for (size_t offset = 0; offset < count; offset += 32) {
        __m256i own = _mm256_loadu_si256((const __m256i *)(row + offset));
        __m256i left = _mm256_loadu_si256((const __m256i *)(row + offset - step));
        __m256i up = _mm256_loadu_si256((const __m256i *)(above + offset));
        __m256i corner = _mm256_loadu_si256((const __m256i *)(above + offset - step));
        if (count - offset < 32) {
            // Bytes past the end are zero, so that their differences are zero.
            __m256i inside = _mm256_cmpgt_epi8(_mm256_set1_epi8((char)(count - offset)), positions);
            own = _mm256_and_si256(own, inside);
            left = _mm256_and_si256(left, inside);
            up = _mm256_and_si256(up, inside);
            corner = _mm256_and_si256(corner, inside);
        }
        __m256i odd = _mm256_and_si256(_mm256_xor_si256(left, up), ones);
        __m256i mean = _mm256_sub_epi8(_mm256_avg_epu8(left, up), odd);
        none = added(none, own);
        sub = added(sub, _mm256_sub_epi8(own, left));
        over = added(over, _mm256_sub_epi8(own, up));
        average = added(average, _mm256_sub_epi8(own, mean));
        nearest = added(nearest, _mm256_sub_epi8(own, paeth(left, up, corner)));
    }
    sums[0] = total(none);
    sums[1] = total(sub);
    sums[2] = total(over);
    sums[3] = total(average);
    sums[4] = total(nearest);
}

EMB_AVX2 static void apply_paeth_avx2(
    const uint8_t *row, const uint8_t *above, uint8_t *result, size_t count, size_t step) {
    for (size_t offset = 0; offset < count; offset += 32) {
        __m256i own = _mm256_loadu_si256((const __m256i *)(row + offset));
        __m256i left = _mm256_loadu_si256((const __m256i *)(row + offset - step));
        __m256i up = _mm256_loadu_si256((const __m256i *)(above + offset));
        __m256i corner = _mm256_loadu_si256((const __m256i *)(above + offset - step));
        __m256i differences = _mm256_sub_epi8(own, paeth(left, up, corner));
        _mm256_storeu_si256((__m256i *)(result + offset), differences);
    }
}

// The common loops, compiled for AVX2, where a blend is one instruction; a pixel takes two thirds
// of the time.
EMB_AVX2 static void undo_paeth_avx2(
    const uint8_t *source, const uint8_t *above, uint8_t *result, size_t count, size_t step) {
    unfilter(source, above, result, count, step);
}

EMB_AVX2 static void undo_paeth_two_avx2(
    const uint8_t *upper, const uint8_t *lower, const uint8_t *above, uint8_t *upper_result,
    uint8_t *lower_result, size_t count, size_t step) {
    unfilter_two(upper, lower, above, upper_result, lower_result, count, step);
}

#define DISPATCH(name, arguments)                                                                  \
    if (emb_has_avx2()) {                                                                          \
        name##_avx2 arguments;                                                                     \
    } else {                                                                                       \
        emb_##name##_common arguments;                                                             \
    }

#else

#define DISPATCH(name, arguments) emb_##name##_common arguments;

#endif

void emb_filter_sums(
    const uint8_t *row, const uint8_t *above, size_t count, size_t step, uint64_t *sums) {
    DISPATCH(filter_sums, (row, above, count, step, sums))
}

void emb_apply_paeth(
    const uint8_t *row, const uint8_t *above, uint8_t *result, size_t count, size_t step) {
    DISPATCH(apply_paeth, (row, above, result, count, step))
}

void emb_undo_paeth(
    const uint8_t *source, const uint8_t *above, uint8_t *result, size_t count, size_t step) {
    DISPATCH(undo_paeth, (source, above, result, count, step))
}

void emb_undo_paeth_two(
    const uint8_t *upper, const uint8_t *lower, const uint8_t *above, uint8_t *upper_result,
    uint8_t *lower_result, size_t count, size_t step) {
    DISPATCH(undo_paeth_two, (upper, lower, above, upper_result, lower_result, count, step))
}
