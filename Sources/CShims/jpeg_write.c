#include <stdlib.h>

#include "emb_jpeg.h"
#include "jpeg_errors.h"

#include <jerror.h>

// A destination manager with a buffer that doubles when it is full. After an error, `bytes` is the
// only memory to free.
typedef struct emb_jpeg_destination {
    struct jpeg_destination_mgr base;
    uint8_t *bytes;
    size_t capacity;
} emb_jpeg_destination;

static void init_destination(j_compress_ptr info) {
    emb_jpeg_destination *destination = (emb_jpeg_destination *)info->dest;
    destination->base.next_output_byte = destination->bytes;
    destination->base.free_in_buffer = destination->capacity;
}

static boolean empty_output_buffer(j_compress_ptr info) {
    emb_jpeg_destination *destination = (emb_jpeg_destination *)info->dest;
    uint8_t *larger = realloc(destination->bytes, destination->capacity * 2);
    if (larger == NULL) {
        ERREXIT1(info, JERR_OUT_OF_MEMORY, 10);
    }
    destination->bytes = larger;
    destination->base.next_output_byte = larger + destination->capacity;
    destination->base.free_in_buffer = destination->capacity;
    destination->capacity *= 2;
    return TRUE;
}

static void term_destination(j_compress_ptr info) {
    (void)info;
}

int emb_jpeg_write(
    const emb_jpeg_write_request *request, uint8_t **bytes, size_t *length, char *message) {
    struct jpeg_compress_struct info;
    emb_jpeg_errors errors;
    emb_jpeg_destination destination = {
        .base = {
            .init_destination = init_destination,
            .empty_output_buffer = empty_output_buffer,
            .term_destination = term_destination}};
    emb_jpeg_errors_init(&errors, message);
    info.err = &errors.base;
    if (setjmp(errors.jump_buffer)) {
        jpeg_destroy_compress(&info);
        free(destination.bytes);
        return errors.status;
    }
    jpeg_create_compress(&info);
    // An initial estimate that avoids most reallocations.
    destination.capacity = (size_t)request->width * (size_t)request->height / 4 + 4096;
    destination.bytes = malloc(destination.capacity);
    if (destination.bytes == NULL) {
        ERREXIT1(&info, JERR_OUT_OF_MEMORY, 10);
    }
    info.dest = &destination.base;
    info.image_width = (JDIMENSION)request->width;
    info.image_height = (JDIMENSION)request->height;
    info.in_color_space = JCS_EXT_RGBX;
    info.input_components = 4;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, request->quality, TRUE);
    info.dct_method = JDCT_ISLOW;
    info.optimize_coding = TRUE;
    info.comp_info[0].h_samp_factor = request->subsampled ? 2 : 1;
    info.comp_info[0].v_samp_factor = request->subsampled ? 2 : 1;
    jpeg_simple_progression(&info);
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
        size_t offset = (size_t)info.next_scanline * (size_t)request->width * 4;
        JSAMPROW row = (JSAMPROW)(request->pixels + offset);
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    *bytes = destination.bytes;
    *length = destination.capacity - destination.base.free_in_buffer;
    return EMB_JPEG_OK;
}

void emb_jpeg_free(uint8_t *bytes) {
    free(bytes);
}
