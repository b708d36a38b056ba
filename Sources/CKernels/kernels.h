// The inner loops of Raster, once for all processors. Each file that includes this one defines
// WIDTH, the bytes of a vector (16 or 32), or 0 for the plain loops alone. In each function the
// vector loop comes first; the plain loop after it processes what is left. The sums are integers,
// so every width gives the same bits.

#include "emb_kernels.h"

#define EMB_INLINE static inline __attribute__((always_inline))

// With a WIDTH the compiler makes vectors of simple loops. Without one the loops are the reference
// for tests, and stay plain.
#if WIDTH
#define EMB_LOOP
#else
#define EMB_LOOP _Pragma("clang loop vectorize(disable) interleave(disable)")
#endif

#if WIDTH

typedef uint8_t bytes __attribute__((vector_size(WIDTH)));
typedef uint8_t half_bytes __attribute__((vector_size(WIDTH / 2)));
typedef int16_t lanes __attribute__((vector_size(WIDTH)));
typedef uint16_t unsigned_lanes __attribute__((vector_size(WIDTH)));
typedef int32_t words __attribute__((vector_size(WIDTH)));
typedef uint64_t groups __attribute__((vector_size(WIDTH)));

EMB_INLINE bytes load_bytes(const void *from) {
    bytes values;
    __builtin_memcpy(&values, from, sizeof values);
    return values;
}

EMB_INLINE lanes load(const void *from) {
    lanes values;
    __builtin_memcpy(&values, from, sizeof values);
    return values;
}

EMB_INLINE void store(void *to, lanes values) {
    __builtin_memcpy(to, &values, sizeof values);
}

EMB_INLINE void store_half(void *to, half_bytes values) {
    __builtin_memcpy(to, &values, sizeof values);
}

// Widens bytes to 16-bit lanes.
EMB_INLINE lanes wide(const uint8_t *from) {
    half_bytes values;
    __builtin_memcpy(&values, from, sizeof values);
    return __builtin_convertvector(values, lanes);
}

// The bytes of two rows of pixels as 16-bit lanes: those of the first row in even lanes, those of
// the second row in odd lanes. Within each 128-bit part the pixels are in order.
typedef struct paired_rows {
    lanes pixels[4];
} paired_rows;

// `paired` interleaves two rows, `mixed` adds the weighted sums of pairs of neighbouring lanes, and
// `narrow` converts 32-bit sums to 16 bits with saturation; all three work within 128-bit parts.
// Each word of `weights` holds the weights of one pair, that of the even lane in the lower half.
// `narrow_bytes` converts lanes to bytes from 0 to 255 with saturation, in order.
#if defined(__x86_64__)

#include <immintrin.h>

#if WIDTH == 32
typedef __m256i vector;
#define EMB_VECTOR(name) _mm256_##name
#else
typedef __m128i vector;
#define EMB_VECTOR(name) _mm_##name
#endif

EMB_INLINE lanes wide_low(bytes values) {
    return (lanes)EMB_VECTOR(unpacklo_epi8)((vector)values, (vector){0});
}

EMB_INLINE lanes wide_high(bytes values) {
    return (lanes)EMB_VECTOR(unpackhi_epi8)((vector)values, (vector){0});
}

EMB_INLINE bytes packed(lanes low, lanes high) {
    return (bytes)EMB_VECTOR(packus_epi16)((vector)low, (vector)high);
}

EMB_INLINE paired_rows paired(bytes early, bytes late) {
    bytes low = (bytes)EMB_VECTOR(unpacklo_epi8)((vector)early, (vector)late);
    bytes high = (bytes)EMB_VECTOR(unpackhi_epi8)((vector)early, (vector)late);
    return (paired_rows){{wide_low(low), wide_high(low), wide_low(high), wide_high(high)}};
}

EMB_INLINE words mixed(words sum, lanes values, words weights) {
    return sum + (words)EMB_VECTOR(madd_epi16)((vector)values, (vector)weights);
}

EMB_INLINE lanes narrow(words first, words second) {
    return (lanes)EMB_VECTOR(packs_epi32)((vector)first, (vector)second);
}

EMB_INLINE half_bytes narrow_bytes(lanes values) {
#if WIDTH == 32
    __m256i all = (__m256i)values;
    return (half_bytes)_mm_packus_epi16(
        _mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
#else
    bytes all = packed(values, values);
    return __builtin_shufflevector(all, all, 0, 1, 2, 3, 4, 5, 6, 7);
#endif
}

EMB_INLINE lanes zip_low(lanes a, lanes b) {
    return (lanes)EMB_VECTOR(unpacklo_epi16)((vector)a, (vector)b);
}

EMB_INLINE lanes zip_high(lanes a, lanes b) {
    return (lanes)EMB_VECTOR(unpackhi_epi16)((vector)a, (vector)b);
}

// The first and the second of two neighbouring 64-bit groups of `a`, then of `b`, within 128-bit
// parts.
EMB_INLINE lanes even_groups(lanes a, lanes b) {
    return (lanes)EMB_VECTOR(unpacklo_epi64)((vector)a, (vector)b);
}

EMB_INLINE lanes odd_groups(lanes a, lanes b) {
    return (lanes)EMB_VECTOR(unpackhi_epi64)((vector)a, (vector)b);
}

EMB_INLINE unsigned_lanes high_products(unsigned_lanes values, uint16_t factor) {
    unsigned_lanes factors = (unsigned_lanes){0} + factor;
    return (unsigned_lanes)EMB_VECTOR(mulhi_epu16)((vector)values, (vector)factors);
}

// Repeats the last of each four lanes.
EMB_INLINE lanes alphas_of(lanes pixels) {
    return (lanes)EMB_VECTOR(shufflehi_epi16)(
        EMB_VECTOR(shufflelo_epi16)((vector)pixels, 0xFF), 0xFF);
}

#elif defined(__aarch64__)

#include <arm_neon.h>

EMB_INLINE lanes zip_low(lanes a, lanes b) {
    return vzip1q_s16(a, b);
}

EMB_INLINE lanes zip_high(lanes a, lanes b) {
    return vzip2q_s16(a, b);
}

EMB_INLINE lanes wide_low(bytes values) {
    return (lanes)vmovl_u8(vget_low_u8(values));
}

EMB_INLINE lanes wide_high(bytes values) {
    return (lanes)vmovl_high_u8(values);
}

EMB_INLINE bytes packed(lanes low, lanes high) {
    return vqmovun_high_s16(vqmovun_s16(low), high);
}

// NEON multiplies separate vectors. The compiler therefore removes the interleaving of `paired`,
// which `mixed` reverses.
EMB_INLINE paired_rows paired(bytes early, bytes late) {
    lanes first = wide_low(early), second = wide_high(early);
    lanes third = wide_low(late), fourth = wide_high(late);
    return (paired_rows){
        {zip_low(first, third), zip_high(first, third), zip_low(second, fourth),
         zip_high(second, fourth)}};
}

EMB_INLINE words mixed(words sum, lanes values, words weights) {
    int16x4_t even = __builtin_shufflevector(values, values, 0, 2, 4, 6);
    int16x4_t odd = __builtin_shufflevector(values, values, 1, 3, 5, 7);
    sum = vmlal_s16(sum, even, vmovn_s32(weights));
    return vmlal_s16(sum, odd, vshrn_n_s32(weights, 16));
}

EMB_INLINE lanes narrow(words first, words second) {
    return vqmovn_high_s32(vqmovn_s32(first), second);
}

EMB_INLINE half_bytes narrow_bytes(lanes values) {
    return vqmovun_s16(values);
}

EMB_INLINE lanes even_groups(lanes a, lanes b) {
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
}

EMB_INLINE lanes odd_groups(lanes a, lanes b) {
    return __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
}

EMB_INLINE unsigned_lanes high_products(unsigned_lanes values, uint16_t factor) {
    uint16x8_t factors = vdupq_n_u16(factor);
    uint16x4_t low = vshrn_n_u32(vmull_u16(vget_low_u16(values), vget_low_u16(factors)), 16);
    return vshrn_high_n_u32(low, vmull_high_u16(values, factors), 16);
}

EMB_INLINE lanes alphas_of(lanes pixels) {
    return __builtin_shufflevector(pixels, pixels, 3, 3, 3, 3, 7, 7, 7, 7);
}

#else
#error "The kernels have vectors for x86-64 and 64-bit ARM only."
#endif

// Puts 64-bit groups that alternate between the two 128-bit parts in order.
EMB_INLINE lanes ordered(lanes values) {
#if WIDTH == 32
    return (lanes)_mm256_permute4x64_epi64((__m256i)values, 0xD8);
#else
    return values;
#endif
}

// Stores two vectors. The first parts of both vectors come first.
EMB_INLINE void store_parts(void *to, lanes left, lanes right) {
#if WIDTH == 32
    lanes early = (lanes)_mm256_permute2x128_si256((__m256i)left, (__m256i)right, 0x20);
    right = (lanes)_mm256_permute2x128_si256((__m256i)left, (__m256i)right, 0x31);
    left = early;
#endif
    store(to, left);
    store((uint8_t *)to + WIDTH, right);
}

// Interleaves the channels of two pixels in each 128-bit part.
EMB_INLINE lanes interleaved(lanes pixels) {
    return zip_low(pixels, odd_groups(pixels, pixels));
}

// Limits lanes to the range of a byte.
EMB_INLINE unsigned_lanes levels(lanes values) {
    lanes limited = __builtin_elementwise_min(values, (lanes){0} + 255);
    return (unsigned_lanes)__builtin_elementwise_max(limited, (lanes){0});
}

#endif

EMB_INLINE int32_t low_half(int32_t pair) {
    return (int16_t)pair;
}

EMB_INLINE int32_t half_of(int32_t shift) {
    return (1 << shift) >> 1;
}

EMB_INLINE int16_t saturated(int32_t value) {
    return (int16_t)(value < INT16_MIN ? INT16_MIN : value > INT16_MAX ? INT16_MAX : value);
}

static void blend_rows(
    const uint8_t *const *rows, const int32_t *weights, size_t pairs, int32_t shift,
    int16_t *target, size_t count) {
    size_t done = 0;
#if WIDTH
    // Pixels are interleaved in pairs, so every group begins at an even pixel.
    const size_t group = WIDTH / 4, even = count & ~(size_t)1;
    for (size_t next = 0; even >= group && next < even; next += group) {
        size_t pixel = next + group > even ? even - group : next;
        words first = (words){0} + half_of(shift), second = first, third = first, fourth = first;
        for (size_t pair = 0; pair < pairs; pair++) {
            words weight = (words){0} + weights[pair];
            paired_rows both = paired(
                load_bytes(rows[2 * pair] + pixel * 4), load_bytes(rows[2 * pair + 1] + pixel * 4));
            first = mixed(first, both.pixels[0], weight);
            second = mixed(second, both.pixels[1], weight);
            third = mixed(third, both.pixels[2], weight);
            fourth = mixed(fourth, both.pixels[3], weight);
        }
        lanes left = interleaved(narrow(first >> shift, second >> shift));
        lanes right = interleaved(narrow(third >> shift, fourth >> shift));
        store_parts(target + pixel * 4, left, right);
        done = even;
    }
#endif
    for (size_t pixel = done; pixel < count; pixel++) {
        for (size_t channel = 0; channel < 4; channel++) {
            int32_t sum = half_of(shift);
            EMB_LOOP
            for (size_t pair = 0; pair < pairs; pair++) {
                sum += rows[2 * pair][pixel * 4 + channel] * low_half(weights[pair]);
                sum += rows[2 * pair + 1][pixel * 4 + channel] * (weights[pair] >> 16);
            }
            target[(pixel >> 1) * 8 + (pixel & 1) + channel * 2] = saturated(sum >> shift);
        }
    }
}

static void blend_columns(
    const int16_t *row, const emb_run *runs, const int32_t *weights, int32_t shift, int16_t *target,
    size_t count) {
    for (size_t index = 0; index < count; index++) {
        const int16_t *values = row + runs[index].start * 4;
        const int32_t *pairs = weights + runs[index].first;
        intptr_t pair = 0, end = runs[index].pairs;
#if WIDTH
        words sums = {half_of(shift), half_of(shift), half_of(shift), half_of(shift)};
#if WIDTH == 32
        for (; pair + 1 < end; pair += 2) {
            int32_t early = pairs[pair], late = pairs[pair + 1];
            words two = {early, early, early, early, late, late, late, late};
            sums = mixed(sums, load(values + pair * 8), two);
        }
        if (pair < end) {
            words last = {pairs[pair], pairs[pair], pairs[pair], pairs[pair]};
            sums = mixed(sums, load(values + pair * 8), last);
        }
        sums += __builtin_shufflevector(sums, sums, 4, 5, 6, 7, 0, 1, 2, 3);
#else
        for (; pair < end; pair++) {
            sums = mixed(sums, load(values + pair * 8), (words){0} + pairs[pair]);
        }
#endif
        lanes pixel = narrow(sums >> shift, sums);
        __builtin_memcpy(target + index * 4, &pixel, 8);
#else
        for (size_t channel = 0; channel < 4; channel++) {
            int32_t sum = half_of(shift);
            EMB_LOOP
            for (pair = 0; pair < end; pair++) {
                sum += values[pair * 8 + channel * 2] * low_half(pairs[pair]);
                sum += values[pair * 8 + channel * 2 + 1] * (pairs[pair] >> 16);
            }
            target[index * 4 + channel] = saturated(sum >> shift);
        }
#endif
    }
}

EMB_INLINE uint8_t level_of(int16_t value, uint8_t most) {
    int32_t level = (value + 32) >> 6;
    return (uint8_t)(level < 0 ? 0 : level > most ? most : level);
}

static void store_pixels(const int16_t *values, uint8_t *pixels, size_t count) {
    size_t index = 0;
#if WIDTH
    for (; index + WIDTH / 8 <= count; index += WIDTH / 8) {
        // The addition saturates, so that rounding the largest value does not wrap.
        lanes levels = __builtin_elementwise_add_sat(load(values + index * 4), (lanes){0} + 32) >>
            6;
        store_half(
            pixels + index * 4, narrow_bytes(__builtin_elementwise_min(levels, alphas_of(levels))));
    }
#endif
    EMB_LOOP
    for (; index < count; index++) {
        uint8_t alpha = level_of(values[index * 4 + 3], 255);
        for (size_t channel = 0; channel < 4; channel++) {
            pixels[index * 4 + channel] = level_of(values[index * 4 + channel], alpha);
        }
    }
}

static void sum_rows(const uint8_t *const *rows, int16_t *sums, size_t count) {
    const uint8_t *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
    EMB_LOOP
    for (size_t index = 0; index < count; index++) {
        sums[index] = (int16_t)(a[index] + d[index] + (b[index] + c[index]) * 3);
    }
}

static void halve_pixels(
    const int16_t *sums, const int16_t *roundings, uint8_t *pixels, size_t count) {
    size_t index = 0;
#if WIDTH
    for (; index + WIDTH / 8 <= count; index += WIDTH / 8) {
        const int16_t *in = sums + index * 8;
        lanes one = load(in), two = load(in + 8);
        lanes three = load(in + WIDTH / 2), four = load(in + WIDTH / 2 + 8);
        lanes inner = odd_groups(one, three) + even_groups(two, four);
        lanes sum = even_groups(one, three) + odd_groups(two, four) + inner + inner + inner;
        unsigned_lanes all = (unsigned_lanes)(ordered(sum) + load(roundings + index * 4));
        store_half(pixels + index * 4, narrow_bytes((lanes)(all >> 6)));
    }
#endif
    EMB_LOOP
    for (; index < count; index++) {
        for (size_t channel = 0; channel < 4; channel++) {
            const int16_t *in = sums + index * 8 + channel;
            int32_t sum = in[0] + in[12] + (in[4] + in[8]) * 3 + roundings[index * 4 + channel];
            pixels[index * 4 + channel] = (uint8_t)(sum >> 6);
        }
    }
}

static void halve_plane(
    const int16_t *sums, const int16_t *roundings, uint8_t *target, size_t count) {
    size_t index = 0;
#if WIDTH
    // The weights of the first two values, then of the last two.
    const words early = (words){0} + 0x00030001, late = (words){0} + 0x00010003, none = {0};
    for (; index + WIDTH / 2 <= count; index += WIDTH / 2) {
        const int16_t *in = sums + index * 2;
        words first = mixed(mixed(none, load(in), early), load(in + 2), late);
        in += WIDTH / 2;
        words second = mixed(mixed(none, load(in), early), load(in + 2), late);
        lanes sum = ordered(narrow(first, second)) + load(roundings + index);
        store_half(target + index, narrow_bytes(sum >> 6));
    }
#endif
    EMB_LOOP
    for (; index < count; index++) {
        const int16_t *in = sums + index * 2;
        target[index] = (uint8_t)((in[0] + in[3] + (in[1] + in[2]) * 3 + roundings[index]) >> 6);
    }
}

static void smooth_down(
    const uint8_t *above, const uint8_t *here, const uint8_t *below, uint16_t *sums, size_t count) {
    EMB_LOOP
    for (size_t index = 0; index < count; index++) {
        sums[index] = (uint16_t)((above[index] + below[index]) * 3 + here[index] * 10);
    }
}

static void smooth_across(const uint16_t *sums, uint8_t *target, size_t count) {
    EMB_LOOP
    for (size_t index = 0; index < count; index++) {
        uint16_t outer = (uint16_t)(sums[index] + sums[index + 2]);
        uint16_t sum = (uint16_t)(outer * 3 + sums[index + 1] * 10 + 128);
        target[index] = (uint8_t)(sum >> 8);
    }
}

static void average_plane(
    const uint8_t *upper, const uint8_t *lower, uint8_t *target, size_t count) {
    size_t index = 0;
#if WIDTH
    for (; index + WIDTH / 2 <= count; index += WIDTH / 2) {
        unsigned_lanes above = (unsigned_lanes)load(upper + index * 2);
        unsigned_lanes below = (unsigned_lanes)load(lower + index * 2);
        unsigned_lanes sum = (above & 255) + (above >> 8) + (below & 255) + (below >> 8) + 2;
        store_half(target + index, narrow_bytes((lanes)(sum >> 2)));
    }
#endif
    EMB_LOOP
    for (; index < count; index++) {
        int32_t above = upper[2 * index] + upper[2 * index + 1];
        target[index] = (uint8_t)((above + lower[2 * index] + lower[2 * index + 1] + 2) >> 2);
    }
}

// Divides a product of two bytes by 255, rounded to the nearest.
EMB_INLINE uint8_t divided(uint16_t product) {
    uint16_t sum = (uint16_t)(product + 128);
    return (uint8_t)((uint16_t)(sum + (sum >> 8)) >> 8);
}

static void premultiply_plane(uint8_t *values, const uint8_t *alphas, size_t count) {
    EMB_LOOP
    for (size_t index = 0; index < count; index++) {
        values[index] = divided((uint16_t)(values[index] * alphas[index]));
    }
}

// Multiplies values by 255 / alpha, rounded to the nearest; values with alpha 0 are unchanged.
EMB_INLINE void unpremultiply(uint8_t *values, const uint8_t *alphas, size_t count) {
    EMB_LOOP
    for (size_t index = 0; index < count; index++) {
        // The quotient is exact, because the operands are integers below 2^18 and below 2^9.
        int32_t alpha = alphas[index], above = values[index] * 510 + alpha;
        int32_t level = (int32_t)((float)above / (float)(alpha ? alpha * 2 : 1));
        values[index] = alpha ? (uint8_t)(level > 255 ? 255 : level) : values[index];
    }
}

static void unpremultiply_plane(uint8_t *values, const uint8_t *alphas, size_t count) {
    size_t index = 0;
    for (; index + 16 <= count; index += 16) {
        uint64_t parts[2];
        __builtin_memcpy(parts, alphas + index, sizeof parts);
        // Most of a logo is fully opaque or fully transparent, where values need no change.
        if ((parts[0] & parts[1]) != ~(uint64_t)0 && (parts[0] | parts[1]) != 0) {
            unpremultiply(values + index, alphas + index, 16);
        }
    }
    unpremultiply(values + index, alphas + index, count - index);
}

EMB_INLINE uint8_t shown(int32_t value) {
    value >>= 6;
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

// The factors are those of BT.601 in 1/2^14; each product keeps six fractional bits. The offsets
// (luma 16, chroma 128) are subtracted afterwards, so that an area of one colour equals libwebp's
// result to the last bit.
static void yuv_to_rgba(
    const uint8_t *luma, const uint8_t *blue, const uint8_t *red, const uint8_t *alpha,
    uint8_t *pixels, size_t count) {
    size_t index = 0;
#if WIDTH
    for (; index + WIDTH / 2 <= count; index += WIDTH / 2) {
        // Factors have 14 fractional bits and values 8; each product keeps six fractional bits.
        unsigned_lanes y = high_products((unsigned_lanes)wide(luma + index) << 8, 19077);
        unsigned_lanes u = (unsigned_lanes)wide(blue + index) << 8;
        unsigned_lanes v = (unsigned_lanes)wide(red + index) << 8;
        lanes r = (lanes)(y + high_products(v, 26149) - 14234);
        lanes g = (lanes)(y + 8708 - high_products(u, 6419) - high_products(v, 13320));
        // The sum needs 16 bits, so the operations are unsigned.
        unsigned_lanes b = __builtin_elementwise_sub_sat(
            y + high_products(u, 33050), (unsigned_lanes){0} + 17685);
        unsigned_lanes a = alpha ? (unsigned_lanes)wide(alpha + index) : (unsigned_lanes){0} + 255;
        lanes red_green = (lanes)(levels(r >> 6) | levels(g >> 6) << 8);
        lanes blue_alpha = (lanes)(levels((lanes)(b >> 6)) | a << 8);
        store_parts(
            pixels + index * 4, zip_low(red_green, blue_alpha), zip_high(red_green, blue_alpha));
    }
#endif
    EMB_LOOP
    for (; index < count; index++) {
        int32_t y = (luma[index] * 19077) >> 8, u = blue[index], v = red[index];
        pixels[index * 4] = shown(y + ((v * 26149) >> 8) - 14234);
        pixels[index * 4 + 1] = shown(y - ((u * 6419) >> 8) - ((v * 13320) >> 8) + 8708);
        pixels[index * 4 + 2] = shown(y + ((u * 33050) >> 8) - 17685);
        pixels[index * 4 + 3] = alpha ? alpha[index] : 255;
    }
}

#if WIDTH

// Whether the alpha of all pixels is 0.
EMB_INLINE int are_clear(bytes pixels) {
    return __builtin_reduce_or((groups)pixels & 0xFF000000FF000000) == 0;
}

// Multiplies lanes below 256 and divides by 255, rounded to the nearest.
EMB_INLINE lanes product(lanes values, lanes factors) {
    unsigned_lanes sum = (unsigned_lanes)(values * factors + 128);
    return (lanes)((sum + (sum >> 8)) >> 8);
}

#endif

static uint32_t premultiply_pixels(const uint8_t *source, uint8_t *result, size_t count) {
    uint32_t every = ~(uint32_t)0;
    size_t index = 0;
#if WIDTH
    words all = (words){0} - 1;
    for (; index + WIDTH / 4 <= count; index += WIDTH / 4) {
        bytes pixels = load_bytes(source + index * 4);
        uint8_t *out = result + index * 4;
        all &= (words)pixels;
        if (are_clear(~pixels)) {
            store(out, (lanes)pixels);
        } else if (are_clear(pixels)) {
            store(out, (lanes){0});
        } else {
            // The alpha itself is multiplied by 255.
            const lanes whole = (lanes)((groups){0} + 0x00FF000000000000);
            lanes low = wide_low(pixels), high = wide_high(pixels);
            low = product(low, alphas_of(low) | whole);
            high = product(high, alphas_of(high) | whole);
            store(out, (lanes)packed(low, high));
        }
    }
    for (size_t word = 0; word < WIDTH / 4; word++) {
        every &= (uint32_t)all[word];
    }
#endif
    for (; index < count; index++) {
        uint32_t pixel;
        __builtin_memcpy(&pixel, source + index * 4, sizeof pixel);
        every &= pixel;
        uint8_t alpha = (uint8_t)(pixel >> 24);
        for (size_t channel = 0; channel < 3; channel++) {
            uint8_t value = (uint8_t)(pixel >> (channel * 8));
            result[index * 4 + channel] = divided((uint16_t)(value * alpha));
        }
        result[index * 4 + 3] = alpha;
    }
    return every;
}

static void composite_over(const uint8_t *source, uint8_t *target, size_t count) {
    size_t index = 0;
#if WIDTH
    for (; index + WIDTH / 4 <= count; index += WIDTH / 4) {
        bytes front = load_bytes(source + index * 4);
        uint8_t *out = target + index * 4;
        if (__builtin_reduce_or((groups)front) == 0) {
            continue;
        }
        if (are_clear(~front)) {
            store(out, (lanes)front);
            continue;
        }
        bytes back = load_bytes(out), rest = ~front;
        back = packed(
            product(wide_low(back), alphas_of(wide_low(rest))),
            product(wide_high(back), alphas_of(wide_high(rest))));
        store(out, (lanes)__builtin_elementwise_add_sat(front, back));
    }
#endif
    for (; index < count; index++) {
        const uint8_t *front = source + index * 4;
        for (size_t channel = 0; channel < 4; channel++) {
            uint8_t *back = target + index * 4 + channel;
            // The sum exceeds 255 only if a colour exceeds its alpha.
            int32_t sum = front[channel] + divided((uint16_t)(*back * (255 - front[3])));
            *back = (uint8_t)(sum > 255 ? 255 : sum);
        }
    }
}

#define EMB_TABLE                                                                                  \
    {                                                                                              \
        blend_rows, blend_columns, store_pixels, sum_rows, halve_pixels, halve_plane, smooth_down, \
            smooth_across, average_plane, premultiply_plane, unpremultiply_plane, yuv_to_rgba,     \
            premultiply_pixels, composite_over                                                     \
    }
