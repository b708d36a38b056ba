#define WIDTH 16
#include "kernels.h"

const emb_kernels *emb_common_kernels(void) {
    static const emb_kernels table = EMB_TABLE;
    return &table;
}

#if !defined(__x86_64__)

int emb_has_avx2(void) {
    return 0;
}

const emb_kernels *emb_best_kernels(void) {
    return emb_common_kernels();
}

#endif
