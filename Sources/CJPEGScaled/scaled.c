#include "CJPEGScaled.h"

#include <stdlib.h>

#include "decoder.h"

static int ceil_div(int value, int by) {
    return (value + by - 1) / by;
}

// Returns the inverse DCT of a component. A subsampled component is scaled down less, as in
// libjpeg. NULL means a size that this decoder does not support.
static const emb_jpeg_dct *dct_of(
    const emb_jpeg_decoder *decoder, const emb_jpeg_component *component) {
    int side = decoder->eighths;
    while (side < 8 && decoder->h_max * decoder->eighths % (component->h * side * 2) == 0 &&
           decoder->v_max * decoder->eighths % (component->v * side * 2) == 0) {
        side *= 2;
    }
    switch (side) {
    case 1:
        return &emb_jpeg_dct_1x1;
    case 2:
        return &emb_jpeg_dct_2x2;
    case 4:
        return &emb_jpeg_dct_4x4;
    default:
        return NULL;
    }
}

// Allocates the memory of a component and copies its quantization table.
static int init_component(
    emb_jpeg_decoder *decoder, emb_jpeg_component *component, const JQUANT_TBL *table) {
    // The raster position of each zigzag position (figure A.6).
    static const uint8_t natural_order[64] = {
        0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
        41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
        30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};
    component->dct = dct_of(decoder, component);
    if (component->dct == NULL || table == NULL) {
        return 0;
    }
    // A component must have the height of the largest one, and its width or half of it.
    int width = decoder->h_max * decoder->eighths, own = component->h * component->dct->side;
    if (component->v * component->dct->side != decoder->v_max * decoder->eighths ||
        (own != width && (own * 2 != width || component == decoder->components))) {
        return 0;
    }
    component->padded_wide = decoder->mcus_wide * component->h;
    component->padded_high = decoder->mcus_high * component->v;
    for (int k = 0; k < 64; k++) {
        int slot = component->dct->slot[k];
        if (slot >= 0) {
            // Signed 16-bit factors, as libjpeg multiplies; only damaged files have larger factors.
            component->quantization[slot] = (int16_t)table->quantval[natural_order[k]];
        }
        component->al_reached[k] = -1;
    }
    component->stride = (size_t)component->padded_wide * (size_t)component->dct->side;
    component->samples = malloc(component->stride * (size_t)(component->v * component->dct->side));
    if (component->samples == NULL) {
        return 0;
    }
    if (decoder->is_progressive) {
        size_t blocks = (size_t)component->padded_wide * (size_t)component->padded_high;
        size_t slots = (size_t)component->dct->slot_count;
        component->coefficients = calloc(blocks * slots, sizeof(int16_t));
        component->nonzero = calloc(blocks, sizeof(uint64_t));
        return component->coefficients != NULL && component->nonzero != NULL;
    }
    return 1;
}

// Copies the Huffman tables of a class (0 DC, 1 AC) that the header has defined.
static void copy_tables(emb_jpeg_decoder *decoder, int class, JHUFF_TBL *const *tables) {
    for (int number = 0; number < 4; number++) {
        if (tables[number] != NULL) {
            memcpy(decoder->bits[class][number], tables[number]->bits, 17);
            memcpy(decoder->huffval[class][number], tables[number]->huffval, 256);
            decoder->has_table[class][number] = 1;
        }
    }
}

// Copies the sampling factors of all components. A single component is never interleaved, so its
// factors count as 1 (A.2.2).
static void init_sampling(emb_jpeg_decoder *decoder, const struct jpeg_decompress_struct *info) {
    decoder->h_max = decoder->v_max = 1;
    for (int index = 0; index < decoder->component_count && decoder->component_count > 1; index++) {
        const jpeg_component_info *from = &info->comp_info[index];
        decoder->components[index].h = from->h_samp_factor;
        decoder->components[index].v = from->v_samp_factor;
        if (from->h_samp_factor > decoder->h_max) {
            decoder->h_max = from->h_samp_factor;
        }
        if (from->v_samp_factor > decoder->v_max) {
            decoder->v_max = from->v_samp_factor;
        }
    }
    if (decoder->component_count == 1) {
        decoder->components[0].h = decoder->components[0].v = 1;
    }
}

static int init_decoder(
    emb_jpeg_decoder *decoder, const struct jpeg_decompress_struct *info,
    const emb_jpeg_scaled_request *request) {
    decoder->component_count = info->num_components;
    decoder->eighths = request->eighths;
    decoder->width = request->width;
    decoder->height = request->height;
    decoder->is_progressive = info->progressive_mode;
    decoder->restart_interval = (int)info->restart_interval;
    decoder->next = info->src->next_input_byte;
    decoder->end = decoder->next + info->src->bytes_in_buffer;
    init_sampling(decoder, info);
    int width = (int)info->image_width, height = (int)info->image_height;
    decoder->mcus_wide = ceil_div(width, decoder->h_max * 8);
    decoder->mcus_high = ceil_div(height, decoder->v_max * 8);
    copy_tables(decoder, 0, info->dc_huff_tbl_ptrs);
    copy_tables(decoder, 1, info->ac_huff_tbl_ptrs);
    for (int index = 0; index < decoder->component_count; index++) {
        const jpeg_component_info *from = &info->comp_info[index];
        emb_jpeg_component *component = &decoder->components[index];
        component->id = from->component_id;
        // The samples of a component (A.1.1), then the blocks that contain them.
        component->blocks_wide = ceil_div(ceil_div(width * component->h, decoder->h_max), 8);
        component->blocks_high = ceil_div(ceil_div(height * component->v, decoder->v_max), 8);
        int table = from->quant_tbl_no;
        if (table < 0 || table > 3 ||
            !init_component(decoder, component, info->quant_tbl_ptrs[table])) {
            return 0;
        }
        if (index > 0) {
            decoder->upsampled[index - 1] = malloc((size_t)decoder->width + 2);
            if (decoder->upsampled[index - 1] == NULL) {
                return 0;
            }
        }
    }
    return 1;
}

static void free_decoder(emb_jpeg_decoder *decoder) {
    for (int index = 0; index < 3; index++) {
        free(decoder->components[index].samples);
        free(decoder->components[index].coefficients);
        free(decoder->components[index].nonzero);
    }
    free(decoder->upsampled[0]);
    free(decoder->upsampled[1]);
    free(decoder);
}

static uint8_t *block_samples(const emb_jpeg_component *component, int column, int row) {
    size_t side = (size_t)component->dct->side;
    return component->samples + (size_t)row * side * component->stride + (size_t)column * side;
}

// Decodes and transforms one MCU of a sequential scan with all components.
static int decode_mcu(emb_jpeg_decoder *decoder, emb_jpeg_reader *reader, int column) {
    for (int index = 0; index < decoder->component_count; index++) {
        emb_jpeg_component *component = &decoder->components[index];
        for (int block = 0; block < component->h * component->v; block++) {
            int16_t coefficients[16] = {0};
            uint64_t nonzero = 0;
            if (!emb_jpeg_decode_block(decoder, component, reader, coefficients, &nonzero)) {
                return 0;
            }
            int block_column = column * component->h + block % component->h;
            emb_jpeg_idct(
                component, coefficients, nonzero,
                block_samples(component, block_column, block / component->h));
        }
    }
    return 1;
}

// Prepares the Huffman tables of all components for a sequential scan.
static int init_tables(emb_jpeg_decoder *decoder) {
    for (int index = 0; index < decoder->component_count; index++) {
        const emb_jpeg_component *component = &decoder->components[index];
        int numbers[2] = {component->dc_table, component->ac_table};
        for (int class = 0; class < 2; class ++) {
            int number = numbers[class];
            if (!decoder->has_table[class][number] ||
                !emb_jpeg_huffman_init(
                    &decoder->tables[class][number], class == 0, decoder->bits[class][number],
                    decoder->huffval[class][number])) {
                return 0;
            }
            if (class == 1) {
                emb_jpeg_huffman_init_skip(&decoder->tables[class][number]);
            }
        }
    }
    return 1;
}

// Decodes a picture whose single scan holds all components.
static int decode_sequential(emb_jpeg_decoder *decoder, uint8_t *pixels) {
    if (!init_tables(decoder)) {
        return 0;
    }
    emb_jpeg_reader reader;
    emb_jpeg_reader_init(&reader, decoder->next, decoder->end);
    int until_restart = decoder->restart_interval, restarts = 0;
    for (int row = 0; row < decoder->mcus_high; row++) {
        for (int column = 0; column < decoder->mcus_wide; column++) {
            if (decoder->restart_interval > 0 && until_restart-- == 0) {
                if (!emb_jpeg_read_restart(decoder, &reader, restarts++)) {
                    return 0;
                }
                until_restart = decoder->restart_interval - 1;
            }
            if (!decode_mcu(decoder, &reader, column)) {
                return 0;
            }
        }
        if (emb_jpeg_reader_is_overrun(&reader)) {
            return 0;
        }
        emb_jpeg_write_mcu_row(decoder, row, pixels);
    }
    return 1;
}

// Transforms the coefficients of a progressive picture after its last scan.
static void output_coefficients(emb_jpeg_decoder *decoder, uint8_t *pixels) {
    for (int row = 0; row < decoder->mcus_high; row++) {
        for (int index = 0; index < decoder->component_count; index++) {
            const emb_jpeg_component *component = &decoder->components[index];
            for (int v = 0; v < component->v; v++) {
                size_t block = (size_t)(row * component->v + v) * (size_t)component->padded_wide;
                for (int column = 0; column < component->padded_wide; column++, block++) {
                    emb_jpeg_idct(
                        component,
                        component->coefficients + block * (size_t)component->dct->slot_count,
                        component->nonzero[block], block_samples(component, column, v));
                }
            }
        }
        emb_jpeg_write_mcu_row(decoder, row, pixels);
    }
}

// Copies the header of the scan that libjpeg has read into `info`. libjpeg knows only the tables of
// the components of this scan.
static int init_scan(
    emb_jpeg_decoder *decoder, const struct jpeg_decompress_struct *info, emb_jpeg_scan *scan) {
    scan->component_count = info->comps_in_scan;
    if (scan->component_count < 1 || scan->component_count > decoder->component_count) {
        return 0;
    }
    for (int index = 0; index < scan->component_count; index++) {
        const jpeg_component_info *from = info->cur_comp_info[index];
        long number = from - info->comp_info;
        if (number < 0 || number >= decoder->component_count || from->dc_tbl_no < 0 ||
            from->dc_tbl_no > 3 || from->ac_tbl_no < 0 || from->ac_tbl_no > 3) {
            return 0;
        }
        emb_jpeg_component *component = &decoder->components[number];
        component->dc_table = from->dc_tbl_no;
        component->ac_table = from->ac_tbl_no;
        scan->components[index] = component;
    }
    if (!emb_jpeg_mcu_is_valid(scan)) {
        return 0;
    }
    scan->ss = info->Ss;
    scan->se = info->Se;
    scan->ah = info->Ah;
    scan->al = info->Al;
    return 1;
}

// Decodes the picture. `skips_scans` says whether scans may be skipped, and returns whether any
// was.
static int decode(
    const struct jpeg_decompress_struct *info, const emb_jpeg_scaled_request *request,
    uint8_t *pixels, int *skips_scans) {
    emb_jpeg_decoder *decoder = calloc(1, sizeof(*decoder));
    if (decoder == NULL) {
        *skips_scans = 0;
        return 0;
    }
    decoder->may_skip_scans = *skips_scans;
    emb_jpeg_scan scan;
    int done = 0;
    if (init_decoder(decoder, info, request) && init_scan(decoder, info, &scan)) {
        if (!decoder->is_progressive) {
            done = scan.component_count == decoder->component_count &&
                decode_sequential(decoder, pixels);
        } else if (emb_jpeg_read_progressive(decoder, &scan, request->scans_limit)) {
            output_coefficients(decoder, pixels);
            done = 1;
        }
    }
    *skips_scans = decoder->has_skipped_scan;
    free_decoder(decoder);
    return done;
}

int emb_jpeg_read_scaled(
    const struct jpeg_decompress_struct *info, const emb_jpeg_scaled_request *request,
    uint8_t *pixels) {
    int is_colour = info->num_components == 3 && info->jpeg_color_space == JCS_YCbCr;
    int is_grey = info->num_components == 1 && info->jpeg_color_space == JCS_GRAYSCALE;
    if (request->eighths > 2 || info->arith_code || info->data_precision != 8 ||
        !(is_colour || is_grey) ||
        request->width != ceil_div((int)info->image_width * request->eighths, 8) ||
        request->height != ceil_div((int)info->image_height * request->eighths, 8)) {
        return 0;
    }
    int skips_scans = 1;
    if (decode(info, request, pixels, &skips_scans)) {
        return 1;
    }
    // If scans were skipped and EOI is missing, the picture is decoded again with all scans.
    int reads_all = 0;
    return skips_scans && decode(info, request, pixels, &reads_all);
}
