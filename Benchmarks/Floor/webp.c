#include <stdlib.h>
#include <string.h>

#include <webp/decode.h>
#include <webp/encode.h>

#include "floor.h"

void webp_read(const bytes *file) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config) ||
        WebPGetFeatures(file->start, file->length, &config.input) != VP8_STATUS_OK) {
        return;
    }
    int is_lossy = config.input.format == 1;
    if (is_lossy) {
        // Decodes to planes as coded: libwebp's own scaling costs more than it saves.
        config.output.colorspace = config.input.has_alpha ? MODE_YUVA : MODE_YUV;
    } else {
        config.output.colorspace = config.input.has_alpha ? MODE_rgbA : MODE_RGBA;
    }
    WebPDecode(file->start, file->length, &config);
    WebPFreeDecBuffer(&config.output);
}

uint8_t *webp_pixels(const bytes *file, int *width, int *height) {
    if (!WebPGetInfo(file->start, file->length, width, height)) {
        return NULL;
    }
    size_t stride = (size_t)*width * 4;
    uint8_t *pixels = malloc(stride * (size_t)*height);
    if (pixels != NULL &&
        WebPDecodeRGBAInto(
            file->start, file->length, pixels, stride * (size_t)*height, (int)stride) == NULL) {
        free(pixels);
        return NULL;
    }
    return pixels;
}

void webp_write(const uint8_t *pixels, int width, int height) {
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, 82) || !WebPPictureInit(&picture)) {
        return;
    }
    config.method = 4;
    config.alpha_quality = 100;
    picture.width = width;
    picture.height = height;
    WebPMemoryWriter writer;
    WebPMemoryWriterInit(&writer);
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    if (WebPPictureImportRGBA(&picture, pixels, width * 4)) {
        WebPEncode(&config, &picture);
    }
    WebPPictureFree(&picture);
    WebPMemoryWriterClear(&writer);
}
