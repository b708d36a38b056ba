// All librsvg functions that are called. No include guard: the file is included several times.
EMB_CALL(
    RsvgHandle *, NULL, rsvg_handle_new_from_data,
    (const guint8 *bytes, gsize count, GError **error), (bytes, count, error))
EMB_CALL_NOTHING(rsvg_handle_set_dpi, (RsvgHandle * handle, double dots), (handle, dots))
EMB_CALL_NOTHING(
    rsvg_handle_get_intrinsic_dimensions,
    (RsvgHandle * handle, gboolean *has_width, RsvgLength *width, gboolean *has_height,
     RsvgLength *height, gboolean *has_box, RsvgRectangle *box),
    (handle, has_width, width, has_height, height, has_box, box))
EMB_CALL(
    gboolean, 0, rsvg_handle_render_document,
    (RsvgHandle * handle, cairo_t *context, const RsvgRectangle *box, GError **error),
    (handle, context, box, error))
