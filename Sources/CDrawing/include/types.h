// The types of the libraries that are used. No include guard: the file is included several times. A
// structure may declare only the first fields of the library's structure.

EMB_ALIAS(gboolean, int)
EMB_ALIAS(gchar, char)
EMB_ALIAS(gpointer, void *)
EMB_ALIAS(gsize, size_t)
EMB_ALIAS(gssize, ssize_t)
EMB_ALIAS(guint8, uint8_t)
EMB_ALIAS(FcBool, int)
EMB_ALIAS(FcChar8, unsigned char)

EMB_OPAQUE(GLogField)
EMB_OPAQUE(FcConfig)
EMB_OPAQUE(cairo_t)
EMB_OPAQUE(cairo_surface_t)
EMB_OPAQUE(cairo_font_options_t)
EMB_OPAQUE(cairo_scaled_font_t)
EMB_OPAQUE(PangoCairoFont)
EMB_OPAQUE(PangoCairoFontMap)
EMB_OPAQUE(PangoContext)
EMB_OPAQUE(PangoEngineLang)
EMB_OPAQUE(PangoEngineShape)
EMB_OPAQUE(PangoFcFontMap)
EMB_OPAQUE(PangoFont)
EMB_OPAQUE(PangoFontDescription)
EMB_OPAQUE(PangoFontMap)
EMB_OPAQUE(PangoGlyphString)
EMB_OPAQUE(PangoLanguage)
EMB_OPAQUE(PangoLayout)
EMB_OPAQUE(RsvgHandle)

EMB_VALUES(GLogLevelFlags, EMB_VALUE(G_LOG_FLAG_FATAL, 2))
EMB_VALUES(GLogWriterOutput, EMB_VALUE(G_LOG_WRITER_HANDLED, 1))
EMB_VALUES(GNormalizeMode, EMB_VALUE(G_NORMALIZE_DEFAULT_COMPOSE, 1))
EMB_VALUES(cairo_antialias_t, EMB_VALUE(CAIRO_ANTIALIAS_GRAY, 2) EMB_VALUE(CAIRO_ANTIALIAS_BEST, 6))
EMB_VALUES(cairo_font_type_t, EMB_VALUE(CAIRO_FONT_TYPE_FT, 1))
EMB_VALUES(cairo_format_t, EMB_VALUE(CAIRO_FORMAT_ARGB32, 0))
EMB_VALUES(cairo_hint_metrics_t, EMB_VALUE(CAIRO_HINT_METRICS_OFF, 1))
EMB_VALUES(cairo_hint_style_t, EMB_VALUE(CAIRO_HINT_STYLE_NONE, 1))
EMB_VALUES(cairo_status_t, EMB_VALUE(CAIRO_STATUS_SUCCESS, 0) EMB_VALUE(CAIRO_STATUS_NO_MEMORY, 1))
EMB_VALUES(PangoDirection, EMB_VALUE(PANGO_DIRECTION_LTR, 0) EMB_VALUE(PANGO_DIRECTION_RTL, 1))
EMB_VALUES(PangoWeight, EMB_VALUE(PANGO_WEIGHT_NORMAL, 400))
EMB_VALUES(PangoWrapMode, EMB_VALUE(PANGO_WRAP_WORD_CHAR, 2))
EMB_VALUES(
    RsvgUnit,
    EMB_VALUE(RSVG_UNIT_PERCENT, 0) EMB_VALUE(RSVG_UNIT_PX, 1) EMB_VALUE(RSVG_UNIT_EM, 2)
        EMB_VALUE(RSVG_UNIT_EX, 3) EMB_VALUE(RSVG_UNIT_IN, 4) EMB_VALUE(RSVG_UNIT_CM, 5)
            EMB_VALUE(RSVG_UNIT_MM, 6) EMB_VALUE(RSVG_UNIT_PT, 7) EMB_VALUE(RSVG_UNIT_PC, 8))
EMB_NUMBER(PANGO_SCALE, 1024)

EMB_CALLBACK(void, GDestroyNotify, (gpointer object))
EMB_CALLBACK(
    void, GLogFunc, (const gchar *domain, GLogLevelFlags level, const gchar *text, gpointer user))
EMB_CALLBACK(
    GLogWriterOutput, GLogWriterFunc,
    (GLogLevelFlags level, const GLogField *fields, gsize count, gpointer user))

EMB_STRUCTURE(
    GError,
    EMB_FIELD(GError, uint32_t, domain) EMB_FIELD(GError, int, code)
        EMB_FIELD(GError, gchar *, message))
EMB_STRUCTURE(GSList, EMB_FIELD(GSList, gpointer, data) EMB_FIELD(GSList, GSList *, next))
EMB_STRUCTURE(
    PangoAnalysis,
    EMB_FIELD(PangoAnalysis, PangoEngineShape *, shape_engine)
        EMB_FIELD(PangoAnalysis, PangoEngineLang *, lang_engine)
            EMB_FIELD(PangoAnalysis, PangoFont *, font))
EMB_STRUCTURE(
    PangoItem,
    EMB_FIELD(PangoItem, int, offset) EMB_FIELD(PangoItem, int, length)
        EMB_FIELD(PangoItem, int, num_chars) EMB_FIELD(PangoItem, PangoAnalysis, analysis))
EMB_STRUCTURE(
    PangoGlyphItem,
    EMB_FIELD(PangoGlyphItem, PangoItem *, item)
        EMB_FIELD(PangoGlyphItem, PangoGlyphString *, glyphs)
            EMB_FIELD(PangoGlyphItem, int, y_offset))
EMB_STRUCTURE(
    PangoLayoutLine,
    EMB_FIELD(PangoLayoutLine, PangoLayout *, layout) EMB_FIELD(PangoLayoutLine, int, start_index)
        EMB_FIELD(PangoLayoutLine, int, length) EMB_FIELD(PangoLayoutLine, GSList *, runs))
EMB_STRUCTURE(
    PangoRectangle,
    EMB_FIELD(PangoRectangle, int, x) EMB_FIELD(PangoRectangle, int, y)
        EMB_FIELD(PangoRectangle, int, width) EMB_FIELD(PangoRectangle, int, height))
EMB_STRUCTURE(
    RsvgLength, EMB_FIELD(RsvgLength, double, length) EMB_FIELD(RsvgLength, RsvgUnit, unit))
EMB_STRUCTURE(
    RsvgRectangle,
    EMB_FIELD(RsvgRectangle, double, x) EMB_FIELD(RsvgRectangle, double, y)
        EMB_FIELD(RsvgRectangle, double, width) EMB_FIELD(RsvgRectangle, double, height))
