#include "decoder.h"

// Upsamples the chroma components and converts YCbCr to RGBA.

// Doubles the width with a triangle filter (libjpeg's "fancy" upsampling). Each pixel is three
// quarters of its sample and a quarter of the nearer neighbour; at the edges its own sample counts
// for both. Halves are rounded down in left pixels and up in right pixels.
static void upsample_triangle(const uint8_t *from, int count, uint8_t *to) {
    int before = from[0], own = from[0];
    for (int index = 0; index < count; index++) {
        int after = from[index + 1 < count ? index + 1 : index];
        to[2 * index] = (uint8_t)((before + 3 * own + 1) / 4);
        to[2 * index + 1] = (uint8_t)((3 * own + after + 2) / 4);
        before = own;
        own = after;
    }
}

static void upsample_repeat(const uint8_t *from, int count, uint8_t *to) {
    for (int index = 0; index < count; index++) {
        to[index * 2] = to[index * 2 + 1] = from[index];
    }
}

static uint8_t clamp(int value) {
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

// Converts as JFIF defines. Products are of 16 by 16 bits with 16 fractional bits; integer parts of
// factors are separate terms.
static void ycc_to_rgba(
    const uint8_t *y_row, const uint8_t *cb_row, const uint8_t *cr_row, int count,
    uint8_t *restrict pixels) {
    for (int index = 0; index < count; index++) {
        int16_t y = y_row[index];
        int16_t cb = (int16_t)(cb_row[index] - 128);
        int16_t cr = (int16_t)(cr_row[index] - 128);
        pixels[index * 4] = clamp(y + cr + ((cr * 26345 + 32768) >> 16));
        pixels[index * 4 + 1] = clamp(y - cr + ((cb * -22554 + cr * 18734 + 32768) >> 16));
        pixels[index * 4 + 2] = clamp(y + cb * 2 + ((cb * -14942 + 32768) >> 16));
        pixels[index * 4 + 3] = 255;
    }
}

static void grey_to_rgba(const uint8_t *y_row, int count, uint8_t *restrict pixels) {
    for (int index = 0; index < count; index++) {
        pixels[index * 4] = pixels[index * 4 + 1] = pixels[index * 4 + 2] = y_row[index];
        pixels[index * 4 + 3] = 255;
    }
}

void emb_jpeg_write_mcu_row(const emb_jpeg_decoder *decoder, int mcu_row, uint8_t *pixels) {
    int rows = decoder->v_max * decoder->eighths;
    int first = mcu_row * rows;
    if (rows > decoder->height - first) {
        rows = decoder->height - first;
    }
    const emb_jpeg_component *components = decoder->components;
    for (int row = 0; row < rows; row++) {
        uint8_t *target = pixels + (size_t)(first + row) * (size_t)decoder->width * 4;
        const uint8_t *sources[3] = {0};
        for (int index = 0; index < decoder->component_count; index++) {
            const emb_jpeg_component *component = &components[index];
            sources[index] = component->samples + (size_t)row * component->stride;
            if (component->h * component->dct->side == decoder->h_max * decoder->eighths) {
                continue;
            }
            int count = (decoder->width + 1) / 2;
            uint8_t *upsampled = decoder->upsampled[index - 1];
            if (decoder->eighths > 1 && count > 2) {
                upsample_triangle(sources[index], count, upsampled);
            } else {
                upsample_repeat(sources[index], count, upsampled);
            }
            sources[index] = upsampled;
        }
        if (decoder->component_count == 1) {
            grey_to_rgba(sources[0], decoder->width, target);
        } else {
            ycc_to_rgba(sources[0], sources[1], sources[2], decoder->width, target);
        }
    }
}
