#pragma once

#include "bits.h"

// The coefficients that a reduced inverse DCT needs from a block.
typedef struct emb_jpeg_needs {
    // The pixels along each side of a block: 1, 2 or 4.
    int side;
    // A bit for each needed coefficient, by zigzag index.
    uint64_t mask;
    // The storage slot of each coefficient by zigzag index, or -1.
    int8_t slot[64];
    // The number of slots, and the last zigzag index that is needed.
    int slots;
    int last;
} emb_jpeg_needs;

typedef struct emb_jpeg_part {
    // The sampling factors: blocks of the component per MCU.
    int across, down;
    // The blocks that hold samples, and the blocks including the padding of the last MCUs.
    int own_wide, own_high, wide, high;
    const emb_jpeg_needs *needs;
    // The quantization table, by slot.
    int32_t factors[64];
    int id, dc_code, ac_code;
    int last_dc;
    // For progressive pictures: the kept coefficients and the non-zero mask of each block, and the
    // point transform reached by each coefficient (-1: not seen).
    int16_t *values;
    uint64_t *present;
    int8_t precision[64];
    // The samples of one row of MCUs.
    uint8_t *plane;
    size_t stride;
} emb_jpeg_part;

// One scan: components, spectral selection (Ss, Se) and successive approximation (Ah, Al).
typedef struct emb_jpeg_scan {
    int count;
    emb_jpeg_part *parts[3];
    int first, last, high, low;
    // The remaining blocks of the current EOB run.
    unsigned ends;
} emb_jpeg_scan;

// A picture that is being decoded.
typedef struct emb_jpeg_picture {
    emb_jpeg_part parts[3];
    int count;
    int eighths;
    // The MCUs per row and column, and the blocks of the largest component in an MCU.
    int units_wide, units_high, across, down;
    int width, height;
    int is_progressive;
    int restart_interval;
    // Whether unneeded scans may be skipped, and whether any was; the picture must then end with
    // EOI.
    int may_step_over, has_stepped_over;
    // The Huffman tables of the file, and those prepared for decoding.
    uint8_t bits[2][4][17];
    uint8_t symbols[2][4][256];
    emb_jpeg_code codes[2][4];
    uint8_t has_code[2][4];
    const uint8_t *at;
    const uint8_t *end;
    // Rows of the chroma components stretched to the width of the picture.
    uint8_t *stretched[2];
} emb_jpeg_picture;

extern const emb_jpeg_needs emb_jpeg_needs_of_1, emb_jpeg_needs_of_2, emb_jpeg_needs_of_4;

// Writes the side * side pixels of a block; `present` marks its non-zero coefficients.
void emb_jpeg_inverse(
    const emb_jpeg_part *part, const int16_t *values, uint64_t present, uint8_t *pixels);

// The functions below decode blocks; they return 0 if the data is damaged.

// Decodes a block of a sequential scan.
int emb_jpeg_take_whole(
    const emb_jpeg_picture *picture, emb_jpeg_part *part, emb_jpeg_bits *bits, int16_t *values,
    uint64_t *present);
// Decodes the DC coefficient of a block: its first bits, or a refinement bit.
int emb_jpeg_take_mean(
    const emb_jpeg_picture *picture, const emb_jpeg_scan *scan, emb_jpeg_part *part,
    emb_jpeg_bits *bits, int16_t *values);
// Decode the AC coefficients of `count` neighbouring blocks: their first bits, or a refinement bit.
int emb_jpeg_take_first(
    const emb_jpeg_code *code, emb_jpeg_scan *scan, emb_jpeg_bits *bits, int count, int16_t *values,
    uint64_t *present);
int emb_jpeg_take_more(
    const emb_jpeg_code *code, emb_jpeg_scan *scan, emb_jpeg_bits *bits, int count, int16_t *values,
    uint64_t *present);

// Returns whether an MCU of the scan has at most ten blocks, the limit for interleaved scans (T.81
// B.2.3).
int emb_jpeg_scan_fits(const emb_jpeg_scan *scan);

// Reads the marker RST`number` and resets the decoder; returns 0 if another marker follows.
int emb_jpeg_restart(emb_jpeg_picture *picture, emb_jpeg_bits *bits, int number);

// Reads all scans of a progressive picture; returns 0 if any is unusual.
int emb_jpeg_read_passes(emb_jpeg_picture *picture, emb_jpeg_scan *first, int scans_limit);

// Writes the rows of one row of MCUs as RGBA.
void emb_jpeg_write_rows(const emb_jpeg_picture *picture, int unit_row, uint8_t *pixels);
