#include "parts.h"

// The inverse DCTs to 1, 2 and 4 pixels a side use only the lowest frequencies, which a picture of
// that size can represent. Compared with exact scaling of the whole picture, the result is as near
// as libjpeg's averages, and all other coefficients need not be decoded.

#define X -1

// clang-format off
const emb_jpeg_needs emb_jpeg_needs_of_1 = {
    .side = 1, .slots = 1, .last = 0, .mask = 1,
    .slot = {
        0, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
        X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
        X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
        X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    },
};

const emb_jpeg_needs emb_jpeg_needs_of_2 = {
    .side = 2, .slots = 4, .last = 4, .mask = 0x17,
    .slot = {
        0, 1, 2, X, 3, X, X, X, X, X, X, X, X, X, X, X,
        X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
        X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
        X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    },
};

const emb_jpeg_needs emb_jpeg_needs_of_4 = {
    .side = 4, .slots = 16, .last = 24, .mask = 0x1063bff,
    .slot = {
        0, 1, 4, 8, 5, 2, 3, 6, 9, 12, X, 13, 10, 7, X, X,
        X, 11, 14, X, X, X, X, X, 15, X, X, X, X, X, X, X,
        X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
        X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    },
};
// clang-format on

static uint8_t level(int64_t value) {
    value += 128;
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

static int64_t rounded(int64_t value, int shift) {
    return (value + ((int64_t)1 << (shift - 1))) >> shift;
}

// The two-point inverse DCT is a sum and a difference.
static void inverse_2(const emb_jpeg_part *part, const int16_t *values, uint8_t *pixels) {
    int64_t terms[4];
    for (int slot = 0; slot < 4; slot++) {
        terms[slot] = (int64_t)values[slot] * part->factors[slot];
    }
    int64_t left = terms[0] + terms[1], right = terms[0] - terms[1];
    int64_t left_step = terms[2] + terms[3], right_step = terms[2] - terms[3];
    pixels[0] = level(rounded(left + left_step, 3));
    pixels[1] = level(rounded(right + right_step, 3));
    pixels[part->stride] = level(rounded(left - left_step, 3));
    pixels[part->stride + 1] = level(rounded(right - right_step, 3));
}

// The four-point inverse DCT with 13 more fractional bits; the factors are sqrt(2) times cos(pi /
// 8) and cos(3 pi / 8), which is sin(pi / 8).
static void line_4(const int64_t *terms, int64_t *points) {
    int64_t low = (terms[0] + terms[2]) * 8192, high = (terms[0] - terms[2]) * 8192;
    int64_t outer = terms[1] * 10703 + terms[3] * 4433;
    int64_t inner = terms[1] * 4433 - terms[3] * 10703;
    points[0] = low + outer;
    points[1] = high + inner;
    points[2] = high - inner;
    points[3] = low - outer;
}

static void inverse_4(const emb_jpeg_part *part, const int16_t *values, uint8_t *pixels) {
    int64_t rows[4][4], terms[4], points[4];
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 4; row++) {
            int slot = row * 4 + column;
            terms[row] = (int64_t)values[slot] * part->factors[slot];
        }
        line_4(terms, points);
        for (int row = 0; row < 4; row++) {
            rows[row][column] = points[row];
        }
    }
    for (int row = 0; row < 4; row++) {
        line_4(rows[row], points);
        for (int column = 0; column < 4; column++) {
            pixels[row * part->stride + column] = level(rounded(points[column], 29));
        }
    }
}

// Wraps a DC value like libjpeg's range-limit table of 1,024 entries; only damaged data exceeds it.
static int64_t within_table(int64_t value) {
    return ((value + 512) & 1023) - 512;
}

void emb_jpeg_inverse(
    const emb_jpeg_part *part, const int16_t *values, uint64_t present, uint8_t *pixels) {
    int side = part->needs->side;
    if ((present & part->needs->mask & ~(uint64_t)1) == 0) {
        int64_t value = rounded((int64_t)values[0] * part->factors[0], 3);
        uint8_t mean = level(side == 1 ? within_table(value) : value);
        // With constant sizes the compiler emits stores instead of calls.
        for (int row = 0; row < side; row++, pixels += part->stride) {
            if (side == 4) {
                memset(pixels, mean, 4);
            } else if (side == 2) {
                memset(pixels, mean, 2);
            } else {
                *pixels = mean;
            }
        }
    } else if (side == 2) {
        inverse_2(part, values, pixels);
    } else {
        inverse_4(part, values, pixels);
    }
}
