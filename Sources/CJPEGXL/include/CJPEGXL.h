#pragma once

#include <stddef.h>
#include <stdint.h>

// JPEG XL through libjxl, which is found when it is first called: see binding.c. One thread does
// everything. Calls return one of these, unless they say otherwise.
enum {
    EMB_JXL_OK = 0,
    // The data ends before what was asked for.
    EMB_JXL_ENDS = 1,
    EMB_JXL_DAMAGED = 2,
    EMB_JXL_NO_MEMORY = 3,
    EMB_JXL_MISSING = 4,
};

// Whether the library is installed; opens it.
int emb_jxl_is_found(void);

// The version that this was built against.
#define EMB_JXL_VERSION "0.7"

// What a file says of itself. Sides are those of the stored pixels; `orientation` counts as in
// Exif.
struct emb_jxl_facts {
    uint32_t width, height;
    uint32_t orientation;
    uint32_t bits;
    uint32_t extra_channels;
    int is_grey, has_alpha, is_animated;
    // Colours are stored as the eye sees them and come out in what is asked for.
    int is_xyb;
    // A channel of black ink lies beside the others.
    int has_ink;
};

// A file that is being read; the bytes must outlive it.
struct emb_jxl;

// Reads the facts and nothing more.
int emb_jxl_open(
    const uint8_t *bytes, size_t count, struct emb_jxl **opened, struct emb_jxl_facts *facts);
void emb_jxl_close(struct emb_jxl *file);

// What the pixels will be. Where `profile_bytes` is not 0 they are in that profile; else
// `primaries` and `transfer` are numbers of ITU-T H.273, and 1 and 13 stand for sRGB.
struct emb_jxl_colors {
    int primaries, transfer;
    size_t profile_bytes;
};

// Reads on to the colours, to be called after `emb_jxl_open`.
int emb_jxl_read_colors(struct emb_jxl *file, struct emb_jxl_colors *colors);
int emb_jxl_copy_profile(struct emb_jxl *file, uint8_t *profile, size_t count);

// Decodes the first picture to rows of straight red, green, blue and alpha without gaps, to be
// called after `emb_jxl_read_colors`. With `partial` a file that ends early gives as much as it
// has, and EMB_JXL_OK if that is anything.
int emb_jxl_read_pixels(struct emb_jxl *file, uint8_t *pixels, size_t count, int partial);

// Writes straight red, green, blue and alpha in sRGB, whose alpha is left out where `has_alpha` is
// 0. A distance of 0 loses nothing. What is written is to be freed.
int emb_jxl_write(
    const uint8_t *pixels, uint32_t width, uint32_t height, int has_alpha, float distance,
    int effort, uint8_t **written, size_t *count);
