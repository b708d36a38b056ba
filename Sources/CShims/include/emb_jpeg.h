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

// The format of the rows, and the stored colour space.
enum {
    // Rows of RGBA (alpha ignored), stored as YCbCr.
    EMB_JPEG_YCBCR = 0,
    // Rows of RGBA (alpha ignored), stored as RGB with an Adobe marker.
    EMB_JPEG_RGB = 1,
    // Rows of one byte per pixel.
    EMB_JPEG_GREY = 2,
    // Rows of four bytes per pixel, stored unchanged with an Adobe marker (inverted: 255 is no
    // ink).
    EMB_JPEG_CMYK = 3,
    // Rows of CMYK as for EMB_JPEG_CMYK, stored as YCCK.
    EMB_JPEG_YCCK = 4,
};

typedef struct emb_jpeg_write_request {
    const uint8_t *pixels;
    size_t bytes_per_row;
    int32_t width;
    int32_t height;
    int32_t colour;
    int32_t quality;
    int32_t progressive;
    int32_t arithmetic;
    // Whether chroma has half the size in both directions (YCbCr and YCCK only).
    int32_t subsampled;
    // The rows of MCUs between restart markers; 0 for no markers.
    int32_t restart_rows;
    // Whether the Adobe marker is omitted.
    int32_t without_adobe;
    // Complete marker segments (FF E1 hi lo data...), written before the tables; may be null.
    const uint8_t *segments;
    size_t segments_length;
} emb_jpeg_write_request;

// Encodes into memory that the caller must release with emb_jpeg_free. Always optimises the Huffman
// tables. `message` must hold 200 bytes.
int emb_jpeg_write(
    const emb_jpeg_write_request *request, uint8_t **bytes, size_t *length, char *message);

void emb_jpeg_free(uint8_t *bytes);
