#pragma once

#include "emb_library.h"
#include "include/CDrawing.h"

// A file that includes this names its library by EMB_LIBRARY and then includes the list of its
// calls, which become functions that pass them on.
#define EMB_CALL PASS
#define EMB_CALL_NOTHING PASS_NOTHING

// Open each library: 0 where it is missing.
int emb_cairo_open(void);
int emb_fontconfig_open(void);
int emb_glib_open(void);
int emb_pango_open(void);
int emb_rsvg_open(void);
