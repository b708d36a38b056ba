import CLibHeif
import CShims

/// The library behind HEIC and AVIF as a whole, which is opened when it is first needed.
enum HEIFLibrary {
    static let opening = CodecLibrary.Opening(
        file: "libheif.so.1", isFound: { isFound }, prepare: { _ = once })

    /// Whether the library is installed; opens it.
    static var isFound: Bool { emb_heif_is_found() != 0 }

    /// What to say where it is not.
    static let whatIsMissing =
        "AVIF and HEIC need libheif. Install the Debian package libheif1"

    private static let once: Void = {
        _ = unsafe heif_init(nil)
    }()
}
