#include "jpeg_fence.h"

#include <jerror.h>
#include <string.h>

#include "emb_jpeg.h"

#define QUOTE(x) #x
#define TEXT(x) QUOTE(x)

const char *emb_jpeg_version(void) {
    return TEXT(LIBJPEG_TURBO_VERSION);
}

static int status_of(int code) {
    switch (code) {
    case JERR_OUT_OF_MEMORY:
    case JERR_NO_BACKING_STORE:
        return EMB_JPEG_NO_MEMORY;
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CCIR601_NOTIMPL:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_SOF_UNSUPPORTED:
        return EMB_JPEG_UNSUPPORTED;
    default:
        return EMB_JPEG_CORRUPT;
    }
}

static void give_up(j_common_ptr info) {
    emb_jpeg_fence *fence = (emb_jpeg_fence *)info->err;
    // An earlier status was set by the code that requested the jump.
    if (fence->status == EMB_JPEG_OK) {
        fence->status = status_of(info->err->msg_code);
        (*info->err->format_message)(info, fence->message);
    }
    longjmp(fence->door, 1);
}

static void take_note(j_common_ptr info, int level) {
    if (level >= 0) {
        return;
    }
    emb_jpeg_fence *fence = (emb_jpeg_fence *)info->err;
    info->err->num_warnings++;
    if (info->err->msg_code == JWRN_HIT_MARKER && info->is_decompressor) {
        // The entropy-coded data ended before all blocks were decoded. libjpeg recovers at a
        // restart marker; at any other marker the rest of the scan is missing.
        j_decompress_ptr decoder = (j_decompress_ptr)info;
        int marker = decoder->unread_marker;
        if (marker >= JPEG_RST0 && marker <= JPEG_RST0 + 7) {
            return;
        }
        if (decoder->progressive_mode && decoder->Ss > 0) {
            fence->hit_in_detail = 1;
        } else if (!fence->hit_end && !fence->hit_marker) {
            // The first event decides, since the number of later ones depends on how much is
            // decoded.
            fence->hit_end = marker == JPEG_EOI;
            fence->hit_marker = marker != JPEG_EOI;
        }
    }
}

static void stay_silent(j_common_ptr info) {
    (void)info;
}

void emb_jpeg_fence_init(emb_jpeg_fence *fence, char *message) {
    memset(fence, 0, sizeof(*fence));
    jpeg_std_error(&fence->base);
    fence->base.error_exit = give_up;
    fence->base.emit_message = take_note;
    fence->base.output_message = stay_silent;
    fence->message = message;
    message[0] = 0;
}
