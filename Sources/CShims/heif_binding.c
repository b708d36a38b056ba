// Loads libheif at the first call instead of at startup.
//
// The library loads video codecs, whose tables would take a fifth of the startup time, and few
// inputs need it. The functions below replace the library's functions of the same names. If the
// library is missing, each of them reports a failure.
#include <libheif/heif.h>
#include <stddef.h>

#include "include/emb_heif.h"
#include "include/emb_library.h"

EMB_LIBRARY("libheif.so.1", "heif", "AVIF and HEIC")

int emb_heif_is_found(void) {
    return find("heif_context_alloc") != NULL;
}

static const struct heif_error missing = {
    heif_error_Unsupported_feature, heif_suberror_Unspecified, "libheif.so.1 is missing"};

#define PASS_ERROR(name, parameters, arguments)                                                    \
    PASS(struct heif_error, missing, name, parameters, arguments)

PASS_ERROR(heif_init, (struct heif_init_params * settings), (settings))
PASS(int, 0, heif_have_encoder_for_format, (enum heif_compression_format format), (format))

PASS(struct heif_context *, NULL, heif_context_alloc, (void), ())
PASS_NOTHING(heif_context_free, (struct heif_context * context), (context))
PASS_NOTHING(
    heif_context_set_max_decoding_threads, (struct heif_context * context, int most),
    (context, most))
PASS_NOTHING(
    heif_context_set_maximum_image_size_limit, (struct heif_context * context, int edge),
    (context, edge))
PASS_ERROR(
    heif_context_read_from_memory,
    (struct heif_context * context, const void *bytes, size_t count,
     const struct heif_reading_options *options),
    (context, bytes, count, options))
PASS_ERROR(
    heif_context_get_primary_image_handle,
    (struct heif_context * context, struct heif_image_handle **handle), (context, handle))
PASS_ERROR(
    heif_context_get_encoder_for_format,
    (struct heif_context * context, enum heif_compression_format format,
     struct heif_encoder **encoder),
    (context, format, encoder))
PASS_ERROR(
    heif_context_encode_image,
    (struct heif_context * context, const struct heif_image *image, struct heif_encoder *encoder,
     const struct heif_encoding_options *options, struct heif_image_handle **handle),
    (context, image, encoder, options, handle))
PASS_ERROR(
    heif_context_write, (struct heif_context * context, struct heif_writer *writer, void *user),
    (context, writer, user))

PASS(
    int, 0, heif_image_handle_has_alpha_channel, (const struct heif_image_handle *handle), (handle))
PASS(
    int, 0, heif_image_handle_is_premultiplied_alpha, (const struct heif_image_handle *handle),
    (handle))
PASS(
    int, -1, heif_image_handle_get_luma_bits_per_pixel, (const struct heif_image_handle *handle),
    (handle))
PASS(
    size_t, 0, heif_image_handle_get_raw_color_profile_size,
    (const struct heif_image_handle *handle), (handle))
PASS_ERROR(
    heif_image_handle_get_raw_color_profile, (const struct heif_image_handle *handle, void *bytes),
    (handle, bytes))
PASS_ERROR(
    heif_image_handle_get_nclx_color_profile,
    (const struct heif_image_handle *handle, struct heif_color_profile_nclx **profile),
    (handle, profile))
PASS_NOTHING(heif_image_handle_release, (const struct heif_image_handle *handle), (handle))

PASS(struct heif_decoding_options *, NULL, heif_decoding_options_alloc, (void), ())
PASS_NOTHING(heif_decoding_options_free, (struct heif_decoding_options * options), (options))
PASS_ERROR(
    heif_decode_image,
    (const struct heif_image_handle *handle, struct heif_image **image, enum heif_colorspace space,
     enum heif_chroma chroma, const struct heif_decoding_options *options),
    (handle, image, space, chroma, options))

PASS_ERROR(
    heif_image_create,
    (int width, int height, enum heif_colorspace space, enum heif_chroma chroma,
     struct heif_image **image),
    (width, height, space, chroma, image))
PASS_ERROR(
    heif_image_add_plane,
    (struct heif_image * image, enum heif_channel channel, int width, int height, int bits),
    (image, channel, width, height, bits))
PASS(
    int, 0, heif_image_get_width, (const struct heif_image *image, enum heif_channel channel),
    (image, channel))
PASS(
    int, 0, heif_image_get_height, (const struct heif_image *image, enum heif_channel channel),
    (image, channel))
PASS(
    int, -1, heif_image_get_bits_per_pixel_range,
    (const struct heif_image *image, enum heif_channel channel), (image, channel))
PASS(
    uint8_t *, NULL, heif_image_get_plane,
    (struct heif_image * image, enum heif_channel channel, int *stride), (image, channel, stride))
PASS(
    const uint8_t *, NULL, heif_image_get_plane_readonly,
    (const struct heif_image *image, enum heif_channel channel, int *stride),
    (image, channel, stride))
PASS_ERROR(
    heif_image_set_nclx_color_profile,
    (struct heif_image * image, const struct heif_color_profile_nclx *profile), (image, profile))
PASS_ERROR(
    heif_image_get_nclx_color_profile,
    (const struct heif_image *image, struct heif_color_profile_nclx **profile), (image, profile))
PASS_NOTHING(heif_image_release, (const struct heif_image *image), (image))

PASS_NOTHING(heif_encoder_release, (struct heif_encoder * encoder), (encoder))
PASS_ERROR(
    heif_encoder_set_lossless, (struct heif_encoder * encoder, int enable), (encoder, enable))
PASS_ERROR(
    heif_encoder_set_lossy_quality, (struct heif_encoder * encoder, int quality),
    (encoder, quality))
PASS_ERROR(
    heif_encoder_set_parameter_integer,
    (struct heif_encoder * encoder, const char *name, int value), (encoder, name, value))
PASS_ERROR(
    heif_encoder_set_parameter_string,
    (struct heif_encoder * encoder, const char *name, const char *value), (encoder, name, value))
PASS(struct heif_encoding_options *, NULL, heif_encoding_options_alloc, (void), ())
PASS_NOTHING(heif_encoding_options_free, (struct heif_encoding_options * options), (options))
PASS(struct heif_color_profile_nclx *, NULL, heif_nclx_color_profile_alloc, (void), ())
PASS_NOTHING(heif_nclx_color_profile_free, (struct heif_color_profile_nclx * profile), (profile))
