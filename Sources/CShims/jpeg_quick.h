#pragma once

#include "emb_jpeg.h"
#include "jpeg_fence.h"

// Decodes the ordinary picture at one or two eighths, from where `info` has read its header, and
// leaves `info` as it is, in a third of libjpeg's time: blocks keep only the numbers that a small
// picture needs, and the zeros among them cost nothing. At one eighth the pixels are libjpeg's, at
// two they come as near to the whole picture as libjpeg's do (see jpeg_inverse.c).
//
// 0 where the picture is anything but ordinary and whole: libjpeg then reads it and says why, and
// what was written to `pixels` is to be written anew.
int emb_jpeg_read_quickly(
    const struct jpeg_decompress_struct *info, const emb_jpeg_read_request *request,
    uint8_t *pixels);
