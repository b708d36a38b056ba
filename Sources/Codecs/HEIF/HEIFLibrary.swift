import CLibHeif

/// The library behind HEIC and AVIF as a whole, which is opened when it is first needed.
package enum HEIFLibrary {
    /// Loads what the library keeps in files of its own, for a process that will open none later.
    package static func prepare() {
        _ = once
    }

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
