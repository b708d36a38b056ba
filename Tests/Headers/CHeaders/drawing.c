// Compares CDrawing's functions, types and constants with the headers of the libraries at compile
// time.
#include <fontconfig/fontconfig.h>
#include <librsvg/rsvg.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>
#include <stddef.h>

#include "CHeaders.h"

#define SAME(one, other) __builtin_types_compatible_p(one, other)

#define EMB_CALL(type, missing, name, parameters, arguments)                                       \
    _Static_assert(SAME(__typeof__(name), type parameters), #name);
#define EMB_CALL_NOTHING(name, parameters, arguments)                                              \
    _Static_assert(SAME(__typeof__(name), void parameters), #name);

#include "calls_cairo.h"
#include "calls_fontconfig.h"
#include "calls_glib.h"
#include "calls_pango.h"
#include "calls_rsvg.h"

// Declares the structures of types.h with the prefix `our_`, so that their fields can be compared
// with those of the libraries.
#define EMB_ALIAS(type, ours)
#define EMB_OPAQUE(type)
#define EMB_VALUE(name, value)
#define EMB_VALUES(type, values)
#define EMB_NUMBER(name, value)
#define EMB_CALLBACK(result, type, parameters)
#define EMB_FIELD(type, kind, name) kind name;
#define EMB_STRUCTURE(type, fields)                                                                \
    struct our_##type {                                                                            \
        fields                                                                                     \
    };

#include "types.h"

#undef EMB_ALIAS
#undef EMB_VALUE
#undef EMB_VALUES
#undef EMB_NUMBER
#undef EMB_CALLBACK
#undef EMB_FIELD
#undef EMB_STRUCTURE

#define EMB_ALIAS(type, ours) _Static_assert(SAME(type, ours), #type);
#define EMB_VALUE(name, value) _Static_assert(name == value, #name);
#define EMB_VALUES(type, values)                                                                   \
    _Static_assert(sizeof(type) == sizeof(int), #type);                                            \
    values
#define EMB_NUMBER(name, value) EMB_VALUE(name, value)
#define EMB_CALLBACK(result, type, parameters)                                                     \
    _Static_assert(SAME(type, __typeof__(result(*) parameters)), #type);
#define EMB_FIELD(type, kind, name)                                                                \
    _Static_assert(offsetof(type, name) == offsetof(struct our_##type, name), #type "." #name);    \
    _Static_assert(SAME(__typeof__(((type *)0)->name), kind), #type "." #name);
#define EMB_STRUCTURE(type, fields) fields

#include "types.h"

// Structures that CDrawing allocates and a library fills must have the full size.
#define WHOLE(type) _Static_assert(sizeof(type) == sizeof(struct our_##type), #type);

WHOLE(PangoRectangle)
WHOLE(RsvgLength)
WHOLE(RsvgRectangle)
