#include "emb_kernels.h"

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

EMB_AVX2 void emb_filter_sums_avx2(
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

EMB_AVX2 void emb_apply_paeth_avx2(
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

#endif
