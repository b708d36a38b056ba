#include "binding.h"

EMB_LIBRARY("librsvg-2.so.2", "rsvg", "SVG")

#include "include/calls_rsvg.h"

int emb_rsvg_open(void) {
    return find("rsvg_handle_new_from_data") != NULL;
}
