#include "trees.h"

#include <string.h>

// Writes the frame (RFC 6386, sections 9 and 19): the frame tag, the first partition with the
// header and the modes, and one partition with all tokens.

// Returns the probability of 0 in 1/256, rounded and limited to 1...255.
static int prob_of(emb_branch_count branch) {
    uint32_t zeros = branch.total - branch.ones;
    int prob = (int)(((uint64_t)zeros * 512 + branch.total) / ((uint64_t)branch.total * 2));
    return prob < 1 ? 1 : prob > 255 ? 255 : prob;
}

// Returns how many 1/256 bits are saved if decisions are coded with `own_prob` instead of
// `default_prob`.
static int64_t saving_of(emb_branch_count branch, int default_prob, int own_prob) {
    const uint16_t *costs = emb_webp_bit_costs;
    int64_t zeros = branch.total - branch.ones;
    return zeros * (costs[default_prob] - costs[own_prob]) +
        (int64_t)branch.ones * (costs[256 - default_prob] - costs[256 - own_prob]);
}

// Writes updates of the token probabilities (section 13.4) where the saving exceeds the cost.
// `probs` receives all probabilities of the frame.
static void put_token_probs(
    emb_bool_encoder *encoder, const emb_branch_count *branches, uint8_t *probs) {
    for (size_t q = 0; q < PROB_SETS * 11; q++) {
        int default_prob = emb_webp_default_coeff_probs[q];
        int update_prob = emb_webp_coeff_update_probs[q], is_updated = 0;
        probs[q] = (uint8_t)default_prob;
        if (branches[q].total > 0) {
            int own = prob_of(branches[q]);
            int price = 8 * 256 + emb_webp_bit_costs[256 - update_prob] -
                emb_webp_bit_costs[update_prob];
            is_updated = saving_of(branches[q], default_prob, own) > price;
            probs[q] = (uint8_t)(is_updated ? own : default_prob);
        }
        if (emb_webp_put_bool(encoder, is_updated, update_prob)) {
            emb_webp_put_literal(encoder, probs[q], 8);
        }
    }
}

// Writes the header of each macroblock (section 19.3).
static void put_modes(emb_bool_encoder *encoder, const emb_frame *frame, int skip_prob) {
    const emb_tree_paths *paths = emb_webp_tree_paths();
    memset(frame->modes_above, B_DC_PRED, (size_t)frame->mbs_wide * 4);
    const emb_macroblock *m = frame->macroblocks;
    for (int row = 0; row < frame->mbs_high; row++) {
        uint8_t left[4] = {B_DC_PRED, B_DC_PRED, B_DC_PRED, B_DC_PRED};
        for (int column = 0; column < frame->mbs_wide; column++, m++) {
            uint8_t *above = frame->modes_above + column * 4;
            int mode = m->is_i16 ? m->luma_modes[0] : B_PRED;
            emb_webp_put_bool(encoder, m->is_skipped, skip_prob);
            emb_webp_put_path(encoder, &paths->ymode[mode], 0, emb_webp_kf_ymode_probs);
            for (int i = 0; i < 16; i++) {
                uint8_t *a = above + (i & 3), *l = left + (i >> 2);
                if (!m->is_i16) {
                    const uint8_t *probs = emb_webp_kf_bmode_probs +
                        (*a * I4_MODES + *l) * (I4_MODES - 1);
                    emb_webp_put_path(encoder, &paths->bmode[m->luma_modes[i]], 0, probs);
                }
                *a = *l = m->luma_modes[i];
            }
            emb_webp_put_path(
                encoder, &paths->uv_mode[m->chroma_mode], 0, emb_webp_kf_uv_mode_probs);
        }
    }
}

// Returns the loop filter level. A third of the AC step gave the smallest luma error; steps below 9
// need no filter.
static int filter_level(int q_index) {
    int level = emb_webp_ac_qlookup[q_index] / 3;
    return level < 3 ? 0 : level > 63 ? 63 : level;
}

// Writes the fields of the frame header up to the token probabilities (section 19.2).
static void put_header(emb_bool_encoder *encoder, int q_index) {
    // color_space, clamping_type (clamping required), segmentation_enabled.
    emb_webp_put_literal(encoder, 0, 3);
    // filter_type (normal), loop_filter_level, sharpness_level and loop_filter_adj_enable.
    emb_webp_put_literal(encoder, 0, 1);
    emb_webp_put_literal(encoder, filter_level(q_index), 6);
    emb_webp_put_literal(encoder, 0, 4);
    // log2_nbr_of_dct_partitions, then quant_indices: y_ac_qi, and deltas of four bits and sign, of
    // which only uv_dc_delta may be present.
    int uv_dc_delta = emb_webp_uv_dc_delta(q_index);
    emb_webp_put_literal(encoder, 0, 2);
    emb_webp_put_literal(encoder, q_index, 7);
    emb_webp_put_literal(encoder, 0, 3);
    emb_webp_put_literal(encoder, uv_dc_delta > 0, 1);
    if (uv_dc_delta > 0) {
        emb_webp_put_literal(encoder, uv_dc_delta << 1 | 1, 5);
    }
    emb_webp_put_literal(encoder, 0, 1);
    // refresh_entropy_probs: the probabilities apply to this frame only.
    emb_webp_put_literal(encoder, 0, 1);
}

// Returns the minimum size of the first partition in bytes. The incremental decoder of libwebp,
// which browsers use, loads seven bytes ahead. It rejects a picture if it has loaded the whole
// partition before it reads the modes.
static size_t least_size(const emb_bool_encoder *encoder) {
    return (size_t)(encoder->next - encoder->start) + (size_t)(encoder->bit_count >> 3) + 12;
}

// Writes the first partition: header, probabilities and modes. Returns its size, or 0 if it does
// not fit.
static size_t write_first_partition(
    const emb_frame *frame, const emb_branch_count *branches, uint8_t *probs, uint8_t *output,
    size_t capacity) {
    emb_bool_encoder encoder = emb_webp_bool_encoder(output, capacity);
    emb_branch_count skips = {(uint32_t)(frame->mbs_wide * frame->mbs_high), 0};
    for (uint32_t i = 0; i < skips.total; i++) {
        skips.ones += frame->macroblocks[i].is_skipped;
    }
    put_header(&encoder, frame->q_index);
    put_token_probs(&encoder, branches, probs);
    // mb_no_coeff_skip and prob_skip_false.
    emb_webp_put_literal(&encoder, 1, 1);
    emb_webp_put_literal(&encoder, prob_of(skips), 8);
    const size_t least = least_size(&encoder);
    put_modes(&encoder, frame, prob_of(skips));
    size_t size = emb_webp_finish(&encoder);
    // The frame tag holds 19 bits of this size.
    if (size == 0 || size >= 1 << 19 || capacity < least) {
        return 0;
    }
    if (size < least) {
        memset(output + size, 0, least - size);
        size = least;
    }
    return size;
}

size_t emb_webp_write_frame(const emb_frame *frame, uint8_t *output, size_t capacity) {
    enum { HEADER = 10 };
    if (capacity <= HEADER) {
        return 0;
    }
    emb_branch_count branches[PROB_SETS * 11];
    uint8_t probs[PROB_SETS * 11];
    emb_token_counts counts;
    const emb_tree_paths *paths = emb_webp_tree_paths();
    memset(counts, 0, sizeof counts);
    emb_webp_visit_tokens(frame, &(emb_token_sink){paths, NULL, NULL, counts});
    emb_webp_count_branches(counts, paths, branches);
    size_t first = write_first_partition(
        frame, branches, probs, output + HEADER, capacity - HEADER);
    if (first == 0) {
        return 0;
    }
    emb_bool_encoder encoder = emb_webp_bool_encoder(
        output + HEADER + first, capacity - HEADER - first);
    emb_webp_visit_tokens(frame, &(emb_token_sink){paths, &encoder, probs, NULL});
    size_t tokens = emb_webp_finish(&encoder);
    if (tokens == 0) {
        return 0;
    }
    // The frame tag (key frame, version 0, shown, size of the first partition), start code and
    // size (section 9.1).
    uint32_t tag = 1u << 4 | (uint32_t)first << 5;
    const uint8_t bytes[HEADER] = {
        (uint8_t)tag,
        (uint8_t)(tag >> 8),
        (uint8_t)(tag >> 16),
        0x9D,
        0x01,
        0x2A,
        (uint8_t)frame->width,
        (uint8_t)(frame->width >> 8),
        (uint8_t)frame->height,
        (uint8_t)(frame->height >> 8)};
    memcpy(output, bytes, sizeof bytes);
    return HEADER + first + tokens;
}
