#include "compressor.h"

// The code lengths of the literal/length and distance alphabets of a block. Two more symbols of
// each have codes in the fixed Huffman codes, but never occur.
typedef struct emb_block_codes {
    uint8_t litlen_lengths[LITLEN_SYMBOLS + 2];
    uint8_t distance_lengths[DISTANCE_SYMBOLS + 2];
} emb_block_codes;

// The code length alphabet (section 3.2.7).
enum {
    REPEAT_PREVIOUS = 16,
    REPEAT_ZERO = 17,
    REPEAT_ZERO_LONG = 18,
    CODE_LENGTH_SYMBOLS = 19,
    CODE_LENGTH_CODE_LIMIT = 7,
};

// The header of a block with dynamic Huffman codes: the code lengths, encoded with the code length
// alphabet.
typedef struct emb_dynamic_header {
    // The number of code lengths in the file: HLIT + 257, HDIST + 1 and HCLEN + 4.
    unsigned litlen_count;
    unsigned distance_count;
    unsigned symbol_count;
    unsigned code_length_count;
    // Symbols of the code length alphabet, with their extra bits from bit 5 on.
    uint16_t symbols[LITLEN_SYMBOLS + DISTANCE_SYMBOLS];
    uint8_t lengths[CODE_LENGTH_SYMBOLS];
    // The size in bits.
    uint64_t size;
} emb_dynamic_header;

static const uint8_t code_length_order[CODE_LENGTH_SYMBOLS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                               11, 4,  12, 3, 13, 2, 14, 1, 15};

static void put_bits(emb_bit_writer *writer, uint64_t value, unsigned count) {
    writer->buffer |= value << writer->bit_count;
    writer->bit_count += count;
}

// Writes the whole bytes of `buffer`; at least 57 bits of it are free afterwards.
static void flush_bits(emb_bit_writer *writer) {
    uint64_t bytes = writer->buffer;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    memcpy(writer->next, &bytes, sizeof bytes);
    writer->next += writer->bit_count >> 3;
    writer->buffer >>= writer->bit_count & ~7U;
    writer->bit_count &= 7;
}

// Returns the number of extra bits of a symbol of the code length alphabet.
static unsigned extra_bits(unsigned symbol) {
    return symbol < REPEAT_PREVIOUS ? 0
        : symbol == REPEAT_PREVIOUS ? 2
        : symbol == REPEAT_ZERO     ? 3
                                    : 7;
}

// Adds the symbols of a run of equal code lengths.
static void add_run(emb_dynamic_header *header, unsigned length, unsigned run) {
    uint16_t *next = header->symbols + header->symbol_count;
    if (length == 0) {
        for (; run >= 11; run -= run < 138 ? run : 138) {
            *next++ = (uint16_t)(REPEAT_ZERO_LONG | ((run < 138 ? run : 138) - 11) << 5);
        }
        if (run >= 3) {
            *next++ = (uint16_t)(REPEAT_ZERO | (run - 3) << 5);
            run = 0;
        }
    } else {
        *next++ = (uint16_t)length;
        for (run -= 1; run >= 3; run -= run < 6 ? run : 6) {
            *next++ = (uint16_t)(REPEAT_PREVIOUS | ((run < 6 ? run : 6) - 3) << 5);
        }
    }
    for (; run > 0; run--) {
        *next++ = (uint16_t)length;
    }
    header->symbol_count = (unsigned)(next - header->symbols);
}

// Encodes the code lengths and computes the size of the header.
static void make_header(const emb_block_codes *codes, emb_dynamic_header *header) {
    header->litlen_count = LITLEN_SYMBOLS;
    while (codes->litlen_lengths[header->litlen_count - 1] == 0) {
        header->litlen_count--;
    }
    header->distance_count = DISTANCE_SYMBOLS;
    while (codes->distance_lengths[header->distance_count - 1] == 0) {
        header->distance_count--;
    }
    uint8_t all[LITLEN_SYMBOLS + DISTANCE_SYMBOLS];
    unsigned count = header->litlen_count + header->distance_count;
    memcpy(all, codes->litlen_lengths, header->litlen_count);
    memcpy(all + header->litlen_count, codes->distance_lengths, header->distance_count);

    header->symbol_count = 0;
    for (unsigned begin = 0, end = 0; begin < count; begin = end) {
        while (end < count && all[end] == all[begin]) {
            end++;
        }
        add_run(header, all[begin], end - begin);
    }
    uint32_t counts[CODE_LENGTH_SYMBOLS] = {0};
    for (unsigned index = 0; index < header->symbol_count; index++) {
        counts[header->symbols[index] & 31]++;
    }
    emb_huffman_lengths(counts, CODE_LENGTH_SYMBOLS, CODE_LENGTH_CODE_LIMIT, header->lengths);
    header->code_length_count = CODE_LENGTH_SYMBOLS;
    while (header->lengths[code_length_order[header->code_length_count - 1]] == 0) {
        header->code_length_count--;
    }
    header->size = 14 + 3 * header->code_length_count;
    for (unsigned symbol = 0; symbol < CODE_LENGTH_SYMBOLS; symbol++) {
        header->size += (uint64_t)counts[symbol] * (header->lengths[symbol] + extra_bits(symbol));
    }
}

// Writes the header: the lengths of the code length codes in their fixed order, then the code
// lengths of the literal/length and distance alphabets.
static void write_header(emb_bit_writer *writer, const emb_dynamic_header *header) {
    uint16_t codes[CODE_LENGTH_SYMBOLS];
    emb_huffman_codes(header->lengths, CODE_LENGTH_SYMBOLS, codes);
    put_bits(writer, header->litlen_count - FIRST_LENGTH_SYMBOL, 5);
    put_bits(writer, header->distance_count - 1, 5);
    put_bits(writer, header->code_length_count - 4, 4);
    for (unsigned index = 0; index < header->code_length_count; index++) {
        flush_bits(writer);
        put_bits(writer, header->lengths[code_length_order[index]], 3);
    }
    for (unsigned index = 0; index < header->symbol_count; index++) {
        unsigned symbol = header->symbols[index] & 31;
        flush_bits(writer);
        put_bits(writer, codes[symbol], header->lengths[symbol]);
        put_bits(writer, header->symbols[index] >> 5, extra_bits(symbol));
    }
    flush_bits(writer);
}

// The fixed Huffman codes (section 3.2.6).
static void make_fixed_codes(emb_block_codes *codes) {
    memset(codes->litlen_lengths, 8, 144);
    memset(codes->litlen_lengths + 144, 9, 112);
    memset(codes->litlen_lengths + 256, 7, 24);
    memset(codes->litlen_lengths + 280, 8, 8);
    memset(codes->distance_lengths, 5, sizeof codes->distance_lengths);
}

// Returns the size in bits of a block's symbols and their extra bits.
static uint64_t coded_size(const emb_block_codes *codes, const emb_counts *counts) {
    uint64_t size = 0;
    for (unsigned symbol = 0; symbol < LITLEN_SYMBOLS; symbol++) {
        unsigned extra = symbol < FIRST_LENGTH_SYMBOL
            ? 0
            : emb_length_bits(symbol - FIRST_LENGTH_SYMBOL);
        size += (uint64_t)counts->litlen[symbol] * (codes->litlen_lengths[symbol] + extra);
    }
    for (unsigned symbol = 0; symbol < DISTANCE_SYMBOLS; symbol++) {
        unsigned extra = emb_distance_bits(symbol);
        size += (uint64_t)counts->distance[symbol] * (codes->distance_lengths[symbol] + extra);
    }
    return size;
}

// Codes in the lower 16 bits and their lengths in the upper 16 bits, so that one load reads a code
// with its length.
typedef struct emb_codewords {
    uint32_t litlen[LITLEN_SYMBOLS];
    uint32_t distance[DISTANCE_SYMBOLS];
} emb_codewords;

enum { LENGTH_SHIFT = 16 };

static void make_codewords(const uint8_t *lengths, unsigned count, uint32_t *words) {
    uint16_t codes[LITLEN_SYMBOLS + 2];
    emb_huffman_codes(lengths, count + 2, codes);
    for (unsigned symbol = 0; symbol < count; symbol++) {
        words[symbol] = codes[symbol] | (uint32_t)lengths[symbol] << LENGTH_SHIFT;
    }
}

static void put_codeword(emb_bit_writer *writer, uint32_t word) {
    put_bits(writer, word & 0xFFFF, word >> LENGTH_SHIFT);
}

static const uint8_t *write_literals(
    emb_bit_writer *writer, const uint32_t *words, const uint8_t *start, size_t count) {
    for (; count >= 3; count -= 3) {
        put_codeword(writer, words[start[0]]);
        put_codeword(writer, words[start[1]]);
        put_codeword(writer, words[start[2]]);
        flush_bits(writer);
        start += 3;
    }
    for (; count > 0; count--) {
        put_codeword(writer, words[*start++]);
    }
    flush_bits(writer);
    return start;
}

static void write_symbols(
    emb_bit_writer *caller_writer, const emb_block *block, const emb_block_codes *codes) {
    emb_codewords words;
    make_codewords(codes->litlen_lengths, LITLEN_SYMBOLS, words.litlen);
    make_codewords(codes->distance_lengths, DISTANCE_SYMBOLS, words.distance);
    // A local copy stays in registers during stores to memory.
    emb_bit_writer writer = *caller_writer;
    const uint8_t *start = block->start;
    for (size_t index = 0; index < block->sequence_count; index++) {
        emb_sequence sequence = block->sequences[index];
        start = write_literals(&writer, words.litlen, start, sequence.literals);
        unsigned symbol = emb_length_symbol(sequence.length);
        unsigned extra = emb_length_bits(symbol);
        put_codeword(&writer, words.litlen[FIRST_LENGTH_SYMBOL + symbol]);
        put_bits(&writer, (sequence.length - 3U) & ((1U << extra) - 1), extra);
        symbol = emb_distance_symbol(sequence.distance);
        extra = emb_distance_bits(symbol);
        put_codeword(&writer, words.distance[symbol]);
        put_bits(&writer, (sequence.distance - 1U) & ((1U << extra) - 1), extra);
        flush_bits(&writer);
        start += sequence.length;
    }
    write_literals(&writer, words.litlen, start, (size_t)(block->end - start));
    put_codeword(&writer, words.litlen[END_OF_BLOCK]);
    flush_bits(&writer);
    *caller_writer = writer;
}

// Writes stored blocks (section 3.2.4).
static void write_stored(emb_bit_writer *writer, const emb_block *block, int is_last) {
    const uint8_t *start = block->start;
    do {
        size_t left = (size_t)(block->end - start);
        size_t count = left < 65535 ? left : 65535;
        put_bits(writer, is_last && count == left, 3);
        writer->bit_count = (writer->bit_count + 7) & ~7U;
        flush_bits(writer);
        put_bits(writer, count | (count ^ 65535) << 16, 32);
        flush_bits(writer);
        memcpy(writer->next, start, count);
        writer->next += count;
        start += count;
    } while (start < block->end);
}

void emb_write_block(
    emb_bit_writer *writer, const emb_block *block, const emb_counts *counts, int is_last) {
    emb_block_codes dynamic = {0};
    emb_block_codes fixed;
    emb_dynamic_header header;
    emb_huffman_lengths(counts->litlen, LITLEN_SYMBOLS, MAX_CODE_LENGTH, dynamic.litlen_lengths);
    emb_huffman_lengths(
        counts->distance, DISTANCE_SYMBOLS, MAX_CODE_LENGTH, dynamic.distance_lengths);
    make_header(&dynamic, &header);
    make_fixed_codes(&fixed);
    uint64_t dynamic_size = header.size + coded_size(&dynamic, counts);
    uint64_t fixed_size = coded_size(&fixed, counts);
    size_t bytes = (size_t)(block->end - block->start);
    uint64_t stored_size = 8 * (uint64_t)bytes + 40 * (uint64_t)(bytes / 65535 + 1);
    if (stored_size < dynamic_size && stored_size < fixed_size) {
        write_stored(writer, block, is_last);
    } else if (fixed_size <= dynamic_size) {
        put_bits(writer, (unsigned)is_last | 1 << 1, 3);
        write_symbols(writer, block, &fixed);
    } else {
        put_bits(writer, (unsigned)is_last | 2 << 1, 3);
        write_header(writer, &header);
        write_symbols(writer, block, &dynamic);
    }
}
