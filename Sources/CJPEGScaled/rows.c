#include "parts.h"

// Doubles the width with a triangle filter. Each pixel is three quarters of its sample and a
// quarter of the nearer neighbour; at the edges its own sample counts for both. Halves are rounded
// down in left pixels and up in right ones.
static void stretch_smoothly(const uint8_t *from, int count, uint8_t *to) {
    int before = from[0], own = from[0];
    for (int index = 0; index < count; index++) {
        int after = from[index + 1 < count ? index + 1 : index];
        to[2 * index] = (uint8_t)((before + 3 * own + 1) / 4);
        to[2 * index + 1] = (uint8_t)((3 * own + after + 2) / 4);
        before = own;
        own = after;
    }
}

static void stretch_plainly(const uint8_t *from, int count, uint8_t *to) {
    for (int index = 0; index < count; index++) {
        to[index * 2] = to[index * 2 + 1] = from[index];
    }
}

static uint8_t clamped(int value) {
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

// Products are of 16 by 16 bits with 16 fractional bits; integer parts of factors are separate
// terms.
static void colour(
    const uint8_t *luma, const uint8_t *blue, const uint8_t *red, int count,
    uint8_t *restrict pixels) {
    for (int index = 0; index < count; index++) {
        int16_t y = luma[index];
        int16_t cb = (int16_t)(blue[index] - 128);
        int16_t cr = (int16_t)(red[index] - 128);
        pixels[index * 4] = clamped(y + cr + ((cr * 26345 + 32768) >> 16));
        pixels[index * 4 + 1] = clamped(y - cr + ((cb * -22554 + cr * 18734 + 32768) >> 16));
        pixels[index * 4 + 2] = clamped(y + cb * 2 + ((cb * -14942 + 32768) >> 16));
        pixels[index * 4 + 3] = 255;
    }
}

static void grey(const uint8_t *luma, int count, uint8_t *restrict pixels) {
    for (int index = 0; index < count; index++) {
        pixels[index * 4] = pixels[index * 4 + 1] = pixels[index * 4 + 2] = luma[index];
        pixels[index * 4 + 3] = 255;
    }
}

void emb_jpeg_write_rows(const emb_jpeg_picture *picture, int unit_row, uint8_t *pixels) {
    int rows = picture->down * picture->eighths;
    int first = unit_row * rows;
    if (rows > picture->height - first) {
        rows = picture->height - first;
    }
    const emb_jpeg_part *parts = picture->parts;
    for (int row = 0; row < rows; row++) {
        uint8_t *target = pixels + (size_t)(first + row) * (size_t)picture->width * 4;
        const uint8_t *lines[3] = {0};
        for (int index = 0; index < picture->count; index++) {
            const emb_jpeg_part *part = &parts[index];
            lines[index] = part->plane + (size_t)row * part->stride;
            if (part->across * part->needs->side == picture->across * picture->eighths) {
                continue;
            }
            int count = (picture->width + 1) / 2;
            uint8_t *wide = picture->stretched[index - 1];
            if (picture->eighths > 1 && count > 2) {
                stretch_smoothly(lines[index], count, wide);
            } else {
                stretch_plainly(lines[index], count, wide);
            }
            lines[index] = wide;
        }
        if (picture->count == 1) {
            grey(lines[0], picture->width, target);
        } else {
            colour(lines[0], lines[1], lines[2], picture->width, target);
        }
    }
}
