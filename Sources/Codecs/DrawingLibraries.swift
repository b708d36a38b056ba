import CDrawing

/// What draws SVG documents and text: librsvg, Pango, cairo, fontconfig and GLib, which are opened
/// together when the first of them is needed.
package enum DrawingLibraries {
    /// Whether all of them are installed; opens them, and from then on their messages go nowhere.
    package static let areFound: Bool = {
        guard emb_drawing_open() != 0 else { return false }
        LibraryLog.silence()
        return true
    }()

    /// Opens them, for a process that will open nothing later.
    package static func prepare() { _ = areFound }

    /// The Debian packages that bring all of them.
    static let packages = "librsvg2-2 and libpangocairo-1.0-0"

    /// What to say where one is not there.
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
