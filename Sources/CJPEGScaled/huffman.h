#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

// Reads the bits of entropy-coded data and looks up Huffman codes. Section numbers refer to ITU-T
// T.81.

// Hot functions work on copies in registers; only rare paths take an address.
#define EMB_INLINE static inline __attribute__((always_inline))
// Marks conditions that hold for few codes.
#define EMB_RARE(condition) (condition)

// A bit reader of an entropy-coded segment, most significant bit first.
typedef struct emb_jpeg_reader {
    // The next bits, from the highest bit down.
    uint64_t buffer;
    // The number of bits in `buffer`, including padding.
    int bits_left;
    // The number of zeros that were added after the data ended. If it exceeds `bits_left`, some of
    // them were consumed.
    int padding;
    const uint8_t *next;
    const uint8_t *end;
} emb_jpeg_reader;

enum {
    // The longest code that the table `lookup` holds; libjpeg's HUFF_LOOKAHEAD.
    EMB_JPEG_LOOKUP_BITS = 10,
    EMB_JPEG_SKIP_BITS = 11,
};

// A Huffman table prepared for decoding.
//
// An entry describes a code: its length in the lowest byte, its symbol (HUFFVAL) in the next byte,
// and in the third byte the length including the bits that follow the code. 0 means that no such
// code exists.
typedef struct emb_jpeg_huffman {
    // The entries by the next EMB_JPEG_LOOKUP_BITS bits; 0 also for longer codes.
    uint32_t lookup[1 << EMB_JPEG_LOOKUP_BITS];
    // For each code length, the end of its codes (MAXCODE + 1), aligned to 16 bits, and the
    // difference between the index of a symbol and its code.
    uint32_t code_end[17];
    int32_t value_offset[17];
    uint8_t symbols[256];
    // For AC coefficients that are not needed: all complete codes with their extra bits within the
    // next EMB_JPEG_SKIP_BITS bits. The lowest four bits are their length, the next six the number
    // of coefficients; the highest bit is set if the block ends (EOB).
    uint16_t skip[1 << EMB_JPEG_SKIP_BITS];
} emb_jpeg_huffman;

// The AC symbols without a coefficient (F.1.2.2): the end of the block, and a run of 16 zeros.
enum { EMB_JPEG_EOB = 0x00, EMB_JPEG_ZRL = 0xF0 };

// The parts of an entry. RRRR is the number of zero coefficients before this one, SSSS the number
// of its bits; a DC symbol is SSSS alone. The total length includes those bits.
#define EMB_JPEG_CODE_LENGTH(entry) ((entry)&255)
#define EMB_JPEG_SYMBOL(entry) ((entry) >> 8 & 255)
#define EMB_JPEG_HAS_SYMBOL(entry, symbol) (((entry)&0xFF00) == (symbol) << 8)
#define EMB_JPEG_RRRR(entry) ((entry) >> 12 & 15)
#define EMB_JPEG_SSSS(entry) ((entry) >> 8 & 15)
#define EMB_JPEG_TOTAL_LENGTH(entry) ((entry) >> 16)

// Prepares a table from a DHT segment (BITS and HUFFVAL) for DC (`is_dc`) or AC coefficients.
// Returns 0 where libjpeg would reject it.
int emb_jpeg_huffman_init(
    emb_jpeg_huffman *table, int is_dc, const uint8_t *bits, const uint8_t *huffval);

// Computes `skip`, which only scans with all coefficients of a block need.
void emb_jpeg_huffman_init_skip(emb_jpeg_huffman *table);

// Returns the entry of a code longer than EMB_JPEG_LOOKUP_BITS; `next` holds the next 16 bits.
uint32_t emb_jpeg_find_long_code(const emb_jpeg_huffman *table, uint32_t next);

// Reads byte by byte, removes stuffed zeros and pads with zeros at a marker or at the end.
void emb_jpeg_fill_bytewise(emb_jpeg_reader *reader);

EMB_INLINE void emb_jpeg_reader_init(
    emb_jpeg_reader *reader, const uint8_t *start, const uint8_t *end) {
    reader->buffer = 0;
    reader->bits_left = 0;
    reader->padding = 0;
    reader->next = start;
    reader->end = end;
}

// Returns whether more bits were consumed than the data holds.
EMB_INLINE int emb_jpeg_reader_is_overrun(const emb_jpeg_reader *reader) {
    return reader->bits_left < reader->padding;
}

// Ensures that at least 32 bits are available.
EMB_INLINE void emb_jpeg_fill(emb_jpeg_reader *reader) {
    if (reader->bits_left >= 32) {
        return;
    }
    if (!EMB_RARE(reader->end - reader->next < 8)) {
        uint64_t word;
        memcpy(&word, reader->next, 8);
        // No byte is 0xFF, which would be followed by a stuffed zero or a marker.
        if (!EMB_RARE(word & (~word - 0x0101010101010101u) & 0x8080808080808080u)) {
            // The last byte may be loaded in part; the next call loads the same bits again.
            reader->buffer |= __builtin_bswap64(word) >> reader->bits_left;
            int bytes = (63 - reader->bits_left) >> 3;
            reader->next += bytes;
            reader->bits_left += bytes * 8;
            return;
        }
    }
    emb_jpeg_reader copy = *reader;
    emb_jpeg_fill_bytewise(&copy);
    *reader = copy;
}

EMB_INLINE void emb_jpeg_skip_bits(emb_jpeg_reader *reader, int count) {
    reader->buffer <<= count;
    reader->bits_left -= count;
}

// Returns the next `count` bits, at least one (RECEIVE, F.2.2.4).
EMB_INLINE unsigned emb_jpeg_receive(emb_jpeg_reader *reader, int count) {
    unsigned value = (unsigned)(reader->buffer >> (64 - count));
    emb_jpeg_skip_bits(reader, count);
    return value;
}

// Returns the entry of the next code without consuming it (DECODE, F.2.2.3). 16 bits must be
// available.
EMB_INLINE uint32_t
emb_jpeg_find_code(const emb_jpeg_reader *reader, const emb_jpeg_huffman *table) {
    uint32_t entry = table->lookup[reader->buffer >> (64 - EMB_JPEG_LOOKUP_BITS)];
    if (EMB_RARE(entry == 0)) {
        entry = emb_jpeg_find_long_code(table, (uint32_t)(reader->buffer >> 48));
    }
    return entry;
}

// Returns the signed value of SSSS extra bits, at least one (EXTEND, F.2.2.1).
EMB_INLINE int emb_jpeg_extend(unsigned bits, int ssss) {
    int half = 1 << (ssss - 1);
    return (int)bits - ((int)bits < half ? 2 * half - 1 : 0);
}
