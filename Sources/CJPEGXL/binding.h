#pragma once

#include <jxl/decode.h>
#include <jxl/encode.h>

// The functions of libjxl, loaded at the first use.
struct emb_jxl_library {
#define EMB_JXL_FUNCTION(name) __typeof__(name) *name;
#include "functions.h"
#undef EMB_JXL_FUNCTION
};

// Returns NULL if the library or one of its functions is missing.
const struct emb_jxl_library *emb_jxl_library(void);
