#pragma once

// The internal interface of the compressor. Section numbers refer to RFC 1951.

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    SHORTEST_MATCH = 4,
    LONGEST_MATCH = 258,
    WINDOW = 32768,
    END_OF_BLOCK = 256,
    FIRST_LENGTH = 257,
    LITERAL_CODES = 286,
    DISTANCE_CODES = 30,
    MOST_CODES = LITERAL_CODES,
    LONGEST_CODE = 15,
};

// A run of literals and the match after it.
typedef struct emb_sequence {
    uint32_t literals;
    uint16_t length;
    uint16_t distance;
} emb_sequence;

// The number of uses of each symbol.
typedef struct emb_counts {
    uint32_t literals[LITERAL_CODES];
    uint32_t distances[DISTANCE_CODES];
} emb_counts;

// The content of a block: sequences from `start` on, then literals up to `end`.
typedef struct emb_block {
    const emb_sequence *sequences;
    size_t sequence_count;
    const uint8_t *start;
    const uint8_t *end;
} emb_block;

// The output stream; bits are filled from the lowest.
typedef struct emb_bits {
    uint8_t *next;
    uint64_t held;
    unsigned held_count;
} emb_bits;

// Computes code lengths of at most `longest` bits, 0 for unused symbols. The result is a complete
// prefix code of at least two symbols.
void emb_code_lengths(const uint32_t *counts, unsigned count, unsigned longest, uint8_t *lengths);

// Assigns codes to lengths (section 3.2.2), bit-reversed for output.
void emb_codes(const uint8_t *lengths, unsigned count, uint16_t *codes);

// Counts the symbols of sequences over the bytes from `start` on, and returns their end.
const uint8_t *emb_count(
    emb_counts *counts, const emb_sequence *sequences, size_t count, const uint8_t *start);

void emb_add_counts(emb_counts *counts, const emb_counts *others);

// Returns the entropy of the symbols in bits, without block header and extra bits.
uint64_t emb_guessed_bits(const emb_counts *counts);

// Writes a block in the shortest of the three forms. `counts` holds the uses of its symbols.
void emb_write_block(emb_bits *bits, const emb_block *block, const emb_counts *counts, int is_last);

// The length codes of section 3.2.5.
static inline unsigned emb_length_symbol(unsigned length) {
    unsigned above = length - 3;
    if (above < 8) {
        return above;
    }
    if (length == LONGEST_MATCH) {
        return 28;
    }
    unsigned power = 31 - (unsigned)__builtin_clz(above);
    return 4 * (power - 1) + (above >> (power - 2) & 3);
}

static inline unsigned emb_length_bits(unsigned symbol) {
    return symbol < 8 || symbol == 28 ? 0 : symbol / 4 - 1;
}

static inline unsigned emb_distance_symbol(unsigned distance) {
    unsigned above = distance - 1;
    if (above < 4) {
        return above;
    }
    unsigned power = 31 - (unsigned)__builtin_clz(above);
    return 2 * power + (above >> (power - 1) & 1);
}

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
