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

// Sets the colour spaces of the rows and of the file, and the sampling factors.
static void set_colours(struct jpeg_compress_struct *info, const emb_jpeg_write_request *request) {
    switch (request->colour) {
    case EMB_JPEG_GREY:
        info->in_color_space = JCS_GRAYSCALE;
        info->input_components = 1;
        break;
    case EMB_JPEG_CMYK:
    case EMB_JPEG_YCCK:
        info->in_color_space = JCS_CMYK;
        info->input_components = 4;
        break;
    default:
        info->in_color_space = JCS_EXT_RGBX;
        info->input_components = 4;
        break;
    }
    jpeg_set_defaults(info);
    switch (request->colour) {
    case EMB_JPEG_RGB:
        jpeg_set_colorspace(info, JCS_RGB);
        break;
    case EMB_JPEG_YCCK:
        jpeg_set_colorspace(info, JCS_YCCK);
        break;
    default:
        break;
    }
    int has_chroma = info->jpeg_color_space == JCS_YCbCr || info->jpeg_color_space == JCS_YCCK;
    for (int index = 0; index < info->num_components; index++) {
        int full = has_chroma && request->subsampled && (index == 0 || index == 3);
        info->comp_info[index].h_samp_factor = full ? 2 : 1;
        info->comp_info[index].v_samp_factor = full ? 2 : 1;
    }
    if (request->without_adobe) {
        info->write_Adobe_marker = FALSE;
    }
}

// Writes the marker segments of the request, up to the first that is malformed.
static void write_segments(
    struct jpeg_compress_struct *info, const emb_jpeg_write_request *request) {
    const uint8_t *at = request->segments;
    size_t left = at ? request->segments_length : 0;
    while (left >= 4 && at[0] == 0xFF) {
        size_t size = (size_t)at[2] << 8 | at[3];
        if (size < 2 || size + 2 > left) {
            return;
        }
        jpeg_write_marker(info, at[1], at + 4, (unsigned)(size - 2));
        at += size + 2;
        left -= size + 2;
    }
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
    set_colours(&info, request);
    jpeg_set_quality(&info, request->quality, TRUE);
    info.dct_method = JDCT_ISLOW;
    info.optimize_coding = !request->arithmetic;
    info.arith_code = request->arithmetic ? TRUE : FALSE;
    info.restart_in_rows = request->restart_rows;
    if (request->progressive) {
        jpeg_simple_progression(&info);
    }
    jpeg_start_compress(&info, TRUE);
    write_segments(&info, request);
    while (info.next_scanline < info.image_height) {
        JSAMPROW row = (JSAMPROW)(request->pixels + info.next_scanline * request->bytes_per_row);
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
