#include <string.h>

#include "CJPEGScaled.h"
#include "emb_jpeg.h"
#include "jpeg_fence.h"

typedef struct emb_jpeg_source {
    struct jpeg_source_mgr base;
    struct jpeg_progress_mgr progress;
    int scans_limit;
    // The library requested data after the end.
    int ended;
    // The data ended inside an arithmetic-coded scan, where libjpeg does not warn.
    int ended_in_scan;
} emb_jpeg_source;

static void open_source(j_decompress_ptr info) {
    (void)info;
}

static boolean feed_end(j_decompress_ptr info) {
    static const JOCTET end[2] = {0xFF, JPEG_EOI};
    emb_jpeg_source *source = (emb_jpeg_source *)info->src;
    source->ended = 1;
    // An arithmetic encoder may omit zeros at the end, so the last rows are not checked.
    if (info->arith_code && info->input_iMCU_row + 1 < info->total_iMCU_rows) {
        source->ended_in_scan = 1;
    }
    source->base.next_input_byte = end;
    source->base.bytes_in_buffer = sizeof(end);
    return TRUE;
}

static void skip(j_decompress_ptr info, long count) {
    struct jpeg_source_mgr *source = info->src;
    if (count <= 0) {
        return;
    }
    if ((size_t)count >= source->bytes_in_buffer) {
        feed_end(info);
        return;
    }
    source->next_input_byte += count;
    source->bytes_in_buffer -= (size_t)count;
}

static void close_source(j_decompress_ptr info) {
    (void)info;
}

static void count_scans(j_common_ptr info) {
    j_decompress_ptr decoder = (j_decompress_ptr)info;
    emb_jpeg_source *source = (emb_jpeg_source *)decoder->src;
    if (decoder->input_scan_number > source->scans_limit) {
        emb_jpeg_fence *fence = (emb_jpeg_fence *)info->err;
        fence->status = EMB_JPEG_TOO_MANY_SCANS;
        (*info->err->error_exit)(info);
    }
}

// Returns whether the scans hold a complete picture.
//
// A progressive picture with EOI is complete once the DC of one component was seen: later scans
// refine it, and a missing component is neutral, as in browsers. Without EOI every coefficient must
// be refined to its last bit.
static int is_whole(struct jpeg_decompress_struct *info, int ended) {
    int seen = 0;
    for (int index = 0; index < info->num_components; index++) {
        seen += info->comp_info[index].quant_table != NULL;
        if (!ended || info->coef_bits == NULL) {
            continue;
        }
        for (int position = 0; position < DCTSIZE2; position++) {
            if (info->coef_bits[index][position] != 0) {
                return 0;
            }
        }
    }
    return info->progressive_mode && !ended ? seen > 0 : seen == info->num_components;
}

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

static void read_rows(struct jpeg_decompress_struct *info, uint8_t *pixels, int stops_early) {
    emb_jpeg_fence *fence = (emb_jpeg_fence *)info->err;
    size_t stride = (size_t)info->output_width * 4;
    JSAMPROW rows[16];
    while (info->output_scanline < info->output_height) {
        unsigned left = info->output_height - info->output_scanline;
        unsigned count = left < 16 ? left : 16;
        for (unsigned index = 0; index < count; index++) {
            rows[index] = pixels + (info->output_scanline + index) * stride;
        }
        jpeg_read_scanlines(info, rows, count);
        if (stops_early && (fence->hit_end || fence->hit_marker)) {
            return;
        }
    }
}

int emb_jpeg_read(
    const emb_jpeg_read_request *request, uint8_t *pixels, emb_jpeg_read_result *result) {
    struct jpeg_decompress_struct info;
    emb_jpeg_fence fence;
    emb_jpeg_source source;
    memset(result, 0, sizeof(*result));
    memset(&source, 0, sizeof(source));
    emb_jpeg_fence_init(&fence, result->message);
    info.err = &fence.base;
    if (setjmp(fence.door)) {
        result->warnings = (int32_t)fence.base.num_warnings;
        jpeg_destroy_decompress(&info);
        return fence.status == EMB_JPEG_CORRUPT && source.ended ? EMB_JPEG_TRUNCATED : fence.status;
    }
    jpeg_create_decompress(&info);
    source.base.init_source = open_source;
    source.base.fill_input_buffer = feed_end;
    source.base.skip_input_data = skip;
    source.base.resync_to_restart = jpeg_resync_to_restart;
    source.base.term_source = close_source;
    source.base.next_input_byte = request->bytes;
    source.base.bytes_in_buffer = request->length;
    source.progress.progress_monitor = count_scans;
    source.scans_limit = request->scans_limit;
    info.src = &source.base;
    info.progress = &source.progress;

    jpeg_read_header(&info, TRUE);
    result->is_adobe = info.saw_Adobe_marker ? 1 : 0;
    int status = choose_colours(&info, result);
    const emb_jpeg_scaled_request scaled = {
        .eighths = request->eighths,
        .width = request->width,
        .height = request->height,
        .scans_limit = request->scans_limit,
    };
    if (status == EMB_JPEG_OK && !request->library_alone &&
        emb_jpeg_read_scaled(&info, &scaled, pixels)) {
        jpeg_destroy_decompress(&info);
        return EMB_JPEG_OK;
    }
    info.scale_num = (unsigned)request->eighths;
    info.scale_denom = 8;
    info.dct_method = JDCT_ISLOW;
    if (status == EMB_JPEG_OK) {
        jpeg_start_decompress(&info);
        if (info.output_width != (JDIMENSION)request->width ||
            info.output_height != (JDIMENSION)request->height || info.output_components != 4) {
            status = EMB_JPEG_CORRUPT;
        }
    }
    if (status == EMB_JPEG_OK) {
        int keeps_coefficients = jpeg_has_multiple_scans(&info);
        int whole = !keeps_coefficients || is_whole(&info, source.ended);
        if (whole || request->allow_truncated) {
            read_rows(&info, pixels, !request->allow_truncated);
        }
        // The AC scans of a complete picture may be damaged or cut if the picture has an EOI. This
        // check needs no decoding of these scans, so the result is the same at every size.
        int cut_in_detail = fence.hit_in_detail && source.ended;
        if (!whole || fence.hit_end || cut_in_detail || source.ended_in_scan) {
            status = EMB_JPEG_TRUNCATED;
        } else if (fence.hit_marker) {
            status = EMB_JPEG_CORRUPT;
        }
        if (status == EMB_JPEG_TRUNCATED && request->allow_truncated) {
            status = EMB_JPEG_OK;
        }
    }
    result->warnings = (int32_t)fence.base.num_warnings;
    jpeg_destroy_decompress(&info);
    return status;
}
