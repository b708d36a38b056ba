// Reads the first picture of a JPEG XL file in steps, so that each step can be checked before the
// next one allocates memory.
#include <stdlib.h>

#include "binding.h"
#include "include/CJPEGXL.h"
#include "quiet.h"

struct emb_jxl {
    const struct emb_jxl_library *library;
    JxlDecoder *decoder;
    JxlBasicInfo info;
};

// Always four channels: grey is repeated, and missing alpha is opaque.
static const JxlPixelFormat rgba = {4, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};

// Runs the decoder up to the next event.
static JxlDecoderStatus process_input(struct emb_jxl *file) {
    emb_jxl_quiet(1);
    const JxlDecoderStatus status = file->library->JxlDecoderProcessInput(file->decoder);
    emb_jxl_quiet(0);
    return status;
}

// Writes the pixels of an incomplete picture to the output buffer. Returns whether there are any.
static int flush(struct emb_jxl *file) {
    emb_jxl_quiet(1);
    const JxlDecoderStatus status = file->library->JxlDecoderFlushImage(file->decoder);
    emb_jxl_quiet(0);
    return status == JXL_DEC_SUCCESS;
}

static int result_of(JxlDecoderStatus status) {
    return status == JXL_DEC_NEED_MORE_INPUT ? EMB_JXL_ENDS : EMB_JXL_DAMAGED;
}

static int has_ink(const struct emb_jxl *file) {
    for (uint32_t index = 0; index < file->info.num_extra_channels; index++) {
        JxlExtraChannelInfo channel;
        if (file->library->JxlDecoderGetExtraChannelInfo(file->decoder, index, &channel) ==
                JXL_DEC_SUCCESS &&
            channel.type == JXL_CHANNEL_BLACK) {
            return 1;
        }
    }
    return 0;
}

// Creates the decoder and reads the header.
static int read_header(struct emb_jxl *file, const uint8_t *bytes, size_t count) {
    const struct emb_jxl_library *library = file->library;
    file->decoder = library->JxlDecoderCreate(NULL);
    if (file->decoder == NULL) {
        return EMB_JXL_NO_MEMORY;
    }
    const int events = JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE;
    if (library->JxlDecoderSubscribeEvents(file->decoder, events) != JXL_DEC_SUCCESS ||
        library->JxlDecoderSetKeepOrientation(file->decoder, JXL_TRUE) != JXL_DEC_SUCCESS ||
        library->JxlDecoderSetUnpremultiplyAlpha(file->decoder, JXL_TRUE) != JXL_DEC_SUCCESS ||
        library->JxlDecoderSetInput(file->decoder, bytes, count) != JXL_DEC_SUCCESS) {
        return EMB_JXL_NO_MEMORY;
    }
    const JxlDecoderStatus status = process_input(file);
    if (status != JXL_DEC_BASIC_INFO) {
        return result_of(status);
    }
    return library->JxlDecoderGetBasicInfo(file->decoder, &file->info) == JXL_DEC_SUCCESS
        ? EMB_JXL_OK
        : EMB_JXL_DAMAGED;
}

int emb_jxl_open(
    const uint8_t *bytes, size_t count, struct emb_jxl **opened, struct emb_jxl_facts *facts) {
    const struct emb_jxl_library *library = emb_jxl_library();
    if (library == NULL) {
        return EMB_JXL_MISSING;
    }
    struct emb_jxl *file = calloc(1, sizeof *file);
    if (file == NULL) {
        return EMB_JXL_NO_MEMORY;
    }
    file->library = library;
    const int result = read_header(file, bytes, count);
    if (result != EMB_JXL_OK) {
        emb_jxl_close(file);
        return result;
    }
    const JxlBasicInfo *info = &file->info;
    *facts = (struct emb_jxl_facts){
        .width = info->xsize,
        .height = info->ysize,
        .orientation = (uint32_t)info->orientation,
        .bits = info->bits_per_sample,
        .extra_channels = info->num_extra_channels,
        .is_grey = info->num_color_channels == 1,
        .has_alpha = info->alpha_bits > 0,
        .is_animated = info->have_animation,
        .is_xyb = !info->uses_original_profile,
        .has_ink = has_ink(file),
    };
    *opened = file;
    return EMB_JXL_OK;
}

void emb_jxl_close(struct emb_jxl *file) {
    if (file == NULL) {
        return;
    }
    if (file->decoder != NULL) {
        file->library->JxlDecoderDestroy(file->decoder);
    }
    free(file);
}

// Returns whether H.273 has numbers for the primaries.
static int has_h273_primaries(const JxlColorEncoding *encoding, int is_grey) {
    return is_grey || encoding->primaries == JXL_PRIMARIES_SRGB ||
        encoding->primaries == JXL_PRIMARIES_2100 ||
        (encoding->primaries == JXL_PRIMARIES_P3 && encoding->white_point == JXL_WHITE_POINT_D65);
}

static int is_srgb(const JxlColorEncoding *encoding, int is_grey) {
    return encoding->transfer_function == JXL_TRANSFER_FUNCTION_SRGB &&
        encoding->white_point == JXL_WHITE_POINT_D65 &&
        (is_grey || encoding->primaries == JXL_PRIMARIES_SRGB);
}

// Makes the decoder convert to sRGB.
static int request_srgb(struct emb_jxl *file, int is_grey) {
    JxlColorEncoding wanted;
    file->library->JxlColorEncodingSetToSRGB(&wanted, is_grey);
    return file->library->JxlDecoderSetPreferredColorProfile(file->decoder, &wanted) ==
            JXL_DEC_SUCCESS
        ? EMB_JXL_OK
        : EMB_JXL_DAMAGED;
}

int emb_jxl_read_colors(struct emb_jxl *file, struct emb_jxl_colors *colors) {
    const struct emb_jxl_library *library = file->library;
    const JxlDecoderStatus status = process_input(file);
    if (status != JXL_DEC_COLOR_ENCODING) {
        return result_of(status);
    }
    const int is_grey = file->info.num_color_channels == 1;
    *colors = (struct emb_jxl_colors){.primaries = 1, .transfer = 13};
    JxlColorEncoding encoding;
    const int is_encoded = library->JxlDecoderGetColorAsEncodedProfile(
                               file->decoder, &rgba, JXL_COLOR_PROFILE_TARGET_DATA, &encoding) ==
        JXL_DEC_SUCCESS;
    // libjxl uses the values of H.273 for transfer functions and primaries.
    const int is_hdr = is_encoded &&
        (encoding.transfer_function == JXL_TRANSFER_FUNCTION_PQ ||
         encoding.transfer_function == JXL_TRANSFER_FUNCTION_HLG);
    if (is_hdr && has_h273_primaries(&encoding, is_grey)) {
        // H.273 has two numbers for P3, with the white points of displays and of cinemas.
        colors->primaries = is_grey                  ? 1
            : encoding.primaries == JXL_PRIMARIES_P3 ? 12
                                                     : (int)encoding.primaries;
        colors->transfer = (int)encoding.transfer_function;
        return EMB_JXL_OK;
    }
    if (!file->info.uses_original_profile && !is_hdr) {
        return request_srgb(file, is_grey);
    }
    if (!(is_encoded && is_srgb(&encoding, is_grey)) &&
        library->JxlDecoderGetICCProfileSize(
            file->decoder, &rgba, JXL_COLOR_PROFILE_TARGET_DATA, &colors->profile_bytes) !=
            JXL_DEC_SUCCESS) {
        // Colours of unknown meaning are treated as sRGB, as in other formats.
        colors->profile_bytes = 0;
    }
    return EMB_JXL_OK;
}

int emb_jxl_copy_profile(struct emb_jxl *file, uint8_t *profile, size_t count) {
    return file->library->JxlDecoderGetColorAsICCProfile(
               file->decoder, &rgba, JXL_COLOR_PROFILE_TARGET_DATA, profile, count) ==
            JXL_DEC_SUCCESS
        ? EMB_JXL_OK
        : EMB_JXL_DAMAGED;
}

int emb_jxl_read_pixels(struct emb_jxl *file, uint8_t *pixels, size_t count, int partial) {
    const struct emb_jxl_library *library = file->library;
    int has_buffer = 0;
    for (;;) {
        const JxlDecoderStatus status = process_input(file);
        size_t needed = 0;
        switch (status) {
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
            if (library->JxlDecoderImageOutBufferSize(file->decoder, &rgba, &needed) !=
                    JXL_DEC_SUCCESS ||
                needed != count ||
                library->JxlDecoderSetImageOutBuffer(file->decoder, &rgba, pixels, count) !=
                    JXL_DEC_SUCCESS) {
                return EMB_JXL_DAMAGED;
            }
            has_buffer = 1;
            break;
        case JXL_DEC_FULL_IMAGE:
            return EMB_JXL_OK;
        case JXL_DEC_NEED_MORE_INPUT:
            return partial && has_buffer && flush(file) ? EMB_JXL_OK : EMB_JXL_ENDS;
        default:
            return EMB_JXL_DAMAGED;
        }
    }
}
