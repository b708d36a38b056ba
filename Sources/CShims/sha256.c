#include "emb_sha256.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

int emb_sha256_is_available(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return 0;
    int has_sse = (c & bit_SSSE3) && (c & bit_SSE4_1);
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return 0;
    return has_sse && (b & bit_SHA) ? 1 : 0;
}

#define EMB_SHA __attribute__((target("sha,sse4.1,ssse3")))

// Four state words in the order of the instructions, the first in the highest lane.
EMB_SHA static inline __m128i four(uint32_t first, uint32_t second, uint32_t third, uint32_t last) {
    return _mm_set_epi32((int)first, (int)second, (int)third, (int)last);
}

// Stores the words `from` and `from` + 1 of a vector, the higher one as `first`.
EMB_SHA static inline void put_two(__m128i words, int from, uint32_t *first, uint32_t *second) {
    uint32_t all[4];
    _mm_storeu_si128((__m128i *)all, words);
    *first = all[from + 1];
    *second = all[from];
}

// FIPS 180-4, section 6.2.2; the working variables a to h are the words of the state.
EMB_SHA void emb_sha256_compress(
    uint32_t *state, const uint8_t *bytes, size_t blocks, const uint32_t *constants) {
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i *keys = (const __m128i *)constants;

    // Two rounds compute new a, b, e and f; the old values become c, d, g and h.
    __m128i abef = four(state[0], state[1], state[4], state[5]);
    __m128i cdgh = four(state[2], state[3], state[6], state[7]);

    for (; blocks > 0; blocks--, bytes += 64) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i words[4];
#pragma clang loop unroll(full)
        for (int group = 0; group < 16; group++) {
            __m128i now;
            if (group < 4) {
                now = _mm_loadu_si128((const __m128i *)bytes + group);
                now = _mm_shuffle_epi8(now, big_endian);
            } else {
                // Each new word depends on the words 16, 15, 7 and 2 places before it. In a group
                // of four, the last two therefore depend on the first two.
                __m128i last = words[(group + 3) & 3];
                now = _mm_sha256msg1_epu32(words[group & 3], words[(group + 1) & 3]);
                now = _mm_add_epi32(now, _mm_alignr_epi8(last, words[(group + 2) & 3], 4));
                now = _mm_sha256msg2_epu32(now, last);
            }
            words[group & 3] = now;
            __m128i keyed = _mm_add_epi32(now, _mm_loadu_si128(keys + group));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, keyed);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(keyed, 0x0E));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }

    put_two(abef, 2, &state[0], &state[1]);
    put_two(abef, 0, &state[4], &state[5]);
    put_two(cdgh, 2, &state[2], &state[3]);
    put_two(cdgh, 0, &state[6], &state[7]);
}

#else

int emb_sha256_is_available(void) {
    return 0;
}

void emb_sha256_compress(
    uint32_t *state, const uint8_t *bytes, size_t blocks, const uint32_t *constants) {
    (void)state, (void)bytes, (void)blocks, (void)constants;
}

#endif
