// The hot functions, compiled again for AVX2, which needs half as many instructions. The results
// are the same.

#if defined(__x86_64__)

#define emb_webp_planes emb_webp_planes_avx2
#define emb_webp_choose emb_webp_choose_avx2
#define emb_webp_divide emb_webp_divide_avx2
#define emb_webp_guess emb_webp_guess_avx2
#define emb_webp_guess_small emb_webp_guess_small_avx2
#define emb_webp_weigh emb_webp_weigh_avx2
#define emb_webp_weigh_small emb_webp_weigh_small_avx2
#define emb_webp_forward emb_webp_forward_avx2
#define emb_webp_forward_means emb_webp_forward_means_avx2
#define emb_webp_inverse emb_webp_inverse_avx2
#define emb_webp_inverse_means emb_webp_inverse_means_avx2

#include <stdlib.h>
#include <string.h>

#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

#include "choose.c"
#include "divide.c"
#include "planes.c"
#include "predict.c"
#include "transform.c"

#pragma clang attribute pop

#endif
