#include "bits.h"

static uint32_t found(int symbol, int length) {
    return (uint32_t)(length + (symbol & 15)) << 16 | (uint32_t)symbol << 8 | (uint32_t)length;
}

int emb_jpeg_code_make(
    emb_jpeg_code *code, int is_dc, const uint8_t *bits, const uint8_t *symbols) {
    memset(code, 0, sizeof(*code));
    uint32_t next = 0;
    int index = 0;
    for (int length = 1; length <= 16; length++) {
        int count = bits[length];
        if (index + count > 256) {
            return 0;
        }
        code->offset[length] = index - (int)next;
        for (int each = 0; each < count; each++, index++, next++) {
            // A DC difference has at most 15 bits; larger sizes are rejected even if their codes
            // are unused.
            if (is_dc && symbols[index] > 15) {
                return 0;
            }
            code->symbols[index] = symbols[index];
            if (length > EMB_JPEG_QUICK_BITS || next >= 1u << length) {
                continue;
            }
            int spare = EMB_JPEG_QUICK_BITS - length;
            for (uint32_t slot = next << spare; slot < (next + 1) << spare; slot++) {
                code->quick[slot] = found(symbols[index], length);
            }
        }
        // The all-ones code of each length is reserved (T.81, annex C).
        if (next > (1u << length) - (count > 0)) {
            return 0;
        }
        code->beyond[length] = next << (16 - length);
        next <<= 1;
    }
    return index > 0;
}

static uint16_t skip(const emb_jpeg_code *code, uint32_t next) {
    uint32_t length = 0, covered = 0;
    while (covered < 48) {
        uint32_t rest = next << length & ((1u << EMB_JPEG_SKIP_BITS) - 1);
        uint32_t found = code->quick[rest >> (EMB_JPEG_SKIP_BITS - EMB_JPEG_QUICK_BITS)];
        uint32_t symbol = found >> 8 & 255;
        if (found == 0 || length + (found >> 16) > EMB_JPEG_SKIP_BITS) {
            break;
        }
        if ((symbol & 15) == 0 && symbol != 0xF0) {
            return (uint16_t)(symbol == 0 ? 0x8000 | covered << 4 | (length + (found >> 16)) : 0);
        }
        if (covered + (symbol >> 4) + 1 > 63) {
            break;
        }
        length += found >> 16;
        covered += (symbol >> 4) + 1;
    }
    return (uint16_t)(covered << 4 | length);
}

void emb_jpeg_code_make_skips(emb_jpeg_code *code) {
    for (uint32_t next = 0; next < 1u << EMB_JPEG_SKIP_BITS; next++) {
        code->skip[next] = skip(code, next);
    }
}

void emb_jpeg_bits_refill_slowly(emb_jpeg_bits *bits) {
    while (bits->count <= 56) {
        uint64_t byte = 0;
        if (bits->at < bits->end && bits->at[0] != 0xFF) {
            byte = *bits->at++;
        } else if (bits->end - bits->at >= 2 && bits->at[1] == 0) {
            byte = 0xFF;
            bits->at += 2;
        } else {
            bits->made_up += 8;
        }
        bits->window |= byte << (56 - bits->count);
        bits->count += 8;
    }
}

uint32_t emb_jpeg_code_find_slowly(const emb_jpeg_code *code, uint32_t next) {
    for (int length = EMB_JPEG_QUICK_BITS + 1; length <= 16; length++) {
        if (next < code->beyond[length]) {
            int index = code->offset[length] + (int)(next >> (16 - length));
            return index >= 0 && index < 256 ? found(code->symbols[index], length) : 0;
        }
    }
    return 0;
}
