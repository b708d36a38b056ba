#pragma once

// The parts of the compressor, and what they hand each other. Numbers of sections are those of
// RFC 1951.

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

// Literals, and the match after them.
typedef struct emb_sequence {
    uint32_t literals;
    uint16_t length;
    uint16_t distance;
} emb_sequence;

// How often each symbol is used.
typedef struct emb_counts {
    uint32_t literals[LITERAL_CODES];
    uint32_t distances[DISTANCE_CODES];
} emb_counts;

// What a block says: sequences over the bytes from `start` on, and literals up to `end`.
typedef struct emb_block {
    const emb_sequence *sequences;
    size_t sequence_count;
    const uint8_t *start;
    const uint8_t *end;
} emb_block;

// A stream as it is written, lowest bits first.
typedef struct emb_bits {
    uint8_t *next;
    uint64_t held;
    unsigned held_count;
} emb_bits;

// The length of a code of each symbol, 0 for what is not used, at most `longest`: a complete
// prefix code of two symbols at least.
void emb_code_lengths(const uint32_t *counts, unsigned count, unsigned longest, uint8_t *lengths);

// The codes of these lengths as section 3.2.2 deals them out, first bit lowest.
void emb_codes(const uint8_t *lengths, unsigned count, uint16_t *codes);

// Adds what sequences over the bytes from `start` on use, and returns where they end.
const uint8_t *emb_count(
    emb_counts *counts, const emb_sequence *sequences, size_t count, const uint8_t *start);

void emb_add_counts(emb_counts *counts, const emb_counts *others);

// What a block of these symbols takes, without its codes and what follows a code.
uint64_t emb_guessed_bits(const emb_counts *counts);

// Writes a block in the shortest of the three forms. `counts` says how often its symbols are
// used.
void emb_write_block(emb_bits *bits, const emb_block *block, const emb_counts *counts, int is_last);

// Section 3.2.5.
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
