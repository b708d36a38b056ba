#include "emb_kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define EMB_AVX512 __attribute__((target("avx512f,avx512bw,avx512vnni")))

// The layout of woven rows: blocks of sixteen pixels in four vectors, one for each group of four
// pixels in the order of the unpack instructions. Each 32-bit word holds one byte of each of four
// rows.
enum { BLOCK = 16, BLOCK_BYTES = 256, VECTOR = 64 };

int emb_has_avx512(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vnni");
}

EMB_AVX512 void emb_weave_rows_avx512(const uint8_t *const *rows, uint8_t *woven, size_t count) {
    for (size_t pixel = 0; pixel < count; pixel += BLOCK, woven += BLOCK_BYTES) {
        size_t here = count - pixel < BLOCK ? count - pixel : BLOCK;
        __mmask64 bytes = ~(__mmask64)0 >> (64 - here * 4);
        __m512i a = _mm512_maskz_loadu_epi8(bytes, rows[0] + pixel * 4);
        __m512i b = _mm512_maskz_loadu_epi8(bytes, rows[1] + pixel * 4);
        __m512i c = _mm512_maskz_loadu_epi8(bytes, rows[2] + pixel * 4);
        __m512i d = _mm512_maskz_loadu_epi8(bytes, rows[3] + pixel * 4);
        __m512i upper = _mm512_unpacklo_epi8(a, b), lower = _mm512_unpacklo_epi8(c, d);
        _mm512_store_si512(woven, _mm512_unpacklo_epi16(upper, lower));
        _mm512_store_si512(woven + VECTOR, _mm512_unpackhi_epi16(upper, lower));
        upper = _mm512_unpackhi_epi8(a, b);
        lower = _mm512_unpackhi_epi8(c, d);
        _mm512_store_si512(woven + 2 * VECTOR, _mm512_unpacklo_epi16(upper, lower));
        _mm512_store_si512(woven + 3 * VECTOR, _mm512_unpackhi_epi16(upper, lower));
    }
}

// Splits both weights of a pair into bytes. The low byte is signed, and the high byte compensates
// for it.
static inline void split_pair(int32_t pair, emb_split_weight *split, size_t former, size_t latter) {
    int16_t early = (int16_t)pair, late = (int16_t)(pair >> 16);
    split[former / 4].low[former % 4] = (int8_t)early;
    split[former / 4].high[former % 4] = (int8_t)((early + 128) >> 8);
    split[latter / 4].low[latter % 4] = (int8_t)late;
    split[latter / 4].high[latter % 4] = (int8_t)((late + 128) >> 8);
}

size_t emb_split_weights(
    const int32_t *weights, size_t pairs, size_t lead, emb_split_weight *split) {
    size_t quads = (lead + 2 * pairs + 3) / 4;
    split[0] = split[quads - 1] = (emb_split_weight){{0}, {0}};
    for (size_t pair = 0; pair < pairs; pair++) {
        split_pair(weights[pair], split, lead + 2 * pair, lead + 2 * pair + 1);
    }
    return quads;
}

// Returns a vector whose 32-bit words all hold the four bytes at `bytes`.
EMB_AVX512 static inline __m512i every_word(const int8_t *bytes) {
    int32_t word;
    __builtin_memcpy(&word, bytes, sizeof word);
    return _mm512_set1_epi32(word);
}

// Interleaves the channels of two pixels in each 128-bit lane.
EMB_AVX512 static inline __m512i interleaved(__m512i pixels) {
    return _mm512_unpacklo_epi16(pixels, _mm512_unpackhi_epi64(pixels, pixels));
}

// The sums of products with the high and with the low bytes of the weights.
typedef struct emb_sums {
    __m512i high;
    __m512i low;
} emb_sums;

EMB_AVX512 static inline emb_sums added(
    emb_sums sums, const uint8_t *woven, __m512i high, __m512i low) {
    __m512i values = _mm512_load_si512(woven);
    return (emb_sums){
        _mm512_dpbusd_epi32(sums.high, values, high), _mm512_dpbusd_epi32(sums.low, values, low)};
}

// Combines the sums of the high and low bytes, and divides by 2^distance, rounded to the nearest.
// `half` is 2^distance / 2.
EMB_AVX512 static inline __m512i rounded(emb_sums sums, __m512i half, __m128i distance) {
    __m512i whole = _mm512_add_epi32(_mm512_slli_epi32(sums.high, 8), sums.low);
    return _mm512_sra_epi32(_mm512_add_epi32(whole, half), distance);
}

EMB_AVX512 void emb_blend_woven_avx512(
    const uint8_t *const *woven, const emb_split_weight *weights, size_t quads, int32_t shift,
    int16_t *target, size_t count) {
    const __m512i half = _mm512_set1_epi32((1 << shift) >> 1);
    const __m128i distance = _mm_cvtsi32_si128(shift);
    // Each 128-bit lane of `left` holds pixels 0 and 1 of a group of four, and `right` holds pixels
    // 2 and 3. These indexes order the first and the last eight of sixteen pixels.
    const __m512i former = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const __m512i latter = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    for (size_t pixel = 0; pixel < count; pixel += BLOCK) {
        size_t here = count - pixel < BLOCK ? count - pixel : BLOCK;
        emb_sums first = {_mm512_setzero_si512(), _mm512_setzero_si512()};
        emb_sums second = first, third = first, fourth = first;
        for (size_t quad = 0; quad < quads; quad++) {
            const uint8_t *block = woven[quad] + pixel / BLOCK * BLOCK_BYTES;
            __m512i high = every_word(weights[quad].high), low = every_word(weights[quad].low);
            first = added(first, block, high, low);
            second = added(second, block + VECTOR, high, low);
            third = added(third, block + 2 * VECTOR, high, low);
            fourth = added(fourth, block + 3 * VECTOR, high, low);
        }
        __m512i left = interleaved(
            _mm512_packs_epi32(rounded(first, half, distance), rounded(second, half, distance)));
        __m512i right = interleaved(
            _mm512_packs_epi32(rounded(third, half, distance), rounded(fourth, half, distance)));
        // Four values per pixel, in whole pairs; the partner of a last, unpaired pixel is zero.
        __mmask64 values = ~(__mmask64)0 >> (64 - (here + 1) / 2 * 8);
        int16_t *out = target + pixel * 4;
        _mm512_mask_storeu_epi16(
            out, (__mmask32)values, _mm512_permutex2var_epi64(left, former, right));
        _mm512_mask_storeu_epi16(
            out + 32, (__mmask32)(values >> 32), _mm512_permutex2var_epi64(left, latter, right));
    }
}

#else

int emb_has_avx512(void) {
    return 0;
}

#endif
