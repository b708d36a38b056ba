#include "parts.h"

// The entropy decoding of blocks. Any data that libjpeg would warn about ends this decoder.

EMB_INLINE int difference(const emb_jpeg_code *code, emb_jpeg_bits *bits, int *last) {
    emb_jpeg_bits_refill(bits);
    uint32_t found = emb_jpeg_bits_find(bits, code);
    int size = (int)(found >> 8 & 255);
    if (EMB_RARE(found == 0 || size > 11)) {
        return 0;
    }
    emb_jpeg_bits_drop(bits, (int)(found & 255));
    if (size > 0) {
        *last += emb_jpeg_number(emb_jpeg_bits_take(bits, size), size);
    }
    return *last >= -32768 && *last <= 32767;
}

int emb_jpeg_take_whole(
    const emb_jpeg_picture *picture, emb_jpeg_part *part, emb_jpeg_bits *given, int16_t *values,
    uint64_t *present) {
    emb_jpeg_bits bits = *given;
    if (!difference(&picture->codes[0][part->dc_code], &bits, &part->last_dc)) {
        return 0;
    }
    const emb_jpeg_code *code = &picture->codes[1][part->ac_code];
    const int8_t *slots = part->needs->slot;
    unsigned last = (unsigned)part->needs->last;
    values[0] = (int16_t)part->last_dc;
    uint64_t known = 1;
    unsigned k = 0;
    while (k < 63) {
        emb_jpeg_bits_refill(&bits);
        if (k >= last) {
            unsigned skip = code->skip[bits.window >> (64 - EMB_JPEG_SKIP_BITS)];
            unsigned covered = skip >> 4 & 63;
            // A block with 63 AC coefficients has no EOB, so its last coefficients are decoded one
            // by one.
            if (skip != 0 && k + covered < 63) {
                k += covered;
                emb_jpeg_bits_drop(&bits, (int)(skip & 15));
                if (skip >= 0x8000) {
                    break;
                }
                continue;
            }
        }
        uint32_t found = emb_jpeg_bits_find(&bits, code);
        unsigned size = found >> 8 & 15;
        unsigned next = k + (found >> 12 & 15) + 1;
        if (size == 0) {
            emb_jpeg_bits_drop(&bits, (int)(found & 255));
            if ((found & 0xFF00) == 0) {
                if (found == 0) {
                    return 0;
                }
                break;
            }
            if ((found & 0xFF00) != 0xF000) {
                return 0;
            }
            k = next;
            continue;
        }
        if (EMB_RARE(next > 63)) {
            return 0;
        }
        k = next;
        int slot = slots[k];
        if (slot >= 0) {
            unsigned value = (unsigned)(bits.window << (found & 255) >> 1 >> (63 - size));
            values[slot] = (int16_t)emb_jpeg_number(value, (int)size);
            known |= (uint64_t)1 << k;
        }
        emb_jpeg_bits_drop(&bits, (int)(found >> 16));
    }
    *present = known;
    *given = bits;
    return 1;
}

int emb_jpeg_take_mean(
    const emb_jpeg_picture *picture, const emb_jpeg_scan *scan, emb_jpeg_part *part,
    emb_jpeg_bits *given, int16_t *values) {
    emb_jpeg_bits bits = *given;
    if (scan->high > 0) {
        emb_jpeg_bits_refill(&bits);
        values[0] |= (int16_t)(emb_jpeg_bits_take(&bits, 1) << scan->low);
    } else {
        if (!difference(&picture->codes[0][part->dc_code], &bits, &part->last_dc)) {
            return 0;
        }
        values[0] = (int16_t)(part->last_dc * (1 << scan->low));
    }
    *given = bits;
    return 1;
}

EMB_INLINE void keep(const int8_t *slots, int16_t *values, uint64_t *present, int k, int value) {
    int slot = slots[k];
    *present |= (uint64_t)1 << k;
    if (slot >= 0) {
        values[slot] = (int16_t)value;
    }
}

// Returns the length of an EOB run, including this block.
EMB_INLINE unsigned run_of_ends(emb_jpeg_bits *bits, int size) {
    return size == 0 ? 1 : (1u << size) + emb_jpeg_bits_take(bits, size);
}

int emb_jpeg_take_first(
    const emb_jpeg_code *code, emb_jpeg_scan *scan, emb_jpeg_bits *given, int count,
    int16_t *values, uint64_t *present) {
    emb_jpeg_bits bits = *given;
    const emb_jpeg_needs *needs = scan->parts[0]->needs;
    unsigned ends = scan->ends;
    int low = scan->low, last = scan->last;
    for (int index = 0; index < count; index++) {
        if (ends > 0) {
            // These blocks belong to an EOB run and have no data.
            unsigned skipped = ends < (unsigned)(count - index) ? ends : (unsigned)(count - index);
            ends -= skipped;
            index += (int)skipped - 1;
            continue;
        }
        int16_t *block = values + (size_t)index * (size_t)needs->slots;
        uint64_t known = present[index];
        for (int k = scan->first; k <= last; k++) {
            emb_jpeg_bits_refill(&bits);
            uint32_t found = emb_jpeg_bits_find(&bits, code);
            int size = (int)(found >> 8 & 15), run = (int)(found >> 12 & 15);
            emb_jpeg_bits_drop(&bits, (int)(found & 255));
            if (size > 0) {
                k += run;
                if (EMB_RARE(k > last)) {
                    return 0;
                }
                int value = emb_jpeg_number(emb_jpeg_bits_take(&bits, size), size);
                keep(needs->slot, block, &known, k, value * (1 << low));
            } else if (run == 15) {
                k += 15;
            } else if (EMB_RARE(found == 0)) {
                return 0;
            } else {
                ends = run_of_ends(&bits, run) - 1;
                break;
            }
        }
        present[index] = known;
    }
    scan->ends = ends;
    *given = bits;
    return 1;
}

// Returns a mask of the zigzag indices from `first` to `last`.
EMB_INLINE uint64_t band_bits(int first, int last) {
    return first > last ? 0 : ~(uint64_t)0 >> (63 - last) & ~(uint64_t)0 << first;
}

// Reads a correction bit for each non-zero coefficient of `band`. The needed coefficients come
// first; the bits of all others are skipped together.
EMB_INLINE void refine(
    const emb_jpeg_needs *needs, int low, emb_jpeg_bits *bits, int16_t *values, uint64_t band) {
    uint64_t early = band & band_bits(1, needs->last);
    if (band == 0) {
        return;
    }
    emb_jpeg_bits_refill(bits);
    band &= ~early;
    for (; early != 0; early &= early - 1) {
        int slot = needs->slot[__builtin_ctzll(early)];
        int bit = (int)emb_jpeg_bits_take(bits, 1);
        if (slot >= 0 && bit != 0 && (values[slot] & 1 << low) == 0) {
            values[slot] += values[slot] < 0 ? -(1 << low) : 1 << low;
        }
    }
    for (int left = __builtin_popcountll(band); left > 0; left -= 32) {
        emb_jpeg_bits_refill(bits);
        emb_jpeg_bits_drop(bits, left < 32 ? left : 32);
    }
}

int emb_jpeg_take_more(
    const emb_jpeg_code *code, emb_jpeg_scan *scan, emb_jpeg_bits *given, int count,
    int16_t *values, uint64_t *present) {
    emb_jpeg_bits bits = *given;
    const emb_jpeg_needs *needs = scan->parts[0]->needs;
    unsigned ends = scan->ends;
    int low = scan->low, last = scan->last;
    for (int index = 0; index < count; index++) {
        int16_t *block = values + (size_t)index * (size_t)needs->slots;
        uint64_t known = present[index];
        int k = scan->first;
        while (ends == 0 && k <= last) {
            emb_jpeg_bits_refill(&bits);
            uint32_t found = emb_jpeg_bits_find(&bits, code);
            int size = (int)(found >> 8 & 15), run = (int)(found >> 12 & 15), value = 0;
            if (EMB_RARE(found == 0 || size > 1)) {
                return 0;
            }
            emb_jpeg_bits_drop(&bits, (int)(found & 255));
            if (size == 1) {
                value = emb_jpeg_bits_take(&bits, 1) ? 1 << low : -(1 << low);
            } else if (run < 15) {
                ends = run_of_ends(&bits, run);
                break;
            }
            // The run counts zero coefficients; each non-zero coefficient in between has a
            // correction bit.
            uint64_t free = band_bits(k, last) & ~known;
            for (int skipped = 0; skipped < run && free != 0; skipped++) {
                free &= free - 1;
            }
            int stop = free != 0 ? __builtin_ctzll(free) : last + 1;
            refine(needs, low, &bits, block, known & band_bits(k, stop - 1));
            if (size == 1) {
                if (EMB_RARE(stop > last)) {
                    return 0;
                }
                keep(needs->slot, block, &known, stop, value);
            }
            k = stop + 1;
        }
        if (ends > 0) {
            refine(needs, low, &bits, block, known & band_bits(k, last));
            ends--;
        }
        present[index] = known;
    }
    scan->ends = ends;
    *given = bits;
    return 1;
}
