#include "trees.h"

#include <pthread.h>

// The token tree of section 13.2.
static const emb_tree token_tree[2 * (DCT_TOKENS - 1)] = {
    -DCT_EOB, 2,  -DCT_0, 4,         -DCT_1,    6,  8,  12,        -DCT_2,    10,        -DCT_3,
    -DCT_4,   14, 16,     -DCT_CAT1, -DCT_CAT2, 18, 20, -DCT_CAT3, -DCT_CAT4, -DCT_CAT5, -DCT_CAT6,
};

// The mode trees of key frames (section 11.2): 16x16 mode or 4x4 prediction; chroma mode; 4x4 mode.
static const emb_tree whole_tree[8] = {
    -SMALL_MODES, 2, 4, 6, -DC_MODE, -VE_MODE, -HE_MODE, -TM_MODE,
};

static const emb_tree chroma_tree[6] = {
    -DC_MODE, 2, -VE_MODE, 4, -HE_MODE, -TM_MODE,
};

static const emb_tree small_tree[2 * (SMALL_MODES - 1)] = {
    -DC_MODE, 2,        -TM_MODE, 4,        -VE_MODE, 6,        8,  12,       -HE_MODE,
    10,       -RD_MODE, -VR_MODE, -LD_MODE, 14,       -VL_MODE, 16, -HD_MODE, -HU_MODE,
};

const uint8_t emb_webp_whole_likely[4] = {145, 156, 163, 128};
const uint8_t emb_webp_chroma_likely[3] = {142, 114, 183};

const emb_category emb_webp_categories[6] = {
    {5, 1, {159}},
    {7, 2, {165, 145}},
    {11, 3, {173, 148, 140}},
    {19, 4, {176, 155, 140, 135}},
    {35, 5, {180, 157, 141, 134, 130}},
    {67, 11, {254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129}},
};

static void find_ways(const emb_tree *tree, int pair, emb_way way, emb_way *ways) {
    int step = way.steps;
    way.nodes[step] = (uint8_t)(pair >> 1);
    way.steps += 1;
    for (int side = 0; side < 2; side++) {
        way.bits = (uint8_t)(way.bits | side << step);
        int entry = tree[pair + side];
        if (entry > 0) {
            find_ways(tree, entry, way, ways);
        } else {
            ways[-entry] = way;
        }
    }
}

static emb_ways all_ways;

static void find_all(void) {
    const emb_way root = {{0}, 0, 0};
    find_ways(token_tree, 0, root, all_ways.token);
    find_ways(small_tree, 0, root, all_ways.small);
    find_ways(whole_tree, 0, root, all_ways.whole);
    find_ways(chroma_tree, 0, root, all_ways.chroma);
}

const emb_ways *emb_webp_ways(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_all);
    return &all_ways;
}

int emb_webp_way_cost(const emb_way *way, int from, const uint8_t *likely) {
    int cost = 0;
    for (int step = from; step < way->steps; step++) {
        int zero = likely[way->nodes[step]];
        cost += emb_webp_costs[way->bits >> step & 1 ? 256 - zero : zero];
    }
    return cost;
}
