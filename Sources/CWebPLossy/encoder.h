#pragma once

// The internal interface of the lossy WebP encoder, which writes VP8 key frames. Section numbers
// refer to RFC 6386. All arithmetic is in integers, so the result is the same on every processor;
// vectors are compiler extensions.
//
// Each macroblock is predicted as a whole (16x16, "i16") or as sixteen blocks of 4x4 pixels ("i4",
// B_PRED). Modes are chosen by the SATD of the residual, the sum of its absolute Hadamard
// coefficients; the candidates are then compared by rate and distortion: the squared error plus
// lambda times the bits.

#include <stddef.h>
#include <stdint.h>

extern const uint8_t emb_webp_dc_qlookup[128];
extern const uint16_t emb_webp_ac_qlookup[128];
extern const uint8_t emb_webp_default_coeff_probs[4 * 8 * 3 * 11];
extern const uint8_t emb_webp_coeff_update_probs[4 * 8 * 3 * 11];
extern const uint8_t emb_webp_kf_bmode_probs[10 * 10 * 9];
extern const uint16_t emb_webp_bit_costs[257];

// The prediction modes of 4x4 blocks (section 8.1), of which the first four also apply to
// macroblocks.
enum {
    B_DC_PRED,
    B_TM_PRED,
    B_VE_PRED,
    B_HE_PRED,
    B_LD_PRED,
    B_RD_PRED,
    B_VR_PRED,
    B_VL_PRED,
    B_HD_PRED,
    B_HU_PRED,
    I4_MODES,
    DC_PRED = B_DC_PRED,
    TM_PRED = B_TM_PRED,
    V_PRED = B_VE_PRED,
    H_PRED = B_HE_PRED,
    // The luma mode of a macroblock in which each 4x4 block has a mode.
    B_PRED = I4_MODES,
};

// The block types of section 13.3.
enum { TYPE_Y_AFTER_Y2, TYPE_Y2, TYPE_CHROMA, TYPE_Y_WITH_DC };

// A plane of samples; the row above and the column to the left hold the values of section 12.2.
typedef struct emb_plane {
    uint8_t *start;
    int stride;
} emb_plane;

// The quantizer of a block type, and the weight of bits against distortion.
typedef struct emb_quantizer {
    // The step of the DC coefficient and of all others, and 2^20 divided by it.
    int step[2];
    uint32_t inverse[2];
    // The weight of 1/256 bit, in 1/256 of a squared error.
    int lambda;
    // The power of two by which errors are scaled down.
    int shift;
} emb_quantizer;

// A macroblock as written. Levels (quantized coefficients) are in the order of the file: sixteen
// luma blocks, four blocks of each chroma plane, and the Y2 block.
typedef struct emb_macroblock {
    int16_t levels[25][16];
    // The end of each block: one more than the index of the last non-zero level.
    uint8_t eob[25];
    // The modes of the 4x4 blocks; in an i16 macroblock all are its mode.
    uint8_t luma_modes[16];
    uint8_t chroma_mode;
    uint8_t is_i16;
    uint8_t is_skipped;
} emb_macroblock;

// Bit costs with the default probabilities, in 1/256 bit. `level` is indexed by block type, band,
// context and absolute level, and includes the sign; `eob` and `no_eob` are the costs of the
// decision whether the block ends.
enum { COSTED_LEVELS = 68 };
typedef struct emb_costs {
    uint16_t level[4][8][3][COSTED_LEVELS];
    uint16_t eob[4][8][3];
    uint16_t no_eob[4][8][3];
    // The cost of a 4x4 mode, by the modes above and to the left.
    uint16_t i4_mode[I4_MODES][I4_MODES][I4_MODES];
    uint16_t i16_mode[4], chroma_mode[4], b_pred;
} emb_costs;

typedef struct emb_frame {
    // The size in pixels and in macroblocks.
    int width, height, mbs_wide, mbs_high;
    // The quantizer index of luma AC (y_ac_qi).
    int q_index;
    // The planes Y, U and V, before and after encoding.
    emb_plane source[3], reconstructed[3];
    // The quantizers of luma, of the Y2 block, and of chroma.
    emb_quantizer y1, y2, chroma;
    // The weight of 1/256 bit, in 1/65,536 of the SATD.
    int lambda_satd;
    const emb_costs *costs;
    emb_macroblock *macroblocks;
    // The contexts of section 13.3: whether the neighbours above each column and to the left have
    // non-zero levels (four luma, two U, two V blocks, and Y2), and their 4x4 modes.
    uint8_t (*nonzero_above)[9];
    uint8_t nonzero_left[9];
    uint8_t *modes_above;
    uint8_t modes_left[4];
} emb_frame;

static inline uint8_t clipped(int value) {
    return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value;
}

// The zigzag order as raster positions, and the bands of coefficient positions (section 13.3).
extern const uint8_t emb_webp_zigzag[16];
extern const uint8_t emb_webp_coeff_bands[16];

// Converts rows of RGBA to the source planes, extended to whole macroblocks.
void emb_webp_rgba_to_yuv(emb_frame *frame, const uint8_t *pixels);

// All ten predictions of a 4x4 block, interleaved: one vector per pixel, one lane per mode.
typedef int16_t emb_lanes __attribute__((vector_size(32), aligned(2)));
void emb_webp_predict_i4(const uint8_t edge[13], emb_lanes predictions[16]);
// Computes the SATD of all ten predictions.
void emb_webp_satd_i4(
    const emb_lanes predictions[16], const uint8_t *source, int stride, uint16_t satd[16]);

// Predicts a luma macroblock (`side` 16) or a chroma block (8). `x` and `y` are 0 where no
// neighbour exists.
void emb_webp_predict(
    const uint8_t *reconstructed, int stride, int side, int mode, int x, int y,
    uint8_t *prediction);
// Returns the SATD of a prediction.
uint32_t emb_webp_satd(const uint8_t *source, int stride, const uint8_t *prediction, int side);

// The transforms of section 14: the DCT of a residual and the Walsh-Hadamard transform of the Y2
// block. The inverse DCT adds the prediction.
void emb_webp_fdct(
    const uint8_t *source, int stride, const uint8_t *prediction, int prediction_stride,
    int16_t coefficients[16]);
void emb_webp_fwht(const int16_t dc[16], int16_t coefficients[16]);
void emb_webp_idct(
    const int16_t coefficients[16], const uint8_t *prediction, int prediction_stride,
    uint8_t *result, int stride);
void emb_webp_iwht(const int16_t coefficients[16], int16_t dc[16]);

// Returns by how many quantizer indices chroma DC is finer than luma AC (uv_dc_delta, negated).
int emb_webp_uv_dc_delta(int q_index);
void emb_webp_init_quantizers(emb_frame *frame);
// Quantizes a block with a trellis that minimises rate and distortion. `context` is the number of
// neighbours with non-zero levels. Replaces `coefficients` by the dequantized levels, adds to
// `score` and returns the end of the block.
int emb_webp_quantize(
    const emb_quantizer *quantizer, const emb_costs *costs, int type, int context,
    int16_t coefficients[16], int16_t levels[16], int64_t *score);

const emb_costs *emb_webp_default_costs(void);

// Chooses the modes and levels of a macroblock and reconstructs it.
void emb_webp_encode_macroblock(emb_frame *frame, int column, int row);

// Variants for AVX2, see avx2.c.
void emb_webp_encode_macroblock_avx2(emb_frame *frame, int column, int row);
void emb_webp_rgba_to_yuv_avx2(emb_frame *frame, const uint8_t *pixels);

// Writes the chunk; returns 0 if it does not fit.
size_t emb_webp_write_frame(const emb_frame *frame, uint8_t *output, size_t capacity);
