#include "emb_kernels.h"

#include <string.h>

// Portable vectors of the compiler, available on every processor.
typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint32_t pixels4 __attribute__((vector_size(16)));

void emb_undo_sub_4(const uint8_t *row, uint8_t *result, size_t count) {
    // A prefix sum over four pixels: adds the pixel to the left, then the sum two pixels to the
    // left, then the last result of the previous group.
    const pixels4 zero = {0};
    pixels4 left = zero;
    for (size_t offset = 0; offset < count; offset += sizeof left) {
        pixels4 own;
        memcpy(&own, row + offset, sizeof own);
        pixels4 before = __builtin_shufflevector(zero, own, 0, 4, 5, 6);
        own = (pixels4)((bytes16)own + (bytes16)before);
        before = __builtin_shufflevector(zero, own, 0, 1, 4, 5);
        own = (pixels4)((bytes16)own + (bytes16)before + (bytes16)left);
        memcpy(result + offset, &own, sizeof own);
        left = __builtin_shufflevector(own, own, 3, 3, 3, 3);
    }
}
