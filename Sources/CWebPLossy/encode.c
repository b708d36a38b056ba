#include "CWebPLossy.h"
#include "encoder.h"

#include <stdlib.h>
#include <string.h>

// The two passes that take nearly all of the time.
typedef struct passes {
    void (*rgba_to_yuv)(emb_frame *frame, const uint8_t *pixels);
    void (*encode_macroblock)(emb_frame *frame, int column, int row);
} passes;

static const passes portable = {emb_webp_rgba_to_yuv, emb_webp_encode_macroblock};

// All variants give the same bytes.
static passes best_passes(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        return (passes){emb_webp_rgba_to_yuv_avx2, emb_webp_encode_macroblock_avx2};
    }
#endif
    return portable;
}

// Takes a part of the single allocation, rounded up to 64 bytes.
static uint8_t *carve(uint8_t **from, size_t size) {
    uint8_t *start = *from;
    *from += (size + 63) & ~(size_t)63;
    return start;
}

// Places the source and reconstructed planes in the allocation. Reconstructed planes have borders
// of 127 above and 129 to the left (section 12.2).
static void init_planes(emb_frame *frame, uint8_t **from) {
    for (int i = 0; i < 3; i++) {
        int side = i == 0 ? 16 : 8;
        int stride = frame->mbs_wide * side, rows = frame->mbs_high * side;
        frame->source[i] = (emb_plane){carve(from, (size_t)(stride * rows)), stride};
        // 16 bytes on the left keep rows aligned; 16 on the right are read above and to the right
        // of a last block.
        int wide = stride + 32;
        uint8_t *start = carve(from, (size_t)(wide * (rows + 1)));
        frame->reconstructed[i] = (emb_plane){start + wide + 16, wide};
        memset(start, 127, (size_t)wide);
        for (int y = 0; y < rows; y++) {
            frame->reconstructed[i].start[y * wide - 1] = 129;
        }
    }
}

static size_t encode(
    const uint8_t *pixels, int width, int height, int q_index, uint8_t *output, size_t capacity,
    passes passes) {
    if (width < 1 || height < 1 || width > EMB_WEBP_SIDE || height > EMB_WEBP_SIDE) {
        return 0;
    }
    emb_frame frame = {
        .width = width,
        .height = height,
        .mbs_wide = (width + 15) / 16,
        .mbs_high = (height + 15) / 16,
        .q_index = q_index & 127};
    const size_t wide = (size_t)frame.mbs_wide, count = wide * (size_t)frame.mbs_high;
    // An upper bound for the macroblocks, the source planes, the reconstructed planes with their
    // borders, and the contexts of the macroblock row above.
    const size_t size = count * (768 + sizeof(emb_macroblock)) + 1024 +
        (wide * 16 + 32) * ((size_t)frame.mbs_high * 32 + 3) + wide * 16;
    uint8_t *memory = malloc(size);
    if (memory == NULL) {
        return 0;
    }
    uint8_t *from = memory;
    frame.macroblocks = (emb_macroblock *)(void *)carve(&from, count * sizeof(emb_macroblock));
    init_planes(&frame, &from);
    frame.nonzero_above = (uint8_t(*)[9])carve(&from, wide * 9);
    frame.modes_above = carve(&from, wide * 4);
    memset(frame.nonzero_above, 0, wide * 9);
    memset(frame.modes_above, B_DC_PRED, wide * 4);
    frame.costs = emb_webp_default_costs();
    emb_webp_init_quantizers(&frame);
    passes.rgba_to_yuv(&frame, pixels);
    for (int row = 0; row < frame.mbs_high; row++) {
        memset(frame.nonzero_left, 0, sizeof frame.nonzero_left);
        memset(frame.modes_left, B_DC_PRED, sizeof frame.modes_left);
        for (int column = 0; column < frame.mbs_wide; column++) {
            passes.encode_macroblock(&frame, column, row);
        }
    }
    size_t written = emb_webp_write_frame(&frame, output, capacity);
    free(memory);
    return written;
}

size_t emb_webp_encode(
    const uint8_t *pixels, int32_t width, int32_t height, int32_t quantizer, uint8_t *output,
    size_t capacity) {
    return encode(pixels, width, height, quantizer, output, capacity, best_passes());
}

size_t emb_webp_encode_portable(
    const uint8_t *pixels, int32_t width, int32_t height, int32_t quantizer, uint8_t *output,
    size_t capacity) {
    return encode(pixels, width, height, quantizer, output, capacity, portable);
}
