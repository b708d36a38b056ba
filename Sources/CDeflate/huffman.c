#include "compressor.h"

// Builds Huffman codes of limited length.

// The numbers to sort hold a symbol in the low bits and its count in the bits above, so that they
// are sorted by count.
enum { SYMBOL_BITS = 9 };

// Radix sort by digits of eight bits. The bits of the symbol are skipped, because the numbers
// already are in the order of their symbols.
static void sort(uint64_t *numbers, unsigned count) {
    uint64_t other[MAX_SYMBOLS];
    uint64_t *from = numbers;
    uint64_t *to = other;
    for (unsigned shift = SYMBOL_BITS; shift < SYMBOL_BITS + 32; shift += 8) {
        uint16_t offsets[256] = {0};
        for (unsigned index = 0; index < count; index++) {
            offsets[from[index] >> shift & 255]++;
        }
        if (offsets[from[0] >> shift & 255] == count) {
            continue;
        }
        uint16_t offset = 0;
        for (unsigned digit = 0; digit < 256; digit++) {
            uint16_t digits = offsets[digit];
            offsets[digit] = offset;
            offset = (uint16_t)(offset + digits);
        }
        for (unsigned index = 0; index < count; index++) {
            to[offsets[from[index] >> shift & 255]++] = from[index];
        }
        uint64_t *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != numbers) {
        memcpy(numbers, from, count * sizeof *numbers);
    }
}

// Counts the leaves at each depth of the Huffman tree for the sorted counts. Leaves below the depth
// `limit` are counted at that depth.
static void count_depths(
    const uint64_t *sorted, unsigned count, unsigned limit, unsigned *depth_counts) {
    uint64_t weights[2 * MAX_SYMBOLS];
    uint16_t parents[2 * MAX_SYMBOLS];
    uint16_t depths[2 * MAX_SYMBOLS];
    for (unsigned leaf = 0; leaf < count; leaf++) {
        weights[leaf] = sorted[leaf] >> SYMBOL_BITS;
    }
    unsigned leaf = 0;
    unsigned node = count;
    for (unsigned made = count; made < 2 * count - 1; made++) {
        weights[made] = 0;
        for (int side = 0; side < 2; side++) {
            int is_leaf = leaf < count && (node == made || weights[leaf] <= weights[node]);
            unsigned child = is_leaf ? leaf++ : node++;
            weights[made] += weights[child];
            parents[child] = (uint16_t)made;
        }
    }
    depths[2 * count - 2] = 0;
    for (unsigned below = 2 * count - 2; below-- > 0;) {
        depths[below] = (uint16_t)(depths[parents[below]] + 1);
        if (below < count) {
            depth_counts[depths[below] < limit ? depths[below] : limit]++;
        }
    }
}

// Lengthens the codes of rare symbols until the code fits the limit (Kraft inequality).
static void limit_depths(unsigned *depth_counts, unsigned limit) {
    uint32_t used = 0;
    for (unsigned depth = 1; depth <= limit; depth++) {
        used += depth_counts[depth] << (limit - depth);
    }
    for (; used > 1U << limit; used--) {
        unsigned depth = limit - 1;
        while (depth_counts[depth] == 0) {
            depth--;
        }
        // One leaf moves a level down and gets a removed leaf of the greatest depth as its sibling.
        depth_counts[depth]--;
        depth_counts[depth + 1] += 2;
        depth_counts[limit]--;
    }
}

void emb_huffman_lengths(const uint32_t *counts, unsigned count, unsigned limit, uint8_t *lengths) {
    uint64_t sorted[MAX_SYMBOLS];
    unsigned used = 0;
    memset(lengths, 0, count);
    for (unsigned symbol = 0; symbol < count; symbol++) {
        if (counts[symbol] != 0) {
            sorted[used++] = (uint64_t)counts[symbol] << SYMBOL_BITS | symbol;
        }
    }
    if (used < 2) {
        unsigned only = used == 0 ? 0 : (unsigned)sorted[0] & ((1U << SYMBOL_BITS) - 1);
        lengths[only] = 1;
        lengths[only == 0 ? 1 : 0] = 1;
        return;
    }
    sort(sorted, used);
    unsigned depth_counts[MAX_CODE_LENGTH + 1] = {0};
    count_depths(sorted, used, limit, depth_counts);
    limit_depths(depth_counts, limit);
    unsigned index = 0;
    for (unsigned depth = limit; depth > 0; depth--) {
        for (unsigned left = depth_counts[depth]; left > 0; left--) {
            lengths[sorted[index++] & ((1U << SYMBOL_BITS) - 1)] = (uint8_t)depth;
        }
    }
}

static uint16_t reversed(uint16_t code, unsigned length) {
    code = (uint16_t)((code & 0x5555) << 1 | (code >> 1 & 0x5555));
    code = (uint16_t)((code & 0x3333) << 2 | (code >> 2 & 0x3333));
    code = (uint16_t)((code & 0x0F0F) << 4 | (code >> 4 & 0x0F0F));
    return (uint16_t)((uint16_t)(code << 8 | code >> 8) >> (16 - length));
}

void emb_huffman_codes(const uint8_t *lengths, unsigned count, uint16_t *codes) {
    uint16_t counts[MAX_CODE_LENGTH + 1] = {0};
    for (unsigned symbol = 0; symbol < count; symbol++) {
        counts[lengths[symbol]]++;
    }
    counts[0] = 0;
    uint16_t next[MAX_CODE_LENGTH + 1];
    uint16_t code = 0;
    for (unsigned length = 1; length <= MAX_CODE_LENGTH; length++) {
        code = (uint16_t)((code + counts[length - 1]) << 1);
        next[length] = code;
    }
    for (unsigned symbol = 0; symbol < count; symbol++) {
        unsigned length = lengths[symbol];
        codes[symbol] = length == 0 ? 0 : reversed(next[length]++, length);
    }
}
