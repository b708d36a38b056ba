#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "versions.h"

// librsvg, Pango, cairo, fontconfig and GLib, opened at the first drawing. With their dependencies
// they are 40 libraries and would take a third of the startup time.
//
// The declarations below have our own types, so that the program is not linked with the libraries.
// Tests compare them with the libraries' headers.

// Opens the libraries; returns 0 if one is missing.
int emb_drawing_open(void);

// The forwarding functions are hidden, so that the libraries keep calling each other directly.
#pragma GCC visibility push(hidden)

#define EMB_ALIAS(type, ours) typedef ours type;
#define EMB_OPAQUE(type) typedef struct type type;
#define EMB_VALUE(name, value) name = value,
#define EMB_VALUES(type, values) typedef enum { values } type;
#define EMB_NUMBER(name, value) enum { name = value };
#define EMB_CALLBACK(result, type, parameters) typedef result(*type) parameters;
#define EMB_FIELD(type, kind, name) kind name;
#define EMB_STRUCTURE(type, fields)                                                                \
    typedef struct type type;                                                                      \
    struct type {                                                                                  \
        fields                                                                                     \
    };

#include "types.h"

#undef EMB_ALIAS
#undef EMB_OPAQUE
#undef EMB_VALUE
#undef EMB_VALUES
#undef EMB_NUMBER
#undef EMB_CALLBACK
#undef EMB_FIELD
#undef EMB_STRUCTURE

#define EMB_CALL(type, missing, name, parameters, arguments) type name parameters;
#define EMB_CALL_NOTHING(name, parameters, arguments) void name parameters;

#include "calls_cairo.h"
#include "calls_fontconfig.h"
#include "calls_glib.h"
#include "calls_pango.h"
#include "calls_rsvg.h"

#undef EMB_CALL
#undef EMB_CALL_NOTHING

#pragma GCC visibility pop
