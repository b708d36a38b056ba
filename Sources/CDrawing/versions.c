#include "versions.h"

// Headers with constants only, which need no include path.
#include <cairo/cairo-version.h>
#include <fontconfig/fontconfig.h>
#include <pango-1.0/pango/pango-features.h>

// rsvg-version.h checks for this macro of librsvg's main header, which cannot be included without
// GLib's include path.
#define __RSVG_RSVG_H_INSIDE__
#include <librsvg-2.0/librsvg/rsvg-version.h>

#define WORD(number) #number
#define VERSION(major, minor, micro) WORD(major) "." WORD(minor) "." WORD(micro)

const char *emb_rsvg_version(void) {
    return LIBRSVG_VERSION;
}

const char *emb_cairo_version(void) {
    return VERSION(CAIRO_VERSION_MAJOR, CAIRO_VERSION_MINOR, CAIRO_VERSION_MICRO);
}

const char *emb_pango_version(void) {
    return PANGO_VERSION_STRING;
}

const char *emb_fontconfig_version(void) {
    return VERSION(FC_MAJOR, FC_MINOR, FC_REVISION);
}
