#include "emb_sha256.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

int emb_sha256_is_available(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
    int has_sse = (c & bit_SSSE3) && (c & bit_SSE4_1);
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
    return has_sse && (b & bit_SHA) ? 1 : 0;
}

__attribute__((target("sha,sse4.1,ssse3"))) void emb_sha256_compress(
    uint32_t *state, const uint8_t *bytes, size_t blocks, const uint32_t *constants) {
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i *keys = (const __m128i *)constants;

    // The instructions want the state as two registers: A B E F and C D G H, first word on top.
    __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xB1);
    __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1B);
    __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
    __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xF0);

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
                // Words 16, 15, 7 and 2 places back; the last two of four need the first two.
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

    __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
    __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#else

int emb_sha256_is_available(void) { return 0; }

void emb_sha256_compress(
    uint32_t *state, const uint8_t *bytes, size_t blocks, const uint32_t *constants) {
    (void)state, (void)bytes, (void)blocks, (void)constants;
}

#endif
