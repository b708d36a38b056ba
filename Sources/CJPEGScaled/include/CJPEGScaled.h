#pragma once

#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

// The parameters of decoding a JPEG at a small size.
typedef struct emb_jpeg_scaled_request {
    // The scale in eighths: 1 or 2.
    int32_t eighths;
    // The size of the result, for which the caller has room at four bytes per pixel.
    int32_t width;
    int32_t height;
    // The maximum number of scans; a picture with more is left to libjpeg.
    int32_t scans_limit;
} emb_jpeg_scaled_request;

// Decodes an ordinary picture at one or two eighths of its size, after jpeg_read_header has filled
// `info`, and leaves `info` unchanged. It is faster than libjpeg, because it keeps only the
// coefficients that a reduced inverse DCT needs. At one eighth, without subsampled components,
// pixels are within one level of libjpeg's; any other result is as close to exact scaling of the
// whole picture as libjpeg's is (see idct.c).
//
// Returns 0 if the picture is unusual or damaged. libjpeg must then decode it, report the reason,
// and overwrite `pixels`.
int emb_jpeg_read_scaled(
    const struct jpeg_decompress_struct *info, const emb_jpeg_scaled_request *request,
    uint8_t *pixels);
