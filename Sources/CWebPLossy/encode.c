#include "CWebPLossy.h"
#include "parts.h"

#include <stdlib.h>
#include <string.h>

// The two passes that take nearly all of the time.
typedef struct passes {
    void (*planes)(emb_frame *frame, const uint8_t *pixels);
    void (*choose)(emb_frame *frame, int column, int row);
} passes;

static const passes plain = {emb_webp_planes, emb_webp_choose};

// All variants give the same bytes.
static passes best_passes(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        return (passes){emb_webp_planes_avx2, emb_webp_choose_avx2};
    }
#endif
    return plain;
}

// Takes a part of the single allocation, rounded up to 64 bytes.
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
        // 16 bytes on the left keep rows aligned; 16 on the right are read above and to the right
        // of a last block.
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

static size_t encode(
    const uint8_t *pixels, int width, int height, int quantizer, uint8_t *output, size_t capacity,
    uint8_t *planes, passes way) {
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
    // Source and reconstructed planes with borders, macroblocks, and the contexts above.
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
    way.planes(&frame, pixels);
    for (int row = 0; row < frame.down; row++) {
        memset(frame.left, 0, sizeof frame.left);
        memset(frame.modes_left, DC_MODE, sizeof frame.modes_left);
        for (int column = 0; column < frame.across; column++) {
            way.choose(&frame, column, row);
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
    return encode(pixels, width, height, quantizer, output, capacity, NULL, best_passes());
}

size_t emb_webp_encode_plainly(
    const uint8_t *pixels, int32_t width, int32_t height, int32_t quantizer, uint8_t *output,
    size_t capacity) {
    return encode(pixels, width, height, quantizer, output, capacity, NULL, plain);
}

size_t emb_webp_encode_planes(
    const uint8_t *pixels, int32_t width, int32_t height, int32_t quantizer, uint8_t *output,
    size_t capacity, uint8_t *planes) {
    return encode(pixels, width, height, quantizer, output, capacity, planes, best_passes());
}
