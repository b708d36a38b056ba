#include "webp_pack.h"

#include <string.h>

static inline int answer(const emb_sink *sink, size_t question, int bit) {
    if (sink->to != NULL) {
        return emb_webp_put(sink->to, bit, sink->likely[question]);
    }
    sink->tallies[question].all += 1;
    sink->tallies[question].yes += (uint32_t)bit;
    return bit;
}

static inline void put_fixed(const emb_sink *sink, int bit, int likely) {
    if (sink->to != NULL) {
        emb_webp_put(sink->to, bit, likely);
    }
}

static inline size_t questions(int kind, int place, int before) {
    return (size_t)(((kind * 8 + emb_webp_bands[place]) * 3 + before) * 11);
}

static void large_size(const emb_sink *sink, size_t q, int size) {
    if (!answer(sink, q + 3, size > 4)) {
        if (answer(sink, q + 4, size > 2)) {
            answer(sink, q + 5, size == 4);
        }
    } else if (!answer(sink, q + 6, size > 10)) {
        if (!answer(sink, q + 7, size > 6)) {
            put_fixed(sink, size == 6, 159);
        } else {
            put_fixed(sink, size >= 9, 165);
            put_fixed(sink, !(size & 1), 145);
        }
    } else {
        int tail = size < 19 ? 0 : size < 35 ? 1 : size < 67 ? 2 : 3;
        answer(sink, q + 8, tail >> 1);
        answer(sink, q + 9 + (size_t)(tail >> 1), tail & 1);
        int bits = tail == 3 ? 11 : tail + 3, rest = size - (3 + (8 << tail));
        for (int bit = 0; bit < bits; bit++) {
            put_fixed(sink, rest >> (bits - 1 - bit) & 1, emb_webp_tails[tail][bit]);
        }
    }
}

static void block(const emb_sink *sink, int kind, int before, const int16_t *levels, int end) {
    int n = kind == AFTER_DC_KIND;
    size_t q = questions(kind, n, before);
    if (!answer(sink, q, end > 0)) {
        return;
    }
    while (n < 16) {
        int level = levels[n], size = level < 0 ? -level : level;
        n += 1;
        if (!answer(sink, q + 1, size > 0)) {
            q = questions(kind, n, 0);
            continue;
        }
        if (answer(sink, q + 2, size > 1)) {
            large_size(sink, q, size);
        }
        q = questions(kind, n, size > 1 ? 2 : 1);
        put_fixed(sink, level < 0, 128);
        if (n == 16 || !answer(sink, q, n < end)) {
            return;
        }
    }
}

static void row_of_blocks(
    const emb_sink *sink, const emb_macroblock *m, int kind, int first, int side, uint8_t *above,
    uint8_t *left) {
    for (int i = 0; i < side * side; i++) {
        uint8_t *a = above + i % side, *l = left + i / side;
        int end = m->ends[first + i];
        block(sink, kind, *a + *l, m->levels[first + i], end);
        *a = *l = end > 0;
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
                size_t count = m->is_whole ? 9 : 8;
                memset(above, 0, count);
                memset(left, 0, count);
                continue;
            }
            if (m->is_whole) {
                block(sink, DC_KIND, above[8] + left[8], m->levels[24], m->ends[24]);
                above[8] = left[8] = m->ends[24] > 0;
            }
            row_of_blocks(sink, m, m->is_whole ? AFTER_DC_KIND : WHOLE_KIND, 0, 4, above, left);
            row_of_blocks(sink, m, CHROMA_KIND, 16, 2, above + 4, left + 4);
            row_of_blocks(sink, m, CHROMA_KIND, 20, 2, above + 6, left + 6);
        }
    }
}
