#include "webp_parts.h"

#include <string.h>

static inline uint8_t clipped(int value) {
    return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value;
}

void emb_webp_forward(const uint8_t *source, int stride, const uint8_t *guess, int guess_stride,
                      int16_t result[16]) {
    int kept[16];
    for (int row = 0; row < 4; row++, source += stride, guess += guess_stride) {
        int d0 = source[0] - guess[0], d1 = source[1] - guess[1];
        int d2 = source[2] - guess[2], d3 = source[3] - guess[3];
        int a0 = d0 + d3, a1 = d1 + d2, a2 = d1 - d2, a3 = d0 - d3;
        kept[row * 4] = (a0 + a1) * 8;
        kept[row * 4 + 1] = (a2 * 2217 + a3 * 5352 + 1812) >> 9;
        kept[row * 4 + 2] = (a0 - a1) * 8;
        kept[row * 4 + 3] = (a3 * 2217 - a2 * 5352 + 937) >> 9;
    }
    for (int column = 0; column < 4; column++) {
        int a0 = kept[column] + kept[12 + column], a1 = kept[4 + column] + kept[8 + column];
        int a2 = kept[4 + column] - kept[8 + column], a3 = kept[column] - kept[12 + column];
        result[column] = (int16_t)((a0 + a1 + 7) >> 4);
        result[4 + column] = (int16_t)(((a2 * 2217 + a3 * 5352 + 12000) >> 16) + (a3 != 0));
        result[8 + column] = (int16_t)((a0 - a1 + 7) >> 4);
        result[12 + column] = (int16_t)((a3 * 2217 - a2 * 5352 + 51000) >> 16);
    }
}

void emb_webp_forward_means(const int16_t means[16], int16_t result[16]) {
    int kept[16];
    for (int row = 0; row < 4; row++) {
        const int16_t *m = means + row * 4;
        int a0 = m[0] + m[2], a1 = m[1] + m[3], a2 = m[1] - m[3], a3 = m[0] - m[2];
        kept[row * 4] = a0 + a1;
        kept[row * 4 + 1] = a3 + a2;
        kept[row * 4 + 2] = a3 - a2;
        kept[row * 4 + 3] = a0 - a1;
    }
    for (int column = 0; column < 4; column++) {
        int a0 = kept[column] + kept[8 + column], a1 = kept[4 + column] + kept[12 + column];
        int a2 = kept[4 + column] - kept[12 + column], a3 = kept[column] - kept[8 + column];
        result[column] = (int16_t)((a0 + a1) >> 1);
        result[4 + column] = (int16_t)((a3 + a2) >> 1);
        result[8 + column] = (int16_t)((a3 - a2) >> 1);
        result[12 + column] = (int16_t)((a0 - a1) >> 1);
    }
}

// By sqrt(2) cos(pi / 8) and sqrt(2) sin(pi / 8), as the format rounds them.
static inline int larger(int value) { return value + ((value * 20091) >> 16); }
static inline int smaller(int value) { return (value * 35468) >> 16; }

void emb_webp_inverse(const int16_t values[16], const uint8_t *guess, int guess_stride,
                      uint8_t *result, int stride) {
    uint64_t parts[4];
    memcpy(parts, values, sizeof parts);
    if ((parts[0] | parts[1] | parts[2] | parts[3]) == 0) {
        for (int row = 0; row < 4; row++) {
            memcpy(result + row * stride, guess + row * guess_stride, 4);
        }
        return;
    }
    int kept[16];
    for (int column = 0; column < 4; column++) {
        int v0 = values[column], v1 = values[4 + column];
        int v2 = values[8 + column], v3 = values[12 + column];
        int a = v0 + v2, b = v0 - v2;
        int c = smaller(v1) - larger(v3), d = larger(v1) + smaller(v3);
        kept[column * 4] = a + d;
        kept[column * 4 + 1] = b + c;
        kept[column * 4 + 2] = b - c;
        kept[column * 4 + 3] = a - d;
    }
    for (int row = 0; row < 4; row++) {
        int v0 = kept[row] + 4, v1 = kept[4 + row], v2 = kept[8 + row], v3 = kept[12 + row];
        int a = v0 + v2, b = v0 - v2;
        int c = smaller(v1) - larger(v3), d = larger(v1) + smaller(v3);
        const uint8_t *from = guess + row * guess_stride;
        uint8_t *to = result + row * stride;
        to[0] = clipped(from[0] + ((a + d) >> 3));
        to[1] = clipped(from[1] + ((b + c) >> 3));
        to[2] = clipped(from[2] + ((b - c) >> 3));
        to[3] = clipped(from[3] + ((a - d) >> 3));
    }
}

void emb_webp_inverse_means(const int16_t values[16], int16_t means[16]) {
    int kept[16];
    for (int column = 0; column < 4; column++) {
        int a0 = values[column] + values[12 + column], a1 = values[4 + column] + values[8 + column];
        int a2 = values[4 + column] - values[8 + column], a3 = values[column] - values[12 + column];
        kept[column] = a0 + a1;
        kept[8 + column] = a0 - a1;
        kept[4 + column] = a3 + a2;
        kept[12 + column] = a3 - a2;
    }
    for (int row = 0; row < 4; row++) {
        const int *k = kept + row * 4;
        int a0 = k[0] + 3 + k[3], a1 = k[1] + k[2], a2 = k[1] - k[2], a3 = k[0] + 3 - k[3];
        means[row * 4] = (int16_t)((a0 + a1) >> 3);
        means[row * 4 + 1] = (int16_t)((a3 + a2) >> 3);
        means[row * 4 + 2] = (int16_t)((a0 - a1) >> 3);
        means[row * 4 + 3] = (int16_t)((a3 - a2) >> 3);
    }
}

// Adds halves of sizes: whole ones might not fit.
static inline void add_half(emb_lanes *sum, const emb_lanes *values) {
    emb_lanes sign = *values >> 15;
    *sum += ((*values ^ sign) - sign) >> 1;
}

void emb_webp_weigh_small(const emb_lanes guesses[16], const uint8_t *source, int stride,
                          uint16_t sums[16]) {
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

// Eight columns of four rows at a time: two blocks.
static uint32_t weigh_pair(const uint8_t *source, int stride, const uint8_t *guess, int side) {
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
    for (int y = 0; y < side; y += 4) {
        for (int x = 0; x < side; x += 8) {
            total += weigh_pair(source + y * stride + x, stride, guess + y * side + x, side);
        }
    }
    return total;
}
