#include "CDeflate.h"
#include "compressor.h"
#include "match_finder.h"

#include <stdlib.h>

enum {
    MAX_SEQUENCES = 16384,
    // The number of symbols in the tail of a block (see `emb_compressor`) at which `end_tail` is
    // called. The sequence buffer can hold a full block and a tail.
    TAIL_SYMBOLS = 4096,
    MAX_BLOCK_SEQUENCES = MAX_SEQUENCES - TAIL_SYMBOLS,
    // The number of literals without a match that ends a block.
    MAX_LITERAL_RUN = 1 << 20,
    // The estimated size of a dynamic block header, in bits.
    DYNAMIC_HEADER_BITS = 600,
    // The number of positions at the start and at the end of a match that enter the hash tables.
    // The positions in between have entries from their previous occurrence. Inserting more of them
    // costs more time than it saves size.
    INSERTED_AT_START = 4,
    INSERTED_AT_END = 6,
    // The number of bytes that are hashed for a position.
    HASHED_BYTES = 8,
};

// The search parameters of an `emb_deflate_effort`.
typedef struct emb_search {
    // The maximum number of positions of a hash chain that are tried.
    unsigned candidates;
    // The maximum number of positions that are tried for a better match one byte later; 0 disables
    // lazy matching.
    unsigned lazy_candidates;
} emb_search;

typedef struct emb_compressor {
    emb_match_finder finder;
    emb_deflate_rows rows;
    // The start of the row that is being compressed.
    size_t row;
    emb_bit_writer writer;
    emb_sequence sequences[MAX_SEQUENCES];
    size_t sequence_count;
    // The current block. Its tail is the symbols after `block_end`; `end_tail` adds them to the
    // block or starts the next block with them.
    size_t block_sequences;
    const uint8_t *block_start;
    const uint8_t *block_end;
    emb_counts block_counts;
    size_t tail_symbols;
    // The start of the literals that belong to no sequence yet.
    size_t literal_start;
} emb_compressor;

// Writes the current block, without its tail.
static void write_block(emb_compressor *compressor, int is_last) {
    emb_block block = {
        compressor->sequences, compressor->block_sequences, compressor->block_start,
        compressor->block_end};
    compressor->block_counts.litlen[END_OF_BLOCK] = 1;
    emb_write_block(&compressor->writer, &block, &compressor->block_counts, is_last);
    compressor->sequence_count -= compressor->block_sequences;
    memmove(
        compressor->sequences, compressor->sequences + compressor->block_sequences,
        compressor->sequence_count * sizeof *compressor->sequences);
    compressor->block_sequences = 0;
    compressor->block_start = compressor->block_end;
    memset(&compressor->block_counts, 0, sizeof compressor->block_counts);
}

// Adds the tail up to `end` to the block, or writes the block and starts a new one with the tail if
// its statistics differ enough to make that shorter.
static void end_tail(emb_compressor *compressor, const uint8_t *end) {
    emb_counts tail = {0};
    const uint8_t *rest = emb_count_symbols(
        &tail, compressor->sequences + compressor->block_sequences,
        compressor->sequence_count - compressor->block_sequences, compressor->block_end);
    for (; rest < end; rest++) {
        tail.litlen[*rest]++;
    }
    if (compressor->block_end > compressor->block_start) {
        emb_counts both = compressor->block_counts;
        emb_add_counts(&both, &tail);
        uint64_t separate = emb_estimated_bits(&compressor->block_counts) +
            emb_estimated_bits(&tail);
        if (separate + DYNAMIC_HEADER_BITS < emb_estimated_bits(&both)) {
            write_block(compressor, 0);
        }
    }
    emb_add_counts(&compressor->block_counts, &tail);
    compressor->block_sequences = compressor->sequence_count;
    compressor->block_end = end;
    compressor->tail_symbols = 0;
    if (compressor->sequence_count > MAX_BLOCK_SEQUENCES) {
        write_block(compressor, 0);
    }
}

// Records a match at a position and returns its end.
static size_t add_match(emb_compressor *compressor, size_t position, emb_match match) {
    uint32_t literals = (uint32_t)(position - compressor->literal_start);
    compressor->sequences[compressor->sequence_count++] = (emb_sequence){
        literals, (uint16_t)match.length, (uint16_t)match.distance};
    size_t end = position + match.length;
    compressor->literal_start = end;
    compressor->tail_symbols += literals + 1;
    return end;
}

// Inserts positions inside a match into the hash tables.
static void insert_inside(emb_match_finder *finder, size_t begin, size_t end) {
    size_t last = finder->count - HASHED_BYTES;
    if (end > last) {
        end = last;
    }
    size_t position = begin;
    for (; position < end && position < begin + INSERTED_AT_START; position++) {
        emb_insert(finder, position);
    }
    if (position + INSERTED_AT_END < end) {
        position = end - INSERTED_AT_END;
    }
    for (; position < end; position++) {
        emb_insert(finder, position);
    }
}

// Returns whether `later` is better than `match`. It begins `delay` bytes after `match`; `delay` is
// negative if `later` was extended backwards beyond the start of `match`. A byte of length counts
// 4, each halving of the distance counts 1, and a byte of delay costs 2.
static int is_better(emb_match later, emb_match match, int delay) {
    int gained = (int)later.length - (int)match.length;
    int nearer = __builtin_clz(later.distance) - __builtin_clz(match.distance);
    return 4 * gained + nearer > 2 * delay;
}

// Returns the start of the next pixel. Matches are searched at pixel starts only; bytes before a
// match are added by `extend_back`.
static size_t next_pixel(emb_compressor *compressor, size_t position) {
    size_t step = compressor->rows.step;
    position++;
    if (step == 1) {
        return position;
    }
    size_t count = compressor->finder.count;
    while (position - compressor->row >= compressor->rows.length) {
        compressor->row += compressor->rows.length;
    }
    size_t samples = position - compressor->row;
    if (samples > 0) {
        // A division by a constant is faster.
        size_t part = step == 4 ? (samples - 1) % 4 : (samples - 1) % step;
        position += part == 0 ? 0 : step - part;
    }
    return position < count ? position : count;
}

// Extends a match backwards over pending literals and returns its start.
static size_t extend_back(const emb_compressor *compressor, size_t position, emb_match *match) {
    const uint8_t *source = compressor->finder.source;
    while (position > compressor->literal_start && match->length < MAX_MATCH &&
           match->distance < position &&
           source[position - 1] == source[position - 1 - match->distance]) {
        position--;
        match->length++;
    }
    return position;
}

// Records the match found at a position, or a better one that begins later (lazy matching, section
// 4), and returns its end.
static inline __attribute__((always_inline)) size_t add_best_match(
    emb_compressor *compressor, emb_search search, size_t found, emb_match match) {
    emb_match_finder *finder = &compressor->finder;
    size_t last = finder->count - HASHED_BYTES;
    size_t position = extend_back(compressor, found, &match);
    size_t next = found + 1;
    while (search.lazy_candidates > 0 && match.length < NICE_LENGTH && next < last) {
        emb_match later = emb_find_match(finder, next, match.length - 1, search.lazy_candidates);
        size_t begin = next++;
        if (later.distance == 0) {
            break;
        }
        begin = extend_back(compressor, begin, &later);
        if (!is_better(later, match, (int)(begin - position))) {
            break;
        }
        match = later;
        position = begin;
    }
    position = add_match(compressor, position, match);
    insert_inside(finder, next, position);
    return position;
}

static inline __attribute__((always_inline)) void compress(
    emb_compressor *compressor, emb_search search) {
    emb_match_finder *finder = &compressor->finder;
    size_t last = finder->count - HASHED_BYTES;
    size_t position = 0;
    while (position < last) {
        emb_match match = emb_find_match(finder, position, MIN_MATCH - 1, search.candidates);
        if (match.distance == 0) {
            position = next_pixel(compressor, position);
        } else {
            position = add_best_match(compressor, search, position, match);
        }
        if (compressor->tail_symbols >= TAIL_SYMBOLS) {
            end_tail(compressor, finder->source + position);
        } else if (position - compressor->literal_start >= MAX_LITERAL_RUN) {
            end_tail(compressor, finder->source + position);
            // A block may end with literals that belong to no sequence, but it cannot continue
            // after them.
            write_block(compressor, 0);
            compressor->literal_start = position;
        }
    }
}

// One function per effort, specialised by constant propagation.
static void compress_quickly(emb_compressor *compressor) {
    compress(compressor, (emb_search){2, 0});
}

static void compress_thoroughly(emb_compressor *compressor) {
    compress(compressor, (emb_search){8, 4});
}

size_t emb_deflate_bound(size_t count) {
    return count + count / 256 + 128;
}

size_t emb_deflate(
    const uint8_t *source, size_t count, emb_deflate_rows rows, emb_deflate_effort effort,
    uint8_t *output) {
    emb_compressor *compressor = malloc(sizeof *compressor);
    if (compressor == NULL) {
        return 0;
    }
    // Only `previous` may stay uninitialised: it is read only for positions inserted before, or for
    // position 0, which is always inserted.
    memset(&compressor->finder, 0, offsetof(emb_match_finder, previous));
    compressor->finder.source = source;
    compressor->finder.count = count;
    compressor->writer = (emb_bit_writer){output, 0, 0};
    compressor->sequence_count = 0;
    compressor->block_sequences = 0;
    compressor->block_start = source;
    compressor->block_end = source;
    memset(&compressor->block_counts, 0, sizeof compressor->block_counts);
    compressor->tail_symbols = 0;
    compressor->literal_start = 0;
    compressor->rows = rows.length > 0 && rows.step > 0 ? rows : (emb_deflate_rows){1, 1};
    compressor->row = 0;
    if (count > HASHED_BYTES) {
        if (effort == EMB_DEFLATE_QUICK) {
            compress_quickly(compressor);
        } else {
            compress_thoroughly(compressor);
        }
    }
    end_tail(compressor, source + count);
    write_block(compressor, 1);
    emb_bit_writer writer = compressor->writer;
    free(compressor);
    if (writer.bit_count > 0) {
        *writer.next++ = (uint8_t)writer.buffer;
    }
    return (size_t)(writer.next - output);
}
