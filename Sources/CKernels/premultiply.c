#include "emb_kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define EMB_AVX2 __attribute__((target("avx2")))

// Multiplies bytes and divides by 255, rounded to the nearest.
EMB_AVX2 static inline __m256i scaled(__m256i values, __m256i factors) {
    __m256i sum = _mm256_add_epi16(_mm256_mullo_epi16(values, factors), _mm256_set1_epi16(128));
    return _mm256_srli_epi16(_mm256_add_epi16(sum, _mm256_srli_epi16(sum, 8)), 8);
}

EMB_AVX2 size_t
emb_premultiply_avx2(const uint8_t *source, uint8_t *result, size_t count, uint32_t *alphas) {
    const __m256i alpha = _mm256_set1_epi32((int)0xFF000000u), zero = _mm256_setzero_si256();
    // Shuffles that repeat each pixel's alpha for its three colours. `whole` adds 255 as the factor
    // of the alpha itself.
    const __m256i low = _mm256_setr_epi8(
        3, -1, 3, -1, 3, -1, -1, -1, 7, -1, 7, -1, 7, -1, -1, -1, 3, -1, 3, -1, 3, -1, -1, -1, 7,
        -1, 7, -1, 7, -1, -1, -1);
    const __m256i high = _mm256_setr_epi8(
        11, -1, 11, -1, 11, -1, -1, -1, 15, -1, 15, -1, 15, -1, -1, -1, 11, -1, 11, -1, 11, -1, -1,
        -1, 15, -1, 15, -1, 15, -1, -1, -1);
    const __m256i whole = _mm256_set1_epi64x(0x00FF000000000000);
    __m256i all = _mm256_set1_epi32(-1);
    size_t done = 0;
    for (; done + 8 <= count; done += 8) {
        __m256i pixels = _mm256_loadu_si256((const __m256i *)(source + done * 4));
        __m256i *out = (__m256i *)(result + done * 4);
        all = _mm256_and_si256(all, pixels);
        if (_mm256_testc_si256(pixels, alpha)) {
            _mm256_storeu_si256(out, pixels);
        } else if (_mm256_testz_si256(pixels, alpha)) {
            _mm256_storeu_si256(out, zero);
        } else {
            __m256i early = scaled(
                _mm256_unpacklo_epi8(pixels, zero),
                _mm256_or_si256(_mm256_shuffle_epi8(pixels, low), whole));
            __m256i late = scaled(
                _mm256_unpackhi_epi8(pixels, zero),
                _mm256_or_si256(_mm256_shuffle_epi8(pixels, high), whole));
            _mm256_storeu_si256(out, _mm256_packus_epi16(early, late));
        }
    }
    __m128i half = _mm_and_si128(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    half = _mm_and_si128(half, _mm_srli_si128(half, 8));
    *alphas = (uint32_t)(_mm_cvtsi128_si64(half) & (_mm_cvtsi128_si64(half) >> 32));
    return done;
}

EMB_AVX2 size_t emb_composite_over_avx2(const uint8_t *source, uint8_t *target, size_t count) {
    const __m256i alpha = _mm256_set1_epi32((int)0xFF000000u), zero = _mm256_setzero_si256();
    // Shuffles that repeat each pixel's alpha for all four channels.
    const __m256i low = _mm256_setr_epi8(
        3, -1, 3, -1, 3, -1, 3, -1, 7, -1, 7, -1, 7, -1, 7, -1, 3, -1, 3, -1, 3, -1, 3, -1, 7, -1,
        7, -1, 7, -1, 7, -1);
    const __m256i high = _mm256_setr_epi8(
        11, -1, 11, -1, 11, -1, 11, -1, 15, -1, 15, -1, 15, -1, 15, -1, 11, -1, 11, -1, 11, -1, 11,
        -1, 15, -1, 15, -1, 15, -1, 15, -1);
    size_t done = 0;
    for (; done + 8 <= count; done += 8) {
        __m256i front = _mm256_loadu_si256((const __m256i *)(source + done * 4));
        __m256i *out = (__m256i *)(target + done * 4);
        if (_mm256_testz_si256(front, front)) {
            continue;
        }
        if (!_mm256_testc_si256(front, alpha)) {
            __m256i back = _mm256_loadu_si256(out);
            __m256i rest = _mm256_xor_si256(front, _mm256_set1_epi8(-1));
            __m256i early = scaled(
                _mm256_unpacklo_epi8(back, zero), _mm256_shuffle_epi8(rest, low));
            __m256i late = scaled(
                _mm256_unpackhi_epi8(back, zero), _mm256_shuffle_epi8(rest, high));
            front = _mm256_adds_epu8(front, _mm256_packus_epi16(early, late));
        }
        _mm256_storeu_si256(out, front);
    }
    return done;
}

#endif
