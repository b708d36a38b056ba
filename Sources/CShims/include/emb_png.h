#pragma once

// libpng reports errors by longjmp. These functions keep the jump inside C, suppress the library's
// output, and return status codes.

#include <stddef.h>
#include <stdint.h>

// The status of a call.
enum {
    EMB_PNG_OK = 0,
    EMB_PNG_CORRUPT = 1,
    EMB_PNG_TRUNCATED = 2,
    EMB_PNG_NO_MEMORY = 3,
};

// Returns the library's version, such as "1.6.39".
const char *emb_png_version(void);

// ---- Reading

// A part of the file; the library reads all parts as one stream.
typedef struct emb_png_part {
    const uint8_t *bytes;
    size_t length;
} emb_png_part;

typedef struct emb_png_read_request {
    const emb_png_part *parts;
    size_t count;
    uint32_t width;
    uint32_t height;
    // The image, width * height * 4 bytes, initially zero.
    uint8_t *pixels;
} emb_png_read_request;

// Decodes to straight RGBA, with 16-bit samples rounded to 8. On EMB_PNG_TRUNCATED the rows before
// the end of the data are written. `message` must hold 200 bytes.
int emb_png_read(const emb_png_read_request *request, char *message);

// ---- Writing

typedef struct emb_png_write_request {
    // The samples as stored in the file, rows without filter bytes.
    const uint8_t *rows;
    size_t bytes_per_row;
    uint32_t width;
    uint32_t height;
    int32_t bit_depth;
    int32_t colour_type;
    // RGBA with red in the lowest byte; an alpha is stored for entries up to the last one that is
    // not opaque.
    const uint32_t *palette;
    int32_t palette_count;
} emb_png_write_request;

// Encodes with the library's default settings into memory that the caller must release with
// emb_png_free. `message` must hold 200 bytes.
int emb_png_write(
    const emb_png_write_request *request, uint8_t **bytes, size_t *length, char *message);

void emb_png_free(uint8_t *bytes);
