#include "jpeg_errors.h"

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

static void error_exit(j_common_ptr info) {
    emb_jpeg_errors *errors = (emb_jpeg_errors *)info->err;
    // `limit_scans` sets its own status before it calls this function.
    if (errors->status == EMB_JPEG_OK) {
        errors->status = status_of(info->err->msg_code);
        (*info->err->format_message)(info, errors->message);
    }
    longjmp(errors->jump_buffer, 1);
}

// Counts warnings, which have a negative level, and records whether a scan ended too early.
static void emit_message(j_common_ptr info, int level) {
    if (level >= 0) {
        return;
    }
    emb_jpeg_errors *errors = (emb_jpeg_errors *)info->err;
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
            errors->hit_in_ac_scan = 1;
        } else if (!errors->hit_eoi && !errors->hit_marker) {
            // Only the first event counts, because the number of later events depends on how much
            // of the picture is decoded.
            errors->hit_eoi = marker == JPEG_EOI;
            errors->hit_marker = marker != JPEG_EOI;
        }
    }
}

static void print_nothing(j_common_ptr info) {
    (void)info;
}

void emb_jpeg_errors_init(emb_jpeg_errors *errors, char *message) {
    memset(errors, 0, sizeof(*errors));
    jpeg_std_error(&errors->base);
    errors->base.error_exit = error_exit;
    errors->base.emit_message = emit_message;
    errors->base.output_message = print_nothing;
    errors->message = message;
    message[0] = 0;
}
