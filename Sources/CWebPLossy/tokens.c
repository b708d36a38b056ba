#include "trees.h"

#include <stdlib.h>
#include <string.h>

// Returns the set of token probabilities, which depends on block type, band and context (section
// 13.3).
static inline int prob_set(int type, int index, int context) {
    return (type * 8 + emb_webp_coeff_bands[index]) * 3 + context;
}

// Writes the extra bits of a token: the offset within its category, and the sign.
static inline void put_extra_bits(emb_bool_encoder *encoder, int token, int level) {
    if (token >= DCT_CAT1) {
        const emb_dct_category *category = &emb_webp_dct_categories[token - DCT_CAT1];
        int extra = abs(level) - category->base;
        for (int bit = 0; bit < category->bits; bit++) {
            emb_webp_put_bool(
                encoder, extra >> (category->bits - 1 - bit) & 1, category->probs[bit]);
        }
    }
    emb_webp_put_bool(encoder, level < 0, 128);
}

// Visits the tokens of a block. Compiled once for counting and once for writing.
static inline __attribute__((always_inline)) void visit_tokens(
    const emb_token_sink *sink, int is_counted, int type, int context, const int16_t levels[16],
    int eob) {
    // EOB is impossible after a zero, so the tree's first decision is omitted.
    int from = 0;
    for (int index = type == TYPE_Y_AFTER_Y2; index < 16; index++) {
        const int set = prob_set(type, index, context);
        const int level = index < eob ? levels[index] : 0, magnitude = abs(level);
        const int token = index < eob ? emb_webp_token(magnitude) : DCT_EOB;
        if (is_counted) {
            sink->counts[set][from][token] += 1;
        } else {
            emb_webp_put_path(
                sink->encoder, &sink->paths->token[token], from, sink->probs + set * 11);
            if (level != 0) {
                put_extra_bits(sink->encoder, token, level);
            }
        }
        if (token == DCT_EOB) {
            return;
        }
        from = token == DCT_0;
        context = magnitude < 2 ? magnitude : 2;
    }
}

static void visit_block(
    const emb_token_sink *sink, int type, int context, const int16_t levels[16], int eob) {
    if (sink->encoder == NULL) {
        visit_tokens(sink, 1, type, context, levels, eob);
    } else {
        visit_tokens(sink, 0, type, context, levels, eob);
    }
}

// The context of the first token is the number of neighbours (above and left) with non-zero levels.
static void visit_in_context(
    const emb_token_sink *sink, int type, const emb_macroblock *macroblock, int index,
    uint8_t *above, uint8_t *left) {
    visit_block(sink, type, *above + *left, macroblock->levels[index], macroblock->eob[index]);
    *above = *left = macroblock->eob[index] > 0;
}

// Visits the side * side blocks of a plane.
static void visit_plane(
    const emb_token_sink *sink, int type, const emb_macroblock *macroblock, int first, int side,
    uint8_t *above, uint8_t *left) {
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            visit_in_context(sink, type, macroblock, first + y * side + x, above + x, left + y);
        }
    }
}

void emb_webp_visit_tokens(const emb_frame *frame, const emb_token_sink *sink) {
    memset(frame->nonzero_above, 0, (size_t)frame->mbs_wide * 9);
    const emb_macroblock *m = frame->macroblocks;
    for (int row = 0; row < frame->mbs_high; row++) {
        uint8_t left[9] = {0};
        for (int column = 0; column < frame->mbs_wide; column++, m++) {
            uint8_t *above = frame->nonzero_above[column];
            if (m->is_skipped) {
                // The Y2 context of a macroblock without a Y2 block is left unchanged.
                size_t count = m->is_i16 ? 9 : 8;
                memset(above, 0, count);
                memset(left, 0, count);
                continue;
            }
            if (m->is_i16) {
                visit_in_context(sink, TYPE_Y2, m, 24, above + 8, left + 8);
            }
            visit_plane(sink, m->is_i16 ? TYPE_Y_AFTER_Y2 : TYPE_Y_WITH_DC, m, 0, 4, above, left);
            visit_plane(sink, TYPE_CHROMA, m, 16, 2, above + 4, left + 4);
            visit_plane(sink, TYPE_CHROMA, m, 20, 2, above + 6, left + 6);
        }
    }
}

void emb_webp_count_branches(
    const emb_token_counts counts, const emb_tree_paths *paths, emb_branch_count *branches) {
    for (int set = 0; set < PROB_SETS; set++, branches += 11) {
        memset(branches, 0, 11 * sizeof *branches);
        for (int token = 0; token < DCT_TOKENS; token++) {
            const emb_tree_path *path = &paths->token[token];
            const uint32_t full = counts[set][0][token], all = full + counts[set][1][token];
            for (int depth = 0; all > 0 && depth < path->depth; depth++) {
                // Tokens after a zero omit the first decision.
                uint32_t count = depth > 0 ? all : full;
                emb_branch_count *branch = &branches[path->nodes[depth]];
                branch->total += count;
                branch->ones += path->bits >> depth & 1 ? count : 0;
            }
        }
    }
}
