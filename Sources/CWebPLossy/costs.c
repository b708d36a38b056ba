#include "trees.h"

#include <pthread.h>

const uint8_t emb_webp_zigzag[16] = {0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15};
const uint8_t emb_webp_bands[16] = {0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7};

static inline int cost_of(int bit, int likely) {
    return emb_webp_costs[bit ? 256 - likely : likely];
}

// Returns the cost of a level including its sign, without the EOB decision.
static int level_cost(int size, const emb_ways *ways, const uint8_t *likely) {
    int token = emb_webp_token(size), cost = emb_webp_way_cost(&ways->token[token], 1, likely);
    if (token >= DCT_CAT1) {
        const emb_category *category = &emb_webp_categories[token - DCT_CAT1];
        int above = size - category->least;
        for (int bit = 0; bit < category->bits; bit++) {
            cost += cost_of(above >> (category->bits - 1 - bit) & 1, category->likely[bit]);
        }
    }
    return size > 0 ? cost + 256 : cost;
}

static void fill_levels(const uint8_t *likely, const emb_ways *ways, emb_costs *costs) {
    for (int kind = 0; kind < 4; kind++) {
        for (int band = 0; band < 8; band++) {
            for (int before = 0; before < 3; before++, likely += 11) {
                costs->end[kind][band][before] = (uint16_t)cost_of(0, likely[0]);
                costs->more[kind][band][before] = (uint16_t)cost_of(1, likely[0]);
                for (int size = 0; size < COST_SIZES; size++) {
                    costs->level[kind][band][before][size] = (uint16_t)level_cost(
                        size, ways, likely);
                }
            }
        }
    }
}

static void fill_modes(const uint8_t *likely, const emb_ways *ways, emb_costs *costs) {
    for (int above = 0; above < SMALL_MODES; above++) {
        for (int left = 0; left < SMALL_MODES; left++, likely += SMALL_MODES - 1) {
            for (int mode = 0; mode < SMALL_MODES; mode++) {
                costs->mode[above][left][mode] = (uint16_t)emb_webp_way_cost(
                    &ways->small[mode], 0, likely);
            }
        }
    }
    const uint8_t *whole = emb_webp_whole_likely, *chroma = emb_webp_chroma_likely;
    for (int mode = 0; mode < 4; mode++) {
        costs->whole[mode] = (uint16_t)emb_webp_way_cost(&ways->whole[mode], 0, whole);
        costs->chroma[mode] = (uint16_t)emb_webp_way_cost(&ways->chroma[mode], 0, chroma);
    }
    costs->small = (uint16_t)emb_webp_way_cost(&ways->whole[SMALL_MODES], 0, whole);
}

static emb_costs first_costs;

static void make_first_costs(void) {
    const emb_ways *ways = emb_webp_ways();
    fill_levels(emb_webp_coefficients, ways, &first_costs);
    fill_modes(emb_webp_modes, ways, &first_costs);
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

// Returns the quantizer decrease for chroma DC: in smooth pictures, one quantizer step of it shows
// as a band of another hue.
int emb_webp_finer(int quantizer) {
    int steps = quantizer * 3 / 4;
    return steps < 15 ? steps : 15;
}

// The factors gave the smallest errors for logos at equal file size. A chroma error affects four
// pixels, so chroma has a smaller lambda than luma.
void emb_webp_steps(emb_frame *frame) {
    int q = frame->quantizer, ac = emb_webp_ac[q], dc = emb_webp_dc[q], means = ac * 155 / 100;
    int lambda = (ac * ac * 14) >> 8;
    fill_steps(&frame->luma, dc, ac, lambda, 0);
    // The WHT doubles the scale of the DC coefficients.
    fill_steps(&frame->means, dc * 2, means < 8 ? 8 : means, lambda, 2);
    int finer = q - emb_webp_finer(q);
    fill_steps(&frame->chroma, emb_webp_dc[finer < 117 ? finer : 117], ac, (ac * ac * 2) >> 8, 0);
    frame->lambda_sum = ac * 50;
}
