// Writes a bare JPEG XL codestream on one thread, so that the same pixels always give the same
// bytes.
#include <stdlib.h>

#include "binding.h"
#include "include/CJPEGXL.h"
#include "quiet.h"

// The initial buffer size, enough for an emblem; doubled when necessary.
enum { INITIAL_CAPACITY = 16 << 10 };

// Collects the output of the encoder in memory that the caller must free.
static int collect_output(
    const struct emb_jxl_library *library, JxlEncoder *encoder, uint8_t **written, size_t *count) {
    size_t capacity = INITIAL_CAPACITY;
    uint8_t *bytes = malloc(capacity);
    uint8_t *next = bytes;
    size_t left = capacity;
    JxlEncoderStatus status = JXL_ENC_NEED_MORE_OUTPUT;
    while (bytes != NULL && status == JXL_ENC_NEED_MORE_OUTPUT) {
        status = library->JxlEncoderProcessOutput(encoder, &next, &left);
        if (status == JXL_ENC_NEED_MORE_OUTPUT) {
            const size_t done = (size_t)(next - bytes);
            uint8_t *larger = capacity > SIZE_MAX / 2 ? NULL : realloc(bytes, capacity * 2);
            if (larger == NULL) {
                break;
            }
            capacity *= 2;
            bytes = larger;
            next = bytes + done;
            left = capacity - done;
        }
    }
    if (bytes == NULL || status != JXL_ENC_SUCCESS) {
        free(bytes);
        return status == JXL_ENC_ERROR ? EMB_JXL_DAMAGED : EMB_JXL_NO_MEMORY;
    }
    *written = bytes;
    *count = (size_t)(next - bytes);
    return EMB_JXL_OK;
}

// Sets the header of the picture; returns 0 on failure.
static int set_basic_info(
    const struct emb_jxl_library *library, JxlEncoder *encoder, uint32_t width, uint32_t height,
    int has_alpha, int is_lossless) {
    JxlBasicInfo info;
    library->JxlEncoderInitBasicInfo(&info);
    info.xsize = width;
    info.ysize = height;
    info.bits_per_sample = 8;
    info.num_color_channels = 3;
    info.num_extra_channels = has_alpha ? 1 : 0;
    info.alpha_bits = has_alpha ? 8 : 0;
    info.uses_original_profile = is_lossless;
    JxlColorEncoding colors;
    library->JxlColorEncodingSetToSRGB(&colors, 0);
    return library->JxlEncoderSetBasicInfo(encoder, &info) == JXL_ENC_SUCCESS &&
        library->JxlEncoderSetColorEncoding(encoder, &colors) == JXL_ENC_SUCCESS;
}

static int encode(
    const struct emb_jxl_library *library, JxlEncoder *encoder, const uint8_t *pixels,
    uint32_t width, uint32_t height, int has_alpha, float distance, int effort, uint8_t **written,
    size_t *count) {
    const uint32_t channels = has_alpha ? 4 : 3;
    const JxlPixelFormat format = {channels, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
    const size_t bytes = (size_t)width * height * channels;
    const int is_lossless = distance == 0;
    JxlEncoderFrameSettings *settings = library->JxlEncoderFrameSettingsCreate(encoder, NULL);
    if (settings == NULL ||
        !set_basic_info(library, encoder, width, height, has_alpha, is_lossless) ||
        library->JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, effort) !=
            JXL_ENC_SUCCESS ||
        // Responsive mode would code alpha progressively and lossily along with the colours.
        library->JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_RESPONSIVE, 0) !=
            JXL_ENC_SUCCESS ||
        (is_lossless
             ? library->JxlEncoderSetFrameLossless(settings, JXL_TRUE)
             : library->JxlEncoderSetFrameDistance(settings, distance)) != JXL_ENC_SUCCESS ||
        library->JxlEncoderAddImageFrame(settings, &format, pixels, bytes) != JXL_ENC_SUCCESS) {
        return EMB_JXL_DAMAGED;
    }
    library->JxlEncoderCloseInput(encoder);
    return collect_output(library, encoder, written, count);
}

int emb_jxl_write(
    const uint8_t *pixels, uint32_t width, uint32_t height, int has_alpha, float distance,
    int effort, uint8_t **written, size_t *count) {
    const struct emb_jxl_library *library = emb_jxl_library();
    if (library == NULL) {
        return EMB_JXL_MISSING;
    }
    JxlEncoder *encoder = library->JxlEncoderCreate(NULL);
    if (encoder == NULL) {
        return EMB_JXL_NO_MEMORY;
    }
    emb_jxl_quiet(1);
    const int result = encode(
        library, encoder, pixels, width, height, has_alpha, distance, effort, written, count);
    emb_jxl_quiet(0);
    library->JxlEncoderDestroy(encoder);
    return result;
}
