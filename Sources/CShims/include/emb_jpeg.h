#pragma once

// libjpeg-turbo leaves by longjmp when it gives up. These doors keep that jump inside C, keep the
// library silent, and hand back plain numbers.

#include <stddef.h>
#include <stdint.h>

// How a call ended.
enum {
    EMB_JPEG_OK = 0,
    EMB_JPEG_CORRUPT = 1,
    EMB_JPEG_UNSUPPORTED = 2,
    EMB_JPEG_TOO_MANY_SCANS = 3,
    EMB_JPEG_NO_MEMORY = 4,
    EMB_JPEG_TRUNCATED = 5,
};

// The library's own version, such as "2.1.5".
const char *emb_jpeg_version(void);

// ---- Reading

typedef struct emb_jpeg_read_request {
    const uint8_t *bytes;
    size_t length;
    // The picture is decoded at eighths/8 of its size: 1, 2, 4 or 8.
    int32_t eighths;
    // The size that the caller expects and has room for, four bytes a pixel.
    int32_t width;
    int32_t height;
    // More scans than this end the call with EMB_JPEG_TOO_MANY_SCANS.
    int32_t scans_limit;
    // Go on to the last row where the data ends early.
    int32_t allow_truncated;
    // libjpeg reads every picture, also the small ones that the decoder of ours would take.
    int32_t library_alone;
} emb_jpeg_read_request;

typedef struct emb_jpeg_read_result {
    // The pixels are as stored CMYK (four bytes, 0 to 255 in the sense of the file), not RGBA.
    int32_t is_cmyk;
    // An Adobe marker was seen; its CMYK values are inverted.
    int32_t is_adobe;
    // Damage that the library stepped over.
    int32_t warnings;
    // The library's message when it gave up.
    char message[200];
} emb_jpeg_read_result;

// Decodes into `pixels` (width * height * 4 bytes): RGBA with alpha 255, or CMYK.
int emb_jpeg_read(
    const emb_jpeg_read_request *request, uint8_t *pixels, emb_jpeg_read_result *result);

// ---- Writing

// What the rows hold, and what is stored.
enum {
    // Rows of RGBA (alpha ignored), stored as YCbCr.
    EMB_JPEG_YCBCR = 0,
    // Rows of RGBA (alpha ignored), stored as RGB with an Adobe marker.
    EMB_JPEG_RGB = 1,
    // Rows of one byte a pixel.
    EMB_JPEG_GREY = 2,
    // Rows of four bytes a pixel, stored as they are with an Adobe marker (so inverted: 255 is no
    // ink).
    EMB_JPEG_CMYK = 3,
    // As before, stored as YCCK.
    EMB_JPEG_YCCK = 4,
};

typedef struct emb_jpeg_write_request {
    const uint8_t *pixels;
    size_t bytes_per_row;
    int32_t width;
    int32_t height;
    int32_t colour;
    // 1 to 100.
    int32_t quality;
    int32_t progressive;
    int32_t arithmetic;
    // Chroma at half size in both directions (YCbCr and YCCK only).
    int32_t subsampled;
    // Restart markers every so many rows of blocks; 0 for none.
    int32_t restart_rows;
    // Leave the Adobe marker out.
    int32_t without_adobe;
    // Whole marker segments (FF E1 hi lo data...), one after another, written before the tables;
    // may be null.
    const uint8_t *segments;
    size_t segments_length;
} emb_jpeg_write_request;

// Encodes into memory that the caller gives back with emb_jpeg_free. Always optimises the
// Huffman tables. `message` has room for 200 bytes.
int emb_jpeg_write(
    const emb_jpeg_write_request *request, uint8_t **bytes, size_t *length, char *message);

void emb_jpeg_free(uint8_t *bytes);
