#include "trees.h"

#include <string.h>

// Returns the probability of 0 in 1/256, rounded and limited to 1...255.
static int share_of_no(emb_tally tally) {
    uint32_t no = tally.all - tally.yes;
    int share = (int)(((uint64_t)no * 512 + tally.all) / ((uint64_t)tally.all * 2));
    return share < 1 ? 1 : share > 255 ? 255 : share;
}

// Returns the saving in 1/256 bit of coding decisions with their own probability.
static int64_t saved(emb_tally tally, int usual, int own) {
    const uint16_t *costs = emb_webp_costs;
    int64_t no = tally.all - tally.yes;
    return no * (costs[usual] - costs[own]) +
        (int64_t)tally.yes * (costs[256 - usual] - costs[256 - own]);
}

// Writes the frame's own probabilities where the saving exceeds the cost of an update.
static void put_likely(emb_packer *to, const emb_tally *tallies, uint8_t *likely) {
    for (size_t q = 0; q < LIKELY_SETS * 11; q++) {
        int usual = emb_webp_coefficients[q], rare = emb_webp_updates[q], is_told = 0;
        likely[q] = (uint8_t)usual;
        if (tallies[q].all > 0) {
            int own = share_of_no(tallies[q]);
            int price = 8 * 256 + emb_webp_costs[256 - rare] - emb_webp_costs[rare];
            is_told = saved(tallies[q], usual, own) > price;
            likely[q] = (uint8_t)(is_told ? own : usual);
        }
        if (emb_webp_put(to, is_told, rare)) {
            emb_webp_put_number(to, likely[q], 8);
        }
    }
}

static void put_modes(emb_packer *to, const emb_frame *frame, int skip_likely) {
    const emb_ways *ways = emb_webp_ways();
    memset(frame->modes_above, DC_MODE, (size_t)frame->across * 4);
    const emb_macroblock *m = frame->blocks;
    for (int row = 0; row < frame->down; row++) {
        uint8_t left[4] = {DC_MODE, DC_MODE, DC_MODE, DC_MODE};
        for (int column = 0; column < frame->across; column++, m++) {
            uint8_t *above = frame->modes_above + column * 4;
            int mode = m->is_whole ? m->modes[0] : SMALL_MODES;
            emb_webp_put(to, m->is_skipped, skip_likely);
            emb_webp_put_way(to, &ways->whole[mode], 0, emb_webp_whole_likely);
            for (int i = 0; i < 16; i++) {
                uint8_t *a = above + (i & 3), *l = left + (i >> 2);
                if (!m->is_whole) {
                    const uint8_t *likely = emb_webp_modes +
                        (*a * SMALL_MODES + *l) * (SMALL_MODES - 1);
                    emb_webp_put_way(to, &ways->small[m->modes[i]], 0, likely);
                }
                *a = *l = m->modes[i];
            }
            emb_webp_put_way(to, &ways->chroma[m->chroma], 0, emb_webp_chroma_likely);
        }
    }
}

// Returns the loop filter level. A third of the AC step gave the smallest luma error; fine steps
// need no filter.
static int filter_level(int quantizer) {
    int level = emb_webp_ac[quantizer] / 3;
    return level < 3 ? 0 : level > 63 ? 63 : level;
}

// Writes the frame header fields for the loop filter and the quantizers.
static void put_settings(emb_packer *to, int quantizer) {
    // Colour space 0, clamping required, no segmentation.
    emb_webp_put_number(to, 0, 3);
    // Normal filter; level; sharpness 0 and no adjustments.
    emb_webp_put_number(to, 0, 1);
    emb_webp_put_number(to, filter_level(quantizer), 6);
    emb_webp_put_number(to, 0, 4);
    // One DCT partition; one quantizer index, with a delta of four bits and sign for chroma DC.
    int finer = emb_webp_finer(quantizer);
    emb_webp_put_number(to, 0, 2);
    emb_webp_put_number(to, quantizer, 7);
    emb_webp_put_number(to, 0, 3);
    emb_webp_put_number(to, finer > 0, 1);
    if (finer > 0) {
        emb_webp_put_number(to, finer << 1 | 1, 5);
    }
    emb_webp_put_number(to, 0, 1);
    // The probabilities apply to this frame only.
    emb_webp_put_number(to, 0, 1);
}

// Returns the minimum size of the first partition. Incremental decoding in libwebp, which browsers
// use, rejects a picture if the bit reader, which loads seven bytes ahead, has consumed this
// partition before the modes.
static size_t least_size(const emb_packer *to) {
    return (size_t)(to->at - to->start) + (size_t)(to->bits >> 3) + 12;
}

// Writes the first partition: header, probabilities and modes (sections 9.2 to 9.11 and 19.2).
// Returns its size, or 0 if it does not fit.
static size_t write_modes(
    const emb_frame *frame, const emb_tally *tallies, uint8_t *likely, uint8_t *output,
    size_t capacity) {
    emb_packer to = emb_webp_packer(output, capacity);
    emb_tally skips = {(uint32_t)(frame->across * frame->down), 0};
    for (uint32_t i = 0; i < skips.all; i++) {
        skips.yes += frame->blocks[i].is_skipped;
    }
    put_settings(&to, frame->quantizer);
    put_likely(&to, tallies, likely);
    emb_webp_put_number(&to, 1, 1);
    emb_webp_put_number(&to, share_of_no(skips), 8);
    const size_t least = least_size(&to);
    put_modes(&to, frame, share_of_no(skips));
    size_t size = emb_webp_finish(&to);
    if (size == 0 || size >= 1 << 19 || capacity < least) {
        return 0;
    }
    if (size < least) {
        memset(output + size, 0, least - size);
        size = least;
    }
    return size;
}

size_t emb_webp_write(const emb_frame *frame, uint8_t *output, size_t capacity) {
    enum { HEADER = 10 };
    if (capacity <= HEADER) {
        return 0;
    }
    emb_tally tallies[LIKELY_SETS * 11];
    uint8_t likely[LIKELY_SETS * 11];
    emb_counts counts;
    const emb_ways *ways = emb_webp_ways();
    memset(counts, 0, sizeof counts);
    emb_webp_levels(frame, &(emb_sink){ways, NULL, NULL, counts});
    emb_webp_tally(counts, ways, tallies);
    size_t modes = write_modes(frame, tallies, likely, output + HEADER, capacity - HEADER);
    if (modes == 0) {
        return 0;
    }
    emb_packer rest = emb_webp_packer(output + HEADER + modes, capacity - HEADER - modes);
    emb_webp_levels(frame, &(emb_sink){ways, &rest, likely, NULL});
    size_t levels = emb_webp_finish(&rest);
    if (levels == 0) {
        return 0;
    }
    // The frame tag (key frame, version 0, shown, size of the first partition), start code and
    // size.
    uint32_t head = 1u << 4 | (uint32_t)modes << 5;
    const uint8_t bytes[HEADER] = {
        (uint8_t)head,
        (uint8_t)(head >> 8),
        (uint8_t)(head >> 16),
        0x9D,
        0x01,
        0x2A,
        (uint8_t)frame->width,
        (uint8_t)(frame->width >> 8),
        (uint8_t)frame->height,
        (uint8_t)(frame->height >> 8)};
    memcpy(output, bytes, sizeof bytes);
    return HEADER + modes + levels;
}
