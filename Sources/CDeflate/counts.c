#include "compressor.h"

const uint8_t *emb_count_symbols(
    emb_counts *counts, const emb_sequence *sequences, size_t count, const uint8_t *start) {
    for (size_t index = 0; index < count; index++) {
        emb_sequence sequence = sequences[index];
        for (uint32_t literal = 0; literal < sequence.literals; literal++) {
            counts->litlen[start[literal]]++;
        }
        counts->litlen[FIRST_LENGTH_SYMBOL + emb_length_symbol(sequence.length)]++;
        counts->distance[emb_distance_symbol(sequence.distance)]++;
        start += sequence.literals + sequence.length;
    }
    return start;
}

// Returns the base-2 logarithm in units of 1/256, interpolated linearly. Integer arithmetic gives
// the same result on every processor.
static uint64_t logarithm(uint64_t number) {
    unsigned power = 63 - (unsigned)__builtin_clzll(number);
    return power * 256 + (((number - (1ULL << power)) * 256) >> power);
}

static uint64_t entropy(const uint32_t *counts, unsigned count) {
    uint64_t total = 0;
    uint64_t sum = 0;
    for (unsigned symbol = 0; symbol < count; symbol++) {
        total += counts[symbol];
        if (counts[symbol] > 1) {
            sum += counts[symbol] * logarithm(counts[symbol]);
        }
    }
    return total < 2 ? 0 : (total * logarithm(total) - sum) / 256;
}

uint64_t emb_estimated_bits(const emb_counts *counts) {
    return entropy(counts->litlen, LITLEN_SYMBOLS) + entropy(counts->distance, DISTANCE_SYMBOLS);
}

void emb_add_counts(emb_counts *counts, const emb_counts *others) {
    for (unsigned symbol = 0; symbol < LITLEN_SYMBOLS; symbol++) {
        counts->litlen[symbol] += others->litlen[symbol];
    }
    for (unsigned symbol = 0; symbol < DISTANCE_SYMBOLS; symbol++) {
        counts->distance[symbol] += others->distance[symbol];
    }
}
