#pragma once

#include <setjmp.h>
#include <stdint.h>

#include <png.h>

// The error context for reading and writing: the jump target and the message.
typedef struct emb_png_fence {
    jmp_buf door;
    char *message;
    int no_memory;
    // The Adler-32 of the image data is wrong; libpng only warns.
    int wrong_check;
} emb_png_fence;

void emb_png_fence_init(emb_png_fence *fence, char *message);

// Hooks for png_create_read_struct_2 and png_create_write_struct_2.
void emb_png_give_up(png_structp png, png_const_charp message);
void emb_png_take_note(png_structp png, png_const_charp message);
png_voidp emb_png_allocate(png_structp png, png_alloc_size_t size);
void emb_png_release(png_structp png, png_voidp memory);
