#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <png.h>
#include <pthread.h>
#include <string.h>

#include "emb_system.h"

static char folder[PATH_MAX];

// Finds the folder of libpng.
static void find_folder(void) {
    Dl_info info;
    if (dladdr((const void *)png_access_version_number, &info) == 0 || info.dli_fname == NULL) {
        return;
    }
    const char *end = strrchr(info.dli_fname, '/');
    size_t length = end == NULL ? 0 : (size_t)(end - info.dli_fname);
    if (length < sizeof(folder)) {
        memcpy(folder, info.dli_fname, length);
    }
}

const char *emb_library_folder(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_folder);
    return folder[0] == 0 ? NULL : folder;
}
