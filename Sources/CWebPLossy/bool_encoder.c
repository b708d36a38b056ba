#include "bool_encoder.h"

emb_bool_encoder emb_webp_bool_encoder(uint8_t *start, size_t capacity) {
    return (emb_bool_encoder){start, start + capacity, start, 0, 255, 0, 0};
}

void emb_webp_flush_bytes(emb_bool_encoder *encoder) {
    while (encoder->bit_count >= 8) {
        uint64_t byte = encoder->bottom >> encoder->bit_count;
        // Propagate the carry into the bytes before.
        if (byte > 255) {
            for (uint8_t *past = encoder->next; past > encoder->start && ++*--past == 0;) {
            }
        }
        if (encoder->next < encoder->end) {
            *encoder->next++ = (uint8_t)byte;
        } else {
            encoder->is_full = 1;
        }
        encoder->bottom &= ((uint64_t)1 << encoder->bit_count) - 1;
        encoder->bit_count -= 8;
    }
}

void emb_webp_put_literal(emb_bool_encoder *encoder, int value, int bits) {
    while (bits-- > 0) {
        emb_webp_put_bool(encoder, value >> bits & 1, 128);
    }
}

size_t emb_webp_finish(emb_bool_encoder *encoder) {
    int rest = (8 - (encoder->bit_count & 7)) & 7;
    encoder->bottom <<= rest;
    encoder->bit_count += rest + 8;
    encoder->bottom <<= 8;
    emb_webp_flush_bytes(encoder);
    return encoder->is_full ? 0 : (size_t)(encoder->next - encoder->start);
}
