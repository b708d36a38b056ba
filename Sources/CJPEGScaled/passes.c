#include "parts.h"

// Decodes the scans of a progressive picture into the kept coefficients.

int emb_jpeg_restart(emb_jpeg_picture *picture, emb_jpeg_bits *bits, int number) {
    if (emb_jpeg_bits_overdrawn(bits) || bits->end - bits->at < 2 || bits->at[0] != 0xFF ||
        bits->at[1] != 0xD0 + (number & 7)) {
        return 0;
    }
    emb_jpeg_bits_open(bits, bits->at + 2, bits->end);
    for (int index = 0; index < picture->count; index++) {
        picture->parts[index].last_dc = 0;
    }
    return 1;
}

static int take_mean(
    const emb_jpeg_picture *picture, const emb_jpeg_scan *scan, emb_jpeg_part *part,
    emb_jpeg_bits *bits, int column, int row) {
    size_t block = (size_t)row * (size_t)part->wide + (size_t)column;
    return emb_jpeg_take_mean(
        picture, scan, part, bits, part->values + block * (size_t)part->needs->slots);
}

static int take_means(
    const emb_jpeg_picture *picture, const emb_jpeg_scan *scan, emb_jpeg_bits *bits, int column,
    int row) {
    if (scan->count == 1) {
        return take_mean(picture, scan, scan->parts[0], bits, column, row);
    }
    for (int index = 0; index < scan->count; index++) {
        emb_jpeg_part *part = scan->parts[index];
        for (int block = 0; block < part->across * part->down; block++) {
            if (!take_mean(
                    picture, scan, part, bits, column * part->across + block % part->across,
                    row * part->down + block / part->across)) {
                return 0;
            }
        }
    }
    return 1;
}

// Decodes `count` MCUs of a row.
static int take_units(
    const emb_jpeg_picture *picture, emb_jpeg_scan *scan, emb_jpeg_bits *bits, int row, int column,
    int count) {
    if (scan->first == 0) {
        for (int index = 0; index < count; index++) {
            if (!take_means(picture, scan, bits, column + index, row)) {
                return 0;
            }
        }
        return 1;
    }
    const emb_jpeg_part *part = scan->parts[0];
    const emb_jpeg_code *code = &picture->codes[1][part->ac_code];
    size_t block = (size_t)row * (size_t)part->wide + (size_t)column;
    int16_t *values = part->values + block * (size_t)part->needs->slots;
    return scan->high == 0
        ? emb_jpeg_take_first(code, scan, bits, count, values, part->present + block)
        : emb_jpeg_take_more(code, scan, bits, count, values, part->present + block);
}

// Checks that each coefficient is refined bit by bit from its first scan on.
static int is_in_order(emb_jpeg_scan *scan) {
    if (scan->first > scan->last || scan->last > 63 || scan->low > 13 ||
        (scan->first == 0 ? scan->last != 0 : scan->count != 1) ||
        (scan->high != 0 && scan->high != scan->low + 1)) {
        return 0;
    }
    for (int index = 0; index < scan->count; index++) {
        int8_t *precision = scan->parts[index]->precision;
        for (int k = scan->first; k <= scan->last; k++) {
            if (precision[k] != (scan->high == 0 ? -1 : scan->high)) {
                return 0;
            }
            precision[k] = (int8_t)scan->low;
        }
    }
    return 1;
}

static int make_codes(emb_jpeg_picture *picture, const emb_jpeg_scan *scan) {
    int kind = scan->first > 0;
    if (!kind && scan->high > 0) {
        return 1;
    }
    for (int index = 0; index < scan->count; index++) {
        int number = kind ? scan->parts[index]->ac_code : scan->parts[index]->dc_code;
        if (!picture->has_code[kind][number] ||
            !emb_jpeg_code_make(
                &picture->codes[kind][number], kind == 0, picture->bits[kind][number],
                picture->symbols[kind][number])) {
            return 0;
        }
    }
    return 1;
}

// Skips a scan that neither this nor a later scan needs; returns 0 if no marker follows. Damage
// inside the scan is ignored if the picture ends with EOI, see `emb_jpeg_read`.
static int step_over(emb_jpeg_picture *picture) {
    const uint8_t *at = picture->at;
    while ((at = memchr(at, 0xFF, (size_t)(picture->end - at))) != NULL) {
        if (picture->end - at < 2) {
            return 0;
        }
        if (at[1] != 0 && at[1] != 0xFF && (at[1] < 0xD0 || at[1] > 0xD7)) {
            picture->at = at;
            return 1;
        }
        at += at[1] == 0xFF ? 1 : 2;
    }
    return 0;
}

static int read_scan(emb_jpeg_picture *picture, emb_jpeg_scan *scan) {
    if (!is_in_order(scan) || !make_codes(picture, scan)) {
        return 0;
    }
    if (scan->first > 0 && scan->parts[0]->needs->last == 0 && picture->may_step_over) {
        picture->has_stepped_over = 1;
        return step_over(picture);
    }
    int single = scan->count == 1;
    int wide = single ? scan->parts[0]->own_wide : picture->units_wide;
    int high = single ? scan->parts[0]->own_high : picture->units_high;
    emb_jpeg_bits bits;
    emb_jpeg_bits_open(&bits, picture->at, picture->end);
    scan->ends = 0;
    for (int index = 0; index < picture->count; index++) {
        picture->parts[index].last_dc = 0;
    }
    int interval = picture->restart_interval;
    int due = interval, restarts = 0;
    for (int row = 0; row < high; row++) {
        for (int column = 0; column < wide;) {
            if (interval > 0 && due == 0) {
                if (!emb_jpeg_restart(picture, &bits, restarts++)) {
                    return 0;
                }
                scan->ends = 0;
                due = interval;
            }
            int count = interval > 0 && due < wide - column ? due : wide - column;
            if (!take_units(picture, scan, &bits, row, column, count)) {
                return 0;
            }
            column += count;
            due -= count;
        }
        if (emb_jpeg_bits_overdrawn(&bits)) {
            return 0;
        }
    }
    picture->at = bits.at;
    return 1;
}

static int read_codes(emb_jpeg_picture *picture, const uint8_t *at, size_t length) {
    while (length > 17) {
        int kind = at[0] >> 4, number = at[0] & 15;
        size_t count = 0;
        for (int index = 1; index <= 16; index++) {
            count += at[index];
        }
        if (kind > 1 || number > 3 || count > 256 || count + 17 > length) {
            return 0;
        }
        memcpy(picture->bits[kind][number], at, 17);
        memset(picture->symbols[kind][number], 0, 256);
        memcpy(picture->symbols[kind][number], at + 17, count);
        picture->has_code[kind][number] = 1;
        at += count + 17;
        length -= count + 17;
    }
    return length == 0;
}

int emb_jpeg_scan_fits(const emb_jpeg_scan *scan) {
    int blocks = 0;
    for (int index = 0; index < scan->count && scan->count > 1; index++) {
        blocks += scan->parts[index]->across * scan->parts[index]->down;
    }
    return blocks <= 10;
}

static int read_start(
    emb_jpeg_picture *picture, emb_jpeg_scan *scan, const uint8_t *at, size_t length) {
    int count = length > 0 ? at[0] : 0;
    if (count < 1 || count > picture->count || length != (size_t)count * 2 + 4) {
        return 0;
    }
    scan->count = count;
    for (int index = 0; index < count; index++) {
        const uint8_t *entry = at + 1 + index * 2;
        emb_jpeg_part *found = NULL;
        for (int part = 0; part < picture->count; part++) {
            if (picture->parts[part].id == entry[0]) {
                found = &picture->parts[part];
            }
        }
        for (int before = 0; before < index; before++) {
            if (scan->parts[before] == found) {
                return 0;
            }
        }
        if (found == NULL || entry[1] >> 4 > 3 || (entry[1] & 15) > 3) {
            return 0;
        }
        found->dc_code = entry[1] >> 4;
        found->ac_code = entry[1] & 15;
        scan->parts[index] = found;
    }
    if (!emb_jpeg_scan_fits(scan)) {
        return 0;
    }
    at += 1 + count * 2;
    scan->first = at[0];
    scan->last = at[1];
    scan->high = at[2] >> 4;
    scan->low = at[2] & 15;
    return 1;
}

// Advances to the next scan: returns 1 if there is one, 0 at the end, and -1 if this decoder cannot
// continue. EOI may be missing only if every scan was read.
static int next_scan(emb_jpeg_picture *picture, emb_jpeg_scan *scan) {
    while (picture->end - picture->at >= 2) {
        if (picture->at[0] != 0xFF) {
            return -1;
        }
        int marker = picture->at[1];
        if (marker == 0xFF) {
            picture->at++;
            continue;
        }
        if (marker == 0xD9) {
            return 0;
        }
        if (picture->end - picture->at < 4) {
            return -1;
        }
        size_t length = (size_t)picture->at[2] << 8 | picture->at[3];
        const uint8_t *body = picture->at + 4;
        if (length < 2 || length + 2 > (size_t)(picture->end - picture->at)) {
            return -1;
        }
        picture->at += length + 2;
        length -= 2;
        switch (marker) {
        case 0xC4:
            if (!read_codes(picture, body, length)) {
                return -1;
            }
            break;
        case 0xDD:
            if (length != 2) {
                return -1;
            }
            picture->restart_interval = body[0] << 8 | body[1];
            break;
        case 0xDA:
            return read_start(picture, scan, body, length) ? 1 : -1;
        case 0xFE:
            break;
        default:
            // Application and comment segments are irrelevant here; other segments, such as
            // quantization tables, are not.
            if (marker < 0xE0 || marker > 0xEF) {
                return -1;
            }
        }
    }
    return picture->at == picture->end && !picture->has_stepped_over ? 0 : -1;
}

int emb_jpeg_read_passes(emb_jpeg_picture *picture, emb_jpeg_scan *first, int scans_limit) {
    emb_jpeg_scan scan = *first;
    int left = scans_limit, next = 1;
    while (next > 0) {
        if (left-- <= 0 || !read_scan(picture, &scan)) {
            return 0;
        }
        next = next_scan(picture, &scan);
    }
    // If refinement bits are missing, libjpeg smooths the picture.
    for (int index = 0; index < picture->count; index++) {
        for (int k = 0; k < 64; k++) {
            if (picture->parts[index].precision[k] != 0) {
                return 0;
            }
        }
    }
    return next == 0;
}
