#include <stdlib.h>
#include <string.h>

#include "emb_png.h"
#include "png_errors.h"

typedef struct emb_png_sink {
    uint8_t *bytes;
    size_t length;
    size_t capacity;
} emb_png_sink;

static void write_data(png_structp png, png_bytep bytes, size_t length) {
    emb_png_sink *sink = png_get_io_ptr(png);
    if (length > sink->capacity - sink->length) {
        size_t capacity = (sink->capacity + length) * 2;
        uint8_t *grown = realloc(sink->bytes, capacity);
        if (grown == NULL) {
            png_error(png, "no memory for the file");
        }
        sink->bytes = grown;
        sink->capacity = capacity;
    }
    memcpy(sink->bytes + sink->length, bytes, length);
    sink->length += length;
}

static void flush(png_structp png) {
    (void)png;
}

static void set_palette(png_structp png, png_infop info, const emb_png_write_request *request) {
    png_color colours[256];
    png_byte alphas[256];
    int count = request->palette_count < 256 ? request->palette_count : 256;
    int alpha_count = 0;
    for (int index = 0; index < count; index++) {
        uint32_t colour = request->palette[index];
        colours[index].red = (png_byte)colour;
        colours[index].green = (png_byte)(colour >> 8);
        colours[index].blue = (png_byte)(colour >> 16);
        alphas[index] = (png_byte)(colour >> 24);
        if (alphas[index] != 255) {
            alpha_count = index + 1;
        }
    }
    png_set_PLTE(png, info, colours, count);
    if (alpha_count > 0) {
        png_set_tRNS(png, info, alphas, alpha_count, NULL);
    }
}

int emb_png_write(
    const emb_png_write_request *request, uint8_t **bytes, size_t *length, char *message) {
    emb_png_errors errors;
    // On the heap, because a local variable changed after setjmp is indeterminate after longjmp.
    emb_png_sink *sink = calloc(1, sizeof(*sink));
    emb_png_errors_init(&errors, message);
    png_infop info = NULL;
    png_structp png = sink == NULL
        ? NULL
        : png_create_write_struct_2(
              PNG_LIBPNG_VER_STRING, &errors, emb_png_error, emb_png_warning, &errors,
              emb_png_allocate, emb_png_release);
    if (png == NULL) {
        free(sink);
        return EMB_PNG_NO_MEMORY;
    }
    if (setjmp(errors.jump_buffer)) {
        png_destroy_write_struct(&png, &info);
        free(sink->bytes);
        free(sink);
        return EMB_PNG_CORRUPT;
    }
    info = png_create_info_struct(png);
    if (info == NULL) {
        png_error(png, "no memory for the header");
    }
    png_set_write_fn(png, sink, write_data, flush);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(
        png, info, request->width, request->height, request->bit_depth, request->colour_type,
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (request->palette_count > 0) {
        set_palette(png, info, request);
    }
    png_write_info(png, info);
    for (uint32_t row = 0; row < request->height; row++) {
        png_write_row(png, request->rows + (size_t)row * request->bytes_per_row);
    }
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    *bytes = sink->bytes;
    *length = sink->length;
    free(sink);
    return EMB_PNG_OK;
}

void emb_png_free(uint8_t *bytes) {
    free(bytes);
}
