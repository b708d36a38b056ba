#if defined(__x86_64__)

// Before the attribute, which the headers must not get.
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#define WIDTH 32
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include "kernels.h"
#pragma clang attribute pop

int emb_has_avx2(void) {
    return __builtin_cpu_supports("avx2");
}

const emb_kernels *emb_best_kernels(void) {
    static const emb_kernels table = EMB_TABLE;
    return emb_has_avx2() ? &table : emb_common_kernels();
}

#endif
