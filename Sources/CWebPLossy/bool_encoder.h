#pragma once

#include "encoder.h"

// The boolean entropy encoder of RFC 6386, section 7.
typedef struct emb_bool_encoder {
    uint8_t *start, *end, *next;
    // The bits that are not written yet. Only a carry can still change the `bit_count` bits above
    // the lowest eight.
    uint64_t bottom;
    uint32_t range;
    int bit_count;
    int is_full;
} emb_bool_encoder;

emb_bool_encoder emb_webp_bool_encoder(uint8_t *start, size_t capacity);
// Writes the whole bytes of `bottom`.
void emb_webp_flush_bytes(emb_bool_encoder *encoder);
// Writes a literal of `bits` bits, each with probability one half.
void emb_webp_put_literal(emb_bool_encoder *encoder, int value, int bits);
// Flushes the remaining bits. Returns the number of bytes, or 0 if they did not fit.
size_t emb_webp_finish(emb_bool_encoder *encoder);

// Writes a bit that is 0 with probability `prob` / 256, and returns it.
static inline int emb_webp_put_bool(emb_bool_encoder *encoder, int bit, int prob) {
    uint32_t split = 1 + (((encoder->range - 1) * (uint32_t)prob) >> 8);
    if (bit) {
        encoder->bottom += split;
        encoder->range -= split;
    } else {
        encoder->range = split;
    }
    int shift = __builtin_clz(encoder->range) - 24;
    encoder->range <<= shift;
    encoder->bottom <<= shift;
    encoder->bit_count += shift;
    if (encoder->bit_count >= 32) {
        emb_webp_flush_bytes(encoder);
    }
    return bit;
}
