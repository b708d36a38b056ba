#include "parts.h"

#include <stdlib.h>

// Kinds of transforms (section 3.5).
enum { PREDICTED, COLORS_MIXED, GREEN_TAKEN_OUT, INDEXED };

// The codes of a group. Those of red and blue have nothing to say but 0.
static int read_group(
    emb_alpha_bits *bits, unsigned greens, uint16_t *symbols, emb_alpha_group *group) {
    uint8_t lengths[MOST_SYMBOLS];
    uint16_t none[GREENS];
    emb_alpha_code other;
    if (!emb_alpha_read_lengths(bits, greens, lengths) ||
        !emb_alpha_make_code(lengths, greens, symbols, &group->greens)) {
        return 0;
    }
    symbols += greens;
    for (unsigned color = 0; color < 2; color++) {
        // A single symbol takes no bits: only then an entry is 0.
        if (!emb_alpha_read_lengths(bits, GREENS, lengths) ||
            !emb_alpha_make_code(lengths, GREENS, none, &other) || other.root[0] != 0) {
            return 0;
        }
    }
    if (!emb_alpha_read_lengths(bits, GREENS, lengths) ||
        !emb_alpha_make_code(lengths, GREENS, symbols, &group->opacities)) {
        return 0;
    }
    symbols += GREENS;
    return emb_alpha_read_lengths(bits, DISTANCES, lengths) &&
        emb_alpha_make_code(lengths, DISTANCES, symbols, &group->distances);
}

// As many groups as the picture has, read one after the other. Their symbols stand behind them.
static int read_groups(emb_alpha_picture *picture, emb_alpha_bits *bits) {
    unsigned greens = GREENS + LENGTHS;
    if (picture->cache.bits > 0) {
        greens += 1U << picture->cache.bits;
    }
    size_t symbols = greens + GREENS + DISTANCES;
    size_t each = sizeof(emb_alpha_group) + symbols * sizeof(uint16_t);
    picture->groups = malloc(picture->group_count * each);
    if (!picture->groups) {
        return 0;
    }
    uint16_t *next = (uint16_t *)(picture->groups + picture->group_count);
    for (unsigned index = 0; index < picture->group_count; index++, next += symbols) {
        if (!read_group(bits, greens, next, picture->groups + index) || emb_alpha_is_over(bits)) {
            return 0;
        }
    }
    return 1;
}

static int read_cache(emb_alpha_cache *cache, emb_alpha_bits *bits) {
    if (emb_alpha_number(bits, 1) == 0) {
        return 1;
    }
    cache->bits = emb_alpha_take(bits, 4);
    return cache->bits >= 1 && cache->bits <= MOST_CACHE_BITS;
}

static int read_tiles(emb_alpha_picture *picture, emb_alpha_bits *bits);

static int open_opacities(emb_alpha_picture *picture) {
    if (picture->cache.bits == 0 && !picture->is_predicted) {
        return 1;
    }
    picture->opacities = malloc((size_t)picture->width * (size_t)picture->height);
    return picture->opacities != NULL;
}

// What a stream holds after its transforms. A part of the description has one group alone. The
// opacities are the caller's to free.
static int read_image(emb_alpha_picture *picture, emb_alpha_bits *bits, int has_tiles) {
    picture->group_count = 1;
    int is_read = read_cache(&picture->cache, bits) && open_opacities(picture) &&
        (!has_tiles || read_tiles(picture, bits)) && read_groups(picture, bits) &&
        emb_alpha_read_pixels(picture, bits);
    free(picture->groups);
    free(picture->tiles);
    return is_read;
}

static int read_part(emb_alpha_bits *bits, int width, int height, uint8_t *pixels) {
    emb_alpha_picture part = {.width = width, .height = height, .pixels = pixels};
    int is_read = read_image(&part, bits, 0);
    free(part.opacities);
    return is_read;
}

// What describes squares of a picture, a byte each; null where it is not in order.
static uint8_t *read_squares(emb_alpha_bits *bits, int width, int height, unsigned *square_bits) {
    *square_bits = emb_alpha_number(bits, 3) + 2;
    int across = emb_alpha_squares(width, *square_bits);
    int down = emb_alpha_squares(height, *square_bits);
    uint8_t *squares = malloc((size_t)across * (size_t)down);
    if (squares && !read_part(bits, across, down, squares)) {
        free(squares);
        return NULL;
    }
    return squares;
}

static int read_tiles(emb_alpha_picture *picture, emb_alpha_bits *bits) {
    if (emb_alpha_number(bits, 1) == 0) {
        return 1;
    }
    picture->tiles = read_squares(bits, picture->width, picture->height, &picture->tile_bits);
    if (!picture->tiles) {
        return 0;
    }
    picture->tiles_across = emb_alpha_squares(picture->width, picture->tile_bits);
    size_t count = (size_t)picture->tiles_across *
        (size_t)emb_alpha_squares(picture->height, picture->tile_bits);
    for (size_t index = 0; index < count; index++) {
        if (picture->tiles[index] >= picture->group_count) {
            picture->group_count = picture->tiles[index] + 1U;
        }
    }
    return 1;
}

static int read_palette(emb_alpha_bits *bits, emb_alpha_transforms *transforms) {
    unsigned count = emb_alpha_number(bits, 8) + 1;
    if (!read_part(bits, (int)count, 1, transforms->palette)) {
        return 0;
    }
    for (unsigned index = 1; index < count; index++) {
        transforms->palette[index] =
            (uint8_t)(transforms->palette[index] + transforms->palette[index - 1]);
    }
    memset(transforms->palette + count, 0, sizeof transforms->palette - count);
    transforms->palette_count = count;
    transforms->index_bits = count <= 2 ? 3 : count <= 4 ? 2 : count <= 16 ? 1 : 0;
    return 1;
}

int emb_alpha_read_picture(
    emb_alpha_bits *bits, int width, int height, uint8_t *pixels,
    emb_alpha_transforms *transforms) {
    while (emb_alpha_number(bits, 1)) {
        unsigned kind = emb_alpha_take(bits, 2);
        // Some give red and blue a value. What is predicted after colours were found in a palette
        // depends on all of a colour. And no kind comes twice.
        if (kind == COLORS_MIXED || kind == GREEN_TAKEN_OUT || transforms->modes ||
            (kind == INDEXED && transforms->palette_count > 0)) {
            return 0;
        }
        if (kind == INDEXED) {
            if (!read_palette(bits, transforms)) {
                return 0;
            }
            width = emb_alpha_squares(width, transforms->index_bits);
        } else {
            transforms->modes = read_squares(bits, width, height, &transforms->tile_bits);
            if (!transforms->modes) {
                return 0;
            }
        }
    }
    emb_alpha_picture picture = {
        .width = width,
        .height = height,
        .pixels = pixels,
        .is_predicted = transforms->modes != NULL,
    };
    int is_read = read_image(&picture, bits, 1);
    transforms->opacities = picture.opacities;
    return is_read;
}
