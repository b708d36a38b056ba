// Prints a digest of the WebP encoder's output for images of noise and gradients. The digest must
// be the same on every processor.
#include <CWebPLossy.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t digest(const uint8_t *bytes, size_t count, uint64_t sum) {
    for (size_t index = 0; index < count; index++) {
        sum = (sum ^ bytes[index]) * 1099511628211u;
    }
    return sum;
}

int main(void) {
    enum { SIDE = 160, CAPACITY = 1 << 20 };
    uint8_t *pixels = malloc((size_t)SIDE * SIDE * 4);
    uint8_t *output = malloc(CAPACITY);
    if (pixels == NULL || output == NULL) {
        return 1;
    }
    uint64_t sum = 14695981039346656037u;
    uint32_t dice = 1;
    for (int round = 0; round < 24; round++) {
        int width = 1 + round * 6, height = SIDE - round * 5;
        for (int index = 0; index < width * height * 4; index++) {
            dice = dice * 1664525u + 1013904223u;
            int noise = (int)(dice >> 24) * (round % 4) / 4;
            pixels[index] = (uint8_t)(index / 4 % width + index / 4 / width + noise);
        }
        size_t size = emb_webp_encode(pixels, width, height, round * 5, output, CAPACITY);
        if (size == 0) {
            return 1;
        }
        sum = digest(output, size, sum);
    }
    printf("%016llx\n", (unsigned long long)sum);
    free(pixels);
    free(output);
    return 0;
}
