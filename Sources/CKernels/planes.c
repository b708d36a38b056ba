#include "emb_kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define EMB_AVX2 __attribute__((target("avx2")))

EMB_AVX2 static inline __m256i load(const void *from) {
    return _mm256_loadu_si256((const __m256i *)from);
}

EMB_AVX2 static inline void store(void *to, __m256i lanes) {
    _mm256_storeu_si256((__m256i *)to, lanes);
}

// Widens 16 bytes to 16-bit lanes.
EMB_AVX2 static inline __m256i wide(const uint8_t *from) {
    return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)from));
}

// Packs 16-bit lanes to bytes from 0 to 255, with saturation.
EMB_AVX2 static inline __m128i narrow(__m256i lanes) {
    return _mm_packus_epi16(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
}

EMB_AVX2 static inline void store_narrow(uint8_t *to, __m256i lanes) {
    _mm_storeu_si128((__m128i *)to, narrow(lanes));
}

EMB_AVX2 size_t
emb_halve_plane_avx2(const int16_t *sums, const int16_t *roundings, uint8_t *target, size_t count) {
    // The weights of the first two values, then of the last two.
    const __m256i early = _mm256_set1_epi32(0x00030001), late = _mm256_set1_epi32(0x00010003);
    size_t whole = count & ~(size_t)15;
    for (size_t index = 0; index < whole; index += 16) {
        const int16_t *in = sums + index * 2;
        __m256i first = _mm256_add_epi32(
            _mm256_madd_epi16(load(in), early), _mm256_madd_epi16(load(in + 2), late));
        __m256i second = _mm256_add_epi32(
            _mm256_madd_epi16(load(in + 16), early), _mm256_madd_epi16(load(in + 18), late));
        // The pack instruction leaves the order 0 to 3, 8 to 11, 4 to 7, 12 to 15.
        __m256i sum = _mm256_permute4x64_epi64(_mm256_packs_epi32(first, second), 0xD8);
        sum = _mm256_add_epi16(sum, load(roundings + index));
        store_narrow(target + index, _mm256_srli_epi16(sum, 6));
    }
    return whole;
}

EMB_AVX2 size_t emb_smooth_down_avx2(
    const uint8_t *above, const uint8_t *here, const uint8_t *below, uint16_t *sums, size_t count) {
    const __m256i three = _mm256_set1_epi16(3), ten = _mm256_set1_epi16(10);
    size_t whole = count & ~(size_t)15;
    for (size_t index = 0; index < whole; index += 16) {
        __m256i outer = _mm256_add_epi16(wide(above + index), wide(below + index));
        store(
            sums + index,
            _mm256_add_epi16(
                _mm256_mullo_epi16(outer, three), _mm256_mullo_epi16(wide(here + index), ten)));
    }
    return whole;
}

EMB_AVX2 size_t emb_smooth_across_avx2(const uint16_t *sums, uint8_t *target, size_t count) {
    const __m256i three = _mm256_set1_epi16(3), ten = _mm256_set1_epi16(10);
    const __m256i half = _mm256_set1_epi16(128);
    size_t whole = count & ~(size_t)15;
    for (size_t index = 0; index < whole; index += 16) {
        __m256i outer = _mm256_add_epi16(load(sums + index), load(sums + index + 2));
        __m256i sum = _mm256_add_epi16(
            _mm256_mullo_epi16(outer, three), _mm256_mullo_epi16(load(sums + index + 1), ten));
        store_narrow(target + index, _mm256_srli_epi16(_mm256_add_epi16(sum, half), 8));
    }
    return whole;
}

EMB_AVX2 size_t
emb_average_plane_avx2(const uint8_t *upper, const uint8_t *lower, uint8_t *target, size_t count) {
    const __m256i ones = _mm256_set1_epi8(1), half = _mm256_set1_epi16(2);
    size_t whole = count & ~(size_t)15;
    for (size_t index = 0; index < whole; index += 16) {
        __m256i sum = _mm256_add_epi16(
            _mm256_maddubs_epi16(load(upper + index * 2), ones),
            _mm256_maddubs_epi16(load(lower + index * 2), ones));
        store_narrow(target + index, _mm256_srli_epi16(_mm256_add_epi16(sum, half), 2));
    }
    return whole;
}

EMB_AVX2 size_t emb_premultiply_plane_avx2(uint8_t *values, const uint8_t *alphas, size_t count) {
    const __m256i half = _mm256_set1_epi16(128);
    size_t whole = count & ~(size_t)15;
    for (size_t index = 0; index < whole; index += 16) {
        __m256i sum = _mm256_add_epi16(
            _mm256_mullo_epi16(wide(values + index), wide(alphas + index)), half);
        sum = _mm256_srli_epi16(_mm256_add_epi16(sum, _mm256_srli_epi16(sum, 8)), 8);
        store_narrow(values + index, sum);
    }
    return whole;
}

// Multiplies eight values by 255 / alpha, rounded to the nearest; values with alpha 0 are
// unchanged.
EMB_AVX2 static inline __m256i quotients(const uint8_t *values, const uint8_t *alphas) {
    __m256i value = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)values));
    __m256i alpha = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)alphas));
    __m256i none = _mm256_cmpeq_epi32(alpha, _mm256_setzero_si256());
    __m256i above = _mm256_add_epi32(_mm256_mullo_epi32(value, _mm256_set1_epi32(510)), alpha);
    __m256i below = _mm256_sub_epi32(_mm256_add_epi32(alpha, alpha), none);
    // The result is exact, because the operands are integers below 2^18 and below 2^9.
    __m256i result = _mm256_cvttps_epi32(
        _mm256_div_ps(_mm256_cvtepi32_ps(above), _mm256_cvtepi32_ps(below)));
    result = _mm256_min_epi32(result, _mm256_set1_epi32(255));
    return _mm256_blendv_epi8(result, value, none);
}

EMB_AVX2 size_t emb_unpremultiply_plane_avx2(uint8_t *values, const uint8_t *alphas, size_t count) {
    const __m128i all = _mm_set1_epi8(-1);
    size_t whole = count & ~(size_t)15;
    for (size_t index = 0; index < whole; index += 16) {
        __m128i alpha = _mm_loadu_si128((const __m128i *)(alphas + index));
        // Most of a logo is fully opaque or fully transparent, where values need no change.
        if (_mm_testc_si128(alpha, all) || _mm_testz_si128(alpha, alpha)) {
            continue;
        }
        __m256i lanes = _mm256_packus_epi32(
            quotients(values + index, alphas + index),
            quotients(values + index + 8, alphas + index + 8));
        store_narrow(values + index, _mm256_permute4x64_epi64(lanes, 0xD8));
    }
    return whole;
}

EMB_AVX2 size_t emb_yuv_to_rgba_avx2(
    const uint8_t *luma, const uint8_t *blue, const uint8_t *red, const uint8_t *_Nullable alpha,
    uint8_t *pixels, size_t count) {
    size_t whole = count & ~(size_t)15;
    for (size_t index = 0; index < whole; index += 16) {
        // Factors have 14 fractional bits and values 8; each product keeps six fractional bits.
        __m256i y = _mm256_mulhi_epu16(
            _mm256_slli_epi16(wide(luma + index), 8), _mm256_set1_epi16(19077));
        __m256i u = _mm256_slli_epi16(wide(blue + index), 8);
        __m256i v = _mm256_slli_epi16(wide(red + index), 8);
        __m256i r = _mm256_add_epi16(
            _mm256_sub_epi16(y, _mm256_set1_epi16(14234)),
            _mm256_mulhi_epu16(v, _mm256_set1_epi16(26149)));
        __m256i g = _mm256_sub_epi16(
            _mm256_add_epi16(y, _mm256_set1_epi16(8708)),
            _mm256_add_epi16(
                _mm256_mulhi_epu16(u, _mm256_set1_epi16(6419)),
                _mm256_mulhi_epu16(v, _mm256_set1_epi16(13320))));
        // The sum needs 16 bits, so the operations are unsigned.
        __m256i b = _mm256_subs_epu16(
            _mm256_add_epi16(y, _mm256_mulhi_epu16(u, _mm256_set1_epi16((short)33050))),
            _mm256_set1_epi16(17685));
        __m128i reds = narrow(_mm256_srai_epi16(r, 6));
        __m128i greens = narrow(_mm256_srai_epi16(g, 6));
        __m128i blues = narrow(_mm256_srli_epi16(b, 6));
        __m128i alphas = alpha ? _mm_loadu_si128((const __m128i *)(alpha + index))
                               : _mm_set1_epi8(-1);
        __m128i red_green = _mm_unpacklo_epi8(reds, greens);
        __m128i blue_alpha = _mm_unpacklo_epi8(blues, alphas);
        __m128i *out = (__m128i *)(pixels + index * 4);
        _mm_storeu_si128(out, _mm_unpacklo_epi16(red_green, blue_alpha));
        _mm_storeu_si128(out + 1, _mm_unpackhi_epi16(red_green, blue_alpha));
        red_green = _mm_unpackhi_epi8(reds, greens);
        blue_alpha = _mm_unpackhi_epi8(blues, alphas);
        _mm_storeu_si128(out + 2, _mm_unpacklo_epi16(red_green, blue_alpha));
        _mm_storeu_si128(out + 3, _mm_unpackhi_epi16(red_green, blue_alpha));
    }
    return whole;
}

#endif
