#include "decoder.h"

// The inverse DCTs (A.3.3) to 1, 2 and 4 samples a side. They use only the lowest frequencies,
// which a picture of that size can represent; all other coefficients need not be decoded. The
// reference is the whole picture, decoded and then scaled exactly. The result differs from it as
// little as that of libjpeg's scaled decoding, which uses all coefficients.

// A coefficient without a slot.
#define X -1

// The slots by zigzag position (figure A.6).
// clang-format off
const emb_jpeg_dct emb_jpeg_dct_1x1 = {
    .side = 1, .slot_count = 1, .last_needed = 0, .needed = 1,
    .slot = {
        0, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
        X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
        X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
        X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    },
};

const emb_jpeg_dct emb_jpeg_dct_2x2 = {
    .side = 2, .slot_count = 4, .last_needed = 4, .needed = 0x17,
    .slot = {
        0, 1, 2, X, 3, X, X, X, X, X, X, X, X, X, X, X,
        X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
        X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
        X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    },
};

const emb_jpeg_dct emb_jpeg_dct_4x4 = {
    .side = 4, .slot_count = 16, .last_needed = 24, .needed = 0x1063bff,
    .slot = {
        0, 1, 4, 8, 5, 2, 3, 6, 9, 12, X, 13, 10, 7, X, X,
        X, 11, 14, X, X, X, X, X, 15, X, X, X, X, X, X, X,
        X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
        X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    },
};
// clang-format on

// Undoes the level shift (A.3.1) and clamps to a sample.
static uint8_t sample_of(int64_t value) {
    value += 128;
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

static int64_t shift_rounded(int64_t value, int shift) {
    return (value + ((int64_t)1 << (shift - 1))) >> shift;
}

// The two-point inverse DCT is a sum and a difference.
static void idct_2x2(
    const emb_jpeg_component *component, const int16_t *coefficients, uint8_t *samples) {
    int64_t terms[4];
    for (int slot = 0; slot < 4; slot++) {
        terms[slot] = (int64_t)coefficients[slot] * component->quantization[slot];
    }
    int64_t left = terms[0] + terms[1], right = terms[0] - terms[1];
    int64_t left_step = terms[2] + terms[3], right_step = terms[2] - terms[3];
    samples[0] = sample_of(shift_rounded(left + left_step, 3));
    samples[1] = sample_of(shift_rounded(right + right_step, 3));
    samples[component->stride] = sample_of(shift_rounded(left - left_step, 3));
    samples[component->stride + 1] = sample_of(shift_rounded(right - right_step, 3));
}

// The four-point inverse DCT with 13 more fractional bits; the factors are sqrt(2) times cos(pi /
// 8) and cos(3 pi / 8), which is sin(pi / 8).
static void idct_4(const int64_t *terms, int64_t *points) {
    int64_t low = (terms[0] + terms[2]) * 8192, high = (terms[0] - terms[2]) * 8192;
    int64_t outer = terms[1] * 10703 + terms[3] * 4433;
    int64_t inner = terms[1] * 4433 - terms[3] * 10703;
    points[0] = low + outer;
    points[1] = high + inner;
    points[2] = high - inner;
    points[3] = low - outer;
}

static void idct_4x4(
    const emb_jpeg_component *component, const int16_t *coefficients, uint8_t *samples) {
    int64_t rows[4][4], terms[4], points[4];
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 4; row++) {
            int slot = row * 4 + column;
            terms[row] = (int64_t)coefficients[slot] * component->quantization[slot];
        }
        idct_4(terms, points);
        for (int row = 0; row < 4; row++) {
            rows[row][column] = points[row];
        }
    }
    for (int row = 0; row < 4; row++) {
        idct_4(rows[row], points);
        for (int column = 0; column < 4; column++) {
            int64_t value = shift_rounded(points[column], 29);
            samples[row * component->stride + column] = sample_of(value);
        }
    }
}

// Wraps a DC value like libjpeg's range-limit table of 1,024 entries; only damaged data exceeds it.
static int64_t wrap_like_libjpeg(int64_t value) {
    return ((value + 512) & 1023) - 512;
}

void emb_jpeg_idct(
    const emb_jpeg_component *component, const int16_t *coefficients, uint64_t nonzero,
    uint8_t *samples) {
    int side = component->dct->side;
    // Without AC coefficients all samples are equal.
    if ((nonzero & component->dct->needed & ~(uint64_t)1) == 0) {
        int64_t dc = shift_rounded((int64_t)coefficients[0] * component->quantization[0], 3);
        uint8_t sample = sample_of(side == 1 ? wrap_like_libjpeg(dc) : dc);
        // With constant sizes the compiler emits stores instead of calls.
        for (int row = 0; row < side; row++, samples += component->stride) {
            if (side == 4) {
                memset(samples, sample, 4);
            } else if (side == 2) {
                memset(samples, sample, 2);
            } else {
                *samples = sample;
            }
        }
    } else if (side == 2) {
        idct_2x2(component, coefficients, samples);
    } else {
        idct_4x4(component, coefficients, samples);
    }
}
