#pragma once

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

// The error manager for reading and writing: it prints nothing and jumps to `door`.
typedef struct emb_jpeg_fence {
    struct jpeg_error_mgr base;
    jmp_buf door;
    char *message;
    int status;
    // The data of a scan ended before its blocks: at EOI, at another marker, or in a progressive
    // scan of AC coefficients.
    int hit_end;
    int hit_marker;
    int hit_in_detail;
} emb_jpeg_fence;

void emb_jpeg_fence_init(emb_jpeg_fence *fence, char *message);
