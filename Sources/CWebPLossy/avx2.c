// The hot functions, compiled again for AVX2, which needs half as many instructions. The results
// are the same.

#if defined(__x86_64__)

#define emb_webp_rgba_to_yuv emb_webp_rgba_to_yuv_avx2
#define emb_webp_encode_macroblock emb_webp_encode_macroblock_avx2
#define emb_webp_quantize emb_webp_quantize_avx2
#define emb_webp_predict emb_webp_predict_avx2
#define emb_webp_predict_i4 emb_webp_predict_i4_avx2
#define emb_webp_satd emb_webp_satd_avx2
#define emb_webp_satd_i4 emb_webp_satd_i4_avx2
#define emb_webp_fdct emb_webp_fdct_avx2
#define emb_webp_fwht emb_webp_fwht_avx2
#define emb_webp_idct emb_webp_idct_avx2
#define emb_webp_iwht emb_webp_iwht_avx2

#include <stdlib.h>
#include <string.h>

#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

#include "macroblock.c"
#include "predict.c"
#include "quantize.c"
#include "transform.c"
#include "yuv.c"

#pragma clang attribute pop

#endif
