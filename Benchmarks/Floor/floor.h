#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct bytes {
    uint8_t *start;
    size_t length;
} bytes;

// The rows of a PNG that is not interlaced.
typedef struct png_layout {
    size_t row;
    size_t height;
    size_t step;
    // Bytes of all rows with their filters.
    size_t raw;
} png_layout;

// The whole file, to be freed; without a start where it cannot be read.
bytes read_file(const char *path);

// The image data of all chunks in one piece, to be freed; without a start where the file is no
// PNG or is interlaced.
bytes png_data(const bytes *file, png_layout *layout);

// Decodes to planes, a lossless file to pixels.
void webp_read(const bytes *file);

// The pixels of a WebP with straight alpha, to be freed.
uint8_t *webp_pixels(const bytes *file, int *width, int *height);

// Encodes as emblem does by default: quality 82, method 4.
void webp_write(const uint8_t *pixels, int width, int height);

// Undoes the filters in place.
void png_unfilter(uint8_t *raw, const png_layout *layout);
