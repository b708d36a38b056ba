#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <png.h>
#include <pthread.h>
#include <string.h>

#include "emb_system.h"

static char folder[PATH_MAX];

static void look(void) {
    Dl_info found;
    if (dladdr((const void *)png_access_version_number, &found) == 0 || found.dli_fname == NULL) {
        return;
    }
    const char *end = strrchr(found.dli_fname, '/');
    size_t length = end == NULL ? 0 : (size_t)(end - found.dli_fname);
    if (length < sizeof(folder)) {
        memcpy(folder, found.dli_fname, length);
    }
}

const char *emb_library_folder(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look);
    return folder[0] == 0 ? NULL : folder;
}
