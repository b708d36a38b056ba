#include "CDeflate.h"
#include "matches.h"
#include "parts.h"

#include <stdlib.h>

enum {
    MOST_SEQUENCES = 16384,
    // The symbols in the pending sequences after which a block may end; few enough that the
    // sequence buffer can hold as many again.
    FRESH_SYMBOLS = 4096,
    MOST_KEPT_SEQUENCES = MOST_SEQUENCES - FRESH_SYMBOLS,
    // The number of literals without a match that ends a block.
    MOST_LITERALS = 1 << 20,
    // The estimated size of a dynamic block header, in bits.
    PREFACE_BITS = 600,
    // The positions at the start and end of a match that enter the hash tables. The positions in
    // between have entries from the earlier match, and inserting more costs more time than it saves
    // size.
    NOTED_AT_START = 4,
    NOTED_AT_END = 6,
    // The bytes that are hashed for a position.
    SEEN_BYTES = 8,
};

// The parameters of an effort.
typedef struct emb_search {
    unsigned places;
    // The candidates tried for a better match one byte later (lazy matching); 0 disables this.
    unsigned places_after;
} emb_search;

typedef struct emb_deflater {
    emb_past past;
    emb_deflate_rows rows;
    // The start of the row that is being compressed.
    size_t row;
    emb_bits bits;
    emb_sequence sequences[MOST_SEQUENCES];
    size_t sequence_count;
    // The current block: its accepted part, and the pending symbols after it.
    size_t settled_sequences;
    const uint8_t *start;
    const uint8_t *settled_end;
    emb_counts settled;
    size_t fresh_symbols;
    // The start of the literals that belong to no sequence yet.
    size_t literals;
} emb_deflater;

// Writes the accepted part as a block.
static void write_settled(emb_deflater *deflater, int is_last) {
    emb_block block = {
        deflater->sequences, deflater->settled_sequences, deflater->start, deflater->settled_end};
    deflater->settled.literals[END_OF_BLOCK] = 1;
    emb_write_block(&deflater->bits, &block, &deflater->settled, is_last);
    deflater->sequence_count -= deflater->settled_sequences;
    memmove(
        deflater->sequences, deflater->sequences + deflater->settled_sequences,
        deflater->sequence_count * sizeof *deflater->sequences);
    deflater->settled_sequences = 0;
    deflater->start = deflater->settled_end;
    memset(&deflater->settled, 0, sizeof deflater->settled);
}

// Adds the pending symbols up to `end` to the block, or starts a new block with them if their
// statistics differ enough to make that shorter.
static void settle(emb_deflater *deflater, const uint8_t *end) {
    emb_counts fresh = {0};
    const uint8_t *rest = emb_count(
        &fresh, deflater->sequences + deflater->settled_sequences,
        deflater->sequence_count - deflater->settled_sequences, deflater->settled_end);
    for (; rest < end; rest++) {
        fresh.literals[*rest]++;
    }
    if (deflater->settled_end > deflater->start) {
        emb_counts both = deflater->settled;
        emb_add_counts(&both, &fresh);
        uint64_t apart = emb_guessed_bits(&deflater->settled) + emb_guessed_bits(&fresh);
        if (apart + PREFACE_BITS < emb_guessed_bits(&both)) {
            write_settled(deflater, 0);
        }
    }
    emb_add_counts(&deflater->settled, &fresh);
    deflater->settled_sequences = deflater->sequence_count;
    deflater->settled_end = end;
    deflater->fresh_symbols = 0;
    if (deflater->sequence_count > MOST_KEPT_SEQUENCES) {
        write_settled(deflater, 0);
    }
}

// Records a match at a position and returns its end.
static size_t take(emb_deflater *deflater, size_t place, emb_match match) {
    uint32_t literals = (uint32_t)(place - deflater->literals);
    deflater->sequences[deflater->sequence_count++] = (emb_sequence){
        literals, (uint16_t)match.length, (uint16_t)match.distance};
    size_t end = place + match.length;
    deflater->literals = end;
    deflater->fresh_symbols += literals + 1;
    return end;
}

static void note_inside(emb_past *past, size_t begin, size_t end) {
    size_t last = past->count - SEEN_BYTES;
    if (end > last) {
        end = last;
    }
    size_t place = begin;
    for (; place < end && place < begin + NOTED_AT_START; place++) {
        emb_note(past, place);
    }
    if (place + NOTED_AT_END < end) {
        place = end - NOTED_AT_END;
    }
    for (; place < end; place++) {
        emb_note(past, place);
    }
}

// Whether the later match is better. It begins `delay` bytes after the other one, or before it if
// it was extended backwards further.
static int is_better(emb_match later, emb_match match, int delay) {
    int gained = (int)later.length - (int)match.length;
    int nearer = __builtin_clz(later.distance) - __builtin_clz(match.distance);
    return 4 * gained + nearer > 2 * delay;
}

// Returns the start of the next pixel. Matches are searched at pixel starts only; bytes before a
// match are added by `extend_back`.
static size_t next_pixel(emb_deflater *deflater, size_t place) {
    size_t step = deflater->rows.step;
    place++;
    if (step == 1) {
        return place;
    }
    size_t count = deflater->past.count;
    while (place - deflater->row >= deflater->rows.length) {
        deflater->row += deflater->rows.length;
    }
    size_t samples = place - deflater->row;
    if (samples > 0) {
        // A division by a constant is faster.
        size_t part = step == 4 ? (samples - 1) % 4 : (samples - 1) % step;
        place += part == 0 ? 0 : step - part;
    }
    return place < count ? place : count;
}

// Extends a match backwards over pending literals and returns its start.
static size_t extend_back(const emb_deflater *deflater, size_t place, emb_match *match) {
    const uint8_t *source = deflater->past.source;
    while (place > deflater->literals && match->length < LONGEST_MATCH && match->distance < place &&
           source[place - 1] == source[place - 1 - match->distance]) {
        place--;
        match->length++;
    }
    return place;
}

// Takes the match found at a position, or a better one that begins later, and returns its end.
static inline __attribute__((always_inline)) size_t take_best(
    emb_deflater *deflater, emb_search search, size_t found, emb_match match) {
    emb_past *past = &deflater->past;
    size_t last = past->count - SEEN_BYTES;
    size_t place = extend_back(deflater, found, &match);
    size_t seen = found + 1;
    while (search.places_after > 0 && match.length < GOOD_LENGTH && seen < last) {
        emb_match later = emb_find(past, seen, match.length - 1, search.places_after);
        size_t begin = seen++;
        if (later.distance == 0) {
            break;
        }
        begin = extend_back(deflater, begin, &later);
        if (!is_better(later, match, (int)(begin - place))) {
            break;
        }
        match = later;
        place = begin;
    }
    place = take(deflater, place, match);
    note_inside(past, seen, place);
    return place;
}

static inline __attribute__((always_inline)) void compress(
    emb_deflater *deflater, emb_search search) {
    emb_past *past = &deflater->past;
    size_t last = past->count - SEEN_BYTES;
    size_t place = 0;
    while (place < last) {
        emb_match match = emb_find(past, place, SHORTEST_MATCH - 1, search.places);
        if (match.distance == 0) {
            place = next_pixel(deflater, place);
        } else {
            place = take_best(deflater, search, place, match);
        }
        if (deflater->fresh_symbols >= FRESH_SYMBOLS) {
            settle(deflater, past->source + place);
        } else if (place - deflater->literals >= MOST_LITERALS) {
            settle(deflater, past->source + place);
            // A block may end with literals that belong to no sequence, but it cannot continue
            // after them.
            write_settled(deflater, 0);
            deflater->literals = place;
        }
    }
}

// One function per effort, specialised by constant propagation.
static void compress_quickly(emb_deflater *deflater) {
    compress(deflater, (emb_search){2, 0});
}

static void compress_thoroughly(emb_deflater *deflater) {
    compress(deflater, (emb_search){8, 4});
}

size_t emb_deflate_bound(size_t count) {
    return count + count / 256 + 128;
}

size_t emb_deflate(
    const uint8_t *source, size_t count, emb_deflate_rows rows, emb_deflate_effort effort,
    uint8_t *output) {
    emb_deflater *deflater = malloc(sizeof *deflater);
    if (deflater == NULL) {
        return 0;
    }
    // Only `earlier` may stay uninitialised: it is read only for positions inserted before, or for
    // position 0, which is always inserted.
    memset(&deflater->past, 0, offsetof(emb_past, earlier));
    deflater->past.source = source;
    deflater->past.count = count;
    deflater->bits = (emb_bits){output, 0, 0};
    deflater->sequence_count = 0;
    deflater->settled_sequences = 0;
    deflater->start = source;
    deflater->settled_end = source;
    memset(&deflater->settled, 0, sizeof deflater->settled);
    deflater->fresh_symbols = 0;
    deflater->literals = 0;
    deflater->rows = rows.length > 0 && rows.step > 0 ? rows : (emb_deflate_rows){1, 1};
    deflater->row = 0;
    if (count > SEEN_BYTES) {
        if (effort == EMB_DEFLATE_QUICK) {
            compress_quickly(deflater);
        } else {
            compress_thoroughly(deflater);
        }
    }
    settle(deflater, source + count);
    write_settled(deflater, 1);
    emb_bits bits = deflater->bits;
    free(deflater);
    if (bits.held_count > 0) {
        *bits.next++ = (uint8_t)bits.held;
    }
    return (size_t)(bits.next - output);
}
