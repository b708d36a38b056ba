#pragma once

// The trees by which RFC 6386 writes modes and tokens (sections 8.1, 11.2 and 13.2), and the walks
// over them.

#include "pack.h"

// Pairs of entries. One above zero is the index of the next pair; any other is a leaf, whose value
// is its negative. The pair at index 2n is decided by the likelihood with number n.
typedef int8_t emb_tree;

// The way from the root to a leaf: which likelihood decides at each step, and which entry of the
// pair is taken, the first step in the lowest bit.
enum { WAY_LIMIT = 7 };
typedef struct emb_way {
    uint8_t nodes[WAY_LIMIT];
    uint8_t steps;
    uint8_t bits;
} emb_way;

// The tokens of coefficients: sizes up to four, categories of larger ones, and the end of a block.
enum {
    DCT_0,
    DCT_1,
    DCT_2,
    DCT_3,
    DCT_4,
    DCT_CAT1,
    DCT_CAT2,
    DCT_CAT3,
    DCT_CAT4,
    DCT_CAT5,
    DCT_CAT6,
    DCT_EOB,
    DCT_TOKENS,
};

// A category: its smallest size, and how likely the bits of what is above that are zero.
typedef struct emb_category {
    uint8_t least;
    uint8_t bits;
    uint8_t likely[11];
} emb_category;

// From `DCT_CAT1` on.
extern const emb_category emb_webp_categories[6];

// Every leaf's way, by its value.
typedef struct emb_ways {
    emb_way token[DCT_TOKENS];
    emb_way small[SMALL_MODES];
    emb_way whole[SMALL_MODES + 1];
    emb_way chroma[SMALL_MODES];
} emb_ways;

// Found when it is first asked for.
const emb_ways *emb_webp_ways(void);

// The likelihoods of the modes of luma and chroma in key frames.
extern const uint8_t emb_webp_whole_likely[4];
extern const uint8_t emb_webp_chroma_likely[3];

static inline int emb_webp_token(int size) {
    if (size < 5) {
        return size;
    }
    int category = 0;
    while (category < 5 && size >= emb_webp_categories[category + 1].least) {
        category += 1;
    }
    return DCT_CAT1 + category;
}

// Writes a leaf, from a step of its way on.
static inline void emb_webp_put_way(
    emb_packer *to, const emb_way *way, int from, const uint8_t *likely) {
    for (int step = from; step < way->steps; step++) {
        emb_webp_put(to, way->bits >> step & 1, likely[way->nodes[step]]);
    }
}

// What that costs, in 256ths of a bit.
int emb_webp_way_cost(const emb_way *way, int from, const uint8_t *likely);

// The likelihoods of a frame's tokens stand in sets of eleven, one for each pair of the tree.
enum { LIKELY_SETS = 4 * 8 * 3 };

// How often each token came: by set, and by whether the tree's first step was left out.
typedef uint32_t emb_counts[LIKELY_SETS][2][DCT_TOKENS];

// How often a question was answered, and with yes.
typedef struct emb_tally {
    uint32_t all, yes;
} emb_tally;

// Where the tokens of levels go: packed, or counted if there is no packer.
typedef struct emb_sink {
    const emb_ways *ways;
    emb_packer *to;
    const uint8_t *likely;
    uint32_t (*counts)[2][DCT_TOKENS];
} emb_sink;

// All levels of a frame, in the order of the file.
void emb_webp_levels(const emb_frame *frame, const emb_sink *sink);

// What the tokens answered, for each likelihood of each set.
void emb_webp_tally(const emb_counts counts, const emb_ways *ways, emb_tally *tallies);
