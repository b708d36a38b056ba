#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

// Functions work on copies in registers; only rare paths take an address.
#define EMB_INLINE static inline __attribute__((always_inline))
#define EMB_RARE(condition) (condition)

// The bit reader of an entropy-coded segment, most significant bit first.
typedef struct emb_jpeg_bits {
    // The next bits, from the highest bit down.
    uint64_t window;
    // The number of valid bits, including padding zeros.
    int count;
    // The number of padding zeros after the data ended; if it exceeds `count`, some were consumed.
    int made_up;
    const uint8_t *at;
    const uint8_t *end;
} emb_jpeg_bits;

enum { EMB_JPEG_QUICK_BITS = 10, EMB_JPEG_SKIP_BITS = 11 };

// A Huffman table prepared for decoding. A lookup gives the code length in the lowest byte, the
// symbol in the next, and in the third the length including the extra bits; 0 means no such code.
typedef struct emb_jpeg_code {
    uint32_t quick[1 << EMB_JPEG_QUICK_BITS];
    // Per length: the first code beyond it, shifted to 16 bits, and the offset of its symbols.
    uint32_t beyond[17];
    int32_t offset[17];
    uint8_t symbols[256];
    // For AC coefficients that are not needed: all complete codes with their extra bits within the
    // next bits. The lowest four bits are their length, the next six the number of coefficients;
    // the highest bit is set if the block ends (EOB).
    uint16_t skip[1 << EMB_JPEG_SKIP_BITS];
} emb_jpeg_code;

// Builds `code` from a DHT table for DC (`is_dc`) or AC coefficients; returns 0 where libjpeg would
// reject it.
int emb_jpeg_code_make(emb_jpeg_code *code, int is_dc, const uint8_t *bits, const uint8_t *symbols);

void emb_jpeg_code_make_skips(emb_jpeg_code *code);

// Looks up codes longer than EMB_JPEG_QUICK_BITS by the next 16 bits.
uint32_t emb_jpeg_code_find_slowly(const emb_jpeg_code *code, uint32_t next);

void emb_jpeg_bits_refill_slowly(emb_jpeg_bits *bits);

EMB_INLINE void emb_jpeg_bits_open(emb_jpeg_bits *bits, const uint8_t *at, const uint8_t *end) {
    bits->window = 0;
    bits->count = 0;
    bits->made_up = 0;
    bits->at = at;
    bits->end = end;
}

// Whether more bits were consumed than the data holds.
EMB_INLINE int emb_jpeg_bits_overdrawn(const emb_jpeg_bits *bits) {
    return bits->count < bits->made_up;
}

// Ensures that at least 32 bits are available.
EMB_INLINE void emb_jpeg_bits_refill(emb_jpeg_bits *bits) {
    if (bits->count >= 32) {
        return;
    }
    if (!EMB_RARE(bits->end - bits->at < 8)) {
        uint64_t word;
        memcpy(&word, bits->at, 8);
        // No byte is 0xFF, which would be followed by a stuffed zero or a marker.
        if (!EMB_RARE(word & (~word - 0x0101010101010101u) & 0x8080808080808080u)) {
            // The last byte may be loaded in part; the next refill loads the same bits again.
            bits->window |= __builtin_bswap64(word) >> bits->count;
            int bytes = (63 - bits->count) >> 3;
            bits->at += bytes;
            bits->count += bytes * 8;
            return;
        }
    }
    emb_jpeg_bits copy = *bits;
    emb_jpeg_bits_refill_slowly(&copy);
    *bits = copy;
}

EMB_INLINE void emb_jpeg_bits_drop(emb_jpeg_bits *bits, int count) {
    bits->window <<= count;
    bits->count -= count;
}

// Returns the next `count` bits; `count` is at least one.
EMB_INLINE unsigned emb_jpeg_bits_take(emb_jpeg_bits *bits, int count) {
    unsigned value = (unsigned)(bits->window >> (64 - count));
    emb_jpeg_bits_drop(bits, count);
    return value;
}

// Looks up the next code without consuming it; 16 bits must be available.
EMB_INLINE uint32_t emb_jpeg_bits_find(const emb_jpeg_bits *bits, const emb_jpeg_code *code) {
    uint32_t found = code->quick[bits->window >> (64 - EMB_JPEG_QUICK_BITS)];
    if (EMB_RARE(found == 0)) {
        found = emb_jpeg_code_find_slowly(code, (uint32_t)(bits->window >> 48));
    }
    return found;
}

// Decodes `size` extra bits, at least one, to a signed value (EXTEND, T.81 F.2.2.1).
EMB_INLINE int emb_jpeg_number(unsigned value, int size) {
    int half = 1 << (size - 1);
    return (int)value - ((int)value < half ? 2 * half - 1 : 0);
}
