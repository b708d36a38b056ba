#include "binding.h"

EMB_LIBRARY("libfontconfig.so.1", "fontconfig", "text")

#include "include/calls_fontconfig.h"

int emb_fontconfig_open(void) {
    return find("FcConfigCreate") != NULL;
}
