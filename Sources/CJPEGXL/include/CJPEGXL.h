#pragma once

#include <stddef.h>
#include <stdint.h>

// JPEG XL through libjxl, which is loaded at the first call (see binding.c). Everything runs on the
// calling thread. Functions return one of these codes, unless they say otherwise.
enum {
    EMB_JXL_OK = 0,
    // The data ends too early.
    EMB_JXL_ENDS = 1,
    EMB_JXL_DAMAGED = 2,
    EMB_JXL_NO_MEMORY = 3,
    EMB_JXL_MISSING = 4,
};

// Returns whether the library is installed; loads it if necessary.
int emb_jxl_is_found(void);

// The library version at build time.
#define EMB_JXL_VERSION "0.7"

// The facts of a file's header. Sizes are those of the stored pixels; `orientation` has the values
// of EXIF.
struct emb_jxl_facts {
    uint32_t width, height;
    uint32_t orientation;
    uint32_t bits;
    uint32_t extra_channels;
    int is_grey, has_alpha, is_animated;
    // Whether colours are stored in XYB; they are then converted to any requested space.
    int is_xyb;
    // Whether there is a channel of black ink.
    int has_ink;
};

// A file that is being read; the bytes must outlive it.
struct emb_jxl;

// Reads the header only.
int emb_jxl_open(
    const uint8_t *bytes, size_t count, struct emb_jxl **opened, struct emb_jxl_facts *facts);
void emb_jxl_close(struct emb_jxl *file);

// The colour space of the pixels: an ICC profile if `profile_bytes` is not 0; otherwise `primaries`
// and `transfer` as in ITU-T H.273, where 1 and 13 mean sRGB.
struct emb_jxl_colors {
    int primaries, transfer;
    size_t profile_bytes;
};

// Reads the colour space; must be called after `emb_jxl_open`.
int emb_jxl_read_colors(struct emb_jxl *file, struct emb_jxl_colors *colors);
int emb_jxl_copy_profile(struct emb_jxl *file, uint8_t *profile, size_t count);

// Decodes the first picture to rows of straight RGBA without gaps; must be called after
// `emb_jxl_read_colors`. With `partial`, a truncated file gives the pixels it has, and EMB_JXL_OK
// if there are any.
int emb_jxl_read_pixels(struct emb_jxl *file, uint8_t *pixels, size_t count, int partial);

// Encodes straight RGBA in sRGB, without alpha if `has_alpha` is 0. A distance of 0 is lossless.
// The caller must free the result.
int emb_jxl_write(
    const uint8_t *pixels, uint32_t width, uint32_t height, int has_alpha, float distance,
    int effort, uint8_t **written, size_t *count);
