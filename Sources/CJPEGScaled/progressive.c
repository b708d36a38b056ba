#include "decoder.h"

// Reads the scans of a progressive picture (annex G) and the marker segments between them.

// The markers of table B.1 that may occur between scans.
enum {
    MARKER_DHT = 0xC4,
    MARKER_RST0 = 0xD0,
    MARKER_RST7 = 0xD7,
    MARKER_EOI = 0xD9,
    MARKER_SOS = 0xDA,
    MARKER_DRI = 0xDD,
    MARKER_APP0 = 0xE0,
    MARKER_APP15 = 0xEF,
    MARKER_COM = 0xFE,
};

int emb_jpeg_read_restart(emb_jpeg_decoder *decoder, emb_jpeg_reader *reader, int number) {
    if (emb_jpeg_reader_is_overrun(reader) || reader->end - reader->next < 2 ||
        reader->next[0] != 0xFF || reader->next[1] != MARKER_RST0 + (number & 7)) {
        return 0;
    }
    emb_jpeg_reader_init(reader, reader->next + 2, reader->end);
    for (int index = 0; index < decoder->component_count; index++) {
        decoder->components[index].dc_prediction = 0;
    }
    return 1;
}

static int decode_dc_block(
    const emb_jpeg_decoder *decoder, const emb_jpeg_scan *scan, emb_jpeg_component *component,
    emb_jpeg_reader *reader, int column, int row) {
    size_t block = (size_t)row * (size_t)component->padded_wide + (size_t)column;
    return emb_jpeg_decode_dc(
        decoder, scan, component, reader,
        component->coefficients + block * (size_t)component->dct->slot_count);
}

// Decodes the DC coefficients of an MCU, which is a single block in a scan of one component.
static int decode_dc_mcu(
    const emb_jpeg_decoder *decoder, const emb_jpeg_scan *scan, emb_jpeg_reader *reader, int column,
    int row) {
    if (scan->component_count == 1) {
        return decode_dc_block(decoder, scan, scan->components[0], reader, column, row);
    }
    for (int index = 0; index < scan->component_count; index++) {
        emb_jpeg_component *component = scan->components[index];
        for (int block = 0; block < component->h * component->v; block++) {
            if (!decode_dc_block(
                    decoder, scan, component, reader, column * component->h + block % component->h,
                    row * component->v + block / component->h)) {
                return 0;
            }
        }
    }
    return 1;
}

// Decodes `count` MCUs of a row.
static int decode_mcus(
    const emb_jpeg_decoder *decoder, emb_jpeg_scan *scan, emb_jpeg_reader *reader, int row,
    int column, int count) {
    if (scan->ss == 0) {
        for (int index = 0; index < count; index++) {
            if (!decode_dc_mcu(decoder, scan, reader, column + index, row)) {
                return 0;
            }
        }
        return 1;
    }
    const emb_jpeg_component *component = scan->components[0];
    const emb_jpeg_huffman *table = &decoder->tables[1][component->ac_table];
    size_t block = (size_t)row * (size_t)component->padded_wide + (size_t)column;
    int16_t *coefficients = component->coefficients + block * (size_t)component->dct->slot_count;
    uint64_t *nonzero = component->nonzero + block;
    return scan->ah == 0
        ? emb_jpeg_decode_ac_first(table, scan, reader, count, coefficients, nonzero)
        : emb_jpeg_decode_ac_refine(table, scan, reader, count, coefficients, nonzero);
}

// Checks the parameters of a scan (G.1.1.1), and that it refines each coefficient by exactly one
// bit after the first scan of that coefficient.
static int is_in_sequence(emb_jpeg_scan *scan) {
    if (scan->ss > scan->se || scan->se > 63 || scan->al > 13 ||
        (scan->ss == 0 ? scan->se != 0 : scan->component_count != 1) ||
        (scan->ah != 0 && scan->ah != scan->al + 1)) {
        return 0;
    }
    for (int index = 0; index < scan->component_count; index++) {
        int8_t *al_reached = scan->components[index]->al_reached;
        for (int k = scan->ss; k <= scan->se; k++) {
            if (al_reached[k] != (scan->ah == 0 ? -1 : scan->ah)) {
                return 0;
            }
            al_reached[k] = (int8_t)scan->al;
        }
    }
    return 1;
}

// Prepares the Huffman tables that a scan uses; DC refinement scans use none.
static int init_tables(emb_jpeg_decoder *decoder, const emb_jpeg_scan *scan) {
    int class = scan->ss > 0;
    if (!class && scan->ah > 0) {
        return 1;
    }
    for (int index = 0; index < scan->component_count; index++) {
        int number = class ? scan->components[index]->ac_table : scan->components[index]->dc_table;
        if (!decoder->has_table[class][number] ||
            !emb_jpeg_huffman_init(
                &decoder->tables[class][number], class == 0, decoder->bits[class][number],
                decoder->huffval[class][number])) {
            return 0;
        }
    }
    return 1;
}

// Skips a scan that neither this nor a later scan needs; returns 0 if no marker follows. Damage
// inside the scan is ignored if the picture ends with EOI, see `emb_jpeg_read`.
static int skip_scan(emb_jpeg_decoder *decoder) {
    const uint8_t *at = decoder->next;
    while ((at = memchr(at, 0xFF, (size_t)(decoder->end - at))) != NULL) {
        if (decoder->end - at < 2) {
            return 0;
        }
        if (at[1] != 0 && at[1] != 0xFF && (at[1] < MARKER_RST0 || at[1] > MARKER_RST7)) {
            decoder->next = at;
            return 1;
        }
        at += at[1] == 0xFF ? 1 : 2;
    }
    return 0;
}

// Decodes the entropy-coded data of a scan.
static int decode_scan(emb_jpeg_decoder *decoder, emb_jpeg_scan *scan) {
    int is_single = scan->component_count == 1;
    int wide = is_single ? scan->components[0]->blocks_wide : decoder->mcus_wide;
    int high = is_single ? scan->components[0]->blocks_high : decoder->mcus_high;
    emb_jpeg_reader reader;
    emb_jpeg_reader_init(&reader, decoder->next, decoder->end);
    scan->eob_run = 0;
    for (int index = 0; index < decoder->component_count; index++) {
        decoder->components[index].dc_prediction = 0;
    }
    int interval = decoder->restart_interval;
    int until_restart = interval, restarts = 0;
    for (int row = 0; row < high; row++) {
        for (int column = 0; column < wide;) {
            if (interval > 0 && until_restart == 0) {
                if (!emb_jpeg_read_restart(decoder, &reader, restarts++)) {
                    return 0;
                }
                scan->eob_run = 0;
                until_restart = interval;
            }
            int left = wide - column;
            int count = interval > 0 && until_restart < left ? until_restart : left;
            if (!decode_mcus(decoder, scan, &reader, row, column, count)) {
                return 0;
            }
            column += count;
            until_restart -= count;
        }
        if (emb_jpeg_reader_is_overrun(&reader)) {
            return 0;
        }
    }
    decoder->next = reader.next;
    return 1;
}

static int read_scan(emb_jpeg_decoder *decoder, emb_jpeg_scan *scan) {
    if (!is_in_sequence(scan) || !init_tables(decoder, scan)) {
        return 0;
    }
    if (scan->ss > 0 && scan->components[0]->dct->last_needed == 0 && decoder->may_skip_scans) {
        decoder->has_skipped_scan = 1;
        return skip_scan(decoder);
    }
    return decode_scan(decoder, scan);
}

// Reads the Huffman tables of a DHT segment (B.2.4.2).
static int read_dht(emb_jpeg_decoder *decoder, const uint8_t *body, size_t length) {
    while (length > 17) {
        int class = body[0] >> 4, number = body[0] & 15;
        size_t count = 0;
        for (int index = 1; index <= 16; index++) {
            count += body[index];
        }
        if (class > 1 || number > 3 || count > 256 || count + 17 > length) {
            return 0;
        }
        memcpy(decoder->bits[class][number], body, 17);
        memset(decoder->huffval[class][number], 0, 256);
        memcpy(decoder->huffval[class][number], body + 17, count);
        decoder->has_table[class][number] = 1;
        body += count + 17;
        length -= count + 17;
    }
    return length == 0;
}

int emb_jpeg_mcu_is_valid(const emb_jpeg_scan *scan) {
    int blocks = 0;
    for (int index = 0; index < scan->component_count && scan->component_count > 1; index++) {
        blocks += scan->components[index]->h * scan->components[index]->v;
    }
    return blocks <= 10;
}

// Reads the header of a scan (SOS, B.2.3).
static int read_sos(
    emb_jpeg_decoder *decoder, emb_jpeg_scan *scan, const uint8_t *body, size_t length) {
    int count = length > 0 ? body[0] : 0;
    if (count < 1 || count > decoder->component_count || length != (size_t)count * 2 + 4) {
        return 0;
    }
    scan->component_count = count;
    for (int index = 0; index < count; index++) {
        const uint8_t *entry = body + 1 + index * 2;
        emb_jpeg_component *component = NULL;
        for (int each = 0; each < decoder->component_count; each++) {
            if (decoder->components[each].id == entry[0]) {
                component = &decoder->components[each];
            }
        }
        for (int before = 0; before < index; before++) {
            if (scan->components[before] == component) {
                return 0;
            }
        }
        if (component == NULL || entry[1] >> 4 > 3 || (entry[1] & 15) > 3) {
            return 0;
        }
        component->dc_table = entry[1] >> 4;
        component->ac_table = entry[1] & 15;
        scan->components[index] = component;
    }
    if (!emb_jpeg_mcu_is_valid(scan)) {
        return 0;
    }
    body += 1 + count * 2;
    scan->ss = body[0];
    scan->se = body[1];
    scan->ah = body[2] >> 4;
    scan->al = body[2] & 15;
    return 1;
}

// Reads marker segments up to the next scan. Returns 1 if there is one, 0 at the end, and -1 if
// this decoder cannot continue. EOI may be missing only if every scan was read.
static int next_scan(emb_jpeg_decoder *decoder, emb_jpeg_scan *scan) {
    while (decoder->end - decoder->next >= 2) {
        if (decoder->next[0] != 0xFF) {
            return -1;
        }
        int marker = decoder->next[1];
        if (marker == 0xFF) {
            // A fill byte (B.1.1.2).
            decoder->next++;
            continue;
        }
        if (marker == MARKER_EOI) {
            return 0;
        }
        if (decoder->end - decoder->next < 4) {
            return -1;
        }
        size_t length = (size_t)decoder->next[2] << 8 | decoder->next[3];
        const uint8_t *body = decoder->next + 4;
        if (length < 2 || length + 2 > (size_t)(decoder->end - decoder->next)) {
            return -1;
        }
        decoder->next += length + 2;
        length -= 2;
        switch (marker) {
        case MARKER_DHT:
            if (!read_dht(decoder, body, length)) {
                return -1;
            }
            break;
        case MARKER_DRI:
            if (length != 2) {
                return -1;
            }
            decoder->restart_interval = body[0] << 8 | body[1];
            break;
        case MARKER_SOS:
            return read_sos(decoder, scan, body, length) ? 1 : -1;
        case MARKER_COM:
            break;
        default:
            // Application segments are irrelevant here; other segments, such as quantization
            // tables, are not.
            if (marker < MARKER_APP0 || marker > MARKER_APP15) {
                return -1;
            }
        }
    }
    return decoder->next == decoder->end && !decoder->has_skipped_scan ? 0 : -1;
}

int emb_jpeg_read_progressive(emb_jpeg_decoder *decoder, emb_jpeg_scan *first, int scans_limit) {
    emb_jpeg_scan scan = *first;
    int scans_left = scans_limit, next = 1;
    while (next > 0) {
        if (scans_left-- <= 0 || !read_scan(decoder, &scan)) {
            return 0;
        }
        next = next_scan(decoder, &scan);
    }
    // If refinement bits are missing, libjpeg smooths the picture.
    for (int index = 0; index < decoder->component_count; index++) {
        for (int k = 0; k < 64; k++) {
            if (decoder->components[index].al_reached[k] != 0) {
                return 0;
            }
        }
    }
    return next == 0;
}
