#include "encoder.h"

#include <string.h>

// BT.601 with luma in 16...235, in 16.16 fixed point, and chroma in 16...240, in 20.12 fixed point.
// The factors of each chroma component sum to 0.
static inline uint8_t y_of(const uint8_t *p) {
    return (uint8_t)((16829 * p[0] + 33039 * p[1] + 6416 * p[2] + (33 << 15)) >> 16);
}

static inline int scaled_u(const int rgb[3]) {
    return -607 * rgb[0] - 1192 * rgb[1] + 1799 * rgb[2];
}
static inline int scaled_v(const int rgb[3]) {
    return 1799 * rgb[0] - 1506 * rgb[1] - 293 * rgb[2];
}

// Repeats the last sample of a row up to whole macroblocks.
static void extend(uint8_t *row, int from, int to) {
    memset(row + from, row[from - 1], (size_t)(to - from));
}

// Adds a pixel to a weighted average and returns its weight. The weight grows with the saturation,
// so that chroma next to white is stronger than the average; decoders clamp the white pixels. With
// a base weight below 336, logos lose more in luma than they gain in chroma.
static inline int add_weighted(const uint8_t *p, int sums[3]) {
    int high = p[0] > p[1] ? p[0] : p[1], low = p[0] < p[1] ? p[0] : p[1];
    int weight = 336 + (high > p[2] ? high : p[2]) - (low < p[2] ? low : p[2]);
    for (int i = 0; i < 3; i++) {
        sums[i] += weight * p[i];
    }
    return weight;
}

// Returns whether two pixels have the same colour, ignoring alpha.
static inline int have_equal_colour(const uint8_t *one, const uint8_t *other) {
    return one[0] == other[0] && one[1] == other[1] && one[2] == other[2];
}

// Computes a row of both chroma planes from two rows of pixels.
static void chroma_row(
    const uint8_t *first, const uint8_t *second, int width, uint8_t *u, uint8_t *v) {
    for (int x = 0; x < width; x += 2, first += 8, second += 8) {
        // The last column of an odd width is used twice.
        int right = x + 1 < width ? 4 : 0, sums[3] = {0};
        if (have_equal_colour(first, first + right) && have_equal_colour(first, second) &&
            have_equal_colour(first, second + right)) {
            // The weight cancels for equal colours.
            const int colour[3] = {first[0], first[1], first[2]};
            u[x >> 1] = (uint8_t)(((257 << 11) + scaled_u(colour)) >> 12);
            v[x >> 1] = (uint8_t)(((257 << 11) + scaled_v(colour)) >> 12);
            continue;
        }
        int weight = add_weighted(first, sums) + add_weighted(first + right, sums) +
            add_weighted(second, sums) + add_weighted(second + right, sums);
        // `middle` is the neutral value 128, plus one half for rounding, times the weight.
        uint32_t one = (uint32_t)weight << 12, middle = (uint32_t)weight * (257 << 11);
        u[x >> 1] = (uint8_t)((middle + (uint32_t)scaled_u(sums)) / one);
        v[x >> 1] = (uint8_t)((middle + (uint32_t)scaled_v(sums)) / one);
    }
}

void emb_webp_rgba_to_yuv(emb_frame *frame, const uint8_t *pixels) {
    const int width = frame->width, height = frame->height;
    const size_t stride = (size_t)width * 4;
    for (int y = 0; y < frame->mbs_high * 16; y++) {
        uint8_t *row = frame->source[0].start + y * frame->source[0].stride;
        if (y >= height) {
            memcpy(row, row - frame->source[0].stride, (size_t)frame->mbs_wide * 16);
            continue;
        }
        const uint8_t *from = pixels + (size_t)y * stride;
        for (int x = 0; x < width; x++) {
            row[x] = y_of(from + x * 4);
        }
        extend(row, width, frame->mbs_wide * 16);
    }
    for (int y = 0; y < frame->mbs_high * 8; y++) {
        uint8_t *u = frame->source[1].start + y * frame->source[1].stride;
        uint8_t *v = frame->source[2].start + y * frame->source[2].stride;
        if (y * 2 >= height) {
            memcpy(u, u - frame->source[1].stride, (size_t)frame->mbs_wide * 8);
            memcpy(v, v - frame->source[2].stride, (size_t)frame->mbs_wide * 8);
            continue;
        }
        const uint8_t *first = pixels + (size_t)y * 2 * stride;
        chroma_row(first, y * 2 + 1 < height ? first + stride : first, width, u, v);
        extend(u, (width + 1) / 2, frame->mbs_wide * 8);
        extend(v, (width + 1) / 2, frame->mbs_wide * 8);
    }
}
