#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

// Everything below works on copies that live in registers; only what is rare takes an address.
#define EMB_INLINE static inline __attribute__((always_inline))
#define EMB_RARE(condition) (condition)

// The bits of one entropy-coded segment, most significant first.
typedef struct emb_jpeg_bits {
    // The next bits, from the highest down.
    uint64_t window;
    // How many of them are there, made-up zeros included.
    int count;
    // Zeros made up after the data ended: more of them than `count` means that some were used.
    int made_up;
    const uint8_t *at;
    const uint8_t *end;
} emb_jpeg_bits;

enum { EMB_JPEG_QUICK_BITS = 10, EMB_JPEG_SKIP_BITS = 11 };

// A Huffman code made ready for decoding. What is found for the next bits is the code's length
// in the lowest byte, its symbol in the next, and in the third the length with the bits of the
// number that follows the code; 0 where there is no such code.
typedef struct emb_jpeg_code {
    uint32_t quick[1 << EMB_JPEG_QUICK_BITS];
    // By length: the first code beyond it, moved up to 16 bits, and where its symbols are.
    uint32_t beyond[17];
    int32_t offset[17];
    uint8_t symbols[256];
    // For waves that nobody needs: all whole codes with their numbers in the next bits at once.
    // Their length is in the lowest four bits, the coefficients they cover in the next six; the
    // last bit is set where the block ends with them.
    uint16_t skip[1 << EMB_JPEG_SKIP_BITS];
} emb_jpeg_code;

// Makes `code` of a table as it stands in the file, for differences of means (`is_dc`) or for other
// waves; 0 where libjpeg would refuse it.
int emb_jpeg_code_make(emb_jpeg_code *code, int is_dc, const uint8_t *bits, const uint8_t *symbols);

void emb_jpeg_code_make_skips(emb_jpeg_code *code);

// What is found for codes of more than the quick bits, by the next 16 bits.
uint32_t emb_jpeg_code_find_slowly(const emb_jpeg_code *code, uint32_t next);

void emb_jpeg_bits_refill_slowly(emb_jpeg_bits *bits);

EMB_INLINE void emb_jpeg_bits_open(emb_jpeg_bits *bits, const uint8_t *at, const uint8_t *end) {
    bits->window = 0;
    bits->count = 0;
    bits->made_up = 0;
    bits->at = at;
    bits->end = end;
}

// Bits were used that the data does not hold.
EMB_INLINE int emb_jpeg_bits_overdrawn(const emb_jpeg_bits *bits) {
    return bits->count < bits->made_up;
}

// Sees to it that there are at least 32 bits.
EMB_INLINE void emb_jpeg_bits_refill(emb_jpeg_bits *bits) {
    if (bits->count >= 32) {
        return;
    }
    if (!EMB_RARE(bits->end - bits->at < 8)) {
        uint64_t word;
        memcpy(&word, bits->at, 8);
        // No byte is 255, after which a stuffed zero or a marker stands.
        if (!EMB_RARE(word & (~word - 0x0101010101010101u) & 0x8080808080808080u)) {
            // The last byte may enter in part; the next time it enters again, the same.
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

// The next `count` bits, at least one.
EMB_INLINE unsigned emb_jpeg_bits_take(emb_jpeg_bits *bits, int count) {
    unsigned value = (unsigned)(bits->window >> (64 - count));
    emb_jpeg_bits_drop(bits, count);
    return value;
}

// What is found for the next code, which is not dropped. There must be 16 bits.
EMB_INLINE uint32_t emb_jpeg_bits_find(const emb_jpeg_bits *bits, const emb_jpeg_code *code) {
    uint32_t found = code->quick[bits->window >> (64 - EMB_JPEG_QUICK_BITS)];
    if (EMB_RARE(found == 0)) {
        found = emb_jpeg_code_find_slowly(code, (uint32_t)(bits->window >> 48));
    }
    return found;
}

// The number that `size` bits stand for, at least one bit: the upper half of them as they are,
// the lower half below zero.
EMB_INLINE int emb_jpeg_number(unsigned value, int size) {
    int half = 1 << (size - 1);
    return (int)value - ((int)value < half ? 2 * half - 1 : 0);
}
