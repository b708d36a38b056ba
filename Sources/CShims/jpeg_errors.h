#pragma once

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

// The error manager for reading and writing: it prints nothing and jumps to `jump_buffer`.
typedef struct emb_jpeg_errors {
    struct jpeg_error_mgr base;
    jmp_buf jump_buffer;
    char *message;
    int status;
    // Whether the data of a scan ended before its blocks: at EOI, at another marker, or in a
    // progressive scan of AC coefficients.
    int hit_eoi;
    int hit_marker;
    int hit_in_ac_scan;
} emb_jpeg_errors;

void emb_jpeg_errors_init(emb_jpeg_errors *errors, char *message);
