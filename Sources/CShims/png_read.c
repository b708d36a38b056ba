#include <string.h>

#include "emb_png.h"
#include "png_errors.h"

// The maximum number of bytes read after the last row. It is enough for the checksum. Without a
// limit, extra data could take unlimited time.
enum { SURPLUS_LIMIT = 16384 };

typedef struct emb_png_source {
    const emb_png_part *parts;
    size_t count;
    size_t offset;
    size_t surplus;
    uint32_t height;
    int is_interlaced;
} emb_png_source;

// Returns whether every row was decoded.
static int has_all(png_structp png, const emb_png_source *source) {
    return source->is_interlaced ? png_get_current_pass_number(png) >= 7
                                 : png_get_current_row_number(png) >= source->height;
}

static void read_data(png_structp png, png_bytep target, size_t length) {
    emb_png_source *source = png_get_io_ptr(png);
    if (has_all(png, source)) {
        source->surplus += length;
        if (source->surplus > SURPLUS_LIMIT) {
            png_error(png, "more data than pixels");
        }
    }
    while (length > 0) {
        if (source->count == 0) {
            png_error(png, "Not enough data");
        }
        size_t left = source->parts->length - source->offset;
        size_t taken = left < length ? left : length;
        memcpy(target, source->parts->bytes + source->offset, taken);
        target += taken;
        length -= taken;
        source->offset += taken;
        if (source->offset == source->parts->length) {
            source->parts++;
            source->count--;
            source->offset = 0;
        }
    }
}

// Requests four bytes per pixel for any format.
static int request_rgba(png_structp png) {
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
    return png_set_interlace_handling(png);
}

static int status_of(png_structp png, const emb_png_errors *errors, const emb_png_source *source) {
    if (errors->no_memory) {
        return EMB_PNG_NO_MEMORY;
    }
    if (errors->has_wrong_checksum) {
        return EMB_PNG_CORRUPT;
    }
    if (has_all(png, source)) {
        return EMB_PNG_OK;
    }
    // Both libpng and this file report chunks or data that end too early with messages that begin
    // with "Not enough".
    int ends_early = strncmp(errors->message, "Not enough", 10) == 0;
    return ends_early ? EMB_PNG_TRUNCATED : EMB_PNG_CORRUPT;
}

int emb_png_read(const emb_png_read_request *request, char *message) {
    emb_png_errors errors;
    emb_png_source source = {
        .parts = request->parts, .count = request->count, .height = request->height};
    emb_png_errors_init(&errors, message);
    png_infop info = NULL;
    png_structp png = png_create_read_struct_2(
        PNG_LIBPNG_VER_STRING, &errors, emb_png_error, emb_png_warning, &errors, emb_png_allocate,
        emb_png_release);
    if (png == NULL) {
        return EMB_PNG_NO_MEMORY;
    }
    if (setjmp(errors.jump_buffer)) {
        int status = status_of(png, &errors, &source);
        png_destroy_read_struct(&png, &info, NULL);
        return status;
    }
    info = png_create_info_struct(png);
    if (info == NULL) {
        png_destroy_read_struct(&png, NULL, NULL);
        return EMB_PNG_NO_MEMORY;
    }
    png_set_read_fn(png, &source, read_data);
    png_set_benign_errors(png, 1);
    // The caller has verified the checksums of all chunks.
    png_set_crc_action(png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
    // The caller has checked the size against its own limits.
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    // Some encoders declare a smaller window than they use; all but strict decoders accept that.
    png_set_option(png, PNG_MAXIMUM_INFLATE_WINDOW, PNG_OPTION_ON);
    png_read_info(png, info);
    if (png_get_image_width(png, info) != request->width ||
        png_get_image_height(png, info) != request->height) {
        png_error(png, "another size than expected");
    }
    source.is_interlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
    int passes = request_rgba(png);
    png_read_update_info(png, info);
    if (png_get_rowbytes(png, info) != (size_t)request->width * 4) {
        png_error(png, "rows of another length than expected");
    }
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t row = 0; row < request->height; row++) {
            png_read_row(png, request->pixels + (size_t)row * request->width * 4, NULL);
        }
    }
    int status = status_of(png, &errors, &source);
    png_destroy_read_struct(&png, &info, NULL);
    return status;
}
