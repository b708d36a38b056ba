#include "parts.h"

// Ways to predict a pixel (section 3.5.1).
enum {
    OF_NONE,
    OF_LEFT,
    OF_ABOVE,
    OF_ABOVE_RIGHT,
    OF_ABOVE_LEFT,
    LEFT_AND_ABOVE_RIGHT_AND_ABOVE,
    LEFT_AND_ABOVE_LEFT,
    LEFT_AND_ABOVE,
    ABOVE_LEFT_AND_ABOVE,
    ABOVE_AND_ABOVE_RIGHT,
    ALL_FOUR,
    NEARER,
    GRADIENT,
    HALF_GRADIENT,
};

static int mean(int first, int second) {
    return (first + second) >> 1;
}

static int within(int value) {
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

static int difference(int first, int second) {
    return first < second ? second - first : first - second;
}

// In one of the ways that look above, the last if it is no other.
static inline int predicted(unsigned mode, int left, const uint8_t *above) {
    int here = above[0];
    int before = above[-1];
    int after = above[1];
    switch (mode) {
    case OF_ABOVE:
        return here;
    case OF_ABOVE_RIGHT:
        return after;
    case OF_ABOVE_LEFT:
        return before;
    case LEFT_AND_ABOVE_RIGHT_AND_ABOVE:
        return mean(mean(left, after), here);
    case LEFT_AND_ABOVE_LEFT:
        return mean(left, before);
    case LEFT_AND_ABOVE:
        return mean(left, here);
    case ABOVE_LEFT_AND_ABOVE:
        return mean(before, here);
    case ABOVE_AND_ABOVE_RIGHT:
        return mean(here, after);
    case ALL_FOUR:
        return mean(mean(left, before), mean(here, after));
    case NEARER:
        return difference(here, before) < difference(left, before) ? left : here;
    case GRADIENT:
        return within(left + here - before);
    default: {
        int both = mean(left, here);
        return within(both + (both - before) / 2);
    }
    }
}

// Adds what is predicted, all in one way, for the pixels from `start` to before `end`.
static void add_predicted(unsigned mode, uint8_t *row, int width, int start, int end) {
    const uint8_t *above = row - width;
    int left = row[start - 1];
    // The mode is the same for all: each case becomes a loop of its own.
#define EACH(way)                                                                                  \
    case way:                                                                                      \
        for (int x = start; x < end; x++) {                                                        \
            left = (uint8_t)(row[x] + predicted(way, left, above + x));                            \
            row[x] = (uint8_t)left;                                                                \
        }                                                                                          \
        break;
    switch (mode) {
    case OF_LEFT:
        emb_alpha_add_left(row, (size_t)start, (size_t)end);
        break;
        EACH(OF_ABOVE)
        EACH(OF_ABOVE_RIGHT)
        EACH(OF_ABOVE_LEFT)
        EACH(LEFT_AND_ABOVE_RIGHT_AND_ABOVE)
        EACH(LEFT_AND_ABOVE_LEFT)
        EACH(LEFT_AND_ABOVE)
        EACH(ABOVE_LEFT_AND_ABOVE)
        EACH(ABOVE_AND_ABOVE_RIGHT)
        EACH(ALL_FOUR)
        EACH(NEARER)
        EACH(GRADIENT)
        EACH(HALF_GRADIENT)
    default:
        // Nothing is predicted.
        break;
    }
#undef EACH
}

// Returns 0 where opacity is not the same everywhere. It is if nothing is left of it but where
// nothing is predicted, as at the first pixel.
static int undo_prediction(
    const emb_alpha_transforms *transforms, int width, int height, uint8_t *pixels) {
    unsigned bits = transforms->tile_bits;
    uint8_t unpredicted = transforms->opacities[0];
    if (!emb_alpha_are_all(transforms->opacities + 1, 0, (size_t)width - 1)) {
        return 0;
    }
    emb_alpha_add_left(pixels, 1, (size_t)width);
    int across = emb_alpha_squares(width, bits);
    for (int y = 1; y < height; y++) {
        uint8_t *row = pixels + (size_t)y * (size_t)width;
        const uint8_t *opacities = transforms->opacities + (size_t)y * (size_t)width;
        const uint8_t *modes = transforms->modes + (size_t)(y >> bits) * (size_t)across;
        if (opacities[0] != 0) {
            return 0;
        }
        row[0] = (uint8_t)(row[0] + row[-width]);
        int start = 1;
        for (int square = 0; start < width;) {
            unsigned mode = modes[square] & 15;
            do {
                square++;
            } while (square < across && (modes[square] & 15) == mode);
            int end = square < across ? square << bits : width;
            uint8_t expected = mode == OF_NONE || mode > HALF_GRADIENT ? unpredicted : 0;
            if (!emb_alpha_are_all(opacities + start, expected, (size_t)(end - start))) {
                return 0;
            }
            add_predicted(mode, row, width, start, end);
            start = end;
        }
    }
    return 1;
}

// A byte holds some indices, the first of them lowest. Packed rows stand one after the other at the
// front of the plane: from the last on they go where they belong.
static void undo_palette(
    const emb_alpha_transforms *transforms, int width, int height, uint8_t *pixels) {
    unsigned bits = transforms->index_bits;
    unsigned each = 8 >> bits;
    unsigned mask = (1U << each) - 1;
    int packed = emb_alpha_squares(width, bits);
    uint8_t held[MOST_SIDE];
    for (int y = height - 1; y >= 0; y--) {
        memcpy(held, pixels + (size_t)y * (size_t)packed, (size_t)packed);
        uint8_t *row = pixels + (size_t)y * (size_t)width;
        if (bits == 0) {
            for (int x = 0; x < width; x++) {
                row[x] = transforms->palette[held[x]];
            }
            continue;
        }
        for (int x = 0; x < width; x++) {
            unsigned shift = ((unsigned)x & ((1U << bits) - 1)) * each;
            row[x] = transforms->palette[held[x >> bits] >> shift & mask];
        }
    }
}

int emb_alpha_undo(const emb_alpha_transforms *transforms, int width, int height, uint8_t *pixels) {
    int across = width;
    if (transforms->palette_count > 0) {
        across = emb_alpha_squares(width, transforms->index_bits);
    }
    if (transforms->modes && !undo_prediction(transforms, across, height, pixels)) {
        return 0;
    }
    if (transforms->palette_count > 0) {
        undo_palette(transforms, width, height, pixels);
    }
    return 1;
}
