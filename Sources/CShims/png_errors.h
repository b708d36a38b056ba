#pragma once

#include <setjmp.h>
#include <stdint.h>

#include <png.h>

// The state of a call of libpng: the target of longjmp, the message, and errors that libpng does
// not report by longjmp.
typedef struct emb_png_errors {
    jmp_buf jump_buffer;
    char *message;
    int no_memory;
    // Whether the Adler-32 of the image data is wrong; libpng only warns.
    int has_wrong_checksum;
} emb_png_errors;

void emb_png_errors_init(emb_png_errors *errors, char *message);

// Callbacks for png_create_read_struct_2 and png_create_write_struct_2.
void emb_png_error(png_structp png, png_const_charp message);
void emb_png_warning(png_structp png, png_const_charp message);
png_voidp emb_png_allocate(png_structp png, png_alloc_size_t size);
void emb_png_release(png_structp png, png_voidp memory);
