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

static struct emb_jxl_door found;
static int is_whole;

static void load(void) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        return;
    }
    is_whole = 1;
#define EMB_JXL_FUNCTION(name)                                                                     \
    found.name = (__typeof__(name) *)dlsym(library, #name);                                        \
    is_whole = is_whole && found.name != NULL;
#include "functions.h"
#undef EMB_JXL_FUNCTION
}

const struct emb_jxl_door *emb_jxl_door(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_whole ? &found : NULL;
}

int emb_jxl_is_found(void) {
    return emb_jxl_door() != NULL;
}
