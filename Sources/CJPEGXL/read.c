// Reads the first picture of a JPEG XL file in steps, so that each step can be checked before the
// next one allocates memory.
#include <stdlib.h>

#include "binding.h"
#include "include/CJPEGXL.h"
#include "quiet.h"

struct emb_jxl {
    const struct emb_jxl_door *door;
    JxlDecoder *decoder;
    JxlBasicInfo info;
};

// Always four channels: grey is repeated, and missing alpha is opaque.
static const JxlPixelFormat rgba = {4, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};

static JxlDecoderStatus proceed(struct emb_jxl *file) {
    emb_jxl_quiet(1);
    const JxlDecoderStatus status = file->door->JxlDecoderProcessInput(file->decoder);
    emb_jxl_quiet(0);
    return status;
}

// Returns whether the incomplete picture has pixels, and outputs them.
static int flush(struct emb_jxl *file) {
    emb_jxl_quiet(1);
    const JxlDecoderStatus status = file->door->JxlDecoderFlushImage(file->decoder);
    emb_jxl_quiet(0);
    return status == JXL_DEC_SUCCESS;
}

static int outcome_of(JxlDecoderStatus status) {
    return status == JXL_DEC_NEED_MORE_INPUT ? EMB_JXL_ENDS : EMB_JXL_DAMAGED;
}

static int has_ink(const struct emb_jxl *file) {
    for (uint32_t index = 0; index < file->info.num_extra_channels; index++) {
        JxlExtraChannelInfo channel;
        if (file->door->JxlDecoderGetExtraChannelInfo(file->decoder, index, &channel) ==
                JXL_DEC_SUCCESS &&
            channel.type == JXL_CHANNEL_BLACK) {
            return 1;
        }
    }
    return 0;
}

static int begin(struct emb_jxl *file, const uint8_t *bytes, size_t count) {
    const struct emb_jxl_door *door = file->door;
    file->decoder = door->JxlDecoderCreate(NULL);
    if (file->decoder == NULL) {
        return EMB_JXL_NO_MEMORY;
    }
    const int events = JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE;
    if (door->JxlDecoderSubscribeEvents(file->decoder, events) != JXL_DEC_SUCCESS ||
        door->JxlDecoderSetKeepOrientation(file->decoder, JXL_TRUE) != JXL_DEC_SUCCESS ||
        door->JxlDecoderSetUnpremultiplyAlpha(file->decoder, JXL_TRUE) != JXL_DEC_SUCCESS ||
        door->JxlDecoderSetInput(file->decoder, bytes, count) != JXL_DEC_SUCCESS) {
        return EMB_JXL_NO_MEMORY;
    }
    const JxlDecoderStatus status = proceed(file);
    if (status != JXL_DEC_BASIC_INFO) {
        return outcome_of(status);
    }
    return door->JxlDecoderGetBasicInfo(file->decoder, &file->info) == JXL_DEC_SUCCESS
        ? EMB_JXL_OK
        : EMB_JXL_DAMAGED;
}

int emb_jxl_open(
    const uint8_t *bytes, size_t count, struct emb_jxl **opened, struct emb_jxl_facts *facts) {
    const struct emb_jxl_door *door = emb_jxl_door();
    if (door == NULL) {
        return EMB_JXL_MISSING;
    }
    struct emb_jxl *file = calloc(1, sizeof *file);
    if (file == NULL) {
        return EMB_JXL_NO_MEMORY;
    }
    file->door = door;
    const int outcome = begin(file, bytes, count);
    if (outcome != EMB_JXL_OK) {
        emb_jxl_close(file);
        return outcome;
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
        file->door->JxlDecoderDestroy(file->decoder);
    }
    free(file);
}

int emb_jxl_read_colors(struct emb_jxl *file, struct emb_jxl_colors *colors) {
    const struct emb_jxl_door *door = file->door;
    const JxlDecoderStatus status = proceed(file);
    if (status != JXL_DEC_COLOR_ENCODING) {
        return outcome_of(status);
    }
    const int is_grey = file->info.num_color_channels == 1;
    *colors = (struct emb_jxl_colors){.primaries = 1, .transfer = 13};
    JxlColorEncoding encoding;
    const int is_encoded = door->JxlDecoderGetColorAsEncodedProfile(
                               file->decoder, &rgba, JXL_COLOR_PROFILE_TARGET_DATA, &encoding) ==
        JXL_DEC_SUCCESS;
    // HDR transfer functions; the values are those of H.273.
    const int is_bright = is_encoded &&
        (encoding.transfer_function == JXL_TRANSFER_FUNCTION_PQ ||
         encoding.transfer_function == JXL_TRANSFER_FUNCTION_HLG);
    const int has_numbers = is_bright &&
        (is_grey || encoding.primaries == JXL_PRIMARIES_SRGB ||
         encoding.primaries == JXL_PRIMARIES_2100 ||
         (encoding.primaries == JXL_PRIMARIES_P3 && encoding.white_point == JXL_WHITE_POINT_D65));
    if (has_numbers) {
        // H.273 has two numbers for P3, with the white points of displays and of cinemas.
        colors->primaries = is_grey                  ? 1
            : encoding.primaries == JXL_PRIMARIES_P3 ? 12
                                                     : (int)encoding.primaries;
        colors->transfer = (int)encoding.transfer_function;
        return EMB_JXL_OK;
    }
    if (!file->info.uses_original_profile && !is_bright) {
        JxlColorEncoding wanted;
        door->JxlColorEncodingSetToSRGB(&wanted, is_grey);
        return door->JxlDecoderSetPreferredColorProfile(file->decoder, &wanted) == JXL_DEC_SUCCESS
            ? EMB_JXL_OK
            : EMB_JXL_DAMAGED;
    }
    const int is_srgb = is_encoded && encoding.transfer_function == JXL_TRANSFER_FUNCTION_SRGB &&
        encoding.white_point == JXL_WHITE_POINT_D65 &&
        (is_grey || encoding.primaries == JXL_PRIMARIES_SRGB);
    if (!is_srgb &&
        door->JxlDecoderGetICCProfileSize(
            file->decoder, &rgba, JXL_COLOR_PROFILE_TARGET_DATA, &colors->profile_bytes) !=
            JXL_DEC_SUCCESS) {
        // Colours of unknown meaning are treated as sRGB, as in other formats.
        colors->profile_bytes = 0;
    }
    return EMB_JXL_OK;
}

int emb_jxl_copy_profile(struct emb_jxl *file, uint8_t *profile, size_t count) {
    return file->door->JxlDecoderGetColorAsICCProfile(
               file->decoder, &rgba, JXL_COLOR_PROFILE_TARGET_DATA, profile, count) ==
            JXL_DEC_SUCCESS
        ? EMB_JXL_OK
        : EMB_JXL_DAMAGED;
}

int emb_jxl_read_pixels(struct emb_jxl *file, uint8_t *pixels, size_t count, int partial) {
    const struct emb_jxl_door *door = file->door;
    int has_place = 0;
    for (;;) {
        const JxlDecoderStatus status = proceed(file);
        size_t needed = 0;
        switch (status) {
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
            if (door->JxlDecoderImageOutBufferSize(file->decoder, &rgba, &needed) !=
                    JXL_DEC_SUCCESS ||
                needed != count ||
                door->JxlDecoderSetImageOutBuffer(file->decoder, &rgba, pixels, count) !=
                    JXL_DEC_SUCCESS) {
                return EMB_JXL_DAMAGED;
            }
            has_place = 1;
            break;
        case JXL_DEC_FULL_IMAGE:
            return EMB_JXL_OK;
        case JXL_DEC_NEED_MORE_INPUT:
            return partial && has_place && flush(file) ? EMB_JXL_OK : EMB_JXL_ENDS;
        default:
            return EMB_JXL_DAMAGED;
        }
    }
}
