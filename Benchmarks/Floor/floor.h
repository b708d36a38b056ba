#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct bytes {
    uint8_t *start;
    size_t length;
} bytes;

typedef struct png_layout {
    size_t row;
    size_t height;
    size_t step;
    // The bytes of all rows, including filter bytes.
    size_t raw;
} png_layout;

// Reads a whole file; the caller must free it. The start is NULL if the file cannot be read.
bytes read_file(const char *path);

// Concatenates the image data of all chunks; the caller must free it. The start is NULL if the file
// is not a PNG or is interlaced.
bytes png_data(const bytes *file, png_layout *layout);

// Decodes a lossy file to planes and a lossless file to pixels.
void webp_read(const bytes *file);

// Returns the pixels of a WebP with straight alpha; the caller must free them.
uint8_t *webp_pixels(const bytes *file, int *width, int *height);

// Encodes with emblem's defaults: quality 82, method 4.
void webp_write(const uint8_t *pixels, int width, int height);

void png_unfilter(uint8_t *raw, const png_layout *layout);
