// All GLib functions that are called. No include guard: the file is included several times.
EMB_CALL_NOTHING(g_error_free, (GError * error), (error))
EMB_CALL_NOTHING(g_free, (gpointer memory), (memory))
EMB_CALL_NOTHING(g_object_unref, (gpointer object), (object))
EMB_CALL(
    GLogFunc, NULL, g_log_set_default_handler, (GLogFunc handler, gpointer user), (handler, user))
EMB_CALL_NOTHING(
    g_log_set_writer_func, (GLogWriterFunc writer, gpointer user, GDestroyNotify release),
    (writer, user, release))
EMB_CALL(gchar *, NULL, g_utf8_casefold, (const gchar *text, gssize length), (text, length))
EMB_CALL(
    gchar *, NULL, g_utf8_normalize, (const gchar *text, gssize length, GNormalizeMode mode),
    (text, length, mode))
