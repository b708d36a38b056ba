#pragma once

// The internal interface of the lossy WebP encoder, which writes VP8 key frames (RFC 6386). All
// arithmetic is in integers, so the result is the same on every processor; vectors are compiler
// extensions.

#include <stddef.h>
#include <stdint.h>

extern const uint8_t emb_webp_dc[128];
extern const uint16_t emb_webp_ac[128];
extern const uint8_t emb_webp_coefficients[4 * 8 * 3 * 11];
extern const uint8_t emb_webp_updates[4 * 8 * 3 * 11];
extern const uint8_t emb_webp_modes[10 * 10 * 9];
extern const uint16_t emb_webp_costs[257];

// The prediction modes in the order of RFC 6386. The first four also apply to whole macroblocks.
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

// The block types of section 13.3: Y after Y2, Y2, chroma, Y with DC.
enum { AFTER_DC_KIND, DC_KIND, CHROMA_KIND, WHOLE_KIND };

// A plane of bytes; the row above and the column to the left hold the values the format defines.
typedef struct emb_plane {
    uint8_t *start;
    int stride;
} emb_plane;

// The quantizer steps of a block type, and the weight of bits against errors.
typedef struct emb_steps {
    int step[2];
    uint32_t inverse[2];
    // The weight of 1/256 bit, in 1/256 of a squared error.
    int lambda;
    // The power of two by which errors are scaled down.
    int shift;
} emb_steps;

// A macroblock as written. Levels are in the order of the file: sixteen luma blocks, four blocks of
// each chroma plane, and the Y2 block.
typedef struct emb_macroblock {
    int16_t levels[25][16];
    // The end-of-block index: one more than the index of the last non-zero level.
    uint8_t ends[25];
    uint8_t modes[16];
    uint8_t chroma;
    uint8_t is_whole;
    uint8_t is_skipped;
} emb_macroblock;

// Bit costs with the default probabilities, in 1/256 bit. `level` is indexed by block type, band,
// context and absolute level, and includes the sign; `end` and `more` are the costs of EOB and of
// no EOB.
enum { COST_SIZES = 68 };
typedef struct emb_costs {
    uint16_t level[4][8][3][COST_SIZES];
    uint16_t end[4][8][3];
    uint16_t more[4][8][3];
    // The cost of a 4x4 mode, by the modes above and to the left.
    uint16_t mode[SMALL_MODES][SMALL_MODES][SMALL_MODES];
    // The costs of a 16x16 mode, of a chroma mode, and of choosing 4x4 prediction.
    uint16_t whole[4], chroma[4], small;
} emb_costs;

typedef struct emb_frame {
    int width, height, across, down;
    int quantizer;
    emb_plane source[3], made[3];
    emb_steps luma, means, chroma;
    // The weight of 1/256 bit, in 1/65,536 of the SATD.
    int lambda_sum;
    const emb_costs *costs;
    emb_macroblock *blocks;
    // Whether neighbours have non-zero levels, above each column and to the left; then their modes.
    uint8_t (*above)[9];
    uint8_t left[9];
    uint8_t *modes_above;
    uint8_t modes_left[4];
} emb_frame;

static inline uint8_t clipped(int value) {
    return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value;
}

// The zigzag order as raster positions, and the coefficient bands.
extern const uint8_t emb_webp_zigzag[16];
extern const uint8_t emb_webp_bands[16];

// Converts rows of RGBA to three planes, extended to whole macroblocks.
void emb_webp_planes(emb_frame *frame, const uint8_t *pixels);

// All ten predictions of a 4x4 block, interleaved: one vector per pixel, one lane per mode.
typedef int16_t emb_lanes __attribute__((vector_size(32), aligned(2)));
void emb_webp_guess_small(const uint8_t edge[13], emb_lanes guesses[16]);
// Computes the SATD of all ten predictions.
void emb_webp_weigh_small(
    const emb_lanes guesses[16], const uint8_t *source, int stride, uint16_t sums[16]);

// Predicts a block of 8 or 16 pixels a side in one of the first four modes.
void emb_webp_guess(
    const uint8_t *made, int stride, int side, int mode, int x, int y, uint8_t *guess);
uint32_t emb_webp_weigh(const uint8_t *source, int stride, const uint8_t *guess, int side);

void emb_webp_forward(
    const uint8_t *source, int stride, const uint8_t *guess, int guess_stride, int16_t result[16]);
void emb_webp_forward_means(const int16_t means[16], int16_t result[16]);
void emb_webp_inverse(
    const int16_t values[16], const uint8_t *guess, int guess_stride, uint8_t *result, int stride);
void emb_webp_inverse_means(const int16_t values[16], int16_t means[16]);

// Returns by how many quantizer indices chroma DC is finer than the rest.
int emb_webp_finer(int quantizer);
void emb_webp_steps(emb_frame *frame);
// Quantizes coefficients with a trellis that minimises bits and errors. Replaces `values` by the
// dequantized levels, adds to `score` and returns the end-of-block index.
int emb_webp_divide(
    const emb_steps *steps, const emb_costs *costs, int kind, int before, int16_t values[16],
    int16_t levels[16], int64_t *score);

const emb_costs *emb_webp_first_costs(void);

// Chooses the modes and levels of a macroblock and reconstructs it.
void emb_webp_choose(emb_frame *frame, int column, int row);

// The AVX2 variants of `emb_webp_choose` and `emb_webp_planes`.
void emb_webp_choose_avx2(emb_frame *frame, int column, int row);
void emb_webp_planes_avx2(emb_frame *frame, const uint8_t *pixels);

// Writes the chunk; returns 0 if it does not fit.
size_t emb_webp_write(const emb_frame *frame, uint8_t *output, size_t capacity);
