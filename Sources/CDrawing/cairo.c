#include "binding.h"

EMB_LIBRARY("libcairo.so.2", "cairo", "SVG and text")

#include "include/calls_cairo.h"

int emb_cairo_open(void) {
    return find("cairo_create") != NULL;
}
