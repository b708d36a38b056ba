#include <stdlib.h>

#include "emb_jpeg.h"
#include "jpeg_fence.h"

#include <jerror.h>

// A destination that doubles its size; after an error there is a single buffer to free.
typedef struct emb_jpeg_sink {
    struct jpeg_destination_mgr base;
    uint8_t *bytes;
    size_t capacity;
} emb_jpeg_sink;

static void open_sink(j_compress_ptr info) {
    emb_jpeg_sink *sink = (emb_jpeg_sink *)info->dest;
    sink->base.next_output_byte = sink->bytes;
    sink->base.free_in_buffer = sink->capacity;
}

static boolean grow_sink(j_compress_ptr info) {
    emb_jpeg_sink *sink = (emb_jpeg_sink *)info->dest;
    uint8_t *larger = realloc(sink->bytes, sink->capacity * 2);
    if (larger == NULL) {
        ERREXIT1(info, JERR_OUT_OF_MEMORY, 10);
    }
    sink->bytes = larger;
    sink->base.next_output_byte = larger + sink->capacity;
    sink->base.free_in_buffer = sink->capacity;
    sink->capacity *= 2;
    return TRUE;
}

static void close_sink(j_compress_ptr info) {
    (void)info;
}

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
    emb_jpeg_fence fence;
    emb_jpeg_sink sink = {
        .base = {
            .init_destination = open_sink,
            .empty_output_buffer = grow_sink,
            .term_destination = close_sink}};
    emb_jpeg_fence_init(&fence, message);
    info.err = &fence.base;
    if (setjmp(fence.door)) {
        jpeg_destroy_compress(&info);
        free(sink.bytes);
        return fence.status;
    }
    jpeg_create_compress(&info);
    // An initial estimate that avoids most reallocations.
    sink.capacity = (size_t)request->width * (size_t)request->height / 4 + 4096;
    sink.bytes = malloc(sink.capacity);
    if (sink.bytes == NULL) {
        ERREXIT1(&info, JERR_OUT_OF_MEMORY, 10);
    }
    info.dest = &sink.base;
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
    *bytes = sink.bytes;
    *length = sink.capacity - sink.base.free_in_buffer;
    return EMB_JPEG_OK;
}

void emb_jpeg_free(uint8_t *bytes) {
    free(bytes);
}
