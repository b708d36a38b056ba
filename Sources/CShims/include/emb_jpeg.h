#pragma once

// libjpeg-turbo reports errors by longjmp. These functions keep the jump inside C, suppress the
// library's output, and return status codes.

#include <stddef.h>
#include <stdint.h>

// The status of a call.
enum {
    EMB_JPEG_OK = 0,
    EMB_JPEG_CORRUPT = 1,
    EMB_JPEG_UNSUPPORTED = 2,
    EMB_JPEG_TOO_MANY_SCANS = 3,
    EMB_JPEG_NO_MEMORY = 4,
    EMB_JPEG_TRUNCATED = 5,
};

// Returns the library's version, such as "2.1.5".
const char *emb_jpeg_version(void);

// ---- Reading

typedef struct emb_jpeg_read_request {
    const uint8_t *bytes;
    size_t length;
    // The scale in eighths: 1, 2, 4 or 8.
    int32_t eighths;
    // The size of the result in pixels. The caller provides four bytes per pixel.
    int32_t width;
    int32_t height;
    // The maximum number of scans; more give EMB_JPEG_TOO_MANY_SCANS.
    int32_t scans_limit;
    // Whether libjpeg decodes every picture, including small ones that CJPEGScaled would decode.
    int32_t library_alone;
} emb_jpeg_read_request;

typedef struct emb_jpeg_read_result {
    // Whether the pixels are CMYK as stored (four bytes, not inverted) instead of RGBA.
    int32_t is_cmyk;
    // Whether an Adobe marker was found; its CMYK values are inverted.
    int32_t is_adobe;
    // The library's error message.
    char message[200];
} emb_jpeg_read_result;

// Decodes into `pixels` (width * height * 4 bytes): RGBA with alpha 255, or CMYK.
int emb_jpeg_read(
    const emb_jpeg_read_request *request, uint8_t *pixels, emb_jpeg_read_result *result);

// ---- Writing

typedef struct emb_jpeg_write_request {
    // Rows of RGBA without gaps; alpha is ignored.
    const uint8_t *pixels;
    int32_t width;
    int32_t height;
    int32_t quality;
    // Whether chroma has half the size in both directions.
    int32_t subsampled;
} emb_jpeg_write_request;

// Encodes a progressive YCbCr file with optimised Huffman tables into memory that the caller must
// release with emb_jpeg_free. `message` must hold 200 bytes.
int emb_jpeg_write(
    const emb_jpeg_write_request *request, uint8_t **bytes, size_t *length, char *message);

void emb_jpeg_free(uint8_t *bytes);
