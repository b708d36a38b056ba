#include "emb_kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define EMB_AVX2 __attribute__((target("avx2")))

int emb_has_avx2(void) {
    return __builtin_cpu_supports("avx2");
}

// Adds the weighted sums of pairs of 16-bit values to 32-bit sums.
EMB_AVX2 static inline __m256i mixed(__m256i sum, __m256i values, __m256i weights) {
    return _mm256_add_epi32(sum, _mm256_madd_epi16(values, weights));
}

// Interleaves the channels of two pixels in each 128-bit lane.
EMB_AVX2 static inline __m256i interleaved(__m256i pixels) {
    return _mm256_unpacklo_epi16(pixels, _mm256_unpackhi_epi64(pixels, pixels));
}

EMB_AVX2 size_t emb_blend_pixels_avx2(
    const uint8_t *const *rows, const int32_t *weights, size_t pairs, int32_t shift,
    int16_t *target, size_t count) {
    const __m256i zero = _mm256_setzero_si256();
    const __m256i half = _mm256_set1_epi32((1 << shift) >> 1);
    const __m128i distance = _mm_cvtsi32_si128(shift);
    size_t whole = count & ~(size_t)7;
    for (size_t pixel = 0; pixel < whole; pixel += 8) {
        __m256i first = half, second = half, third = half, fourth = half;
        for (size_t pair = 0; pair < pairs; pair++) {
            __m256i weight = _mm256_set1_epi32(weights[pair]);
            __m256i early = _mm256_loadu_si256((const __m256i *)(rows[2 * pair] + pixel * 4));
            __m256i late = _mm256_loadu_si256((const __m256i *)(rows[2 * pair + 1] + pixel * 4));
            __m256i low = _mm256_unpacklo_epi8(early, late);
            __m256i high = _mm256_unpackhi_epi8(early, late);
            first = mixed(first, _mm256_unpacklo_epi8(low, zero), weight);
            second = mixed(second, _mm256_unpackhi_epi8(low, zero), weight);
            third = mixed(third, _mm256_unpacklo_epi8(high, zero), weight);
            fourth = mixed(fourth, _mm256_unpackhi_epi8(high, zero), weight);
        }
        __m256i left = interleaved(_mm256_packs_epi32(
            _mm256_sra_epi32(first, distance), _mm256_sra_epi32(second, distance)));
        __m256i right = interleaved(_mm256_packs_epi32(
            _mm256_sra_epi32(third, distance), _mm256_sra_epi32(fourth, distance)));
        // The lower 128-bit lanes hold pixels 0 to 3, the upper lanes 4 to 7.
        __m256i *out = (__m256i *)(target + pixel * 4);
        _mm256_storeu_si256(out, _mm256_permute2x128_si256(left, right, 0x20));
        _mm256_storeu_si256(out + 1, _mm256_permute2x128_si256(left, right, 0x31));
    }
    if (count - whole < 4) {
        return whole;
    }
    // Four of the eight pixels of a group remain.
    __m256i early_two = half, late_two = half;
    for (size_t pair = 0; pair < pairs; pair++) {
        __m256i weight = _mm256_set1_epi32(weights[pair]);
        __m128i early = _mm_loadu_si128((const __m128i *)(rows[2 * pair] + whole * 4));
        __m128i late = _mm_loadu_si128((const __m128i *)(rows[2 * pair + 1] + whole * 4));
        // Pixels 0 and 1, then 2 and 3.
        early_two = mixed(early_two, _mm256_cvtepu8_epi16(_mm_unpacklo_epi8(early, late)), weight);
        late_two = mixed(late_two, _mm256_cvtepu8_epi16(_mm_unpackhi_epi8(early, late)), weight);
    }
    __m256i sums = _mm256_packs_epi32(
        _mm256_sra_epi32(early_two, distance), _mm256_sra_epi32(late_two, distance));
    // The lower 128-bit lane holds pixels 0 and 2, the upper lane 1 and 3.
    __m128i even = _mm256_castsi256_si128(sums), odd = _mm256_extracti128_si256(sums, 1);
    _mm_storeu_si128((__m128i *)(target + whole * 4), _mm_unpacklo_epi16(even, odd));
    _mm_storeu_si128((__m128i *)(target + whole * 4 + 8), _mm_unpackhi_epi16(even, odd));
    return whole + 4;
}

EMB_AVX2 size_t emb_sum_rows_1331_avx2(const uint8_t *const *rows, int16_t *sums, size_t count) {
    const __m256i early = _mm256_set1_epi16(0x0301), late = _mm256_set1_epi16(0x0103);
    size_t whole = count & ~(size_t)31;
    for (size_t index = 0; index < whole; index += 32) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(rows[0] + index));
        __m256i b = _mm256_loadu_si256((const __m256i *)(rows[1] + index));
        __m256i c = _mm256_loadu_si256((const __m256i *)(rows[2] + index));
        __m256i d = _mm256_loadu_si256((const __m256i *)(rows[3] + index));
        __m256i low = _mm256_add_epi16(
            _mm256_maddubs_epi16(_mm256_unpacklo_epi8(a, b), early),
            _mm256_maddubs_epi16(_mm256_unpacklo_epi8(c, d), late));
        __m256i high = _mm256_add_epi16(
            _mm256_maddubs_epi16(_mm256_unpackhi_epi8(a, b), early),
            _mm256_maddubs_epi16(_mm256_unpackhi_epi8(c, d), late));
        // `low` holds the sums of bytes 0 to 7 and 16 to 23, and `high` those of the others.
        __m256i *out = (__m256i *)(sums + index);
        _mm256_storeu_si256(out, _mm256_permute2x128_si256(low, high, 0x20));
        _mm256_storeu_si256(out + 1, _mm256_permute2x128_si256(low, high, 0x31));
    }
    return whole;
}

EMB_AVX2 size_t
emb_halve_avx2(const int16_t *sums, const int16_t *roundings, uint8_t *pixels, size_t count) {
    size_t whole = count & ~(size_t)3;
    for (size_t index = 0; index < whole; index += 4) {
        const int16_t *in = sums + index * 8;
        __m256i first = _mm256_loadu_si256((const __m256i *)in);
        __m256i second = _mm256_loadu_si256((const __m256i *)(in + 16));
        __m128i third = _mm_loadu_si128((const __m128i *)(in + 32));
        // Each 128-bit lane gives two results from six pixels. `early` holds the first two pixels,
        // `middle` the next two, and `late` the last two.
        __m256i early = _mm256_permute2x128_si256(first, second, 0x20);
        __m256i middle = _mm256_permute2x128_si256(first, second, 0x31);
        __m256i late = _mm256_inserti128_si256(second, third, 1);
        __m256i outer = _mm256_add_epi16(
            _mm256_unpacklo_epi64(early, middle), _mm256_unpackhi_epi64(middle, late));
        __m256i inner = _mm256_add_epi16(
            _mm256_unpackhi_epi64(early, middle), _mm256_unpacklo_epi64(middle, late));
        __m256i sum = _mm256_add_epi16(
            _mm256_add_epi16(outer, _mm256_loadu_si256((const __m256i *)(roundings + index * 4))),
            _mm256_add_epi16(inner, _mm256_add_epi16(inner, inner)));
        sum = _mm256_srli_epi16(sum, 6);
        _mm_storeu_si128(
            (__m128i *)(pixels + index * 4),
            _mm_packus_epi16(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1)));
    }
    return whole;
}

// Returns the weighted sums of one run: of its even pairs in the lower 128-bit lane, and of its odd
// pairs in the upper lane.
EMB_AVX2 static inline __m256i products(
    const int16_t *row, const int32_t *weights, const emb_run *run) {
    const int16_t *values = row + run->start * 4;
    const int32_t *words = weights + run->first;
    // Indexes that repeat the weights of a pair in the lane of the pair.
    const __m256i lanes = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
    __m256i sum = _mm256_setzero_si256();
    intptr_t pair = 0;
    for (; pair + 1 < run->pairs; pair += 2) {
        __m256i two = _mm256_castsi128_si256(_mm_loadl_epi64((const __m128i *)(words + pair)));
        sum = mixed(
            sum, _mm256_loadu_si256((const __m256i *)(values + pair * 8)),
            _mm256_permutevar8x32_epi32(two, lanes));
    }
    if (pair < run->pairs) {
        __m128i last = _mm_madd_epi16(
            _mm_loadu_si128((const __m128i *)(values + pair * 8)), _mm_set1_epi32(words[pair]));
        sum = _mm256_add_epi32(sum, _mm256_zextsi128_si256(last));
    }
    return sum;
}

EMB_AVX2 void emb_blend_columns_avx2(
    const int16_t *row, const emb_run *runs, const int32_t *weights, int32_t shift, int16_t *target,
    size_t count) {
    const __m256i half = _mm256_set1_epi32((1 << shift) >> 1);
    const __m128i distance = _mm_cvtsi32_si128(shift);
    for (size_t index = 0; index < count; index += 2) {
        // If `count` is odd, the last output is computed twice.
        size_t next = index + 1 < count ? index + 1 : index;
        __m256i early = products(row, weights, &runs[index]);
        __m256i late = products(row, weights, &runs[next]);
        __m256i sums = _mm256_add_epi32(
            _mm256_permute2x128_si256(early, late, 0x20),
            _mm256_permute2x128_si256(early, late, 0x31));
        sums = _mm256_sra_epi32(_mm256_add_epi32(sums, half), distance);
        sums = _mm256_packs_epi32(sums, sums);
        _mm_storel_epi64((__m128i *)(target + next * 4), _mm256_extracti128_si256(sums, 1));
        _mm_storel_epi64((__m128i *)(target + index * 4), _mm256_castsi256_si128(sums));
    }
}

#else

int emb_has_avx2(void) {
    return 0;
}

#endif
