#pragma once

// The trees of RFC 6386 for modes and tokens (sections 8.1, 11.2 and 13.2), and operations on them.

#include "bool_encoder.h"

// A tree as pairs of entries. A positive entry is the index of the next pair; any other is a leaf,
// the negative of its value. The pair at index 2n is decided by probability n.
typedef int8_t emb_tree;

// A path from the root to a leaf: the probability index of each decision, and the decisions with
// the first one in the lowest bit.
enum { PATH_LIMIT = 7 };
typedef struct emb_tree_path {
    uint8_t nodes[PATH_LIMIT];
    uint8_t depth;
    uint8_t bits;
} emb_tree_path;

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

// A category: its smallest level, and the number and probabilities of its extra bits (Pcat1 to
// Pcat6).
typedef struct emb_dct_category {
    uint8_t base;
    uint8_t bits;
    uint8_t probs[11];
} emb_dct_category;

// The categories from `DCT_CAT1` on.
extern const emb_dct_category emb_webp_dct_categories[6];

// The paths of all trees, indexed by leaf value.
typedef struct emb_tree_paths {
    emb_tree_path token[DCT_TOKENS];
    emb_tree_path bmode[I4_MODES];
    emb_tree_path ymode[B_PRED + 1];
    emb_tree_path uv_mode[I4_MODES];
} emb_tree_paths;

// Returns the paths, which the first call computes.
const emb_tree_paths *emb_webp_tree_paths(void);

// The probabilities of the luma and chroma modes of macroblocks in key frames (section 11.2).
extern const uint8_t emb_webp_kf_ymode_probs[4];
extern const uint8_t emb_webp_kf_uv_mode_probs[3];

// Returns the token of an absolute level.
static inline int emb_webp_token(int level) {
    if (level < 5) {
        return level;
    }
    int category = 0;
    while (category < 5 && level >= emb_webp_dct_categories[category + 1].base) {
        category += 1;
    }
    return DCT_CAT1 + category;
}

// Writes the path to a leaf, starting at decision `from`.
static inline void emb_webp_put_path(
    emb_bool_encoder *encoder, const emb_tree_path *path, int from, const uint8_t *probs) {
    for (int depth = from; depth < path->depth; depth++) {
        emb_webp_put_bool(encoder, path->bits >> depth & 1, probs[path->nodes[depth]]);
    }
}

// Returns the cost of `emb_webp_put_path` in 1/256 bit.
int emb_webp_path_cost(const emb_tree_path *path, int from, const uint8_t *probs);

// The number of probability sets; each set has eleven probabilities, one per pair of the tree.
enum { PROB_SETS = 4 * 8 * 3 };

// The number of tokens by set, and by whether the first decision was omitted.
typedef uint32_t emb_token_counts[PROB_SETS][2][DCT_TOKENS];

// The number of decisions at a tree node, and how many of them were 1.
typedef struct emb_branch_count {
    uint32_t total, ones;
} emb_branch_count;

// The destination of tokens: `encoder` writes them. If it is NULL, `counts` counts them.
typedef struct emb_token_sink {
    const emb_tree_paths *paths;
    emb_bool_encoder *encoder;
    const uint8_t *probs;
    uint32_t (*counts)[2][DCT_TOKENS];
} emb_token_sink;

// Visits the tokens of all levels of a frame in the order of the file.
void emb_webp_visit_tokens(const emb_frame *frame, const emb_token_sink *sink);

// Computes how often each branch of the token tree was taken, from the numbers of tokens.
void emb_webp_count_branches(
    const emb_token_counts counts, const emb_tree_paths *paths, emb_branch_count *branches);
