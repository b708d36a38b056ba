import CLibHeif

/// The library behind HEIC and AVIF as a whole.
package enum HEIFLibrary {
    /// Loads what the library keeps in files of its own, for a process that will open none later.
    package static func prepare() {
        _ = once
    }

    private static let once: Void = {
        _ = unsafe heif_init(nil)
    }()
}
