#include "binding.h"

// PangoCairo loads the rest of Pango as its dependency.
EMB_LIBRARY("libpangocairo-1.0.so.0", "pango", "text")

#include "include/calls_pango.h"

int emb_pango_open(void) {
    return find("pango_cairo_font_map_new_for_font_type") != NULL &&
        find("pango_fc_font_map_set_config") != NULL;
}
