#include "parts.h"

#include <string.h>

enum { LEVEL_LIMIT = 2047 };

typedef int16_t short16 __attribute__((vector_size(32)));
typedef int16_t loose16 __attribute__((vector_size(32), aligned(2)));
typedef int32_t word16 __attribute__((vector_size(64)));

// Returns the weighted error. Exact, since no shift exceeds eight.
static inline int64_t weight_of(const emb_steps *steps, int64_t squares) {
    return (squares << 8) >> steps->shift;
}

// The absolute coefficients in zigzag order. `last` is the last one of about half a step or more,
// or less than `first` if there is none. The sum of squares is below 2^29.
typedef struct ordered {
    short16 sizes, signs;
    word16 squares;
    int last;
} ordered;

static inline ordered in_order(const emb_steps *steps, const int16_t values[16], int first) {
    loose16 v;
    memcpy(&v, values, sizeof v);
    short16 sizes = __builtin_shufflevector(
        v, v, 0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15);
    short16 limit = (short16){0} + (int16_t)(steps->step[1] - (steps->step[1] >> 1));
    limit[0] = (int16_t)(steps->step[0] - (steps->step[0] >> 1));
    if (first) {
        sizes[0] = 0;
    }
    short16 signs = sizes >> 15;
    sizes = (sizes ^ signs) - signs;
    const short16 places = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    word16 wide = __builtin_convertvector(sizes, word16);
    return (ordered){
        sizes, signs, wide * wide, __builtin_reduce_max((short16)(sizes >= limit) & places) - 1};
}

// Returns the nearest level.
static inline int nearest_level(const emb_steps *steps, int n, int size) {
    uint64_t raised = (uint64_t)(uint32_t)(size + (steps->step[n > 0] >> 1));
    int level = (int)((raised * steps->inverse[n > 0] + 512) >> 20);
    return level > LEVEL_LIMIT ? LEVEL_LIMIT : level;
}

static inline int cost_index(int size) {
    return size < COST_SIZES ? size : COST_SIZES - 1;
}

// The best trellis paths to an index. The next context depends on the level (0, 1, or 2 and more),
// and a level is the nearest one or the one below. Hence at most two states are alive: `state`, and
// perhaps `state + 1`.
typedef struct ways {
    int state;
    int64_t scores[2];
} ways;

static const int64_t never = INT64_MAX / 2;

// A trellis decision: the level at an index, and the path it continues.
typedef struct step_back {
    int16_t size;
    int16_t before;
} step_back;

// The better of two paths extended by a level, with the weighted cost.
typedef struct way {
    int64_t score;
    int before;
} way;

static inline way better(const ways *now, int64_t lambda, int first_cost, int second_cost) {
    int64_t first = now->scores[0] + lambda * first_cost;
    int64_t second = now->scores[1] + lambda * second_cost;
    return second < first ? (way){second, 1} : (way){first, 0};
}

// Extends the paths by the nearest level and by the one below.
static inline void go_on(
    const emb_steps *steps, const emb_costs *costs, int kind, int n, int is_first, int size,
    ways *now, step_back back[2]) {
    const int64_t lambda = steps->lambda;
    const int band = emb_webp_bands[n], state = now->state, above = state < 2 ? state + 1 : 2;
    const int step = steps->step[n > 0], high = nearest_level(steps, n, size);
    const uint16_t *first = costs->level[kind][band][state];
    const uint16_t *second = costs->level[kind][band][above];
    // The no-EOB decision is coded, except after a zero, where EOB is impossible.
    const int first_more = is_first || state > 0 ? costs->more[kind][band][state] : 0;
    const int second_more = costs->more[kind][band][above];
    const int over = size - high * step, under = over + step, index = cost_index(high);
    way upper = better(now, lambda, first_more + first[index], second_more + second[index]);
    upper.score += weight_of(steps, (int64_t)over * over);
    back[high > 0 && high < 3] = (step_back){(int16_t)high, (int16_t)upper.before};
    if (high == 0) {
        *now = (ways){0, {upper.score, never}};
        return;
    }
    const int low = high - 1, low_index = cost_index(low);
    way lower = better(now, lambda, first_more + first[low_index], second_more + second[low_index]);
    lower.score += weight_of(steps, (int64_t)under * under);
    if (high < 3) {
        back[0] = (step_back){(int16_t)low, (int16_t)lower.before};
        *now = (ways){low, {lower.score, upper.score}};
        return;
    }
    // Both levels lead to state 2. If the scores are equal, the lower path index wins, then the
    // lower level.
    if (lower.score < upper.score || (lower.score == upper.score && lower.before <= upper.before)) {
        back[0] = (step_back){(int16_t)low, (int16_t)lower.before};
        upper = lower;
    }
    *now = (ways){2, {upper.score, never}};
}

int emb_webp_divide(
    const emb_steps *steps, const emb_costs *costs, int kind, int before, int16_t values[16],
    int16_t levels[16], int64_t *score) {
    const int first = kind == AFTER_DC_KIND;
    const int64_t lambda = steps->lambda;
    const ordered all = in_order(steps, values, first);
    int64_t rest = weight_of(steps, __builtin_reduce_add(all.squares));
    int64_t least = lambda * costs->end[kind][emb_webp_bands[first]][before] + rest;
    if (all.last < first) {
        memset(levels, 0, sizeof(int16_t) * 16);
        memset(values + first, 0, sizeof(int16_t) * (size_t)(16 - first));
        *score += least;
        return 0;
    }
    int16_t sizes[16];
    memcpy(sizes, &all.sizes, sizeof sizes);
    ways now = {before, {0, never}};
    step_back back[16][2];
    int end = -1, way = 0;
    for (int n = first; n <= all.last; n++) {
        go_on(steps, costs, kind, n, n == first, sizes[n], &now, back[n]);
        rest -= weight_of(steps, (int64_t)sizes[n] * sizes[n]);
        const uint16_t *ends = costs->end[kind][emb_webp_bands[n < 15 ? n + 1 : 15]];
        // A block cannot end after a zero.
        for (int i = now.state == 0; i < 2; i++) {
            int64_t total = now.scores[i] + rest;
            if (n < 15 && now.scores[i] != never) {
                total += lambda * ends[now.state + i];
            }
            if (total < least) {
                least = total;
                end = n;
                way = i;
            }
        }
    }
    *score += least;
    int16_t kept[16] = {0};
    for (int n = end; n >= first; n--) {
        step_back from = back[n][way];
        kept[n] = from.size;
        way = from.before;
    }
    short16 level, step = (short16){0} + (int16_t)steps->step[1];
    step[0] = (int16_t)steps->step[0];
    memcpy(&level, kept, sizeof level);
    level = (level ^ all.signs) - all.signs;
    memcpy(levels, &level, sizeof level);
    // Reorder from zigzag to raster order.
    level *= step;
    level = __builtin_shufflevector(
        level, level, 0, 1, 5, 6, 2, 4, 7, 12, 3, 8, 11, 13, 9, 10, 14, 15);
    if (first) {
        level[0] = values[0];
    }
    memcpy(values, &level, sizeof level);
    return end + 1;
}
