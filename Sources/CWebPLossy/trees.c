#include "trees.h"

#include <pthread.h>

// The token tree of section 13.2 (coeff_tree).
static const emb_tree coeff_tree[2 * (DCT_TOKENS - 1)] = {
    -DCT_EOB, 2,  -DCT_0, 4,         -DCT_1,    6,  8,  12,        -DCT_2,    10,        -DCT_3,
    -DCT_4,   14, 16,     -DCT_CAT1, -DCT_CAT2, 18, 20, -DCT_CAT3, -DCT_CAT4, -DCT_CAT5, -DCT_CAT6,
};

// The mode trees of key frames (sections 8.1 and 11.2).
static const emb_tree kf_ymode_tree[8] = {
    -B_PRED, 2, 4, 6, -DC_PRED, -V_PRED, -H_PRED, -TM_PRED,
};

static const emb_tree uv_mode_tree[6] = {
    -DC_PRED, 2, -V_PRED, 4, -H_PRED, -TM_PRED,
};

static const emb_tree bmode_tree[2 * (I4_MODES - 1)] = {
    -B_DC_PRED, 2,          -B_TM_PRED, 4,  -B_VE_PRED, 6,  8,          12,         -B_HE_PRED, 10,
    -B_RD_PRED, -B_VR_PRED, -B_LD_PRED, 14, -B_VL_PRED, 16, -B_HD_PRED, -B_HU_PRED,
};

const uint8_t emb_webp_kf_ymode_probs[4] = {145, 156, 163, 128};
const uint8_t emb_webp_kf_uv_mode_probs[3] = {142, 114, 183};

// The categories of section 13.2.
const emb_dct_category emb_webp_dct_categories[6] = {
    {5, 1, {159}},
    {7, 2, {165, 145}},
    {11, 3, {173, 148, 140}},
    {19, 4, {176, 155, 140, 135}},
    {35, 5, {180, 157, 141, 134, 130}},
    {67, 11, {254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129}},
};

// Stores the paths of all leaves below a pair of entries, to which `path` leads.
static void find_paths(const emb_tree *tree, int pair, emb_tree_path path, emb_tree_path *paths) {
    int depth = path.depth;
    path.nodes[depth] = (uint8_t)(pair >> 1);
    path.depth += 1;
    for (int bit = 0; bit < 2; bit++) {
        path.bits = (uint8_t)(path.bits | bit << depth);
        int entry = tree[pair + bit];
        if (entry > 0) {
            find_paths(tree, entry, path, paths);
        } else {
            paths[-entry] = path;
        }
    }
}

static emb_tree_paths tree_paths;

static void find_all_paths(void) {
    const emb_tree_path root = {{0}, 0, 0};
    find_paths(coeff_tree, 0, root, tree_paths.token);
    find_paths(bmode_tree, 0, root, tree_paths.bmode);
    find_paths(kf_ymode_tree, 0, root, tree_paths.ymode);
    find_paths(uv_mode_tree, 0, root, tree_paths.uv_mode);
}

const emb_tree_paths *emb_webp_tree_paths(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_all_paths);
    return &tree_paths;
}

int emb_webp_path_cost(const emb_tree_path *path, int from, const uint8_t *probs) {
    int cost = 0;
    for (int depth = from; depth < path->depth; depth++) {
        int prob = probs[path->nodes[depth]];
        cost += emb_webp_bit_costs[path->bits >> depth & 1 ? 256 - prob : prob];
    }
    return cost;
}
