// The least that any program pays for a workload on this machine, for the same bytes in and out:
// inflate and unfilter a PNG, decode a JPEG at the scale that serves the target, deflate the image
// data of the emblem that came of it. Nothing is resampled, composed, hashed or written.
//
//     emblem-floor SOURCES OUTPUTS [NEEDED]
//
// SOURCES is a folder of .png and .jpg, OUTPUTS what `emblem batch` made of it, NEEDED the longer
// side of the target in pixels (128). Prints CPU seconds an item, as one object of JSON.

#include <dirent.h>
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
    double inflate, unfilter, jpeg, deflate;
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
    unsigned longest =
        info.image_width > info.image_height ? info.image_width : info.image_height;
    info.scale_denom = 8;
    // As emblem: the smallest scale that keeps twice the target.
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

static void walk(const char *folder, unsigned needed, int is_output, times *sum) {
    DIR *entries = opendir(folder);
    if (entries == NULL) {
        fprintf(stderr, "%s cannot be opened.\n", folder);
        exit(66);
    }
    struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        char path[4096];
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        struct stat facts;
        if (stat(path, &facts) == 0 && S_ISDIR(facts.st_mode)) {
            walk(path, needed, is_output, sum);
            continue;
        }
        int is_png = ends_with(path, ".png");
        if (!is_png && !ends_with(path, ".jpg")) {
            continue;
        }
        bytes file = read_file(path);
        if (file.start == NULL) {
            continue;
        }
        if (is_output) {
            time_output(&file, sum);
            sum->outputs++;
            sum->bytes_out += file.length;
        } else {
            is_png ? time_png(&file, sum) : time_jpeg(&file, needed, sum);
            sum->sources++;
            sum->bytes_in += file.length;
        }
        free(file.start);
    }
    closedir(entries);
}

int main(int count, char **words) {
    if (count < 3) {
        fprintf(stderr, "usage: emblem-floor SOURCES OUTPUTS [NEEDED]\n");
        return 64;
    }
    unsigned needed = count > 3 ? (unsigned)atoi(words[3]) : 128;
    times sum = {0};
    walk(words[1], needed, 0, &sum);
    walk(words[2], needed, 1, &sum);
    double items = sum.sources > 0 ? (double)sum.sources : 1;
    double whole = sum.inflate + sum.unfilter + sum.jpeg + sum.deflate;
    printf(
        "{\"items\":%ld,\"outputs\":%ld,\"bytes_in\":%zu,\"bytes_out\":%zu,"
        "\"cpu_seconds_per_item\":{\"inflate\":%.7f,\"unfilter\":%.7f,\"jpeg\":%.7f,"
        "\"deflate\":%.7f,\"total\":%.7f}}\n",
        sum.sources, sum.outputs, sum.bytes_in, sum.bytes_out, sum.inflate / items,
        sum.unfilter / items, sum.jpeg / items, sum.deflate / items, whole / items);
    return 0;
}
