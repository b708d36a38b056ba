#include <string.h>

#include "CJPEGScaled.h"
#include "emb_jpeg.h"
#include "jpeg_errors.h"

// A source manager for data in memory, with a limit on the number of scans.
typedef struct emb_jpeg_source {
    struct jpeg_source_mgr base;
    struct jpeg_progress_mgr progress;
    int scans_limit;
    // Whether libjpeg requested data after the end.
    int ended;
    // Whether the data ended inside an arithmetic-coded scan, where libjpeg does not warn.
    int ended_in_scan;
} emb_jpeg_source;

static void init_source(j_decompress_ptr info) {
    (void)info;
}

// Supplies an EOI marker after the end of the data.
static boolean fill_input_buffer(j_decompress_ptr info) {
    static const JOCTET eoi[2] = {0xFF, JPEG_EOI};
    emb_jpeg_source *source = (emb_jpeg_source *)info->src;
    source->ended = 1;
    // An arithmetic encoder may omit zeros at the end, so the last rows are not checked.
    if (info->arith_code && info->input_iMCU_row + 1 < info->total_iMCU_rows) {
        source->ended_in_scan = 1;
    }
    source->base.next_input_byte = eoi;
    source->base.bytes_in_buffer = sizeof(eoi);
    return TRUE;
}

static void skip_input_data(j_decompress_ptr info, long count) {
    struct jpeg_source_mgr *source = info->src;
    if (count <= 0) {
        return;
    }
    if ((size_t)count >= source->bytes_in_buffer) {
        fill_input_buffer(info);
        return;
    }
    source->next_input_byte += count;
    source->bytes_in_buffer -= (size_t)count;
}

static void term_source(j_decompress_ptr info) {
    (void)info;
}

static void limit_scans(j_common_ptr info) {
    j_decompress_ptr decoder = (j_decompress_ptr)info;
    emb_jpeg_source *source = (emb_jpeg_source *)decoder->src;
    if (decoder->input_scan_number > source->scans_limit) {
        emb_jpeg_errors *errors = (emb_jpeg_errors *)info->err;
        errors->status = EMB_JPEG_TOO_MANY_SCANS;
        (*info->err->error_exit)(info);
    }
}

static void set_source(
    struct jpeg_decompress_struct *info, emb_jpeg_source *source,
    const emb_jpeg_read_request *request) {
    source->base.init_source = init_source;
    source->base.fill_input_buffer = fill_input_buffer;
    source->base.skip_input_data = skip_input_data;
    source->base.resync_to_restart = jpeg_resync_to_restart;
    source->base.term_source = term_source;
    source->base.next_input_byte = request->bytes;
    source->base.bytes_in_buffer = request->length;
    source->progress.progress_monitor = limit_scans;
    source->scans_limit = request->scans_limit;
    info->src = &source->base;
    info->progress = &source->progress;
}

// Makes libjpeg output RGBA, or for CMYK files CMYK as stored.
static int choose_colours(struct jpeg_decompress_struct *info, emb_jpeg_read_result *result) {
    switch (info->jpeg_color_space) {
    case JCS_GRAYSCALE:
    case JCS_RGB:
    case JCS_YCbCr:
        info->out_color_space = JCS_EXT_RGBA;
        return EMB_JPEG_OK;
    case JCS_CMYK:
    case JCS_YCCK:
        info->out_color_space = JCS_CMYK;
        result->is_cmyk = 1;
        return EMB_JPEG_OK;
    default:
        return EMB_JPEG_UNSUPPORTED;
    }
}

// Decodes the picture with CJPEGScaled; returns 0 if libjpeg must decode it.
static int read_scaled(
    const struct jpeg_decompress_struct *info, const emb_jpeg_read_request *request,
    uint8_t *pixels) {
    const emb_jpeg_scaled_request scaled = {
        .eighths = request->eighths,
        .width = request->width,
        .height = request->height,
        .scans_limit = request->scans_limit,
    };
    return !request->library_alone && emb_jpeg_read_scaled(info, &scaled, pixels);
}

// Starts libjpeg at the requested scale.
static int start_decompress(
    struct jpeg_decompress_struct *info, const emb_jpeg_read_request *request) {
    info->scale_num = (unsigned)request->eighths;
    info->scale_denom = 8;
    info->dct_method = JDCT_ISLOW;
    jpeg_start_decompress(info);
    if (info->output_width != (JDIMENSION)request->width ||
        info->output_height != (JDIMENSION)request->height || info->output_components != 4) {
        return EMB_JPEG_CORRUPT;
    }
    return EMB_JPEG_OK;
}

// Returns whether the scans hold a complete picture.
//
// A progressive picture with EOI is complete once the DC of one component was seen: later scans
// refine it, and a missing component is neutral, as in browsers. Without EOI every coefficient must
// be refined to its last bit.
static int is_complete(struct jpeg_decompress_struct *info, int ended) {
    int seen = 0;
    for (int index = 0; index < info->num_components; index++) {
        seen += info->comp_info[index].quant_table != NULL;
        if (!ended || info->coef_bits == NULL) {
            continue;
        }
        for (int k = 0; k < DCTSIZE2; k++) {
            if (info->coef_bits[index][k] != 0) {
                return 0;
            }
        }
    }
    return info->progressive_mode && !ended ? seen > 0 : seen == info->num_components;
}

// Reads the rows up to where the data of a scan ends too early.
static void read_rows(struct jpeg_decompress_struct *info, uint8_t *pixels) {
    emb_jpeg_errors *errors = (emb_jpeg_errors *)info->err;
    size_t stride = (size_t)info->output_width * 4;
    JSAMPROW rows[16];
    while (info->output_scanline < info->output_height) {
        unsigned left = info->output_height - info->output_scanline;
        unsigned count = left < 16 ? left : 16;
        for (unsigned index = 0; index < count; index++) {
            rows[index] = pixels + (info->output_scanline + index) * stride;
        }
        jpeg_read_scanlines(info, rows, count);
        if (errors->hit_eoi || errors->hit_marker) {
            return;
        }
    }
}

// Reads the rows and returns whether the picture is intact.
static int read_picture(struct jpeg_decompress_struct *info, uint8_t *pixels) {
    const emb_jpeg_errors *errors = (const emb_jpeg_errors *)info->err;
    const emb_jpeg_source *source = (const emb_jpeg_source *)info->src;
    // With several scans, jpeg_start_decompress has read all of them.
    int has_read_all = jpeg_has_multiple_scans(info);
    int complete = !has_read_all || is_complete(info, source->ended);
    if (complete) {
        read_rows(info, pixels);
    }
    // If the file has an EOI marker, damaged or truncated AC scans of a complete picture are
    // accepted. Small sizes may be decoded without AC scans, and must give the same result.
    int cut_in_ac_scan = errors->hit_in_ac_scan && source->ended;
    if (!complete || errors->hit_eoi || cut_in_ac_scan || source->ended_in_scan) {
        return EMB_JPEG_TRUNCATED;
    }
    return errors->hit_marker ? EMB_JPEG_CORRUPT : EMB_JPEG_OK;
}

int emb_jpeg_read(
    const emb_jpeg_read_request *request, uint8_t *pixels, emb_jpeg_read_result *result) {
    struct jpeg_decompress_struct info;
    emb_jpeg_errors errors;
    emb_jpeg_source source;
    memset(result, 0, sizeof(*result));
    memset(&source, 0, sizeof(source));
    emb_jpeg_errors_init(&errors, result->message);
    info.err = &errors.base;
    if (setjmp(errors.jump_buffer)) {
        jpeg_destroy_decompress(&info);
        int is_truncated = errors.status == EMB_JPEG_CORRUPT && source.ended;
        return is_truncated ? EMB_JPEG_TRUNCATED : errors.status;
    }
    jpeg_create_decompress(&info);
    set_source(&info, &source, request);
    jpeg_read_header(&info, TRUE);
    result->is_adobe = info.saw_Adobe_marker ? 1 : 0;
    int status = choose_colours(&info, result);
    if (status == EMB_JPEG_OK && read_scaled(&info, request, pixels)) {
        jpeg_destroy_decompress(&info);
        return EMB_JPEG_OK;
    }
    if (status == EMB_JPEG_OK) {
        status = start_decompress(&info, request);
    }
    if (status == EMB_JPEG_OK) {
        status = read_picture(&info, pixels);
    }
    jpeg_destroy_decompress(&info);
    return status;
}
