#include "CDeflate.h"
#include "matches.h"
#include "parts.h"

#include <stdlib.h>

enum {
    MOST_SEQUENCES = 16384,
    // After sequences of so many symbols it is asked whether a block ends. Of those that are kept
    // then there are few enough for as many again.
    FRESH_SYMBOLS = 4096,
    MOST_KEPT_SEQUENCES = MOST_SEQUENCES - FRESH_SYMBOLS,
    // So many literals that no sequence holds yet end a block.
    MOST_LITERALS = 1 << 20,
    // What the codes of another block take, in bits.
    PREFACE_BITS = 600,
    // Of a match so many places are noted at its start and its end. Between them are those of the
    // match that it repeats. To note more takes longer than it makes the stream shorter.
    NOTED_AT_START = 4,
    NOTED_AT_END = 6,
    // A place is noted and searched with this many bytes.
    SEEN_BYTES = 8,
};

// What is done for an effort.
typedef struct emb_search {
    unsigned places;
    // Among so many a better match is looked for that begins a byte later; 0 where none is.
    unsigned places_after;
} emb_search;

typedef struct emb_deflater {
    emb_past past;
    emb_deflate_rows rows;
    // Where the row begins that is being compressed.
    size_t row;
    emb_bits bits;
    emb_sequence sequences[MOST_SEQUENCES];
    size_t sequence_count;
    // The block that is being made: what is settled of it, and what came after.
    size_t settled_sequences;
    const uint8_t *start;
    const uint8_t *settled_end;
    emb_counts settled;
    size_t fresh_symbols;
    // Where the literals begin that are in no sequence yet.
    size_t literals;
} emb_deflater;

// Writes what is settled as a block.
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

// Adds what came last, up to `end`, to the block, or begins another one with it where its symbols
// are so different that this is shorter.
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

// Notes a match that begins at a place, and returns where it ends.
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

// Whether the later match is better, which begins so many bytes after the other; or before it,
// where it was extended farther.
static int is_better(emb_match later, emb_match match, int delay) {
    int gained = (int)later.length - (int)match.length;
    int nearer = __builtin_clz(later.distance) - __builtin_clz(match.distance);
    return 4 * gained + nearer > 2 * delay;
}

// The start of the next pixel. Matches begin with one, or else the bytes before it are found to be
// part of them afterwards.
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
        // By four without a division.
        size_t part = step == 4 ? (samples - 1) % 4 : (samples - 1) % step;
        place += part == 0 ? 0 : step - part;
    }
    return place < count ? place : count;
}

// Where a match begins when the literals before it are taken in that it has, too.
static size_t extend_back(const emb_deflater *deflater, size_t place, emb_match *match) {
    const uint8_t *source = deflater->past.source;
    while (place > deflater->literals && match->length < LONGEST_MATCH && match->distance < place &&
           source[place - 1] == source[place - 1 - match->distance]) {
        place--;
        match->length++;
    }
    return place;
}

// Takes the match that is found at a place or a better one that begins after it, and returns where
// it ends.
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
            // A block can end with literals that no sequence holds, and not go on after them.
            write_settled(deflater, 0);
            deflater->literals = place;
        }
    }
}

// One for each effort, with its numbers built in.
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
    // What is before a place is asked only of those that were noted, or of the first, which always
    // is.
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
