#pragma once

#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

// How a JPEG shall be read that is shown small.
typedef struct emb_jpeg_scaled_request {
    // The picture is decoded at eighths/8 of its size: 1 or 2.
    int32_t eighths;
    // The size that the caller expects and has room for, four bytes a pixel.
    int32_t width;
    int32_t height;
    // A picture of more scans is left to libjpeg.
    int32_t scans_limit;
} emb_jpeg_scaled_request;

// Decodes the ordinary picture at one or two eighths, from where `info` has read its header, and
// leaves `info` as it is. It is quicker than libjpeg since blocks keep only the numbers that a
// small picture needs. At one eighth the pixels are within one level of libjpeg's where no
// component is stored smaller than another; all else comes as near to the whole picture as
// libjpeg's does (see inverse.c).
//
// 0 where the picture is anything but ordinary and whole: libjpeg then reads it and says why, and
// what was written to `pixels` is to be written anew.
int emb_jpeg_read_scaled(
    const struct jpeg_decompress_struct *info, const emb_jpeg_scaled_request *request,
    uint8_t *pixels);
