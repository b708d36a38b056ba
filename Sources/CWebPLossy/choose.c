#include "parts.h"

#include <string.h>

// A lower bound on the cost of sixteen 4x4 modes, in bits.
enum { bits_of_modes = 30 };

static const uint8_t *at(emb_plane plane, int side, int column, int row) {
    return plane.start + (row * plane.stride + column) * side;
}

typedef struct trial {
    emb_macroblock block;
    uint8_t above[9], left[9];
    int64_t score;
} trial;

static void begin(trial *one, const emb_frame *frame, int column) {
    memset(one->block.ends, 0, sizeof one->block.ends);
    memcpy(one->above, frame->above[column], 9);
    memcpy(one->left, frame->left, 9);
    one->score = 0;
}

// Returns the mode with the lowest cost; sets `is_exact` if its residual is negligible.
static int best_mode(
    const emb_frame *frame, int plane, int planes, int side, int column, int row,
    const uint16_t *costs, uint8_t *guess, int *is_exact) {
    int best = 0;
    int64_t least = INT64_MAX;
    uint8_t tried[2][256];
    *is_exact = 0;
    for (int mode = 0; mode < 4 && !*is_exact; mode++) {
        uint32_t difference = 0;
        for (int i = 0; i < planes; i++) {
            emb_plane made = frame->made[plane + i], source = frame->source[plane + i];
            emb_webp_guess(
                at(made, side, column, row), made.stride, side, mode, column, row, tried[i]);
            difference += emb_webp_weigh(
                at(source, side, column, row), source.stride, tried[i], side);
        }
        int64_t sum = ((int64_t)difference << 16) + (int64_t)frame->lambda_sum * costs[mode];
        *is_exact = difference == 0;
        if (sum < least || *is_exact) {
            least = sum;
            best = mode;
            memcpy(guess, tried[0], (size_t)(side * side));
            if (planes > 1) {
                memcpy(guess + side * side, tried[1], (size_t)(side * side));
            }
        }
    }
    return best;
}

// Tries 16x16 prediction, with the DC coefficients of the sixteen blocks coded in the Y2 block.
static void try_whole(
    emb_frame *frame, int column, int row, trial *one, uint8_t *guess, int16_t values[16][16]) {
    emb_macroblock *block = &one->block;
    emb_plane source = frame->source[0];
    const uint8_t *pixels = at(source, 16, column, row);
    int is_exact = 0;
    int mode = best_mode(frame, 0, 1, 16, column, row, frame->costs->whole, guess, &is_exact);
    begin(one, frame, column);
    block->is_whole = 1;
    memset(block->modes, mode, 16);
    if (is_exact) {
        memset(values, 0, sizeof(int16_t) * 256);
        memset(one->above, 0, 4);
        memset(one->left, 0, 4);
        one->above[8] = one->left[8] = 0;
        return;
    }
    int16_t means[16], sums[16];
    for (int i = 0; i < 16; i++) {
        int x = (i & 3) * 4, y = (i >> 2) * 4;
        emb_webp_forward(
            pixels + y * source.stride + x, source.stride, guess + y * 16 + x, 16, values[i]);
        means[i] = values[i][0];
    }
    emb_webp_forward_means(means, sums);
    one->score = (int64_t)frame->luma.lambda * frame->costs->whole[mode];
    block->ends[24] = (uint8_t)emb_webp_divide(
        &frame->means, frame->costs, DC_KIND, one->above[8] + one->left[8], sums, block->levels[24],
        &one->score);
    one->above[8] = one->left[8] = block->ends[24] > 0;
    emb_webp_inverse_means(sums, means);
    for (int i = 0; i < 16; i++) {
        uint8_t *above = &one->above[i & 3], *left = &one->left[i >> 2];
        block->ends[i] = (uint8_t)emb_webp_divide(
            &frame->luma, frame->costs, AFTER_DC_KIND, *above + *left, values[i], block->levels[i],
            &one->score);
        *above = *left = block->ends[i] > 0;
        values[i][0] = means[i];
    }
}

static void make_whole(
    emb_frame *frame, int column, int row, const uint8_t *guess, int16_t values[16][16]) {
    emb_plane made = frame->made[0];
    uint8_t *result = made.start + (row * made.stride + column) * 16;
    for (int i = 0; i < 16; i++) {
        int x = (i & 3) * 4, y = (i >> 2) * 4;
        emb_webp_inverse(
            values[i], guess + y * 16 + x, 16, result + y * made.stride + x, made.stride);
    }
}

// A 4x4 block predicted with one mode.
typedef struct attempt {
    uint8_t guess[16];
    int16_t values[16], levels[16];
    int64_t score;
    int mode, end;
} attempt;

static void try_mode(
    const emb_frame *frame, const uint8_t *pixels, const emb_lanes guesses[16], int mode,
    int mode_cost, int before, attempt *one) {
    const int16_t *lane = (const int16_t *)guesses + mode;
    for (int i = 0; i < 16; i++) {
        one->guess[i] = (uint8_t)lane[i * 16];
    }
    emb_webp_forward(pixels, frame->source[0].stride, one->guess, 4, one->values);
    one->mode = mode;
    one->score = (int64_t)frame->luma.lambda * mode_cost;
    one->end = emb_webp_divide(
        &frame->luma, frame->costs, WHOLE_KIND, before, one->values, one->levels, &one->score);
}

// Returns the smallest key, a cost with its mode in the low bits, without unpredictable branches.
static int64_t least_key(const int64_t keys[SMALL_MODES]) {
    int64_t least = keys[0];
    for (int mode = 1; mode < SMALL_MODES; mode++) {
        least = keys[mode] < least ? keys[mode] : least;
    }
    return least;
}

// Quantizes the two modes with the lowest SATD cost and returns the better one; the second is
// skipped if its cost is more than 1.5 times as high.
static const attempt *try_block(
    const emb_frame *frame, const uint8_t *pixels, const uint8_t edge[13],
    const uint16_t *mode_costs, int before, attempt tried[2]) {
    emb_lanes guesses[16];
    uint16_t sums[16];
    int64_t keys[SMALL_MODES];
    emb_webp_guess_small(edge, guesses);
    emb_webp_weigh_small(guesses, pixels, frame->source[0].stride, sums);
    for (int mode = 0; mode < SMALL_MODES; mode++) {
        int64_t weight = ((int64_t)sums[mode] << 16) +
            (int64_t)frame->lambda_sum * mode_costs[mode];
        keys[mode] = weight << 4 | mode;
    }
    int64_t key = least_key(keys);
    int mode = (int)(key & 15);
    int64_t limit = ((key >> 4) * 3) >> 1;
    try_mode(frame, pixels, guesses, mode, mode_costs[mode], before, &tried[0]);
    keys[mode] = INT64_MAX;
    key = least_key(keys);
    mode = (int)(key & 15);
    if (key >> 4 > limit) {
        return &tried[0];
    }
    try_mode(frame, pixels, guesses, mode, mode_costs[mode], before, &tried[1]);
    return &tried[tried[1].score < tried[0].score];
}

static void find_edge(const uint8_t *made, int stride, const uint8_t *right, uint8_t edge[13]) {
    for (int row = 0; row < 4; row++) {
        edge[3 - row] = made[row * stride - 1];
    }
    memcpy(edge + 4, made - stride - 1, 5);
    memcpy(edge + 9, right, 4);
}

// Tries 4x4 prediction from the reconstructed blocks before; gives up once its score reaches
// `least`.
static int try_small(emb_frame *frame, int column, int row, trial *one, int64_t least) {
    emb_macroblock *block = &one->block;
    emb_plane source = frame->source[0], made = frame->made[0];
    begin(one, frame, column);
    block->is_whole = 0;
    one->score = (int64_t)frame->luma.lambda * frame->costs->small;
    uint8_t modes_above[4], modes_left[4], right[4];
    memcpy(modes_above, frame->modes_above + column * 4, 4);
    memcpy(modes_left, frame->modes_left, 4);
    const uint8_t *top = at(made, 16, column, row) - made.stride;
    if (row > 0 && column == frame->across - 1) {
        memset(right, top[15], 4);
    } else {
        memcpy(right, top + 16, 4);
    }
    for (int i = 0; i < 16; i++) {
        int x = i & 3, y = i >> 2;
        const uint8_t *pixels = at(source, 4, column * 4 + x, row * 4 + y);
        uint8_t *result = made.start + ((row * 4 + y) * made.stride + column * 4 + x) * 4;
        uint8_t edge[13];
        find_edge(result, made.stride, x == 3 ? right : result - made.stride + 4, edge);
        attempt tried[2];
        const attempt *best = try_block(
            frame, pixels, edge, frame->costs->mode[modes_above[x]][modes_left[y]],
            one->above[x] + one->left[y], tried);
        memcpy(block->levels[i], best->levels, sizeof best->levels);
        block->modes[i] = modes_above[x] = modes_left[y] = (uint8_t)best->mode;
        block->ends[i] = (uint8_t)best->end;
        one->above[x] = one->left[y] = best->end > 0;
        one->score += best->score;
        if (one->score >= least) {
            return 0;
        }
        emb_webp_inverse(best->values, best->guess, 4, result, made.stride);
    }
    return 1;
}

static void do_chroma(emb_frame *frame, int column, int row, trial *one) {
    uint8_t guess[2][64];
    int is_exact = 0;
    int mode = best_mode(frame, 1, 2, 8, column, row, frame->costs->chroma, guess[0], &is_exact);
    one->block.chroma = (uint8_t)mode;
    if (is_exact) {
        for (int plane = 0; plane < 2; plane++) {
            emb_plane made = frame->made[1 + plane];
            uint8_t *result = made.start + (row * made.stride + column) * 8;
            for (int y = 0; y < 8; y++) {
                memcpy(result + y * made.stride, guess[plane] + y * 8, 8);
            }
        }
        memset(one->above + 4, 0, 4);
        memset(one->left + 4, 0, 4);
        return;
    }
    int64_t score = 0;
    for (int i = 0; i < 8; i++) {
        int plane = i >> 2, x = i & 1, y = i >> 1 & 1;
        emb_plane source = frame->source[1 + plane], made = frame->made[1 + plane];
        const uint8_t *from = guess[plane] + y * 32 + x * 4;
        int16_t values[16];
        emb_webp_forward(
            at(source, 8, column, row) + y * 4 * source.stride + x * 4, source.stride, from, 8,
            values);
        uint8_t *above = &one->above[4 + plane * 2 + x], *left = &one->left[4 + plane * 2 + y];
        one->block.ends[16 + i] = (uint8_t)emb_webp_divide(
            &frame->chroma, frame->costs, CHROMA_KIND, *above + *left, values,
            one->block.levels[16 + i], &score);
        *above = *left = one->block.ends[16 + i] > 0;
        emb_webp_inverse(
            values, from, 8, (uint8_t *)at(made, 8, column, row) + y * 4 * made.stride + x * 4,
            made.stride);
    }
}

void emb_webp_choose(emb_frame *frame, int column, int row) {
    trial whole, small, *chosen = &whole;
    uint8_t guess[256];
    int16_t values[16][16];
    try_whole(frame, column, row, &whole, guess, values);
    if (whole.score > (int64_t)frame->luma.lambda * 256 * bits_of_modes &&
        try_small(frame, column, row, &small, whole.score)) {
        chosen = &small;
    } else {
        make_whole(frame, column, row, guess, values);
    }
    do_chroma(frame, column, row, chosen);
    emb_macroblock *block = &frame->blocks[row * frame->across + column];
    *block = chosen->block;
    int any = 0;
    for (int i = 0; i < 25; i++) {
        any |= block->ends[i];
    }
    block->is_skipped = any == 0;
    memcpy(frame->above[column], chosen->above, 9);
    memcpy(frame->left, chosen->left, 9);
    for (int i = 0; i < 4; i++) {
        frame->modes_above[column * 4 + i] = block->modes[12 + i];
        frame->modes_left[i] = block->modes[i * 4 + 3];
    }
}
