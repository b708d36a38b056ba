#pragma once

// The internal interface of the compressor. Section numbers refer to RFC 1951. "litlen" is the
// alphabet of literals and match lengths.

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    // The format also has matches of three bytes, which this compressor does not use.
    MIN_MATCH = 4,
    MAX_MATCH = 258,
    // The maximum distance of a match.
    WINDOW_SIZE = 32768,
    // The symbols of the literal/length alphabet after the 256 literals (section 3.2.5).
    END_OF_BLOCK = 256,
    FIRST_LENGTH_SYMBOL = 257,
    LITLEN_SYMBOLS = 286,
    DISTANCE_SYMBOLS = 30,
    MAX_SYMBOLS = LITLEN_SYMBOLS,
    MAX_CODE_LENGTH = 15,
};

// A run of literals and the match after it.
typedef struct emb_sequence {
    uint32_t literals;
    uint16_t length;
    uint16_t distance;
} emb_sequence;

// The number of uses of each symbol.
typedef struct emb_counts {
    uint32_t litlen[LITLEN_SYMBOLS];
    uint32_t distance[DISTANCE_SYMBOLS];
} emb_counts;

// The content of a block: sequences from `start` on, then literals up to `end`.
typedef struct emb_block {
    const emb_sequence *sequences;
    size_t sequence_count;
    const uint8_t *start;
    const uint8_t *end;
} emb_block;

// The output stream; bits are filled from the lowest (section 3.1.1).
typedef struct emb_bit_writer {
    uint8_t *next;
    uint64_t buffer;
    unsigned bit_count;
} emb_bit_writer;

// Computes code lengths of at most `limit` bits, 0 for unused symbols. The result is a complete
// prefix code of at least two symbols.
void emb_huffman_lengths(const uint32_t *counts, unsigned count, unsigned limit, uint8_t *lengths);

// Assigns codes to lengths (section 3.2.2), bit-reversed for output.
void emb_huffman_codes(const uint8_t *lengths, unsigned count, uint16_t *codes);

// Counts the symbols of `sequences`, which cover the bytes from `start` on. Returns the end of
// these bytes.
const uint8_t *emb_count_symbols(
    emb_counts *counts, const emb_sequence *sequences, size_t count, const uint8_t *start);

void emb_add_counts(emb_counts *counts, const emb_counts *others);

// Returns the entropy of the symbols in bits, without block header and extra bits.
uint64_t emb_estimated_bits(const emb_counts *counts);

// Writes a block in the shortest of the three forms (section 3.2.3). `counts` holds the number of
// uses of each symbol of the block.
void emb_write_block(
    emb_bit_writer *writer, const emb_block *block, const emb_counts *counts, int is_last);

// Returns the symbol of a match length (section 3.2.5), relative to FIRST_LENGTH_SYMBOL.
static inline unsigned emb_length_symbol(unsigned length) {
    unsigned above = length - 3;
    if (above < 8) {
        return above;
    }
    if (length == MAX_MATCH) {
        return 28;
    }
    unsigned power = 31 - (unsigned)__builtin_clz(above);
    return 4 * (power - 1) + (above >> (power - 2) & 3);
}

// Returns the number of extra bits of a symbol that `emb_length_symbol` returned.
static inline unsigned emb_length_bits(unsigned symbol) {
    return symbol < 8 || symbol == 28 ? 0 : symbol / 4 - 1;
}

// Returns the symbol of a distance (section 3.2.5).
static inline unsigned emb_distance_symbol(unsigned distance) {
    unsigned above = distance - 1;
    if (above < 4) {
        return above;
    }
    unsigned power = 31 - (unsigned)__builtin_clz(above);
    return 2 * power + (above >> (power - 1) & 1);
}

// Returns the number of extra bits of a symbol that `emb_distance_symbol` returned.
static inline unsigned emb_distance_bits(unsigned symbol) {
    return symbol < 4 ? 0 : symbol / 2 - 1;
}

static inline uint32_t emb_load_4(const uint8_t *bytes) {
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap32(value);
#endif
    return value;
}

static inline uint64_t emb_load_8(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}
