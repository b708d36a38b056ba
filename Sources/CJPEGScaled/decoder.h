#pragma once

#include "huffman.h"

// The internal interface of the decoder, in the terms of ITU-T T.81. Coefficients are numbered by
// their position k in zigzag order (figure A.6).

// The size of a reduced inverse DCT, and the coefficients that it needs.
typedef struct emb_jpeg_dct {
    // The pixels along each side of a block: 1, 2 or 4.
    int side;
    // A bit for each needed coefficient.
    uint64_t needed;
    // The storage slot of each coefficient, or -1.
    int8_t slot[64];
    // The number of slots, and the last coefficient that is needed.
    int slot_count;
    int last_needed;
} emb_jpeg_dct;

// A component (A.1.1), with its sampling factors Hi and Vi.
typedef struct emb_jpeg_component {
    int h, v;
    // The size in blocks. `blocks_` counts the blocks that hold samples, which a scan of this
    // component alone codes. `padded_` includes the padding to whole MCUs.
    int blocks_wide, blocks_high, padded_wide, padded_high;
    const emb_jpeg_dct *dct;
    // The quantization table, by slot.
    int32_t quantization[64];
    // The component identifier, and the Huffman tables that the current scan selects (Td and Ta).
    int id, dc_table, ac_table;
    // The DC value of the previous block, from which the next one differs (PRED).
    int dc_prediction;
    // For progressive pictures: the needed coefficients of all blocks, a bit for each non-zero
    // coefficient of a block, and the Al of the last scan of each coefficient (-1: none).
    int16_t *coefficients;
    uint64_t *nonzero;
    int8_t al_reached[64];
    // The samples of one row of MCUs.
    uint8_t *samples;
    size_t stride;
} emb_jpeg_component;

// A scan: its components, spectral selection (Ss, Se) and successive approximation (Ah, Al).
typedef struct emb_jpeg_scan {
    int component_count;
    emb_jpeg_component *components[3];
    int ss, se, ah, al;
    // The remaining blocks of the current EOB run (EOBRUN).
    unsigned eob_run;
} emb_jpeg_scan;

typedef struct emb_jpeg_decoder {
    emb_jpeg_component components[3];
    int component_count;
    // The scale of the result in eighths: 1 or 2.
    int eighths;
    // The size in MCUs, and the largest sampling factors.
    int mcus_wide, mcus_high, h_max, v_max;
    // The size of the result in pixels.
    int width, height;
    int is_progressive;
    int restart_interval;
    // Whether scans without needed coefficients may be skipped, and whether any was. After a
    // skipped scan, the picture must end with EOI.
    int may_skip_scans, has_skipped_scan;
    // The Huffman tables by class (0 DC, 1 AC) and destination: BITS and HUFFVAL of the DHT
    // segments, the tables prepared for decoding, and whether a segment has defined each table.
    uint8_t bits[2][4][17];
    uint8_t huffval[2][4][256];
    emb_jpeg_huffman tables[2][4];
    uint8_t has_table[2][4];
    // The data that was not read yet.
    const uint8_t *next;
    const uint8_t *end;
    // A row of each chroma component, upsampled to the width of the picture.
    uint8_t *upsampled[2];
} emb_jpeg_decoder;

extern const emb_jpeg_dct emb_jpeg_dct_1x1, emb_jpeg_dct_2x2, emb_jpeg_dct_4x4;

// Dequantizes a block and writes its side * side samples. `nonzero` has a bit for each non-zero
// coefficient.
void emb_jpeg_idct(
    const emb_jpeg_component *component, const int16_t *coefficients, uint64_t nonzero,
    uint8_t *samples);

// The functions below decode blocks; they return 0 if the data is damaged.

// Decodes the DC and AC coefficients of a block of a sequential scan (F.2.2).
int emb_jpeg_decode_block(
    const emb_jpeg_decoder *decoder, emb_jpeg_component *component, emb_jpeg_reader *reader,
    int16_t *coefficients, uint64_t *nonzero);
// Decodes the DC coefficient of a block in a progressive scan: its first bits, or one more bit
// (G.1.2.1).
int emb_jpeg_decode_dc(
    const emb_jpeg_decoder *decoder, const emb_jpeg_scan *scan, emb_jpeg_component *component,
    emb_jpeg_reader *reader, int16_t *coefficients);
// Decode AC coefficients of `count` neighbouring blocks: their first bits (G.1.2.2), or one more
// bit of each (G.1.2.3).
int emb_jpeg_decode_ac_first(
    const emb_jpeg_huffman *table, emb_jpeg_scan *scan, emb_jpeg_reader *reader, int count,
    int16_t *coefficients, uint64_t *nonzero);
int emb_jpeg_decode_ac_refine(
    const emb_jpeg_huffman *table, emb_jpeg_scan *scan, emb_jpeg_reader *reader, int count,
    int16_t *coefficients, uint64_t *nonzero);

// Returns whether an MCU of the scan has at most ten blocks, the limit for interleaved scans
// (B.2.3).
int emb_jpeg_mcu_is_valid(const emb_jpeg_scan *scan);

// Reads the marker RSTm, where m is `number` modulo 8, and resets the decoder. Returns 0 if another
// marker follows.
int emb_jpeg_read_restart(emb_jpeg_decoder *decoder, emb_jpeg_reader *reader, int number);

// Reads all scans of a progressive picture. Returns 0 if a scan is damaged or not supported.
int emb_jpeg_read_progressive(emb_jpeg_decoder *decoder, emb_jpeg_scan *first, int scans_limit);

// Converts the samples of one row of MCUs to RGBA and writes them to the picture `pixels`.
void emb_jpeg_write_mcu_row(const emb_jpeg_decoder *decoder, int mcu_row, uint8_t *pixels);
