#include "decoder.h"

// Decodes the coefficients of blocks. Any data that libjpeg would warn about ends this decoder.

// Decodes the DC difference DIFF and adds it to the prediction (F.2.2.1).
EMB_INLINE int decode_dc_difference(
    const emb_jpeg_huffman *table, emb_jpeg_reader *reader, int *prediction) {
    emb_jpeg_fill(reader);
    uint32_t entry = emb_jpeg_find_code(reader, table);
    int ssss = (int)EMB_JPEG_SYMBOL(entry);
    if (EMB_RARE(entry == 0 || ssss > 11)) {
        return 0;
    }
    emb_jpeg_skip_bits(reader, (int)EMB_JPEG_CODE_LENGTH(entry));
    if (ssss > 0) {
        *prediction += emb_jpeg_extend(emb_jpeg_receive(reader, ssss), ssss);
    }
    return *prediction >= -32768 && *prediction <= 32767;
}

int emb_jpeg_decode_block(
    const emb_jpeg_decoder *decoder, emb_jpeg_component *component, emb_jpeg_reader *caller_reader,
    int16_t *coefficients, uint64_t *nonzero) {
    emb_jpeg_reader reader = *caller_reader;
    const emb_jpeg_huffman *dc_table = &decoder->tables[0][component->dc_table];
    if (!decode_dc_difference(dc_table, &reader, &component->dc_prediction)) {
        return 0;
    }
    const emb_jpeg_huffman *table = &decoder->tables[1][component->ac_table];
    const int8_t *slots = component->dct->slot;
    unsigned last_needed = (unsigned)component->dct->last_needed;
    coefficients[0] = (int16_t)component->dc_prediction;
    uint64_t nonzero_mask = 1;
    unsigned k = 0;
    while (k < 63) {
        emb_jpeg_fill(&reader);
        // The remaining coefficients are not needed, so several codes are skipped at once.
        if (k >= last_needed) {
            unsigned skip = table->skip[reader.buffer >> (64 - EMB_JPEG_SKIP_BITS)];
            unsigned skipped = skip >> 4 & 63;
            // A block with 63 AC coefficients has no EOB, so its last coefficients are decoded one
            // by one.
            if (skip != 0 && k + skipped < 63) {
                k += skipped;
                emb_jpeg_skip_bits(&reader, (int)(skip & 15));
                if (skip >= 0x8000) {
                    break;
                }
                continue;
            }
        }
        uint32_t entry = emb_jpeg_find_code(&reader, table);
        unsigned ssss = EMB_JPEG_SSSS(entry);
        unsigned next = k + EMB_JPEG_RRRR(entry) + 1;
        if (ssss == 0) {
            emb_jpeg_skip_bits(&reader, (int)EMB_JPEG_CODE_LENGTH(entry));
            if (EMB_JPEG_HAS_SYMBOL(entry, EMB_JPEG_EOB)) {
                // No such code exists.
                if (entry == 0) {
                    return 0;
                }
                break;
            }
            // Other symbols do not exist in sequential scans.
            if (!EMB_JPEG_HAS_SYMBOL(entry, EMB_JPEG_ZRL)) {
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
            unsigned bits =
                (unsigned)(reader.buffer << EMB_JPEG_CODE_LENGTH(entry) >> 1 >> (63 - ssss));
            coefficients[slot] = (int16_t)emb_jpeg_extend(bits, (int)ssss);
            nonzero_mask |= (uint64_t)1 << k;
        }
        emb_jpeg_skip_bits(&reader, (int)EMB_JPEG_TOTAL_LENGTH(entry));
    }
    *nonzero = nonzero_mask;
    *caller_reader = reader;
    return 1;
}

int emb_jpeg_decode_dc(
    const emb_jpeg_decoder *decoder, const emb_jpeg_scan *scan, emb_jpeg_component *component,
    emb_jpeg_reader *caller_reader, int16_t *coefficients) {
    emb_jpeg_reader reader = *caller_reader;
    if (scan->ah > 0) {
        emb_jpeg_fill(&reader);
        coefficients[0] |= (int16_t)(emb_jpeg_receive(&reader, 1) << scan->al);
    } else {
        if (!decode_dc_difference(
                &decoder->tables[0][component->dc_table], &reader, &component->dc_prediction)) {
            return 0;
        }
        coefficients[0] = (int16_t)(component->dc_prediction * (1 << scan->al));
    }
    *caller_reader = reader;
    return 1;
}

// Records that coefficient k is not zero, and stores it if it is needed.
EMB_INLINE void store(const int8_t *slots, int16_t *block, uint64_t *nonzero, int k, int value) {
    int slot = slots[k];
    *nonzero |= (uint64_t)1 << k;
    if (slot >= 0) {
        block[slot] = (int16_t)value;
    }
}

// Returns the length of the EOB run of the symbol EOBn, including this block.
EMB_INLINE unsigned receive_eob_run(emb_jpeg_reader *reader, int n) {
    return n == 0 ? 1 : (1u << n) + emb_jpeg_receive(reader, n);
}

int emb_jpeg_decode_ac_first(
    const emb_jpeg_huffman *table, emb_jpeg_scan *scan, emb_jpeg_reader *caller_reader, int count,
    int16_t *coefficients, uint64_t *nonzero) {
    emb_jpeg_reader reader = *caller_reader;
    const emb_jpeg_dct *dct = scan->components[0]->dct;
    unsigned eob_run = scan->eob_run;
    int al = scan->al, se = scan->se;
    for (int index = 0; index < count; index++) {
        if (eob_run > 0) {
            // The blocks of an EOB run have no data.
            unsigned left = (unsigned)(count - index);
            unsigned skipped = eob_run < left ? eob_run : left;
            eob_run -= skipped;
            index += (int)skipped - 1;
            continue;
        }
        int16_t *block = coefficients + (size_t)index * (size_t)dct->slot_count;
        uint64_t nonzero_mask = nonzero[index];
        for (int k = scan->ss; k <= se; k++) {
            emb_jpeg_fill(&reader);
            uint32_t entry = emb_jpeg_find_code(&reader, table);
            int ssss = (int)EMB_JPEG_SSSS(entry), rrrr = (int)EMB_JPEG_RRRR(entry);
            emb_jpeg_skip_bits(&reader, (int)EMB_JPEG_CODE_LENGTH(entry));
            if (ssss > 0) {
                k += rrrr;
                if (EMB_RARE(k > se)) {
                    return 0;
                }
                int value = emb_jpeg_extend(emb_jpeg_receive(&reader, ssss), ssss);
                store(dct->slot, block, &nonzero_mask, k, value * (1 << al));
            } else if (rrrr == 15) {
                k += 15;
            } else if (EMB_RARE(entry == 0)) {
                return 0;
            } else {
                eob_run = receive_eob_run(&reader, rrrr) - 1;
                break;
            }
        }
        nonzero[index] = nonzero_mask;
    }
    scan->eob_run = eob_run;
    *caller_reader = reader;
    return 1;
}

// Returns a mask of the coefficients from `first` to `last`.
EMB_INLINE uint64_t band_mask(int first, int last) {
    return first > last ? 0 : ~(uint64_t)0 >> (63 - last) & ~(uint64_t)0 << first;
}

// Reads a correction bit for each coefficient in `nonzero`. The needed coefficients come first; the
// bits of all others are skipped together.
EMB_INLINE void read_correction_bits(
    const emb_jpeg_dct *dct, int al, emb_jpeg_reader *reader, int16_t *block, uint64_t nonzero) {
    uint64_t needed = nonzero & band_mask(1, dct->last_needed);
    if (nonzero == 0) {
        return;
    }
    emb_jpeg_fill(reader);
    nonzero &= ~needed;
    for (; needed != 0; needed &= needed - 1) {
        int slot = dct->slot[__builtin_ctzll(needed)];
        int bit = (int)emb_jpeg_receive(reader, 1);
        if (slot >= 0 && bit != 0 && (block[slot] & 1 << al) == 0) {
            block[slot] += block[slot] < 0 ? -(1 << al) : 1 << al;
        }
    }
    for (int left = __builtin_popcountll(nonzero); left > 0; left -= 32) {
        emb_jpeg_fill(reader);
        emb_jpeg_skip_bits(reader, left < 32 ? left : 32);
    }
}

int emb_jpeg_decode_ac_refine(
    const emb_jpeg_huffman *table, emb_jpeg_scan *scan, emb_jpeg_reader *caller_reader, int count,
    int16_t *coefficients, uint64_t *nonzero) {
    emb_jpeg_reader reader = *caller_reader;
    const emb_jpeg_dct *dct = scan->components[0]->dct;
    unsigned eob_run = scan->eob_run;
    int al = scan->al, se = scan->se;
    for (int index = 0; index < count; index++) {
        int16_t *block = coefficients + (size_t)index * (size_t)dct->slot_count;
        uint64_t nonzero_mask = nonzero[index];
        int k = scan->ss;
        while (eob_run == 0 && k <= se) {
            emb_jpeg_fill(&reader);
            uint32_t entry = emb_jpeg_find_code(&reader, table);
            int ssss = (int)EMB_JPEG_SSSS(entry), rrrr = (int)EMB_JPEG_RRRR(entry), value = 0;
            if (EMB_RARE(entry == 0 || ssss > 1)) {
                return 0;
            }
            emb_jpeg_skip_bits(&reader, (int)EMB_JPEG_CODE_LENGTH(entry));
            if (ssss == 1) {
                value = emb_jpeg_receive(&reader, 1) ? 1 << al : -(1 << al);
            } else if (rrrr < 15) {
                eob_run = receive_eob_run(&reader, rrrr);
                break;
            }
            // RRRR counts coefficients that are still zero; each non-zero coefficient in between
            // has a correction bit.
            uint64_t zeros = band_mask(k, se) & ~nonzero_mask;
            for (int skipped = 0; skipped < rrrr && zeros != 0; skipped++) {
                zeros &= zeros - 1;
            }
            int stop = zeros != 0 ? __builtin_ctzll(zeros) : se + 1;
            read_correction_bits(dct, al, &reader, block, nonzero_mask & band_mask(k, stop - 1));
            if (ssss == 1) {
                if (EMB_RARE(stop > se)) {
                    return 0;
                }
                store(dct->slot, block, &nonzero_mask, stop, value);
            }
            k = stop + 1;
        }
        if (eob_run > 0) {
            read_correction_bits(dct, al, &reader, block, nonzero_mask & band_mask(k, se));
            eob_run--;
        }
        nonzero[index] = nonzero_mask;
    }
    scan->eob_run = eob_run;
    *caller_reader = reader;
    return 1;
}
