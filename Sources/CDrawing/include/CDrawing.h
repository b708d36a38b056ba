#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "versions.h"

// librsvg, Pango, cairo, fontconfig and GLib, which are opened when something is first drawn: with
// what they need they are 40 libraries, a third of the time in which the tool starts.
//
// Their names stand here with types of our own, so that the program is not linked with them. Tests
// hold these against the headers of the libraries.

// Opens them: 0 where one is missing.
int emb_drawing_open(void);

// They are ours alone: the libraries go on calling each other.
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
