#include "parts.h"

#include <stdlib.h>

// Rows that are filled together, a step apart from one to the next: a value waits for the one to
// its left, so that each row alone would wait most of the time.
enum { ROWS = 8 };

typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef int16_t lanes __attribute__((vector_size(16)));

// A square of bytes, two rows in each.
typedef struct square {
    bytes16 rows[ROWS / 2];
} square;

// Its columns.
static inline square turned(square of) {
    bytes16 pairs[4], fours[4];
    for (int index = 0; index < 4; index++) {
        pairs[index] = __builtin_shufflevector(
            of.rows[index], of.rows[index], 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
    }
    for (int index = 0; index < 2; index++) {
        bytes16 first = pairs[2 * index], second = pairs[2 * index + 1];
        fours[2 * index] = __builtin_shufflevector(
            first, second, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23);
        fours[2 * index + 1] = __builtin_shufflevector(
            first, second, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31);
    }
    square result;
    for (int index = 0; index < 2; index++) {
        bytes16 first = fours[index], second = fours[index + 2];
        result.rows[2 * index] = __builtin_shufflevector(
            first, second, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        result.rows[2 * index + 1] = __builtin_shufflevector(
            first, second, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
    }
    return result;
}

// What rows know of the columns before: their values there, and those above them.
typedef struct front {
    lanes values, above;
} front;

// The next value of each row, of what is left of it and of what is above the first row.
static inline lanes step(front *at, bytes8 left, int16_t above) {
    lanes top = __builtin_shufflevector(at->values, at->values, 0, 0, 1, 2, 3, 4, 5, 6);
    top[0] = above;
    lanes guess = at->values - at->above + top;
    // Comparing makes lanes of all ones or zeros; what is above a byte goes away in the end.
    guess &= guess > 0;
    guess |= guess > 255;
    at->above = top;
    at->values = (guess + __builtin_convertvector(left, lanes)) & 255;
    return at->values;
}

// Rows of which each begins a byte later than the one above it, zeros before them, and what stands
// above the first.
typedef struct slanted {
    uint8_t *rows;
    uint8_t *above;
    size_t stride;
} slanted;

static inline bytes16 joined(bytes8 first, bytes8 second) {
    return __builtin_shufflevector(
        first, second, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

static inline bytes8 first_of(bytes16 bytes) {
    return __builtin_shufflevector(bytes, bytes, 0, 1, 2, 3, 4, 5, 6, 7);
}

static inline bytes8 second_of(bytes16 bytes) {
    return __builtin_shufflevector(bytes, bytes, 8, 9, 10, 11, 12, 13, 14, 15);
}

static inline bytes8 load(const uint8_t *from) {
    bytes8 bytes;
    memcpy(&bytes, from, sizeof bytes);
    return bytes;
}

static inline void store(uint8_t *to, bytes8 bytes) {
    memcpy(to, &bytes, sizeof bytes);
}

static void fill(slanted *strip, size_t width) {
    front at = {{0}, {0}};
    for (size_t x = 0; x < width + ROWS - 1; x += ROWS) {
        uint8_t *rows = strip->rows + x;
        const uint8_t *above = strip->above + x;
        square left;
        for (size_t pair = 0; pair < ROWS / 2; pair++) {
            const uint8_t *row = rows + 2 * pair * strip->stride;
            left.rows[pair] = joined(load(row), load(row + strip->stride));
        }
        left = turned(left);
        square values;
        for (size_t pair = 0; pair < ROWS / 2; pair++) {
            lanes first = step(&at, first_of(left.rows[pair]), above[2 * pair]);
            lanes second = step(&at, second_of(left.rows[pair]), above[2 * pair + 1]);
            values.rows[pair] = joined(
                __builtin_convertvector(first, bytes8), __builtin_convertvector(second, bytes8));
        }
        values = turned(values);
        for (size_t pair = 0; pair < ROWS / 2; pair++) {
            uint8_t *row = rows + 2 * pair * strip->stride;
            store(row, first_of(values.rows[pair]));
            store(row + strip->stride, second_of(values.rows[pair]));
        }
    }
}

static int undo_gradient(size_t width, size_t height, uint8_t *plane) {
    slanted strip = {.stride = width + 2 * ROWS};
    strip.rows = calloc(ROWS + 1, strip.stride);
    if (!strip.rows) {
        return 0;
    }
    strip.above = strip.rows + ROWS * strip.stride;
    for (size_t y = 0, count; y < height; y += count) {
        uint8_t *rows = plane + y * width;
        // A row of which nothing is left is the one above it.
        if (emb_alpha_are_all(rows, 0, width)) {
            memcpy(rows, strip.above, width);
            count = 1;
            continue;
        }
        count = height - y < ROWS ? height - y : ROWS;
        for (size_t row = 0; row < count; row++) {
            memcpy(strip.rows + row * strip.stride + row, rows + row * width, width);
        }
        fill(&strip, width);
        for (size_t row = 0; row < count; row++) {
            memcpy(rows + row * width, strip.rows + row * strip.stride + row, width);
        }
        memcpy(strip.above, rows + (count - 1) * width, width);
    }
    free(strip.rows);
    return 1;
}

void emb_alpha_add_left(uint8_t *row, size_t start, size_t end) {
    uint8_t left = row[start - 1];
    for (size_t x = start; x < end;) {
        static const uint8_t zeros[RUN];
        if (end - x >= RUN && memcmp(row + x, zeros, RUN) == 0) {
            memset(row + x, left, RUN);
            x += RUN;
        } else {
            left = (uint8_t)(left + row[x]);
            row[x++] = left;
        }
    }
}

int emb_alpha_unfilter(unsigned filter, int width, int height, uint8_t *plane) {
    size_t across = (size_t)width;
    size_t down = (size_t)height;
    if (filter == GRADIENT_FILTER) {
        return undo_gradient(across, down, plane);
    }
    if (filter == NO_FILTER) {
        return 1;
    }
    emb_alpha_add_left(plane, 1, across);
    for (size_t y = 1; y < down; y++) {
        uint8_t *row = plane + y * across;
        if (filter == LEFT_FILTER) {
            row[0] = (uint8_t)(row[0] + row[-(ptrdiff_t)across]);
            emb_alpha_add_left(row, 1, across);
            continue;
        }
        const uint8_t *above = row - across;
        for (size_t x = 0; x < across; x++) {
            row[x] = (uint8_t)(row[x] + above[x]);
        }
    }
    return 1;
}
