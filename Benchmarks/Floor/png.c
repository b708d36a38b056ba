#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "floor.h"

static size_t big32(const uint8_t *at) {
    return (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
}

bytes read_file(const char *path) {
    bytes result = {0};
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return result;
    }
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    uint8_t *start = length > 0 ? malloc((size_t)length) : NULL;
    if (start != NULL && fread(start, 1, (size_t)length, file) == (size_t)length) {
        result.start = start;
        result.length = (size_t)length;
    } else {
        free(start);
    }
    fclose(file);
    return result;
}

bytes png_data(const bytes *file, png_layout *layout) {
    bytes result = {0};
    const uint8_t *all = file->start;
    if (file->length < 33 || memcmp(all, "\x89PNG\r\n\x1a\n", 8) != 0 || all[28] != 0) {
        return result;
    }
    static const size_t channels[] = {1, 0, 3, 1, 2, 0, 4};
    size_t bits = all[24] * (all[25] <= 6 ? channels[all[25]] : 1);
    layout->row = (big32(all + 16) * bits + 7) / 8;
    layout->height = big32(all + 20);
    layout->step = bits < 8 ? 1 : bits / 8;
    layout->raw = (layout->row + 1) * layout->height;
    result.start = malloc(file->length);
    size_t at = 8;
    while (at + 12 <= file->length) {
        size_t length = big32(all + at);
        if (length > file->length - at - 12) {
            break;
        }
        if (memcmp(all + at + 4, "IDAT", 4) == 0) {
            memcpy(result.start + result.length, all + at + 8, length);
            result.length += length;
        }
        at += length + 12;
    }
    return result;
}

// A pixel and the bytes after it, eight in all: as bytes, and widened to 16-bit lanes.
typedef uint8_t lanes __attribute__((vector_size(8)));
typedef int16_t wide __attribute__((vector_size(16)));

static inline wide load(const uint8_t *at) {
    lanes bytes;
    memcpy(&bytes, at, sizeof(bytes));
    return __builtin_convertvector(bytes, wide);
}

static inline wide chosen(wide mask, wide yes, wide no) {
    return (yes & mask) | (no & ~mask);
}

static inline wide paeth(wide left, wide up, wide corner) {
    wide a = up - corner, b = left - corner, c = a + b;
    a = chosen(a < 0, -a, a);
    b = chosen(b < 0, -b, b);
    c = chosen(c < 0, -c, c);
    return chosen((a <= b) & (a <= c), left, chosen(b <= c, up, corner));
}

// Reverses the filter of one row, pixel by pixel; `step` is a constant after inlining.
static inline __attribute__((always_inline)) void undo(
    int filter, uint8_t *line, const uint8_t *above, size_t row, size_t step) {
    wide left = {0}, corner = {0};
    for (size_t x = 0; x < row; x += step) {
        wide up = load(above + x), guess = left;
        if (filter == 3) {
            guess = (left + up) >> 1;
        } else if (filter == 4) {
            guess = paeth(left, up, corner);
        }
        left = (load(line + x) + guess) & 255;
        corner = up;
        lanes bytes = __builtin_convertvector(left, lanes);
        memcpy(line + x, &bytes, step);
    }
}

static void undo_row(int filter, uint8_t *line, const uint8_t *above, size_t row, size_t step) {
    if (filter == 2) {
        for (size_t x = 0; x < row; x++) {
            line[x] = (uint8_t)(line[x] + above[x]);
        }
    } else if (filter == 4 && step == 4) {
        undo(4, line, above, row, 4);
    } else if (filter == 4 && step == 3) {
        undo(4, line, above, row, 3);
    } else if (filter == 3 && step == 4) {
        undo(3, line, above, row, 4);
    } else if (filter == 1 && step == 4) {
        undo(1, line, above, row, 4);
    } else if (filter != 0) {
        undo(filter, line, above, row, step);
    }
}

void png_unfilter(uint8_t *raw, const png_layout *layout) {
    size_t row = layout->row;
    uint8_t *none = calloc(row + 16, 1);
    const uint8_t *above = none;
    for (size_t y = 0; y < layout->height; y++) {
        uint8_t *line = raw + y * (row + 1) + 1;
        undo_row(line[-1], line, above, row, layout->step);
        above = line;
    }
    free(none);
}
