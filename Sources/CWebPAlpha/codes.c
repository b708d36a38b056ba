#include "parts.h"

enum { LENGTH_CODES = 19, REPEATED = 16, FEW_ZEROS = 17, MANY_ZEROS = 18 };

// The order in which lengths of the codes of lengths are said.
static const uint8_t order[LENGTH_CODES] = {
    17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
};

static unsigned reversed(unsigned code, unsigned length) {
    unsigned result = 0;
    for (unsigned bit = 0; bit < length; bit++) {
        result |= (code >> bit & 1) << (length - 1 - bit);
    }
    return result;
}

int emb_alpha_make_code(
    const uint8_t *lengths, unsigned count, uint16_t *symbols, emb_alpha_code *code) {
    memset(code->counts, 0, sizeof code->counts);
    for (unsigned symbol = 0; symbol < count; symbol++) {
        code->counts[lengths[symbol]]++;
    }
    unsigned used = count - code->counts[0];
    code->counts[0] = 0;
    code->symbols = symbols;
    uint16_t places[LONGEST_CODE + 2] = {0};
    unsigned filled = 0;
    for (unsigned length = 1; length <= LONGEST_CODE; length++) {
        places[length + 1] = (uint16_t)(places[length] + code->counts[length]);
        filled += (unsigned)code->counts[length] << (LONGEST_CODE - length);
    }
    for (unsigned symbol = 0; symbol < count; symbol++) {
        if (lengths[symbol] > 0) {
            symbols[places[lengths[symbol]]++] = (uint16_t)symbol;
        }
    }
    if (used == 1) {
        // Takes no bits.
        for (unsigned bits = 0; bits < 1 << ROOT_BITS; bits++) {
            code->root[bits] = (uint16_t)(symbols[0] << LENGTH_BITS);
        }
        return 1;
    }
    if (filled != 1 << LONGEST_CODE) {
        return 0;
    }
    for (unsigned bits = 0; bits < 1 << ROOT_BITS; bits++) {
        code->root[bits] = IS_LONGER;
    }
    unsigned next = 0;
    unsigned index = 0;
    for (unsigned length = 1; length <= ROOT_BITS; length++, next <<= 1) {
        for (unsigned left = code->counts[length]; left > 0; left--, next++, index++) {
            uint16_t entry = (uint16_t)((unsigned)symbols[index] << LENGTH_BITS | length);
            for (unsigned bits = reversed(next, length); bits < 1 << ROOT_BITS;
                 bits += 1U << length) {
                code->root[bits] = entry;
            }
        }
    }
    return 1;
}

unsigned emb_alpha_find_longer(emb_alpha_bits *bits, const emb_alpha_code *code) {
    // Codes of a length follow each other, and those of the next length follow them.
    unsigned first = 0;
    unsigned index = 0;
    unsigned read = 0;
    for (unsigned length = 1; length <= LONGEST_CODE; length++) {
        read = read << 1 | emb_alpha_take(bits, 1);
        unsigned here = code->counts[length];
        if (read - first < here) {
            return code->symbols[index + read - first];
        }
        index += here;
        first = (first + here) << 1;
    }
    // A code that is complete has been found by now.
    return 0;
}

// Section 3.7.2.1.1.
static void read_simple(emb_alpha_bits *bits, uint8_t *lengths) {
    unsigned is_pair = emb_alpha_take(bits, 1);
    unsigned first_bits = emb_alpha_take(bits, 1) ? 8 : 1;
    lengths[emb_alpha_take(bits, first_bits)] = 1;
    if (is_pair) {
        lengths[emb_alpha_take(bits, 8)] = 1;
    }
}

// Section 3.7.2.1.2.
static int read_normal(emb_alpha_bits *bits, unsigned count, uint8_t *lengths) {
    uint8_t own[LENGTH_CODES] = {0};
    unsigned own_count = 4 + emb_alpha_take(bits, 4);
    for (unsigned index = 0; index < own_count; index++) {
        own[order[index]] = (uint8_t)emb_alpha_number(bits, 3);
    }
    emb_alpha_code code;
    uint16_t symbols[LENGTH_CODES];
    if (!emb_alpha_make_code(own, LENGTH_CODES, symbols, &code)) {
        return 0;
    }
    unsigned most = count;
    if (emb_alpha_number(bits, 1)) {
        unsigned number_bits = 2 + 2 * emb_alpha_number(bits, 3);
        most = 2 + emb_alpha_number(bits, number_bits);
        if (most > count) {
            return 0;
        }
    }
    uint8_t last = 8;
    for (unsigned symbol = 0; symbol < count && most > 0; most--) {
        emb_alpha_refill(bits);
        unsigned length = emb_alpha_find(bits, &code);
        if (length < REPEATED) {
            lengths[symbol++] = (uint8_t)length;
            last = length > 0 ? (uint8_t)length : last;
            continue;
        }
        unsigned repeats = length == REPEATED ? 3 + emb_alpha_take(bits, 2)
            : length == FEW_ZEROS             ? 3 + emb_alpha_take(bits, 3)
                                              : 11 + emb_alpha_take(bits, 7);
        if (repeats > count - symbol) {
            return 0;
        }
        memset(lengths + symbol, length == REPEATED ? last : 0, repeats);
        symbol += repeats;
    }
    return 1;
}

int emb_alpha_read_lengths(emb_alpha_bits *bits, unsigned count, uint8_t *lengths) {
    // A pair may name symbols that there are not, which are of no code then.
    memset(lengths, 0, count > 256 ? count : 256);
    emb_alpha_refill(bits);
    if (emb_alpha_take(bits, 1)) {
        read_simple(bits, lengths);
        return 1;
    }
    return read_normal(bits, count, lengths);
}
