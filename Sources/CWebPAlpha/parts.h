#pragma once

// The parts of the reader of alpha, and what they hand each other. Sections are those of RFC 9649.
//
// Alpha is packed as the green of a picture whose red and blue are 0. So a pixel is a byte here,
// and other pictures are not read. Its opacity, the alpha of that picture, says nothing, but where
// colours are looked up in a cache, or predicted, it decides which ones these are: only there it is
// kept.

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// A stream as it is read, lowest bits first.
typedef struct emb_alpha_bits {
    const uint8_t *next, *end;
    uint64_t held;
    unsigned held_count;
    // Bytes past the end, taken for zeros.
    size_t missing;
} emb_alpha_bits;

enum {
    MOST_SIDE = 16384,
    LONGEST_CODE = 15,
    // Codes of so many bits are found at once.
    ROOT_BITS = 8,
    // Stands where a code's length would: the code is longer.
    IS_LONGER = 15,
    LENGTH_BITS = 4,
    GREENS = 256,
    LENGTHS = 24,
    DISTANCES = 40,
    MOST_CACHE_BITS = 11,
    MOST_SYMBOLS = GREENS + LENGTHS + (1 << MOST_CACHE_BITS),
    // Without red there are no more numbers.
    MOST_GROUPS = 256,
    // So many bytes of one value are taken at once.
    RUN = 8,
};

// How alpha is filtered (section 2.7.1.2).
enum { NO_FILTER, LEFT_FILTER, ABOVE_FILTER, GRADIENT_FILTER };

// A prefix code (section 3.7.2.1).
typedef struct emb_alpha_code {
    // By the next bits: a symbol above the length of its code.
    uint16_t root[1 << ROOT_BITS];
    // How many codes of each length there are, and their symbols in the order of their codes.
    uint16_t counts[LONGEST_CODE + 1];
    uint16_t *symbols;
} emb_alpha_code;

// The codes of a part of the picture.
typedef struct emb_alpha_group {
    emb_alpha_code greens, opacities, distances;
} emb_alpha_group;

// Colours met before (section 3.6.2.3): green below opacity.
typedef struct emb_alpha_cache {
    unsigned bits;
    uint16_t colors[1 << MOST_CACHE_BITS];
} emb_alpha_cache;

// A picture as it is read.
typedef struct emb_alpha_picture {
    int width, height;
    uint8_t *pixels;
    // Of each pixel; null where they decide nothing.
    uint8_t *opacities;
    int is_predicted;
    emb_alpha_cache cache;
    emb_alpha_group *groups;
    unsigned group_count;
    // The groups of squares of `1 << tile_bits`; null where there is one for all.
    uint8_t *tiles;
    unsigned tile_bits;
    int tiles_across;
} emb_alpha_picture;

// What is undone after the pixels are read (section 3.5).
typedef struct emb_alpha_transforms {
    // How to predict a pixel, for squares of `1 << tile_bits`; null where nothing is predicted.
    uint8_t *modes;
    unsigned tile_bits;
    // What is left of opacities then.
    uint8_t *opacities;
    // The green of each index; `palette_count` is 0 where there are none.
    uint8_t palette[256];
    unsigned palette_count;
    // A byte holds `1 << index_bits` indices.
    unsigned index_bits;
} emb_alpha_transforms;

// Makes sure that 56 bits are held, at most 63. Above them may stand bits of the byte that comes
// next, which are put there again with it: nobody may look at them.
static inline void emb_alpha_refill(emb_alpha_bits *bits) {
    if (bits->end - bits->next >= 8) {
        uint64_t more = 0;
        for (unsigned index = 0; index < 8; index++) {
            more |= (uint64_t)bits->next[index] << (8 * index);
        }
        bits->held |= more << bits->held_count;
        bits->next += (63 - bits->held_count) >> 3;
        bits->held_count |= 56;
        return;
    }
    for (; bits->held_count < 56; bits->held_count += 8) {
        if (bits->next < bits->end) {
            bits->held |= (uint64_t)*bits->next++ << bits->held_count;
        } else {
            bits->missing++;
        }
    }
}

// Of what is held.
static inline unsigned emb_alpha_take(emb_alpha_bits *bits, unsigned count) {
    unsigned value = (unsigned)(bits->held & ((1ULL << count) - 1));
    bits->held >>= count;
    bits->held_count -= count;
    return value;
}

static inline unsigned emb_alpha_number(emb_alpha_bits *bits, unsigned count) {
    emb_alpha_refill(bits);
    return emb_alpha_take(bits, count);
}

// Whether more was read than there is.
static inline int emb_alpha_is_over(const emb_alpha_bits *bits) {
    return bits->missing * 8 > bits->held_count;
}

// How long the code is of each symbol below `count`, which come next in the stream: 0 for those
// without one. Returns 0 where that is not in order.
int emb_alpha_read_lengths(emb_alpha_bits *bits, unsigned count, uint8_t *lengths);

// The code of symbols with these lengths; `symbols` holds them all. Returns 0 if it is none.
int emb_alpha_make_code(
    const uint8_t *lengths, unsigned count, uint16_t *symbols, emb_alpha_code *code);

unsigned emb_alpha_find_longer(emb_alpha_bits *bits, const emb_alpha_code *code);

// A symbol; at least 15 bits are held.
static inline unsigned emb_alpha_find(emb_alpha_bits *bits, const emb_alpha_code *code) {
    unsigned entry = code->root[bits->held & ((1 << ROOT_BITS) - 1)];
    unsigned length = entry & ((1 << LENGTH_BITS) - 1);
    if (length == IS_LONGER) {
        return emb_alpha_find_longer(bits, code);
    }
    emb_alpha_take(bits, length);
    return entry >> LENGTH_BITS;
}

// The pixels of a picture of which all else was read; 0 where something is not in order.
int emb_alpha_read_pixels(emb_alpha_picture *picture, emb_alpha_bits *bits);

static inline int emb_alpha_are_all(const uint8_t *bytes, uint8_t value, size_t count) {
    return count == 0 || (bytes[0] == value && memcmp(bytes, bytes + 1, count - 1) == 0);
}

// Into how many squares of `1 << bits` a side goes.
static inline int emb_alpha_squares(int side, unsigned bits) {
    return (side + (1 << bits) - 1) >> bits;
}

// Reads a picture and what it is to be undone by. Returns 0 where something is not in order, is not
// as it is with alpha, or memory is short.
int emb_alpha_read_picture(
    emb_alpha_bits *bits, int width, int height, uint8_t *pixels, emb_alpha_transforms *transforms);

// Undoes what a picture says it was changed by. Returns 0 where opacity is not the same everywhere,
// which would decide what is predicted.
int emb_alpha_undo(const emb_alpha_transforms *transforms, int width, int height, uint8_t *pixels);

// Adds to each value the one to its left, from `start` to before `end`. Most are 0.
void emb_alpha_add_left(uint8_t *row, size_t start, size_t end);

// Undoes the filter of a plane; 0 where memory is short.
int emb_alpha_unfilter(unsigned filter, int width, int height, uint8_t *plane);
