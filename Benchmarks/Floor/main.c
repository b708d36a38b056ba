// The minimum cost of a workload for any program on this machine, for the same bytes in and out:
// inflating and unfiltering a PNG, decoding a JPEG at a suitable scale or a WebP to planes, and
// deflating the image data of the resulting emblem or encoding it as WebP. Nothing is resampled,
// composed, hashed or written.
//
//     emblem-floor SOURCES OUTPUTS [NEEDED [COUNT]]
//
// SOURCES is a folder of .png, .jpg and .webp, OUTPUTS the result of `emblem batch` for it, NEEDED
// the longer side of the target in pixels (128), COUNT the number of sources to read, in byte order
// (all). Prints CPU seconds per item as a JSON object.

#include <dirent.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <jpeglib.h>
#include <libdeflate.h>

#include "floor.h"

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int ends_with(const char *name, const char *ending) {
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

typedef struct times {
    double inflate, unfilter, jpeg, webp_decode, deflate, webp_encode;
    long sources, outputs;
    size_t bytes_in, bytes_out;
} times;

static void time_png(const bytes *file, times *sum) {
    png_layout layout;
    bytes packed = png_data(file, &layout);
    if (packed.start == NULL) {
        return;
    }
    uint8_t *raw = malloc(layout.raw + 16);
    double start = now();
    struct libdeflate_decompressor *tool = libdeflate_alloc_decompressor();
    libdeflate_zlib_decompress(tool, packed.start, packed.length, raw, layout.raw, NULL);
    libdeflate_free_decompressor(tool);
    double middle = now();
    png_unfilter(raw, &layout);
    sum->inflate += middle - start;
    sum->unfilter += now() - middle;
    free(raw);
    free(packed.start);
}

static void time_jpeg(const bytes *file, unsigned needed, times *sum) {
    double start = now();
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    info.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, file->start, file->length);
    jpeg_read_header(&info, TRUE);
    int is_ink = info.num_components == 4;
    info.out_color_space = is_ink ? JCS_CMYK : JCS_EXT_RGBX;
    unsigned longest = info.image_width > info.image_height ? info.image_width : info.image_height;
    info.scale_denom = 8;
    // Like emblem: the smallest scale that keeps twice the target size.
    for (info.scale_num = 1; info.scale_num < 8; info.scale_num *= 2) {
        if ((longest * info.scale_num + 7) / 8 >= needed * 2) {
            break;
        }
    }
    jpeg_start_decompress(&info);
    uint8_t *row = malloc((size_t)info.output_width * 4);
    while (info.output_scanline < info.output_height) {
        jpeg_read_scanlines(&info, &row, 1);
    }
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
    free(row);
    sum->jpeg += now() - start;
}

static void time_webp(const bytes *file, times *sum) {
    double start = now();
    webp_read(file);
    sum->webp_decode += now() - start;
}

static void time_webp_output(const bytes *file, times *sum) {
    int width = 0, height = 0;
    uint8_t *pixels = webp_pixels(file, &width, &height);
    double start = now();
    if (pixels != NULL) {
        webp_write(pixels, width, height);
    }
    sum->webp_encode += now() - start;
    free(pixels);
}

static void time_output(const bytes *file, times *sum) {
    png_layout layout;
    bytes packed = png_data(file, &layout);
    if (packed.start == NULL) {
        return;
    }
    uint8_t *raw = malloc(layout.raw + 16);
    struct libdeflate_decompressor *reader = libdeflate_alloc_decompressor();
    libdeflate_zlib_decompress(reader, packed.start, packed.length, raw, layout.raw, NULL);
    libdeflate_free_decompressor(reader);
    double start = now();
    struct libdeflate_compressor *tool = libdeflate_alloc_compressor(6);
    size_t room = libdeflate_zlib_compress_bound(tool, layout.raw);
    uint8_t *result = malloc(room);
    libdeflate_zlib_compress(tool, raw, layout.raw, result, room);
    libdeflate_free_compressor(tool);
    sum->deflate += now() - start;
    free(result);
    free(raw);
    free(packed.start);
}

static void time_file(
    const char *path, const bytes *file, unsigned needed, int is_output, times *sum) {
    int is_webp = ends_with(path, ".webp");
    if (is_output) {
        is_webp ? time_webp_output(file, sum) : time_output(file, sum);
        sum->outputs++;
        sum->bytes_out += file->length;
        return;
    }
    if (is_webp) {
        time_webp(file, sum);
    } else {
        ends_with(path, ".png") ? time_png(file, sum) : time_jpeg(file, needed, sum);
    }
    sum->sources++;
    sum->bytes_in += file->length;
}

static void walk(const char *folder, unsigned needed, int is_output, long limit, times *sum) {
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, NULL, alphasort);
    if (count < 0) {
        fprintf(stderr, "%s cannot be opened.\n", folder);
        exit(66);
    }
    for (int index = 0; index < count; index++) {
        char path[4096];
        snprintf(path, sizeof(path), "%s/%s", folder, entries[index]->d_name);
        int is_hidden = entries[index]->d_name[0] == '.';
        free(entries[index]);
        if (is_hidden || (!is_output && sum->sources >= limit)) {
            continue;
        }
        struct stat facts;
        if (stat(path, &facts) == 0 && S_ISDIR(facts.st_mode)) {
            walk(path, needed, is_output, limit, sum);
            continue;
        }
        if (!ends_with(path, ".png") && !ends_with(path, ".jpg") && !ends_with(path, ".webp")) {
            continue;
        }
        bytes file = read_file(path);
        if (file.start != NULL) {
            time_file(path, &file, needed, is_output, sum);
        }
        free(file.start);
    }
    free(entries);
}

int main(int count, char **words) {
    if (count < 3) {
        fprintf(stderr, "usage: emblem-floor SOURCES OUTPUTS [NEEDED [COUNT]]\n");
        return 64;
    }
    unsigned needed = count > 3 ? (unsigned)atoi(words[3]) : 128;
    long limit = count > 4 ? atol(words[4]) : LONG_MAX;
    times sum = {0};
    walk(words[1], needed, 0, limit, &sum);
    walk(words[2], needed, 1, LONG_MAX, &sum);
    double items = sum.sources > 0 ? (double)sum.sources : 1;
    double whole = sum.inflate + sum.unfilter + sum.jpeg + sum.webp_decode + sum.deflate +
        sum.webp_encode;
    printf(
        "{\"items\":%ld,\"outputs\":%ld,\"bytes_in\":%zu,\"bytes_out\":%zu,"
        "\"cpu_seconds_per_item\":{\"inflate\":%.7f,\"unfilter\":%.7f,\"jpeg\":%.7f,"
        "\"webp_decode\":%.7f,\"deflate\":%.7f,\"webp_encode\":%.7f,\"total\":%.7f}}\n",
        sum.sources, sum.outputs, sum.bytes_in, sum.bytes_out, sum.inflate / items,
        sum.unfilter / items, sum.jpeg / items, sum.webp_decode / items, sum.deflate / items,
        sum.webp_encode / items, whole / items);
    return 0;
}
