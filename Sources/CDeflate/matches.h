#pragma once

#include "parts.h"

// The match finder. Hash tables hold the low 16 bits of positions: the last one with the same four
// bytes, and chains of those with the same eight. A choice among short matches saves little, and in
// rows of pictures long matches are few.
//
// An entry may be outdated or unset (position 0), so the bytes are always compared.

enum {
    FOUR_BITS = 14,
    EIGHT_BITS = 15,
    // The length at which a match is accepted without further search.
    GOOD_LENGTH = 96,
};

typedef struct emb_past {
    const uint8_t *source;
    size_t count;
    uint16_t fours[1 << FOUR_BITS];
    uint16_t eights[1 << EIGHT_BITS];
    // The previous position with the same eight bytes, indexed by a position's low bits.
    uint16_t earlier[WINDOW];
} emb_past;

typedef struct emb_match {
    unsigned length;
    unsigned distance;
} emb_match;

static inline uint32_t emb_four_slot(uint64_t bytes) {
    return (uint32_t)bytes * 0x9E3779B1U >> (32 - FOUR_BITS);
}

static inline uint32_t emb_eight_slot(uint64_t bytes) {
    return (uint32_t)(bytes * 0x9E3779B97F4A7C15U >> (64 - EIGHT_BITS));
}

// Inserts a position into the tables.
static inline void emb_note(emb_past *past, size_t place) {
    uint64_t bytes = emb_load_8(past->source + place);
    uint16_t *eight = past->eights + emb_eight_slot(bytes);
    past->earlier[place % WINDOW] = *eight;
    *eight = (uint16_t)place;
    past->fours[emb_four_slot(bytes)] = (uint16_t)place;
}

// Returns the number of equal bytes, at most `most`.
static inline unsigned emb_same(const uint8_t *one, const uint8_t *other, unsigned most) {
    unsigned same = 0;
    for (; same + 8 <= most; same += 8) {
        uint64_t difference = emb_load_8(one + same) ^ emb_load_8(other + same);
        if (difference != 0) {
            return same + ((unsigned)__builtin_ctzll(difference) >> 3);
        }
    }
    while (same < most && one[same] == other[same]) {
        same++;
    }
    return same;
}

// Inserts a position and returns its longest match: from the last position with the same four bytes
// and up to `places` positions with the same eight, or the first match of GOOD_LENGTH. The distance
// is 0 if no match is longer than `beaten`. The position must be at least eight bytes before the
// end. Inlined, because `places` is a constant for each caller.
static inline __attribute__((always_inline)) emb_match emb_find(
    emb_past *past, size_t place, unsigned beaten, unsigned places) {
    emb_match best = {beaten, 0};
    const uint8_t *here = past->source + place;
    unsigned most = past->count - place < LONGEST_MATCH ? (unsigned)(past->count - place)
                                                        : LONGEST_MATCH;
    size_t farthest = place < WINDOW ? place : WINDOW;
    uint64_t bytes = emb_load_8(here);
    uint16_t *four = past->fours + emb_four_slot(bytes);
    uint16_t *eight = past->eights + emb_eight_slot(bytes);

    unsigned distance = (uint16_t)(place - *four);
    if (beaten < 8 && distance - 1 < farthest && emb_load_4(here - distance) == (uint32_t)bytes) {
        unsigned length = emb_same(here, here - distance, most);
        if (length > best.length) {
            best = (emb_match){length, distance};
        }
    }
    *four = (uint16_t)place;

    unsigned last = 0;
    uint16_t candidate = *eight;
    past->earlier[place % WINDOW] = candidate;
    *eight = (uint16_t)place;
    for (; places > 0 && best.length < most; places--) {
        distance = (uint16_t)(place - candidate);
        if (distance <= last || distance > farthest) {
            break;
        }
        unsigned end = best.length < 8 ? 0 : best.length - 7;
        if (emb_load_8(here + end) == emb_load_8(here + end - distance)) {
            unsigned length = emb_same(here, here - distance, most);
            if (length > best.length) {
                best = (emb_match){length, distance};
                if (length >= GOOD_LENGTH) {
                    break;
                }
            }
        }
        last = distance;
        candidate = past->earlier[candidate % WINDOW];
    }
    return best;
}
