#include "parts.h"

#include <string.h>

enum { LEVEL_LIMIT = 2047 };
static const int64_t never = INT64_MAX / 2;

// How a level came to stand at an index: its size, and what stood before.
typedef struct step_back {
    int16_t size;
    int16_t before;
} step_back;

typedef int16_t loose16 __attribute__((vector_size(32), aligned(2)));
typedef int32_t squares16 __attribute__((vector_size(64)));

// Whether none of the values comes near half a step; if so, adds up their squares.
static int are_all_small(
    const emb_steps *steps, const int16_t values[16], int first, int64_t *squares) {
    loose16 v, limit = (loose16){0} + (int16_t)(steps->step[1] - (steps->step[1] >> 1));
    memcpy(&v, values, sizeof v);
    if (first) {
        v[0] = 0;
    } else {
        limit[0] = (int16_t)(steps->step[0] - (steps->step[0] >> 1));
    }
    loose16 sign = v >> 15;
    v = (v ^ sign) - sign;
    if (__builtin_reduce_or(v >= limit)) {
        return 0;
    }
    squares16 wide = __builtin_convertvector(v, squares16);
    *squares = __builtin_reduce_add(wide * wide);
    return 1;
}

// Coefficients in the order of the file.
typedef struct ordered {
    int sizes[16], nearest[16];
    // What is left as an error if nothing is kept from an index on.
    int64_t rest[17];
    // The last index that is nearer to a level than to zero.
    int last;
} ordered;

static void put_in_order(
    const emb_steps *steps, const int16_t values[16], int first, ordered *all) {
    all->rest[16] = 0;
    all->last = -1;
    for (int n = 15; n >= first; n--) {
        int value = values[emb_webp_zigzag[n]], size = value < 0 ? -value : value;
        all->sizes[n] = size;
        all->rest[n] = all->rest[n + 1] + (((int64_t)size * size << 8) >> steps->shift);
        int step = steps->step[n > 0];
        uint64_t raised = (uint64_t)(uint32_t)(size + (step >> 1));
        int level = (int)((raised * steps->inverse[n > 0] + 512) >> 20);
        all->nearest[n] = level > LEVEL_LIMIT ? LEVEL_LIMIT : level;
        if (level > 0 && all->last < 0) {
            all->last = n;
        }
    }
}

// What an error weighs.
static inline int64_t weight_of(const emb_steps *steps, int64_t error) {
    return (error * error << 8) >> steps->shift;
}

// A way's score once it is said that it goes on, which is understood after a zero.
static inline int64_t going_on(
    const emb_costs *costs, int64_t lambda, int kind, int band, int state, int is_first,
    int64_t score) {
    return is_first || state > 0 ? score + lambda * costs->more[kind][band][state] : score;
}

static inline int state_after(int size) {
    return size < 2 ? size : 2;
}

static inline int cost_index(int size) {
    return size < COST_SIZES ? size : COST_SIZES - 1;
}

// Goes on from each state by the nearest size and the one below, and keeps the best way to each.
static inline void go_on(
    const emb_steps *steps, const emb_costs *costs, int kind, int n, int is_first,
    const ordered *all, int64_t now[3], step_back back[3]) {
    const int64_t lambda = steps->lambda;
    const int band = emb_webp_bands[n], step = steps->step[n > 0], high = all->nearest[n];
    const int64_t nearest = weight_of(steps, all->sizes[n] - high * step);
    int64_t next[3] = {never, never, never};
    if (high == 0) {
        // All ways lead to zero.
        for (int state = 0; state < 3; state++) {
            int64_t total = going_on(costs, lambda, kind, band, state, is_first, now[state]) +
                nearest + lambda * costs->level[kind][band][state][0];
            if (now[state] != never && total < next[0]) {
                next[0] = total;
                back[0] = (step_back){0, (int16_t)state};
            }
        }
        memcpy(now, next, sizeof next);
        return;
    }
    const int low = high - 1, after_low = state_after(low), after_high = state_after(high);
    const int64_t below = weight_of(steps, all->sizes[n] - low * step);
    for (int state = 0; state < 3; state++) {
        if (now[state] == never) {
            continue;
        }
        const uint16_t *cost = costs->level[kind][band][state];
        int64_t base = going_on(costs, lambda, kind, band, state, is_first, now[state]);
        int64_t total = base + below + lambda * cost[cost_index(low)];
        if (total < next[after_low]) {
            next[after_low] = total;
            back[after_low] = (step_back){(int16_t)low, (int16_t)state};
        }
        total = base + nearest + lambda * cost[cost_index(high)];
        if (total < next[after_high]) {
            next[after_high] = total;
            back[after_high] = (step_back){(int16_t)high, (int16_t)state};
        }
    }
    memcpy(now, next, sizeof next);
}

int emb_webp_divide(
    const emb_steps *steps, const emb_costs *costs, int kind, int before, int16_t values[16],
    int16_t levels[16], int64_t *score) {
    const int first = kind == AFTER_DC_KIND;
    const int64_t lambda = steps->lambda;
    memset(levels, 0, 32);
    int64_t squares, least = lambda * costs->end[kind][emb_webp_bands[first]][before];
    if (are_all_small(steps, values, first, &squares)) {
        memset(values + first, 0, sizeof(int16_t) * (size_t)(16 - first));
        *score += least + ((squares << 8) >> steps->shift);
        return 0;
    }
    ordered all;
    put_in_order(steps, values, first, &all);
    least += all.rest[first];
    int64_t now[3] = {never, never, never};
    step_back back[16][3];
    now[before] = 0;
    int end = -1, state = 0;
    for (int n = first; n <= all.last; n++) {
        go_on(steps, costs, kind, n, n == first, &all, now, back[n]);
        for (int last = 1; last < 3; last++) {
            if (now[last] == never) {
                continue;
            }
            int64_t total = now[last] + all.rest[n + 1];
            if (n < 15) {
                total += lambda * costs->end[kind][emb_webp_bands[n + 1]][last];
            }
            if (total < least) {
                least = total;
                end = n;
                state = last;
            }
        }
    }
    *score += least;
    for (int n = end; n >= first; n--) {
        step_back from = back[n][state];
        levels[n] = values[emb_webp_zigzag[n]] < 0 ? (int16_t)-from.size : from.size;
        state = from.before;
    }
    for (int n = first; n < 16; n++) {
        values[emb_webp_zigzag[n]] = (int16_t)(levels[n] * steps->step[n > 0]);
    }
    return end + 1;
}
