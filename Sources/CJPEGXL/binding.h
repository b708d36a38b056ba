#pragma once

#include <jxl/decode.h>
#include <jxl/encode.h>

// The functions of libjxl, found when the first of them is needed.
struct emb_jxl_door {
#define EMB_JXL_FUNCTION(name) __typeof__(name) *name;
#include "functions.h"
#undef EMB_JXL_FUNCTION
};

// NULL where the library, or one of its functions, is missing.
const struct emb_jxl_door *emb_jxl_door(void);
