#pragma once

// The trees of RFC 6386 for modes and tokens (sections 8.1, 11.2 and 13.2), and operations on them.

#include "pack.h"

// Pairs of entries. A positive entry is the index of the next pair; any other is a leaf, the
// negative of its value. The pair at index 2n is decided by probability n.
typedef int8_t emb_tree;

// A path from the root to a leaf: the probability index of each decision, and the decisions with
// the first one in the lowest bit.
enum { WAY_LIMIT = 7 };
typedef struct emb_way {
    uint8_t nodes[WAY_LIMIT];
    uint8_t steps;
    uint8_t bits;
} emb_way;

// The coefficient tokens: levels up to four, categories of larger levels, and end of block.
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

// A category: its smallest level, and the probabilities of its extra bits being zero.
typedef struct emb_category {
    uint8_t least;
    uint8_t bits;
    uint8_t likely[11];
} emb_category;

// The categories from `DCT_CAT1` on.
extern const emb_category emb_webp_categories[6];

// The paths of all trees, indexed by leaf value.
typedef struct emb_ways {
    emb_way token[DCT_TOKENS];
    emb_way small[SMALL_MODES];
    emb_way whole[SMALL_MODES + 1];
    emb_way chroma[SMALL_MODES];
} emb_ways;

// Returns the paths, which the first call computes.
const emb_ways *emb_webp_ways(void);

// The probabilities of the 16x16 and chroma modes in key frames.
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

// Writes a leaf, starting at decision `from`.
static inline void emb_webp_put_way(
    emb_packer *to, const emb_way *way, int from, const uint8_t *likely) {
    for (int step = from; step < way->steps; step++) {
        emb_webp_put(to, way->bits >> step & 1, likely[way->nodes[step]]);
    }
}

// Returns the cost of `emb_webp_put_way` in 1/256 bit.
int emb_webp_way_cost(const emb_way *way, int from, const uint8_t *likely);

// The number of probability sets; each set has eleven probabilities, one per pair of the tree.
enum { LIKELY_SETS = 4 * 8 * 3 };

// The number of tokens by set, and by whether the first decision was omitted.
typedef uint32_t emb_counts[LIKELY_SETS][2][DCT_TOKENS];

// The number of decisions, and of those that were 1.
typedef struct emb_tally {
    uint32_t all, yes;
} emb_tally;

// The destination of tokens: written, or counted if there is no packer.
typedef struct emb_sink {
    const emb_ways *ways;
    emb_packer *to;
    const uint8_t *likely;
    uint32_t (*counts)[2][DCT_TOKENS];
} emb_sink;

// Visits all levels of a frame in the order of the file.
void emb_webp_levels(const emb_frame *frame, const emb_sink *sink);

// Computes the decisions of the tokens for each probability.
void emb_webp_tally(const emb_counts counts, const emb_ways *ways, emb_tally *tallies);
