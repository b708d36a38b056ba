#include "parts.h"

enum {
    NEAR_DISTANCES = 120,
    COPIED_BYTES = 16,
};

// Pixels before this one, nearest first: how many rows above, and below that how many to the left,
// and 7 so that those to the right fit.
static const uint8_t near_pixels[NEAR_DISTANCES] = {
    0x17, 0x08, 0x18, 0x16, 0x27, 0x09, 0x28, 0x26, 0x19, 0x15, 0x29, 0x25, 0x37, 0x0a, 0x38,
    0x36, 0x1a, 0x14, 0x39, 0x35, 0x2a, 0x24, 0x47, 0x0b, 0x48, 0x46, 0x1b, 0x13, 0x3a, 0x34,
    0x49, 0x45, 0x2b, 0x23, 0x57, 0x4a, 0x44, 0x3b, 0x33, 0x0c, 0x58, 0x56, 0x1c, 0x12, 0x59,
    0x55, 0x2c, 0x22, 0x4b, 0x43, 0x5a, 0x54, 0x3c, 0x32, 0x67, 0x0d, 0x68, 0x66, 0x1d, 0x11,
    0x69, 0x65, 0x2d, 0x21, 0x5b, 0x53, 0x4c, 0x42, 0x6a, 0x64, 0x3d, 0x31, 0x77, 0x0e, 0x78,
    0x76, 0x5c, 0x52, 0x1e, 0x10, 0x6b, 0x63, 0x4d, 0x41, 0x79, 0x75, 0x2e, 0x20, 0x7a, 0x74,
    0x3e, 0x30, 0x6c, 0x62, 0x5d, 0x51, 0x0f, 0x7b, 0x73, 0x4e, 0x40, 0x1f, 0x2f, 0x6d, 0x61,
    0x3f, 0x7c, 0x72, 0x5e, 0x50, 0x4f, 0x7d, 0x71, 0x6e, 0x60, 0x5f, 0x7e, 0x70, 0x6f, 0x7f,
};

static uint16_t *cache_place(emb_alpha_cache *cache, unsigned opacity, unsigned green) {
    return cache->colors + (((opacity << 24 | green << 8) * 0x1E35A7BDU) >> (32 - cache->bits));
}

static int are_same(const uint8_t *bytes, const uint8_t *others) {
    return memcmp(bytes, others, RUN) == 0;
}

static void remember(emb_alpha_picture *picture, size_t position, size_t end) {
    const uint8_t *pixels = picture->pixels;
    const uint8_t *opacities = picture->opacities;
    if (picture->cache.bits == 0) {
        return;
    }
    while (position < end) {
        // What is as the pixel before it, which was remembered last or, where a copy repeats
        // itself, comes at its end again.
        if (position > 0 && end - position >= RUN &&
            are_same(pixels + position, pixels + position - 1) &&
            are_same(opacities + position, opacities + position - 1)) {
            position += RUN;
            continue;
        }
        unsigned green = pixels[position];
        unsigned opacity = opacities[position];
        *cache_place(&picture->cache, opacity, green) = (uint16_t)(opacity << 8 | green);
        position++;
    }
}

// What a symbol and bits after it say, a length or a distance (section 3.6.2.2).
static size_t number_of(emb_alpha_bits *bits, unsigned symbol) {
    if (symbol < 4) {
        return symbol + 1;
    }
    unsigned more = (symbol - 2) >> 1;
    return ((size_t)(2 + (symbol & 1)) << more) + emb_alpha_take(bits, more) + 1;
}

static size_t distance_of(size_t number, int width) {
    if (number > NEAR_DISTANCES) {
        return number - NEAR_DISTANCES;
    }
    int near = near_pixels[number - 1];
    int distance = (near >> 4) * width + (near & 15) - 7;
    return distance < 1 ? 1 : (size_t)distance;
}

// Copies what stands `distance` before `to`; `left` bytes may be written there.
static void copy(uint8_t *to, size_t distance, size_t length, size_t left) {
    const uint8_t *from = to - distance;
    if (distance == 1) {
        memset(to, *from, length);
    } else if (distance >= length) {
        memcpy(to, from, length);
    } else if (distance >= COPIED_BYTES && left >= length + COPIED_BYTES) {
        for (size_t index = 0; index < length; index += COPIED_BYTES) {
            memcpy(to + index, from + index, COPIED_BYTES);
        }
    } else {
        for (size_t index = 0; index < length; index++) {
            to[index] = from[index];
        }
    }
}

// A pixel of its own, or one of the cache.
static void read_pixel(
    emb_alpha_picture *picture, emb_alpha_bits *bits, const emb_alpha_group *group, unsigned symbol,
    size_t position) {
    unsigned opacity;
    if (symbol < GREENS) {
        opacity = emb_alpha_find(bits, &group->opacities);
    } else {
        unsigned color = picture->cache.colors[symbol - GREENS - LENGTHS];
        opacity = color >> 8;
        symbol = color & 255;
    }
    picture->pixels[position] = (uint8_t)symbol;
    if (picture->opacities) {
        picture->opacities[position] = (uint8_t)opacity;
    }
    remember(picture, position, position + 1);
}

int emb_alpha_read_pixels(emb_alpha_picture *picture, emb_alpha_bits *bits) {
    size_t count = (size_t)picture->width * (size_t)picture->height;
    size_t width = (size_t)picture->width;
    size_t x = 0;
    size_t y = 0;
    for (size_t position = 0; position < count;) {
        const emb_alpha_group *group = picture->groups;
        if (picture->tiles) {
            group += picture->tiles
                         [(y >> picture->tile_bits) * (size_t)picture->tiles_across +
                          (x >> picture->tile_bits)];
        }
        emb_alpha_refill(bits);
        unsigned symbol = emb_alpha_find(bits, &group->greens);
        size_t length = 1;
        if (symbol >= GREENS && symbol < GREENS + LENGTHS) {
            length = number_of(bits, symbol - GREENS);
            emb_alpha_refill(bits);
            unsigned far = emb_alpha_find(bits, &group->distances);
            size_t distance = distance_of(number_of(bits, far), picture->width);
            if (distance > position || length > count - position) {
                return 0;
            }
            copy(picture->pixels + position, distance, length, count - position);
            if (picture->opacities) {
                copy(picture->opacities + position, distance, length, count - position);
            }
            // What is repeated in it was remembered in the last repetition.
            size_t fresh = length < distance ? length : distance;
            remember(picture, position + length - fresh, position + length);
        } else {
            read_pixel(picture, bits, group, symbol, position);
        }
        position += length;
        for (x += length; x >= width; x -= width) {
            y++;
        }
        if (emb_alpha_is_over(bits)) {
            return 0;
        }
    }
    return 1;
}
