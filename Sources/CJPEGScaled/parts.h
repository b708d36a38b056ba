#pragma once

#include "bits.h"

// What a reduced inverse transform needs of a block of 64 waves.
typedef struct emb_jpeg_needs {
    // Pixels along each side of a block: 1, 2 or 4.
    int side;
    // A bit for each wave that counts, by its zigzag index.
    uint64_t mask;
    // Where each of them is kept; -1 for the others.
    int8_t slot[64];
    // Numbers that are kept for a block, and the last zigzag index among them.
    int slots;
    int last;
} emb_jpeg_needs;

// One component of a picture.
typedef struct emb_jpeg_part {
    // Blocks in an interleaved unit.
    int across, down;
    // Blocks that hold pixels, and with those that fill up the last units.
    int own_wide, own_high, wide, high;
    const emb_jpeg_needs *needs;
    // The quantisation table, by slot.
    int32_t factors[64];
    int id, dc_code, ac_code;
    int last_dc;
    // Of a picture in several scans: the numbers kept of each block, the coefficients that are not
    // zero, and how far each is refined (-1: not seen).
    int16_t *values;
    uint64_t *present;
    int8_t precision[64];
    // The pixels of one row of units.
    uint8_t *plane;
    size_t stride;
} emb_jpeg_part;

// One scan: which components, which zigzag indices, which bits.
typedef struct emb_jpeg_scan {
    int count;
    emb_jpeg_part *parts[3];
    int first, last, high, low;
    // Blocks still to come that end before they begin.
    unsigned ends;
} emb_jpeg_scan;

// A picture on its way from entropy code to pixels.
typedef struct emb_jpeg_picture {
    emb_jpeg_part parts[3];
    int count;
    int eighths;
    // Interleaved units, and the blocks of the largest component in one.
    int units_wide, units_high, across, down;
    int width, height;
    int is_progressive;
    int restart_interval;
    // Scans that nobody needs are stepped over unread; then the end marker must follow.
    int may_step_over, has_stepped_over;
    // Tables as they stand in the file, and those made ready of them.
    uint8_t bits[2][4][17];
    uint8_t symbols[2][4][256];
    emb_jpeg_code codes[2][4];
    uint8_t has_code[2][4];
    const uint8_t *at;
    const uint8_t *end;
    // Rows of the components stretched to the width of the picture.
    uint8_t *stretched[2];
} emb_jpeg_picture;

extern const emb_jpeg_needs emb_jpeg_needs_of_1, emb_jpeg_needs_of_2, emb_jpeg_needs_of_4;

// Writes side * side pixels of a block whose coefficients `present` are not zero.
void emb_jpeg_inverse(
    const emb_jpeg_part *part, const int16_t *values, uint64_t present, uint8_t *pixels);

// Each of these takes blocks off the bits; 0 where the code is broken.

// One block of a picture in one scan.
int emb_jpeg_take_whole(
    const emb_jpeg_picture *picture, emb_jpeg_part *part, emb_jpeg_bits *bits, int16_t *values,
    uint64_t *present);
// The mean of one block, or one more bit of it.
int emb_jpeg_take_mean(
    const emb_jpeg_picture *picture, const emb_jpeg_scan *scan, emb_jpeg_part *part,
    emb_jpeg_bits *bits, int16_t *values);
// The other coefficients of `count` neighbouring blocks for the first time, or one more bit of
// them.
int emb_jpeg_take_first(
    const emb_jpeg_code *code, emb_jpeg_scan *scan, emb_jpeg_bits *bits, int count, int16_t *values,
    uint64_t *present);
int emb_jpeg_take_more(
    const emb_jpeg_code *code, emb_jpeg_scan *scan, emb_jpeg_bits *bits, int count, int16_t *values,
    uint64_t *present);

// Whether a unit of the scan has no more blocks than T.81 B.2.3 allows several components: ten.
int emb_jpeg_scan_fits(const emb_jpeg_scan *scan);

// Where a restart marker is due: steps over the one with this number; 0 where there
// is another thing.
int emb_jpeg_restart(emb_jpeg_picture *picture, emb_jpeg_bits *bits, int number);

// Reads all scans of a progressive picture; 0 where anything is out of the ordinary.
int emb_jpeg_read_passes(emb_jpeg_picture *picture, emb_jpeg_scan *first, int scans_limit);

// Writes the rows of one row of units as RGBA.
void emb_jpeg_write_rows(const emb_jpeg_picture *picture, int unit_row, uint8_t *pixels);
