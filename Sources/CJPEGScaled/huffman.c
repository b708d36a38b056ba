#include "huffman.h"

static uint32_t entry_of(int symbol, int length) {
    return (uint32_t)(length + (symbol & 15)) << 16 | (uint32_t)symbol << 8 | (uint32_t)length;
}

// Assigns the codes in ascending order (C.2), as libjpeg does.
int emb_jpeg_huffman_init(
    emb_jpeg_huffman *table, int is_dc, const uint8_t *bits, const uint8_t *huffval) {
    memset(table, 0, sizeof(*table));
    uint32_t code = 0;
    int index = 0;
    for (int length = 1; length <= 16; length++) {
        int count = bits[length];
        if (index + count > 256) {
            return 0;
        }
        table->value_offset[length] = index - (int)code;
        for (int each = 0; each < count; each++, index++, code++) {
            // A DC difference has at most 15 bits; larger sizes are rejected even if their codes
            // are unused.
            if (is_dc && huffval[index] > 15) {
                return 0;
            }
            table->symbols[index] = huffval[index];
            if (length > EMB_JPEG_LOOKUP_BITS || code >= 1u << length) {
                continue;
            }
            int spare = EMB_JPEG_LOOKUP_BITS - length;
            for (uint32_t slot = code << spare; slot < (code + 1) << spare; slot++) {
                table->lookup[slot] = entry_of(huffval[index], length);
            }
        }
        // The all-ones code of each length is reserved (annex C).
        if (code > (1u << length) - (count > 0)) {
            return 0;
        }
        table->code_end[length] = code << (16 - length);
        code <<= 1;
    }
    return index > 0;
}

// Returns the entry of `skip` for the next EMB_JPEG_SKIP_BITS bits.
static uint16_t skip_of(const emb_jpeg_huffman *table, uint32_t next) {
    uint32_t length = 0, coefficients = 0;
    while (coefficients < 48) {
        uint32_t rest = next << length & ((1u << EMB_JPEG_SKIP_BITS) - 1);
        uint32_t entry = table->lookup[rest >> (EMB_JPEG_SKIP_BITS - EMB_JPEG_LOOKUP_BITS)];
        uint32_t symbol = EMB_JPEG_SYMBOL(entry), rrrr = symbol >> 4, ssss = symbol & 15;
        uint32_t total_length = length + EMB_JPEG_TOTAL_LENGTH(entry);
        if (entry == 0 || total_length > EMB_JPEG_SKIP_BITS) {
            break;
        }
        // Symbols without a coefficient, except EOB and ZRL, are invalid here.
        if (ssss == 0 && symbol != EMB_JPEG_ZRL) {
            uint32_t end = 0x8000 | coefficients << 4 | total_length;
            return (uint16_t)(symbol == EMB_JPEG_EOB ? end : 0);
        }
        if (coefficients + rrrr + 1 > 63) {
            break;
        }
        length = total_length;
        coefficients += rrrr + 1;
    }
    return (uint16_t)(coefficients << 4 | length);
}

void emb_jpeg_huffman_init_skip(emb_jpeg_huffman *table) {
    for (uint32_t next = 0; next < 1u << EMB_JPEG_SKIP_BITS; next++) {
        table->skip[next] = skip_of(table, next);
    }
}

void emb_jpeg_fill_bytewise(emb_jpeg_reader *reader) {
    while (reader->bits_left <= 56) {
        uint64_t byte = 0;
        if (reader->next < reader->end && reader->next[0] != 0xFF) {
            byte = *reader->next++;
        } else if (reader->end - reader->next >= 2 && reader->next[1] == 0) {
            byte = 0xFF;
            reader->next += 2;
        } else {
            reader->padding += 8;
        }
        reader->buffer |= byte << (56 - reader->bits_left);
        reader->bits_left += 8;
    }
}

uint32_t emb_jpeg_find_long_code(const emb_jpeg_huffman *table, uint32_t next) {
    for (int length = EMB_JPEG_LOOKUP_BITS + 1; length <= 16; length++) {
        if (next < table->code_end[length]) {
            int index = table->value_offset[length] + (int)(next >> (16 - length));
            return index >= 0 && index < 256 ? entry_of(table->symbols[index], length) : 0;
        }
    }
    return 0;
}
