#pragma once

#include "emb_library.h"
#include "include/CDrawing.h"

// A file that includes this header names its library with EMB_LIBRARY. It then includes the list of
// the library's functions, each of which becomes a forwarding function.
#define EMB_CALL PASS
#define EMB_CALL_NOTHING PASS_NOTHING

// Open one library; return 0 if it is missing.
int emb_cairo_open(void);
int emb_fontconfig_open(void);
int emb_glib_open(void);
int emb_pango_open(void);
int emb_rsvg_open(void);
