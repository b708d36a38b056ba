// Loads libzstd at the first call, because few lists need it. It is a dependency of libcurl.
#include "emb_library.h"
#include "include/emb_zstd.h"

// The part of its stable interface that is used, so that its headers need not be installed.
size_t ZSTD_decompress(void *target, size_t target_size, const void *source, size_t source_size);
unsigned ZSTD_isError(size_t code);

EMB_LIBRARY("libzstd.so.1", "zstd", "Parquet lists compressed with zstd")

PASS(
    size_t, (size_t)-1, ZSTD_decompress,
    (void *target, size_t target_size, const void *source, size_t source_size),
    (target, target_size, source, source_size))
PASS(unsigned, 1, ZSTD_isError, (size_t code), (code))

int emb_zstd_is_found(void) {
    return find("ZSTD_decompress") != NULL && find("ZSTD_isError") != NULL;
}

ptrdiff_t emb_zstd_decompress(
    void *target, size_t target_size, const void *source, size_t source_size) {
    size_t made = ZSTD_decompress(target, target_size, source, source_size);
    return ZSTD_isError(made) ? -1 : (ptrdiff_t)made;
}
