// All cairo functions that are called. No include guard: the file is included several times.
EMB_CALL(
    cairo_surface_t *, NULL, cairo_image_surface_create_for_data,
    (unsigned char *pixels, cairo_format_t format, int width, int height, int stride),
    (pixels, format, width, height, stride))
EMB_CALL_NOTHING(cairo_surface_flush, (cairo_surface_t * surface), (surface))
EMB_CALL_NOTHING(cairo_surface_destroy, (cairo_surface_t * surface), (surface))
EMB_CALL(cairo_t *, NULL, cairo_create, (cairo_surface_t * surface), (surface))
EMB_CALL_NOTHING(cairo_destroy, (cairo_t * context), (context))
EMB_CALL(cairo_status_t, CAIRO_STATUS_NO_MEMORY, cairo_status, (cairo_t * context), (context))
EMB_CALL(
    cairo_status_t, CAIRO_STATUS_NO_MEMORY, cairo_scaled_font_status, (cairo_scaled_font_t * font),
    (font))
EMB_CALL_NOTHING(cairo_save, (cairo_t * context), (context))
EMB_CALL_NOTHING(cairo_restore, (cairo_t * context), (context))
EMB_CALL_NOTHING(cairo_push_group, (cairo_t * context), (context))
EMB_CALL_NOTHING(cairo_pop_group_to_source, (cairo_t * context), (context))
EMB_CALL_NOTHING(cairo_identity_matrix, (cairo_t * context), (context))
EMB_CALL_NOTHING(
    cairo_scale, (cairo_t * context, double across, double down), (context, across, down))
EMB_CALL_NOTHING(cairo_translate, (cairo_t * context, double x, double y), (context, x, y))
EMB_CALL_NOTHING(cairo_set_antialias, (cairo_t * context, cairo_antialias_t way), (context, way))
EMB_CALL_NOTHING(cairo_set_line_width, (cairo_t * context, double width), (context, width))
EMB_CALL_NOTHING(
    cairo_set_source_rgba, (cairo_t * context, double red, double green, double blue, double alpha),
    (context, red, green, blue, alpha))
EMB_CALL_NOTHING(
    cairo_set_source_surface, (cairo_t * context, cairo_surface_t *surface, double x, double y),
    (context, surface, x, y))
EMB_CALL_NOTHING(cairo_new_path, (cairo_t * context), (context))
EMB_CALL_NOTHING(cairo_move_to, (cairo_t * context, double x, double y), (context, x, y))
EMB_CALL_NOTHING(cairo_line_to, (cairo_t * context, double x, double y), (context, x, y))
EMB_CALL_NOTHING(
    cairo_curve_to,
    (cairo_t * context, double x1, double y1, double x2, double y2, double x3, double y3),
    (context, x1, y1, x2, y2, x3, y3))
EMB_CALL_NOTHING(cairo_close_path, (cairo_t * context), (context))
EMB_CALL_NOTHING(cairo_fill, (cairo_t * context), (context))
EMB_CALL_NOTHING(cairo_stroke, (cairo_t * context), (context))
EMB_CALL_NOTHING(cairo_paint, (cairo_t * context), (context))
EMB_CALL(cairo_font_options_t *, NULL, cairo_font_options_create, (void), ())
EMB_CALL_NOTHING(cairo_font_options_destroy, (cairo_font_options_t * options), (options))
EMB_CALL_NOTHING(
    cairo_font_options_set_antialias, (cairo_font_options_t * options, cairo_antialias_t way),
    (options, way))
EMB_CALL_NOTHING(
    cairo_font_options_set_hint_metrics, (cairo_font_options_t * options, cairo_hint_metrics_t way),
    (options, way))
EMB_CALL_NOTHING(
    cairo_font_options_set_hint_style, (cairo_font_options_t * options, cairo_hint_style_t way),
    (options, way))
