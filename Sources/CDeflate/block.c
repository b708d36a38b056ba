#include "parts.h"

// The code lengths of the literal/length and distance alphabets.
typedef struct emb_code_book {
    uint8_t literal_lengths[LITERAL_CODES + 2];
    uint8_t distance_lengths[DISTANCE_CODES + 2];
} emb_code_book;

enum { REPEAT = 16, ZEROS = 17, MANY_ZEROS = 18, STEP_CODES = 19, LONGEST_STEP_CODE = 7 };

// The header of a block with dynamic Huffman codes (section 3.2.7): the code lengths, encoded with
// the code length alphabet.
typedef struct emb_preface {
    unsigned literal_count;
    unsigned distance_count;
    unsigned step_count;
    unsigned length_count;
    // Symbols of the code length alphabet, with their extra bits from bit 5 on.
    uint16_t steps[LITERAL_CODES + DISTANCE_CODES];
    uint8_t lengths[STEP_CODES];
    uint64_t size;
} emb_preface;

static const uint8_t step_order[STEP_CODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                               11, 4,  12, 3, 13, 2, 14, 1, 15};

static void put(emb_bits *bits, uint64_t value, unsigned count) {
    bits->held |= value << bits->held_count;
    bits->held_count += count;
}

// Writes out whole bytes; at least 57 bits are free afterwards.
static void hand_on(emb_bits *bits) {
    uint64_t held = bits->held;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    held = __builtin_bswap64(held);
#endif
    memcpy(bits->next, &held, sizeof held);
    bits->next += bits->held_count >> 3;
    bits->held >>= bits->held_count & ~7U;
    bits->held_count &= 7;
}

static unsigned step_bits(unsigned symbol) {
    return symbol < REPEAT ? 0 : symbol == REPEAT ? 2 : symbol == ZEROS ? 3 : 7;
}

// Adds the symbols of a run of equal code lengths.
static void add_steps(emb_preface *preface, unsigned length, unsigned run) {
    uint16_t *step = preface->steps + preface->step_count;
    if (length == 0) {
        for (; run >= 11; run -= run < 138 ? run : 138) {
            *step++ = (uint16_t)(MANY_ZEROS | ((run < 138 ? run : 138) - 11) << 5);
        }
        if (run >= 3) {
            *step++ = (uint16_t)(ZEROS | (run - 3) << 5);
            run = 0;
        }
    } else {
        *step++ = (uint16_t)length;
        for (run -= 1; run >= 3; run -= run < 6 ? run : 6) {
            *step++ = (uint16_t)(REPEAT | ((run < 6 ? run : 6) - 3) << 5);
        }
    }
    for (; run > 0; run--) {
        *step++ = (uint16_t)length;
    }
    preface->step_count = (unsigned)(step - preface->steps);
}

static void make_preface(const emb_code_book *book, emb_preface *preface) {
    preface->literal_count = LITERAL_CODES;
    while (book->literal_lengths[preface->literal_count - 1] == 0) {
        preface->literal_count--;
    }
    preface->distance_count = DISTANCE_CODES;
    while (book->distance_lengths[preface->distance_count - 1] == 0) {
        preface->distance_count--;
    }
    uint8_t all[LITERAL_CODES + DISTANCE_CODES];
    unsigned count = preface->literal_count + preface->distance_count;
    memcpy(all, book->literal_lengths, preface->literal_count);
    memcpy(all + preface->literal_count, book->distance_lengths, preface->distance_count);

    preface->step_count = 0;
    for (unsigned begin = 0, end = 0; begin < count; begin = end) {
        while (end < count && all[end] == all[begin]) {
            end++;
        }
        add_steps(preface, all[begin], end - begin);
    }
    uint32_t counts[STEP_CODES] = {0};
    for (unsigned step = 0; step < preface->step_count; step++) {
        counts[preface->steps[step] & 31]++;
    }
    emb_code_lengths(counts, STEP_CODES, LONGEST_STEP_CODE, preface->lengths);
    preface->length_count = STEP_CODES;
    while (preface->lengths[step_order[preface->length_count - 1]] == 0) {
        preface->length_count--;
    }
    preface->size = 14 + 3 * preface->length_count;
    for (unsigned symbol = 0; symbol < STEP_CODES; symbol++) {
        preface->size += (uint64_t)counts[symbol] * (preface->lengths[symbol] + step_bits(symbol));
    }
}

static void write_preface(emb_bits *bits, const emb_preface *preface) {
    uint16_t codes[STEP_CODES];
    emb_codes(preface->lengths, STEP_CODES, codes);
    put(bits, preface->literal_count - FIRST_LENGTH, 5);
    put(bits, preface->distance_count - 1, 5);
    put(bits, preface->length_count - 4, 4);
    for (unsigned index = 0; index < preface->length_count; index++) {
        hand_on(bits);
        put(bits, preface->lengths[step_order[index]], 3);
    }
    for (unsigned index = 0; index < preface->step_count; index++) {
        unsigned symbol = preface->steps[index] & 31;
        hand_on(bits);
        put(bits, codes[symbol], preface->lengths[symbol]);
        put(bits, preface->steps[index] >> 5, step_bits(symbol));
    }
    hand_on(bits);
}

// The fixed Huffman codes (section 3.2.6).
static void make_fixed(emb_code_book *book) {
    memset(book->literal_lengths, 8, 144);
    memset(book->literal_lengths + 144, 9, 112);
    memset(book->literal_lengths + 256, 7, 24);
    memset(book->literal_lengths + 280, 8, 8);
    memset(book->distance_lengths, 5, sizeof book->distance_lengths);
}

// Returns the bits of a block's symbols and their extra bits.
static uint64_t size_of(const emb_code_book *book, const emb_counts *counts) {
    uint64_t size = 0;
    for (unsigned symbol = 0; symbol < LITERAL_CODES; symbol++) {
        unsigned more = symbol < FIRST_LENGTH ? 0 : emb_length_bits(symbol - FIRST_LENGTH);
        size += (uint64_t)counts->literals[symbol] * (book->literal_lengths[symbol] + more);
    }
    for (unsigned symbol = 0; symbol < DISTANCE_CODES; symbol++) {
        unsigned more = emb_distance_bits(symbol);
        size += (uint64_t)counts->distances[symbol] * (book->distance_lengths[symbol] + more);
    }
    return size;
}

// Codes with their lengths in the upper half, so that one load reads both.
typedef struct emb_code_words {
    uint32_t literals[LITERAL_CODES];
    uint32_t distances[DISTANCE_CODES];
} emb_code_words;

enum { LENGTH_SHIFT = 16 };

static void make_words(const uint8_t *lengths, unsigned count, uint32_t *words) {
    uint16_t codes[LITERAL_CODES + 2];
    emb_codes(lengths, count + 2, codes);
    for (unsigned symbol = 0; symbol < count; symbol++) {
        words[symbol] = codes[symbol] | (uint32_t)lengths[symbol] << LENGTH_SHIFT;
    }
}

static void put_word(emb_bits *bits, uint32_t word) {
    put(bits, word & 0xFFFF, word >> LENGTH_SHIFT);
}

static const uint8_t *write_literals(
    emb_bits *bits, const uint32_t *words, const uint8_t *start, size_t count) {
    for (; count >= 3; count -= 3) {
        put_word(bits, words[start[0]]);
        put_word(bits, words[start[1]]);
        put_word(bits, words[start[2]]);
        hand_on(bits);
        start += 3;
    }
    for (; count > 0; count--) {
        put_word(bits, words[*start++]);
    }
    hand_on(bits);
    return start;
}

static void write_symbols(emb_bits *given, const emb_block *block, const emb_code_book *book) {
    emb_code_words words;
    make_words(book->literal_lengths, LITERAL_CODES, words.literals);
    make_words(book->distance_lengths, DISTANCE_CODES, words.distances);
    // A local copy stays in registers during stores to memory.
    emb_bits bits = *given;
    const uint8_t *start = block->start;
    for (size_t index = 0; index < block->sequence_count; index++) {
        emb_sequence sequence = block->sequences[index];
        start = write_literals(&bits, words.literals, start, sequence.literals);
        unsigned symbol = emb_length_symbol(sequence.length);
        unsigned more = emb_length_bits(symbol);
        put_word(&bits, words.literals[FIRST_LENGTH + symbol]);
        put(&bits, (sequence.length - 3U) & ((1U << more) - 1), more);
        symbol = emb_distance_symbol(sequence.distance);
        more = emb_distance_bits(symbol);
        put_word(&bits, words.distances[symbol]);
        put(&bits, (sequence.distance - 1U) & ((1U << more) - 1), more);
        hand_on(&bits);
        start += sequence.length;
    }
    write_literals(&bits, words.literals, start, (size_t)(block->end - start));
    put_word(&bits, words.literals[END_OF_BLOCK]);
    hand_on(&bits);
    *given = bits;
}

// Writes stored blocks (section 3.2.4).
static void write_stored(emb_bits *bits, const emb_block *block, int is_last) {
    const uint8_t *start = block->start;
    do {
        size_t left = (size_t)(block->end - start);
        size_t count = left < 65535 ? left : 65535;
        put(bits, is_last && count == left, 3);
        bits->held_count = (bits->held_count + 7) & ~7U;
        hand_on(bits);
        put(bits, count | (count ^ 65535) << 16, 32);
        hand_on(bits);
        memcpy(bits->next, start, count);
        bits->next += count;
        start += count;
    } while (start < block->end);
}

void emb_write_block(
    emb_bits *bits, const emb_block *block, const emb_counts *counts, int is_last) {
    emb_code_book fitting = {0};
    emb_code_book fixed;
    emb_preface preface;
    emb_code_lengths(counts->literals, LITERAL_CODES, LONGEST_CODE, fitting.literal_lengths);
    emb_code_lengths(counts->distances, DISTANCE_CODES, LONGEST_CODE, fitting.distance_lengths);
    make_preface(&fitting, &preface);
    make_fixed(&fixed);
    uint64_t fitting_size = preface.size + size_of(&fitting, counts);
    uint64_t fixed_size = size_of(&fixed, counts);
    size_t bytes = (size_t)(block->end - block->start);
    uint64_t stored_size = 8 * (uint64_t)bytes + 40 * (uint64_t)(bytes / 65535 + 1);
    if (stored_size < fitting_size && stored_size < fixed_size) {
        write_stored(bits, block, is_last);
    } else if (fixed_size <= fitting_size) {
        put(bits, (unsigned)is_last | 1 << 1, 3);
        write_symbols(bits, block, &fixed);
    } else {
        put(bits, (unsigned)is_last | 2 << 1, 3);
        write_preface(bits, &preface);
        write_symbols(bits, block, &fitting);
    }
}
