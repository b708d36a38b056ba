#include "png_errors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emb_png.h"

const char *emb_png_version(void) {
    return png_get_libpng_ver(NULL);
}

void emb_png_errors_init(emb_png_errors *errors, char *message) {
    memset(errors, 0, sizeof(*errors));
    errors->message = message;
    message[0] = 0;
}

void emb_png_error(png_structp png, png_const_charp message) {
    emb_png_errors *errors = png_get_error_ptr(png);
    snprintf(errors->message, 200, "%s", message);
    longjmp(errors->jump_buffer, 1);
}

void emb_png_warning(png_structp png, png_const_charp message) {
    emb_png_errors *errors = png_get_error_ptr(png);
    // zlib's message for a wrong Adler-32. After the last row libpng treats it as benign.
    if (strstr(message, "incorrect data check") != NULL) {
        errors->has_wrong_checksum = 1;
    }
}

png_voidp emb_png_allocate(png_structp png, png_alloc_size_t size) {
    emb_png_errors *errors = png_get_mem_ptr(png);
    void *memory = malloc(size);
    if (memory == NULL) {
        errors->no_memory = 1;
    }
    return memory;
}

void emb_png_release(png_structp png, png_voidp memory) {
    (void)png;
    free(memory);
}
