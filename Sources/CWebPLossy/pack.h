#pragma once

#include "parts.h"

// The boolean entropy encoder of RFC 6386, section 7. `emb_webp_finish` flushes the remaining bits.
typedef struct emb_packer {
    uint8_t *start, *end, *at;
    uint64_t low;
    uint32_t range;
    int bits;
    int is_full;
} emb_packer;

emb_packer emb_webp_packer(uint8_t *start, size_t capacity);
void emb_webp_spill(emb_packer *to);
void emb_webp_put_number(emb_packer *to, int number, int bits);
// Returns the number of bytes, or 0 if they did not fit.
size_t emb_webp_finish(emb_packer *to);

static inline int emb_webp_put(emb_packer *to, int bit, int likely) {
    uint32_t split = 1 + (((to->range - 1) * (uint32_t)likely) >> 8);
    if (bit) {
        to->low += split;
        to->range -= split;
    } else {
        to->range = split;
    }
    int shift = __builtin_clz(to->range) - 24;
    to->range <<= shift;
    to->low <<= shift;
    to->bits += shift;
    if (to->bits >= 32) {
        emb_webp_spill(to);
    }
    return bit;
}
