#include "trees.h"

#include <stdlib.h>
#include <string.h>

// Returns the set of token probabilities, which depends on block type, band and context (section
// 13.3).
static inline int set_of(int kind, int index, int context) {
    return (kind * 8 + emb_webp_bands[index]) * 3 + context;
}

// Writes the extra bits of a token: the offset within its category, and the sign.
static inline void put_rest(emb_packer *to, int token, int level) {
    if (token >= DCT_CAT1) {
        const emb_category *category = &emb_webp_categories[token - DCT_CAT1];
        int above = abs(level) - category->least;
        for (int bit = 0; bit < category->bits; bit++) {
            emb_webp_put(to, above >> (category->bits - 1 - bit) & 1, category->likely[bit]);
        }
    }
    emb_webp_put(to, level < 0, 128);
}

// Visits the tokens of a block; compiled once for counting and once for writing.
static inline __attribute__((always_inline)) void go_through(
    const emb_sink *sink, int is_counted, int kind, int context, const int16_t levels[16],
    int end) {
    // EOB is impossible after a zero, so the tree's first decision is omitted.
    int from = 0;
    for (int index = kind == AFTER_DC_KIND; index < 16; index++) {
        const int set = set_of(kind, index, context);
        const int level = index < end ? levels[index] : 0, size = abs(level);
        const int token = index < end ? emb_webp_token(size) : DCT_EOB;
        if (is_counted) {
            sink->counts[set][from][token] += 1;
        } else {
            emb_webp_put_way(sink->to, &sink->ways->token[token], from, sink->likely + set * 11);
            if (level != 0) {
                put_rest(sink->to, token, level);
            }
        }
        if (token == DCT_EOB) {
            return;
        }
        from = token == DCT_0;
        context = size < 2 ? size : 2;
    }
}

static void put_block(
    const emb_sink *sink, int kind, int context, const int16_t levels[16], int end) {
    if (sink->to == NULL) {
        go_through(sink, 1, kind, context, levels, end);
    } else {
        go_through(sink, 0, kind, context, levels, end);
    }
}

// The context of the first token is the number of neighbours (above and left) with non-zero levels.
static void put_in_context(
    const emb_sink *sink, int kind, const emb_macroblock *m, int index, uint8_t *above,
    uint8_t *left) {
    put_block(sink, kind, *above + *left, m->levels[index], m->ends[index]);
    *above = *left = m->ends[index] > 0;
}

static void put_square(
    const emb_sink *sink, int kind, const emb_macroblock *m, int first, int side, uint8_t *above,
    uint8_t *left) {
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            put_in_context(sink, kind, m, first + y * side + x, above + x, left + y);
        }
    }
}

void emb_webp_levels(const emb_frame *frame, const emb_sink *sink) {
    memset(frame->above, 0, (size_t)frame->across * 9);
    const emb_macroblock *m = frame->blocks;
    for (int row = 0; row < frame->down; row++) {
        uint8_t left[9] = {0};
        for (int column = 0; column < frame->across; column++, m++) {
            uint8_t *above = frame->above[column];
            if (m->is_skipped) {
                // The Y2 context of a macroblock without a Y2 block is left unchanged.
                size_t count = m->is_whole ? 9 : 8;
                memset(above, 0, count);
                memset(left, 0, count);
                continue;
            }
            if (m->is_whole) {
                put_in_context(sink, DC_KIND, m, 24, above + 8, left + 8);
            }
            put_square(sink, m->is_whole ? AFTER_DC_KIND : WHOLE_KIND, m, 0, 4, above, left);
            put_square(sink, CHROMA_KIND, m, 16, 2, above + 4, left + 4);
            put_square(sink, CHROMA_KIND, m, 20, 2, above + 6, left + 6);
        }
    }
}

void emb_webp_tally(const emb_counts counts, const emb_ways *ways, emb_tally *tallies) {
    for (int set = 0; set < LIKELY_SETS; set++, tallies += 11) {
        memset(tallies, 0, 11 * sizeof *tallies);
        for (int token = 0; token < DCT_TOKENS; token++) {
            const emb_way *way = &ways->token[token];
            const uint32_t first = counts[set][0][token], all = first + counts[set][1][token];
            for (int step = 0; all > 0 && step < way->steps; step++) {
                uint32_t count = step > 0 ? all : first;
                emb_tally *tally = &tallies[way->nodes[step]];
                tally->all += count;
                tally->yes += way->bits >> step & 1 ? count : 0;
            }
        }
    }
}
