// Loads libjxl at the first call instead of at startup, because few inputs need it.
#include "binding.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#include "emb_opened.h"
#include "include/CJPEGXL.h"

// Below version 1.0 the minor version is part of the name, because the ABI changes with it.
#define LIBRARY "libjxl.so.0.7"

EMB_OPENED(LIBRARY, "jxl", "JPEG XL")

static struct emb_jxl_library functions;
static int is_complete;

static void load(void) {
    void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        return;
    }
    is_complete = 1;
#define EMB_JXL_FUNCTION(name)                                                                     \
    functions.name = (__typeof__(name) *)dlsym(handle, #name);                                     \
    is_complete = is_complete && functions.name != NULL;
#include "functions.h"
#undef EMB_JXL_FUNCTION
}

const struct emb_jxl_library *emb_jxl_library(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_complete ? &functions : NULL;
}

int emb_jxl_is_found(void) {
    return emb_jxl_library() != NULL;
}
