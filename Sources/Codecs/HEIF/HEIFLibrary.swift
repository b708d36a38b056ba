import CLibHeif
import CShims

/// The library behind HEIC and AVIF as a whole, which is opened when it is first needed.
package enum HEIFLibrary {
    /// Loads what the library keeps in files of its own, for a process that will open none later.
    package static func prepare() {
        _ = once
    }

    /// Whether the library is installed; opens it.
    package static var isFound: Bool { emb_heif_is_found() != 0 }

    /// What to say where it is not.
    static let whatIsMissing =
        "AVIF and HEIC need libheif, which is not installed; the Debian package is libheif1"

    /// Whether a picture is one that only this library can read.
    package static func reads(_ picture: Span<UInt8>) -> Bool {
        switch ImageSniffer.sniff(picture) {
        case .picture(.avif), .picture(.heic): true
        default: false
        }
    }

    private static let once: Void = {
        _ = unsafe heif_init(nil)
    }()
}
