#include "webp_parts.h"

#include <pthread.h>

const uint8_t emb_webp_zigzag[16] = {0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15};
const uint8_t emb_webp_bands[17] = {0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 0};
const uint8_t emb_webp_tails[4][12] = {
    {173, 148, 140},
    {176, 155, 140, 135},
    {180, 157, 141, 134, 130},
    {254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129},
};

static inline int no(int likely) { return emb_webp_costs[likely]; }
static inline int yes(int likely) { return emb_webp_costs[256 - likely]; }
static inline int answer(int bit, int likely) { return bit ? yes(likely) : no(likely); }

// What a size beyond one costs after it was said to be beyond one.
static int size_cost(int size, const uint8_t *likely) {
    if (size <= 4) {
        int cost = no(likely[3]) + answer(size > 2, likely[4]);
        return size > 2 ? cost + answer(size == 4, likely[5]) : cost;
    }
    int cost = yes(likely[3]);
    if (size <= 10) {
        cost += no(likely[6]) + answer(size > 6, likely[7]);
        if (size <= 6) {
            return cost + answer(size == 6, 159);
        }
        return cost + answer(size >= 9, 165) + answer(!(size & 1), 145);
    }
    cost += yes(likely[6]);
    int tail = size < 19 ? 0 : size < 35 ? 1 : size < 67 ? 2 : 3;
    cost += answer(tail >> 1, likely[8]) + answer(tail & 1, likely[9 + (tail >> 1)]);
    int bits = tail == 3 ? 11 : tail + 3, rest = size - (3 + (8 << tail));
    for (int bit = 0; bit < bits; bit++) {
        cost += answer(rest >> (bits - 1 - bit) & 1, emb_webp_tails[tail][bit]);
    }
    return cost;
}

static void fill_levels(const uint8_t *likely, emb_costs *costs) {
    for (int kind = 0; kind < 4; kind++) {
        for (int band = 0; band < 8; band++) {
            for (int before = 0; before < 3; before++, likely += 11) {
                uint16_t *level = costs->level[kind][band][before];
                costs->end[kind][band][before] = (uint16_t)no(likely[0]);
                costs->more[kind][band][before] = (uint16_t)yes(likely[0]);
                level[0] = (uint16_t)no(likely[1]);
                level[1] = (uint16_t)(yes(likely[1]) + no(likely[2]) + 256);
                for (int size = 2; size < COST_SIZES; size++) {
                    level[size] = (uint16_t)(yes(likely[1]) + yes(likely[2]) + 256
                                             + size_cost(size, likely));
                }
            }
        }
    }
}

static int mode_cost(int mode, const uint8_t *likely) {
    if (mode == DC_MODE) {
        return no(likely[0]);
    }
    int cost = yes(likely[0]) + answer(mode != TM_MODE, likely[1]);
    if (mode == TM_MODE) {
        return cost;
    }
    cost += answer(mode != VE_MODE, likely[2]);
    if (mode == VE_MODE) {
        return cost;
    }
    cost += answer(mode >= LD_MODE, likely[3]);
    if (mode < LD_MODE) {
        cost += answer(mode != HE_MODE, likely[4]);
        return mode == HE_MODE ? cost : cost + answer(mode != RD_MODE, likely[5]);
    }
    cost += answer(mode != LD_MODE, likely[6]);
    if (mode == LD_MODE) {
        return cost;
    }
    cost += answer(mode != VL_MODE, likely[7]);
    return mode == VL_MODE ? cost : cost + answer(mode != HD_MODE, likely[8]);
}

static emb_costs first_costs;

static void make_first_costs(void) {
    fill_levels(emb_webp_coefficients, &first_costs);
    const uint8_t *likely = emb_webp_modes;
    for (int above = 0; above < 10; above++) {
        for (int left = 0; left < 10; left++, likely += 9) {
            for (int mode = 0; mode < 10; mode++) {
                first_costs.mode[above][left][mode] = (uint16_t)mode_cost(mode, likely);
            }
        }
    }
}

const emb_costs *emb_webp_first_costs(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_first_costs);
    return &first_costs;
}

static void fill_steps(emb_steps *steps, int first_step, int step, int lambda, int shift) {
    *steps = (emb_steps){{first_step, step}, {0, 0}, lambda < 1 ? 1 : lambda, shift};
    for (int i = 0; i < 2; i++) {
        steps->inverse[i] = (1u << 20) / (uint32_t)steps->step[i];
    }
}

// In smooth pictures a step of a block's mean colour is seen as a band of another hue.
int emb_webp_finer(int quantizer) {
    int steps = quantizer * 3 / 4;
    return steps < 15 ? steps : 15;
}

// The weights are those by which logos came out nearest for the same bytes. An error in chroma
// marks four pixels, in two colours each, so it weighs more than one of luma.
void emb_webp_steps(emb_frame *frame) {
    int q = frame->quantizer, ac = emb_webp_ac[q], dc = emb_webp_dc[q], means = ac * 155 / 100;
    int lambda = (ac * ac * 14) >> 8;
    fill_steps(&frame->luma, dc, ac, lambda, 0);
    // The means of blocks are transformed once more, to twice the size.
    fill_steps(&frame->means, dc * 2, means < 8 ? 8 : means, lambda, 2);
    int finer = q - emb_webp_finer(q);
    fill_steps(&frame->chroma, emb_webp_dc[finer < 117 ? finer : 117], ac, (ac * ac * 2) >> 8, 0);
    frame->lambda_sum = ac * 50;
}
