#pragma once

#include "compressor.h"

// Finds earlier occurrences of bytes within the window (section 4). Hash tables hold the low 16
// bits of positions: the last position with the same four bytes, and chains of all positions with
// the same eight bytes. One position is enough for four bytes, because choosing among short matches
// saves little. Rows of pictures have few long matches, so the chains are short.
//
// An entry may be outdated or unset (position 0), so the bytes are always compared.

enum {
    HASH_4_BITS = 14,
    HASH_8_BITS = 15,
    // The length at which a match is accepted without further search.
    NICE_LENGTH = 96,
};

typedef struct emb_match_finder {
    const uint8_t *source;
    size_t count;
    // The last position by the hash of its next four or eight bytes.
    uint16_t head_4[1 << HASH_4_BITS];
    uint16_t head_8[1 << HASH_8_BITS];
    // The hash chains: for each position, by its low 15 bits, the previous position with the same
    // hash of eight bytes.
    uint16_t previous[WINDOW_SIZE];
} emb_match_finder;

typedef struct emb_match {
    unsigned length;
    unsigned distance;
} emb_match;

static inline uint32_t emb_hash_4(uint64_t bytes) {
    return (uint32_t)bytes * 0x9E3779B1U >> (32 - HASH_4_BITS);
}

static inline uint32_t emb_hash_8(uint64_t bytes) {
    return (uint32_t)(bytes * 0x9E3779B97F4A7C15U >> (64 - HASH_8_BITS));
}

// Inserts a position into the tables.
static inline void emb_insert(emb_match_finder *finder, size_t position) {
    uint64_t bytes = emb_load_8(finder->source + position);
    uint16_t *slot_8 = finder->head_8 + emb_hash_8(bytes);
    finder->previous[position % WINDOW_SIZE] = *slot_8;
    *slot_8 = (uint16_t)position;
    finder->head_4[emb_hash_4(bytes)] = (uint16_t)position;
}

// Returns the number of equal bytes at the start of `one` and `other`, at most `limit`.
static inline unsigned emb_common_length(const uint8_t *one, const uint8_t *other, unsigned limit) {
    unsigned same = 0;
    for (; same + 8 <= limit; same += 8) {
        uint64_t difference = emb_load_8(one + same) ^ emb_load_8(other + same);
        if (difference != 0) {
            return same + ((unsigned)__builtin_ctzll(difference) >> 3);
        }
    }
    while (same < limit && one[same] == other[same]) {
        same++;
    }
    return same;
}

// Inserts a position and returns its longest match: from the last position with the same four bytes
// and up to `candidates` positions with the same eight bytes. A match of NICE_LENGTH bytes or more
// ends the search. The distance is 0 if no match is longer than `length_to_beat`. The position must
// be at least eight bytes before the end. Inlined, because `candidates` is a constant for each
// caller.
static inline __attribute__((always_inline)) emb_match emb_find_match(
    emb_match_finder *finder, size_t position, unsigned length_to_beat, unsigned candidates) {
    emb_match best = {length_to_beat, 0};
    const uint8_t *here = finder->source + position;
    unsigned max_length = finder->count - position < MAX_MATCH
        ? (unsigned)(finder->count - position)
        : MAX_MATCH;
    size_t max_distance = position < WINDOW_SIZE ? position : WINDOW_SIZE;
    uint64_t bytes = emb_load_8(here);
    uint16_t *slot_4 = finder->head_4 + emb_hash_4(bytes);
    uint16_t *slot_8 = finder->head_8 + emb_hash_8(bytes);

    unsigned distance = (uint16_t)(position - *slot_4);
    if (length_to_beat < 8 && distance - 1 < max_distance &&
        emb_load_4(here - distance) == (uint32_t)bytes) {
        unsigned length = emb_common_length(here, here - distance, max_length);
        if (length > best.length) {
            best = (emb_match){length, distance};
        }
    }
    *slot_4 = (uint16_t)position;

    unsigned last = 0;
    uint16_t candidate = *slot_8;
    finder->previous[position % WINDOW_SIZE] = candidate;
    *slot_8 = (uint16_t)position;
    for (; candidates > 0 && best.length < max_length; candidates--) {
        distance = (uint16_t)(position - candidate);
        if (distance <= last || distance > max_distance) {
            break;
        }
        unsigned end = best.length < 8 ? 0 : best.length - 7;
        if (emb_load_8(here + end) == emb_load_8(here + end - distance)) {
            unsigned length = emb_common_length(here, here - distance, max_length);
            if (length > best.length) {
                best = (emb_match){length, distance};
                if (length >= NICE_LENGTH) {
                    break;
                }
            }
        }
        last = distance;
        candidate = finder->previous[candidate % WINDOW_SIZE];
    }
    return best;
}
