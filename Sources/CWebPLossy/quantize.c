#include "encoder.h"

#include <string.h>

// The largest level, as in libwebp.
enum { LEVEL_LIMIT = 2047 };

typedef int16_t short16 __attribute__((vector_size(32)));
typedef int16_t unaligned16 __attribute__((vector_size(32), aligned(2)));
typedef int32_t word16 __attribute__((vector_size(64)));

// Returns the distortion of a squared error. The division is exact, because no shift exceeds eight.
static inline int64_t distortion_of(const emb_quantizer *quantizer, int64_t squared_error) {
    return (squared_error << 8) >> quantizer->shift;
}

// The absolute coefficients in zigzag order. `last` is the index of the last coefficient of about
// half a quantizer step or more; it is less than `first` if there is none. The sum of squares is
// below 2^29.
typedef struct zigzag_block {
    short16 magnitudes, signs;
    word16 squares;
    int last;
} zigzag_block;

static inline zigzag_block to_zigzag(
    const emb_quantizer *quantizer, const int16_t coefficients[16], int first) {
    unaligned16 raster;
    memcpy(&raster, coefficients, sizeof raster);
    short16 magnitudes = __builtin_shufflevector(
        raster, raster, 0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15);
    short16 limit = (short16){0} + (int16_t)(quantizer->step[1] - (quantizer->step[1] >> 1));
    limit[0] = (int16_t)(quantizer->step[0] - (quantizer->step[0] >> 1));
    if (first) {
        magnitudes[0] = 0;
    }
    short16 signs = magnitudes >> 15;
    magnitudes = (magnitudes ^ signs) - signs;
    const short16 positions = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    word16 wide = __builtin_convertvector(magnitudes, word16);
    return (zigzag_block){
        magnitudes, signs, wide * wide,
        __builtin_reduce_max((short16)(magnitudes >= limit) & positions) - 1};
}

// Returns the nearest level.
static inline int nearest_level(const emb_quantizer *quantizer, int n, int magnitude) {
    uint64_t raised = (uint64_t)(uint32_t)(magnitude + (quantizer->step[n > 0] >> 1));
    int level = (int)((raised * quantizer->inverse[n > 0] + 512) >> 20);
    return level > LEVEL_LIMIT ? LEVEL_LIMIT : level;
}

static inline int cost_index(int level) {
    return level < COSTED_LEVELS ? level : COSTED_LEVELS - 1;
}

// The best paths through the trellis up to a coefficient. A path's state is the context of the next
// coefficient (section 13.3): its last level, with 2 for all larger levels. A path takes either the
// level nearest to the coefficient or the level below it. Hence at most two states are possible:
// path 0 has `context`, and path 1, if it exists, has `context + 1`.
typedef struct trellis_paths {
    int context;
    int64_t scores[2];
} trellis_paths;

static const int64_t unreachable = INT64_MAX / 2;

// A trellis node: the level of a coefficient, and the path that it continues (0 or 1).
typedef struct trellis_node {
    int16_t level;
    int16_t previous;
} trellis_node;

// A path that was extended by a level.
typedef struct extended_path {
    int64_t score;
    int previous;
} extended_path;

// Returns the better path to a level, whose bits cost `first_cost` after path 0 and `second_cost`
// after path 1.
static inline extended_path best_path(
    const trellis_paths *paths, int64_t lambda, int first_cost, int second_cost) {
    int64_t first = paths->scores[0] + lambda * first_cost;
    int64_t second = paths->scores[1] + lambda * second_cost;
    return second < first ? (extended_path){second, 1} : (extended_path){first, 0};
}

// Extends the paths by the nearest level of coefficient n and by the level below. Stores the nodes
// of the remaining paths.
static inline void extend_paths(
    const emb_quantizer *quantizer, const emb_costs *costs, int type, int n, int is_first,
    int magnitude, trellis_paths *paths, trellis_node nodes[2]) {
    const int64_t lambda = quantizer->lambda;
    const int band = emb_webp_coeff_bands[n], context = paths->context,
              next_context = context < 2 ? context + 1 : 2;
    const int step = quantizer->step[n > 0], nearest = nearest_level(quantizer, n, magnitude);
    const uint16_t *costs_0 = costs->level[type][band][context];
    const uint16_t *costs_1 = costs->level[type][band][next_context];
    // The no-EOB decision is coded, except after a zero, where EOB is impossible.
    const int no_eob_0 = is_first || context > 0 ? costs->no_eob[type][band][context] : 0;
    const int no_eob_1 = costs->no_eob[type][band][next_context];
    const int nearest_error = magnitude - nearest * step, below_error = nearest_error + step,
              nearest_index = cost_index(nearest);
    extended_path nearest_path = best_path(
        paths, lambda, no_eob_0 + costs_0[nearest_index], no_eob_1 + costs_1[nearest_index]);
    nearest_path.score += distortion_of(quantizer, (int64_t)nearest_error * nearest_error);
    // If the nearest level is below 3, the two levels lead to different contexts, and the nearest
    // level continues as path 1.
    nodes[nearest > 0 && nearest < 3] = (trellis_node){
        (int16_t)nearest, (int16_t)nearest_path.previous};
    if (nearest == 0) {
        *paths = (trellis_paths){0, {nearest_path.score, unreachable}};
        return;
    }
    const int below = nearest - 1, below_index = cost_index(below);
    extended_path below_path = best_path(
        paths, lambda, no_eob_0 + costs_0[below_index], no_eob_1 + costs_1[below_index]);
    below_path.score += distortion_of(quantizer, (int64_t)below_error * below_error);
    if (nearest < 3) {
        nodes[0] = (trellis_node){(int16_t)below, (int16_t)below_path.previous};
        *paths = (trellis_paths){below, {below_path.score, nearest_path.score}};
        return;
    }
    // Both levels lead to context 2. If the scores are equal, the path from path 0 wins, then the
    // lower level.
    if (below_path.score < nearest_path.score ||
        (below_path.score == nearest_path.score && below_path.previous <= nearest_path.previous)) {
        nodes[0] = (trellis_node){(int16_t)below, (int16_t)below_path.previous};
        nearest_path = below_path;
    }
    *paths = (trellis_paths){2, {nearest_path.score, unreachable}};
}

int emb_webp_quantize(
    const emb_quantizer *quantizer, const emb_costs *costs, int type, int context,
    int16_t coefficients[16], int16_t levels[16], int64_t *score) {
    const int first = type == TYPE_Y_AFTER_Y2;
    const int64_t lambda = quantizer->lambda;
    const zigzag_block block = to_zigzag(quantizer, coefficients, first);
    // The distortion if all coefficients that were not visited yet become 0.
    int64_t rest = distortion_of(quantizer, __builtin_reduce_add(block.squares));
    int64_t least = lambda * costs->eob[type][emb_webp_coeff_bands[first]][context] + rest;
    if (block.last < first) {
        memset(levels, 0, sizeof(int16_t) * 16);
        memset(coefficients + first, 0, sizeof(int16_t) * (size_t)(16 - first));
        *score += least;
        return 0;
    }
    int16_t magnitudes[16];
    memcpy(magnitudes, &block.magnitudes, sizeof magnitudes);
    trellis_paths paths = {context, {0, unreachable}};
    trellis_node nodes[16][2];
    int last = -1, path = 0;
    for (int n = first; n <= block.last; n++) {
        extend_paths(quantizer, costs, type, n, n == first, magnitudes[n], &paths, nodes[n]);
        rest -= distortion_of(quantizer, (int64_t)magnitudes[n] * magnitudes[n]);
        const uint16_t *eob_costs = costs->eob[type][emb_webp_coeff_bands[n < 15 ? n + 1 : 15]];
        // A block cannot end after a zero.
        for (int i = paths.context == 0; i < 2; i++) {
            int64_t total = paths.scores[i] + rest;
            if (n < 15 && paths.scores[i] != unreachable) {
                total += lambda * eob_costs[paths.context + i];
            }
            if (total < least) {
                least = total;
                last = n;
                path = i;
            }
        }
    }
    *score += least;
    // Follow the best path back.
    int16_t chosen[16] = {0};
    for (int n = last; n >= first; n--) {
        trellis_node node = nodes[n][path];
        chosen[n] = node.level;
        path = node.previous;
    }
    short16 level, step = (short16){0} + (int16_t)quantizer->step[1];
    step[0] = (int16_t)quantizer->step[0];
    memcpy(&level, chosen, sizeof level);
    level = (level ^ block.signs) - block.signs;
    memcpy(levels, &level, sizeof level);
    // Dequantize, and reorder from zigzag to raster order.
    level *= step;
    level = __builtin_shufflevector(
        level, level, 0, 1, 5, 6, 2, 4, 7, 12, 3, 8, 11, 13, 9, 10, 14, 15);
    if (first) {
        level[0] = coefficients[0];
    }
    memcpy(coefficients, &level, sizeof level);
    return last + 1;
}
