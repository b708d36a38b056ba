#include "binding.h"

int emb_drawing_open(void) {
    // librsvg loads the other libraries as its dependencies.
    int rsvg = emb_rsvg_open();
    return rsvg & emb_cairo_open() & emb_pango_open() & emb_fontconfig_open() & emb_glib_open();
}
