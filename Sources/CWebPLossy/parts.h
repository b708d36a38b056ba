#pragma once

// The parts of the encoder of lossy WebP, key frames of VP8 as RFC 6386 has them, and what they
// hand each other. Its integers are the same on every processor: lanes are those of the compiler,
// which spells them out where there are none.

#include <stddef.h>
#include <stdint.h>

extern const uint8_t emb_webp_dc[128];
extern const uint16_t emb_webp_ac[128];
extern const uint8_t emb_webp_coefficients[4 * 8 * 3 * 11];
extern const uint8_t emb_webp_updates[4 * 8 * 3 * 11];
extern const uint8_t emb_webp_modes[10 * 10 * 9];
extern const uint16_t emb_webp_costs[257];

// How a block is predicted, in the order of RFC 6386. The first four are those of whole macroblocks
// too.
enum {
    DC_MODE,
    TM_MODE,
    VE_MODE,
    HE_MODE,
    LD_MODE,
    RD_MODE,
    VR_MODE,
    VL_MODE,
    HD_MODE,
    HU_MODE,
    SMALL_MODES,
};

// What a block holds, as the format tells kinds apart.
enum { AFTER_DC_KIND, DC_KIND, CHROMA_KIND, WHOLE_KIND };

// A plane of bytes; before its first row and column stands what the format takes for them.
typedef struct emb_plane {
    uint8_t *start;
    int stride;
} emb_plane;

// How coefficients of a kind are divided, and what bits weigh against errors there.
typedef struct emb_steps {
    int step[2];
    uint32_t inverse[2];
    // What a 256th of a bit weighs, in 256ths of a squared error.
    int lambda;
    // Errors weigh less by this power of two.
    int shift;
} emb_steps;

// A macroblock as it is written. Levels stand in the order of the file: sixteen blocks of luma,
// four and four of chroma, and the one of the sixteen means.
typedef struct emb_macroblock {
    int16_t levels[25][16];
    // One more than the index of the last that is not zero.
    uint8_t ends[25];
    uint8_t modes[16];
    uint8_t chroma;
    uint8_t is_whole;
    uint8_t is_skipped;
} emb_macroblock;

// What coefficients cost before they are coded, in 256ths of a bit: `level` by kind, index, what
// came before (0, 1 or more) and size, sign included; `end` and `more` of the question before each.
enum { COST_SIZES = 68 };
typedef struct emb_costs {
    uint16_t level[4][8][3][COST_SIZES];
    uint16_t end[4][8][3];
    uint16_t more[4][8][3];
    // Of a small block's mode, by those above and to the left.
    uint16_t mode[SMALL_MODES][SMALL_MODES][SMALL_MODES];
    // Of a macroblock's, of its chroma's, and of saying that small blocks have their own.
    uint16_t whole[4], chroma[4], small;
} emb_costs;

typedef struct emb_frame {
    int width, height, across, down;
    int quantizer;
    emb_plane source[3], made[3];
    emb_steps luma, means, chroma;
    // What a 256th of a bit weighs, in 65,536ths of an absolute sum.
    int lambda_sum;
    const emb_costs *costs;
    emb_macroblock *blocks;
    // Which neighbours had levels: of each column, and to the left; then modes likewise.
    uint8_t (*above)[9];
    uint8_t left[9];
    uint8_t *modes_above;
    uint8_t modes_left[4];
} emb_frame;

static inline uint8_t clipped(int value) {
    return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value;
}

// Where an index in a block's zigzag order stands in its square, and which band it belongs to.
extern const uint8_t emb_webp_zigzag[16];
extern const uint8_t emb_webp_bands[16];

// Rows of RGBA to the three planes, each side filled up to whole macroblocks.
void emb_webp_planes(emb_frame *frame, const uint8_t *pixels);

// All ten predictions of a small block side by side: pixel by pixel, a lane for each mode.
typedef int16_t emb_lanes __attribute__((vector_size(32), aligned(2)));
void emb_webp_guess_small(const uint8_t edge[13], emb_lanes guesses[16]);
// The absolute sums of the transformed differences of each.
void emb_webp_weigh_small(
    const emb_lanes guesses[16], const uint8_t *source, int stride, uint16_t sums[16]);

// A square of 8 or 16 in one of the first four modes.
void emb_webp_guess(
    const uint8_t *made, int stride, int side, int mode, int x, int y, uint8_t *guess);
uint32_t emb_webp_weigh(const uint8_t *source, int stride, const uint8_t *guess, int side);

void emb_webp_forward(
    const uint8_t *source, int stride, const uint8_t *guess, int guess_stride, int16_t result[16]);
void emb_webp_forward_means(const int16_t means[16], int16_t result[16]);
void emb_webp_inverse(
    const int16_t values[16], const uint8_t *guess, int guess_stride, uint8_t *result, int stride);
void emb_webp_inverse_means(const int16_t values[16], int16_t means[16]);

// By how many quantizers the means of chroma are divided finer than the rest.
int emb_webp_finer(int quantizer);
void emb_webp_steps(emb_frame *frame);
// Divides coefficients so that bits and errors together weigh least; `values` become what a reader
// makes of the levels. Answers with the end of the levels and adds to `score`.
int emb_webp_divide(
    const emb_steps *steps, const emb_costs *costs, int kind, int before, int16_t values[16],
    int16_t levels[16], int64_t *score);

const emb_costs *emb_webp_first_costs(void);

// Chooses modes and levels of a macroblock, and makes what a reader will see.
void emb_webp_choose(emb_frame *frame, int column, int row);

// The same two, the second and the first, compiled for processors with AVX2.
void emb_webp_choose_avx2(emb_frame *frame, int column, int row);
void emb_webp_planes_avx2(emb_frame *frame, const uint8_t *pixels);

// The whole chunk; 0 if it does not fit.
size_t emb_webp_write(const emb_frame *frame, uint8_t *output, size_t capacity);
