#include "webp_pack.h"

#include <string.h>

static int likely_of(uint32_t all, uint32_t yes) {
    return yes ? 255 - (int)((uint64_t)yes * 255 / all) : 255;
}

static uint64_t bits_of(uint32_t all, uint32_t yes, int likely) {
    return (uint64_t)yes * emb_webp_costs[256 - likely]
        + (uint64_t)(all - yes) * emb_webp_costs[likely];
}

// Says which likelihoods are others than the usual ones: those that save more than it costs.
static void put_likely(emb_packer *to, const emb_tally *tallies, uint8_t *likely) {
    for (size_t q = 0; q < 4 * 8 * 3 * 11; q++) {
        int old = emb_webp_coefficients[q], rare = emb_webp_updates[q];
        int new = likely_of(tallies[q].all, tallies[q].yes);
        uint64_t keeping = bits_of(tallies[q].all, tallies[q].yes, old) + emb_webp_costs[rare];
        uint64_t telling =
            bits_of(tallies[q].all, tallies[q].yes, new) + emb_webp_costs[256 - rare] + 8 * 256;
        likely[q] = (uint8_t)(telling < keeping ? new : old);
        if (emb_webp_put(to, telling < keeping, rare)) {
            emb_webp_put_number(to, new, 8);
        }
    }
}

static void put_small_mode(emb_packer *to, int mode, const uint8_t *likely) {
    if (emb_webp_put(to, mode != DC_MODE, likely[0]) && emb_webp_put(to, mode != TM_MODE, likely[1])
        && emb_webp_put(to, mode != VE_MODE, likely[2])) {
        if (!emb_webp_put(to, mode >= LD_MODE, likely[3])) {
            if (emb_webp_put(to, mode != HE_MODE, likely[4])) {
                emb_webp_put(to, mode != RD_MODE, likely[5]);
            }
        } else if (emb_webp_put(to, mode != LD_MODE, likely[6])
                   && emb_webp_put(to, mode != VL_MODE, likely[7])) {
            emb_webp_put(to, mode != HD_MODE, likely[8]);
        }
    }
}

static void put_modes(emb_packer *to, const emb_frame *frame, int skip_likely) {
    memset(frame->modes_above, DC_MODE, (size_t)frame->across * 4);
    const emb_macroblock *m = frame->blocks;
    for (int row = 0; row < frame->down; row++) {
        uint8_t left[4] = {DC_MODE, DC_MODE, DC_MODE, DC_MODE};
        for (int column = 0; column < frame->across; column++, m++) {
            uint8_t *above = frame->modes_above + column * 4;
            emb_webp_put(to, m->is_skipped, skip_likely);
            if (emb_webp_put(to, m->is_whole, 145)) {
                int mode = m->modes[0];
                if (emb_webp_put(to, mode == TM_MODE || mode == HE_MODE, 156)) {
                    emb_webp_put(to, mode == TM_MODE, 128);
                } else {
                    emb_webp_put(to, mode == VE_MODE, 163);
                }
            }
            for (int i = 0; i < 16; i++) {
                uint8_t *a = above + (i & 3), *l = left + (i >> 2);
                if (!m->is_whole) {
                    put_small_mode(to, m->modes[i], emb_webp_modes + (*a * 10 + *l) * 9);
                }
                *a = *l = m->modes[i];
            }
            if (emb_webp_put(to, m->chroma != DC_MODE, 142)
                && emb_webp_put(to, m->chroma != VE_MODE, 114)) {
                emb_webp_put(to, m->chroma != HE_MODE, 183);
            }
        }
    }
}

static int filter_level(int quantizer) {
    int level = (emb_webp_ac[quantizer] >> 2) * 300 / 256;
    return level < 2 ? 0 : level > 63 ? 63 : level;
}

size_t emb_webp_write(const emb_frame *frame, uint8_t *output, size_t capacity) {
    emb_tally tallies[4 * 8 * 3 * 11];
    uint8_t likely[4 * 8 * 3 * 11];
    memset(tallies, 0, sizeof tallies);
    emb_webp_levels(frame, &(emb_sink){NULL, NULL, tallies});
    int count = frame->across * frame->down, skipped = 0;
    for (int i = 0; i < count; i++) {
        skipped += frame->blocks[i].is_skipped;
    }
    int skip_likely = likely_of((uint32_t)count, (uint32_t)skipped);
    if (capacity < 16) {
        return 0;
    }
    emb_packer to = emb_webp_packer(output + 10, capacity - 10);
    // No other colours, values are clamped, one segment.
    emb_webp_put_number(&to, 0, 3);
    // The thorough filter, its level and sharpness, the same for all.
    emb_webp_put_number(&to, 0, 1);
    emb_webp_put_number(&to, filter_level(frame->quantizer), 6);
    emb_webp_put_number(&to, 0, 4);
    // One part of levels; one quantizer, no differences.
    emb_webp_put_number(&to, 0, 2);
    emb_webp_put_number(&to, frame->quantizer, 7);
    emb_webp_put_number(&to, 0, 5);
    emb_webp_put_number(&to, 0, 1);
    put_likely(&to, tallies, likely);
    emb_webp_put_number(&to, 1, 1);
    emb_webp_put_number(&to, skip_likely, 8);
    put_modes(&to, frame, skip_likely);
    size_t modes = emb_webp_finish(&to);
    if (modes == 0 || modes >= 1 << 19) {
        return 0;
    }
    emb_packer rest = emb_webp_packer(output + 10 + modes, capacity - 10 - modes);
    emb_webp_levels(frame, &(emb_sink){&rest, likely, NULL});
    size_t levels = emb_webp_finish(&rest);
    if (levels == 0) {
        return 0;
    }
    uint32_t head = 1u << 4 | (uint32_t)modes << 5;
    const uint8_t bytes[10] = {
        (uint8_t)head, (uint8_t)(head >> 8), (uint8_t)(head >> 16), 0x9D, 0x01, 0x2A,
        (uint8_t)frame->width, (uint8_t)(frame->width >> 8), (uint8_t)frame->height,
        (uint8_t)(frame->height >> 8)};
    memcpy(output, bytes, sizeof bytes);
    return 10 + modes + levels;
}
