#include "emb_kernels.h"

#define EMB_INLINE static inline __attribute__((always_inline))

// The resampler's loops with portable vectors of the compiler: SSE2 on x86-64 and NEON on 64-bit
// ARM, which every such processor has. The sums are integers, so their result does not depend on
// the order of the additions.

typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef int16_t lanes4 __attribute__((vector_size(8)));
typedef int16_t lanes8 __attribute__((vector_size(16)));
typedef int16_t lanes16 __attribute__((vector_size(32)));
typedef int32_t words4 __attribute__((vector_size(16)));
typedef int32_t words8 __attribute__((vector_size(32)));

EMB_INLINE bytes16 load_bytes(const uint8_t *from) {
    bytes16 values;
    __builtin_memcpy(&values, from, sizeof values);
    return values;
}

EMB_INLINE lanes8 load(const int16_t *from) {
    lanes8 values;
    __builtin_memcpy(&values, from, sizeof values);
    return values;
}

EMB_INLINE void store(int16_t *to, lanes8 values) {
    __builtin_memcpy(to, &values, sizeof values);
}

// Widens the first eight bytes to 16-bit lanes.
EMB_INLINE lanes8 wide_low(bytes16 bytes) {
    bytes8 half = __builtin_shufflevector(bytes, bytes, 0, 1, 2, 3, 4, 5, 6, 7);
    return __builtin_convertvector(half, lanes8);
}

// Widens the last eight bytes to 16-bit lanes.
EMB_INLINE lanes8 wide_high(bytes16 bytes) {
    bytes8 half = __builtin_shufflevector(bytes, bytes, 8, 9, 10, 11, 12, 13, 14, 15);
    return __builtin_convertvector(half, lanes8);
}

// Converts 32-bit sums to 16 bits, with saturation.
EMB_INLINE lanes8 narrow(words4 first, words4 second) {
    words8 sums = __builtin_shufflevector(first, second, 0, 1, 2, 3, 4, 5, 6, 7);
    sums = __builtin_elementwise_max(sums, (words8){} + INT16_MIN);
    sums = __builtin_elementwise_min(sums, (words8){} + INT16_MAX);
    return __builtin_convertvector(sums, lanes8);
}

// Converts 16-bit lanes to bytes from 0 to 255, with saturation.
EMB_INLINE bytes16 narrow_bytes(lanes8 first, lanes8 second) {
    lanes16 values = __builtin_shufflevector(
        first, second, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    values = __builtin_elementwise_max(values, (lanes16){});
    values = __builtin_elementwise_min(values, (lanes16){} + UINT8_MAX);
    return __builtin_convertvector(values, bytes16);
}

// The bytes of two rows of four pixels as 16-bit lanes: those of the first row in even lanes, those
// of the second row in odd lanes.
typedef struct paired_rows {
    lanes8 pixels[4];
} paired_rows;

// `paired` interleaves two rows. `mixed` adds the weighted sums of pairs of neighbouring lanes;
// each word of `weights` holds the weights of one pair, that of the even lane in the lower half.
#if defined(__x86_64__)

EMB_INLINE paired_rows paired(bytes16 early, bytes16 late) {
    bytes16 low = __builtin_shufflevector(
        early, late, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    bytes16 high = __builtin_shufflevector(
        early, late, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    return (paired_rows){{wide_low(low), wide_high(low), wide_low(high), wide_high(high)}};
}

EMB_INLINE words4 mixed(words4 sum, lanes8 values, words4 weights) {
    return sum + (words4)__builtin_ia32_pmaddwd128(values, (lanes8)weights);
}

#elif defined(__aarch64__)

#include <arm_neon.h>

// Interleaves the first halves of two vectors.
EMB_INLINE lanes8 zip_low(lanes8 a, lanes8 b) {
    return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

// Interleaves the last halves of two vectors.
EMB_INLINE lanes8 zip_high(lanes8 a, lanes8 b) {
    return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

// NEON multiplies separate vectors. The compiler therefore removes the interleaving of `paired`,
// which `mixed` reverses.
EMB_INLINE paired_rows paired(bytes16 early, bytes16 late) {
    lanes8 first = wide_low(early), second = wide_high(early);
    lanes8 third = wide_low(late), fourth = wide_high(late);
    return (paired_rows){
        {zip_low(first, third), zip_high(first, third), zip_low(second, fourth),
         zip_high(second, fourth)}};
}

EMB_INLINE words4 mixed(words4 sum, lanes8 values, words4 weights) {
    lanes4 even = __builtin_shufflevector(values, values, 0, 2, 4, 6);
    lanes4 odd = __builtin_shufflevector(values, values, 1, 3, 5, 7);
    sum = vmlal_s16(sum, even, __builtin_convertvector(weights, lanes4));
    return vmlal_s16(sum, odd, __builtin_convertvector(weights >> 16, lanes4));
}

#else
#error "The resampler has loops for x86-64 and 64-bit ARM only."
#endif

// Interleaves the channels of two pixels.
EMB_INLINE lanes8 interleaved(lanes8 pixels) {
    return __builtin_shufflevector(pixels, pixels, 0, 4, 1, 5, 2, 6, 3, 7);
}

// Half of the divisor 2^shift, which rounds a sum to the nearest when the sum is shifted.
EMB_INLINE words4 half_of(int32_t shift) {
    return (words4){} + ((1 << shift) >> 1);
}

size_t emb_blend_pixels(
    const uint8_t *const *rows, const int32_t *weights, size_t pairs, int32_t shift,
    int16_t *target, size_t count) {
    size_t whole = count & ~(size_t)3;
    for (size_t pixel = 0; pixel < whole; pixel += 4) {
        words4 first = half_of(shift), second = first, third = first, fourth = first;
        for (size_t pair = 0; pair < pairs; pair++) {
            words4 weight = (words4){} + weights[pair];
            bytes16 early = load_bytes(rows[2 * pair] + pixel * 4);
            bytes16 late = load_bytes(rows[2 * pair + 1] + pixel * 4);
            paired_rows both = paired(early, late);
            first = mixed(first, both.pixels[0], weight);
            second = mixed(second, both.pixels[1], weight);
            third = mixed(third, both.pixels[2], weight);
            fourth = mixed(fourth, both.pixels[3], weight);
        }
        store(target + pixel * 4, interleaved(narrow(first >> shift, second >> shift)));
        store(target + pixel * 4 + 8, interleaved(narrow(third >> shift, fourth >> shift)));
    }
    return whole;
}

void emb_blend_columns(
    const int16_t *row, const emb_run *runs, const int32_t *weights, int32_t shift, int16_t *target,
    size_t count) {
    for (size_t index = 0; index < count; index++) {
        const int16_t *values = row + runs[index].start * 4;
        const int32_t *words = weights + runs[index].first;
        intptr_t pairs = runs[index].pairs, pair = 0;
        // Two independent sums, so that the multiplications overlap.
        words4 even = half_of(shift), odd = {};
        for (; pair + 1 < pairs; pair += 2) {
            even = mixed(even, load(values + pair * 8), (words4){} + words[pair]);
            odd = mixed(odd, load(values + pair * 8 + 8), (words4){} + words[pair + 1]);
        }
        if (pair < pairs) {
            even = mixed(even, load(values + pair * 8), (words4){} + words[pair]);
        }
        words4 sum = (even + odd) >> shift;
        lanes8 pixel = narrow(sum, sum);
        __builtin_memcpy(target + index * 4, &pixel, 8);
    }
}

// Rounds the values of two pixels to whole levels, and limits each colour to its alpha.
EMB_INLINE lanes8 limited(lanes8 values) {
    // The addition saturates, so that rounding the largest value does not wrap.
    lanes8 levels = __builtin_elementwise_add_sat(values, (lanes8){} + 32) >> 6;
    lanes8 alphas = __builtin_shufflevector(levels, levels, 3, 3, 3, 3, 7, 7, 7, 7);
    return __builtin_elementwise_min(levels, alphas);
}

size_t emb_store_pixels(const int16_t *values, uint8_t *pixels, size_t count) {
    size_t whole = count & ~(size_t)3;
    for (size_t index = 0; index < whole; index += 4) {
        bytes16 levels = narrow_bytes(
            limited(load(values + index * 4)), limited(load(values + index * 4 + 8)));
        __builtin_memcpy(pixels + index * 4, &levels, sizeof levels);
    }
    return whole;
}

// Adds four vectors with the weights 1, 3, 3, 1.
EMB_INLINE lanes8 weighed(lanes8 a, lanes8 b, lanes8 c, lanes8 d) {
    return a + d + (b + c) * 3;
}

size_t emb_sum_rows_1331(const uint8_t *const *rows, int16_t *sums, size_t count) {
    const uint8_t *above = rows[0], *upper = rows[1], *lower = rows[2], *below = rows[3];
    size_t whole = count & ~(size_t)15;
    for (size_t index = 0; index < whole; index += 16) {
        bytes16 a = load_bytes(above + index), b = load_bytes(upper + index);
        bytes16 c = load_bytes(lower + index), d = load_bytes(below + index);
        store(sums + index, weighed(wide_low(a), wide_low(b), wide_low(c), wide_low(d)));
        store(sums + index + 8, weighed(wide_high(a), wide_high(b), wide_high(c), wide_high(d)));
    }
    return whole;
}

size_t emb_halve(const int16_t *sums, const int16_t *roundings, uint8_t *pixels, size_t count) {
    size_t whole = count & ~(size_t)1;
    for (size_t index = 0; index < whole; index += 2) {
        // Two results need six pixels, since both use the third and the fourth.
        const int16_t *in = sums + index * 8;
        lanes8 early = load(in), middle = load(in + 8), late = load(in + 16);
        lanes8 sum = weighed(
            __builtin_shufflevector(early, middle, 0, 1, 2, 3, 8, 9, 10, 11),
            __builtin_shufflevector(early, middle, 4, 5, 6, 7, 12, 13, 14, 15),
            __builtin_shufflevector(middle, late, 0, 1, 2, 3, 8, 9, 10, 11),
            __builtin_shufflevector(middle, late, 4, 5, 6, 7, 12, 13, 14, 15));
        sum = (sum + load(roundings + index * 4)) >> 6;
        bytes16 levels = narrow_bytes(sum, sum);
        __builtin_memcpy(pixels + index * 4, &levels, 8);
    }
    return whole;
}
