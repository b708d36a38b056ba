#include "pack.h"

emb_packer emb_webp_packer(uint8_t *start, size_t capacity) {
    return (emb_packer){start, start + capacity, start, 0, 255, 0, 0};
}

void emb_webp_spill(emb_packer *to) {
    while (to->bits >= 8) {
        uint64_t byte = to->low >> to->bits;
        // Propagate the carry into the bytes before.
        if (byte > 255) {
            for (uint8_t *past = to->at; past > to->start && ++*--past == 0;) {
            }
        }
        if (to->at < to->end) {
            *to->at++ = (uint8_t)byte;
        } else {
            to->is_full = 1;
        }
        to->low &= ((uint64_t)1 << to->bits) - 1;
        to->bits -= 8;
    }
}

void emb_webp_put_number(emb_packer *to, int number, int bits) {
    while (bits-- > 0) {
        emb_webp_put(to, number >> bits & 1, 128);
    }
}

size_t emb_webp_finish(emb_packer *to) {
    int rest = (8 - (to->bits & 7)) & 7;
    to->low <<= rest;
    to->bits += rest + 8;
    to->low <<= 8;
    emb_webp_spill(to);
    return to->is_full ? 0 : (size_t)(to->at - to->start);
}
