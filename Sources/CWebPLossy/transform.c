#include "parts.h"

#include <stdlib.h>
#include <string.h>

// The inverse DCT of RFC 6386, section 14, has the basis (1, 1, 1, 1), (l, s, -s, -l), (1, -1, -1,
// 1) and (s, -l, l, -s), where l is sqrt(2) cos(pi / 8) and s is sqrt(2) sin(pi / 8). The constants
// are l, s and l * s = sqrt(1 / 2), times 65,536, rounded as in the format.
enum { LONG = 85627, SHORT = 35468, ROOT = 46341 };

// Halve a 16.16 fixed-point number to the nearest integer, and an integer downwards, because
// decoders round halves up.
static inline int16_t half_of_parts(int parts) {
    return (int16_t)((parts + (1 << 16)) >> 17);
}
static inline int16_t half(int whole) {
    return (int16_t)(whole >> 1);
}

// Each basis vector has length 2, so a coefficient is half the product of the residual with its
// pattern. Patterns are even or odd around the middle, so the block folds into four quarters of
// four values, each of which gives four coefficients. Rounding happens once, at the end.
void emb_webp_forward(
    const uint8_t *source, int stride, const uint8_t *guess, int guess_stride, int16_t result[16]) {
    int sums[2][4], turns[2][4];
    for (int pair = 0; pair < 2; pair++) {
        const uint8_t *near = source + pair * stride, *far = source + (3 - pair) * stride;
        const uint8_t *near_guess = guess + pair * guess_stride;
        const uint8_t *far_guess = guess + (3 - pair) * guess_stride;
        for (int column = 0; column < 4; column++) {
            int upper = near[column] - near_guess[column], lower = far[column] - far_guess[column];
            sums[pair][column] = upper + lower;
            turns[pair][column] = upper - lower;
        }
    }
    // Even in columns: rows 0 and 2.
    for (int row = 0; row < 4; row += 2) {
        int sign = 1 - row, v[4];
        for (int column = 0; column < 4; column++) {
            v[column] = sums[0][column] + sign * sums[1][column];
        }
        int outer = v[0] - v[3], inner = v[1] - v[2];
        result[row * 4] = half(v[0] + v[1] + v[2] + v[3]);
        result[row * 4 + 1] = half_of_parts(LONG * outer + SHORT * inner);
        result[row * 4 + 2] = half(v[0] - v[1] - v[2] + v[3]);
        result[row * 4 + 3] = half_of_parts(SHORT * outer - LONG * inner);
    }
    // Odd in columns, even in rows.
    for (int column = 0; column < 4; column += 2) {
        int sign = 1 - column;
        int outer = turns[0][0] + turns[0][3] + sign * (turns[0][1] + turns[0][2]);
        int inner = turns[1][0] + turns[1][3] + sign * (turns[1][1] + turns[1][2]);
        result[4 + column] = half_of_parts(LONG * outer + SHORT * inner);
        result[12 + column] = half_of_parts(SHORT * outer - LONG * inner);
    }
    // Odd in both. As l * l is 1 + l * s, and s * s is 1 - l * s, one factor is enough.
    int corner = turns[0][0] - turns[0][3], middle = turns[1][1] - turns[1][2];
    int beside = turns[0][1] - turns[0][2], below = turns[1][0] - turns[1][3];
    int straight = (corner + middle) * 65536, crossed = (below - beside) * 65536;
    int with = ROOT * (corner - middle + beside + below);
    int against = ROOT * (corner - middle - beside - below);
    result[5] = half_of_parts(straight + with);
    result[7] = half_of_parts(against + crossed);
    result[13] = half_of_parts(against - crossed);
    result[15] = half_of_parts(straight - with);
}

typedef int16_t values16 __attribute__((vector_size(32)));
typedef int32_t lanes16 __attribute__((vector_size(64)));

// The 4x4 Walsh-Hadamard transform as butterflies over rows and columns at once. The result is
// reordered from Hadamard order to sequency order, as the format requires.
static void mix_means(const int16_t from[16], int to[16]) {
    const lanes16 signs[4] = {
        {0, -1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1},
        {0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1},
        {0, 0, 0, 0, -1, -1, -1, -1, 0, 0, 0, 0, -1, -1, -1, -1},
        {0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1},
    };
    values16 narrow;
    memcpy(&narrow, from, sizeof narrow);
    lanes16 v = __builtin_convertvector(narrow, lanes16);
    v = __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14) +
        ((v ^ signs[0]) - signs[0]);
    v = __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13) +
        ((v ^ signs[1]) - signs[1]);
    v = __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11) +
        ((v ^ signs[2]) - signs[2]);
    v = __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7) +
        ((v ^ signs[3]) - signs[3]);
    v = __builtin_shufflevector(v, v, 0, 2, 3, 1, 8, 10, 11, 9, 12, 14, 15, 13, 4, 6, 7, 5);
    memcpy(to, &v, sizeof v);
}

void emb_webp_forward_means(const int16_t means[16], int16_t result[16]) {
    int mixed[16];
    mix_means(means, mixed);
    for (int i = 0; i < 16; i++) {
        result[i] = half(mixed[i]);
    }
}

// The WHT is its own inverse up to scale; the format adds 3 for rounding.
void emb_webp_inverse_means(const int16_t values[16], int16_t means[16]) {
    int mixed[16];
    mix_means(values, mixed);
    for (int i = 0; i < 16; i++) {
        means[i] = (int16_t)((mixed[i] + 3) >> 3);
    }
}

// Products with l and s are truncated, and l is split into 1 and a rest, as decoders do it.
static inline int by_long(int value) {
    return value + ((value * (LONG - 65536)) >> 16);
}
static inline int by_short(int value) {
    return (value * SHORT) >> 16;
}

// Inverse transform of four coefficients that are `apart` elements from each other.
static inline void unfold(const int *from, int apart, int to[4]) {
    int first = from[0], second = from[apart], third = from[2 * apart], fourth = from[3 * apart];
    int outer = by_long(second) + by_short(fourth), inner = by_short(second) - by_long(fourth);
    to[0] = first + third + outer;
    to[3] = first + third - outer;
    to[1] = first - third + inner;
    to[2] = first - third - inner;
}

void emb_webp_inverse(
    const int16_t values[16], const uint8_t *guess, int guess_stride, uint8_t *result, int stride) {
    uint64_t parts[4];
    memcpy(parts, values, sizeof parts);
    if ((parts[0] | parts[1] | parts[2] | parts[3]) == 0) {
        for (int row = 0; row < 4; row++) {
            memcpy(result + row * stride, guess + row * guess_stride, 4);
        }
        return;
    }
    int wide[16], columns[4][4];
    for (int i = 0; i < 16; i++) {
        wide[i] = values[i];
    }
    // Rounding term for all pixels.
    wide[0] += 4;
    for (int column = 0; column < 4; column++) {
        unfold(wide + column, 4, columns[column]);
    }
    for (int row = 0; row < 4; row++) {
        int sums[4];
        unfold(&columns[0][row], 4, sums);
        for (int column = 0; column < 4; column++) {
            int value = guess[row * guess_stride + column] + (sums[column] >> 3);
            result[row * stride + column] = clipped(value);
        }
    }
}

// Adds half of each absolute value. All values of a block are even or all are odd, so a difference
// of one pixel level counts as nothing.
static inline void add_half(emb_lanes *sum, const emb_lanes *values) {
    emb_lanes sign = *values >> 15;
    *sum += ((*values ^ sign) - sign) >> 1;
}

void emb_webp_weigh_small(
    const emb_lanes guesses[16], const uint8_t *source, int stride, uint16_t sums[16]) {
    emb_lanes kept[16];
    for (int row = 0; row < 4; row++) {
        emb_lanes d[4];
        for (int column = 0; column < 4; column++) {
            d[column] = (int16_t)source[row * stride + column] - guesses[row * 4 + column];
        }
        emb_lanes a0 = d[0] + d[2], a1 = d[1] + d[3], a2 = d[0] - d[2], a3 = d[1] - d[3];
        kept[row * 4] = a0 + a1;
        kept[row * 4 + 1] = a0 - a1;
        kept[row * 4 + 2] = a2 + a3;
        kept[row * 4 + 3] = a2 - a3;
    }
    emb_lanes sum = {0};
    for (int column = 0; column < 4; column++) {
        emb_lanes *k = kept + column;
        emb_lanes a0 = k[0] + k[8], a1 = k[4] + k[12], a2 = k[0] - k[8], a3 = k[4] - k[12];
        emb_lanes results[4] = {a0 + a1, a0 - a1, a2 + a3, a2 - a3};
        for (int row = 0; row < 4; row++) {
            add_half(&sum, &results[row]);
        }
    }
    memcpy(sums, &sum, 32);
}

typedef int16_t lanes8 __attribute__((vector_size(16)));
typedef uint8_t bytes8 __attribute__((vector_size(8)));

// Returns the SATD of two neighbouring 4x4 blocks; `means` receives their DC sums.
static uint32_t weigh_pair(
    const uint8_t *source, int stride, const uint8_t *guess, int side, int16_t means[2]) {
    lanes8 d[4];
    for (int row = 0; row < 4; row++) {
        bytes8 s, g;
        memcpy(&s, source + row * stride, 8);
        memcpy(&g, guess + row * side, 8);
        d[row] = __builtin_convertvector(s, lanes8) - __builtin_convertvector(g, lanes8);
    }
    lanes8 a0 = d[0] + d[2], a1 = d[1] + d[3], a2 = d[0] - d[2], a3 = d[1] - d[3];
    lanes8 rows[4] = {a0 + a1, a0 - a1, a2 + a3, a2 - a3};
    const lanes8 odd = {0, -1, 0, -1, 0, -1, 0, -1}, late = {0, 0, -1, -1, 0, 0, -1, -1};
    lanes8 sum = {0};
    for (int row = 0; row < 4; row++) {
        lanes8 v = rows[row];
        v = __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6) + ((v ^ odd) - odd);
        v = __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5) + ((v ^ late) - late);
        if (row == 0) {
            means[0] = v[0];
            means[1] = v[4];
        }
        lanes8 sign = v >> 15;
        sum += ((v ^ sign) - sign) >> 1;
    }
    uint32_t total = 0;
    for (int lane = 0; lane < 8; lane++) {
        total += (uint16_t)sum[lane];
    }
    return total;
}

uint32_t emb_webp_weigh(const uint8_t *source, int stride, const uint8_t *guess, int side) {
    uint32_t total = 0;
    int16_t means[16], *mean = means;
    for (int y = 0; y < side; y += 4) {
        for (int x = 0; x < side; x += 8, mean += 2) {
            total += weigh_pair(source + y * stride + x, stride, guess + y * side + x, side, mean);
        }
    }
    if (side == 16) {
        // The DC sums of a macroblock are transformed again, as in the Y2 block, which scales them
        // by four.
        int mixed[16];
        mix_means(means, mixed);
        for (int i = 0; i < 16; i++) {
            total += (uint32_t)(abs(mixed[i]) >> 3) - (uint32_t)(abs(means[i]) >> 1);
        }
    }
    return total;
}
