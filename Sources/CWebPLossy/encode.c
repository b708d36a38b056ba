#include "CWebPLossy.h"
#include "parts.h"

#include <stdlib.h>
#include <string.h>

// Rec. 601 with luma in 16...235 and chroma in 16...240. Each row of chroma comes to 0.
static inline uint8_t luma(const uint8_t *p) {
    return (uint8_t)((16829 * p[0] + 33039 * p[1] + 6416 * p[2] + (33 << 15)) >> 16);
}

static inline int to_blue(const int c[3]) {
    return -607 * c[0] - 1192 * c[1] + 1799 * c[2];
}
static inline int to_red(const int c[3]) {
    return 1799 * c[0] - 1506 * c[1] - 293 * c[2];
}

static void extend(uint8_t *row, int from, int to) {
    memset(row + from, row[from - 1], (size_t)(to - from));
}

// Adds a pixel to a mean. Readers clamp white, so a colour beside it may be told stronger than the
// mean of both: the more colour a pixel has, the more it weighs. With less than 336 for grey, logos
// lose more in luma than they win in colour.
static inline int add_weighed(const uint8_t *p, int sums[3]) {
    int high = p[0] > p[1] ? p[0] : p[1], low = p[0] < p[1] ? p[0] : p[1];
    int weight = 336 + (high > p[2] ? high : p[2]) - (low < p[2] ? low : p[2]);
    for (int i = 0; i < 3; i++) {
        sums[i] += weight * p[i];
    }
    return weight;
}

// Alpha may differ: it takes no part in colours.
static inline int are_alike(const uint8_t *one, const uint8_t *other) {
    return one[0] == other[0] && one[1] == other[1] && one[2] == other[2];
}

static void chroma_row(
    const uint8_t *first, const uint8_t *second, int width, uint8_t *u, uint8_t *v) {
    for (int x = 0; x < width; x += 2, first += 8, second += 8) {
        // The last of an odd number stands twice.
        int right = x + 1 < width ? 4 : 0, sums[3] = {0};
        if (are_alike(first, first + right) && are_alike(first, second) &&
            are_alike(first, second + right)) {
            // The weight cancels out.
            const int color[3] = {first[0], first[1], first[2]};
            u[x >> 1] = (uint8_t)(((257 << 11) + to_blue(color)) >> 12);
            v[x >> 1] = (uint8_t)(((257 << 11) + to_red(color)) >> 12);
            continue;
        }
        int weight = add_weighed(first, sums) + add_weighed(first + right, sums) +
            add_weighed(second, sums) + add_weighed(second + right, sums);
        uint32_t one = (uint32_t)weight << 12, middle = (uint32_t)weight * (257 << 11);
        u[x >> 1] = (uint8_t)((middle + (uint32_t)to_blue(sums)) / one);
        v[x >> 1] = (uint8_t)((middle + (uint32_t)to_red(sums)) / one);
    }
}

void emb_webp_planes(emb_frame *frame, const uint8_t *pixels) {
    const int width = frame->width, height = frame->height;
    const size_t stride = (size_t)width * 4;
    for (int y = 0; y < frame->down * 16; y++) {
        uint8_t *row = frame->source[0].start + y * frame->source[0].stride;
        if (y >= height) {
            memcpy(row, row - frame->source[0].stride, (size_t)frame->across * 16);
            continue;
        }
        const uint8_t *from = pixels + (size_t)y * stride;
        for (int x = 0; x < width; x++) {
            row[x] = luma(from + x * 4);
        }
        extend(row, width, frame->across * 16);
    }
    for (int y = 0; y < frame->down * 8; y++) {
        uint8_t *u = frame->source[1].start + y * frame->source[1].stride;
        uint8_t *v = frame->source[2].start + y * frame->source[2].stride;
        if (y * 2 >= height) {
            memcpy(u, u - frame->source[1].stride, (size_t)frame->across * 8);
            memcpy(v, v - frame->source[2].stride, (size_t)frame->across * 8);
            continue;
        }
        const uint8_t *first = pixels + (size_t)y * 2 * stride;
        chroma_row(first, y * 2 + 1 < height ? first + stride : first, width, u, v);
        extend(u, (width + 1) / 2, frame->across * 8);
        extend(v, (width + 1) / 2, frame->across * 8);
    }
}

// Takes a piece of the one allocation, in whole 64 bytes.
static uint8_t *piece(uint8_t **from, size_t size) {
    uint8_t *start = *from;
    *from += (size + 63) & ~(size_t)63;
    return start;
}

static void give_planes(emb_frame *frame, uint8_t **from) {
    for (int i = 0; i < 3; i++) {
        int side = i == 0 ? 16 : 8;
        int stride = frame->across * side, rows = frame->down * side;
        frame->source[i] = (emb_plane){piece(from, (size_t)(stride * rows)), stride};
        // Sixteen to the left keep rows aligned, sixteen to the right are read above a last block.
        int wide = stride + 32;
        uint8_t *start = piece(from, (size_t)(wide * (rows + 1)));
        frame->made[i] = (emb_plane){start + wide + 16, wide};
        memset(start, 127, (size_t)wide);
        for (int y = 0; y < rows; y++) {
            frame->made[i].start[y * wide - 1] = 129;
        }
    }
}

static void give_made(const emb_frame *frame, uint8_t *planes) {
    for (int i = 0; i < 3; i++) {
        int width = i == 0 ? frame->width : (frame->width + 1) / 2;
        int height = i == 0 ? frame->height : (frame->height + 1) / 2;
        for (int y = 0; y < height; y++, planes += width) {
            memcpy(planes, frame->made[i].start + y * frame->made[i].stride, (size_t)width);
        }
    }
}

// `planes` may be null.
static size_t encode(
    const uint8_t *pixels, int width, int height, int quantizer, uint8_t *output, size_t capacity,
    uint8_t *planes) {
    if (width < 1 || height < 1 || width > EMB_WEBP_SIDE || height > EMB_WEBP_SIDE) {
        return 0;
    }
    emb_frame frame = {
        .width = width,
        .height = height,
        .across = (width + 15) / 16,
        .down = (height + 15) / 16,
        .quantizer = quantizer & 127};
    const size_t across = (size_t)frame.across, count = across * (size_t)frame.down;
    // Planes twice with their borders, macroblocks, what stands above.
    const size_t size = count * (768 + sizeof(emb_macroblock)) + 1024 +
        (across * 16 + 32) * ((size_t)frame.down * 32 + 3) + across * 16;
    uint8_t *memory = malloc(size);
    if (memory == NULL) {
        return 0;
    }
    uint8_t *from = memory;
    frame.blocks = (emb_macroblock *)(void *)piece(&from, count * sizeof(emb_macroblock));
    give_planes(&frame, &from);
    frame.above = (uint8_t(*)[9])piece(&from, across * 9);
    frame.modes_above = piece(&from, across * 4);
    memset(frame.above, 0, across * 9);
    memset(frame.modes_above, DC_MODE, across * 4);
    frame.costs = emb_webp_first_costs();
    emb_webp_steps(&frame);
    emb_webp_planes(&frame, pixels);
    for (int row = 0; row < frame.down; row++) {
        memset(frame.left, 0, sizeof frame.left);
        memset(frame.modes_left, DC_MODE, sizeof frame.modes_left);
        for (int column = 0; column < frame.across; column++) {
            emb_webp_choose(&frame, column, row);
        }
    }
    size_t written = emb_webp_write(&frame, output, capacity);
    if (planes != NULL) {
        give_made(&frame, planes);
    }
    free(memory);
    return written;
}

size_t emb_webp_encode(
    const uint8_t *pixels, int32_t width, int32_t height, int32_t quantizer, uint8_t *output,
    size_t capacity) {
    return encode(pixels, width, height, quantizer, output, capacity, NULL);
}

size_t emb_webp_encode_planes(
    const uint8_t *pixels, int32_t width, int32_t height, int32_t quantizer, uint8_t *output,
    size_t capacity, uint8_t *planes) {
    return encode(pixels, width, height, quantizer, output, capacity, planes);
}
