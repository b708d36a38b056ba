import CDrawing

/// Discards the log messages of GLib, and so of librsvg and Pango.
///
/// GLib would print warnings about hostile documents to standard error, where progress and errors
/// of ours stand. Its writer can be set once in a process, so this is done as it is opened; a program
/// that links us and wants its own writer has to filter by log domain instead.
enum LibraryLog {
    /// Drops every message from now on. To be called once.
    static func silence() {
        unsafe g_log_set_writer_func({ _, _, _, _ in G_LOG_WRITER_HANDLED }, nil, nil)
        _ = unsafe g_log_set_default_handler({ _, _, _, _ in }, nil)
    }
}
