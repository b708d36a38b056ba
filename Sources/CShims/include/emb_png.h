#pragma once

// libpng leaves by longjmp when it gives up. These doors keep that jump inside C, keep the library
// silent, and hand back plain numbers.

#include <stddef.h>
#include <stdint.h>

// How a call ended.
enum {
    EMB_PNG_OK = 0,
    EMB_PNG_CORRUPT = 1,
    EMB_PNG_TRUNCATED = 2,
    EMB_PNG_NO_MEMORY = 3,
    // Truncated before the first row.
    EMB_PNG_EMPTY = 4,
};

// The library's own version, such as "1.6.39".
const char *emb_png_version(void);

// ---- Reading

// A part of the file. The library reads the parts one after another, as if they were all of it.
typedef struct emb_png_part {
    const uint8_t *bytes;
    size_t length;
} emb_png_part;

typedef struct emb_png_read_request {
    const emb_png_part *parts;
    size_t count;
    // The size that the caller expects and has room for, four bytes a pixel.
    uint32_t width;
    uint32_t height;
} emb_png_read_request;

// Decodes into `pixels` (width * height * 4 bytes, all zero before): RGBA, alpha not multiplied in,
// 16 bits a sample rounded to 8. What was there before the end of the data is written also where
// the result is EMB_PNG_TRUNCATED. `message` has room for 200 bytes.
int emb_png_read(const emb_png_read_request *request, uint8_t *pixels, char *message);

// ---- Writing

typedef struct emb_png_write_request {
    // The samples as the file holds them, rows without filter bytes.
    const uint8_t *rows;
    size_t bytes_per_row;
    uint32_t width;
    uint32_t height;
    int32_t bit_depth;
    int32_t colour_type;
    // RGBA, red in the lowest byte; those up to the last that is not opaque come with an alpha.
    const uint32_t *palette;
    int32_t palette_count;
} emb_png_write_request;

// Encodes at the library's default settings into memory that the caller gives back with
// emb_png_free. `message` has room for 200 bytes.
int emb_png_write(
    const emb_png_write_request *request, uint8_t **bytes, size_t *length, char *message);

void emb_png_free(uint8_t *bytes);
