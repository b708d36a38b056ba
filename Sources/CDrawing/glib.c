#include "binding.h"

// GObject loads GLib as its dependency.
EMB_LIBRARY("libgobject-2.0.so.0", "glib", "SVG, text, and names beyond ASCII")

#include "include/calls_glib.h"

int emb_glib_open(void) {
    return find("g_object_unref") != NULL;
}
