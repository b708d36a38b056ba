#include "encoder.h"

#include <stdlib.h>
#include <string.h>

// The DCT of RFC 6386, section 14, has the basis (1, 1, 1, 1), (l, s, -s, -l), (1, -1, -1, 1) and
// (s, -l, l, -s), where l is sqrt(2) cos(pi / 8) and s is sqrt(2) sin(pi / 8). The constants are l,
// s and l * s = sqrt(1 / 2) in 16.16 fixed point, rounded as in the format.
enum { LONG = 85627, SHORT = 35468, ROOT = 46341 };

// Halves a 16.16 fixed-point number to the nearest integer.
static inline int16_t half_of_fixed(int value) {
    return (int16_t)((value + (1 << 16)) >> 17);
}
// Halves an integer downwards, because decoders round halves up.
static inline int16_t half(int value) {
    return (int16_t)(value >> 1);
}

// Each basis vector has length 2, so a coefficient is half the product of the residual with its
// pattern. Patterns are even or odd around the middle of rows and columns. The block therefore
// folds into four groups of four sums or differences, each of which gives four coefficients.
// Rounding happens once, at the end.
void emb_webp_fdct(
    const uint8_t *source, int stride, const uint8_t *prediction, int prediction_stride,
    int16_t coefficients[16]) {
    // The sums (even) and differences (odd) of rows 0 and 3, then of rows 1 and 2.
    int even[2][4], odd[2][4];
    for (int pair = 0; pair < 2; pair++) {
        const uint8_t *near = source + pair * stride, *far = source + (3 - pair) * stride;
        const uint8_t *near_prediction = prediction + pair * prediction_stride;
        const uint8_t *far_prediction = prediction + (3 - pair) * prediction_stride;
        for (int column = 0; column < 4; column++) {
            int upper = near[column] - near_prediction[column];
            int lower = far[column] - far_prediction[column];
            even[pair][column] = upper + lower;
            odd[pair][column] = upper - lower;
        }
    }
    // The coefficients of rows 0 and 2.
    for (int row = 0; row < 4; row += 2) {
        int sign = 1 - row, v[4];
        for (int column = 0; column < 4; column++) {
            v[column] = even[0][column] + sign * even[1][column];
        }
        int outer = v[0] - v[3], inner = v[1] - v[2];
        coefficients[row * 4] = half(v[0] + v[1] + v[2] + v[3]);
        coefficients[row * 4 + 1] = half_of_fixed(LONG * outer + SHORT * inner);
        coefficients[row * 4 + 2] = half(v[0] - v[1] - v[2] + v[3]);
        coefficients[row * 4 + 3] = half_of_fixed(SHORT * outer - LONG * inner);
    }
    // Rows 1 and 3 in columns 0 and 2.
    for (int column = 0; column < 4; column += 2) {
        int sign = 1 - column;
        int outer = odd[0][0] + odd[0][3] + sign * (odd[0][1] + odd[0][2]);
        int inner = odd[1][0] + odd[1][3] + sign * (odd[1][1] + odd[1][2]);
        coefficients[4 + column] = half_of_fixed(LONG * outer + SHORT * inner);
        coefficients[12 + column] = half_of_fixed(SHORT * outer - LONG * inner);
    }
    // Rows and columns 1 and 3. As l * l is 1 + l * s, and s * s is 1 - l * s, each is a sum of a
    // part with the factor 1 and a part with the factor l * s.
    int outer_outer = odd[0][0] - odd[0][3], inner_inner = odd[1][1] - odd[1][2];
    int outer_inner = odd[0][1] - odd[0][2], inner_outer = odd[1][0] - odd[1][3];
    int unit_5 = (outer_outer + inner_inner) * 65536, unit_7 = (inner_outer - outer_inner) * 65536;
    int root_5 = ROOT * (outer_outer - inner_inner + outer_inner + inner_outer);
    int root_7 = ROOT * (outer_outer - inner_inner - outer_inner - inner_outer);
    coefficients[5] = half_of_fixed(unit_5 + root_5);
    coefficients[7] = half_of_fixed(root_7 + unit_7);
    coefficients[13] = half_of_fixed(root_7 - unit_7);
    coefficients[15] = half_of_fixed(unit_5 - root_5);
}

typedef int16_t values16 __attribute__((vector_size(32)));
typedef int32_t lanes16 __attribute__((vector_size(64)));

// The 4x4 Walsh-Hadamard transform of section 14.3, as butterflies over rows and columns at once.
// The result is reordered from Hadamard order to sequency order, as the format requires.
static void wht(const int16_t from[16], int to[16]) {
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

void emb_webp_fwht(const int16_t dc[16], int16_t coefficients[16]) {
    int transformed[16];
    wht(dc, transformed);
    for (int i = 0; i < 16; i++) {
        coefficients[i] = half(transformed[i]);
    }
}

// The WHT is its own inverse up to scale; the format adds 3 for rounding.
void emb_webp_iwht(const int16_t coefficients[16], int16_t dc[16]) {
    int transformed[16];
    wht(coefficients, transformed);
    for (int i = 0; i < 16; i++) {
        dc[i] = (int16_t)((transformed[i] + 3) >> 3);
    }
}

// Products with l and s are truncated, and l is split into 1 and a fraction, as decoders do it.
static inline int times_long(int value) {
    return value + ((value * (LONG - 65536)) >> 16);
}
static inline int times_short(int value) {
    return (value * SHORT) >> 16;
}

// The inverse DCT of four coefficients that are `apart` elements from each other.
static inline void idct_4(const int *from, int apart, int to[4]) {
    int first = from[0], second = from[apart], third = from[2 * apart], fourth = from[3 * apart];
    int outer = times_long(second) + times_short(fourth);
    int inner = times_short(second) - times_long(fourth);
    to[0] = first + third + outer;
    to[3] = first + third - outer;
    to[1] = first - third + inner;
    to[2] = first - third - inner;
}

void emb_webp_idct(
    const int16_t coefficients[16], const uint8_t *prediction, int prediction_stride,
    uint8_t *result, int stride) {
    uint64_t words[4];
    memcpy(words, coefficients, sizeof words);
    if ((words[0] | words[1] | words[2] | words[3]) == 0) {
        for (int row = 0; row < 4; row++) {
            memcpy(result + row * stride, prediction + row * prediction_stride, 4);
        }
        return;
    }
    int wide[16], columns[4][4];
    for (int i = 0; i < 16; i++) {
        wide[i] = coefficients[i];
    }
    // The rounding term of all pixels.
    wide[0] += 4;
    for (int column = 0; column < 4; column++) {
        idct_4(wide + column, 4, columns[column]);
    }
    for (int row = 0; row < 4; row++) {
        int sums[4];
        idct_4(&columns[0][row], 4, sums);
        for (int column = 0; column < 4; column++) {
            int value = prediction[row * prediction_stride + column] + (sums[column] >> 3);
            result[row * stride + column] = clipped(value);
        }
    }
}

// Adds half of each absolute value, rounded down. All values of a block are even or all are odd. A
// difference of one level in a single pixel makes each value 1 or -1, and counts as 0.
static inline void add_half(emb_lanes *sum, const emb_lanes *values) {
    emb_lanes sign = *values >> 15;
    *sum += ((*values ^ sign) - sign) >> 1;
}

void emb_webp_satd_i4(
    const emb_lanes predictions[16], const uint8_t *source, int stride, uint16_t satd[16]) {
    emb_lanes rows[16];
    for (int row = 0; row < 4; row++) {
        emb_lanes d[4];
        for (int column = 0; column < 4; column++) {
            d[column] = (int16_t)source[row * stride + column] - predictions[row * 4 + column];
        }
        emb_lanes a0 = d[0] + d[2], a1 = d[1] + d[3], a2 = d[0] - d[2], a3 = d[1] - d[3];
        rows[row * 4] = a0 + a1;
        rows[row * 4 + 1] = a0 - a1;
        rows[row * 4 + 2] = a2 + a3;
        rows[row * 4 + 3] = a2 - a3;
    }
    emb_lanes sum = {0};
    for (int column = 0; column < 4; column++) {
        emb_lanes *k = rows + column;
        emb_lanes a0 = k[0] + k[8], a1 = k[4] + k[12], a2 = k[0] - k[8], a3 = k[4] - k[12];
        emb_lanes results[4] = {a0 + a1, a0 - a1, a2 + a3, a2 - a3};
        for (int row = 0; row < 4; row++) {
            add_half(&sum, &results[row]);
        }
    }
    memcpy(satd, &sum, 32);
}

typedef int16_t lanes8 __attribute__((vector_size(16)));
typedef uint8_t bytes8 __attribute__((vector_size(8)));

// Returns the SATD of two neighbouring 4x4 blocks; `dc` receives their DC coefficients.
static uint32_t satd_pair(
    const uint8_t *source, int stride, const uint8_t *prediction, int side, int16_t dc[2]) {
    lanes8 d[4];
    for (int row = 0; row < 4; row++) {
        bytes8 s, g;
        memcpy(&s, source + row * stride, 8);
        memcpy(&g, prediction + row * side, 8);
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
            dc[0] = v[0];
            dc[1] = v[4];
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

uint32_t emb_webp_satd(const uint8_t *source, int stride, const uint8_t *prediction, int side) {
    uint32_t total = 0;
    int16_t dc[16], *pair_dc = dc;
    for (int y = 0; y < side; y += 4) {
        for (int x = 0; x < side; x += 8, pair_dc += 2) {
            total += satd_pair(
                source + y * stride + x, stride, prediction + y * side + x, side, pair_dc);
        }
    }
    if (side == 16) {
        // The DC coefficients of a macroblock are transformed again, as in the Y2 block, which
        // scales them by four.
        int y2[16];
        wht(dc, y2);
        for (int i = 0; i < 16; i++) {
            total += (uint32_t)(abs(y2[i]) >> 3) - (uint32_t)(abs(dc[i]) >> 1);
        }
    }
    return total;
}
