#include "binding.h"

int emb_drawing_open(void) {
    // librsvg brings the others along.
    int rsvg = emb_rsvg_open();
    return rsvg & emb_cairo_open() & emb_pango_open() & emb_fontconfig_open() & emb_glib_open();
}
