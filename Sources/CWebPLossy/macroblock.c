#include "encoder.h"

#include <string.h>

// A lower bound on the cost of sixteen 4x4 modes, in bits.
enum { I4_MODES_MIN_BITS = 30 };

static const uint8_t *block_at(emb_plane plane, int side, int column, int row) {
    return plane.start + (row * plane.stride + column) * side;
}

// A macroblock encoded with one kind of prediction: its modes and levels, the contexts after it,
// and its rate and distortion.
typedef struct mb_candidate {
    emb_macroblock macroblock;
    uint8_t above[9], left[9];
    int64_t score;
} mb_candidate;

static void init_candidate(mb_candidate *candidate, const emb_frame *frame, int column) {
    memset(candidate->macroblock.eob, 0, sizeof candidate->macroblock.eob);
    memcpy(candidate->above, frame->nonzero_above[column], 9);
    memcpy(candidate->left, frame->nonzero_left, 9);
    candidate->score = 0;
}

// Returns the mode with the lowest SATD and bit cost, for luma or for both chroma planes. Sets
// `is_exact` if its residual is negligible.
static int pick_mode(
    const emb_frame *frame, int plane, int planes, int side, int column, int row,
    const uint16_t *mode_costs, uint8_t *prediction, int *is_exact) {
    int best = 0;
    int64_t least = INT64_MAX;
    uint8_t tried[2][256];
    *is_exact = 0;
    for (int mode = 0; mode < 4 && !*is_exact; mode++) {
        uint32_t satd = 0;
        for (int i = 0; i < planes; i++) {
            emb_plane reconstructed = frame->reconstructed[plane + i];
            emb_plane source = frame->source[plane + i];
            emb_webp_predict(
                block_at(reconstructed, side, column, row), reconstructed.stride, side, mode,
                column, row, tried[i]);
            satd += emb_webp_satd(
                block_at(source, side, column, row), source.stride, tried[i], side);
        }
        int64_t cost = ((int64_t)satd << 16) + (int64_t)frame->lambda_satd * mode_costs[mode];
        *is_exact = satd == 0;
        if (cost < least || *is_exact) {
            least = cost;
            best = mode;
            memcpy(prediction, tried[0], (size_t)(side * side));
            if (planes > 1) {
                memcpy(prediction + side * side, tried[1], (size_t)(side * side));
            }
        }
    }
    return best;
}

// Tries 16x16 prediction, with the DC coefficients of the sixteen blocks coded in the Y2 block.
// `coefficients` receives the dequantized coefficients.
static void try_i16(
    emb_frame *frame, int column, int row, mb_candidate *candidate, uint8_t *prediction,
    int16_t coefficients[16][16]) {
    emb_macroblock *macroblock = &candidate->macroblock;
    emb_plane source = frame->source[0];
    const uint8_t *pixels = block_at(source, 16, column, row);
    int is_exact = 0;
    int mode = pick_mode(
        frame, 0, 1, 16, column, row, frame->costs->i16_mode, prediction, &is_exact);
    init_candidate(candidate, frame, column);
    macroblock->is_i16 = 1;
    memset(macroblock->luma_modes, mode, 16);
    if (is_exact) {
        memset(coefficients, 0, sizeof(int16_t) * 256);
        memset(candidate->above, 0, 4);
        memset(candidate->left, 0, 4);
        candidate->above[8] = candidate->left[8] = 0;
        return;
    }
    int16_t dc[16], y2[16];
    for (int i = 0; i < 16; i++) {
        int x = (i & 3) * 4, y = (i >> 2) * 4;
        emb_webp_fdct(
            pixels + y * source.stride + x, source.stride, prediction + y * 16 + x, 16,
            coefficients[i]);
        dc[i] = coefficients[i][0];
    }
    emb_webp_fwht(dc, y2);
    candidate->score = (int64_t)frame->y1.lambda * frame->costs->i16_mode[mode];
    macroblock->eob[24] = (uint8_t)emb_webp_quantize(
        &frame->y2, frame->costs, TYPE_Y2, candidate->above[8] + candidate->left[8], y2,
        macroblock->levels[24], &candidate->score);
    candidate->above[8] = candidate->left[8] = macroblock->eob[24] > 0;
    emb_webp_iwht(y2, dc);
    for (int i = 0; i < 16; i++) {
        uint8_t *above = &candidate->above[i & 3], *left = &candidate->left[i >> 2];
        macroblock->eob[i] = (uint8_t)emb_webp_quantize(
            &frame->y1, frame->costs, TYPE_Y_AFTER_Y2, *above + *left, coefficients[i],
            macroblock->levels[i], &candidate->score);
        *above = *left = macroblock->eob[i] > 0;
        coefficients[i][0] = dc[i];
    }
}

static void reconstruct_i16(
    emb_frame *frame, int column, int row, const uint8_t *prediction,
    int16_t coefficients[16][16]) {
    emb_plane plane = frame->reconstructed[0];
    uint8_t *result = plane.start + (row * plane.stride + column) * 16;
    for (int i = 0; i < 16; i++) {
        int x = (i & 3) * 4, y = (i >> 2) * 4;
        emb_webp_idct(
            coefficients[i], prediction + y * 16 + x, 16, result + y * plane.stride + x,
            plane.stride);
    }
}

// A 4x4 block predicted with one mode; the coefficients are dequantized.
typedef struct i4_candidate {
    uint8_t prediction[16];
    int16_t coefficients[16], levels[16];
    int64_t score;
    int mode, eob;
} i4_candidate;

static void try_i4_mode(
    const emb_frame *frame, const uint8_t *pixels, const emb_lanes predictions[16], int mode,
    int mode_cost, int context, i4_candidate *candidate) {
    const int16_t *lane = (const int16_t *)predictions + mode;
    for (int i = 0; i < 16; i++) {
        candidate->prediction[i] = (uint8_t)lane[i * 16];
    }
    emb_webp_fdct(
        pixels, frame->source[0].stride, candidate->prediction, 4, candidate->coefficients);
    candidate->mode = mode;
    candidate->score = (int64_t)frame->y1.lambda * mode_cost;
    candidate->eob = emb_webp_quantize(
        &frame->y1, frame->costs, TYPE_Y_WITH_DC, context, candidate->coefficients,
        candidate->levels, &candidate->score);
}

// Returns the smallest key, a cost with its mode in the low bits, without unpredictable branches.
static int64_t least_key(const int64_t keys[I4_MODES]) {
    int64_t least = keys[0];
    for (int mode = 1; mode < I4_MODES; mode++) {
        least = keys[mode] < least ? keys[mode] : least;
    }
    return least;
}

// Quantizes the two modes with the lowest SATD cost and returns the better one. The second mode is
// skipped if its cost is more than 1.5 times that of the first mode.
static const i4_candidate *try_i4_block(
    const emb_frame *frame, const uint8_t *pixels, const uint8_t edge[13],
    const uint16_t *mode_costs, int context, i4_candidate tried[2]) {
    emb_lanes predictions[16];
    uint16_t satd[16];
    int64_t keys[I4_MODES];
    emb_webp_predict_i4(edge, predictions);
    emb_webp_satd_i4(predictions, pixels, frame->source[0].stride, satd);
    for (int mode = 0; mode < I4_MODES; mode++) {
        int64_t cost = ((int64_t)satd[mode] << 16) + (int64_t)frame->lambda_satd * mode_costs[mode];
        keys[mode] = cost << 4 | mode;
    }
    int64_t key = least_key(keys);
    int mode = (int)(key & 15);
    int64_t limit = ((key >> 4) * 3) >> 1;
    try_i4_mode(frame, pixels, predictions, mode, mode_costs[mode], context, &tried[0]);
    keys[mode] = INT64_MAX;
    key = least_key(keys);
    mode = (int)(key & 15);
    if (key >> 4 > limit) {
        return &tried[0];
    }
    try_i4_mode(frame, pixels, predictions, mode, mode_costs[mode], context, &tried[1]);
    return &tried[tried[1].score < tried[0].score];
}

// Copies the 13 pixels around a 4x4 block in the order of `emb_webp_predict_i4`. `right` holds the
// four pixels above and to the right of the block.
static void copy_edge(const uint8_t *block, int stride, const uint8_t *right, uint8_t edge[13]) {
    for (int row = 0; row < 4; row++) {
        edge[3 - row] = block[row * stride - 1];
    }
    memcpy(edge + 4, block - stride - 1, 5);
    memcpy(edge + 9, right, 4);
}

// Tries 4x4 prediction, in which each block is predicted from reconstructed earlier blocks. Gives
// up and returns 0 once its score reaches `limit`.
static int try_i4(emb_frame *frame, int column, int row, mb_candidate *candidate, int64_t limit) {
    emb_macroblock *macroblock = &candidate->macroblock;
    emb_plane source = frame->source[0], plane = frame->reconstructed[0];
    init_candidate(candidate, frame, column);
    macroblock->is_i16 = 0;
    candidate->score = (int64_t)frame->y1.lambda * frame->costs->b_pred;
    uint8_t modes_above[4], modes_left[4], right[4];
    memcpy(modes_above, frame->modes_above + column * 4, 4);
    memcpy(modes_left, frame->modes_left, 4);
    // All four rows of blocks use the pixels above and to the right of the macroblock.
    const uint8_t *top = block_at(plane, 16, column, row) - plane.stride;
    if (row > 0 && column == frame->mbs_wide - 1) {
        memset(right, top[15], 4);
    } else {
        memcpy(right, top + 16, 4);
    }
    for (int i = 0; i < 16; i++) {
        int x = i & 3, y = i >> 2;
        const uint8_t *pixels = block_at(source, 4, column * 4 + x, row * 4 + y);
        uint8_t *result = plane.start + ((row * 4 + y) * plane.stride + column * 4 + x) * 4;
        uint8_t edge[13];
        copy_edge(result, plane.stride, x == 3 ? right : result - plane.stride + 4, edge);
        i4_candidate tried[2];
        const i4_candidate *best = try_i4_block(
            frame, pixels, edge, frame->costs->i4_mode[modes_above[x]][modes_left[y]],
            candidate->above[x] + candidate->left[y], tried);
        memcpy(macroblock->levels[i], best->levels, sizeof best->levels);
        macroblock->luma_modes[i] = modes_above[x] = modes_left[y] = (uint8_t)best->mode;
        macroblock->eob[i] = (uint8_t)best->eob;
        candidate->above[x] = candidate->left[y] = best->eob > 0;
        candidate->score += best->score;
        if (candidate->score >= limit) {
            return 0;
        }
        emb_webp_idct(best->coefficients, best->prediction, 4, result, plane.stride);
    }
    return 1;
}

// Encodes and reconstructs both chroma planes.
static void encode_chroma(emb_frame *frame, int column, int row, mb_candidate *candidate) {
    uint8_t prediction[2][64];
    int is_exact = 0;
    int mode = pick_mode(
        frame, 1, 2, 8, column, row, frame->costs->chroma_mode, prediction[0], &is_exact);
    candidate->macroblock.chroma_mode = (uint8_t)mode;
    if (is_exact) {
        for (int i = 0; i < 2; i++) {
            emb_plane plane = frame->reconstructed[1 + i];
            uint8_t *result = plane.start + (row * plane.stride + column) * 8;
            for (int y = 0; y < 8; y++) {
                memcpy(result + y * plane.stride, prediction[i] + y * 8, 8);
            }
        }
        memset(candidate->above + 4, 0, 4);
        memset(candidate->left + 4, 0, 4);
        return;
    }
    int64_t score = 0;
    for (int i = 0; i < 8; i++) {
        int v = i >> 2, x = i & 1, y = i >> 1 & 1;
        emb_plane source = frame->source[1 + v], plane = frame->reconstructed[1 + v];
        const uint8_t *from = prediction[v] + y * 32 + x * 4;
        int16_t coefficients[16];
        emb_webp_fdct(
            block_at(source, 8, column, row) + y * 4 * source.stride + x * 4, source.stride, from,
            8, coefficients);
        uint8_t *above = &candidate->above[4 + v * 2 + x], *left = &candidate->left[4 + v * 2 + y];
        candidate->macroblock.eob[16 + i] = (uint8_t)emb_webp_quantize(
            &frame->chroma, frame->costs, TYPE_CHROMA, *above + *left, coefficients,
            candidate->macroblock.levels[16 + i], &score);
        *above = *left = candidate->macroblock.eob[16 + i] > 0;
        emb_webp_idct(
            coefficients, from, 8,
            (uint8_t *)block_at(plane, 8, column, row) + y * 4 * plane.stride + x * 4,
            plane.stride);
    }
}

void emb_webp_encode_macroblock(emb_frame *frame, int column, int row) {
    mb_candidate i16, i4, *chosen = &i16;
    uint8_t prediction[256];
    int16_t coefficients[16][16];
    try_i16(frame, column, row, &i16, prediction, coefficients);
    if (i16.score > (int64_t)frame->y1.lambda * 256 * I4_MODES_MIN_BITS &&
        try_i4(frame, column, row, &i4, i16.score)) {
        chosen = &i4;
    } else {
        reconstruct_i16(frame, column, row, prediction, coefficients);
    }
    encode_chroma(frame, column, row, chosen);
    emb_macroblock *macroblock = &frame->macroblocks[row * frame->mbs_wide + column];
    *macroblock = chosen->macroblock;
    int any_level = 0;
    for (int i = 0; i < 25; i++) {
        any_level |= macroblock->eob[i];
    }
    macroblock->is_skipped = any_level == 0;
    memcpy(frame->nonzero_above[column], chosen->above, 9);
    memcpy(frame->nonzero_left, chosen->left, 9);
    for (int i = 0; i < 4; i++) {
        frame->modes_above[column * 4 + i] = macroblock->luma_modes[12 + i];
        frame->modes_left[i] = macroblock->luma_modes[i * 4 + 3];
    }
}
