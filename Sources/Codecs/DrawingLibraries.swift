import CDrawing

/// The libraries that draw SVG documents and text: librsvg, Pango, cairo, fontconfig and GLib. All
/// of them are opened when the first is needed.
package enum DrawingLibraries {
    /// Whether all libraries are installed. The first access opens them and discards their log
    /// messages.
    package static let areFound: Bool = {
        guard emb_drawing_open() != 0 else { return false }
        LibraryLog.silence()
        return true
    }()

    /// Opens the libraries, for a process that cannot open files later.
    package static func prepare() { _ = areFound }

    static let packages = "librsvg2-2 and libpangocairo-1.0-0"

    static let whatIsMissing =
        "drawings need librsvg and its libraries, which cannot all be opened. Install the Debian "
        + "packages \(packages)"

    static let svg = [
        library("librsvg", "librsvg-2.so.2", unsafe String(cString: emb_rsvg_version())),
        library("cairo", "libcairo.so.2", unsafe String(cString: emb_cairo_version())),
    ]

    static let text = [
        library("pango", "libpango-1.0.so.0", unsafe String(cString: emb_pango_version())),
        library(
            "fontconfig", "libfontconfig.so.1", unsafe String(cString: emb_fontconfig_version())),
    ]

    private static func library(
        _ name: String, _ file: String, _ version: String
    ) -> CodecLibrary {
        CodecLibrary(
            name, version: version,
            opening: CodecLibrary.Opening(
                file: file, isInAllWorkers: true, isFound: { areFound }, prepare: prepare))
    }
}

/// Discards the log messages of GLib, and so of librsvg and Pango.
///
/// GLib would print warnings about hostile documents to standard error, among our own messages. Its
/// writer can be set only once in a process. A program that links this library and wants its own
/// writer must filter by log domain instead.
enum LibraryLog {
    /// Discards all later messages. Must be called only once.
    static func silence() {
        unsafe g_log_set_writer_func({ _, _, _, _ in G_LOG_WRITER_HANDLED }, nil, nil)
        _ = unsafe g_log_set_default_handler({ _, _, _, _ in }, nil)
    }
}
