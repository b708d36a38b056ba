#include "CWebPAlpha.h"
#include "parts.h"

#include <stdlib.h>

enum { AS_IT_IS, COMPRESSED, MOST_PREPROCESSING = 1 };

size_t emb_alpha_room(int width, int height) {
    size_t opacities = (size_t)width * (size_t)height;
    // Squares are of four pixels a side at least. Those of the prediction stay while the others are
    // read, each of which may have an opacity meanwhile.
    size_t squares = (size_t)(width / 4 + 1) * (size_t)(height / 4 + 1);
    size_t symbols = MOST_SYMBOLS + GREENS + DISTANCES;
    size_t group = sizeof(emb_alpha_group) + symbols * sizeof(uint16_t);
    return opacities + 3 * squares + (MOST_GROUPS + 1) * group;
}

static int unpack(const uint8_t *data, size_t count, int width, int height, uint8_t *plane) {
    emb_alpha_bits bits = {.next = data, .end = data + count};
    emb_alpha_transforms transforms = {0};
    int is_read = emb_alpha_read_picture(&bits, width, height, plane, &transforms) &&
        emb_alpha_undo(&transforms, width, height, plane);
    free(transforms.modes);
    free(transforms.opacities);
    return is_read;
}

int emb_alpha_unpack(const uint8_t *chunk, size_t count, int width, int height, uint8_t *plane) {
    if (count < 1 || width < 1 || width > MOST_SIDE || height < 1 || height > MOST_SIDE) {
        return 0;
    }
    unsigned method = chunk[0] & 3;
    unsigned filter = chunk[0] >> 2 & 3;
    // What was done to the values before is of no matter for reading them. Bits above are reserved.
    if (chunk[0] >> 4 > MOST_PREPROCESSING) {
        return 0;
    }
    size_t area = (size_t)width * (size_t)height;
    if (method == AS_IT_IS) {
        if (count - 1 < area) {
            return 0;
        }
        memcpy(plane, chunk + 1, area);
    } else if (method != COMPRESSED || !unpack(chunk + 1, count - 1, width, height, plane)) {
        return 0;
    }
    return emb_alpha_unfilter(filter, width, height, plane);
}
