// All Pango functions that are called. No include guard: the file is included several times.
EMB_CALL(
    PangoFontMap *, NULL, pango_cairo_font_map_new_for_font_type, (cairo_font_type_t type), (type))
EMB_CALL_NOTHING(pango_cairo_font_map_set_default, (PangoCairoFontMap * map), (map))
EMB_CALL_NOTHING(
    pango_fc_font_map_set_config, (PangoFcFontMap * map, FcConfig *config), (map, config))
EMB_CALL(PangoContext *, NULL, pango_font_map_create_context, (PangoFontMap * map), (map))
EMB_CALL_NOTHING(
    pango_cairo_context_set_font_options,
    (PangoContext * context, const cairo_font_options_t *options), (context, options))
EMB_CALL_NOTHING(
    pango_cairo_context_set_resolution, (PangoContext * context, double dots), (context, dots))
EMB_CALL_NOTHING(
    pango_context_set_base_dir, (PangoContext * context, PangoDirection direction),
    (context, direction))
EMB_CALL_NOTHING(
    pango_context_set_language, (PangoContext * context, PangoLanguage *language),
    (context, language))
EMB_CALL_NOTHING(
    pango_context_set_round_glyph_positions, (PangoContext * context, gboolean rounds),
    (context, rounds))
EMB_CALL(PangoLanguage *, NULL, pango_language_from_string, (const char *name), (name))
EMB_CALL(
    PangoFontDescription *, NULL, pango_font_description_from_string, (const char *text), (text))
EMB_CALL_NOTHING(pango_font_description_free, (PangoFontDescription * description), (description))
EMB_CALL(
    const char *, NULL, pango_font_description_get_family,
    (const PangoFontDescription *description), (description))
EMB_CALL_NOTHING(
    pango_font_description_set_absolute_size, (PangoFontDescription * description, double size),
    (description, size))
EMB_CALL_NOTHING(
    pango_font_description_set_weight, (PangoFontDescription * description, PangoWeight weight),
    (description, weight))
EMB_CALL(PangoFontDescription *, NULL, pango_font_describe, (PangoFont * font), (font))
EMB_CALL(PangoLayout *, NULL, pango_layout_new, (PangoContext * context), (context))
EMB_CALL_NOTHING(
    pango_layout_set_auto_dir, (PangoLayout * layout, gboolean follows), (layout, follows))
EMB_CALL_NOTHING(
    pango_layout_set_font_description,
    (PangoLayout * layout, const PangoFontDescription *description), (layout, description))
EMB_CALL_NOTHING(
    pango_layout_set_text, (PangoLayout * layout, const char *text, int length),
    (layout, text, length))
EMB_CALL_NOTHING(pango_layout_set_width, (PangoLayout * layout, int width), (layout, width))
EMB_CALL_NOTHING(pango_layout_set_wrap, (PangoLayout * layout, PangoWrapMode wrap), (layout, wrap))
EMB_CALL(int, 0, pango_layout_get_unknown_glyphs_count, (PangoLayout * layout), (layout))
EMB_CALL(int, 0, pango_layout_get_line_count, (PangoLayout * layout), (layout))
EMB_CALL(
    PangoLayoutLine *, NULL, pango_layout_get_line_readonly, (PangoLayout * layout, int line),
    (layout, line))
EMB_CALL(int, 0, pango_layout_line_get_start_index, (PangoLayoutLine * line), (line))
EMB_CALL(int, 0, pango_layout_line_get_length, (PangoLayoutLine * line), (line))
EMB_CALL_NOTHING(
    pango_layout_line_get_extents,
    (PangoLayoutLine * line, PangoRectangle *ink, PangoRectangle *box), (line, ink, box))
EMB_CALL(
    PangoDirection, PANGO_DIRECTION_LTR, pango_layout_line_get_resolved_direction,
    (PangoLayoutLine * line), (line))
EMB_CALL(int, 0, pango_glyph_string_get_width, (PangoGlyphString * glyphs), (glyphs))
EMB_CALL(
    cairo_scaled_font_t *, NULL, pango_cairo_font_get_scaled_font, (PangoCairoFont * font), (font))
EMB_CALL_NOTHING(
    pango_cairo_glyph_string_path, (cairo_t * context, PangoFont *font, PangoGlyphString *glyphs),
    (context, font, glyphs))
EMB_CALL_NOTHING(
    pango_cairo_show_glyph_string, (cairo_t * context, PangoFont *font, PangoGlyphString *glyphs),
    (context, font, glyphs))
