#include "CJPEGScaled.h"

#include <stdlib.h>

#include "parts.h"

static int divided_up(int value, int by) {
    return (value + by - 1) / by;
}

// A subsampled component is scaled down less, as in libjpeg.
static const emb_jpeg_needs *needs_of(const emb_jpeg_picture *picture, const emb_jpeg_part *part) {
    int side = picture->eighths;
    while (side < 8 && picture->across * picture->eighths % (part->across * side * 2) == 0 &&
           picture->down * picture->eighths % (part->down * side * 2) == 0) {
        side *= 2;
    }
    switch (side) {
    case 1:
        return &emb_jpeg_needs_of_1;
    case 2:
        return &emb_jpeg_needs_of_2;
    case 4:
        return &emb_jpeg_needs_of_4;
    default:
        return NULL;
    }
}

static int open_part(emb_jpeg_picture *picture, emb_jpeg_part *part, const JQUANT_TBL *table) {
    static const uint8_t natural[64] = {
        0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
        41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
        30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};
    part->needs = needs_of(picture, part);
    if (part->needs == NULL || table == NULL) {
        return 0;
    }
    // A component must have the height of the largest one, and its width or half of it.
    int width = picture->across * picture->eighths, own = part->across * part->needs->side;
    if (part->down * part->needs->side != picture->down * picture->eighths ||
        (own != width && (own * 2 != width || part == picture->parts))) {
        return 0;
    }
    part->wide = picture->units_wide * part->across;
    part->high = picture->units_high * part->down;
    for (int k = 0; k < 64; k++) {
        int slot = part->needs->slot[k];
        if (slot >= 0) {
            // Signed 16-bit factors, as libjpeg multiplies; only damaged files have larger ones.
            part->factors[slot] = (int16_t)table->quantval[natural[k]];
        }
        part->precision[k] = -1;
    }
    part->stride = (size_t)part->wide * (size_t)part->needs->side;
    part->plane = malloc(part->stride * (size_t)(part->down * part->needs->side));
    if (part->plane == NULL) {
        return 0;
    }
    if (picture->is_progressive) {
        size_t blocks = (size_t)part->wide * (size_t)part->high;
        part->values = calloc(blocks * (size_t)part->needs->slots, sizeof(int16_t));
        part->present = calloc(blocks, sizeof(uint64_t));
        return part->values != NULL && part->present != NULL;
    }
    return 1;
}

static void take_codes(emb_jpeg_picture *picture, int kind, JHUFF_TBL *const *tables) {
    for (int number = 0; number < 4; number++) {
        if (tables[number] != NULL) {
            memcpy(picture->bits[kind][number], tables[number]->bits, 17);
            memcpy(picture->symbols[kind][number], tables[number]->huffval, 256);
            picture->has_code[kind][number] = 1;
        }
    }
}

static int open_picture(
    emb_jpeg_picture *picture, const struct jpeg_decompress_struct *info,
    const emb_jpeg_scaled_request *request) {
    picture->count = info->num_components;
    picture->eighths = request->eighths;
    picture->width = request->width;
    picture->height = request->height;
    picture->is_progressive = info->progressive_mode;
    picture->restart_interval = (int)info->restart_interval;
    picture->at = info->src->next_input_byte;
    picture->end = picture->at + info->src->bytes_in_buffer;
    picture->across = picture->down = 1;
    for (int index = 0; index < picture->count && picture->count > 1; index++) {
        const jpeg_component_info *from = &info->comp_info[index];
        picture->parts[index].across = from->h_samp_factor;
        picture->parts[index].down = from->v_samp_factor;
        if (from->h_samp_factor > picture->across) {
            picture->across = from->h_samp_factor;
        }
        if (from->v_samp_factor > picture->down) {
            picture->down = from->v_samp_factor;
        }
    }
    if (picture->count == 1) {
        picture->parts[0].across = picture->parts[0].down = 1;
    }
    int width = (int)info->image_width, height = (int)info->image_height;
    picture->units_wide = divided_up(width, picture->across * 8);
    picture->units_high = divided_up(height, picture->down * 8);
    take_codes(picture, 0, info->dc_huff_tbl_ptrs);
    take_codes(picture, 1, info->ac_huff_tbl_ptrs);
    for (int index = 0; index < picture->count; index++) {
        const jpeg_component_info *from = &info->comp_info[index];
        emb_jpeg_part *part = &picture->parts[index];
        part->id = from->component_id;
        // T.81 A.1.1: the samples of a component, then the blocks that contain them.
        part->own_wide = divided_up(divided_up(width * part->across, picture->across), 8);
        part->own_high = divided_up(divided_up(height * part->down, picture->down), 8);
        int table = from->quant_tbl_no;
        if (table < 0 || table > 3 || !open_part(picture, part, info->quant_tbl_ptrs[table])) {
            return 0;
        }
        if (index > 0) {
            picture->stretched[index - 1] = malloc((size_t)picture->width + 2);
            if (picture->stretched[index - 1] == NULL) {
                return 0;
            }
        }
    }
    return 1;
}

static void close_picture(emb_jpeg_picture *picture) {
    for (int index = 0; index < 3; index++) {
        free(picture->parts[index].plane);
        free(picture->parts[index].values);
        free(picture->parts[index].present);
    }
    free(picture->stretched[0]);
    free(picture->stretched[1]);
    free(picture);
}

static uint8_t *place_of(const emb_jpeg_part *part, int column, int row) {
    size_t side = (size_t)part->needs->side;
    return part->plane + (size_t)row * side * part->stride + (size_t)column * side;
}

// Decodes and transforms one interleaved MCU.
static int draw_unit(emb_jpeg_picture *picture, emb_jpeg_bits *bits, int column) {
    for (int index = 0; index < picture->count; index++) {
        emb_jpeg_part *part = &picture->parts[index];
        for (int block = 0; block < part->across * part->down; block++) {
            int16_t values[16] = {0};
            uint64_t present = 0;
            if (!emb_jpeg_take_whole(picture, part, bits, values, &present)) {
                return 0;
            }
            int across = column * part->across + block % part->across;
            emb_jpeg_inverse(part, values, present, place_of(part, across, block / part->across));
        }
    }
    return 1;
}

static int draw_whole(emb_jpeg_picture *picture, uint8_t *pixels) {
    for (int index = 0; index < picture->count; index++) {
        const emb_jpeg_part *part = &picture->parts[index];
        int numbers[2] = {part->dc_code, part->ac_code};
        for (int kind = 0; kind < 2; kind++) {
            if (!picture->has_code[kind][numbers[kind]] ||
                !emb_jpeg_code_make(
                    &picture->codes[kind][numbers[kind]], kind == 0,
                    picture->bits[kind][numbers[kind]], picture->symbols[kind][numbers[kind]])) {
                return 0;
            }
            if (kind == 1) {
                emb_jpeg_code_make_skips(&picture->codes[kind][numbers[kind]]);
            }
        }
    }
    emb_jpeg_bits bits;
    emb_jpeg_bits_open(&bits, picture->at, picture->end);
    int due = picture->restart_interval, restarts = 0;
    for (int row = 0; row < picture->units_high; row++) {
        for (int column = 0; column < picture->units_wide; column++) {
            if (picture->restart_interval > 0 && due-- == 0) {
                if (!emb_jpeg_restart(picture, &bits, restarts++)) {
                    return 0;
                }
                due = picture->restart_interval - 1;
            }
            if (!draw_unit(picture, &bits, column)) {
                return 0;
            }
        }
        if (emb_jpeg_bits_overdrawn(&bits)) {
            return 0;
        }
        emb_jpeg_write_rows(picture, row, pixels);
    }
    return 1;
}

static void draw_kept(emb_jpeg_picture *picture, uint8_t *pixels) {
    for (int row = 0; row < picture->units_high; row++) {
        for (int index = 0; index < picture->count; index++) {
            const emb_jpeg_part *part = &picture->parts[index];
            for (int down = 0; down < part->down; down++) {
                size_t block = (size_t)(row * part->down + down) * (size_t)part->wide;
                for (int column = 0; column < part->wide; column++, block++) {
                    emb_jpeg_inverse(
                        part, part->values + block * (size_t)part->needs->slots,
                        part->present[block], place_of(part, column, down));
                }
            }
        }
        emb_jpeg_write_rows(picture, row, pixels);
    }
}

// Takes the scan whose header `info` has read. Only the tables of this scan's components are known
// to libjpeg.
static int open_scan(
    emb_jpeg_picture *picture, const struct jpeg_decompress_struct *info, emb_jpeg_scan *scan) {
    scan->count = info->comps_in_scan;
    if (scan->count < 1 || scan->count > picture->count) {
        return 0;
    }
    for (int index = 0; index < scan->count; index++) {
        const jpeg_component_info *from = info->cur_comp_info[index];
        long component = from - info->comp_info;
        if (component < 0 || component >= picture->count || from->dc_tbl_no < 0 ||
            from->dc_tbl_no > 3 || from->ac_tbl_no < 0 || from->ac_tbl_no > 3) {
            return 0;
        }
        emb_jpeg_part *part = &picture->parts[component];
        part->dc_code = from->dc_tbl_no;
        part->ac_code = from->ac_tbl_no;
        scan->parts[index] = part;
    }
    if (!emb_jpeg_scan_fits(scan)) {
        return 0;
    }
    scan->first = info->Ss;
    scan->last = info->Se;
    scan->high = info->Ah;
    scan->low = info->Al;
    return 1;
}

// Decodes the picture; `steps_over` says whether scans may be skipped, and returns whether any was.
static int draw(
    const struct jpeg_decompress_struct *info, const emb_jpeg_scaled_request *request,
    uint8_t *pixels, int *steps_over) {
    emb_jpeg_picture *picture = calloc(1, sizeof(*picture));
    if (picture == NULL) {
        *steps_over = 0;
        return 0;
    }
    picture->may_step_over = *steps_over;
    emb_jpeg_scan scan;
    int done = 0;
    if (open_picture(picture, info, request) && open_scan(picture, info, &scan)) {
        if (!picture->is_progressive) {
            done = scan.count == picture->count && draw_whole(picture, pixels);
        } else if (emb_jpeg_read_passes(picture, &scan, request->scans_limit)) {
            draw_kept(picture, pixels);
            done = 1;
        }
    }
    *steps_over = picture->has_stepped_over;
    close_picture(picture);
    return done;
}

int emb_jpeg_read_scaled(
    const struct jpeg_decompress_struct *info, const emb_jpeg_scaled_request *request,
    uint8_t *pixels) {
    int is_colour = info->num_components == 3 && info->jpeg_color_space == JCS_YCbCr;
    int is_grey = info->num_components == 1 && info->jpeg_color_space == JCS_GRAYSCALE;
    if (request->eighths > 2 || info->arith_code || info->data_precision != 8 ||
        !(is_colour || is_grey) ||
        request->width != divided_up((int)info->image_width * request->eighths, 8) ||
        request->height != divided_up((int)info->image_height * request->eighths, 8)) {
        return 0;
    }
    int steps_over = 1;
    if (draw(info, request, pixels, &steps_over)) {
        return 1;
    }
    // If scans were skipped and EOI is missing, the picture is decoded again with all scans.
    int reads_all = 0;
    return steps_over && draw(info, request, pixels, &reads_all);
}
