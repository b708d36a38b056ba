#include "parts.h"

#include <string.h>

// The intra prediction of RFC 6386, section 12. The 13 edge pixels of a 4x4 block run from the
// lowest one on the left, over the corner, to the last one above and to the right. Predictions
// select from: averages of three around each edge pixel (0...12), averages of two neighbours
// (13...24), the lowest pixel (25), and the average of all (26).
enum { PAIR = 13, LOWEST = 25, MEAN = 26 };

static const uint8_t sources[16][8] = {
    // VE, HE, LD, RD, VR, VL, HD, HU
    {5, 3, 6, 4, PAIR + 4, PAIR + 5, PAIR + 3, PAIR + 2},
    {6, 3, 7, 5, PAIR + 5, PAIR + 6, 4, 2},
    {7, 3, 8, 6, PAIR + 6, PAIR + 7, 5, PAIR + 1},
    {8, 3, 9, 7, PAIR + 7, PAIR + 8, 6, 1},
    {5, 2, 7, 3, 4, 6, PAIR + 2, PAIR + 1},
    {6, 2, 8, 4, 5, 7, 3, 1},
    {7, 2, 9, 5, 6, 8, PAIR + 3, PAIR + 0},
    {8, 2, 10, 6, 7, 9, 4, 0},
    {5, 1, 8, 2, 3, PAIR + 6, PAIR + 1, PAIR + 0},
    {6, 1, 9, 3, PAIR + 4, PAIR + 7, 2, 0},
    {7, 1, 10, 4, PAIR + 5, PAIR + 8, PAIR + 2, LOWEST},
    {8, 1, 11, 5, PAIR + 6, 10, 3, LOWEST},
    {5, 0, 9, 1, 2, 7, PAIR + 0, LOWEST},
    {6, 0, 10, 2, 4, 8, 1, LOWEST},
    {7, 0, 11, 3, 5, 9, PAIR + 1, LOWEST},
    {8, 0, 12, 4, 6, 11, 2, LOWEST},
};

void emb_webp_guess_small(const uint8_t edge[13], emb_lanes guesses[16]) {
    int16_t values[MEAN + 1];
    values[0] = (int16_t)((edge[0] * 3 + edge[1] + 2) >> 2);
    for (int i = 1; i < 12; i++) {
        values[i] = (int16_t)((edge[i - 1] + 2 * edge[i] + edge[i + 1] + 2) >> 2);
    }
    values[12] = (int16_t)((edge[11] + edge[12] * 3 + 2) >> 2);
    for (int i = 0; i < 12; i++) {
        values[PAIR + i] = (int16_t)((edge[i] + edge[i + 1] + 1) >> 1);
    }
    values[LOWEST] = edge[0];
    int sum = edge[0] + edge[1] + edge[2] + edge[3] + edge[5] + edge[6] + edge[7] + edge[8];
    int16_t mean = (int16_t)((sum + 4) >> 3);
    int16_t *lanes = (int16_t *)guesses;
    for (int at = 0; at < 16; at++, lanes += 16) {
        lanes[DC_MODE] = mean;
        lanes[TM_MODE] = clipped(edge[3 - (at >> 2)] + edge[5 + (at & 3)] - edge[4]);
        for (int mode = 0; mode < 8; mode++) {
            lanes[VE_MODE + mode] = values[sources[at][mode]];
        }
        memset(lanes + 10, 0, 12);
    }
}

void emb_webp_guess(
    const uint8_t *made, int stride, int side, int mode, int x, int y, uint8_t *guess) {
    const uint8_t *above = made - stride;
    switch (mode) {
    case DC_MODE: {
        int sum = 0, shift = side == 16 ? 4 : 3, mean = 128;
        for (int i = 0; i < side; i++) {
            sum += (y > 0 ? above[i] : 0) + (x > 0 ? made[i * stride - 1] : 0);
        }
        shift += x > 0 && y > 0;
        if (x > 0 || y > 0) {
            mean = (sum + (1 << (shift - 1))) >> shift;
        }
        memset(guess, mean, (size_t)(side * side));
        break;
    }
    case TM_MODE:
        for (int row = 0; row < side; row++) {
            int base = made[row * stride - 1] - above[-1];
            for (int i = 0; i < side; i++) {
                guess[row * side + i] = clipped(above[i] + base);
            }
        }
        break;
    case VE_MODE:
        for (int row = 0; row < side; row++) {
            memcpy(guess + row * side, above, (size_t)side);
        }
        break;
    default:
        for (int row = 0; row < side; row++) {
            memset(guess + row * side, made[row * stride - 1], (size_t)side);
        }
    }
}
