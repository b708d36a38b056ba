#include "trees.h"

#include <pthread.h>

const uint8_t emb_webp_zigzag[16] = {0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15};
const uint8_t emb_webp_coeff_bands[16] = {0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7};

static inline int bit_cost(int bit, int prob) {
    return emb_webp_bit_costs[bit ? 256 - prob : prob];
}

// Returns the cost of an absolute level and its sign, without the EOB decision.
static int level_cost(int level, const emb_tree_paths *paths, const uint8_t *probs) {
    int token = emb_webp_token(level), cost = emb_webp_path_cost(&paths->token[token], 1, probs);
    if (token >= DCT_CAT1) {
        const emb_dct_category *category = &emb_webp_dct_categories[token - DCT_CAT1];
        int extra = level - category->base;
        for (int bit = 0; bit < category->bits; bit++) {
            cost += bit_cost(extra >> (category->bits - 1 - bit) & 1, category->probs[bit]);
        }
    }
    return level > 0 ? cost + 256 : cost;
}

static void fill_levels(const uint8_t *probs, const emb_tree_paths *paths, emb_costs *costs) {
    for (int type = 0; type < 4; type++) {
        for (int band = 0; band < 8; band++) {
            for (int context = 0; context < 3; context++, probs += 11) {
                costs->eob[type][band][context] = (uint16_t)bit_cost(0, probs[0]);
                costs->no_eob[type][band][context] = (uint16_t)bit_cost(1, probs[0]);
                for (int level = 0; level < COSTED_LEVELS; level++) {
                    costs->level[type][band][context][level] = (uint16_t)level_cost(
                        level, paths, probs);
                }
            }
        }
    }
}

static void fill_modes(const uint8_t *probs, const emb_tree_paths *paths, emb_costs *costs) {
    for (int above = 0; above < I4_MODES; above++) {
        for (int left = 0; left < I4_MODES; left++, probs += I4_MODES - 1) {
            for (int mode = 0; mode < I4_MODES; mode++) {
                costs->i4_mode[above][left][mode] = (uint16_t)emb_webp_path_cost(
                    &paths->bmode[mode], 0, probs);
            }
        }
    }
    const uint8_t *ymode_probs = emb_webp_kf_ymode_probs;
    const uint8_t *uv_mode_probs = emb_webp_kf_uv_mode_probs;
    for (int mode = 0; mode < 4; mode++) {
        costs->i16_mode[mode] = (uint16_t)emb_webp_path_cost(&paths->ymode[mode], 0, ymode_probs);
        costs->chroma_mode[mode] = (uint16_t)emb_webp_path_cost(
            &paths->uv_mode[mode], 0, uv_mode_probs);
    }
    costs->b_pred = (uint16_t)emb_webp_path_cost(&paths->ymode[B_PRED], 0, ymode_probs);
}

static emb_costs default_costs;

static void fill_default_costs(void) {
    const emb_tree_paths *paths = emb_webp_tree_paths();
    fill_levels(emb_webp_default_coeff_probs, paths, &default_costs);
    fill_modes(emb_webp_kf_bmode_probs, paths, &default_costs);
}

const emb_costs *emb_webp_default_costs(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_default_costs);
    return &default_costs;
}

static void init_quantizer(
    emb_quantizer *quantizer, int dc_step, int ac_step, int lambda, int shift) {
    *quantizer = (emb_quantizer){{dc_step, ac_step}, {0, 0}, lambda < 1 ? 1 : lambda, shift};
    for (int i = 0; i < 2; i++) {
        quantizer->inverse[i] = (1u << 20) / (uint32_t)quantizer->step[i];
    }
}

// Chroma DC is finer, because in smooth pictures one of its quantizer steps shows as a band of
// another hue.
int emb_webp_uv_dc_delta(int q_index) {
    int delta = q_index * 3 / 4;
    return delta < 15 ? delta : 15;
}

// The factors of Y2 and the limits are those of section 14.1. The lambdas gave the smallest errors
// for logos at equal file size. A chroma error affects four pixels, so chroma has a smaller lambda
// than luma.
void emb_webp_init_quantizers(emb_frame *frame) {
    int q = frame->q_index, ac = emb_webp_ac_qlookup[q], dc = emb_webp_dc_qlookup[q],
        y2_ac = ac * 155 / 100;
    int lambda = (ac * ac * 14) >> 8;
    init_quantizer(&frame->y1, dc, ac, lambda, 0);
    // The WHT doubles the scale of the DC coefficients.
    init_quantizer(&frame->y2, dc * 2, y2_ac < 8 ? 8 : y2_ac, lambda, 2);
    int uv_dc_q = q - emb_webp_uv_dc_delta(q);
    init_quantizer(
        &frame->chroma, emb_webp_dc_qlookup[uv_dc_q < 117 ? uv_dc_q : 117], ac, (ac * ac * 2) >> 8,
        0);
    frame->lambda_satd = ac * 50;
}
