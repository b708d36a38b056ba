#include "encoder.h"

#include <string.h>

// The intra prediction of RFC 6386, section 12.
//
// The 13 edge pixels of a 4x4 block (section 12.3: E) run from the lowest pixel on the left, over
// the corner, to the rightmost pixel above. The directional modes select from: averages of three
// around each edge pixel (0...12), averages of two neighbours (13...24), and the lowest pixel (25).
enum { AVERAGE_2 = 13, LOWEST = 25, EDGE_VALUES = 26 };

// The selected value of each pixel of a block, for each directional mode.
static const uint8_t directional_sources[16][8] = {
    // VE, HE, LD, RD, VR, VL, HD, HU
    {5, 3, 6, 4, AVERAGE_2 + 4, AVERAGE_2 + 5, AVERAGE_2 + 3, AVERAGE_2 + 2},
    {6, 3, 7, 5, AVERAGE_2 + 5, AVERAGE_2 + 6, 4, 2},
    {7, 3, 8, 6, AVERAGE_2 + 6, AVERAGE_2 + 7, 5, AVERAGE_2 + 1},
    {8, 3, 9, 7, AVERAGE_2 + 7, AVERAGE_2 + 8, 6, 1},
    {5, 2, 7, 3, 4, 6, AVERAGE_2 + 2, AVERAGE_2 + 1},
    {6, 2, 8, 4, 5, 7, 3, 1},
    {7, 2, 9, 5, 6, 8, AVERAGE_2 + 3, AVERAGE_2 + 0},
    {8, 2, 10, 6, 7, 9, 4, 0},
    {5, 1, 8, 2, 3, AVERAGE_2 + 6, AVERAGE_2 + 1, AVERAGE_2 + 0},
    {6, 1, 9, 3, AVERAGE_2 + 4, AVERAGE_2 + 7, 2, 0},
    {7, 1, 10, 4, AVERAGE_2 + 5, AVERAGE_2 + 8, AVERAGE_2 + 2, LOWEST},
    {8, 1, 11, 5, AVERAGE_2 + 6, 10, 3, LOWEST},
    {5, 0, 9, 1, 2, 7, AVERAGE_2 + 0, LOWEST},
    {6, 0, 10, 2, 4, 8, 1, LOWEST},
    {7, 0, 11, 3, 5, 9, AVERAGE_2 + 1, LOWEST},
    {8, 0, 12, 4, 6, 11, 2, LOWEST},
};

void emb_webp_predict_i4(const uint8_t edge[13], emb_lanes predictions[16]) {
    int16_t values[EDGE_VALUES];
    values[0] = (int16_t)((edge[0] * 3 + edge[1] + 2) >> 2);
    for (int i = 1; i < 12; i++) {
        values[i] = (int16_t)((edge[i - 1] + 2 * edge[i] + edge[i + 1] + 2) >> 2);
    }
    values[12] = (int16_t)((edge[11] + edge[12] * 3 + 2) >> 2);
    for (int i = 0; i < 12; i++) {
        values[AVERAGE_2 + i] = (int16_t)((edge[i] + edge[i + 1] + 1) >> 1);
    }
    values[LOWEST] = edge[0];
    int sum = edge[0] + edge[1] + edge[2] + edge[3] + edge[5] + edge[6] + edge[7] + edge[8];
    int16_t dc = (int16_t)((sum + 4) >> 3);
    int16_t *lanes = (int16_t *)predictions;
    for (int pixel = 0; pixel < 16; pixel++, lanes += 16) {
        lanes[B_DC_PRED] = dc;
        lanes[B_TM_PRED] = clipped(edge[3 - (pixel >> 2)] + edge[5 + (pixel & 3)] - edge[4]);
        for (int mode = 0; mode < 8; mode++) {
            lanes[B_VE_PRED + mode] = values[directional_sources[pixel][mode]];
        }
        memset(lanes + I4_MODES, 0, 12);
    }
}

// Returns the value of DC_PRED. At the top or left edge of the picture it is the average of the
// other side, and in the corner it is 128 (section 12.2).
static int dc_of(const uint8_t *block, int stride, int side, int x, int y) {
    const uint8_t *above = block - stride;
    int sum = 0, shift = side == 16 ? 4 : 3, dc = 128;
    for (int i = 0; i < side; i++) {
        sum += (y > 0 ? above[i] : 0) + (x > 0 ? block[i * stride - 1] : 0);
    }
    shift += x > 0 && y > 0;
    if (x > 0 || y > 0) {
        dc = (sum + (1 << (shift - 1))) >> shift;
    }
    return dc;
}

void emb_webp_predict(
    const uint8_t *reconstructed, int stride, int side, int mode, int x, int y,
    uint8_t *prediction) {
    const uint8_t *above = reconstructed - stride;
    switch (mode) {
    case DC_PRED:
        memset(prediction, dc_of(reconstructed, stride, side, x, y), (size_t)(side * side));
        break;
    case TM_PRED:
        for (int row = 0; row < side; row++) {
            int base = reconstructed[row * stride - 1] - above[-1];
            for (int i = 0; i < side; i++) {
                prediction[row * side + i] = clipped(above[i] + base);
            }
        }
        break;
    case V_PRED:
        for (int row = 0; row < side; row++) {
            memcpy(prediction + row * side, above, (size_t)side);
        }
        break;
    default:
        for (int row = 0; row < side; row++) {
            memset(prediction + row * side, reconstructed[row * stride - 1], (size_t)side);
        }
    }
}
