#pragma once

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

// The error manager of both directions: it says nothing and jumps back to the door.
typedef struct emb_jpeg_fence {
    struct jpeg_error_mgr base;
    jmp_buf door;
    char *message;
    int status;
    // The entropy-coded data of a scan ended before its blocks did: at the end of the picture, or
    // at another marker; and the same in a scan that only sharpens what is there already.
    int hit_end;
    int hit_marker;
    int hit_in_detail;
} emb_jpeg_fence;

void emb_jpeg_fence_init(emb_jpeg_fence *fence, char *message);
