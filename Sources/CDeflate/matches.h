#pragma once

#include "parts.h"

// Finds what was seen before. Tables hold the low bits of places: of the last one with the same
// four bytes, and of all with the same eight. To choose among short matches gains little; of long
// ones, which hold nine of ten bytes in rows of pictures, there are few to choose from.
//
// An entry may be out of date, or stand for place 0 since it was never written: what counts are the
// bytes at its place.

enum {
    FOUR_BITS = 14,
    EIGHT_BITS = 15,
    // A match of this length is taken as it is.
    GOOD_LENGTH = 96,
};

typedef struct emb_past {
    const uint8_t *source;
    size_t count;
    uint16_t fours[1 << FOUR_BITS];
    uint16_t eights[1 << EIGHT_BITS];
    // The place before with the same eight bytes, by the low bits of a place.
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

// Notes that the eight bytes at a place were seen.
static inline void emb_note(emb_past *past, size_t place) {
    uint64_t bytes = emb_load_8(past->source + place);
    uint16_t *eight = past->eights + emb_eight_slot(bytes);
    past->earlier[place % WINDOW] = *eight;
    *eight = (uint16_t)place;
    past->fours[emb_four_slot(bytes)] = (uint16_t)place;
}

// How many bytes are the same, at most `most`.
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

// The longest match for a place, eight bytes before the end at the latest: with the last place of
// the same four bytes, or one of so many `places` with the same eight, up to the first good one.
// Its distance is 0 if none is longer than `beaten`. Notes the place. Inlined, since `places` is a
// number that the compiler knows wherever this is called.
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
